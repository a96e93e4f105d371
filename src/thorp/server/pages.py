"""The pages, and what every template is given.

**Every page** (`base.html` and what extends it)

    _('...')      words that can be translated: _('Round %(n)s', n=3)
    once(key...)  {% call once('pattern', card.id) %}...{% endcall %}: rendered once; depends on its key alone
    asset(name)   address of a built file: `asset('main.js')` -> "/static/main-JN7CV4B5.js"
    person        .name (display name)
    notice        a sentence to show (an error, or a word about a new cookie), or ""
    nonce         of this answer; in a pushed fragment, of the page that it is pushed to (see "Content security")
    message|say   a Message as escaped HTML: Seat -> <span class="who who-N">name</span>,
                  Card -> <button type="button" class="card-link" data-card="id">name</button>, Term -> text;
                  plain strings are escaped and pass; `message|words` gives plain text (for aria-label, title)

  There must be an element with id "notice" (role="status") outside the fragment: refusals of htmx requests that are
  not about the table (403, 404, 413, 429, 503) come as `_notice.html` with HX-Retarget: #notice, HX-Reswap: innerHTML.
  A form for the display name: POST /me (`name`, and `back`: the path to return to, by default "/").

**home.html** (GET /)

    games         list of {id, name, seats: list of int}
    running       my tables that go on, newest first:
                  list of {id, game: {id, name}, names: list of str, moves: int, created: datetime, finished: None}
    finished      my finished tables, the same with `finished: datetime`

**game.html** (GET /games/{id}); its form: POST /tables

    game          {id, name, seats: list of int}
    options       list of {id, label, help, default, seats: list of int (where it is offered),
                  choices: list of {value, label}, suffix: of files that it accepts, or ""}
    presets       {name: {option id: value}}
    levels        names of the bots, weakest first
    chosen        what to show as chosen: {seats: int, options: {id: value}, bots: {seat: level}, forced: "yes"|"no"}

  Form fields: `game`, `seats`, `option.<id>` for every option, `bot.<seat>` for seats 1, 2, ... (a level), `forced`
  ("yes": single legal moves play themselves, "no": they wait), `file.<id>` for an option that accepts a file (it wins
  over `option.<id>`; the form is multipart then),
  and if wanted `name` (my display name) and `preset` (a preset's name: its values win over `option.<id>`).
  An `option.<id>` that is not offered with that number of seats, and a `bot.<seat>` beyond it, are ignored:
  the form need not hide them without script.

**table.html** (GET /tables/{id}), which includes **_table.html**, the fragment

    table         .id  .game {id, name}
                  .seats   list of {number, name, kind: "person"|"bot", level, you: bool, waiting: bool}
                  .mine    my seat number, or None for a spectator
                  .counter my seat's own counter: send it with every move and take-back
                  .version rises with everything that is played; put it on the fragment's root as data-version
                  .can_take_back  .over
                  .options list of {id, label, value, words} in the order of the game
                  .commitment  hexadecimal SHA-256 of salt and seed (the salt, then the seed as a decimal number)
                  .seed, .salt  opened when the match is over, else None
                  .next_table  the id of the rematch, or None
    names         the names of the players by seat
    view          the game's view for this viewer (its frozen dataclass)
    prompt        what is asked, as HTML
    offers        my legal moves: list of {move: int, label: str (plain text), steps: tuple of element ids, family: str}
    log           what happened, newest last:
                  list of {ply, seat, text: HTML, round: int or None, forced: bool, fresh: bool, family: str};
                  `round` is a number on the first entry of a round and None on others; `family` is "" of secret moves
    fresh         moves of other seats since my own last one: list of {seat, family, arguments: {name: int}};
                  secret ones come with family "" and no arguments
    sheet         ScoreSheet (core/game.py) when the match is over, else None
    course        when over, list of {round: int, points: tuple, one a seat}; else ()
    game_template of the game's own part: {% include game_template %}; besides, the functions of its Face.tools by name
                  (`round_word()`, where a game has it, is what the log calls a round)

  Forms: POST /tables/{id}/moves (`counter`, `move`), /tables/{id}/take-back (`counter`), /tables/{id}/again (nothing).
  To an htmx request `moves` and `take-back` answer with the fresh `_table.html`, on errors too (409 stale, 422 illegal,
  400 bad form), then with `notice` set: show it inside the fragment. Without htmx: 303 back, or the full page with the
  notice. `again` answers 303, or HX-Redirect to htmx.
  Live: hx-sse:connect="/tables/{id}/events?since={{ table.version }}&nonce={{ nonce }}"; every un-named message is a
  fresh `_table.html`. An answer to a POST and a pushed message may cross: the script must drop a fragment whose
  data-version is lower than that of the one shown.

**credits.html** (GET /credits), **error.html** (status: int, title, sentence), **_notice.html** (notice),
**compiling.html** (done: int, total: int; must reload itself: <meta http-equiv="refresh" content="1">)

**Content security.** No inline script, no <style>, no style="..." attribute gets past the browser (element.style in a
script does). The header carries 'nonce-{{ nonce }}' for scripts, new for each answer, as htmx's hx-csp extension
wants it; without that extension the nonce may be left out everywhere.

Templates are looked up in server/templates, and under "<game id>/" in that game's folder ("<game id>/table.html").
"""

