"""Setting up a table: the form of a game, and what is sent with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from thorp.core.game import AnyGame
from thorp.core.given import shown
from thorp.core.language import turn_to
from thorp.core.registry import game as find_game
from thorp.server.settings import Settings
from thorp.server.tables.checking import brings_file
from thorp.server.tables.clocks import BOT, CHOICES
from thorp.server.tables.readiness import Readiness
from thorp.server.tables.refusals import Illegal, NotReady, Refusal, Unknown
from thorp.server.tables.rooms import Tables
from thorp.server.tables.seating import BOT_NAMES, bot_name
from thorp.server.tables.store import Store
from thorp.server.tables.table import Player
from thorp.server.web.addresses import origin_of
from thorp.server.web.answers import go, is_htmx, page, preparing
from thorp.server.web.clock_shown import chosen_clock
from thorp.server.web.forms import NUMBER, field, number, read_form, text
from thorp.server.web.guide_shown import guide_here
from thorp.server.web.limits import Limits
from thorp.server.web.people import Visitor, clean_name, person_of, rename, visitor_of
from thorp.server.web.refusals import status_of
from thorp.server.web.remembered import BY_LINK, HERE, HINTS, ME, fields_of

#: What is to be chosen of a game's cards where no set of options does: chance, or each by itself.
CHANCE, PICK = "*", ""


async def game_page(request: Request) -> Response:
    """The form of a new table."""
    game = find_game_here(request, request.path_params["game"])
    readiness: Readiness = request.app.state.readiness
    if not readiness.is_ready(game.id):
        return preparing(request, readiness.progress(game.id))
    return page(request, "game.html", _game_form(request, game, await _as_last_time(request, game)))


async def _as_last_time(request: Request, game: AnyGame) -> dict[str, str]:
    """How the visitor has set up the game before; who never played it begins with what is made for that."""
    store: Store = request.app.state.store
    visitor = visitor_of(request.scope)
    last = await store.last_of(visitor.id, game.id) if visitor.known else None
    if last is None:
        return {
            "preset": game.first,
            **{f"option.{option.id}": option.first for option in game.options if option.first},
        }
    return fields_of(game, last, visitor.id) if last.table.opener == visitor.id else {}


async def create(request: Request) -> Response:
    """A new table, with whomever the visitor has chosen for each seat."""
    form = await read_form(request)
    game = find_game_here(request, field(form, "game"))
    visitor = person_of(request)
    try:
        if "name" in form and field(form, "name") != visitor.name:
            await rename(request, field(form, "name"))
        seats = number(form, "seats", "how many seats the table has")
        if seats not in game.seats:
            words = "{game} is for {least} to {most} seats. Choose one of these."
            raise Illegal(words, game=game.name, least=game.seats[0], most=game.seats[-1])
        players = _players(request, form, visitor, seats)
        options = _chosen_options(game, form, seats)
        limits: Limits = request.app.state.limits
        async with limits.new_table(request):
            with limits.file(request) if brings_file(game, options) else nullcontext():
                id = await _tables(request).create(
                    game,
                    options,
                    players,
                    forced=_forced(form, players),
                    opener=visitor.id,
                    watchable=_yes(form, "watchable", default=True),
                    listed=_yes(form, "listed", default=False) and request.app.state.settings.lobby,
                    hints=_hints(form),
                    clock=chosen_clock(text(form.get("clock")) or "none", text(form.get("late")) or BOT),
                )
    except Refusal as refusal:
        if is_htmx(request):
            raise
        sent = {name: text(value) for name, value in form.items()}
        context = {**_game_form(request, game, sent), "notice": refusal.sentence}
        return page(request, "game.html", context, status_of(refusal))
    # The table is stored: nothing that fails from here on may be told as if it were not.
    request.app.state.bots.made(id, origin_of(request.scope))
    return go(request, f"/tables/{id}")


def _players(request: Request, form: FormData, visitor: Visitor, seats: int) -> list[Player]:
    known, usual = players_here(request), request.app.state.settings.players.usual()
    choices = [text(form.get(f"seat.{seat}")) or (usual if seat else ME) for seat in range(seats)]
    players: list[Player] = []
    for seat, chosen in enumerate(choices):
        if chosen == ME:
            players.append(Player(visitor.name, person=visitor.id))
        elif chosen == HERE:
            players.append(Player(_name_here(form, seat), person=visitor.id))
        elif chosen == BY_LINK:
            players.append(Player(""))
        elif chosen in known:
            players.append(Player(bot_name(seat), bot=chosen))
        else:
            offered = ", ".join(levels(request))
            words = "There is no bot {name}. Choose one of {names} for seat {n}."
            raise Illegal(words, name=shown(chosen), names=offered, n=seat + 1)
    if choices.count(ME) > 1:
        raise Illegal(
            "You have chosen two seats for yourself. Choose one, and for the other somebody at this device or by "
            "link, or a bot."
        )
    # People come first: a bot takes another name where somebody at this device has its own.
    taken = [player.name for player in players if player.person]
    if twice := next((name for name in taken if taken.count(name) > 1), None):
        raise Illegal("Two at this device would be called {name}. Give each of them a name of their own.", name=twice)
    for seat, player in enumerate(players):
        if player.bot:
            players[seat] = replace(player, name=_free_name(seat, taken))
            taken.append(players[seat].name)
    return players


def _name_here(form: FormData, seat: int) -> str:
    """What somebody at the visitor's own device is called; who gives no name is called as a bot would be."""
    given = text(form.get(f"name.{seat}"))
    return clean_name(given) if given.strip() else bot_name(seat)


def _free_name(seat: int, taken: Sequence[str]) -> str:
    names = (bot_name(seat + further) for further in range(len(BOT_NAMES)))
    return next((name for name in names if name not in taken), bot_name(seat))


