"""The state of a game of Villages of Valeria: one record, its deck and chance included.

A card is a building card of the deck, by its number: cards that are alike in both halves stand side by side. A face is
what a card shows as a building, by its number in the deck; adventurers are faces from FIRST_ADVENTURER on. Cards of a
hand, in order of their numbers, and of a pile, from the top, are lists by their `next`. Links hold a card plus 1; 0 is
none. The deck is a set of cards: a card is drawn when it is drawn.
"""

from typing import Annotated

from thorp.compiling.record import Int8, Int16, Int32, Record

MAX_SEATS = 5
PILES = 5
#: Where a card is drawn from that comes from no pile.
DECK = 5
#: Adventurers that lie open at once.
POOL = 5
#: The most buildings and adventurers that a village can hold at the end.
VILLAGE = 12
FIRST_ADVENTURER = 48

# Phases (State.phase).
SETUP = 0  # develop the first resource, free
LEAD = 1  # choose an action
FOLLOW = 2  # follow it or not
DRAW = 3
DISCARD = 4  # what an action or a power costs in cards
DEVELOP = 5
BUILD = 6  # which card
PAY = 7  # for the card that is being built
RECRUIT = 8
POWERS = 9  # use a power, or be done
TAKE = 10  # from whose hand a card is taken
LIMIT = 11  # discard down to the hand limit
OVER = 12

#: Who knows that a card is in a hand: a bit for every seat, and one for all who watch.
WATCHER = 5
EVERYBODY = 0b111111


class Card(Record):
    """A building card."""

    #: Its face, and the resource on its lower half.
    face: Int8
    lower: Int8
    #: The next card of the hand or pile that it is in.
    next: Int8
    #: In a hand: who knows it, as bits.
    knows: Int8
    #: Which deck it was drawn from last: the first, or the one made by the nth shuffling of piles.
    origin: Int16


class Face(Record):
    """What a card is as a building, or an adventurer: packed as `deck.py` and `powers.py` tell."""

    what: Int32
    powers: Annotated[list[int], "i2", 2]


class Player(Record):
    """What a seat has."""

    coins: Int8
    #: 1 where a coin lies on the castle.
    castle: Int8
    #: Developed resources by kind, and how many of them bear a coin.
    resources: Annotated[list[int], "i1", 4]
    paid: Annotated[list[int], "i1", 4]
    hand: Int8
    hand_size: Int8
    #: Faces of buildings and adventurers in the order in which they came, and how many.
    village: Annotated[list[int], "i1", 12]
    size: Int8
    #: What follows from the village: buildings by type, adventurers, coins that Recruit is cheaper by, and at which
    #: times powers of it act, as bits.
    types: Annotated[list[int], "i1", 4]
    adventurers: Int8
    cheaper: Int8
    whens: Int16


class State(Record):
    """A whole game."""

    chance: Annotated[list[int], "u8", 1]
    #: How many things have happened that cannot be taken back: cards drawn unseen, hands passed on.
    barrier: Int32
    #: The deck: what views find it by, and how many names of buildings and building cards it has.
    key: Int32
    names: Int8
    cards_in_game: Int8
    seats: Int8
    #: Turns begun, each with an action that is led.
    round: Int16
    phase: Int8
    #: The seat whose turn it is, the seat that has to decide, and the seat that began.
    active: Int8
    turn: Int8
    first: Int8
    #: What is led, and what is left of it for the seat on turn: cards to discard, draw and take, a resource to develop.
    action: Int8
    discards: Int8
    draws: Int8
    takes: Int8
    develops: Int8
    #: The card (plus 1) that is being built, what is still owed for it, as lanes of four bits, and 1 where the rest is
    #: paid in the cheapest way.
    building: Int8
    owed: Int32
    automatic: Int8
    #: The power that is being paid for in cards; 0 elsewhere.
    power: Int16
    #: Powers that the seat has used in this action, as bits (2 * place in the village + row); 1 once it is done with
    #: them; and the place (plus 1) of the card that came into its village in this action.
    used: Int32
    done: Int8
    fresh: Int8
    bank: Int8
    #: Turns, this one included, in which nobody has developed, built or recruited.
    idle: Int16
    #: Solo: cards turned, the pile (plus 1) that got the last one, and the adventurer who left for it (0: none).
    turned: Int8
    turned_onto: Int8
    left: Int8
    #: Unseen cards, and how many of them; which deck this is (`Card.origin`).
    deck: Annotated[list[int], "i1", 96]
    deck_size: Int8
    origin: Int16
    piles: Annotated[list[int], "i1", 5]
    heights: Annotated[list[int], "i1", 5]
    #: Open adventurers by face (0: none), and the unseen ones as bits.
    pool: Annotated[list[int], "i1", 5]
    unseen: Int32
    players: Annotated[list[Player], 5]
    cards: Annotated[list[Card], 96]
    faces: Annotated[list[Face], 68]