from __future__ import annotations

import re
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thorp.core.game import Game, GameError
from thorp.core.game import game as find_game
from thorp.server.answers import go, is_htmx, page
from thorp.server.forms import NUMBER, field, number, read_form, text
from thorp.server.people import Visitor, visitor_of
from thorp.server.refusals import Illegal, Refusal, Unknown
from thorp.server.settings import Settings
from thorp.server.store import Store, Unavailable, Visit
from thorp.server.tables import Player, Tables

#: What bots are called, in the order of their seats; their level is shown beside it.
BOT_NAMES = ("Alder", "Birch", "Cedar", "Elm", "Hazel", "Linden", "Maple", "Rowan", "Willow", "Yew")
#: A path on this server; "//" would lead to another one.
_OWN_PATH = re.compile(r"/(?![/\\])[!-~]*", re.ASCII)


async def home(request: Request) -> Response:
    """Choose a game, or go on with a table."""
    store: Store = request.app.state.store
    visitor = visitor_of(request.scope)
    mine: dict[str, list[Visit]] = {"running": [], "finished": []}
    if visitor.known:
        mine["running"] = await store.tables_of(visitor.id, finished=False)
        mine["finished"] = await store.tables_of(visitor.id, finished=True)
    context = {
        "games": [_game(find_game(id)) for id in request.app.state.rules.games],
        **{name: [_visit(visit) for visit in visits] for name, visits in mine.items()},
    }
    return page(request, "home.html", context)


async def game_page(request: Request) -> Response:
    """The form of a new table."""
    game = _find_game(request, request.path_params["game"])
    return page(request, "game.html", _game_form(request, game))


async def create(request: Request) -> Response:
    """A new table, with the visitor at its first seat."""
    form = await read_form(request)
    game = _find_game(request, field(form, "game"))
    visitor = visitor_of(request.scope)
    try:
        if "name" in form and field(form, "name") != visitor.name:
            await _rename(request, field(form, "name"))
        seats = number(form, "seats", "how many seats the table has")
        if seats not in game.seats:
            raise Illegal(f"{game.name} is for {game.seats[0]} to {game.seats[-1]} seats. Choose one of these.")
        players = _players(request, form, visitor, seats)
        options = _chosen_options(game, form, seats)
        id = await _tables(request).create(game, options, players, forced=_forced(form))
    except Refusal as refusal:
        if is_htmx(request):
            raise
        context = {**_game_form(request, game, form), "notice": refusal.sentence}
        return page(request, "game.html", context, refusal.status)
    request.app.state.bots.wake(await _tables(request).open(id))
    return go(request, f"/tables/{id}")


def _players(request: Request, form: FormData, visitor: Visitor, seats: int) -> list[Player]:
    levels = _levels(request)
    players = [Player(visitor.name, person=visitor.id)]
    for seat in range(1, seats):
        level = text(form.get(f"bot.{seat}")) or levels[-1]
        if level not in levels:
            raise Illegal(f"There is no bot {level!r}. Choose one of {', '.join(levels)} for seat {seat + 1}.")
        players.append(Player(BOT_NAMES[(seat - 1) % len(BOT_NAMES)], bot=level))
    return players


