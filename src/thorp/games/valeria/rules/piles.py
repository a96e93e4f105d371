"""The deck, the piles and the hands: how cards move between them, and who knows them then."""

from thorp.compiling.rule import rule
from thorp.core.chance import below
from thorp.games.valeria.rules.state import DECK, EVERYBODY, PILES, State


@rule
def to_hand(state: State, seat: int, card: int, knows: int) -> None:
    """Put a card into a hand, where its number belongs; who knows it, as bits."""
    player = state.players[seat]
    state.cards[card].knows = knows
    player.hand_size += 1
    if player.hand == 0 or player.hand > card:
        state.cards[card].next = player.hand
        player.hand = card + 1
        return
    before = player.hand - 1
    while state.cards[before].next and state.cards[before].next <= card:
        before = state.cards[before].next - 1
    state.cards[card].next = state.cards[before].next
    state.cards[before].next = card + 1


@rule
def from_hand(state: State, seat: int, card: int) -> None:
    """Take a card out of a hand."""
    player = state.players[seat]
    player.hand_size -= 1
    before = -1
    link = player.hand
    while link != card + 1:
        before = link - 1
        link = state.cards[before].next
    if before < 0:
        player.hand = state.cards[card].next
    else:
        state.cards[before].next = state.cards[card].next
    state.cards[card].next = 0


@rule
def alike(state: State, link: int, card: int) -> bool:
    """Whether a link leads to a card that is as good as this one: alike in both halves."""
    if link == 0:
        return False
    other = state.cards[link - 1]
    return other.face == state.cards[card].face and other.lower == state.cards[card].lower


@rule
def show_from_hand(state: State, seat: int, card: int) -> None:
    """Take a card out of a hand before all eyes.

    It is the first of those that are alike, and nobody can tell which of them it was: who did not know it is no longer
    sure of one that it knew.
    """
    own = state.cards[card]
    unsure = EVERYBODY ^ own.knows
    link = own.next
    while alike(state, link, card):
        other = state.cards[link - 1]
        lost = other.knows & unsure
        if lost:
            other.knows ^= lost
            other.origin = own.origin
            unsure ^= lost
        link = other.next
    from_hand(state, seat, card)


@rule
def put_on_pile(state: State, card: int, pile: int) -> None:
    """Lay a card face up on a pile."""
    state.cards[card].next = state.piles[pile]
    state.piles[pile] = card + 1
    state.heights[pile] += 1


@rule
def draw_deck(state: State) -> int:
    """Take the top card of the deck, which is made anew where it is empty (ruling 1); -1 where there is none."""
    if state.deck_size == 0:
        _shuffle_piles(state)
        if state.deck_size == 0:
            return -1
    state.barrier += 1
    state.deck_size -= 1
    index = below(state.chance, state.deck_size + 1)
    card = state.deck[index]
    state.deck[index] = state.deck[state.deck_size]
    state.deck[state.deck_size] = 0
    return card


@rule(inline=True)
def _shuffle_piles(state: State) -> None:
    """Make a deck of all cards of the piles but the top ones: all know which cards those are, nobody their order."""
    state.origin += 1
    for pile in range(PILES):
        if state.heights[pile] > 1:
            top = state.cards[state.piles[pile] - 1]
            link = top.next
            top.next = 0
            state.heights[pile] = 1
            while link:
                card = state.cards[link - 1]
                state.deck[state.deck_size] = link - 1
                state.deck_size += 1
                card.origin = state.origin
                link = card.next
                card.next = 0


@rule(inline=True)
def has_deck(state: State) -> bool:
    """Whether a card can be drawn from the deck, or from what would be shuffled."""
    if state.deck_size:
        return True
    for pile in range(PILES):
        if state.heights[pile] > 1:
            return True
    return False


@rule
def has_cards(state: State) -> bool:
    """Whether a card can be drawn at all."""
    if state.deck_size:
        return True
    for pile in range(PILES):
        if state.piles[pile]:
            return True
    return False


@rule(inline=True)
def draw(state: State, seat: int, pile: int) -> None:
    """Take the top card of a pile, or of the deck, into a hand; an emptied pile gets the top card of the deck."""
    if pile == DECK:
        to_hand(state, seat, draw_deck(state), 1 << seat)
        return
    card = state.piles[pile] - 1
    state.piles[pile] = state.cards[card].next
    state.heights[pile] -= 1
    to_hand(state, seat, card, EVERYBODY)
    if state.piles[pile] == 0:
        card = draw_deck(state)
        if card >= 0:
            put_on_pile(state, card, pile)
