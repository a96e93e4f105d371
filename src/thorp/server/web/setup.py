"""Setting up a table: the form of a game, and what is sent with it."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from thorp.core.game import AnyGame
from thorp.core.registry import game as find_game
from thorp.server.settings import Settings
from thorp.server.tables.readiness import Readiness
from thorp.server.tables.refusals import Illegal, Refusal, Unknown
from thorp.server.tables.rooms import Tables
from thorp.server.tables.table import Player
from thorp.server.web.answers import go, is_htmx, page, preparing
from thorp.server.web.forms import NUMBER, field, number, read_form, text
from thorp.server.web.people import Visitor, rename, visitor_of
from thorp.server.web.refusals import status_of

#: What bots are called, in the order of their seats; their level is shown beside it.
BOT_NAMES = ("Alder", "Birch", "Cedar", "Elm", "Hazel", "Linden", "Maple", "Rowan", "Willow", "Yew")


async def game_page(request: Request) -> Response:
    """The form of a new table."""
    game = _find_game(request, request.path_params["game"])
    readiness: Readiness = request.app.state.readiness
    if not readiness.is_ready(game.id):
        return preparing(request, readiness.progress(game.id))
    return page(request, "game.html", _game_form(request, game))


async def create(request: Request) -> Response:
    """A new table, with the visitor at its first seat."""
    form = await read_form(request)
    game = _find_game(request, field(form, "game"))
    visitor = visitor_of(request.scope)
    try:
        if "name" in form and field(form, "name") != visitor.name:
            await rename(request, field(form, "name"))
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
        return page(request, "game.html", context, status_of(refusal))
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


def _chosen_options(game: AnyGame, form: FormData, seats: int) -> dict[str, str]:
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


def _game_form(request: Request, game: AnyGame, form: FormData | None = None) -> dict[str, Any]:
    """The context of the form of a new table, with what was chosen before."""
    sent = {} if form is None else {name: text(value) for name, value in form.items()}
    levels = _levels(request)
    default = min(max(2, game.seats[0]), game.seats[-1])
    seats = sent.get("seats", "")
    return {
        "game": {"id": game.id, "name": game.name, "seats": list(game.seats)},
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


def _tables(request: Request) -> Tables:
    return request.app.state.tables  # type: ignore[no-any-return]


def _levels(request: Request) -> tuple[str, ...]:
    settings: Settings = request.app.state.settings
    return settings.players.names()


def _find_game(request: Request, id: str) -> AnyGame:
    readiness: Readiness = request.app.state.readiness
    if id not in readiness.games:
        raise Unknown("There is no such game here. Go back to the start and choose one.")
    return find_game(id)
