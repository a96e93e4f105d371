"""How promising a position is: what the markets will pay, and what the hand may still become.

For players that look one move ahead. Rules of thumb; measured only by how well the greedy player does with them.
"""

from thorp.compiling.rule import rule, table
from thorp.games.villagers.rules.cards import BUILDER as BUILDERS_SHOWN
from thorp.games.villagers.rules.cards import FOOD as FOOD_SHOWN
from thorp.games.villagers.rules.cards import GOLD as GOLD_SHOWN
from thorp.games.villagers.rules.cards import (
    ON_ROLE,
    ROLE_ON_ROLE,
    SILVER_COUNTS,
    TINNER,
    VILLAGERS,
)
from thorp.games.villagers.rules.scoring import income, score, silver, silver_of
from thorp.games.villagers.rules.state import COUNTESS_SEAT, OVER, STACKS, State
from thorp.games.villagers.rules.unlocking import can_unlock
from thorp.games.villagers.rules.village import ANY, BUILDERS, FOOD, bases, summary, tally

#: Food and builders beyond this many do not count.
_ENOUGH = 3
#: A card of the hand is worth so much of what it would be in the village: it can be built now; its chain lacks one
#: card, two, or more.
_NEAR = table([60, 35, 20, 12])
#: A card that is worth nothing by itself still gets one a basic villager.
_SPARE = 60
#: What is built on a villager, at best: a part of that is the worth of having it in the village.
_LEADS = table(
    [
        max([other.gold for other in VILLAGERS if other.predecessor in (villager.id, villager.id[:8])], default=0)
        for villager in VILLAGERS
    ]
)


@rule
def evaluate(state: State, seat: int) -> int:
    """How promising the position is for a seat, in hundredths of gold."""
    value = _village_value(state, seat)
    if state.phase != OVER:
        value += _hand_value(state, seat)
    if state.seats == 1:
        value -= _village_value(state, COUNTESS_SEAT)
    return value


@rule
def _time_left(state: State) -> int:
    """How much of the game is left, in percent: by the cards of the stacks."""
    cards = 0
    for stack in range(STACKS):
        cards += state.heights[stack]
    return 100 * cards // (12 * state.seats + (18 if state.seats == 1 else 0))


@rule
def _village_value(state: State, seat: int) -> int:
    """What a village has earned and will earn, in hundredths of gold."""
    value = 100 * score(state, seat)
    if state.phase == OVER:
        return value
    time = _time_left(state)
    if state.first_market == 0:
        value += 100 * income(state, seat)
    # silver grows with the village
    value += time * silver(state, seat) // 2
    return value + time * (
        5 * min(_ENOUGH, tally(state, seat, FOOD, ANY)) + 5 * min(_ENOUGH, tally(state, seat, BUILDERS, ANY))
    )


@rule
def _hand_value(state: State, seat: int) -> int:
    """What the cards of a hand may still bring; the best few count, since actions are few."""
    summed = summary(state, seat)
    time = 20 + _time_left(state)
    first = 0
    second = 0
    rest = 0
    link = state.players[seat].hand
    while link:
        card = state.cards[link - 1]
        link = card.next
        worth = _card_value(state, seat, summed, card.face) * min(100, time) // 100
        if worth > first:
            rest += second
            second = first
            first = worth
        elif worth > second:
            rest += second
            second = worth
        else:
            rest += worth
    return first + second + rest // 2


@rule
def _card_value(state: State, seat: int, summed: int, face: int) -> int:
    """What a card of the hand may bring, in hundredths of gold."""
    twice = 2 if state.first_market == 0 else 1
    worth = 100 * twice * GOLD_SHOWN[face] + 300 * FOOD_SHOWN[face] + 300 * BUILDERS_SHOWN[face] + 25 * _LEADS[face]
    if SILVER_COUNTS[face]:
        worth += 300 + 100 * silver_of(state, seat, face)
    if face >= TINNER - 2 and worth == 0:
        worth = 300
    missing = 0
    role = ON_ROLE[face]
    while bases(summed, role) == 0 and missing < 3:
        missing += 1
        role = ROLE_ON_ROLE[role]
        if role < 0:
            break
    if not can_unlock(state, seat, summed, face):
        worth = worth // 2
    return _SPARE + worth * _NEAR[missing] // 100
