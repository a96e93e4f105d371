"""The pages of a table: the room itself, what is played in it, and its live stream."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp

from thorp.core.language import spoken, turn_to
from thorp.server.settings import Settings
from thorp.server.tables.eyes import Eyes
from thorp.server.tables.live import Live, Page
from thorp.server.tables.refusals import Forbidden, Gone, Illegal, Kept, Refusal, Stale, Unknown
from thorp.server.tables.rooms import Tables
from thorp.server.tables.several import play_several
from thorp.server.tables.store import Unavailable
from thorp.server.tables.table import Table, is_watched_by, own_seats
from thorp.server.web.addresses import origin_of
from thorp.server.web.answers import go, is_htmx, page, render
from thorp.server.web.chat_pages import talking
from thorp.server.web.clock_shown import clock_words, show_clocks
from thorp.server.web.forms import field, number, numbers, read_form
from thorp.server.web.guide_shown import show_guide
from thorp.server.web.naming import names_at
from thorp.server.web.own_page import own_page
from thorp.server.web.people import person_of, visitor_of
from thorp.server.web.record_pages import NO_SPECTATORS, record_page, recorded_export
from thorp.server.web.refusals import BadForm, status_of
from thorp.server.web.regions import ANY_NONCE, Drawn, Fragment, Regions
from thorp.server.web.setup import levels, no_such_bot, players_here
from thorp.server.web.sharing import address_of, code_of
from thorp.server.web.shown import Standing, show_company, show_gathering, show_to, standing_of, suggest, tell
from thorp.server.web.stream import Stream, event, presence

log = logging.getLogger(__name__)

_NONCE = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)
#: A request names the page that it comes from in this header, by the nonce of its stream.
_PAGE = "thorp-page"


class _Rendered:
    """The fragment of a viewer, and the events that bring it."""

    def __init__(self, fragment: Fragment) -> None:
        self.fragment = fragment
        self._events: dict[Fragment | None, tuple[bytes, ...]] = {}

    def event(self, sent: Fragment | None, nonce: str) -> bytes:
        """The event for a page that was sent that fragment before. All pages of whom this is true share it."""
        if sent not in self._events:
            whole = event(self.fragment.mark, self.fragment.since(sent))
            self._events[sent] = tuple(whole.split(ANY_NONCE.encode()))
        # An event without a place for the nonce is joined to itself: all who watch are sent the same bytes.
        return nonce.encode().join(self._events[sent])


async def table_page(request: Request) -> Response:
    """A table as a full page: one that gathers, one in play or played, or the record of an old one."""
    try:
        table = await open_table(request)
    except Kept:
        return await record_page(request)
    return table_page_of(request, table, own=await own_page(request, table))


async def fragment(request: Request) -> Response:
    """A table as the fragment that is swapped in."""
    table = seen(request, await open_table(request))
    with _answering(request, table.id) as pages:
        answer = HTMLResponse(_fragment(request, table))
        _is_sent(request, table, pages)
    return answer


async def play(request: Request) -> Response:
    """A move of the visitor, or several that were chosen at once."""
    return await _act(request, _play)


async def take_back(request: Request) -> Response:
    """Take back the visitor's last move."""
    return await _act(request, _take_back)


async def take_in_hand(request: Request) -> Response:
    """Let the page show another seat of this device, or draw the curtain (no seat)."""
    form = await read_form(request)
    seat = number(form, "seat", "which seat is to be shown") if field(form, "seat") else None
    id = request.path_params["id"]
    await _tables(request).take_in_hand(id, person_of(request).id, seat)
    return go(request, f"/tables/{id}")


async def act(request: Request, action: Callable[[Request, Table, FormData, int, int], Awaitable[Table]]) -> Response:
    """Let the visitor act for the seat that it has in hand: `action` is told the form, the seat and its counter."""
    return await _act(request, action)


def table_answer(request: Request, table: Table) -> Response:
    """The table after something was done."""
    return _after(request, table)


