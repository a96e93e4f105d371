"""The review of a match that is over: asked for at its end, and shown there or as a page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from thorp.server.tables.hints import Hints
from thorp.server.tables.refusals import Forbidden
from thorp.server.tables.reviews import Reviews
from thorp.server.tables.table import Table
from thorp.server.web.addresses import origin_of
from thorp.server.web.answers import go, is_htmx, page, render
from thorp.server.web.forms import number, read_form
from thorp.server.web.people import person_of, visitor_of
from thorp.server.web.review_shown import show_reviews
from thorp.server.web.table_pages import open_table, seen

#: After so many seconds a page without script looks again how far it is.
_AGAIN = 3


async def review(request: Request) -> Response:
    """What is known of the decisions of a match that is over: to whoever may look at it."""
    return await _page(request, await _over(request))


async def ask(request: Request) -> Response:
    """Judge the decisions of a seat; for who belongs to the table."""
    table = await _over(request)
    form = await read_form(request)
    person = person_of(request).id
    if not _may_ask(table, person):
        raise Forbidden("Only those who played this match, or have opened its table, can have it looked through.")
    seat = number(form, "seat", "whose decisions are to be looked through")
    reviews: Reviews = request.app.state.reviews
    whose = origin_of(request.scope), person
    await reviews.begin(table, seat, person, whose, lambda: request.app.state.limits.review(request))
    if is_htmx(request):
        return await _page(request, table)
    return go(request, f"/tables/{table.id}/review")


async def _over(request: Request) -> Table:
    """The table of a request, whose match is over. Raises Forbidden before that: what is hidden is not judged."""
    table = seen(request, await open_table(request))
    if table.gathering or not table.match.over:
        raise Forbidden("A match is looked through when it is over. Play it to its end first.")
    return table


def _may_ask(table: Table, person: str) -> bool:
    return table.row.opener == person or any(person in (seat.person, seat.away) for seat in table.seats)


async def _page(request: Request, table: Table) -> Response:
    reviews: Reviews = request.app.state.reviews
    hints: Hints = request.app.state.hints
    person = visitor_of(request.scope).id
    shown = show_reviews(table, await reviews.of(table.id), table.seat_of(person), await hints.taken(table))
    context = {**shown, "may_ask": _may_ask(table, person)}
    if is_htmx(request):
        return HTMLResponse(render(request, "_review.html", context))
    answer = page(request, "review.html", context)
    if shown["works"]:
        answer.headers["Refresh"] = str(_AGAIN)
    return answer
