"""The build turn: building, giving cards up for basic villagers, and the special villagers."""

from thorp.core.rule import MoveList, entry, rule
from thorp.games.villagers.cards import (
    APPRENTICE,
    DECK_FACES,
    FACES,
    FOUNDERS,
    FOUNDERS_FOOD,
    MONK,
    ON_ROLE,
    OPS,
    SMUGGLER,
    TINNER,
)
from thorp.games.villagers.moves import (
    BUILD_MOVE,
    COUNTESS_SINK,
    DONE_MOVE,
    EXCHANGE_MOVE,
    FOOD_SIDE,
    PLACE_MOVE,
    SINKS,
    SMUGGLER_MOVE,
    SPOTS,
    SWAP_MOVE,
    TINNER_MOVE,
)
from thorp.games.villagers.piles import discard, from_hand, new_basic, put_on_pile
from thorp.games.villagers.state import COUNTESS_SEAT, RESERVE, STACKS, State
from thorp.games.villagers.turned import has_event
from thorp.games.villagers.unlocking import can_unlock, unlock
from thorp.games.villagers.village import BEST_GOLD, add, build, replace, spots, summary, tally

_SERFDOM = OPS.index("serfdom")
#: Spots with a Monk below, as bits.
_WITH_MONK = (1 << SPOTS) - (1 << 7)


@rule
def actions(state: State, seat: int) -> int:
    """Build actions that a seat has left in this turn."""
    return state.players[seat].build_limit - state.players[seat].built


@rule
def in_hand(state: State, seat: int, face: int) -> int:
    """How many cards of that face a hand has."""
    n = 0
    link = state.players[seat].hand
    while link:
        card = state.cards[link - 1]
        if card.face == face:
            n += 1
        link = card.next
    return n


@rule
def list_bits(moves: MoveList, n: int, first: int, bits: int) -> int:
    """Write the move `first + i` for every bit i, from moves[n] on; how many moves there are then."""
    while bits:
        if bits & 1:
            moves[n] = first
            n += 1
        first += 1
        bits >>= 1
    return n


# --- what may be done -------------------------------------------------------------------------------------------


@rule
def legal_builds(state: State, seat: int, moves: MoveList) -> int:
    """All that a seat may do in its build turn: each card of the hand built, played or given up; or `done`."""
    summed = summary(state, seat)
    left = actions(state, seat)
    monks = in_hand(state, seat, MONK)
    piles = _sinks(state, seat)
    seen = 0
    n = 0
    link = state.players[seat].hand
    while link:
        card = state.cards[link - 1]
        face = card.face
        link = card.next
        if seen >> face & 1:
            continue
        seen |= 1 << face
        if face == TINNER:
            if state.players[seat].tinner == 0:
                moves[n] = TINNER_MOVE
                n += 1
        elif face == SMUGGLER:
            if can_unlock(state, seat, summed, face):
                moves[n] = SMUGGLER_MOVE
                n += 1
        elif face == APPRENTICE:
            if left > 0:
                n = _legal_swaps(state, seat, summed, monks, moves, n)
        elif face != MONK and left > 0:
            found = spots(summed, face, min(monks, left - 1))
            if found and can_unlock(state, seat, summed, face):
                n = list_bits(moves, n, BUILD_MOVE + face * SPOTS, found)
        if piles:
            for basic in range(3):
                if state.basics[basic]:
                    n = list_bits(moves, n, EXCHANGE_MOVE + (face * 3 + basic) * SINKS, piles)
    moves[n] = DONE_MOVE
    return n + 1


@rule
def _sinks(state: State, seat: int) -> int:
    """Where a card given up may go, as bits: any stack that has cards, or else the Reserve."""
    if state.exchange_limit and state.players[seat].exchanged >= state.exchange_limit:
        return 0
    if has_event(state, _SERFDOM):
        return 1 << COUNTESS_SINK
    found = 0
    for stack in range(STACKS):
        if state.piles[stack]:
            found |= 1 << stack
    return found if found else 1 << RESERVE


@rule
def _legal_swaps(state: State, seat: int, summed: int, monks: int, moves: MoveList, n: int) -> int:
    """The covered villagers that an Apprentice may replace: such as have a place in the own village then."""
    for other in range(state.seats):
        link = state.players[other].village
        while link:
            node = link - 1
            card = state.cards[node]
            link = card.next
            if card.above == 0 or card.face == APPRENTICE:
                continue
            if (card.face == FOUNDERS or card.face == FOUNDERS_FOOD) and other != seat:
                continue
            nth = _which(state, other, node)
            if target(state, other, card.face, nth) == node and _has_place(state, seat, summed, node, monks):
                moves[n] = SWAP_MOVE + (other * FACES + card.face) * 2 + nth
                n += 1
    return n


@rule
def _which(state: State, owner: int, node: int) -> int:
    """Which of the covered villagers of its face a card is, 0 or 1: two of the same standing count as one.

    The first of them in the list of the village is 0, and the first that differs from it is 1.
    """
    card = state.cards[node]
    link = state.players[owner].village
    while link:
        other = state.cards[link - 1]
        if other.face == card.face and other.above:
            return 0 if other.above == card.above and other.role == card.role else 1
        link = other.next
    return -1


@entry
def target(state: State, owner: int, face: int, nth: int) -> int:
    """The covered villager that a swap names."""
    link = state.players[owner].village
    while link:
        card = state.cards[link - 1]
        if card.face == face and card.above and _which(state, owner, link - 1) == nth:
            return link - 1
        link = card.next
    return -1


