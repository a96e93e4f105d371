"""The board: seven columns of six places; a disc is a bit, 7 * column + height, so that columns never touch."""

from typing import Annotated

from thorp.compiling.record import Int8, Int32, Record
from thorp.compiling.rule import rule
from thorp.core.moves import MoveSpace

COLUMNS = 7
HEIGHT = 6

MOVES = MoveSpace(drop={"column": COLUMNS})


class State(Record):
    """A whole game."""

    barrier: Int32
    turn: Int8
    heights: Annotated[list[int], "i1", 7]
    #: The discs of each seat, as bits.
    discs: Annotated[list[int], "i8", 2]


@rule
def has_room(state: State, column: int) -> bool:
    """Whether a disc can be dropped into a column."""
    return state.heights[column] < HEIGHT
