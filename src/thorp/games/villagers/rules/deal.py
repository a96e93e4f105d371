"""Dealing a game, and dealing again what a seat cannot know."""

from thorp.compiling.rule import OptionList, rule
from thorp.core.chance import below, seed_chance
from thorp.games.villagers.rules.building import can_place
from thorp.games.villagers.rules.cards import (
    BASIC_PILE,
    COPIES,
    COUNTESS,
    COUNTESS_BEGINNER,
    DECK_EVENTS,
    DECK_FACES,
    FOUNDERS,
    HAYER,
    SUIT,
    VILLAGERS,
)
from thorp.games.villagers.rules.piles import draw_bag, show, to_hand
from thorp.games.villagers.rules.rounds import start_round
from thorp.games.villagers.rules.state import (
    COUNTESS_NODE,
    COUNTESS_SEAT,
    EVERYBODY,
    FIRST_BASIC,
    FIRST_FOUNDERS,
    RESERVE,
    ROAD,
    STACKS,
    WATCHER,
    State,
)
from thorp.games.villagers.rules.village import add

# Where options stand in the list: the six cards of the Road, then these.
OPTION_EXCHANGE = ROAD
OPTION_COUNTESS = ROAD + 1

#: The limit of the table option.
EXCHANGE_LIMIT = 3

FIRST_GOLD = 8
HAND = 5
#: Cards in a stack: two a seat; solo, five.
PER_SEAT = 2
SOLO_STACK = 5
#: What the Countess begins with.
COUNTESS_GOLD = 1
#: Wool and leather take part from so many seats on.
FOUR = 4

# Steps of dealing again.
GATHER, BY_SUIT, REST = range(3)

#: Faces that are left out, as bits: with few seats, and in solo play.
FOUR_PLUS = sum(1 << villager.number for villager in VILLAGERS if villager.four_plus)
SPECIAL = sum(1 << villager.number for villager in VILLAGERS if villager.suit == "special")


@rule
def deal(state: State, seats: int, options: OptionList, seed: int) -> None:
    """Start a game in a zeroed state."""
    seed_chance(state.chance, seed)
    state.seats = seats
    state.exchange_limit = EXCHANGE_LIMIT if options[OPTION_EXCHANGE] else 0
    out = 0
    if seats < FOUR:
        out |= FOUR_PLUS
    if seats == 1:
        out |= SPECIAL
    cards = 0
    for face in range(DECK_FACES):
        if not out >> face & 1:
            state.bag[face] = COPIES
            cards += COPIES
    _lay_road(state, options, out)
    cards -= ROAD
    for node in range(ROAD, ROAD + cards):
        state.cards[node].face = draw_bag(state, cards - (node - ROAD), -1)
    per_stack = SOLO_STACK if seats == 1 else PER_SEAT * seats
    node = ROAD
    for seat in range(seats):
        for _ in range(HAND):
            to_hand(state, seat, node)
            node += 1
    for stack in range(STACKS):
        node = _lay_pile(state, stack, node, per_stack)
    _lay_pile(state, RESERVE, node, ROAD + cards - node)
    for basic in range(3):
        state.basics[basic] = BASIC_PILE
        for index in range(BASIC_PILE):
            state.cards[FIRST_BASIC + BASIC_PILE * basic + index].face = HAYER + basic
    for seat in range(seats):
        state.players[seat].gold = FIRST_GOLD
        state.cards[FIRST_FOUNDERS + seat].face = FOUNDERS
        add(state, seat, FIRST_FOUNDERS + seat, -1)
    if seats == 1:
        state.players[COUNTESS_SEAT].gold = COUNTESS_GOLD
        state.cards[COUNTESS_NODE].face = COUNTESS_BEGINNER if options[OPTION_COUNTESS] else COUNTESS
        add(state, COUNTESS_SEAT, COUNTESS_NODE, -1)
        state.unseen_events = (1 << 2 * DECK_EVENTS) - 1
    state.first = below(state.chance, seats)
    start_round(state)


@rule
def _lay_road(state: State, options: OptionList, out: int) -> None:
    """Lay the Starting Road: cards chosen for it, and random ones; six different cards (ruling 1)."""
    for slot in range(ROAD):
        if options[slot]:
            out |= 1 << (options[slot] - 1)
    for slot in range(ROAD):
        face = options[slot] - 1
        if face < 0:
            face = below(state.chance, DECK_FACES)
            while out >> face & 1:
                face = below(state.chance, DECK_FACES)
            out |= 1 << face
        state.bag[face] -= 1
        state.cards[slot].face = face
        show(state, slot)
        state.road[slot] = slot + 1


@rule
def _lay_pile(state: State, pile: int, node: int, height: int) -> int:
    """Make a pile of the next so many cards; the first card after them."""
    for index in range(height - 1):
        state.cards[node + index].next = node + index + 2
    state.piles[pile] = node + 1
    state.heights[pile] = height
    state.cards[node].seen = 1
    return node + height


@rule
def determinize(state: State, seat: int, seed: int) -> None:
    """Deal again all that `seat` cannot know, and all chance to come: every world that fits is as likely.

    A spectator is seat -1. What a seat knows: its own hand, cards that it gave up, wherever they are now, and cards
    that were drafted face up and of which `put_on_pile` has not made it unsure; and the suit of every card whose back
    has been seen. A Reserve made of discards holds known cards in unknown order.
    """
    seed_chance(state.chance, seed)
    _deal_all_again(state, 1 << (seat if seat >= 0 else WATCHER))


@rule
def redeal(state: State, seed: int) -> None:
    """Deal again all that no seat knows, and all chance to come; what anybody knows stays where it is."""
    seed_chance(state.chance, seed)
    _deal_all_again(state, EVERYBODY)


@rule
def _deal_all_again(state: State, reader: int) -> None:
    """Deal again every card that none of these readers (bits) knows."""
    while True:
        for shuffled in range(2):
            # all that is hidden, then cards whose suit is known, then the rest
            for step in (GATHER, BY_SUIT, REST):
                for owner in range(state.seats):
                    _deal_again(state, state.players[owner].hand, reader, shuffled, True, step)
                for pile in range(STACKS + 1):
                    _deal_again(state, state.piles[pile], reader, shuffled, False, step)
        # who has freed a villager has a place for it: that much everybody knows
        if state.freed == 0 or can_place(state, state.turn):
            break


@rule
def _deal_again(state: State, link: int, reader: int, shuffled: int, backs: bool, step: int) -> None:
    """Do a step of dealing again with the hidden cards of a list; `backs`: all their backs are seen."""
    while link:
        card = state.cards[link - 1]
        link = card.next
        if card.knows & reader or card.shuffled != shuffled:
            continue
        seen = backs or card.seen == 1
        if step == GATHER:
            state.bag[card.face] += 1
        elif seen == (step == BY_SUIT):
            suit = SUIT[card.face] if seen else -1
            n = 0
            for face in range(DECK_FACES):
                if suit < 0 or SUIT[face] == suit:
                    n += state.bag[face]
            card.face = draw_bag(state, n, suit)
