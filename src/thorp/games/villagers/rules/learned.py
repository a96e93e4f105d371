"""What a seat is expected to have at the end: what the net reads of its village, its hand and the time left."""

from thorp.compiling.rule import Weights, rule
from thorp.core.net import Net, read_out
from thorp.games.villagers.rules.cards import (
    BUILDER,
    FACES,
    FOOD,
    GOLD,
    KEY,
    LOCK,
    ON_ROLE,
    ROLE,
    ROLE_ON_ROLE,
    ROLES,
    SILVER_COUNTS,
    UNLOCKERS,
    VILLAGERS,
)
from thorp.games.villagers.rules.scoring import income, score, silver_of
from thorp.games.villagers.rules.state import COUNTESS_SEAT, EVENT, OVER, STACKS, State
from thorp.games.villagers.rules.unlocking import can_unlock
from thorp.games.villagers.rules.village import ANY, BUILDERS, PADLOCKS, SUIT_SYMBOLS, bases, summary, tally
from thorp.games.villagers.rules.village import FOOD as FOOD_SHOWN

#: Cards that a card of the hand still lacks below it, as far as it is looked at.
MISSING = 3
_PHASES = EVENT + 1
_STACK_CARDS = 12
_SOLO_CARDS = 30

_OF_FACE = ("top", "covered", "hand", "ready", "lying open")
_OF_MISSING = ("cards", "gold", "silver", "food", "builders", "best")
_OF_SEAT = (
    "time",
    "time squared",
    "second market to come",
    "gold",
    "income",
    "silver",
    "silver by time",
    "income by time",
    "food",
    "food by time",
    "builders",
    "builders by time",
    "symbols",
    "padlocks",
    "village",
    "hand cards",
    "hand cards by time",
    "drafts left",
    "builds left",
    "exchanged",
    "tinner",
    "my turn",
    "turns before mine",
    "first",
    "alone",
    "two seats",
    "more seats",
    "rival points",
    "rival village",
    "locked in hand",
    "countess points",
    "countess village",
)
_MISSING_FROM = len(_OF_FACE) * FACES
_ROLES_FROM = _MISSING_FROM + len(_OF_MISSING) * (MISSING + 1)
_KEYS_FROM = _ROLES_FROM + len(ROLES)
_PHASE_FROM = _KEYS_FROM + 2 * len(UNLOCKERS)
_SEAT_FROM = _PHASE_FROM + _PHASES
_PER_FACE = len(_OF_FACE)
_PER_MISSING = len(_OF_MISSING)

NET = Net(
    features=(
        *(f"{villager.id} {name}" for villager in VILLAGERS for name in _OF_FACE),
        *(f"hand, missing {n}: {name}" for n in range(MISSING + 1) for name in _OF_MISSING),
        *(f"bears nothing: {role}" for role in ROLES),
        *(f"{owner} unlocker: {id}" for owner in ("own", "other") for id in UNLOCKERS),
        *(f"phase {phase}" for phase in range(_PHASES)),
        *_OF_SEAT,
    ),
    hidden=32,
    lookahead=4,
    wrong_by=8.0,
)
_FEATURES = len(NET.features)
_FIRST = NET.first


@rule
def value(state: State, seat: int, weights: Weights) -> float:
    """The gold that a seat is expected to have at the end."""
    points = score(state, seat) * 1.0
    if state.phase == OVER:
        return points
    for feature in range(_FEATURES):
        weights[feature] = 0
    summed = summary(state, seat)
    _read_village(state, seat, weights)
    _read_hand(state, seat, summed, weights)
    for role in range(len(ROLES)):
        weights[_ROLES_FROM + role] = summed >> role & 1
    for slot in range(len(state.road)):
        if state.road[slot]:
            weights[_PER_FACE * state.cards[state.road[slot] - 1].face + 4] = 0.5
    _read_others(state, seat, weights)
    _read_seat(state, seat, points, weights)
    return points + read_out(weights, _FEATURES, _FIRST)


@rule
def _read_village(state: State, seat: int, weights: Weights) -> None:
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        link = card.next
        at = _PER_FACE * card.face
        weights[at + (1 if card.above else 0)] += 0.5
        if KEY[card.face] >= 0:
            weights[_KEYS_FROM + KEY[card.face]] = 1


