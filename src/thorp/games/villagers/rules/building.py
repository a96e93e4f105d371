"""The build turn: building, giving cards up for basic villagers, and the special villagers."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.villagers.rules.cards import (
    APPRENTICE,
    DECK_FACES,
    FACES,
    FOUNDERS,
    FOUNDERS_FOOD,
    MONK,
    ON_ROLE,
    OPS,
    ROLE_ON_ROLE,
    SMUGGLER,
    TINNER,
)
from thorp.games.villagers.rules.moves import (
    BASES,
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
from thorp.games.villagers.rules.piles import discard, from_hand, new_basic, put_on_pile
from thorp.games.villagers.rules.state import COUNTESS_SEAT, RESERVE, STACKS, State
from thorp.games.villagers.rules.turned import has_event
from thorp.games.villagers.rules.unlocking import can_unlock, unlock
from thorp.games.villagers.rules.village import ANY, BEST_GOLD, add, base_node, replace, spots, summary, tally

_SERFDOM = OPS.index("serfdom")
#: Faces of the deck, and those that are built by themselves, as bits.
_DECK = (1 << DECK_FACES) - 1
_BUILT = (1 << MONK) - 1
#: The bit of a second Apprentice among the cards held.
_SECOND_APPRENTICE = DECK_FACES + 1
#: Spots of any kind, as bits.
_ALL = (1 << SPOTS) - 1


@rule
def actions(state: State, seat: int) -> int:
    """Build actions that a seat has left in this turn."""
    return state.players[seat].build_limit - state.players[seat].built


@rule
def held(state: State, seat: int) -> int:
    """The faces of a hand, as bits; a second Monk and a second Apprentice are the bits after them."""
    found = 0
    link = state.players[seat].hand
    while link:
        card = state.cards[link - 1]
        bit = card.face
        if found >> bit & 1:
            bit = DECK_FACES if bit == MONK else _SECOND_APPRENTICE if bit == APPRENTICE else bit
        found |= 1 << bit
        link = card.next
    return found


@rule
def monks_of(hand: int) -> int:
    """How many Monks there are among the cards held."""
    return (hand >> MONK & 1) + (hand >> DECK_FACES & 1)


@rule
def upon(monks: int) -> int:
    """The spots with so many Monks below or more, as bits."""
    return _ALL & ~((1 << BASES * monks) - 1)


@rule
def list_bits(moves: MoveList, n: int, first: int, bits: int) -> int:
    """Write the move `first + i` for every bit i, from moves.at[n] on; how many moves there are then."""
    while bits:
        if bits & 1:
            moves.at[n] = first
            n += 1
        first += 1
        bits >>= 1
    return n


# --- what may be done -------------------------------------------------------------------------------------------


@rule(inline=True)
def legal_builds(state: State, seat: int, moves: MoveList) -> int:
    """All that a seat may do in its build turn: each card of the hand built, played or given up; or `done`."""
    summed = summary(state, seat)
    left = actions(state, seat)
    hand = held(state, seat)
    n = 0
    if left > 0:
        n = _list_builds(state, seat, summed, hand, 0, left, moves, n)
        n = _legal_swaps(state, seat, summed, hand, 0, left, moves, n)
    if hand >> TINNER & 1 and state.players[seat].tinner == 0:
        moves.at[n] = TINNER_MOVE
        n += 1
    if hand >> SMUGGLER & 1 and can_unlock(state, seat, summed, SMUGGLER):
        moves.at[n] = SMUGGLER_MOVE
        n += 1
    piles = _sinks(state, seat)
    first = EXCHANGE_MOVE
    rest = hand & _DECK
    while rest:
        if rest & 1:
            for basic in range(3):
                if state.basics[basic]:
                    n = list_bits(moves, n, first + basic * SINKS, piles)
        first += 3 * SINKS
        rest >>= 1
    moves.at[n] = DONE_MOVE
    return n + 1


@rule
def _build_spots(state: State, seat: int, summed: int, hand: int, freed: int, left: int, face: int) -> int:
    """Where a card of the hand can be built, as bits: on all Monks that are freed, and on Monks of the hand.

    Each card of the hand takes one of the actions that are left.
    """
    found = spots(summed, face, freed + min(monks_of(hand), left - 1)) & upon(freed)
    return found if found and can_unlock(state, seat, summed, face) else 0


@rule
def _list_builds(
    state: State, seat: int, summed: int, hand: int, freed: int, left: int, moves: MoveList, n: int
) -> int:
    """Each card of the hand that can be built."""
    if left == 0:
        return n
    rest = hand & _BUILT
    face = 0
    while rest:
        if rest & 1:
            n = list_bits(
                moves, n, BUILD_MOVE + face * SPOTS, _build_spots(state, seat, summed, hand, freed, left, face)
            )
        face += 1
        rest >>= 1
    return n


@rule
def _can_build(state: State, seat: int, summed: int, hand: int, freed: int, left: int) -> bool:
    """Whether there is a card of the hand that can be built."""
    rest = hand & _BUILT if left else 0
    face = 0
    while rest:
        if rest & 1 and _build_spots(state, seat, summed, hand, freed, left, face):
            return True
        face += 1
        rest >>= 1
    return False


@rule(inline=True)
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
def _legal_swaps(
    state: State, seat: int, summed: int, hand: int, freed: int, left: int, moves: MoveList, n: int
) -> int:
    """The covered villagers that an Apprentice may replace."""
    if hand >> APPRENTICE & 1 == 0 or left == 0:
        return n
    for other in range(state.seats):
        link = state.players[other].village
        while link:
            if _may_swap(state, seat, summed, hand, freed, left, other, link - 1):
                face = state.cards[link - 1].face
                moves.at[n] = SWAP_MOVE + (other * FACES + face) * 2 + _which(state, other, link - 1)
                n += 1
            link = state.cards[link - 1].next
    return n


@rule(inline=True)
def _can_swap(state: State, seat: int, summed: int, hand: int, freed: int, left: int) -> bool:
    """Whether there is a covered villager that an Apprentice may replace."""
    if hand >> APPRENTICE & 1 == 0 or left == 0:
        return False
    for other in range(state.seats):
        link = state.players[other].village
        while link:
            if _may_swap(state, seat, summed, hand, freed, left, other, link - 1):
                return True
            link = state.cards[link - 1].next
    return False


@rule
def _may_swap(state: State, seat: int, summed: int, hand: int, freed: int, left: int, other: int, node: int) -> bool:
    """Whether an Apprentice may replace a card of the village of `other`: it must have a place in the own one then.

    The Apprentice takes over the role of the villager, so there are the same places as before. Monks that are freed
    already have to be below. A Monk must have a card of the hand on it, or a villager that the second Apprentice frees.
    """
    face = state.cards[node].face
    if not _can_free(state, seat, node) or target(state, other, face, _which(state, other, node)) != node:
        return False
    if face != MONK:
        return _has_place(state, seat, summed, hand, face, freed, left - 1)
    if _can_build(state, seat, summed, hand, freed + 1, left - 1):
        return True
    if hand >> _SECOND_APPRENTICE & 1 and left > 1:
        return _bears_next(state, seat, summed, hand, node, freed + 1, left - 2)
    return False


@rule
def _can_free(state: State, seat: int, node: int) -> bool:
    """Whether an Apprentice may replace a card of a village: a covered one; no Apprentice, nor Founders of others."""
    card = state.cards[node]
    if card.above == 0 or card.face == APPRENTICE:
        return False
    return card.face < FOUNDERS or card.owner == seat + 1


@rule
def _has_place(state: State, seat: int, summed: int, hand: int, face: int, freed: int, left: int) -> bool:
    """Whether a freed villager, which is no Monk, has a place on all Monks that are freed, and can be unlocked."""
    where = spots(summed, face, freed + min(monks_of(hand), left)) & upon(freed)
    return where != 0 and can_unlock(state, seat, summed, face)


@rule(inline=True)
def _bears_next(state: State, seat: int, summed: int, hand: int, without: int, freed: int, left: int) -> bool:
    """Whether the second Apprentice could free another villager than the Monk `without`, and place it on that Monk.

    If that is a Monk too, a card of the hand must go on both.
    """
    for other in range(state.seats):
        link = state.players[other].village
        while link:
            node = link - 1
            face = state.cards[node].face
            link = state.cards[node].next
            if node == without or not _can_free(state, seat, node):
                continue
            if face != MONK:
                if _has_place(state, seat, summed, hand, face, freed, left):
                    return True
            elif _can_build(state, seat, summed, hand, freed + 1, left):
                return True
    return False


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


@rule
def target(state: State, owner: int, face: int, nth: int) -> int:
    """The covered villager that a swap names."""
    link = state.players[owner].village
    while link:
        card = state.cards[link - 1]
        if card.face == face and card.above and _which(state, owner, link - 1) == nth:
            return link - 1
        link = card.next
    return -1


@rule(inline=True)
def legal_places(state: State, seat: int, moves: MoveList) -> int:
    """Where the villager goes that an Apprentice has freed.

    A freed Monk goes below a card of the hand, or below the villager that the second Apprentice frees.
    """
    summed = summary(state, seat)
    left = actions(state, seat)
    hand = held(state, seat)
    freed = freed_monks(state)
    face = state.cards[state.freed - 1].face
    if face == MONK:
        n = _list_builds(state, seat, summed, hand, freed, left, moves, 0)
        return _legal_swaps(state, seat, summed, hand, freed, left, moves, n)
    found = 1 | 1 << FOOD_SIDE
    if face < FOUNDERS:
        found = spots(summed, face, freed + min(monks_of(hand), left)) & upon(freed)
    return list_bits(moves, 0, PLACE_MOVE, found)


@rule
def can_place(state: State, seat: int) -> bool:
    """Whether there is a place for the villager that an Apprentice has freed: see `legal_places`."""
    summed = summary(state, seat)
    left = actions(state, seat)
    hand = held(state, seat)
    freed = freed_monks(state)
    face = state.cards[state.freed - 1].face
    if face == MONK:
        if _can_build(state, seat, summed, hand, freed, left):
            return True
        return _can_swap(state, seat, summed, hand, freed, left)
    return face >= FOUNDERS or spots(summed, face, freed + min(monks_of(hand), left)) & upon(freed) != 0


@rule
def freed_monks(state: State) -> int:
    """How many Monks are freed and not yet built."""
    n = 0
    link = state.freed
    while link:
        if state.cards[link - 1].face == MONK:
            n += 1
        link = state.cards[link - 1].next
    return n


# --- doing it ---------------------------------------------------------------------------------------------------


@rule(inline=True)
def play_build(state: State, seat: int, move: int) -> None:
    """Build a card of the hand, or place the villager that an Apprentice has freed; its padlock is opened (ruling 6).

    The Monks that the spot asks for are built below it, each for an action; those that were freed come first, for none.
    """
    player = state.players[seat]
    freed = state.freed
    state.freed = 0
    if move < PLACE_MOVE:
        spot = (move - BUILD_MOVE) % SPOTS
        node = from_hand(state, seat, (move - BUILD_MOVE) // SPOTS)
        player.built += 1
    else:
        spot = move - PLACE_MOVE
        node = freed - 1
        freed = state.cards[node].next
    face = state.cards[node].face
    if face >= FOUNDERS:
        face = FOUNDERS_FOOD if spot == FOOD_SIDE else FOUNDERS
        state.cards[node].face = face
        spot = 0
    monks = spot // BASES
    role = ON_ROLE[face]
    for _ in range(monks):
        role = ROLE_ON_ROLE[role]
    base = base_node(state, seat, role, spot % BASES)
    for above in range(monks - 1, -1, -1):
        if freed:
            monk = freed - 1
            freed = state.cards[monk].next
        else:
            monk = from_hand(state, seat, MONK)
            player.built += 1
        add(state, seat, monk, base)
        state.cards[monk].role = ON_ROLE[face] if above == 0 else ROLE_ON_ROLE[ON_ROLE[face]]
        base = monk
    add(state, seat, node, base)
    unlock(state, seat, face)


@rule(inline=True)
def play_swap(state: State, seat: int, move: int) -> None:
    """Let an Apprentice take the place of a covered villager, which has to be placed next."""
    nth = (move - SWAP_MOVE) % 2
    face = (move - SWAP_MOVE) // 2 % FACES
    node = target(state, (move - SWAP_MOVE) // 2 // FACES, face, nth)
    replace(state, node, from_hand(state, seat, APPRENTICE))
    state.cards[node].next = state.freed
    state.freed = node + 1
    state.players[seat].built += 1


@rule(inline=True)
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


@rule(inline=True)
def play_discarded(state: State, seat: int, move: int) -> None:
    """Discard a Tinner, to open padlocks without paying; or a Smuggler, for half of the best gold value, rounded up."""
    discard(state, from_hand(state, seat, TINNER if move == TINNER_MOVE else SMUGGLER))
    if move == TINNER_MOVE:
        state.players[seat].tinner = 1
    else:
        unlock(state, seat, SMUGGLER)
        state.players[seat].gold += (tally(state, seat, BEST_GOLD, ANY) + 1) // 2


assert ON_ROLE[MONK] == ON_ROLE[APPRENTICE] == -1
# the deck ends with the special villagers, then come the basic ones and the Founders
assert min(MONK, APPRENTICE, TINNER, SMUGGLER) == MONK == DECK_FACES - 4
assert FACES > FOUNDERS_FOOD > FOUNDERS > DECK_FACES
assert DECK_FACES < 63