@rule
def _has_place(state: State, seat: int, summed: int, node: int, monks: int) -> bool:
    """Whether a card that an Apprentice frees can be placed; the Apprentice takes over its role, so places stay."""
    face = state.cards[node].face
    left = actions(state, seat) - 1
    if face == MONK:
        return _bears(state, seat, summed, monks + 1, left)
    return spots(summed, face, min(monks, left)) != 0 and can_unlock(state, seat, summed, face)


@rule
def _bears(state: State, seat: int, summed: int, monks: int, left: int) -> bool:
    """Whether some card of the hand can be built on a freed Monk, with so many Monks and actions."""
    link = state.players[seat].hand
    while link:
        card = state.cards[link - 1]
        link = card.next
        if spots(summed, card.face, min(monks, left)) & _WITH_MONK and can_unlock(state, seat, summed, card.face):
            return True
    return False


@rule
def legal_places(state: State, seat: int, moves: MoveList) -> int:
    """Where the villager goes that an Apprentice has freed; a freed Monk goes below a card of the hand."""
    summed = summary(state, seat)
    left = actions(state, seat)
    monks = in_hand(state, seat, MONK)
    face = state.cards[state.freed - 1].face
    if face == FOUNDERS or face == FOUNDERS_FOOD:
        moves[0] = PLACE_MOVE
        moves[1] = PLACE_MOVE + FOOD_SIDE
        return 2
    if face != MONK:
        return list_bits(moves, 0, PLACE_MOVE, spots(summed, face, min(monks, left)))
    seen = 0
    n = 0
    link = state.players[seat].hand
    while link:
        card = state.cards[link - 1]
        link = card.next
        if seen >> card.face & 1:
            continue
        seen |= 1 << card.face
        found = spots(summed, card.face, min(monks + 1, left)) & _WITH_MONK
        if found and can_unlock(state, seat, summed, card.face):
            n = list_bits(moves, n, BUILD_MOVE + card.face * SPOTS, found)
    return n


# --- doing it ---------------------------------------------------------------------------------------------------


@rule
def play_build(state: State, seat: int, move: int) -> None:
    """Build a card of the hand, with the Monks that its spot asks for; its padlock is opened."""
    face = (move - BUILD_MOVE) // SPOTS
    _build(state, seat, from_hand(state, seat, face), (move - BUILD_MOVE) % SPOTS)
    state.players[seat].built += 1


@rule
def play_place(state: State, seat: int, move: int) -> None:
    """Place the villager that an Apprentice has freed; its padlock is opened again (ruling 6)."""
    node = state.freed - 1
    spot = move - PLACE_MOVE
    state.freed = 0
    face = state.cards[node].face
    if face == FOUNDERS or face == FOUNDERS_FOOD:
        state.cards[node].face = FOUNDERS_FOOD if spot == FOOD_SIDE else FOUNDERS
        spot = 0
    _build(state, seat, node, spot)


@rule
def _build(state: State, seat: int, node: int, spot: int) -> None:
    """Build a card on a spot; each Monk below it is an action more, but one that an Apprentice has freed."""
    monks = spot // 7
    first = -1
    second = -1
    if monks > 0:
        if state.freed:
            first = state.freed - 1
            state.freed = 0
        else:
            first = from_hand(state, seat, MONK)
            state.players[seat].built += 1
    if monks > 1:
        second = from_hand(state, seat, MONK)
        state.players[seat].built += 1
    build(state, seat, node, spot, first, second)
    unlock(state, seat, state.cards[node].face)


@rule
def play_swap(state: State, seat: int, move: int) -> None:
    """Let an Apprentice take the place of a covered villager, which has to be placed next."""
    nth = (move - SWAP_MOVE) % 2
    face = (move - SWAP_MOVE) // 2 % FACES
    node = target(state, (move - SWAP_MOVE) // 2 // FACES, face, nth)
    replace(state, node, from_hand(state, seat, APPRENTICE))
    state.freed = node + 1
    state.players[seat].built += 1


@rule
def play_exchange(state: State, seat: int, move: int) -> None:
    """Give a card up, face down on a pile, and take a basic villager into the village."""
    pile = (move - EXCHANGE_MOVE) % SINKS
    basic = (move - EXCHANGE_MOVE) // SINKS % 3
    node = from_hand(state, seat, (move - EXCHANGE_MOVE) // SINKS // 3)
    if pile == COUNTESS_SINK:
        add(state, COUNTESS_SEAT, node, -1)
    else:
        put_on_pile(state, seat, node, pile)
    add(state, seat, new_basic(state, basic), -1)
    state.players[seat].exchanged += 1


@rule
def play_tinner(state: State, seat: int) -> None:
    """Discard a Tinner: padlocks may be opened without paying."""
    discard(state, from_hand(state, seat, TINNER))
    state.players[seat].tinner = 1


@rule
def play_smuggler(state: State, seat: int) -> None:
    """Discard a Smuggler: half of the best gold value in the own village, rounded up."""
    discard(state, from_hand(state, seat, SMUGGLER))
    unlock(state, seat, SMUGGLER)
    state.players[seat].gold += (tally(state, seat, BEST_GOLD, 0) + 1) // 2


assert ON_ROLE[MONK] == ON_ROLE[APPRENTICE] == -1
assert DECK_FACES < 63
