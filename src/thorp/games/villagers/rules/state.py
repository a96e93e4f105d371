"""The state of a game of Villagers: one record, chance included.

Every card is a node with a number of its own: nodes 0 to 99 are cards of the deck, 100 to 129 the basic villagers, 130
to 134 the Founders, 135 the Countess. A node is in one list at most (a hand, a stack, a village, the discards), by its
`next`, or on the Road. Links hold a node plus 1; 0 is none.
"""

from typing import Annotated

from thorp.compiling.record import Int8, Int16, Int32, Record

MAX_SEATS = 5
ROAD = 6
STACKS = 6
#: The Reserve is the pile after the six stacks.
RESERVE = 6
DECK = 100
FIRST_BASIC = 100
FIRST_FOUNDERS = 130
COUNTESS_NODE = 135
NODES = 136
#: Solo: the village of the Countess is that of the seat after the player's.
COUNTESS_SEAT = 1
#: Events that lie open at once.
OPEN_EVENTS = 2

# Phases (State.phase).
DRAFT = 0  # take a card
GIVE = 1  # solo: which Road card goes to the Countess
GUARD = 2  # whether and where to lay a coin on the Road
BUILD = 3
RATS = 4  # solo, before the draft: one card less, or pay
ARSON = 5  # solo, before building: one action less, or pay
EVENT = 6  # solo: what an event does
OVER = 7

#: Who knows which card a node is: a bit for every seat, and one for all who watch.
WATCHER = 5
EVERYBODY = 0b111111


class Card(Record):
    """A card: what it is, where it lies, who knows it."""

    face: Int8
    #: The next node of the list that it is in.
    next: Int16
    #: 1 + the seat whose village it is in; 0 elsewhere.
    owner: Int8
    #: The node that it stands on, how many stand on it, and the role that it has for them (-1: none).
    below: Int16
    above: Int8
    role: Int8
    #: Gold that lies on it.
    coins: Int16
    #: Who knows its face, as bits.
    knows: Int8
    #: 1 where its back has been seen since it was put in its pile: everybody knows its suit.
    seen: Int8
    #: 1 in a Reserve made of discards: everybody knows which cards those are, though not their order.
    shuffled: Int8


class Player(Record):
    """What a seat has; in solo play the Countess is one too."""

    gold: Int16
    hand: Int16
    hand_size: Int16
    village: Int16
    village_size: Int16
    #: Limits of this round, and how much of them is used.
    draft_limit: Int8
    drafted: Int8
    build_limit: Int8
    built: Int8
    #: Cards given up in this build turn, and whether a Tinner was played in it.
    exchanged: Int16
    tinner: Int8
    #: What the First Market paid.
    first_income: Int16


class State(Record):
    """A whole game."""

    chance: Annotated[list[int], "u8", 1]
    #: How many things have happened that cannot be taken back: cards shown, turns and phases ended.
    barrier: Int32
    seats: Int8
    #: The most cards that may be given up in a turn; 0: any number.
    exchange_limit: Int8
    round: Int16
    phase: Int8
    #: The first seat of the round, the seat that has to decide, and how many have ended their turn in this phase.
    first: Int8
    turn: Int8
    ended: Int8
    #: 1 once the First Market has been held.
    first_market: Int8
    #: The unlocker (plus 1) of a padlock whose payment has to be chosen; 0 elsewhere.
    locked: Int8
    #: The villagers that Apprentices have freed and that are to be placed, the last one first: a link. Those behind it
    #: are Monks, to be built below it.
    freed: Int16
    #: Nodes on the Road, and the gold on them.
    road: Annotated[list[int], "i2", 6]
    road_coins: Annotated[list[int], "i1", 6]
    #: The top nodes of the six stacks and the Reserve, and how many cards there are.
    piles: Annotated[list[int], "i2", 7]
    heights: Annotated[list[int], "i2", 7]
    discards: Int16
    #: Basic villagers left, by pile.
    basics: Annotated[list[int], "i1", 3]
    #: Solo: open events (plus 1), the place of the one that happens, those left in the decks as bits, and 1 once the
    #: Jester is used.
    events: Annotated[list[int], "i1", 2]
    event: Int8
    unseen_events: Int32
    jester_used: Int8
    #: Faces being dealt, by number of cards; empty between moves.
    bag: Annotated[list[int], "i1", 50]
    players: Annotated[list[Player], 5]
    cards: Annotated[list[Card], 136]
