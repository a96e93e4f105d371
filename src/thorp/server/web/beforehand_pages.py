"""Answers given beforehand, on the page of a table: only their own person sees them."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from thorp.core.language import turn_to
from thorp.server.tables import beforehand
from thorp.server.tables.beforehand import Beforehand
from thorp.server.tables.refusals import Forbidden
from thorp.server.tables.rooms import Tables
from thorp.server.tables.table import Table, own_seats
from thorp.server.web import markup
from thorp.server.web.answers import go, is_htmx, render
from thorp.server.web.forms import field, read_form
from thorp.server.web.naming import names_at
from thorp.server.web.people import person_of, visitor_of
from thorp.server.web.refusals import BadForm

_SHARED = "Several people play at this device, so nothing is answered beforehand there."


@dataclass(frozen=True)
class AnswerShown:
    """What can be answered beforehand: in words, for how long, and whether it is: "", "span" or "always"."""

    id: str
    words: Markup
    until: Markup
    given: str


async def give(request: Request) -> Response:
    """Answer something beforehand, or be asked again."""
    form = await read_form(request)
    tables: Tables = request.app.state.tables
    table = await tables.open(request.path_params["id"])
    turn_to(table.game.words)
    seat = _seat(request, table)
    answer, hold = field(form, "answer"), field(form, "hold")
    if hold not in ("span", "always", "no"):
        raise BadForm("The form did not say how long the answer holds. Load the page again, and try once more.")
    answers: Beforehand = request.app.state.beforehand
    if hold == "no":
        await answers.take_back(table.id, seat, answer)
    else:
        await answers.give(table, seat, answer, always=hold == "always")
    if is_htmx(request):
        return await _panel(request, table)
    return go(request, f"/tables/{table.id}#beforehand")


async def panel(request: Request) -> Response:
    """What can be answered beforehand, as it is now."""
    tables: Tables = request.app.state.tables
    table = await tables.open(request.path_params["id"])
    turn_to(table.game.words)
    _seat(request, table)
    return await _panel(request, table)


async def show_beforehand(request: Request, table: Table) -> tuple[AnswerShown, ...]:
    """What the visitor can answer beforehand, and what it has."""
    mine = table.seats_of(visitor_of(request.scope).id)
    found = beforehand.answers(table, mine[0]) if len(mine) == 1 else ()
    if not found:
        return ()
    answers: Beforehand = request.app.state.beforehand
    held = beforehand.holding(table, mine[0], await answers.given(table.id))
    return tuple(
        AnswerShown(
            each.id,
            markup.html(each.words, names_at(table)),
            markup.html(each.until, names_at(table)),
            "" if each.id not in held else "always" if held[each.id].span is None else "span",
        )
        for each in found
    )


async def _panel(request: Request, table: Table) -> Response:
    context = {"table": {"id": table.id}, "beforehand": await show_beforehand(request, table), "opened": True}
    return HTMLResponse(render(request, "_beforehand.html", context))


def _seat(request: Request, table: Table) -> int:
    """The seat of the visitor. Raises Forbidden for a spectator, and where several are at the visitor's device."""
    seats = own_seats(table, person_of(request).id)
    if len(seats) > 1:
        raise Forbidden(_SHARED)
    return seats[0]
