"""The cards of Tiny Towns, read from cards.toml, and the tables that rules make of their patterns."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from thorp.core.rule import table

SIDE = 4
SQUARES = SIDE * SIDE
ALL_SQUARES = (1 << SQUARES) - 1

#: The five resources, in the order of their numbers, and their letters in patterns.
RESOURCES = ("wood", "wheat", "brick", "glass", "stone")
LETTERS = "WTBGS"
#: Card numbers of monuments begin here; buildings come first in the file.
FIRST_MONUMENT = 25


@dataclass(frozen=True)
class Type:
    """A type of building: a colour, and the symbol on the back of its cards."""

    id: str
    name: str
    colour: str


@dataclass(frozen=True)
class Card:
    """A building or monument card."""

    number: int
    id: str
    name: str
    type: int
    pattern: tuple[str, ...]
    orientations: int
    placements: int
    effect: str
    rulings: tuple[str, ...]
    #: Points by number, where the card gives them so (see cards.toml).
    points: tuple[int, ...]

    @property
    def is_monument(self) -> bool:
        """Whether it is one of the 15 monuments."""
        return self.number >= FIRST_MONUMENT

    @property
    def cells(self) -> tuple[tuple[int, int, int], ...]:
        """The pattern as (row, column, resource)."""
        return tuple(
            (row, column, LETTERS.index(letter))
            for row, line in enumerate(self.pattern)
            for column, letter in enumerate(line)
            if letter != "."
        )


def _load() -> tuple[tuple[Type, ...], tuple[Card, ...]]:
    data = tomllib.loads((Path(__file__).parent / "cards.toml").read_text("utf-8"))
    types = tuple(Type(**entry) for entry in data["type"])
    ids = [type.id for type in types]
    cards = tuple(
        Card(
            number=number,
            id=entry["id"],
            name=entry["name"],
            type=ids.index(entry["type"]),
            pattern=tuple(entry["pattern"]),
            orientations=entry["orientations"],
            placements=entry["placements"],
            effect=entry["effect"],
            rulings=tuple(entry.get("rulings", ())),
            points=tuple(entry["points"]),
        )
        for number, entry in enumerate(data["card"])
    )
    return types, cards


TYPES, CARDS = _load()
#: Types of buildings in the supply; the monument is the one after them.
SUPPLY_TYPES = 7
MONUMENT = 7
COTTAGE_TYPE, FARM_TYPE, WELL_TYPE, CHAPEL_TYPE, TAVERN_TYPE, THEATER_TYPE, FACTORY_TYPE = range(SUPPLY_TYPES)
assert [type.id for type in TYPES] == ["cottage", "farm", "well", "chapel", "tavern", "theater", "factory", "monument"]

_NUMBERS = {card.id: card.number for card in CARDS}


def number(id: str) -> int:
    """The number of a card."""
    return _NUMBERS[id]


def cards_of(type: int) -> tuple[Card, ...]:
    """The cards of a type, in the order of the file."""
    return tuple(card for card in CARDS if card.type == type)


Cells = tuple[tuple[int, int, int], ...]


@cache
def orientations(card: int) -> tuple[Cells, ...]:
    """The distinct turns and mirrorings of a card's pattern, each moved to the top left corner."""
    found: dict[Cells, None] = {}
    cells = CARDS[card].cells
    for _ in range(2):
        for _ in range(4):
            cells = tuple((column, -row, resource) for row, column, resource in cells)
            top = min(row for row, _, _ in cells)
            left = min(column for _, column, _ in cells)
            found[tuple(sorted((row - top, column - left, resource) for row, column, resource in cells))] = None
        cells = tuple((row, -column, resource) for row, column, resource in cells)
    return tuple(found)


@cache
def placements(card: int) -> tuple[tuple[int, int, int], ...]:
    """Every placement of a card on the grid: (orientation, square of its corner, mask of its squares)."""
    out = []
    for index, cells in enumerate(orientations(card)):
        height = 1 + max(row for row, _, _ in cells)
        width = 1 + max(column for _, column, _ in cells)
        for top in range(SIDE - height + 1):
            for left in range(SIDE - width + 1):
                mask = sum(1 << (top + row) * SIDE + left + column for row, column, _ in cells)
                out.append((index, top * SIDE + left, mask))
    return tuple(out)