async def _play(request: Request, table: Table, form: FormData, seat: int, counter: int) -> Table:
    chosen = numbers(form, "move", "which move you chose")
    if len(chosen) > 1:
        return await play_several(_tables(request), table.id, seat, counter, chosen, by=table.seats[seat])
    return await _tables(request).play(table.id, seat, counter, chosen[0], by=table.seats[seat])


async def _take_back(request: Request, table: Table, form: FormData, seat: int, counter: int) -> Table:
    return await _tables(request).take_back(table.id, seat, counter, by=table.seats[seat])


async def _act(request: Request, action: Callable[[Request, Table, FormData, int, int], Awaitable[Table]]) -> Response:
    """Let the visitor act. The answer brings the table to the page that asked, so its stream need not bring it too."""
    # What is not up to date in this look is found by the action.
    table = await _tables(request).glance(request.path_params["id"])
    turn_to(table.game.words)
    if table.is_shared or not table.seats_of(person_of(request).id):
        # Which seat is in hand is stored, too, and who acts for another one is refused before that. And who sits down
        # by way of another server may have a seat that is not known here yet.
        table = await open_table(request)
    with _answering(request, table.id) as pages:
        try:
            form = await read_form(request)
            seat = seat_in_hand(request, table, form)
            counter = number(form, "counter", "how many moves you had made")
            table = await action(request, table, form, seat, counter)
            await _tell(request, table)
            answer = _after(request, table, pages)
            _is_sent(request, table, pages)
        except (BadForm, Illegal, Stale) as refusal:
            table = await open_table(request)
            answer = table_refusal(request, table, refusal)
            _is_sent(request, table, pages)
            for each in pages:
                # The word that is shown with it has to go with what comes next.
                each.sent = None
    return answer


def _answering(request: Request, id: str) -> AbstractContextManager[tuple[Page, ...]]:
    """The page that a request comes from, while it is answered."""
    live: Live = request.app.state.live
    return live.answering(id, request.headers.get(_PAGE, ""), visitor_of(request.scope).id)


def _is_sent(request: Request, table: Table, pages: Sequence[Page]) -> None:
    """Note that these pages are sent the table as it is now."""
    for each in pages:
        each.mark = table.mark_for(_eyes(request, table))
        each.sent = _rendered(request, table).fragment


async def again(request: Request) -> Response:
    """The rematch: against bots of another level, where the form names one."""
    form = await read_form(request)
    level = field(form, "bots") if "bots" in form else None
    tables = _tables(request)
    table = await open_table(request)
    if level is not None and level not in players_here(request):
        return table_refusal(request, table, no_such_bot(request, level))
    try:
        person = person_of(request).id
        if not is_watched_by(table.row, table.seats, person):
            own_seats(table, person)
        is_new = not table.gathering and table.match.over and table.row.next_table is None
        async with request.app.state.limits.new_table(request) if is_new else nullcontext():
            following = await tables.again(table.id, level)
    except (Stale, Illegal) as refusal:
        return table_refusal(request, table, refusal)
    if is_new:
        request.app.state.bots.made(following, origin_of(request.scope))
    return go(request, f"/tables/{following}")


