"""Masks of squares: what lies where in a town."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.tiny_towns.rules.cards import MONUMENT, SUPPLY_TYPES
from thorp.games.tiny_towns.rules.shapes import ALL_SQUARES
from thorp.games.tiny_towns.rules.state import State, Town

_LEFT_COLUMN = 0x1111
_RIGHT_COLUMN = 0x8888


@rule
def count(mask: int) -> int:
    """How many of the 16 squares are in a mask."""
    mask = mask - (mask >> 1 & 0x5555)
    mask = (mask & 0x3333) + (mask >> 2 & 0x3333)
    mask = (mask + (mask >> 4)) & 0x0F0F
    return (mask + (mask >> 8)) & 0x1F


@rule
def lowest(mask: int) -> int:
    """The first square of a mask that is not empty."""
    return count((mask & -mask) - 1)


@rule
def list_moves(moves: MoveList, n: int, first: int, mask: int) -> int:
    """Write the move `first + i` for every i in the mask, from moves.at[n] on; how many moves there are then."""
    while mask:
        moves.at[n] = first + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@rule
def group(mask: int, square: int) -> int:
    """The squares of `mask` that are connected with `square` by sides, within the mask."""
    grown = 1 << square
    before = 0
    while grown != before:
        before = grown
        sideways = (grown << 1 & ~_LEFT_COLUMN) | (grown >> 1 & ~_RIGHT_COLUMN)
        grown |= (sideways | grown << 4 | grown >> 4) & mask
    return grown


@rule
def cubes(town: Town) -> int:
    """The squares with a cube."""
    return town.cubes[0] | town.cubes[1] | town.cubes[2] | town.cubes[3] | town.cubes[4]


@rule
def buildings(town: Town) -> int:
    """The squares with a building, the monument included."""
    mask = town.built[MONUMENT]
    for type in range(SUPPLY_TYPES):
        mask |= town.built[type]
    return mask


@rule
def empty(town: Town) -> int:
    """The squares with neither cube nor building."""
    return ALL_SQUARES ^ (cubes(town) | buildings(town))


@rule
def row_of(state: State, seat: int, type: int) -> int:
    """The row of a type's card: the one on the table, or the seat's own monument (any, where it has none)."""
    if type < SUPPLY_TYPES:
        return type
    return SUPPLY_TYPES + max(0, state.towns[seat].monument - state.first_monument)


@rule
def has_built(state: State, seat: int, deed: int) -> bool:
    """Whether the seat has built a monument that does this."""
    return state.towns[seat].built[MONUMENT] != 0 and state.rows[row_of(state, seat, MONUMENT)].deed == deed


@rule
def resources_on(town: Town, squares: int) -> int:
    """The resources that lie on the buildings of these squares, as a mask of resources."""
    found = 0
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        held = town.held[square]
        for resource in range(5):
            if held >> 2 * resource & 3:
                found |= 1 << resource
    return found


@rule
def cubes_on(town: Town, square: int) -> int:
    """How many cubes lie on the building of a square."""
    held = town.held[square]
    return (held & 3) + (held >> 2 & 3) + (held >> 4 & 3) + (held >> 6 & 3) + (held >> 8 & 3)
