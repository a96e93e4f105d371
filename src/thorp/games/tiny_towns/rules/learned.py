"""What a town is expected to be worth at the end, learned for the cards of one table (`core/ntuples.py`).

A town looks up all groups of four connected squares, by what lies on them; how many buildings of each two types there
are; and how many cubes and buildings. Groups that are the same but for turning and mirroring the town share a table. A
cube in hand is tried on every square.
"""

from itertools import combinations

from thorp.compiling.rule import Weights, rule, table
from thorp.core.ntuples import Lookup, NTuples
from thorp.games.tiny_towns.rules.cards import RESOURCES, SUPPLY_TYPES
from thorp.games.tiny_towns.rules.masks import count, lowest
from thorp.games.tiny_towns.rules.scoring import score
from thorp.games.tiny_towns.rules.shapes import SIDE, SQUARES, is_connected
from thorp.games.tiny_towns.rules.state import State, Town

#: Squares of a group, and what may lie on each: nothing, a cube of a resource, a building of a type.
CELLS = 4
_TYPES = SUPPLY_TYPES + 1
_CONTENTS = 1 + len(RESOURCES) + _TYPES
_FIRST_TYPE = 1 + len(RESOURCES)
#: So many bits of a number say what lies on a square; the 16 squares are 64 bits.
_BITS = 4
_CONTENT = (1 << _BITS) - 1
assert _CONTENTS <= _CONTENT

#: Buildings of one type are counted up to here.
_MOST = 6
_PAIRS = tuple(combinations(range(_TYPES), 2))


def _views() -> tuple[tuple[int, ...], ...]:
    """For each turn and mirroring of a town where each square goes."""
    found = []
    cells = [divmod(square, SIDE) for square in range(SQUARES)]
    for _ in range(2):
        for _ in range(4):
            found.append(tuple(SIDE * row + column for row, column in cells))
            cells = [(column, SIDE - 1 - row) for row, column in cells]
        cells = [(row, SIDE - 1 - column) for row, column in cells]
    return tuple(found)


def _groups() -> tuple[tuple[int, tuple[int, ...]], ...]:
    """All groups of connected squares: which table, and the squares in that table's order."""
    tables: dict[tuple[int, ...], int] = {}
    found = []
    for squares in combinations(range(SQUARES), CELLS):
        if is_connected(tuple(divmod(square, SIDE) for square in squares)):
            views = [tuple(view[square] for square in squares) for view in _views()]
            seen = min(views, key=sorted)
            number = tables.setdefault(tuple(sorted(seen)), len(tables))
            found.append((number, tuple(square for _, square in sorted(zip(seen, squares, strict=True)))))
    return tuple(found)


_GROUPS = _groups()
_SIZE = _CONTENTS**CELLS
_TABLES = 1 + max(number for number, _ in _GROUPS)
#: Where the table of each group begins, and where in the number of a town its squares stand.
_BEGIN = table([number * _SIZE for number, _ in _GROUPS])
_SHIFT = table([[_BITS * square for square in squares] for _, squares in _GROUPS])
_FACTOR = table([_CONTENTS ** (CELLS - 1 - cell) for cell in range(CELLS)])
#: For each square the groups that it is in, and how far in the table one step of what lies on it goes.
_TOUCHING = [[number for number, (_, squares) in enumerate(_GROUPS) if square in squares] for square in range(SQUARES)]
_TOUCHED = table([len(each) for each in _TOUCHING])
_WIDEST = max(len(each) for each in _TOUCHING)
_TOUCHES = table([[*each, *[0] * (_WIDEST - len(each))] for each in _TOUCHING])
_STEP = table(
    [
        [
            *(_CONTENTS ** (CELLS - 1 - _GROUPS[number][1].index(square)) for number in each),
            *[0] * (_WIDEST - len(each)),
        ]
        for square, each in enumerate(_TOUCHING)
    ]
)

NET = NTuples(
    lookups=(
        Lookup("groups", len(_GROUPS), _TABLES * _SIZE),
        Lookup("types in pairs", len(_PAIRS), len(_PAIRS) * (_MOST + 1) ** 2, hopeful=True),
        Lookup("cubes and buildings", 1, (SQUARES + 1) ** 2),
    ),
    holds_for=("seats", "naming", "cavern", "monuments", "cards", "key"),
    hope=30,
)
_FIRST = NET.first
_IN_GROUPS = len(_GROUPS)
_PAIRS_BEGIN = _TABLES * _SIZE
_CUBES_BEGIN = _PAIRS_BEGIN + len(_PAIRS) * (_MOST + 1) ** 2
_PAIR = table(_PAIRS)
_IN_PAIRS = len(_PAIRS)
_NONE = -1e30


@rule
def value(state: State, seat: int, weights: Weights) -> float:
    """The points that a seat is expected to have at the end, by weights that were learned for these cards."""
    town = state.towns[seat]
    points = score(state, seat) * 1.0
    weights[0] = 0
    if town.completed:
        return points
    board = _board(town)
    for group in range(_IN_GROUPS):
        index = _BEGIN[group]
        for cell in range(CELLS):
            index += (board >> _SHIFT[group][cell] & _CONTENT) * _FACTOR[cell]
        weights[1 + group] = index
        points += weights[_FIRST + index]
    if town.hand:
        points += _place(board, town.hand, weights)
    return points + _count(town, weights)


@rule
def _board(town: Town) -> int:
    """What lies on the squares, as one number."""
    board = 0
    for resource in range(len(RESOURCES)):
        squares = town.cubes[resource]
        while squares:
            board |= (1 + resource) << _BITS * lowest(squares)
            squares &= squares - 1
    for type in range(_TYPES):
        squares = town.built[type]
        while squares:
            board |= (_FIRST_TYPE + type) << _BITS * lowest(squares)
            squares &= squares - 1
    return board


@rule
def _place(board: int, content: int, weights: Weights) -> float:
    """Put the cube in hand where it is worth most, and look that up; how much more it is worth there than without."""
    most = _NONE
    best = 0
    for square in range(SQUARES):
        if board >> _BITS * square & _CONTENT == 0:
            more = 0.0
            for nth in range(_TOUCHED[square]):
                at = _FIRST + int(weights[1 + _TOUCHES[square][nth]])
                more += weights[at + content * _STEP[square][nth]] - weights[at]
            if more > most:
                most = more
                best = square
    if most == _NONE:
        return 0.0
    for nth in range(_TOUCHED[best]):
        weights[1 + _TOUCHES[best][nth]] += content * _STEP[best][nth]
    return most


@rule
def _count(town: Town, weights: Weights) -> float:
    """What the numbers of buildings and cubes are worth; and how many weights were looked up is written."""
    total = 0.0
    at = 1 + _IN_GROUPS
    for pair in range(_IN_PAIRS):
        one = min(_MOST, count(town.built[_PAIR[pair][0]]))
        other = min(_MOST, count(town.built[_PAIR[pair][1]]))
        index = _PAIRS_BEGIN + (pair * (_MOST + 1) + one) * (_MOST + 1) + other
        weights[at] = index
        total += weights[_FIRST + index]
        at += 1
    cubes = 0
    for resource in range(len(RESOURCES)):
        cubes += count(town.cubes[resource])
    buildings = 0
    for type in range(_TYPES):
        buildings += count(town.built[type])
    index = _CUBES_BEGIN + cubes * (SQUARES + 1) + buildings
    weights[at] = index
    weights[0] = at
    return total + weights[_FIRST + index]
