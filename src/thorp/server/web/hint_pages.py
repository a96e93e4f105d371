"""Hints: the best moves of the visitor's own decision, asked for on the page of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from thorp.players import Expected
from thorp.players.analysis import SURE, go_by_points
from thorp.server.tables.hints import Hint, Hints
from thorp.server.tables.refusals import Forbidden
from thorp.server.tables.table import Table
from thorp.server.web import markup
from thorp.server.web.addresses import origin_of
from thorp.server.web.answers import go, is_htmx, page, render
from thorp.server.web.forms import number, read_form
from thorp.server.web.naming import names_at
from thorp.server.web.people import person_of, visitor_of
from thorp.server.web.table_pages import open_table, seat_in_hand, seen

#: So many seconds a page waits for an answer before it asks again: connections are not held for longer.
PATIENCE = 8.0
#: After so many seconds a page without script looks again.
_AGAIN = 2
#: One is better than another likely where it is ahead by so many standard errors; and beyond doubt by `SURE` of them.
LIKELY = 1.0
#: A lead in chances that is no more is not told to be clear: another look may well find another move in front.
SLIGHT = 0.02


@dataclass(frozen=True)
class MoveTold:
    """A move that a hint tells."""

    move: int
    label: str
    steps: tuple[str, ...]
    expected: Expected

    def figures(self, *, by_points: bool) -> tuple[float, ...]:
        """What stands beside it, rounded as it is shown."""
        if by_points:
            return (round(self.expected.points, 1),)
        return (round(100 * self.expected.chance), round(self.expected.points))


async def ask(request: Request) -> Response:
    """Judge the visitor's decision: what is told, or (202) that it is still thought about."""
    table = seen(request, await open_table(request))
    form = await read_form(request)
    seat = seat_in_hand(request, table, form)
    hints: Hints = request.app.state.hints
    hints.require(table, seat, number(form, "counter", "how many moves you had made"))
    whose = origin_of(request.scope), person_of(request).id
    hint = await hints.ask(table, seat, whose, PATIENCE, lambda: request.app.state.limits.hint(request))
    if not is_htmx(request):
        return go(request, f"/tables/{table.id}/hint")
    return HTMLResponse(render(request, "_hint.html", _shown(hints, table, seat, hint)), 200 if hint else 202)


async def hint(request: Request) -> Response:
    """What was told about the visitor's decision, as a page: for where there is no script."""
    table = seen(request, await open_table(request))
    seat = None if table.gathering else table.eyes(visitor_of(request.scope).id).seat
    if seat is None:
        raise Forbidden("Only who has to decide at a table is given a hint there.")
    hints: Hints = request.app.state.hints
    hints.require(table, seat, table.counters[seat])
    told, thinks = await hints.given(table, seat), hints.is_thought(table, seat)
    answer = page(request, "hint.html", {**_shown(hints, table, seat, told), "thinks": thinks})
    if thinks and not told:
        answer.headers["Refresh"] = str(_AGAIN)
    return answer


def _shown(hints: Hints, table: Table, seat: int, hint: Hint | None) -> dict[str, Any]:
    """The context of what is told."""
    moves = _told(table, seat, hint.moves) if hint else ()
    by_points = bool(hint and hint.by_points)
    ahead = _ahead(moves, by_points=by_points, by_lines=bool(hint and hint.line))
    return {
        "table": {"id": table.id, "game": {"name": table.game.name}},
        "seat": seat,
        "counter": table.counters[seat],
        "moves": moves,
        "sheet": table.match.sheet(),
        "by_points": by_points,
        "ahead": ahead,
        "two": _only_two_are_close(moves, by_points=by_points),
        "together": not by_points and ahead != "equal" and _is_told_together(moves),
        "waits": hint is None,
        "learns": hints.waits_for_lesson(table, seat),
    }


def _told(table: Table, seat: int, moves: Sequence[Expected]) -> tuple[MoveTold, ...]:
    """Moves in words. Others may have moved since they were judged: what is not legal any more is left out."""
    face, state, legal = table.game.face, table.match.state, table.match.legal(seat)
    return tuple(
        MoveTold(
            each.move,
            markup.plain(face.offer(state, seat, each.move), names_at(table)),
            face.steps(state, seat, each.move),
            each,
        )
        for each in moves
        if each.move in legal
    )


def _is_told_together(moves: Sequence[MoveTold]) -> bool:
    """Whether moves are told apart better than the errors of their chances look, since these have much in common."""
    if len(moves) < 2:
        return False
    best, other = (each.expected for each in moves[:2])
    lead = best.chance - other.chance
    return SURE * hypot(best.chance_error, other.chance_error) > lead > LIKELY * best.apart_error(other)


def _ahead(moves: Sequence[MoveTold], *, by_points: bool, by_lines: bool = False) -> str:
    """How sure it is that the first is the best: "clearly", "likely" or "level", or "" where there is no other.

    "richest": chances are told, and are the same whatever is played; it has clearly the most points.
    "equal": whatever lead it has is not seen in the figures that are shown. "liked": the games say so little that it is
    first by what a strong player likes. "found": it begins the best line to the end that was found, and not all were
    tried.
    """
    if len(moves) < 2:
        return ""
    best, other = (each.expected for each in moves[:2])
    if by_lines and any(each.expected.points_error for each in moves):
        return "found"
    first, second = (each.figures(by_points=by_points) for each in moves[:2])
    decided = not by_points and go_by_points((best, other))
    by_points = by_points or decided
    lead, error = _lead(best, other, by_points=by_points)
    if lead < 0:
        return "liked"
    if first <= second:
        return "equal"
    if lead > SURE * error and (by_points or lead > SLIGHT):
        return "richest" if decided else "clearly"
    return "likely" if lead > LIKELY * error else "level"


def _lead(move: Expected, other: Expected, *, by_points: bool) -> tuple[float, float]:
    """By how much a move is ahead of another one, on the scale by which both are judged, and how sure that is."""
    lead = move.points - other.points if by_points else move.chance - other.chance
    return lead, move.apart_error(other, by_points=by_points)


def _only_two_are_close(moves: Sequence[MoveTold], *, by_points: bool) -> bool:
    """Whether there is another one behind the first two that is likely worse than the better of them."""
    if len(moves) < 3:
        return False
    best, second, *others = (each.expected for each in moves)
    by_points = by_points or go_by_points((best, second))
    if _lead(second, best, by_points=by_points)[0] > 0:
        best = second
    leads = [_lead(best, each, by_points=by_points) for each in others]
    return any(lead > LIKELY * error for lead, error in leads)
