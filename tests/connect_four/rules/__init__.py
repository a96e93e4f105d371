"""The rules of Connect Four."""

from connect_four.rules.board.columns import COLUMNS, MOVES, State, has_room
from connect_four.rules.board.lines import has_line, longest
from thorp.compiling.rule import MoveList, OptionList, rule


@rule
def deal(state: State, seats: int, options: OptionList, seed: int) -> None:
    """The board is empty; the first seat begins."""


@rule
def over(state: State) -> bool:
    """Whether somebody has four in a line, or the board is full."""
    if has_line(state, 0) or has_line(state, 1):
        return True
    for column in range(COLUMNS):
        if has_room(state, column):
            return False
    return True


@rule
def waiting(state: State) -> int:
    """The seat on turn."""
    return 0 if over(state) else 1 << state.turn


@rule
def legal(state: State, seat: int, moves: MoveList) -> int:
    """Any column with room."""
    n = 0
    if waiting(state) >> seat & 1:
        for column in range(COLUMNS):
            if has_room(state, column):
                moves.at[n] = column
                n += 1
    return n


@rule
def play(state: State, seat: int, move: int) -> None:
    """Drop a disc; it cannot be taken back."""
    state.discs[seat] |= 1 << int(move * 7 + state.heights[move])
    state.heights[move] += 1
    state.turn = 1 - seat
    state.barrier += 1


@rule
def score(state: State, seat: int) -> int:
    """1 for a line of four."""
    return 1 if has_line(state, seat) else 0


@rule
def standing(state: State, seat: int) -> int:
    """The first is who has a line; without one both share the place."""
    return 2 if has_line(state, 1 - seat) else 1


@rule
def determinize(state: State, seat: int, seed: int) -> None:
    """Everybody sees everything."""


@rule
def evaluate(state: State, seat: int) -> int:
    """A line is everything; else the longer one counts."""
    return 1000 * score(state, seat) - 1000 * score(state, 1 - seat) + longest(state, seat) - longest(state, 1 - seat)
