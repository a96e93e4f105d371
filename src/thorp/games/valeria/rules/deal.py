"""Dealing a game, and dealing again what a seat cannot know."""

from thorp.compiling.rule import OptionList, rule
from thorp.core.chance import below, seed_chance
from thorp.games.valeria.rules.deck import (
    ADVENTURERS,
    CARD_FACES,
    CARDS,
    FACES,
    KEY,
    MOST_FACES,
    MOST_POWERS,
    NAMES,
    PER_FACE,
)
from thorp.games.valeria.rules.piles import draw_deck, from_hand, put_on_pile, to_hand
from thorp.games.valeria.rules.powers import RESOURCES
from thorp.games.valeria.rules.rounds import TO_BUILD, can_do
from thorp.games.valeria.rules.state import BUILD, PILES, POOL, SETUP, WATCHER, State
from thorp.games.valeria.rules.villages import refill

FIRST_COINS = 3
HAND = 6
#: Solo is played with the coins of two players.
SOLO_COINS = 2
#: Coins in the game: so many for two players, more for three, and so many for each one more.
COINS_TWO, COINS_THREE, COINS_MORE = 14, 20, 5

#: Room for how many cards of a hand are dealt again: bits a seat.
_COUNT_BITS = 7
_COUNT_MASK = (1 << _COUNT_BITS) - 1


@rule
def deal(state: State, seats: int, options: OptionList, seed: int) -> None:
    """Start a game in a zeroed state; the options are the numbers of its deck."""
    seed_chance(state.chance, seed)
    state.seats = seats
    _take_deck(state, options)
    players = max(SOLO_COINS, seats)
    coins = COINS_TWO if players == SOLO_COINS else COINS_THREE + COINS_MORE * (players - SOLO_COINS - 1)
    state.bank = coins - FIRST_COINS * seats
    state.first = below(state.chance, seats)
    for seat in range(seats):
        state.players[seat].coins = FIRST_COINS
        for _ in range(HAND):
            to_hand(state, seat, draw_deck(state), 1 << seat)
    for pile in range(PILES):
        put_on_pile(state, draw_deck(state), pile)
    for slot in range(POOL):
        refill(state, slot)
    state.active = state.first
    state.turn = state.first
    state.phase = SETUP


@rule
def _take_deck(state: State, options: OptionList) -> None:
    """Copy a deck's numbers into the state: what faces say, what cards show; all cards are unseen."""
    state.key = options[KEY]
    state.names = options[NAMES]
    state.cards_in_game = options[CARDS]
    state.deck_size = options[CARDS]
    state.unseen = (1 << options[ADVENTURERS]) - 1
    for face in range(MOST_FACES):
        state.faces[face].what = options[FACES + PER_FACE * face]
        for row in range(MOST_POWERS):
            state.faces[face].powers[row] = options[FACES + PER_FACE * face + 1 + row]
    for card in range(options[CARDS]):
        state.cards[card].face = options[CARD_FACES + card] // len(RESOURCES)
        state.cards[card].lower = options[CARD_FACES + card] % len(RESOURCES)
        state.deck[card] = card


@rule
def determinize(state: State, seat: int, seed: int) -> None:
    """Deal again all that `seat` cannot know, and all chance to come: every world that fits is as likely.

    A spectator is seat -1. A seat knows its own hand, cards of others that were taken face up, and those that it took
    from another hand or lost; and of every other card, from which deck it was drawn: the first one, or one made of
    the piles. In the world dealt again such cards are known to their owners alone.
    """
    seed_chance(state.chance, seed)
    reader = 1 << (seat if seat >= 0 else WATCHER)
    while True:
        for origin in range(state.origin + 1):
            _deal_again(state, reader, origin)
        # who is about to build has a card that can be built: that much everybody knows
        if state.phase != BUILD or can_do(state, state.turn, TO_BUILD):
            break


@rule
def _deal_again(state: State, reader: int, origin: int) -> None:
    """Deal the hidden cards again that were drawn from one deck; with those left in it, if it is the one in use."""
    first = 0 if origin == state.origin else state.deck_size
    end = state.deck_size
    taken = 0
    for owner in range(state.seats):
        link = state.players[owner].hand
        while link:
            card = link - 1
            link = state.cards[card].next
            if state.cards[card].origin == origin and state.cards[card].knows & reader == 0:
                from_hand(state, owner, card)
                state.deck[end] = card
                end += 1
                taken += 1 << _COUNT_BITS * owner
    # in the order of their numbers, so that nothing depends on where they were
    for place in range(first, end):
        state.cards[state.deck[place]].knows = -1
    place = first
    for card in range(state.cards_in_game):
        if state.cards[card].knows < 0:
            state.cards[card].knows = 0
            state.deck[place] = card
            place += 1
    for owner in range(state.seats):
        for _ in range(taken >> _COUNT_BITS * owner & _COUNT_MASK):
            index = first + below(state.chance, end - first)
            card = state.deck[index]
            end -= 1
            state.deck[index] = state.deck[end]
            state.deck[end] = 0
            to_hand(state, owner, card, 1 << owner)


assert MOST_POWERS == 2
