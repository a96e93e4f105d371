"""The first page, and pages about no table: the rules of games, credits, health."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thorp.core.language import turn_to
from thorp.core.registry import game as find_game
from thorp.server.tables.readiness import Readiness
from thorp.server.tables.refusals import Unknown
from thorp.server.tables.store import Store, Unavailable, Visit
from thorp.server.tables.table import RECORDED
from thorp.server.web.answers import page, preparing
from thorp.server.web.guide_shown import guide_here
from thorp.server.web.naming import called_together
from thorp.server.web.people import visitor_of
from thorp.server.web.rulebooks import Rulebooks
from thorp.server.web.statistics_pages import game_name, in_short

log = logging.getLogger(__name__)

#: So long the first page names a table that gathers: whoever opened it has forgotten it then.
LISTED_FOR = timedelta(days=1)
#: My tables that are not over come in this order.
STAGES = ("mine", "gathering", "running")


async def home(request: Request) -> Response:
    """Choose a game, or go on with a table."""
    readiness: Readiness = request.app.state.readiness
    if not readiness.listed.is_set():
        return preparing(request, (0, 0))
    store: Store = request.app.state.store
    visitor = visitor_of(request.scope)
    mine, finished, gathering = [], [], []
    if visitor.known:
        mine = await store.tables_of(visitor.id, finished=False)
        finished = await store.tables_of(visitor.id, finished=True)
    if request.app.state.settings.lobby:
        gathering = await store.open_tables(store.now() - LISTED_FOR)
    running = [_visit(visit, visitor.id) for visit in mine]
    over = [_visit(visit, visitor.id) for visit in finished]
    known = {visit.table.id for visit in mine}
    context = {
        "games": [
            {
                "id": id,
                "name": game.name,
                "seats": list(game.seats),
                "goal": game.goal,
                "ready": readiness.is_ready(id),
                "guided": guide_here(game) is not None,
            }
            for id, game in ((id, find_game(id)) for id in readiness.games)
        ],
        "running": sorted(running, key=lambda visit: STAGES.index(visit["stage"])),
        "finished": [visit for visit in over if not visit["from_file"]],
        "from_files": [visit for visit in over if visit["from_file"]],
        "figures": await in_short(request),
        "open": [_visit(visit, visitor.id) for visit in gathering if visit.table.id not in known],
    }
    return page(request, "home.html", context)


async def rules(request: Request) -> Response:
    """The rules of a game."""
    id = request.path_params["game"]
    readiness: Readiness = request.app.state.readiness
    if not readiness.listed.is_set():
        return preparing(request, (0, 0))
    books: Rulebooks = request.app.state.rulebooks
    if id in readiness.games:
        turn_to(find_game(id).words)
    shown = books.of(find_game(id)) if id in readiness.games else None
    if shown is None:
        raise Unknown("There are no rules of such a game here. Go back to the start and choose one.")
    return page(request, "rules.html", {"game": {"id": id, "name": find_game(id).name}, "rules": shown})


async def credits_page(request: Request) -> Response:
    """Whom this is owed to."""
    return page(request, "credits.html", {"games": [find_game(id) for id in request.app.state.readiness.games]})


async def health(request: Request) -> Response:
    """Whether the server works, for whoever watches over it: whether moves could be stored, too."""
    try:
        await request.app.state.store.check()
    except Unavailable as error:
        # Why is for those who run the server, and anybody may ask.
        log.warning("the store cannot be read or written (%s)", error)
        return JSONResponse({"status": "the store cannot be read or written"}, 503)
    ready = request.app.state.readiness.all_ready.is_set()
    return JSONResponse({"status": "ok" if ready else "compiling the rules"})


async def ready(request: Request) -> Response:
    """Whether it can take its share of the players: its health, and the rules of all games ready."""
    answer = await health(request)
    if answer.status_code == 200 and not request.app.state.readiness.all_ready.is_set():
        answer.status_code = 503
    return answer


def _stage(visit: Visit, person: str) -> str:
    """How far a table is, for a person: "gathering", "mine" (it waits for that person), "running" or "over"."""
    table = visit.table
    if table.finished:
        return "over"
    if not table.started:
        return "gathering"
    waiting = table.waiting or ()
    mine = any(seat.seat in waiting and person in (seat.person, seat.away) for seat in visit.seats)
    return "mine" if mine else "running"


def _place(visit: Visit, person: str) -> int | None:
    """The place of a person that had one seat among others."""
    mine = [seat.seat for seat in visit.seats if seat.person == person]
    standings = visit.table.standings
    return standings[mine[0]] if standings and len(mine) == 1 < len(visit.seats) else None


def _visit(visit: Visit, person: str) -> dict[str, Any]:
    table = visit.table
    return {
        "id": table.id,
        "game": {"id": table.game, "name": game_name(table.game)},
        "seats": [
            {
                "name": name,
                "free": seat.free,
                "score": table.scores[seat.seat] if table.scores else None,
                "place": table.standings[seat.seat] if table.standings else None,
                "you": seat.person == person,
            }
            for seat, name in zip(visit.seats, called_together(seat.name for seat in visit.seats), strict=True)
        ],
        "levels": list(dict.fromkeys(seat.bot for seat in visit.seats if seat.bot and seat.bot != RECORDED)),
        # Nobody has played it here.
        "from_file": all(seat.bot == RECORDED for seat in visit.seats),
        "place": _place(visit, person),
        "taken": sum(1 for seat in visit.seats if not seat.free),
        "stage": _stage(visit, person),
        "moves": visit.moves,
        "guided": table.guide is not None,
        "created": table.created,
        "finished": table.finished,
    }