@rule
def _read_hand(state: State, seat: int, summed: int, weights: Weights) -> None:
    """Write the cards of the hand, each by how many cards its chain still lacks."""
    locked = 0
    have = 0
    link = state.players[seat].hand
    while link:
        face = state.cards[link - 1].face
        link = state.cards[link - 1].next
        if ROLE[face] >= 0:
            have |= 1 << ROLE[face]
    link = state.players[seat].hand
    while link:
        face = state.cards[link - 1].face
        link = state.cards[link - 1].next
        # what lies in the hand itself is lacking only half
        missing = 0
        role = ON_ROLE[face]
        while role >= 0 and bases(summed, role) == 0 and missing < MISSING:
            missing += 1 if have >> role & 1 else 2
            role = ROLE_ON_ROLE[role]
        missing = min(missing, MISSING)
        weights[_PER_FACE * face + 2] += 0.5
        if missing == 0:
            weights[_PER_FACE * face + 3] += 0.5
        at = _MISSING_FROM + _PER_MISSING * missing
        later = silver_of(state, seat, face) if SILVER_COUNTS[face] else 0
        weights[at] += 0.25
        weights[at + 1] += GOLD[face] * 0.05
        weights[at + 2] += later * 0.05
        weights[at + 3] += FOOD[face] * 0.25
        weights[at + 4] += BUILDER[face] * 0.25
        weights[at + 5] = max(weights[at + 5], (GOLD[face] + later) * 0.1)
        if LOCK[face] >= 0 and not can_unlock(state, seat, summed, face):
            locked += 1
    weights[_SEAT_FROM + 29] = locked * 0.25


@rule
def _read_others(state: State, seat: int, weights: Weights) -> None:
    """Write what others have built: all can see it."""
    best = 0
    largest = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, score(state, other))
            largest = max(largest, state.players[other].village_size)
    if state.seats == 1:
        weights[_SEAT_FROM + 30] = score(state, COUNTESS_SEAT) * 0.02
        weights[_SEAT_FROM + 31] = state.players[COUNTESS_SEAT].village_size * 0.1
    for other in range(state.seats + (1 if state.seats == 1 else 0)):
        if other != seat:
            link = state.players[other].village
            while link:
                card = state.cards[link - 1]
                link = card.next
                if KEY[card.face] >= 0:
                    weights[_KEYS_FROM + len(UNLOCKERS) + KEY[card.face]] = 1
    weights[_SEAT_FROM + 27] = best * 0.02
    weights[_SEAT_FROM + 28] = largest * 0.1


@rule
def _read_seat(state: State, seat: int, points: float, weights: Weights) -> None:
    player = state.players[seat]
    cards = 0
    for stack in range(STACKS):
        cards += state.heights[stack]
    time = cards / (_SOLO_CARDS if state.seats == 1 else _STACK_CARDS * state.seats)
    paid = income(state, seat)
    later = points - player.gold - paid
    food = tally(state, seat, FOOD_SHOWN, ANY) * 0.5
    builders = tally(state, seat, BUILDERS, ANY) * 0.5
    weights[_PHASE_FROM + state.phase] = 1
    at = _SEAT_FROM
    weights[at] = time
    weights[at + 1] = time * time
    weights[at + 2] = 1 - state.first_market
    weights[at + 3] = player.gold * 0.05
    weights[at + 4] = paid * 0.04
    weights[at + 5] = later * 0.04
    weights[at + 6] = later * time * 0.04
    weights[at + 7] = 0 if state.first_market else paid * 0.04
    weights[at + 8] = food
    weights[at + 9] = food * time
    weights[at + 10] = builders
    weights[at + 11] = builders * time
    weights[at + 12] = tally(state, seat, SUIT_SYMBOLS, ANY) * 0.1
    weights[at + 13] = tally(state, seat, PADLOCKS, ANY) * 0.2
    weights[at + 14] = player.village_size * 0.1
    weights[at + 15] = player.hand_size * 0.2
    weights[at + 16] = player.hand_size * time * 0.2
    weights[at + 17] = max(0, player.draft_limit - player.drafted) * 0.5
    weights[at + 18] = max(0, player.build_limit - player.built) * 0.5
    weights[at + 19] = player.exchanged * 0.25
    weights[at + 20] = player.tinner
    weights[at + 21] = 1 if state.turn == seat else 0
    weights[at + 22] = ((seat - state.turn + state.seats) % state.seats) / (1.0 * state.seats)
    weights[at + 23] = 1 if state.first == seat else 0
    weights[at + 24] = 1 if state.seats == 1 else 0
    weights[at + 25] = 1 if state.seats == 2 else 0
    weights[at + 26] = state.seats * 0.2


assert len(_OF_SEAT) == 32
