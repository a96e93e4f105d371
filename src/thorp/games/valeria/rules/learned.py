"""How much the move is liked that led to a position: what the net reads of its village, its hand and the time left.

What `evaluate` hopes for is where it begins: a net that has learned nothing plays as the greedy player does. Cards are
read by what they say, so that what is learned holds for any deck.
"""

from thorp.compiling.rule import Weights, rule
from thorp.core.net import Net, read_out
from thorp.games.valeria.rules.deck import LANE, POINTS_SHIFT, TYPE_SHIFT
from thorp.games.valeria.rules.evaluation import (
    HOPES,
    hand_hope,
    pending_hope,
    resources_hope,
    time_left,
    village_hope,
)
from thorp.games.valeria.rules.paying import KINDS, LANE_MASK, buildable, supply
from thorp.games.valeria.rules.powers import (
    ACTIONS,
    AMOUNT_MASK,
    AMOUNT_SHIFT,
    INSTANT,
    PRICE_SHIFT,
    RESOURCES,
    SCORING,
    TYPES,
    WHAT_MASK,
    WHAT_SHIFT,
    WHEN_MASK,
    WHENS,
)
from thorp.games.valeria.rules.rounds import HAND_LIMIT, IDLE_ROUNDS, TURNED, village_limit
from thorp.games.valeria.rules.scoring import bonus, coins_of, resources_of, score
from thorp.games.valeria.rules.state import OVER, POOL, State
from thorp.games.valeria.rules.villages import TYPE_MASK, hire_price

#: Resources of a cost, or buildings that an adventurer asks for, that a seat still lacks, as far as it is looked at.
MISSING = 5
ASKED = 4

_OF_MISSING = ("cards", "points", "best", "bonus", "powers")
_OF_POWER = ("worth", "worth by time")
_OF_SEAT = (
    "time",
    "time squared",
    "own time",
    "alone",
    "two seats",
    "more seats",
    "coins",
    "coins by time",
    "coins laid down",
    "castle laid",
    "resources",
    "resources by time",
    "resources squared",
    "kinds",
    "kinds by time",
    "hand",
    "hand by time",
    "hand beyond the limit",
    "size",
    "size squared",
    "adventurers",
    "points",
    "bonus",
    "bonus by time",
    "my turn",
    "turns before mine",
    "leading",
    "draws",
    "takes",
    "discards",
    "develops",
    "owed",
    "coming points",
    "coming bonus",
    "buildable",
    "best buildable",
    "free elsewhere",
    "rival points",
    "rival size",
    "rival hand",
    "bank",
    "powers used",
    "doubles",
    "idle",
    "idle squared",
)
_OF_HOPES = (
    "hope of the village",
    "hope of resources",
    "hope of the hand",
    "hope of the action",
    "hope of the hand by time",
    "hope of the action by time",
    "hope of the rival",
)
_HAND_FROM = 0
_POOL_FROM = _HAND_FROM + len(_OF_MISSING) * (MISSING + 1)
_POWER_FROM = _POOL_FROM + 2 * (ASKED + 1)
_KINDS_FROM = _POWER_FROM + len(_OF_POWER) * len(WHENS)
_TYPES_FROM = _KINDS_FROM + 4 * KINDS
_PHASE_FROM = _TYPES_FROM + 2 * len(TYPES)
_ACTION_FROM = _PHASE_FROM + OVER
_SEAT_FROM = _ACTION_FROM + len(ACTIONS)
_HOPES_FROM = _SEAT_FROM + len(_OF_SEAT)
_PER_MISSING = len(_OF_MISSING)