def _forced(form: FormData) -> bool:
    """Whether single legal moves play themselves: unless the form says no."""
    choice = text(form.get("forced")) or "yes"
    if choice not in ("yes", "no"):
        raise Illegal("Single moves are played for you, or wait for you. Choose one of the two.")
    return choice == "yes"


def _chosen_options(game: Game, form: FormData, seats: int) -> dict[str, str]:
    """The options of a form; those not offered with that number of seats keep their default."""
    chosen = {
        name.removeprefix("option."): text(value) for name, value in form.multi_items() if name.startswith("option.")
    }
    if preset := text(form.get("preset")):
        if preset not in game.presets:
            raise Illegal(f"{game.name} has no {preset!r}. Choose the options one by one.")
        chosen |= game.presets[preset]
    for option in game.options:
        if option.file and (sent := text(form.get(f"file.{option.id}"))):
            chosen[option.id] = sent
    offered = {option.id: seats in option.seats for option in game.options}
    return {id: value for id, value in chosen.items() if offered.get(id, True)}


def _game_form(request: Request, game: Game, form: FormData | None = None) -> dict[str, Any]:
    """The context of the form of a new table, with what was chosen before."""
    sent = {} if form is None else {name: text(value) for name, value in form.items()}
    levels = _levels(request)
    default = min(max(2, game.seats[0]), game.seats[-1])
    seats = sent.get("seats", "")
    return {
        "game": _game(game),
        "options": [
            {
                "id": option.id,
                "label": option.label,
                "help": option.help,
                "default": option.default,
                "seats": [seats for seats in game.seats if seats in option.seats],
                "suffix": option.file.suffix if option.file else "",
                "choices": [
                    {"value": value, "label": label} for value, label in zip(option.values, option.labels, strict=True)
                ],
            }
            for option in game.options
        ],
        "presets": {name: dict(options) for name, options in game.presets.items()},
        "levels": levels,
        "chosen": {
            "seats": int(seats) if NUMBER.fullmatch(seats) else default,
            "options": {option.id: sent.get(f"option.{option.id}", option.default) for option in game.options},
            "forced": sent.get("forced", "yes"),
            "bots": {seat: sent.get(f"bot.{seat}", levels[-1]) for seat in range(1, game.seats[-1])},
        },
    }


async def rename(request: Request) -> Response:
    """Another name for the visitor, here and at its running tables."""
    form = await read_form(request)
    await _rename(request, field(form, "name"))
    back = text(form.get("back"))
    return go(request, back if _OWN_PATH.fullmatch(back) else "/")


async def _rename(request: Request, name: str) -> None:
    visitor = visitor_of(request.scope)
    visitor.rename(name)
    await _tables(request).rename(visitor.id, visitor.name)


async def credits_page(request: Request) -> Response:
    """Whom this is owed to."""
    return page(request, "credits.html", {"games": [find_game(id).credit for id in request.app.state.rules.games]})


async def health(request: Request) -> Response:
    """Whether the server works, for whoever watches over it."""
    try:
        await request.app.state.store.check()
    except Unavailable as error:
        return JSONResponse({"status": "the store does not answer", "error": str(error)}, 503)
    ready = request.app.state.rules.ready.is_set()
    return JSONResponse({"status": "ok" if ready else "compiling the rules"})


def _tables(request: Request) -> Tables:
    return request.app.state.tables  # type: ignore[no-any-return]


def _levels(request: Request) -> tuple[str, ...]:
    settings: Settings = request.app.state.settings
    return settings.players.names()


def _find_game(request: Request, id: str) -> Game:
    if id not in request.app.state.rules.games:
        raise Unknown("There is no such game here. Go back to the start and choose one.")
    return find_game(id)


def _game(game: Game) -> dict[str, Any]:
    return {"id": game.id, "name": game.name, "seats": list(game.seats)}


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
