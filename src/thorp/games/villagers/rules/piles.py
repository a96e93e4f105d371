"""Hands, stacks, the Reserve and the discards: how cards move between them, and who knows them then."""

from thorp.compiling.rule import rule
from thorp.core.chance import below
from thorp.games.villagers.rules.cards import BASIC_PILE, DECK_FACES, FOUNDERS, HAYER, SUIT
from thorp.games.villagers.rules.state import EVERYBODY, FIRST_BASIC, RESERVE, STACKS, State


@rule
def to_hand(state: State, seat: int, node: int) -> None:
    """Put a card into a hand: its owner knows it."""
    card = state.cards[node]
    player = state.players[seat]
    card.knows |= 1 << seat
    card.next = player.hand
    player.hand = node + 1
    player.hand_size += 1


@rule
def from_hand(state: State, seat: int, face: int) -> int:
    """Take a card of that face out of a hand; its node.

    Of two copies, others cannot tell which one it was: only who knew both is still sure of the one that stays.
    """
    player = state.players[seat]
    before = -1
    found = -1
    behind = -1
    link = player.hand
    while link:
        node = link - 1
        card = state.cards[node]
        if card.face == face:
            if found < 0:
                found = node
                before = behind
            else:
                card.knows &= state.cards[found].knows
                state.cards[found].knows = card.knows
        behind = node
        link = card.next
    if before < 0:
        player.hand = state.cards[found].next
    else:
        state.cards[before].next = state.cards[found].next
    state.cards[found].next = 0
    player.hand_size -= 1
    return found


@rule
def draw(state: State, pile: int) -> int:
    """Take the top card of a pile that is not empty; the back of the next one is seen then."""
    node = state.piles[pile] - 1
    card = state.cards[node]
    state.piles[pile] = card.next
    state.heights[pile] -= 1
    card.next = 0
    if state.piles[pile]:
        state.cards[state.piles[pile] - 1].seen = 1
    return node


@rule
def draw_reserve(state: State) -> int:
    """Take the top card of the Reserve, shuffling the discards first where it is empty; -1 where there is none."""
    if state.piles[RESERVE] == 0:
        if state.discards == 0:
            return -1
        shuffle_discards(state)
    return draw(state, RESERVE)


@rule
def shuffle_discards(state: State) -> None:
    """Make the discards a new Reserve (ruling 2), to be drawn from: everybody knows its cards, nobody their order."""
    n = 0
    link = state.discards
    while link:
        card = state.cards[link - 1]
        state.bag[card.face] += 1
        n += 1
        link = card.next
    state.piles[RESERVE] = state.discards
    state.heights[RESERVE] = n
    state.discards = 0
    link = state.piles[RESERVE]
    while link:
        card = state.cards[link - 1]
        card.face = draw_bag(state, n, -1)
        card.knows = 0
        card.seen = 0
        card.shuffled = 1
        n -= 1
        link = card.next


@rule
def draw_bag(state: State, n: int, suit: int) -> int:
    """A random face of the bag, which holds n cards of that suit (of any, for -1)."""
    index = below(state.chance, n)
    for face in range(DECK_FACES):
        if suit < 0 or SUIT[face] == suit:
            index -= state.bag[face]
            if index < 0:
                state.bag[face] -= 1
                return face
    return -1


@rule
def show(state: State, node: int) -> None:
    """Show a card to everybody."""
    state.cards[node].knows = EVERYBODY
    state.cards[node].shuffled = 0


@rule
def discard(state: State, node: int) -> None:
    """Put a card on the discards, face up."""
    show(state, node)
    card = state.cards[node]
    card.next = state.discards
    card.coins = 0
    state.discards = node + 1


@rule(inline=True)
def put_on_pile(state: State, seat: int, node: int, pile: int) -> None:
    """Put a card of the hand on a pile, face down; it is out of the hand already.

    Others saw only its suit: unless all cards of that suit in the hand were the same and they knew that, they are
    sure of none of them any more.
    """
    given = state.cards[node]
    suit = SUIT[given.face]
    certain = given.knows
    link = state.players[seat].hand
    while link:
        card = state.cards[link - 1]
        if SUIT[card.face] == suit:
            certain = certain & card.knows if card.face == given.face else 0
        link = card.next
    keep = certain | 1 << seat
    given.knows &= keep
    link = state.players[seat].hand
    while link:
        card = state.cards[link - 1]
        if SUIT[card.face] == suit:
            card.knows &= keep
        link = card.next
    given.next = state.piles[pile]
    given.seen = 1
    state.piles[pile] = node + 1
    state.heights[pile] += 1


@rule
def first_stack(state: State) -> int:
    """The leftmost stack that has cards; STACKS where all are empty."""
    for stack in range(STACKS):
        if state.piles[stack]:
            return stack
    return STACKS


@rule(inline=True)
def new_basic(state: State, basic: int) -> int:
    """Take a basic villager of its pile, which is not empty; its node."""
    state.basics[basic] -= 1
    return FIRST_BASIC + BASIC_PILE * basic + state.basics[basic]


assert FOUNDERS == HAYER + 3
