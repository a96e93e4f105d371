"""How promising a position is: what a village is worth, and what the hand may still become.

For players that look one move ahead. Rules of thumb; measured only by how well the greedy player does with them.
"""

from thorp.compiling.rule import rule, table
from thorp.games.valeria.rules.deck import LANE, POINTS_SHIFT
from thorp.games.valeria.rules.paying import KINDS, LANE_MASK, buildable, supply
from thorp.games.valeria.rules.powers import (
    AMOUNT_MASK,
    AMOUNT_SHIFT,
    INSTANT,
    PRICE_SHIFT,
    WHAT_MASK,
    WHAT_SHIFT,
    WHEN_MASK,
    WHENS,
)
from thorp.games.valeria.rules.rounds import HAND_LIMIT, village_limit
from thorp.games.valeria.rules.scoring import bonus, resources_of, score
from thorp.games.valeria.rules.state import BUILD, OVER, PAY, POOL, RECRUIT, State
from thorp.games.valeria.rules.villages import meets

#: What a card in hand is worth by itself, one that is still to be drawn, and one that is still to be taken.
_CARD = 14
_DRAW = 26
_TAKE = 34
#: Resources developed: what so many are worth while all of the game is left, and each kind of them.
_RESOURCES = table([0, 380, 730, 1050, 1340, 1600, 1830, 2030, 2200])
_KIND = 25
#: A card of the hand is worth so much of what it would bring: so many resources of its cost are not one's own.
_NEAR = table([40, 30, 20, 12, 6, 3])
#: What a power is worth in a whole game by its time, for each card (and coin) that it brings; see WHENS.
_USES = table([0, 5, 3, 6, 3, 5, 1, 0, 0, 0])
_BRINGS = table([24, 70, 34])
_AT = table([0, 0, 0, 0, 0, 0, 0, 110, 90, 60])
#: Of all that is hoped for, by the numbers above, so much comes true: points in hand are worth more than any of it.
#: Whoever takes it at its full value loses 4 of 5 games between two.
HOPES = 5


@rule
def evaluate(state: State, seat: int) -> int:
    """How promising the position is for a seat, in hundredths of a point."""
    points = 100 * score(state, seat)
    if state.phase == OVER:
        return points
    time = time_left(state)
    value = village_hope(state, seat, time)
    value += resources_hope(state, seat) * time // 100
    value += hand_hope(state, seat, time)
    if state.turn == seat:
        value += pending_hope(state, seat, time)
    return points + value // HOPES


@rule
def village_hope(state: State, seat: int, time: int) -> int:
    """What the powers of a village may still bring."""
    player = state.players[seat]
    value = 0
    for place in range(player.size):
        value += _powers_value(state, seat, player.village[place], time)
    return value


@rule
def time_left(state: State) -> int:
    """How much of the game is left, in percent: by the largest village."""
    most = 0
    for seat in range(state.seats):
        most = max(most, state.players[seat].size)
    limit = village_limit(state)
    return 100 * max(0, limit - most) // limit


@rule
def _powers_value(state: State, seat: int, face: int, time: int) -> int:
    """What the powers of a card in the village may still bring."""
    value = 0
    for row in range(2):
        power = state.faces[face].powers[row]
        when = power & WHEN_MASK
        value += _AT[when] * time // 100
        if when < INSTANT:
            each = _BRINGS[power >> WHAT_SHIFT & WHAT_MASK] * (1 + (power >> AMOUNT_SHIFT & AMOUNT_MASK))
            if power >> PRICE_SHIFT:
                each -= _BRINGS[0]
            value += _USES[when] * each * time // 100
    return value


@rule
def resources_hope(state: State, seat: int) -> int:
    """What developed resources are worth at the beginning of a game; less where they bear a coin."""
    player = state.players[seat]
    value = _RESOURCES[min(resources_of(state, seat), 8)] - 3 * player.castle
    for kind in range(KINDS):
        value -= 2 * player.paid[kind]
        if player.resources[kind]:
            value += _KIND
    return value


@rule
def _missing(state: State, seat: int, face: int) -> int:
    """How many resources of a cost are not the seat's own, with or without a coin; the castle is one of any kind."""
    lacking = -1
    for kind in range(KINDS):
        need = state.faces[face].what >> LANE * kind & LANE_MASK
        lacking += max(0, need - state.players[seat].resources[kind])
    return max(0, lacking)


@rule
def _gain(state: State, seat: int, face: int, time: int) -> int:
    """What a card would bring in the village."""
    return _points(state, seat, face) + _powers_value(state, seat, face, time)


@rule
def _points(state: State, seat: int, face: int) -> int:
    """What a card would score in the village as it is."""
    return 100 * ((state.faces[face].what >> POINTS_SHIFT) + bonus(state, seat, face))


@rule
def hand_hope(state: State, seat: int, time: int) -> int:
    """What the cards of a hand may still bring; the best few count, since actions are few."""
    player = state.players[seat]
    first = 0
    second = 0
    rest = 0
    link = player.hand
    while link:
        face = state.cards[link - 1].face
        worth = _gain(state, seat, face, time) * _NEAR[_missing(state, seat, face)] // 100
        for place in range(player.size):
            if player.village[place] == face:
                worth = 0
        if worth > first:
            rest += second
            second = first
            first = worth
        elif worth > second:
            rest += second
            second = worth
        else:
            rest += worth
        link = state.cards[link - 1].next
    cards = min(player.hand_size, HAND_LIMIT)
    return (first + second * 2 // 3 + rest // 4) * min(100, 40 + time) // 100 + _CARD * cards


@rule
def pending_hope(state: State, seat: int, time: int) -> int:
    """What the action brings that the seat is in the middle of."""
    value = _DRAW * state.draws + _TAKE * state.takes - 2 * _CARD * state.discards
    if state.develops:
        value += (
            _RESOURCES[min(resources_of(state, seat) + 1, 8)]
            - _RESOURCES[min(resources_of(state, seat), 8)]
            + _KIND // 2
        ) * time // 100 - 2 * _CARD
    best = 0
    if state.phase == PAY:
        best = _gain(state, seat, state.cards[state.building - 1].face, time)
    elif state.phase == BUILD:
        found = supply(state, seat)
        link = state.players[seat].hand
        while link:
            if buildable(state, seat, found, link - 1):
                face = state.cards[link - 1].face
                near = _NEAR[_missing(state, seat, face)]
                gain = _gain(state, seat, face, time) * (100 - near) // 100 - 90 * _missing(state, seat, face)
                best = max(best, gain)
            link = state.cards[link - 1].next
    elif state.phase == RECRUIT:
        for slot in range(POOL):
            if meets(state, seat, slot):
                # no hope: he is paid for, and comes
                sure = HOPES * _points(state, seat, state.pool[slot])
                best = max(best, sure + _powers_value(state, seat, state.pool[slot], time))
    return value + best


assert len(_USES) == len(_AT) == len(WHENS)