@cache
def footprints(card: int) -> tuple[int, ...]:
    """The distinct sets of squares that placements of a card cover, as masks, in ascending order."""
    return tuple(sorted({mask for _, _, mask in placements(card)}))


#: No card has more footprints than this.
FOOTPRINTS = max(len(footprints(card.number)) for card in CARDS)
MAX_ORIENTATIONS = 8
MAX_CELLS = 6


def _per_orientation(fill: int) -> list[list[list[int]]]:
    return [[[fill] * MAX_CELLS for _ in range(MAX_ORIENTATIONS)] for _ in CARDS]


def _pattern_tables() -> tuple[list[list[list[int]]], list[list[list[int]]], list[list[int]]]:
    offsets, resources = _per_orientation(0), _per_orientation(0)
    corners = [[0] * MAX_ORIENTATIONS for _ in CARDS]
    for card in CARDS:
        for index, cells in enumerate(orientations(card.number)):
            for cell, (row, column, resource) in enumerate(cells):
                offsets[card.number][index][cell] = row * SIDE + column
                resources[card.number][index][cell] = resource
        for index, corner, _ in placements(card.number):
            corners[card.number][index] |= 1 << corner
    return offsets, resources, corners


def _footprint_tables() -> tuple[list[list[int]], list[list[list[int]]]]:
    masks = [list(footprints(card.number)) + [0] * (FOOTPRINTS - len(footprints(card.number))) for card in CARDS]
    at = [[[-1] * SQUARES for _ in range(MAX_ORIENTATIONS)] for _ in CARDS]
    for card in CARDS:
        for index, corner, mask in placements(card.number):
            at[card.number][index][corner] = footprints(card.number).index(mask)
    return masks, at


_offsets, _resources, _corners = _pattern_tables()
_masks, _at = _footprint_tables()

#: [card]: how many cubes its pattern takes, and how many orientations it has
CELL_COUNT = table([len(card.cells) for card in CARDS])
ORIENTATION_COUNT = table([len(orientations(card.number)) for card in CARDS])
#: [card]: its cubes of each resource, COUNT_BITS bits a resource; the highest of them is a guard, left free
COUNT_BITS = 6
COUNT_GUARD = 1 << (COUNT_BITS - 1)
COUNT_GUARDS = sum(COUNT_GUARD << resource * COUNT_BITS for resource in range(len(RESOURCES)))
CELL_COUNTS = table([sum(1 << resource * COUNT_BITS for _, _, resource in card.cells) for card in CARDS])
#: [card][orientation][cell]: the cell's distance from the corner square, and its resource
CELL_OFFSET = table(_offsets, "i1")
CELL_RESOURCE = table(_resources, "i1")
#: [card][orientation]: mask of the squares where the corner may lie
CORNERS = table(_corners)
#: [card][orientation][corner]: the footprint of that placement; [card][footprint]: its squares
FOOTPRINT_AT = table(_at, "i1")
FOOTPRINT_MASK = table(_masks)
#: [card][n]: points by number, the last one going on for ever
MAX_POINTS = max(len(card.points) for card in CARDS)
POINTS = table([list(card.points) + [card.points[-1]] * (MAX_POINTS - len(card.points)) for card in CARDS])

#: [square]: mask of the squares next to it; the eight around it; its row and column without itself
_where = [divmod(square, SIDE) for square in range(SQUARES)]


def _mask(inside: list[bool]) -> int:
    return sum(1 << square for square, yes in enumerate(inside) if yes)


NEXT_TO = table([_mask([abs(r - y) + abs(c - x) == 1 for y, x in _where]) for r, c in _where])
AROUND = table([_mask([max(abs(r - y), abs(c - x)) == 1 for y, x in _where]) for r, c in _where])
ROW = table([_mask([r == y and c != x for y, x in _where]) for r, c in _where])
COLUMN = table([_mask([c == x and r != y for y, x in _where]) for r, c in _where])
CORNER_SQUARES = _mask([r in (0, SIDE - 1) and c in (0, SIDE - 1) for r, c in _where])
CENTRE_SQUARES = _mask([r in (1, 2) and c in (1, 2) for r, c in _where])