NET = Net(
    features=(
        *(f"hand, missing {n}: {name}" for n in range(MISSING + 1) for name in _OF_MISSING),
        *(f"adventurers, asking {n}: {name}" for n in range(ASKED + 1) for name in ("there", "best")),
        *(f"power {when or 'none'}: {name}" for when in WHENS for name in _OF_POWER),
        *(
            f"{resource} {name}"
            for resource in RESOURCES
            for name in ("developed", "laid on", "in hand", "asked by the hand")
        ),
        *(f"{type} {name}" for type in TYPES for name in ("built", "asked")),
        *(f"phase {phase}" for phase in range(OVER)),
        *(f"action {action}" for action in ACTIONS),
        *_OF_SEAT,
        *_OF_HOPES,
    ),
    hidden=32,
    chooses=True,
    lookahead=16,
    wrong_by=1.6,
    wider=0.68,
)
_FEATURES = len(NET.features)
_FIRST = NET.first


@rule
def value(state: State, seat: int, weights: Weights) -> float:
    """How much a seat likes a position after a move of its own: points more than the best of the others, and hopes."""
    rival = _best_rival(state, seat)
    points = (score(state, seat) - rival) * 1.0
    if state.phase == OVER:
        return points
    for feature in range(_FEATURES):
        weights[feature] = 0
    time = _time_left(state, seat)
    _read_village(state, seat, time, weights)
    _read_hand(state, seat, weights)
    _read_pool(state, seat, weights)
    _read_action(state, seat, weights)
    _read_seat(state, seat, time, rival, weights)
    points += _read_hopes(state, seat, time, weights) / (100.0 * HOPES)
    return points + read_out(weights, _FEATURES, _FIRST)


@rule
def _best_rival(state: State, seat: int) -> int:
    """The points of the best of the others; 0 where there are none."""
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, score(state, other))
    return best


@rule
def _time_left(state: State, seat: int) -> float:
    """How much of the game is left, from 1 to 0: by the largest village, and solo by the cards still to be turned."""
    most = 0
    for other in range(state.seats):
        most = max(most, state.players[other].size)
    time = 1.0 - most * 1.0 / village_limit(state)
    if state.seats == 1:
        time = min(time, 1.0 - state.turned * 1.0 / TURNED)
    return max(0.0, time)


@rule
def _power_worth(power: int) -> float:
    """About how much a use of a power brings, in cards."""
    when = power & WHEN_MASK
    if when == 0 or when == SCORING:
        return 0.0
    amount = 1.0 + (power >> AMOUNT_SHIFT & AMOUNT_MASK)
    if when > INSTANT:
        return 1.0 if power >> PRICE_SHIFT == 0 else 0.5
    # coins are dearer than cards, and what is taken can be looked at
    worth = amount * (2.0 if power >> WHAT_SHIFT & WHAT_MASK else 1.0)
    return worth - (0.75 if power >> PRICE_SHIFT else 0.0)


@rule
def _read_village(state: State, seat: int, time: float, weights: Weights) -> None:
    player = state.players[seat]
    extra = 0
    points = 0
    for place in range(player.size):
        face = player.village[place]
        extra += bonus(state, seat, face)
        points += state.faces[face].what >> POINTS_SHIFT
        for row in range(2):
            power = state.faces[face].powers[row]
            at = _POWER_FROM + 2 * (power & WHEN_MASK)
            if power & WHEN_MASK:
                worth = _power_worth(power) * 0.5 if power & WHEN_MASK != SCORING else 0.5
                weights[at] += worth
                weights[at + 1] += worth * time
    for kind in range(KINDS):
        at = _KINDS_FROM + 4 * kind
        weights[at] = player.resources[kind] * 0.5
        weights[at + 1] = player.paid[kind] * 0.5
    for type in range(len(TYPES)):
        weights[_TYPES_FROM + 2 * type] = player.types[type] * 0.33
    weights[_SEAT_FROM + 21] = points * 0.05
    weights[_SEAT_FROM + 22] = extra * 0.1
    weights[_SEAT_FROM + 23] = extra * time * 0.1


