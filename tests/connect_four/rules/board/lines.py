"""Lines of discs."""

from connect_four.rules.board import columns
from thorp.compiling.rule import rule, table

#: How far the next place lies: up, diagonally down, to the right, diagonally up.
STEPS = table([1, 6, 7, 8])


@rule
def longest(state: columns.State, seat: int) -> int:
    """How many discs the longest line of a seat has, at most four."""
    most = 0
    for direction in range(4):
        step = STEPS[direction]
        line = state.discs[seat]
        n = 0
        while line and n < 4:
            line &= line >> step
            n += 1
        most = max(most, n)
    return most


@rule
def has_line(state: columns.State, seat: int) -> bool:
    """Whether a seat has four in a line."""
    return longest(state, seat) == 4
