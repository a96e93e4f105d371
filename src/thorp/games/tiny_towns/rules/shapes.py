"""The shapes of patterns: every set of two to six connected squares that fits into a town, turned and mirrored.

A pattern is a shape with a resource on each of its cells. The tables here hold for all of them, so that cards of a file
are found as fast as the printed ones.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from thorp.compiling.rule import table

SIDE = 4
SQUARES = SIDE * SIDE
ALL_SQUARES = (1 << SQUARES) - 1
LEAST_CELLS, MOST_CELLS = 2, 6
#: A shape has at most so many distinct turns and mirrorings.
TURNS = 8

#: (row, column)
Cell = tuple[int, int]
Cells = tuple[Cell, ...]


def to_corner(cells: Cells) -> Cells:
    """Cells moved to the top left, in the same order."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple((row - top, column - left) for row, column in cells)


def turned(cells: Cells) -> tuple[Cells, ...]:
    """All eight turns and mirrorings of some cells, in one order: some may be the same as others."""
    out = []
    for _ in range(2):
        for _ in range(4):
            cells = tuple((column, -row) for row, column in cells)
            out.append(to_corner(cells))
        cells = tuple((row, -column) for row, column in cells)
    return tuple(out)


def _fits(cells: Cells) -> bool:
    return all(row < SIDE and column < SIDE for row, column in to_corner(cells))


def is_connected(cells: Cells) -> bool:
    """Whether one can go from each cell to each other by sides."""
    reached, rest = {cells[0]}, set(cells[1:])
    while near := {cell for cell in rest if any(abs(cell[0] - r) + abs(cell[1] - c) == 1 for r, c in reached)}:
        reached |= near
        rest -= near
    return not rest


def _shapes() -> list[Cells]:
    """One of every kind of turns and mirrorings: with fewer cells first, and in the order of their cells."""
    found: list[Cells] = []
    last: set[Cells] = {((0, 0),)}
    for _ in range(LEAST_CELLS - 1, MOST_CELLS):
        grown = {
            min(tuple(sorted(each)) for each in turned((*cells, (row + down, column + right))))
            for cells in last
            for row, column in cells
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (row + down, column + right) not in cells and _fits((*cells, (row + down, column + right)))
        }
        found += sorted(grown)
        last = grown
    return found


SHAPES = _shapes()
_NUMBERS = {cells: number for number, cells in enumerate(SHAPES)}


def shape_of(cells: Cells) -> tuple[int, Cells]:
    """The shape of some cells, and the cells in the order of the shape's own."""
    for way in turned(cells):
        if (number := _NUMBERS.get(tuple(sorted(way)))) is not None:
            order = sorted(range(len(cells)), key=way.__getitem__)
            return number, tuple(cells[index] for index in order)
    raise ValueError(f"{cells} is no shape: {LEAST_CELLS} to {MOST_CELLS} connected cells that fit into a town")


@cache
def placements(shape: int, turn: int) -> tuple[tuple[int, int], ...]:
    """Where a turn of a shape may lie: (square of its corner, mask of its squares)."""
    cells = turned(SHAPES[shape])[turn]
    height, width = 1 + max(row for row, _ in cells), 1 + max(column for _, column in cells)
    return tuple(
        (top * SIDE + left, sum(1 << (top + row) * SIDE + left + column for row, column in cells))
        for top in range(SIDE - height + 1)
        for left in range(SIDE - width + 1)
    )


@cache
def footprints(shape: int) -> tuple[int, ...]:
    """The sets of squares that a shape can cover, as masks, in ascending order."""
    return tuple(sorted({mask for turn in range(TURNS) for _, mask in placements(shape, turn)}))


#: No shape has more footprints than this.
FOOTPRINTS = max(len(footprints(shape)) for shape in range(len(SHAPES)))


def _filled(values: list[int], length: int, fill: int = 0) -> list[int]:
    return values + [fill] * (length - len(values))


def _offsets(shape: int) -> list[list[int]]:
    return [_filled([row * SIDE + column for row, column in way], MOST_CELLS) for way in turned(SHAPES[shape])]


def _footprint_at(shape: int, turn: int) -> list[int]:
    at = {corner: footprints(shape).index(mask) for corner, mask in placements(shape, turn)}
    return [at.get(corner, -1) for corner in range(SQUARES)]


#: [shape]: how many cells it has
CELLS = table([len(cells) for cells in SHAPES])
#: [shape][turn][cell]: the cell's distance from the corner square
CELL_OFFSET = table([_offsets(shape) for shape in range(len(SHAPES))], "i1")
#: [shape][turn]: mask of the squares where the corner may lie
CORNERS = table(
    [[sum(1 << corner for corner, _ in placements(s, turn)) for turn in range(TURNS)] for s in range(len(SHAPES))]
)
#: [shape][turn][corner]: the footprint of that placement; [shape][footprint]: its squares
FOOTPRINT_AT = table([[_footprint_at(s, turn) for turn in range(TURNS)] for s in range(len(SHAPES))], "i1")
FOOTPRINT_MASK = table([_filled(list(footprints(s)), FOOTPRINTS) for s in range(len(SHAPES))])

assert all(len(one) <= len(other) for one, other in pairwise(SHAPES))

# Where squares lie to each other, and in the town: what a card may look at.
BESIDE, AROUND, LINES, LINE, CORNER, CENTRE, TOWN = range(7)
#: As they are written in a file of cards. From CORNER on they are the same for every square.
WHERES = ("beside", "around", "lines", "line", "corners", "centre", "town")
_where = [divmod(square, SIDE) for square in range(SQUARES)]


def _mask(inside: list[bool]) -> int:
    return sum(1 << square for square, yes in enumerate(inside) if yes)


#: [square]: masks of the squares of its row and of its column, without itself
ROW = table([_mask([r == y and c != x for y, x in _where]) for r, c in _where])
COLUMN = table([_mask([c == x and r != y for y, x in _where]) for r, c in _where])
_LINES = [_mask([(r == y) != (c == x) for y, x in _where]) for r, c in _where]
#: [where][square]: the squares that are meant; a card that looks at a line takes the better of ROW and COLUMN
SQUARES_AT = table(
    [
        [_mask([abs(r - y) + abs(c - x) == 1 for y, x in _where]) for r, c in _where],
        [_mask([max(abs(r - y), abs(c - x)) == 1 for y, x in _where]) for r, c in _where],
        _LINES,
        _LINES,
        [_mask([y in (0, SIDE - 1) and x in (0, SIDE - 1) for y, x in _where])] * SQUARES,
        [_mask([y in (1, 2) and x in (1, 2) for y, x in _where])] * SQUARES,
        [ALL_SQUARES] * SQUARES,
    ]
)