async def events(request: Request) -> ASGIApp:
    """The stream of a table: the fragment, fresh, whenever something has happened."""
    table = seen(request, await open_table(request))
    id = table.id
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    settings: Settings = request.app.state.settings
    live: Live = request.app.state.live
    nonce = request.query_params.get("nonce", "")
    if _NONCE.fullmatch(nonce):
        visitor_of(request.scope).nonce = nonce

    def look() -> bytes | None:
        # Who wakes a page has changed the table that this process knows: there is nothing to be read for it.
        table = tables.seen(id)
        if table is None:
            return None
        is_news = table.mark_for(_eyes(request, table)) != waiting.mark
        if not is_news and waiting.sent is not None:
            return None
        rendered, sent = _rendered(request, table), waiting.sent
        waiting.mark, waiting.sent = rendered.fragment.mark, rendered.fragment
        return rendered.event(sent, visitor.nonce) if is_news else None

    def present() -> bytes:
        table = tables.seen(id)
        if table is None or not (table.gathering or table.may_be_seen_by(visitor.id)):
            return presence((), 0)
        there = live.visitors(id)
        players = {seat.person for seat in table.seats if seat.person in there}
        watching = len(there) - len(players) - (visitor.id in there and visitor.id not in players)
        watching += live.watching_elsewhere(id)
        called, others = names_at(table), players - {visitor.id}
        return presence([called[seat.seat] for seat in table.seats if seat.person in others], watching)

    async def keep() -> None:
        """Look once a heartbeat for what other servers have stored; who waits is told by the reading itself."""
        while True:
            await asyncio.sleep(settings.heartbeat)
            try:
                fresh = await tables.open(id)
                request.app.state.bots.wake(fresh)
                request.app.state.beforehand.wake(fresh)
                await request.app.state.chats.follow(id)
            except (Gone, Unknown):
                live.end(id)
            except (Refusal, Unavailable):
                # The pages show what they have; the next look tries again.
                pass
            except Exception:
                log.exception("table %s could not be looked at", id)

    tables, visitor = _tables(request), visitor_of(request.scope)
    mark = request.headers.get("last-event-id") or request.query_params.get("since", "")
    await request.app.state.chats.follow(id)
    talk = talking(request, id)
    waiting = Page(nonce, visitor.id, mark, sits=bool(table.seats_of(visitor.id)))
    stream = Stream(live, id, waiting, look, present, keep, heartbeat=settings.heartbeat, pace=settings.pace, talk=talk)
    return request.app.state.limits.stream(stream)  # type: ignore[no-any-return]


