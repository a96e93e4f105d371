"""What the markets pay, and who wins."""

from thorp.core.rule import entry, rule
from thorp.games.villagers.cards import SILVER_COUNTS, SILVER_PER, SILVER_SUIT, SILVER_TIMES
from thorp.games.villagers.state import State
from thorp.games.villagers.village import ALL_COINS, ANY, GOLD, tally, villages


@entry
def silver_of(state: State, seat: int, face: int) -> int:
    """What the Second Market would pay a village for one villager of that face; 0 without silver."""
    if SILVER_COUNTS[face] == 0:
        return 0
    return SILVER_TIMES[face] * (tally(state, seat, SILVER_COUNTS[face], SILVER_SUIT[face]) // SILVER_PER[face])


@entry
def silver(state: State, seat: int, best: bool) -> int:
    """What the silver villagers of a village would be paid, all (two copies are both paid) or the best one only."""
    total = 0
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        link = card.next
        one = silver_of(state, seat, card.face)
        total = max(total, one) if best else total + one
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


@entry
def score(state: State, seat: int) -> int:
    """The gold of a seat after the Second Market, which pays silver too; before the end, as if that were held now.

    The Second Market is the end of the game and is only counted: its gold never gets into the supply.
    """
    return state.players[seat].gold + income(state, seat) + silver(state, seat, False)


@entry
def standing(state: State, seat: int) -> int:
    """The place of a seat: most gold, then fewest cards in the village (ruling 10). Alone, always the first."""
    mine = score(state, seat)
    place = 1
    for other in range(state.seats):
        theirs = score(state, other)
        fewer = state.players[other].village_size < state.players[seat].village_size
        if theirs > mine or (theirs == mine and fewer):
            place += 1
    return place
