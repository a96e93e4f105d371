"""The pages of a table: the room itself, what is played in it, and its live stream."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp

from thorp.server.settings import Settings
from thorp.server.tables.live import Live, Page
from thorp.server.tables.refusals import Forbidden, Illegal, Refusal, Stale
from thorp.server.tables.rooms import Tables
from thorp.server.tables.store import Unavailable
from thorp.server.tables.table import Table, own_seat
from thorp.server.web.answers import go, is_htmx, page, render
from thorp.server.web.forms import number, read_form
from thorp.server.web.people import visitor_of
from thorp.server.web.refusals import BadForm, status_of
from thorp.server.web.shown import show
from thorp.server.web.stream import Stream

_NONCE = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)
#: A request names the page that it comes from in this header, by the nonce of its stream.
_PAGE = "thorp-page"
#: Stands for the nonce in fragments that are kept. Nobody can write it into a name.
_ANY_NONCE = secrets.token_urlsafe(16)


async def table_page(request: Request) -> Response:
    """A table as a full page."""
    return _table_page(request, await _open(request))


async def fragment(request: Request) -> Response:
    """A table as the fragment that is swapped in."""
    return HTMLResponse(_fragment(request, await _open(request)))


async def play(request: Request) -> Response:
    """A move of the visitor."""
    return await _act(request, _play)


async def take_back(request: Request) -> Response:
    """Take back the visitor's last move."""
    return await _act(request, _take_back)


async def _play(request: Request, table: Table, form: FormData, seat: int, counter: int) -> Table:
    return await _tables(request).play(table.id, seat, counter, number(form, "move", "which move you chose"))


async def _take_back(request: Request, table: Table, form: FormData, seat: int, counter: int) -> Table:
    return await _tables(request).take_back(table.id, seat, counter)


async def _act(request: Request, action: Callable[[Request, Table, FormData, int, int], Awaitable[Table]]) -> Response:
    """Let the visitor act. The answer brings the table to the page that asked, so its stream need not bring it too."""
    # What is not up to date in this look is found by the action.
    table = await _tables(request).glance(request.path_params["id"])
    live: Live = request.app.state.live
    with live.answering(table.id, request.headers.get(_PAGE, ""), visitor_of(request.scope).id) as pages:
        try:
            form = await read_form(request)
            seat = _my_seat(request, table)
            counter = number(form, "counter", "how many moves you had made")
            table = await action(request, table, form, seat, counter)
            answer = _after(request, table)
        except (BadForm, Illegal, Stale) as refusal:
            table = await _open(request)
            answer = _table_refusal(request, table, refusal)
        for page in pages:
            page.mark = table.mark
    return answer


async def again(request: Request) -> Response:
    """The rematch."""
    tables = _tables(request)
    table = await _open(request)
    try:
        _my_seat(request, table)
        following = await tables.again(table.id)
    except Stale as refusal:
        return _table_refusal(request, table, refusal)
    request.app.state.bots.wake(await tables.open(following))
    return go(request, f"/tables/{following}")


async def events(request: Request) -> ASGIApp:
    """The stream of a table: the fragment, fresh, whenever something has happened."""
    id = (await _open(request)).id
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    settings: Settings = request.app.state.settings
    live: Live = request.app.state.live
    nonce = request.query_params.get("nonce", "")
    if _NONCE.fullmatch(nonce):
        visitor_of(request.scope).nonce = nonce

    async def look(mark: str) -> tuple[str, str] | None:
        try:
            table = await _tables(request).open(id)
        except Unavailable:
            # The page shows what it has; the next sign of life tries again.
            return None
        request.app.state.bots.wake(table)
        return None if table.mark == mark else (table.mark, _fragment(request, table))

    mark = request.headers.get("last-event-id") or request.query_params.get("since", "")
    waiting = Page(nonce, visitor_of(request.scope).id, mark)
    return Stream(live, id, waiting, look, heartbeat=settings.heartbeat, pace=settings.pace)


async def export(request: Request) -> Response:
    """A finished match as a file."""
    table = await _open(request)
    if not table.match.over:
        raise Forbidden(
            "A match can be saved when it is over: the file tells what is still secret. Play it to its end first."
        )
    name = f"{table.game.id}-{table.id}.json"
    return Response(
        table.match.export(),
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _my_seat(request: Request, table: Table) -> int:
    """The seat of the visitor. Raises Forbidden for a spectator."""
    visitor = visitor_of(request.scope)
    if visitor.notice:
        # a cookie that we could not read: say that, rather than that the person has no seat
        raise Forbidden(visitor.notice)
    return own_seat(table, visitor.id)


def _table_page(request: Request, table: Table, refusal: Refusal | None = None) -> Response:
    status = status_of(refusal) if refusal else 200
    return page(request, "table.html", _context(request, table, refusal), status)


def _fragment(request: Request, table: Table, refusal: Refusal | None = None) -> str:
    """The fragment for the visitor. Whoever sits at the same seat is shown the same: it is rendered once a change."""
    visitor = visitor_of(request.scope)
    seat = table.seat_of(visitor.id)
    if refusal or visitor.notice:
        return render(request, "_table.html", _context(request, table, refusal))
    if seat not in table.rendered:
        table.rendered[seat] = render(request, "_table.html", {**show(table, seat), "nonce": _ANY_NONCE})
    return table.rendered[seat].replace(_ANY_NONCE, visitor.nonce)


def _context(request: Request, table: Table, refusal: Refusal | None) -> dict[str, Any]:
    context = show(table, table.seat_of(visitor_of(request.scope).id))
    return {**context, "notice": refusal.sentence} if refusal else context


def _table_refusal(request: Request, table: Table, refusal: Refusal) -> Response:
    """The fresh table, with the reason why nothing was done."""
    if is_htmx(request):
        return HTMLResponse(_fragment(request, table, refusal), status_of(refusal))
    return _table_page(request, table, refusal)


def _after(request: Request, table: Table) -> Response:
    """The table after something was done."""
    if is_htmx(request):
        return HTMLResponse(_fragment(request, table))
    return go(request, f"/tables/{table.id}")


async def _open(request: Request) -> Table:
    table = await _tables(request).open(request.path_params["id"])
    request.app.state.bots.wake(table)
    return table


def _tables(request: Request) -> Tables:
    return request.app.state.tables  # type: ignore[no-any-return]