async def export(request: Request) -> Response:
    """A finished match as a file."""
    try:
        table = seen(request, await open_table(request))
    except Kept:
        game, text = await recorded_export(request)
    else:
        if table.gathering or not table.match.over:
            raise Forbidden(
                "A match can be saved when it is over: the file tells what is still secret. Play it to its end first."
            )
        game, text = table.game.id, table.match.export()
    name = f"{game}-{request.path_params['id']}.json"
    return Response(
        text,
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def seat_in_hand(request: Request, table: Table, form: FormData) -> int:
    """The seat that the visitor acts for. Raises Forbidden for a spectator, and for a passer-by, who may have a seat.

    Where several are at the visitor's device the form says which one it was made for: Stale, if that is not in hand.
    """
    seats = own_seats(table, person_of(request).id)
    if len(seats) == 1:
        return seats[0]
    seat = number(form, "seat", "for which seat you decide")
    if seat != _eyes(request, table).seat:
        raise Stale("The device has been passed on since, so this was not done. Take the seat in hand again to decide.")
    return seat


def _eyes(request: Request, table: Table) -> Eyes:
    """Whose eyes the visitor has."""
    return table.eyes(visitor_of(request.scope).id)


def seen(request: Request, table: Table) -> Table:
    """A table that the visitor may look at, or that gathers. Raises Forbidden for a spectator where there are none."""
    if not table.gathering and not table.may_be_seen_by(visitor_of(request.scope).id):
        raise Forbidden(NO_SPECTATORS)
    return table


def table_page_of(
    request: Request, table: Table, refusal: Refusal | None = None, own: Mapping[str, Any] | None = None
) -> Response:
    """The page of a table as it is now. Raises Forbidden where the visitor may not look on.

    `own`: what is the visitor's own, and so stands outside of the fragment (`own_page.py`).
    """
    context = {**_context(request, table, refusal), **(own or {})}
    status = status_of(refusal) if refusal else 200
    if table.gathering:
        address = address_of(request, table.id)
        return page(request, "gathering.html", {**context, "address": address, "code": code_of(address)}, status)
    return page(request, "table.html", {**context, "fragment": Markup(_fragment(request, table, refusal))}, status)


def _fragment(request: Request, table: Table, refusal: Refusal | None = None, sent: Fragment | None = None) -> str:
    """The fragment for the visitor, or what is new of it for a page that was sent another one before."""
    if refusal:
        return render(request, _template(table), _context(request, table, refusal))
    return _rendered(request, table).fragment.since(sent).replace(ANY_NONCE, visitor_of(request.scope).nonce)


def shown_html(request: Request, table: Table) -> str:
    """The fragment that the visitor is shown."""
    return _rendered(request, table).fragment.text


def _rendered(request: Request, table: Table) -> _Rendered:
    """Whoever has the same standing, eyes and language is shown the same: it is rendered once a change."""
    standing = standing_of(table, visitor_of(request.scope).id)
    viewer = standing, spoken()
    if viewer not in table.rendered:
        # Who has left a table without spectators is told no more than that the match has begun.
        closed = not table.gathering and not standing.sees
        template = "_closed.html" if closed else _template(table)
        shown = {"table": table} if closed else _shown(request, table, standing)
        kept = table.parts.setdefault(viewer, Drawn())
        regions = Regions(kept)
        parts = {"nonce": ANY_NONCE, "region": regions, "part": kept.part}
        text = render(request, template, {**shown, **parts})
        table.rendered[viewer] = _Rendered(regions.fragment(table.mark_for(standing.eyes), text))
    return table.rendered[viewer]  # type: ignore[no-any-return]


def _template(table: Table) -> str:
    return "_gathering.html" if table.gathering else "_table.html"


def _shown(request: Request, table: Table, standing: Standing) -> dict[str, Any]:
    more = {"levels": levels(request), "clock_choice": clock_words(table.row.clock)}
    if table.gathering:
        return {**more, **show_gathering(table, standing)}
    own = {
        "clocks": show_clocks(table, standing.mine),
        "guide": show_guide(table, standing),
        "suggested": suggest(table, standing, levels(request)),
    }
    return {**more, **show_to(table, standing), "company": show_company(table, standing), **own}


def _context(request: Request, table: Table, refusal: Refusal | None) -> dict[str, Any]:
    context = _shown(request, seen(request, table), standing_of(table, visitor_of(request.scope).id))
    return {**context, "notice": refusal.sentence} if refusal else context


def table_refusal(request: Request, table: Table, refusal: Refusal) -> Response:
    """The fresh table, with the reason why nothing was done."""
    if is_htmx(request):
        return HTMLResponse(_fragment(request, table, refusal), status_of(refusal))
    return table_page_of(request, table, refusal)


def _after(request: Request, table: Table, pages: Sequence[Page] = ()) -> Response:
    """The table after something was done: what is new of it, where it is known what the page has."""
    if is_htmx(request):
        return HTMLResponse(_fragment(request, table, sent=pages[0].sent if len(pages) == 1 else None))
    return go(request, f"/tables/{table.id}")


async def open_table(request: Request) -> Table:
    """The table of a request as it is now, its bots at work; what is said from now on is in the words of its game."""
    table = await _tables(request).open(request.path_params["id"])
    turn_to(table.game.words)
    if table.seats_of(person := visitor_of(request.scope).id):
        live: Live = request.app.state.live
        live.saw(table.id, person)
    request.app.state.bots.wake(table)
    request.app.state.beforehand.wake(table)
    if table.gathering and not is_htmx(request):
        # its page has the code, also one with a refusal
        await asyncio.to_thread(code_of, address_of(request, table.id))
    await _tell(request, table)
    return table


async def _tell(request: Request, table: Table) -> None:
    """Have told to the visitor, before it is shown the table, what would keep others waiting."""
    if table.may_be_seen_by(visitor_of(request.scope).id):
        await tell(table, _eyes(request, table).seat)


def _tables(request: Request) -> Tables:
    return request.app.state.tables  # type: ignore[no-any-return]
