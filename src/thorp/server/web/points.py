"""What the points of the moment are for: the running score sheet, as far as a seat knows it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from thorp.core.forecast import as_known
from thorp.server.tables.refusals import Forbidden
from thorp.server.web.answers import is_htmx, page
from thorp.server.web.naming import names_at
from thorp.server.web.people import visitor_of
from thorp.server.web.table_pages import open_table, seen


async def points(request: Request) -> Response:
    """The visitor's own column of the score sheet as if the game ended now. Raises Forbidden for who has none."""
    table = seen(request, await open_table(request))
    seat = None if table.gathering else table.eyes(visitor_of(request.scope).id).seat
    if seat is None:
        raise Forbidden("Only those who sit at the table are told what their points are for.")
    sheet = table.game.face.sheet(as_known(table.game, table.match.state, seat))
    context = {"sheet": sheet, "seat": seat, "names": names_at(table), "id": table.id}
    return page(request, "_points.html" if is_htmx(request) else "points.html", context)
