"""Who sits at a table: sitting down, leaving, what the opener decides, and taking over while a match runs."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from thorp.server.settings import Settings
from thorp.server.tables import seating
from thorp.server.tables.live import Live
from thorp.server.tables.refusals import Forbidden, Illegal, Stale
from thorp.server.tables.rooms import Tables
from thorp.server.tables.table import Table
from thorp.server.web.answers import go, is_htmx
from thorp.server.web.forms import field, number, read_form, text
from thorp.server.web.people import person_of, rename
from thorp.server.web.refusals import BadForm
from thorp.server.web.setup import no_such_bot, players_here
from thorp.server.web.table_pages import open_table, table_answer, table_refusal

#: What the opener may make of a seat besides giving it to a bot of a level.
FREE = "free"


async def sit(request: Request) -> Response:
    """The visitor takes a free seat, under the name that it has typed."""
    form = await read_form(request)
    person = person_of(request)
    number_of = number(form, "seat", "which seat you take")
    table = await open_table(request)
    try:
        if "name" in form and field(form, "name") != person.name:
            await rename(request, field(form, "name"))
    except BadForm as refusal:
        return table_refusal(request, table, refusal)
    return await _change(request, table, seating.sit(number_of, person.id, person.name))


async def leave(request: Request) -> Response:
    """The visitor leaves its seat: the one that the form names, where there are several.

    While the match runs a bot plays on, of the level that the form names, or of the usual one.
    """
    form = await read_form(request)
    number_of = number(form, "seat", "which seat you leave") if "seat" in form else None
    to = field(form, "to") if "to" in form else _stand_in(request)
    table = await open_table(request)
    if to not in players_here(request):
        return table_refusal(request, table, no_such_bot(request, to))
    return await _change(request, table, seating.leave(person_of(request).id, to, number_of))


async def seat(request: Request) -> Response:
    """The opener makes a seat free, or gives it to a bot."""
    form = await read_form(request)
    number_of = number(form, "seat", "which seat you mean")
    to, person = field(form, "to"), person_of(request).id
    table = await open_table(request)
    if to == FREE:
        return await _change(request, table, seating.free(number_of, person))
    if to not in players_here(request):
        return table_refusal(request, table, no_such_bot(request, to))
    live: Live = request.app.state.live
    was_here = partial(live.was_here, table.id)
    return await _change(request, table, seating.give_to_bot(number_of, person, to, was_here))


async def start(request: Request) -> Response:
    """The opener begins the match."""
    return await _change(request, await open_table(request), seating.start(person_of(request).id, _stand_in(request)))


async def come_back(request: Request) -> Response:
    """The visitor takes its seat back from the bot that kept it."""
    return await _change(request, await open_table(request), seating.come_back(person_of(request).id))


async def ask(request: Request) -> Response:
    """The visitor asks to take over the seat of a bot."""
    form = await read_form(request)
    person = person_of(request)
    asking = seating.ask(number(form, "seat", "which seat you ask for"), person.id, person.name)
    return await _change(request, await open_table(request), asking)


async def answer(request: Request) -> Response:
    """The opener answers who has asked for a seat."""
    form = await read_form(request)
    seat = number(form, "seat", "which seat you mean")
    seen = number(form, "seating", "which seats you had seen")
    yes = text(form.get("answer")) == "yes"
    return await _change(request, await open_table(request), seating.answer(seat, person_of(request).id, seen, yes=yes))


async def _change(request: Request, table: Table, change: seating.Change) -> Response:
    """Change who sits there, and show the table; where it is refused, with the reason.

    Forms by which the visitor gets a seat in a match, or leaves it, ask for the whole page, on which more hangs on that
    than the fragment. It is shown from the table on, where the focus goes.
    """
    tables: Tables = request.app.state.tables
    gathered = table.gathering
    try:
        await tables.reseat(table.id, change)
    except (Stale, Illegal, Forbidden) as refusal:
        fresh = await open_table(request)
        if not (fresh.gathering or fresh.may_be_seen_by(person_of(request).id)):
            raise
        return table_refusal(request, fresh, refusal)
    if is_htmx(request):
        return table_answer(request, await open_table(request))
    return go(request, f"/tables/{table.id}{'' if gathered else '#table'}")


def _stand_in(request: Request) -> str:
    """The bot that stands in for people."""
    settings: Settings = request.app.state.settings
    return settings.players.usual()
