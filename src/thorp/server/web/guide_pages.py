"""Guided first games: beginning one, and what its person tells the guide."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from thorp.core.game import AnyGame
from thorp.core.guide import Guide
from thorp.server.tables.guiding import Guiding, has_read, rests, salt_of
from thorp.server.tables.refusals import Unknown
from thorp.server.tables.rooms import Tables
from thorp.server.tables.seating import bot_name
from thorp.server.tables.store import Store
from thorp.server.tables.table import Player
from thorp.server.web.addresses import origin_of
from thorp.server.web.answers import go
from thorp.server.web.forms import field, number, read_form
from thorp.server.web.guide_shown import guide_here
from thorp.server.web.people import Visitor, person_of, visitor_of
from thorp.server.web.refusals import BadForm
from thorp.server.web.setup import find_game_here, levels, players_here
from thorp.server.web.table_pages import open_table, table_answer


async def learn(request: Request) -> Response:
    """The guided first game of a game: the one that the visitor has begun, else a new one."""
    game = find_game_here(request, request.path_params["game"])
    guide = guide_here(game)
    if guide is None:
        raise Unknown("{game} has no guided first game. Set up a table instead.", game=game.name)
    visitor = visitor_of(request.scope)
    begun = await _begun(request.app.state.store, visitor, game) if visitor.known else None
    if begun is None:
        begun = await _begin(request, game, guide)
        request.app.state.bots.made(begun, origin_of(request.scope))
    return go(request, f"/tables/{begun}")


async def tell(request: Request) -> Response:
    """The visitor has read a step, plays on without the guide, or takes it up again."""
    form = await read_form(request)
    what, person = field(form, "guide"), person_of(request).id
    if what == "read":
        change = has_read(person, number(form, "step", "which step you have read"))
    elif what in ("rest", "speak"):
        change = rests(person, whether=what == "rest")
    else:
        raise BadForm("The form did not say what the guide is to do. Load the page again, and try once more.")
    tables: Tables = request.app.state.tables
    await tables.reseat(request.path_params["id"], change)
    return table_answer(request, await open_table(request))


async def _begun(store: Store, visitor: Visitor, game: AnyGame) -> str | None:
    """The table at which a guide of the game still speaks to the visitor."""
    for visit in await store.tables_of(visitor.id, finished=False):
        guiding = Guiding.of(visit.table.guide)
        if visit.table.game == game.id and guiding and not guiding.rests:
            return visit.table.id
    return None


async def _begin(request: Request, game: AnyGame, guide: Guide) -> str:
    """A table for the visitor and the bots of a guide, with its deal."""
    visitor = person_of(request)
    tables: Tables = request.app.state.tables
    bot = guide.bot if guide.bot in players_here(request) else levels(request)[0]
    players = [
        Player(visitor.name, person=visitor.id) if seat == guide.seat else Player(_name(seat, visitor.name), bot=bot)
        for seat in range(guide.seats)
    ]
    async with request.app.state.limits.new_table(request):
        return await tables.create(
            game,
            guide.options,
            players,
            seed=guide.seed,
            salt=salt_of(game, guide),
            opener=visitor.id,
            guide=Guiding(),
            # it is the guide that speaks
            hints=False,
        )


def _name(seat: int, taken: str) -> str:
    """What the bot of a seat is called, where the visitor may have that name."""
    return bot_name(seat) if bot_name(seat) != taken else bot_name(seat + 1)
