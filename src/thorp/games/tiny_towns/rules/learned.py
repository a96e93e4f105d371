"""What a town is expected to be worth at the end, learned for the cards of one table (`core/ntuples.py`).

A town looks up all groups of four connected squares, by what lies on them; how many buildings of each two types there
are; how many cubes and buildings; and how far its monument has come. Groups that are the same but for turning and
mirroring the town share a table. A cube in hand is tried on every square.
"""

from itertools import combinations

from thorp.compiling.rule import Weights, rule, table
from thorp.core.ntuples import Lookup, NTuples
from thorp.games.tiny_towns.rules.building import trading_posts
from thorp.games.tiny_towns.rules.cards import (
    MONUMENT,
    RESOURCE_BITS,
    RESOURCE_MASK,
    RESOURCES,
    SHAPE_BITS,
    SHAPE_MASK,
    SUPPLY_TYPES,
    TURN_BITS,
    TURN_MASK,
    TURNS_SHIFT,
)
from thorp.games.tiny_towns.rules.masks import count, empty, lowest, row_of
from thorp.games.tiny_towns.rules.scoring import score
from thorp.games.tiny_towns.rules.shapes import (
    ALL_SQUARES,
    CELL_OFFSET,
    CORNERS,
    FOOTPRINT_AT,
    FOOTPRINT_MASK,
    MOST_CELLS,
    SIDE,
    SQUARES,
    is_connected,
)
from thorp.games.tiny_towns.rules.shapes import CELLS as SHAPE_CELLS
from thorp.games.tiny_towns.rules.state import MOST_MONUMENTS, State, Town

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

#: How far a monument has come: it fits nowhere any more, so many of its cubes lie there, it is built; there is none.
_LOST, _FIRST_STEP = range(2)
_DONE = _FIRST_STEP + MOST_CELLS + 1
_STEPS = _DONE + 1
_NONE_KEPT = _STEPS
#: What `_begun` says is one number: the step, and two masks of squares.
_STEP_BITS = 4
_STEP_MASK = (1 << _STEP_BITS) - 1
assert _NONE_KEPT <= _STEP_MASK

#: Tables of the monument: which it is and its step; its step and the free squares, for all alike; and all three. Each
#: begins with what a seat looks up that has none.
_OF_MONUMENT = 3
_MONUMENT_STEPS = MOST_MONUMENTS * _STEPS
_STEPS_FREE = _STEPS * (SQUARES + 1)
_MONUMENT_STEPS_FREE = MOST_MONUMENTS * _STEPS_FREE

NET = NTuples(
    lookups=(
        Lookup("groups", len(_GROUPS), _TABLES * _SIZE),
        Lookup("types in pairs", len(_PAIRS), len(_PAIRS) * (_MOST + 1) ** 2, hopeful=True),
        Lookup("cubes and buildings", 1, (SQUARES + 1) ** 2),
        Lookup(
            "monument", _OF_MONUMENT, _OF_MONUMENT + _MONUMENT_STEPS + _STEPS_FREE + _MONUMENT_STEPS_FREE, hopeful=True
        ),
    ),
    holds_for=("seats", "naming", "cavern", "monuments", "cards", "key"),
    hope=30,
    strangers=3,
)
_FIRST = NET.first
_IN_GROUPS = len(_GROUPS)
_PAIRS_BEGIN = _TABLES * _SIZE
_CUBES_BEGIN = _PAIRS_BEGIN + len(_PAIRS) * (_MOST + 1) ** 2
_MONUMENT_BEGIN = _CUBES_BEGIN + (SQUARES + 1) ** 2
_STEPS_FREE_BEGIN = _MONUMENT_BEGIN + 1 + _MONUMENT_STEPS
_MONUMENT_STEPS_FREE_BEGIN = _STEPS_FREE_BEGIN + 1 + _STEPS_FREE
#: Where it is written which weights the monument looks up.
_MONUMENT_AT = NET.times - _OF_MONUMENT + 1
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
        points += _place(state, seat, board, weights)
    else:
        points += _monument(state, seat, _begun(state, seat, 0, 0) & _STEP_MASK, count(empty(town)), weights)
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
def _place(state: State, seat: int, board: int, weights: Weights) -> float:
    """Put the cube in hand where it is worth most, and look that up; how much more it is worth there."""
    town = state.towns[seat]
    content = town.hand * 1
    begun = _begun(state, seat, content, 0)
    step = begun & _STEP_MASK
    if empty(town) == 0:
        return _monument(state, seat, step, 0, weights)
    free = count(empty(town)) - 1
    onward = begun >> _STEP_BITS & ALL_SQUARES
    needed = begun >> _STEP_BITS + SQUARES
    there = _monument(state, seat, step, free, weights)
    further = _monument(state, seat, step + 1, free, weights) if onward else there
    most = _NONE
    best = 0
    for square in range(SQUARES):
        if board >> _BITS * square & _CONTENT == 0:
            more = there
            if onward >> square & 1:
                more = further
            elif needed >> square & 1:
                left = _begun(state, seat, content, 1 << square) & _STEP_MASK
                more = _monument(state, seat, left, free, weights)
            for nth in range(_TOUCHED[square]):
                at = _FIRST + int(weights[1 + _TOUCHES[square][nth]])
                more += weights[at + content * _STEP[square][nth]] - weights[at]
            if more > most:
                most = more
                best = square
    for nth in range(_TOUCHED[best]):
        weights[1 + _TOUCHES[best][nth]] += content * _STEP[best][nth]
    if onward >> best & 1:
        step += 1
    elif needed >> best & 1:
        step = _begun(state, seat, content, 1 << best) & _STEP_MASK
    _monument(state, seat, step, free, weights)
    return most


