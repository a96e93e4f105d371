"""The cards of Tiny Towns: what a card says, and the numbers that the rules get of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from thorp.core.words import Noun
from thorp.games.tiny_towns.rules.shapes import SHAPES, TOWN, TURNS, Cell, Cells, placements, shape_of, turned
from thorp.games.tiny_towns.rules.state import MOST_CARDS, MOST_MONUMENTS, MOST_NUMBERS, Row

#: The five resources, in the order of their numbers, and their letters in patterns.
RESOURCES: Noun[tuple[str, ...]] = ("wood", "wheat", "brick", "glass", "stone")
LETTERS = "WTBGS"


@dataclass(frozen=True)
class Type:
    """A type of building: a colour, and the symbol on the back of its cards."""

    id: str
    name: Noun[str]
    colour: str


TYPES = (
    Type("cottage", "Cottage", "blue"),
    Type("farm", "Farm", "red"),
    Type("well", "Well", "gray"),
    Type("chapel", "Chapel", "orange"),
    Type("tavern", "Tavern", "green"),
    Type("theater", "Theater", "yellow"),
    Type("factory", "Factory", "black"),
    Type("monument", "Monument", "purple"),
)
#: Types of buildings in the supply; the monument is the one after them.
SUPPLY_TYPES = 7
MONUMENT = 7
COTTAGE_TYPE, FARM_TYPE, WELL_TYPE, CHAPEL_TYPE, TAVERN_TYPE, THEATER_TYPE, FACTORY_TYPE = range(SUPPLY_TYPES)

# What the points of a building depend on (docs/town-cards.md), and as it is written in a file.
COUNTS = (
    "nothing",
    "all",
    "fed",
    "cottages",
    "fed cottages",
    "unfed cottages",
    "buildings",
    "types",
    "missing types",
    "largest group",
    "cubes",
    "place",
    "when built",
    "more than right",
)
(
    NOTHING,
    ALL,
    FED,
    COTTAGES,
    FED_COTTAGES,
    UNFED_COTTAGES,
    BUILDINGS,
    BUILT_TYPES,
    MISSING_TYPES,
    LARGEST_GROUP,
    CUBES,
    PLACE_COMPLETED,
    WHEN_BUILT,
    MORE_THAN_RIGHT,
) = range(len(COUNTS))
#: Those that look at squares, and those among them that look at types.
LOOKING = (COTTAGES, FED_COTTAGES, UNFED_COTTAGES, BUILDINGS, BUILT_TYPES, MISSING_TYPES)
OF_TYPES = (BUILDINGS, BUILT_TYPES, MISSING_TYPES)

# How a Farm feeds: so many Cottages anywhere, so many groups of them, or those on some squares.
FEEDS = ("", "cottages", "groups", "where")
FEEDS_NOTHING, FEEDS_COTTAGES, FEEDS_GROUPS, FEEDS_WHERE = range(len(FEEDS))

# What a card does besides, each by rules of its own, and for which types that can be.
DEEDS = (
    "",
    "anywhere",
    "substitutes",
    "bars",
    "stands in",
    "stores",
    "rebuilds",
    "grants",
    "watches",
    "never names",
    "forgives",
    "shelters",
)
(
    NO_DEED,
    ANYWHERE,
    SUBSTITUTES,
    BARS,
    STANDS_IN,
    STORES,
    REBUILDS,
    GRANTS,
    WATCHES,
    NEVER_NAMES,
    FORGIVES,
    SHELTERS,
) = range(len(DEEDS))
FACTORY_DEEDS = (SUBSTITUTES, BARS, STANDS_IN, STORES)
MONUMENT_DEEDS = (ANYWHERE, REBUILDS, GRANTS, WATCHES, NEVER_NAMES, FORGIVES, SHELTERS)
#: These need others at the table: solo play leaves their cards out.
_NEED_OTHERS = (BARS, WATCHES, NEVER_NAMES)

# A pattern as one number: its shape, and the resource of each cell in the shape's order.
SHAPE_BITS = 6
RESOURCE_BITS = 3
SHAPE_MASK = (1 << SHAPE_BITS) - 1
RESOURCE_MASK = (1 << RESOURCE_BITS) - 1
# The turns of a pattern that lie differently as one number: one after the other, and how many above them.
TURN_BITS = 3
TURN_MASK = (1 << TURN_BITS) - 1
TURNS_SHIFT = TURN_BITS * TURNS
#: Its cubes of each resource as one number, so many bits a resource; the highest of them is a guard, left free.
COUNT_BITS = 6
COUNT_GUARD = 1 << (COUNT_BITS - 1)
COUNT_GUARDS = sum(COUNT_GUARD << resource * COUNT_BITS for resource in range(len(RESOURCES)))

#: What a player that looks one move ahead thinks of a card of which nothing is known (see `evaluation.py`).
USUAL_PROMISE, USUAL_KEPT = 0, 500


@dataclass(frozen=True)
class Card:
    """A building or monument card."""

    number: int
    id: str
    name: str
    type: int
    pattern: tuple[str, ...]
    #: What its points depend on, where it looks, and at which types (a mask).
    count: int = NOTHING
    where: int = TOWN
    types: int = 0
    #: Points: `base`, and `each` for what is counted, and the one of `points` at that number, the last for ever.
    base: int = 0
    each: int = 0
    points: tuple[int, ...] = ()
    #: How it feeds, and how many Cottages or groups, or on which squares.
    feeds: int = FEEDS_NOTHING
    portion: int = 0
    deed: int = NO_DEED
    #: As how many Cottages a monument counts.
    cottages: int = 0
    #: Whether it takes part in solo play.
    solo: bool = True
    #: For players that look one move ahead, in hundredths of a point: what it may still grow to, and what a monument
    #: is worth when it is chosen.
    promise: int = USUAL_PROMISE
    kept: int = USUAL_KEPT
    #: What it does, in a sentence, and the details; cards of one's own are described by `describing.py`.
    effect: str = ""
    rulings: tuple[str, ...] = ()
    #: Whether it is one of the printed cards: these have a drawing of their own.
    printed: bool = False

    @property
    def is_monument(self) -> bool:
        """Whether it is a monument."""
        return self.type == MONUMENT

    @property
    def in_solo(self) -> bool:
        """Whether it takes part in solo play."""
        return self.solo and self.deed not in _NEED_OTHERS

    @property
    def drawing(self) -> str:
        """The id of its symbol: a printed card has its own, any other that of its type."""
        return f"c-{self.id}" if self.printed else f"t-{TYPES[self.type].id}"

    @property
    def cells(self) -> tuple[tuple[int, int, int], ...]:
        """The pattern as (row, column, resource)."""
        return tuple(
            (row, column, LETTERS.index(letter))
            for row, line in enumerate(self.pattern)
            for column, letter in enumerate(line)
            if letter != "."
        )

    @cached_property
    def shape(self) -> int:
        """The shape of the pattern."""
        return shape_of(tuple((row, column) for row, column, _ in self.cells))[0]

    @cached_property
    def resources(self) -> tuple[int, ...]:
        """The resource of each cell, in the order of the shape's cells."""
        at = {(row, column): resource for row, column, resource in self.cells}
        return tuple(at[cell] for cell in self._cells)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The turns of the shape that lie differently, in the order in which the drawn pattern is turned."""
        of_shape = {_lying(way, self.resources): turn for turn, way in enumerate(turned(SHAPES[self.shape]))}
        drawn = tuple((row, column) for row, column, _ in self.cells)
        resources = tuple(resource for _, _, resource in self.cells)
        return tuple(dict.fromkeys(of_shape[_lying(way, resources)] for way in turned(drawn)))

    @property
    def placements(self) -> int:
        """In how many ways its cubes can lie in a town."""
        return sum(len(placements(self.shape, turn)) for turn in self.turns)

    @property
    def _cells(self) -> tuple[Cell, ...]:
        return shape_of(tuple((row, column) for row, column, _ in self.cells))[1]

    @cached_property
    def row(self) -> Row:
        """What it says, as the numbers of a state."""
        row = Row()
        row.pattern = self.shape
        for cell, resource in enumerate(self.resources):
            row.pattern |= resource << SHAPE_BITS + RESOURCE_BITS * cell
        row.turns = len(self.turns) << TURNS_SHIFT
        for way, turn in enumerate(self.turns):
            row.turns |= turn << TURN_BITS * way
        row.needs = sum(1 << resource * COUNT_BITS for resource in self.resources)
        row.count, row.where, row.types, row.base, row.each = self.count, self.where, self.types, self.base, self.each
        if self.points:
            row.points = [*self.points, *[self.points[-1]] * (MOST_NUMBERS - len(self.points))]
        row.feeds, row.portion, row.deed, row.cottages = self.feeds, self.portion, self.deed, self.cottages
        row.solo, row.promise, row.kept = int(self.in_solo), self.promise, self.kept
        return row


def _lying(cells: Cells, resources: Sequence[int]) -> frozenset[tuple[Cell, int]]:
    """What lies where, in whatever order it is told."""
    return frozenset(zip(cells, resources, strict=True))


def _flat(row: Row) -> list[int]:
    """The numbers of a row one by one, in the order of its fields."""
    return [number for value in row.values() for number in (value if isinstance(value, list) else [value])]


# Where the numbers of a set of cards stand: its key, of each type the first card and the number after the last (the
# monuments' too), the rows of all cards.
KEY, FIRSTS = 0, 1
ROWS = FIRSTS + len(TYPES) + 1
#: How many numbers a row is.
PER_ROW = len(_flat(Row()))
NUMBERS = ROWS + PER_ROW * MOST_CARDS

#: Sets are told apart by so many bits of their digest; the printed cards have the key 0.
_KEY_BITS = 31


@dataclass(frozen=True)
class CardSet:
    """All cards that a game is dealt from: those of each type side by side, in the order of the types."""

    name: str
    cards: tuple[Card, ...]
    #: Printed cards that a file of one's own takes in beside its own, by id: what its text says again.
    printed: tuple[str, ...] = ()
    #: Whether these are the printed cards, and no others.
    standard: bool = field(default=False)

    def of_type(self, type: int) -> tuple[Card, ...]:
        """The cards of a type, in the order of their numbers."""
        return tuple(card for card in self.cards if card.type == type)

    def number(self, id: str) -> int:
        """The number of a card. Raises KeyError where there is none."""
        return self._numbers[id]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {card.id: card.number for card in self.cards}

    @cached_property
    def key(self) -> int:
        """What a state tells its set by."""
        if self.standard:
            return 0
        digest = hashlib.sha256(repr(self).encode()).digest()
        return int.from_bytes(digest[:4], "big") & ((1 << _KEY_BITS) - 1) | 1

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The set as `deal` takes it."""
        counts = [len(self.of_type(type)) for type in range(len(TYPES))]
        firsts = [sum(counts[:type]) for type in range(len(TYPES) + 1)]
        out = [self.key, *firsts]
        for card in self.cards:
            out += _flat(card.row)
        return (*out, *[0] * (NUMBERS - len(out)))


assert MOST_MONUMENTS < 31, "they are told as a mask"
