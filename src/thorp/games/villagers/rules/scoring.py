"""What the markets pay, and who wins."""

from thorp.compiling.rule import rule
from thorp.games.villagers.rules.cards import SILVER_COUNTS, SILVER_PER, SILVER_SUIT, SILVER_TIMES
from thorp.games.villagers.rules.state import COUNTESS_SEAT, State
from thorp.games.villagers.rules.village import ALL_COINS, ANY, GOLD, tally, villages


@rule
def silver_of(state: State, seat: int, face: int) -> int:
    """What the Second Market would pay a village for one villager of that face; 0 without silver."""
    if SILVER_COUNTS[face] == 0:
        return 0
    return SILVER_TIMES[face] * (tally(state, seat, SILVER_COUNTS[face], SILVER_SUIT[face]) // SILVER_PER[face])


@rule
def silver(state: State, seat: int) -> int:
    """What the silver villagers of a village would be paid: two copies are both paid."""
    total = 0
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        link = card.next
        total += silver_of(state, seat, card.face)
    return total


@rule
def income(state: State, seat: int) -> int:
    """What the First Market would pay now: gold values, and the gold that lies on villagers and stays there."""
    return tally(state, seat, GOLD, ANY) + tally(state, seat, ALL_COINS, ANY)


@rule
def hold_first_market(state: State) -> None:
    """Pay everybody, the Countess too."""
    state.first_market = 1
    for seat in range(villages(state)):
        player = state.players[seat]
        player.first_income = income(state, seat)
        player.gold += player.first_income


@rule
def score(state: State, seat: int) -> int:
    """The gold of a seat after the Second Market, which pays silver too; before the end, as if that were held now.

    The Second Market is the end of the game and is only counted: its gold never gets into the supply.
    """
    return state.players[seat].gold + income(state, seat) + silver(state, seat)


@rule
def standing(state: State, seat: int) -> int:
    """The place of a seat: most gold, then fewest cards in the village (ruling 10).

    Alone, the first place is for who has more gold than the Countess; who has not is the second.
    """
    mine = score(state, seat)
    if state.seats == 1:
        return 1 if mine > score(state, COUNTESS_SEAT) else 2
    place = 1
    for other in range(state.seats):
        theirs = score(state, other)
        fewer = state.players[other].village_size < state.players[seat].village_size
        if theirs > mine or (theirs == mine and fewer):
            place += 1
    return place
