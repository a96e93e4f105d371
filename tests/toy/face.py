"""How Pebbles shows itself: what a seat may see, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thorp.core.face import Answer, ScoreRow, ScoreSheet
from thorp.core.words import Card, Message, Seat
from toy.rules import MOVES, State

STONES = (Card("flint", "Flint"), Card("slate", "Slate"), Card("marble", "Marble"))


@dataclass(frozen=True)
class View:
    """A game of Pebbles as a seat sees it."""

    seat: int | None
    round: int
    heap: int
    points: tuple[int, ...]
    #: The stone of each seat where the viewer knows it.
    picks: tuple[str, ...]
    #: The viewer's own hidden pebbles; everybody's at the end.
    secrets: tuple[int | None, ...]


def view(state: Any, seat: int | None) -> View:
    state = State.of(state)
    seats = range(state.seats)
    shown = [state.turn >= 0 or state.ended or other == seat for other in seats]
    return View(
        seat,
        state.round,
        state.heap,
        tuple(state.points[: state.seats]),
        tuple(STONES[state.picks[other] - 1].name if state.picks[other] and shown[other] else "" for other in seats),
        tuple(state.secret[other] if other == seat or state.ended else None for other in seats),
    )


def prompt(state: Any, seat: int | None) -> Message:
    state = State.of(state)
    if state.ended:
        return Message("The game is over.")
    if state.turn >= 0:
        return Message("{seat} takes pebbles.", {"seat": Seat(state.turn)})
    return Message("Choose a stone in secret.")


def offer(state: Any, seat: int, move: int) -> Message:
    family, arguments = MOVES.decode(move)
    if family == "pick":
        return Message("Choose {stone}", {"stone": STONES[arguments["stone"]]})
    return Message("Take {count}", {"count": arguments["count"]})


def tell(state: Any, seat: int, move: int, reader: int | None) -> Message:
    family, arguments = MOVES.decode(move)
    if family == "take":
        return Message("{seat} takes {count}.", {"seat": Seat(seat), "count": arguments["count"]})
    if reader == seat:
        return Message("{seat} chooses {stone}.", {"seat": Seat(seat), "stone": STONES[arguments["stone"]]})
    return Message("{seat} chooses a stone.", {"seat": Seat(seat)})


def steps(state: Any, seat: int, move: int) -> tuple[str, ...]:
    family, arguments = MOVES.decode(move)
    return (f"{family}-{next(iter(arguments.values()))}",)


def beforehand(state: Any, seat: int) -> tuple[Answer, ...]:
    state = State.of(state)
    mine = state.turn == seat and not state.ended
    return tuple(
        Answer(
            f"take-{count}",
            Message("Take {count}", {"count": count}),
            state.round,
            Message("until the end of this round"),
            MOVES["take"].first + count if mine and state.heap >= count else None,
        )
        for count in (0, 1)
    )


def sheet(state: Any) -> ScoreSheet:
    state = State.of(state)
    seats = range(state.seats)
    return ScoreSheet(
        rows=(
            ScoreRow(Message("Taken"), tuple(state.points[s] for s in seats), (None,) * state.seats),
            ScoreRow(Message("Hidden"), tuple(state.secret[s] for s in seats), (None,) * state.seats),
        ),
        totals=tuple(state.points[s] + state.secret[s] for s in seats),
        standings=tuple(
            1 + sum(state.points[o] + state.secret[o] > state.points[s] + state.secret[s] for o in seats) for s in seats
        ),
    )


def text(state: Any, seat: int | None) -> str:
    return str(view(state, seat))
