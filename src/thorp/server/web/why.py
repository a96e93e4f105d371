"""Why something on the page of a table cannot be chosen now: asked by a click that would do nothing."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from thorp.core.why import why_not
from thorp.core.words import Message
from thorp.server.tables.table import Table
from thorp.server.web import markup
from thorp.server.web.naming import names_at
from thorp.server.web.people import visitor_of
from thorp.server.web.shown import show
from thorp.server.web.table_pages import open_table, seen, shown_html

#: What an element can stand for: steps with a space between them.
_THINGS = re.compile(r"[A-Za-z0-9_-]+(?: [A-Za-z0-9_-]+)*", re.ASCII)
_LONGEST = 400
#: The button that takes a move back is of every table.
TAKE_BACK = "take-back"


async def why(request: Request) -> Response:
    """The reason, as words for the page; none (204) where there is nothing to be told to this visitor."""
    things, chosen = steps_in(request, "thing"), steps_in(request, "chosen")
    table, seat = await asked_about(request, things)
    if seat is None:
        return Response(status_code=204)
    reason = _reason(table, seat, things, chosen)
    return Response(status_code=204) if reason is None else HTMLResponse(markup.html(reason, names_at(table)))


async def asked_about(request: Request, things: tuple[str, ...]) -> tuple[Table, int | None]:
    """The table of a request about things on its page, and the visitor's seat: None where it is told nothing."""
    table = seen(request, await open_table(request))
    seat = None if table.gathering else table.eyes(visitor_of(request.scope).id).seat
    if seat is None or not things or table.match.over or not _is_there(request, table, things):
        return table, None
    return table, seat


def steps_in(request: Request, name: str) -> tuple[str, ...]:
    """Steps of a query; none where they are none that could stand on a page."""
    said = request.query_params.get(name, "")
    return tuple(said.split(" ")) if len(said) <= _LONGEST and _THINGS.fullmatch(said) else ()


def _is_there(request: Request, table: Table, things: tuple[str, ...]) -> bool:
    """Whether that stands on the visitor's own page: nobody is told about anything that it does not see."""
    page, thing = shown_html(request, table), " ".join(things)
    return any(f'{name}="{thing}"' in page for name in ("data-step", "data-why"))


def _reason(table: Table, seat: int, things: tuple[str, ...], chosen: tuple[str, ...]) -> Message | None:
    if things == (TAKE_BACK,):
        possible = table.can_take_back(seat) or table.can_go_back(seat)
        return None if possible else Message("There is no move of yours that could be taken back.")
    offered = [offer.steps for offer in show(table, seat)["offers"]]
    return why_not(table.game, table.match.state, seat, things, chosen, offered)