@rule
def _monument(state: State, seat: int, step: int, free: int, weights: Weights) -> float:
    """What is expected of a monument that has come so far, with so many squares free; that is written as looked up."""
    monument_steps = _MONUMENT_BEGIN
    steps_free = _STEPS_FREE_BEGIN
    monument_steps_free = _MONUMENT_STEPS_FREE_BEGIN
    if step != _NONE_KEPT:
        number = state.towns[seat].monument - state.first_monument
        monument_steps += 1 + number * _STEPS + step
        steps_free += 1 + step * (SQUARES + 1) + free
        monument_steps_free += 1 + (number * _STEPS + step) * (SQUARES + 1) + free
    weights[_MONUMENT_AT] = monument_steps
    weights[_MONUMENT_AT + 1] = steps_free
    weights[_MONUMENT_AT + 2] = monument_steps_free
    return weights[_FIRST + monument_steps] * 1.0 + weights[_FIRST + steps_free] + weights[_FIRST + monument_steps_free]


@rule
def _begun(state: State, seat: int, content: int, laid: int) -> int:
    """How far a seat's monument has come, where most cubes of its pattern lie; and two masks above that.

    A cube of the resource `content` - 1 comes to the square in the mask `laid`; where it comes to none yet, the first
    mask has the squares on which it would be the next one, the second those that are needed wherever the pattern has
    come so far.
    """
    town = state.towns[seat]
    if town.monument == 0:
        return _NONE_KEPT
    if town.built[MONUMENT]:
        return _DONE
    row = state.rows[row_of(state, seat, MONUMENT)]
    shape = row.pattern & SHAPE_MASK
    wild = trading_posts(state, seat)
    free = empty(town) & ~laid
    most = -1
    onward = 0
    needed = 0
    for way in range(row.turns >> TURNS_SHIFT):
        turn = row.turns >> TURN_BITS * way & TURN_MASK
        # a corner's bits in ones, twos and fours are the number of cubes that the pattern there has already
        corners = CORNERS[shape][turn]
        resources = row.pattern >> SHAPE_BITS
        ones = 0
        twos = 0
        fours = 0
        for cell in range(SHAPE_CELLS[shape]):
            offset = CELL_OFFSET[shape][turn][cell]
            mine = town.cubes[resources & RESOURCE_MASK] | wild
            if (resources & RESOURCE_MASK) + 1 == content:
                mine |= laid
            resources >>= RESOURCE_BITS
            corners &= (mine | free) >> offset
            mine >>= offset
            fours |= ones & twos & mine
            twos ^= ones & mine
            ones ^= mine
        if corners == 0:
            continue
        have = 0
        if corners & fours:
            corners &= fours
            have += 4
        if corners & twos:
            corners &= twos
            have += 2
        if corners & ones:
            corners &= ones
            have += 1
        if have < most:
            continue
        if have > most:
            most = have
            onward = 0
            needed = ALL_SQUARES
        if content and laid == 0:
            resources = row.pattern >> SHAPE_BITS
            for cell in range(SHAPE_CELLS[shape]):
                if (resources & RESOURCE_MASK) + 1 == content:
                    onward |= corners << CELL_OFFSET[shape][turn][cell]
                resources >>= RESOURCE_BITS
            while corners and needed:
                needed &= FOOTPRINT_MASK[shape][FOOTPRINT_AT[shape][turn][lowest(corners)]]
                corners &= corners - 1
    if most < 0:
        return _LOST
    return needed << _STEP_BITS + SQUARES | (onward & free) << _STEP_BITS | most + _FIRST_STEP


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
    weights[0] = at + _OF_MONUMENT
    return total + weights[_FIRST + index]