def _forced(form: FormData, players: Sequence[Player]) -> bool:
    """Whether single legal moves play themselves: unless the form says otherwise, where one plays against bots."""
    choice = text(form.get("forced")) or "usual"
    if choice not in ("usual", "yes", "no"):
        raise Illegal("Single moves are played for you, or wait for you. Choose one of the two.")
    return choice == "yes" or (choice == "usual" and sum(player.bot is None for player in players) < 2)


def _hints(form: FormData) -> bool | None:
    """Whether hints are given: unless the form says otherwise, while one person plays, alone or with bots (None)."""
    choice = text(form.get("hints")) or "usual"
    if choice not in HINTS:
        raise Illegal(
            "Hints are for nobody, for everybody, or for who plays without other people. Choose one of these."
        )
    return HINTS[choice]


def _yes(form: FormData, name: str, *, default: bool) -> bool:
    """A choice between yes and no."""
    choice = text(form.get(name)) or ("yes" if default else "no")
    if choice not in ("yes", "no"):
        raise Illegal("One of the choices about the table was neither yes nor no. Choose again.")
    return choice == "yes"


def _chosen_options(game: AnyGame, form: FormData, seats: int) -> dict[str, str]:
    """The options of a form; those not offered with that number of seats keep their default."""
    chosen = {
        name.removeprefix("option."): text(value) for name, value in form.multi_items() if name.startswith("option.")
    }
    if preset := text(form.get("preset")):
        if preset not in game.presets:
            words = "{game} has no {name}. Choose the options one by one."
            raise Illegal(words, game=game.name, name=shown(preset))
        chosen |= game.presets[preset]
    for option in game.options:
        if option.file and (sent := text(form.get(f"file.{option.id}"))):
            chosen[option.id] = sent
    offered = {option.id: seats in option.seats for option in game.options}
    return {id: value for id, value in chosen.items() if offered.get(id, True)}


def _game_form(request: Request, game: AnyGame, sent: Mapping[str, str]) -> dict[str, Any]:
    """The context of the form of a new table, with what was chosen before."""
    default = min(max(2, game.seats[0]), game.seats[-1])
    seats = sent.get("seats", "")
    return {
        "game": {"id": game.id, "name": game.name, "seats": list(game.seats), "goal": game.goal},
        "guided": guide_here(game) is not None,
        "options": [
            {
                "id": option.id,
                "label": option.label,
                "help": option.help,
                "default": option.default,
                "seats": [seats for seats in game.seats if seats in option.seats],
                "suffix": option.file.suffix if option.file else "",
                "rare": option.rare,
                "two": len(option.values) == 2,
                "choices": [
                    {"value": value, "label": label} for value, label in zip(option.values, option.labels, strict=True)
                ],
            }
            for option in game.options
        ],
        "presets": {name: dict(options) for name, options in game.presets.items()},
        "levels": levels(request),
        "names": {seat: bot_name(seat) for seat in range(game.seats[-1])},
        "lobby": request.app.state.settings.lobby,
        "clocks": list(CHOICES),
        "chosen": {
            "seats": int(seats) if NUMBER.fullmatch(seats) else default,
            "options": {option.id: sent.get(f"option.{option.id}", option.default) for option in game.options},
            "preset": _preset(game, sent),
            "forced": sent.get("forced", "usual"),
            "hints": sent.get("hints", "usual"),
            "watchable": sent.get("watchable", "yes"),
            "listed": sent.get("listed", "no"),
            "clock": sent.get("clock", "none"),
            "late": sent.get("late", BOT),
            "players": {seat: _sitting(request, sent.get(f"seat.{seat}", ""), seat) for seat in range(game.seats[-1])},
            "names": {seat: sent.get(f"name.{seat}", "") for seat in range(game.seats[-1])},
        },
    }


def _sitting(request: Request, chosen: str, seat: int) -> str:
    """Who is chosen for a seat: somebody whom the form offers, or else oneself at the first, and bots."""
    settings: Settings = request.app.state.settings
    if chosen in (ME, HERE, BY_LINK, *levels(request)):
        return chosen
    return settings.players.usual() if seat else ME


def _preset(game: AnyGame, sent: Mapping[str, str]) -> str:
    """The set of options that was chosen; else whether cards are left to CHANCE, or chosen one by one."""
    if sent.get("preset") in game.presets:
        return sent["preset"]
    cards = (option for option in game.options if not option.file and len(option.values) > 2)
    return PICK if any(sent.get(f"option.{card.id}", card.default) != card.default for card in cards) else CHANCE


def _tables(request: Request) -> Tables:
    return request.app.state.tables  # type: ignore[no-any-return]


def levels(request: Request) -> tuple[str, ...]:
    """The names of the bots that are offered, weakest first."""
    settings: Settings = request.app.state.settings
    return settings.players.levels()


def players_here(request: Request) -> tuple[str, ...]:
    """The names of all bots that can sit at a table, those for programs too."""
    settings: Settings = request.app.state.settings
    return settings.players.names()


def no_such_bot(request: Request, name: str) -> Illegal:
    """What is said to who asks for a bot that is not here."""
    names = ", ".join(levels(request))
    return Illegal("There is no bot {name}. Choose one of {names}.", name=shown(name), names=names)


def find_game_here(request: Request, id: str) -> AnyGame:
    readiness: Readiness = request.app.state.readiness
    if id not in readiness.games:
        # a server that has just started does not know its games yet
        if not readiness.listed.is_set():
            raise NotReady(id)
        raise Unknown("There is no such game here. Go back to the start and choose one.")
    found = find_game(id)
    turn_to(found.words)
    return found
