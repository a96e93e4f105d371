"""Replay: every position of a match has an address of its own; playing on from there; matches that come as files."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from thorp.server.tables.refusals import Forbidden, Gone, Illegal, Kept, Unknown
from thorp.server.tables.rooms import Tables
from thorp.server.tables.seating import bot_name
from thorp.server.tables.table import Player, Table, own_seats
from thorp.server.web.addresses import origin_of
from thorp.server.web.answers import go, is_htmx, page, render
from thorp.server.web.forms import NUMBER, field, number, read_form, text
from thorp.server.web.limits import Limits
from thorp.server.web.people import person_of, visitor_of
from thorp.server.web.review_shown import show_decision
from thorp.server.web.setup import levels, players_here
from thorp.server.web.shown import eyes_query, show_position, tell
from thorp.server.web.table_pages import open_table, seen

#: Asks, in place of a number, for the position of the match before from which a table goes on.
BEFORE = "before"


async def position(request: Request) -> Response:
    """A position as a page, or as what changes from one to the next.

    While a match runs everybody looks with its own eyes; when it is over, with anybody's.
    """
    table = await _open(request)
    ply = _ply(table, request.path_params["ply"])
    seat, query = _eyes(request, table)
    visitor = visitor_of(request.scope).id
    reviews = await request.app.state.reviews.of(table.id) if table.match.over else ()
    await tell(table, seat)
    context = {
        **show_position(table, ply, seat, query, own=seat in table.seats_of(visitor)),
        "decision": show_decision(table, reviews, seat, ply),
        "levels": levels(request),
        "sat": bool(table.seats_of(visitor)),
        "among_bots": seat is not None and _is_among_bots(table, visitor, seat),
    }
    if is_htmx(request):
        return HTMLResponse(render(request, "_position.html", context))
    return page(request, "position.html", context)


def _is_among_bots(table: Table, person: str, seat: int) -> bool:
    """Whether a person has this seat, and bots all others: to try again calls nobody to a table then."""
    others = [each for each in table.seats if each.seat != seat]
    return table.seats_of(person) == (seat,) and all(each.bot and each.away is None for each in others)


async def find_position(request: Request) -> Response:
    """Go to the position whose number was put in, or to the latest one."""
    table = await _open(request)
    if BEFORE in request.query_params:
        return await _before(request, table)
    wanted = request.query_params.get("ply", "")
    ply = _ply(table, wanted) if wanted else table.match.ply
    _, query = _eyes(request, table)
    return go(request, f"/tables/{table.id}/at/{ply}{query}")


async def _before(request: Request, table: Table) -> Response:
    """Go to the position from which a table goes on, in the match that was played before, or to the record of that.

    Raises Unknown where the visitor may not look at it, or it is there no more.
    """
    person, id = visitor_of(request.scope).id, table.row.former
    tables: Tables = request.app.state.tables
    if id and (mine := table.seat_of(person)) is not None:
        try:
            former = await tables.open(id)
            if former.may_be_seen_by(person):
                return go(request, f"/tables/{id}/at/{table.match.continued}{eyes_query(mine)}")
        except Kept:
            return go(request, f"/tables/{id}")
        except (Gone, Unknown):
            pass
    raise Unknown(
        "The match from which this table goes on cannot be looked at here, or not any more. Go back to the table."
    )


async def play_on(request: Request) -> Response:
    """A new table that goes on from a position: with the same players, or with the visitor and bots."""
    table = await _open(request)
    ply = _ply(table, request.path_params["ply"])
    form = await read_form(request)
    visitor = person_of(request)
    if text(form.get("players")) == "same":
        own_seats(table, visitor.id)
        players = [Player(seat.name, seat.person, seat.bot, seat.away) for seat in table.seats]
    else:
        seat = number(form, "seat", "which seat is to be yours")
        level = field(form, "bot")
        if not 1 <= seat <= table.row.seats or level not in players_here(request):
            raise Illegal("There is no such seat at this table, or no such bot. Choose both anew.")
        players = [
            Player(visitor.name, person=visitor.id) if other == seat - 1 else Player(bot_name(other), bot=level)
            for other in range(table.row.seats)
        ]
    tables: Tables = request.app.state.tables
    async with request.app.state.limits.new_table(request):
        id = await tables.play_on(table.id, ply, players, visitor.id)
    request.app.state.bots.made(id, origin_of(request.scope))
    return go(request, f"/tables/{id}")


async def take_in(request: Request) -> Response:
    """A table for the match of an exported file, which everybody can look at who has its address."""
    form = await read_form(request)
    visitor = person_of(request)
    tables: Tables = request.app.state.tables
    limits: Limits = request.app.state.limits
    async with limits.new_table(request):
        with limits.file(request):
            id = await tables.take_in(field(form, "match"), visitor.id)
    return go(request, f"/tables/{id}")


async def _open(request: Request) -> Table:
    """The table of a request, whose positions the visitor may look at. Raises Unknown before the match has begun."""
    table = seen(request, await open_table(request))
    if table.gathering:
        raise Unknown("This match has not begun, so it has no positions. Go to the table, and wait there.")
    return table


def _ply(table: Table, wanted: str) -> int:
    """The number of a position. Raises Unknown where the match has none of that number."""
    last = table.match.ply
    if not NUMBER.fullmatch(wanted) or int(wanted) > last:
        raise Unknown(
            "This match has the positions 0 to {last}, and not that one: it may have been taken back. Go back to the "
            "table, and look from there.",
            last=last,
        )
    return int(wanted)


def _eyes(request: Request, table: Table) -> tuple[int | None, str]:
    """With whose eyes the visitor looks, and what the addresses end with where it has asked for them.

    Raises Forbidden for others' eyes while the match runs, Unknown for those of nobody.
    """
    eyes = table.eyes(visitor_of(request.scope).id)
    # A device that is passed round keeps no hand on a page that can be gone back to: there it looks on.
    own = None if eyes.device and eyes.secret and not table.match.over else eyes.seat
    asked = request.query_params.get("as", "")
    if not asked:
        return own, ""
    by_query = {eyes_query(seat): seat for seat in (None, *range(table.row.seats))}
    query = f"?as={asked}"
    if query not in by_query:
        raise Unknown("This table has no such seat. Leave the end of the address away, and choose a seat there.")
    seat = by_query[query]
    if seat != own and not table.match.over:
        raise Forbidden("While a match runs everybody sees it with their own eyes. When it is over, look again.")
    return seat, query
