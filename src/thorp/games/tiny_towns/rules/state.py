"""The state of a game of Tiny Towns: one record, chance included."""

from typing import Annotated, ClassVar

from thorp.compiling.record import Int8, Int16, Int32, Record

MAX_SEATS = 6

# Bounds of a set of cards: alternatives of each of the six types beside the Cottage, monuments, and in all; and how
# many points a card can give by number.
MOST_ALTERNATIVES = 4
MOST_MONUMENTS = 24
MOST_CARDS = 1 + 6 * MOST_ALTERNATIVES + MOST_MONUMENTS
MOST_NUMBERS = 8

# What a seat has to decide (Town.task).
WAIT = 0  # nothing
KEEP = 1  # which of two monuments to keep
NAME = 2  # which resource to name (Master Builder), or which card to take (solo)
PICK = 3  # which resource to take for oneself (Town Hall's free round)
PLACE = 4  # where the cube goes
BUILD = 5  # what to build, or that one is done
MARK = 6  # which cube goes on the Factory or Bank just constructed
MOVE_SHED = 7  # where a building goes that may go anywhere and replaces another: a Shed
STOCK = 8  # which types go on Opaleye's Watch
GRANT = 9  # which building Grove University puts down, and where
REPLACE = 10  # what Architect's Guild replaces
REVEAL = 11  # where a building from Opaleye's Watch goes

# How resources are named (State.naming).
MASTER_BUILDER = 0
TOWN_HALL = 1
SOLO = 2


class Town(Record):
    """What one seat has before it. Masks have bit `square` set, square = 4 * row + column."""

    task: Int8
    #: The two monuments dealt (card numbers), until one is kept; 0 elsewhere.
    dealt: Annotated[list[int], "i1", 2]
    #: The monument kept (card number) and the one given back; 0 without monuments.
    monument: Int8
    returned: Int8
    #: For every resource, the squares with a cube of it.
    cubes: Annotated[list[int], "i4", 5]
    #: For every type, the squares with a building of it; the last is the monument.
    built: Annotated[list[int], "i4", 8]
    #: For every square, the cubes that lie on its building: how many of each resource, two bits a resource.
    held: Annotated[list[int], "i2", 16]
    #: The resource taken and not yet placed, plus 1; 0 is none.
    hand: Int8
    #: Cubes set aside under the Cavern rule.
    aside: Int8
    #: What the task is about: a square (MARK), or a type (MOVE_SHED).
    at: Int8
    #: Times this seat named a resource as Master Builder.
    turns: Int16
    #: The round in which the town was completed; 0 while it is not.
    completed: Int16
    #: Buildings in the town when the Shrine of the Elder Tree was built.
    shrine: Int8
    #: Replacements that Architect's Guild still has.
    replacements: Int8
    #: Types that lie on Opaleye's Watch, how many are still to be put there, and the round of its construction.
    watch: Int16
    watch_room: Int8
    watch_since: Int16
    #: Types constructed in this round.
    constructed: Int16


class Row(Record):
    """What a card says, as numbers: `cards.py` tells what they mean and packs them."""

    pattern: Int32
    turns: Int32
    #: Its cubes of each resource.
    needs: Int32
    #: What its points depend on: at which types it looks (a mask), what it counts, and where.
    types: Int16
    count: Int8
    where: Int8
    #: Points: `base`, and `each` for what is counted, and the one of `points` at that number, the last for ever.
    base: Int8
    each: Int8
    points: Annotated[list[int], "i1", 8]
    feeds: Int8
    portion: Int8
    deed: Int8
    cottages: Int8
    solo: Int8
    #: For players that look one move ahead.
    promise: Int16
    kept: Int16


class State(Record):
    """A whole game."""

    #: From here on the cards that the table plays with: the options say them, so they are no part of a digest.
    undigested: ClassVar[str] = "key"

    chance: Annotated[list[int], "u8", 1]
    #: How many things have happened that cannot be taken back: chance drawn, secrets shown, phases ended.
    barrier: Int32
    seats: Int8
    naming: Int8
    cavern: Int8
    monuments: Int8
    #: For every type, its card in this game.
    cards: Annotated[list[int], "i1", 7]
    #: Rounds begun; 0 while monuments are chosen.
    round: Int16
    #: 1 once every town is complete.
    ended: Int8
    #: The seat with the hammer; -1 without a Master Builder.
    builder: Int8
    #: The resource of this round plus 1; 0: none yet, or each seat picks its own.
    named: Int8
    #: 1 while Opaleye's Watch is being resolved at the end of a round.
    revealing: Int8
    #: Resource cards that nobody has seen, by resource.
    unseen: Annotated[list[int], "i1", 5]
    #: Cards turned since the last shuffle (Town Hall).
    turned: Int8
    #: Solo: the cards that lie open, by resource.
    row: Annotated[list[int], "i1", 5]
    #: Solo: the cards under the pile, resource plus 1, the next one first; 0 is no card.
    under: Annotated[list[int], "i1", 15]
    towns: Annotated[list[Town], 6]
    #: Which set of cards it is; the number of its first monument, and which monuments may be dealt, as a mask.
    key: Int32
    first_monument: Int8
    pool: Int32
    #: What the cards say: one of each of the seven types, then all monuments.
    rows: Annotated[list[Row], 31]


assert len(State().rows) == 7 + MOST_MONUMENTS
assert len(Row().points) == MOST_NUMBERS
