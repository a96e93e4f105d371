"""The first page, and pages about no table: names, credits, health."""

from __future__ import annotations

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thorp.core.errors import GameError
from thorp.core.registry import game as find_game
from thorp.server.tables.readiness import Readiness
from thorp.server.tables.store import Store, Unavailable, Visit
from thorp.server.web.answers import go, page, preparing
from thorp.server.web.forms import field, read_form, text
from thorp.server.web.people import rename as rename_person
from thorp.server.web.people import visitor_of

#: A path on this server; "//" would lead to another one.
_OWN_PATH = re.compile(r"/(?![/\\])[!-~]*", re.ASCII)


async def home(request: Request) -> Response:
    """Choose a game, or go on with a table."""
    readiness: Readiness = request.app.state.readiness
    if not readiness.listed.is_set():
        return preparing(request, (0, 0))
    store: Store = request.app.state.store
    visitor = visitor_of(request.scope)
    mine: dict[str, list[Visit]] = {"running": [], "finished": []}
    if visitor.known:
        mine["running"] = await store.tables_of(visitor.id, finished=False)
        mine["finished"] = await store.tables_of(visitor.id, finished=True)
    context = {
        "games": [
            {"id": id, "name": find_game(id).name, "seats": list(find_game(id).seats), "ready": readiness.is_ready(id)}
            for id in readiness.games
        ],
        **{name: [_visit(visit) for visit in visits] for name, visits in mine.items()},
    }
    return page(request, "home.html", context)


async def rename(request: Request) -> Response:
    """Another name for the visitor, here and at its running tables."""
    form = await read_form(request)
    await rename_person(request, field(form, "name"))
    back = text(form.get("back"))
    return go(request, back if _OWN_PATH.fullmatch(back) else "/")


async def credits_page(request: Request) -> Response:
    """Whom this is owed to."""
    return page(request, "credits.html", {"games": [find_game(id).credit for id in request.app.state.readiness.games]})


async def health(request: Request) -> Response:
    """Whether the server works, for whoever watches over it."""
    try:
        await request.app.state.store.check()
    except Unavailable as error:
        return JSONResponse({"status": "the store does not answer", "error": str(error)}, 503)
    ready = request.app.state.readiness.all_ready.is_set()
    return JSONResponse({"status": "ok" if ready else "compiling the rules"})


def _visit(visit: Visit) -> dict[str, Any]:
    table = visit.table
    try:
        name = find_game(table.game).name
    except GameError:
        # a game that is no longer installed
        name = table.game
    return {
        "id": table.id,
        "game": {"id": table.game, "name": name},
        "names": list(visit.names),
        "moves": visit.moves,
        "created": table.created,
        "finished": table.finished,
    }