@rule
def _lacking(state: State, seat: int, face: int) -> int:
    """How many resources of a cost are not the seat's own, with or without a coin; the castle is one of any kind."""
    lacking = -1
    for kind in range(KINDS):
        need = state.faces[face].what >> LANE * kind & LANE_MASK
        lacking += max(0, need - state.players[seat].resources[kind])
    return max(0, lacking)


@rule
def _read_hand(state: State, seat: int, weights: Weights) -> None:
    """Write the cards of the hand, each by how many resources it still lacks; doubles of the village apart."""
    player = state.players[seat]
    found = supply(state, seat)
    doubles = 0
    can = 0
    best = 0.0
    link = player.hand
    while link:
        card = state.cards[link - 1]
        face = card.face
        weights[_KINDS_FROM + 4 * card.lower + 2] += 0.33
        double = False
        for place in range(player.size):
            if player.village[place] == face:
                double = True
        if double:
            doubles += 1
        else:
            points = (state.faces[face].what >> POINTS_SHIFT) * 1.0
            extra = bonus(state, seat, face)
            at = _HAND_FROM + _PER_MISSING * min(_lacking(state, seat, face), MISSING)
            weights[at] += 0.33
            weights[at + 1] += points * 0.1
            weights[at + 2] = max(weights[at + 2], (points + extra) * 0.25)
            weights[at + 3] += extra * 0.25
            weights[at + 4] += (_worth_of(state, face, 0) + _worth_of(state, face, 1)) * 0.25
            if buildable(state, seat, found, link - 1):
                can += 1
                best = max(best, points + extra)
            for kind in range(KINDS):
                need = (state.faces[face].what >> LANE * kind & LANE_MASK) - player.resources[kind]
                weights[_KINDS_FROM + 4 * kind + 3] += max(0, need) * 0.2
        link = card.next
    weights[_SEAT_FROM + 34] = can * 0.33
    weights[_SEAT_FROM + 35] = best * 0.2
    weights[_SEAT_FROM + 42] = doubles * 0.5


@rule
def _worth_of(state: State, face: int, row: int) -> float:
    return _power_worth(state.faces[face].powers[row])


@rule
def _read_pool(state: State, seat: int, weights: Weights) -> None:
    """Write the adventurers who lie open, each by how many buildings the village still lacks for them."""
    for slot in range(POOL):
        face = state.pool[slot]
        if face == 0:
            continue
        lacking = 0
        for type in range(len(TYPES)):
            need = (state.faces[face].what >> LANE * type & LANE_MASK) - state.players[seat].types[type]
            lacking += max(0, need)
            if need > 0:
                weights[_TYPES_FROM + 2 * type + 1] += 0.33
        at = _POOL_FROM + 2 * min(lacking, ASKED)
        points = (state.faces[face].what >> POINTS_SHIFT) + bonus(state, seat, face)
        weights[at] += 0.33
        weights[at + 1] = max(weights[at + 1], points * 0.25)


@rule
def _read_action(state: State, seat: int, weights: Weights) -> None:
    """Write what the seat on turn is in the middle of."""
    weights[_PHASE_FROM + state.phase] = 1 if state.turn == seat else 0.25
    weights[_ACTION_FROM + state.action] = 1 if state.turn == seat else 0.25
    at = _SEAT_FROM
    weights[at + 24] = 1 if state.turn == seat else 0
    weights[at + 25] = ((seat - state.active + state.seats) % state.seats) * 1.0 / state.seats
    weights[at + 26] = 1 if state.active == seat else 0
    if state.turn != seat:
        return
    weights[at + 27] = state.draws * 0.33
    weights[at + 28] = state.takes * 0.5
    weights[at + 29] = state.discards * 0.5
    weights[at + 30] = state.develops
    owed = 0
    for kind in range(KINDS):
        owed += state.owed >> LANE * kind & LANE_MASK
    weights[at + 31] = owed * 0.33
    if state.building:
        face = state.cards[state.building - 1].face
        weights[at + 32] = (state.faces[face].what >> POINTS_SHIFT) * 0.2
        weights[at + 33] = bonus(state, seat, face) * 0.2
        weights[_TYPES_FROM + 2 * (state.faces[face].what >> TYPE_SHIFT & TYPE_MASK)] += 0.25
    used = state.used
    while used:
        weights[at + 41] += 0.25
        used &= used - 1


