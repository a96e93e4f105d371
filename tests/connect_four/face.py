"""How Connect Four shows itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from connect_four.rules.board.columns import COLUMNS, HEIGHT, MOVES, State
from thorp.core.face import ScoreRow, ScoreSheet
from thorp.core.words import Message, Seat


@dataclass(frozen=True)
class View:
    """The board: for every row from the top, the seat whose disc lies in each column, or None."""

    rows: tuple[tuple[int | None, ...], ...]
    turn: int | None


def view(state: Any, seat: int | None) -> View:
    """What everybody sees."""
    game = State.of(state)

    def at(place: int) -> int | None:
        return next((seat for seat in range(2) if game.discs[seat] >> place & 1), None)

    rows = tuple(tuple(at(7 * column + row) for column in range(COLUMNS)) for row in reversed(range(HEIGHT)))
    return View(rows, game.turn)


def prompt(state: Any, seat: int | None) -> Message:
    """What is asked."""
    turn = State.of(state).turn
    return Message("Drop a disc.") if seat == turn else Message("{seat} drops a disc.", {"seat": Seat(turn)})


def offer(state: Any, seat: int, move: int) -> Message:
    """A move on offer."""
    return Message("Drop it into column {n}", {"n": MOVES.decode(move).arguments["column"] + 1})


def tell(state: Any, seat: int, move: int, reader: int | None) -> Message:
    """A move that was played."""
    return Message("{seat} chooses column {n}.", {"seat": Seat(seat), "n": move + 1})


def steps(state: Any, seat: int, move: int) -> tuple[str, ...]:
    """A column is clicked."""
    return (f"column-{move}",)


def why_not(state: Any, seat: int, thing: str, chosen: tuple[str, ...]) -> Message | None:
    """Why a column cannot be chosen."""
    return Message("This column is full.") if thing.startswith("column-") else None


def sheet(state: Any) -> ScoreSheet:
    """One line."""
    from connect_four.rules import score, standing

    points = tuple(int(score(state, seat)) for seat in range(2))
    standings = tuple(int(standing(state, seat)) for seat in range(2))
    return ScoreSheet((ScoreRow(Message("Four in a line"), points, (None, None)),), points, standings)


def text(state: Any, seat: int | None, names: Sequence[str] = ()) -> str:
    """The board in letters."""
    rows = view(state, seat).rows
    return "\n".join(" ".join("." if disc is None else "XO"[disc] for disc in row) for row in rows)