@rule
def _read_seat(state: State, seat: int, time: float, rival: int, weights: Weights) -> None:
    player = state.players[seat]
    limit = village_limit(state)
    resources = resources_of(state, seat)
    kinds = 0
    laid = 0
    elsewhere = 0
    for kind in range(KINDS):
        if player.resources[kind]:
            kinds += 1
        laid += player.paid[kind]
        for other in range(state.seats):
            if other != seat:
                elsewhere += state.players[other].resources[kind] - state.players[other].paid[kind]
    largest = 0
    hands = 0
    for other in range(state.seats):
        if other != seat:
            largest = max(largest, state.players[other].size)
            hands = max(hands, state.players[other].hand_size)
    at = _SEAT_FROM
    weights[at] = time
    weights[at + 1] = time * time
    weights[at + 2] = 1.0 - player.size * 1.0 / limit
    weights[at + 3] = 1 if state.seats == 1 else 0
    weights[at + 4] = 1 if state.seats == 2 else 0
    weights[at + 5] = state.seats * 0.2
    weights[at + 6] = player.coins * 0.2
    weights[at + 7] = player.coins * time * 0.2
    weights[at + 8] = laid * 0.25
    weights[at + 9] = player.castle
    weights[at + 10] = resources * 0.2
    weights[at + 11] = resources * time * 0.2
    weights[at + 12] = resources * resources * 0.02
    weights[at + 13] = kinds * 0.33
    weights[at + 14] = kinds * time * 0.33
    weights[at + 15] = player.hand_size * 0.2
    weights[at + 16] = player.hand_size * time * 0.2
    weights[at + 17] = max(0, player.hand_size - HAND_LIMIT) * 0.5
    weights[at + 18] = player.size * 0.1
    weights[at + 19] = player.size * player.size * 0.01
    weights[at + 20] = player.adventurers * 0.25 - hire_price(state, seat) * 0.1
    weights[at + 36] = elsewhere * 0.1
    weights[at + 37] = rival * 0.04
    weights[at + 38] = largest * 0.1
    weights[at + 39] = hands * 0.1
    weights[at + 40] = state.bank * 0.05 + coins_of(state, seat) * 0.02
    if state.seats > 1:
        # without this, putting everything off looks as good as building
        idle = state.idle * 1.0 / (IDLE_ROUNDS * state.seats)
        weights[at + 43] = idle
        weights[at + 44] = idle * idle


@rule
def _read_hopes(state: State, seat: int, left: float, weights: Weights) -> float:
    """Write what `evaluate` hopes for, part by part, and what others may; the whole of it, in the parts of a point."""
    time = time_left(state)
    village = village_hope(state, seat, time)
    resources = resources_hope(state, seat) * time // 100
    hand = hand_hope(state, seat, time)
    action = 0
    if state.turn == seat:
        action = pending_hope(state, seat, time)
    rival = 0
    for other in range(state.seats):
        if other != seat:
            hope = village_hope(state, other, time) + resources_hope(state, other) * time // 100
            rival = max(rival, hope)
    at = _HOPES_FROM
    weights[at] = village * 0.001
    weights[at + 1] = resources * 0.001
    weights[at + 2] = hand * 0.001
    weights[at + 3] = action * 0.001
    weights[at + 4] = hand * 0.001 * left
    weights[at + 5] = action * 0.001 * left
    weights[at + 6] = rival * 0.001
    return (village + resources + hand + action) * 1.0


assert len(_OF_SEAT) == 45
assert len(_OF_HOPES) == 7
