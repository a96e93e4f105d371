"""Pictures of tables, for messengers that show one where the address of a table is shared.

A picture is what a passer-by may see, drawn from the game's own drawings: the template `picture.svg` of its face, or
its cover and who sits there. It depends on nobody's cookie, so one is drawn for all who ask, and kept while it is true.
The SVG is made in a thread; a process of its own makes the PNG (resvg), since the library holds the interpreter's lock,
and a process can be ended. One is drawn at a time.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import math
import re
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import Response

from thorp.core.language import speaking, spoken
from thorp.core.registry import game as find_game
from thorp.server.tables.refusals import Busy, Gone, Kept, Unknown
from thorp.server.tables.rooms import Tables
from thorp.server.tables.table import Table
from thorp.server.web import markup
from thorp.server.web.addresses import origin_of
from thorp.server.web.forms import NUMBER
from thorp.server.web.looks import gathered
from thorp.server.web.naming import names_at
from thorp.server.web.refusals import TooMany
from thorp.server.web.security import SHARED, Buckets
from thorp.server.web.shown import board
from thorp.server.web.templates import STATIC, Assets

#: What messengers show best, and the box in it that a game draws in.
WIDE, HIGH = 1200, 630
BOX = {"wide": 1120, "high": 446}
#: The built fonts that words are set with.
FONTS = ("Fraunces_600SemiBold.ttf", "SourceSans3_400Regular.ttf", "SourceSans3_600SemiBold.ttf")
#: And Japanese ones, where there are any.
JAPANESE = "NotoSansJP.ttf"
#: So many pictures are kept, of some 60 KB each.
MOST = 100
#: Seconds that whoever asks waits at most, and that one picture may take.
PATIENCE, SECONDS = 20.0, 15.0
#: Pictures that have to be drawn: so many at once for an address, and so many a second.
BURST, RATE = 20, 0.5

_LATIN = re.compile(r"[\u0000-\u052f\u1e00-\u22ff]+")
_RENDER = """
import json, os, sys
if hasattr(os, "nice"):
    os.nice(5)
import resvg_py
wanted = json.load(sys.stdin)
sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(
    svg_string=wanted["svg"], font_files=wanted["fonts"], skip_system_fonts=wanted["ours"],
)))
"""


def can_be_drawn() -> bool:
    """Whether what draws pictures is installed (`thorp[pictures]`), and what they are drawn with is built."""
    installed = all(importlib.util.find_spec(name) for name in ("resvg_py", "cssselect2"))
    return installed and all(path.is_file() for path in _files((*FONTS, JAPANESE)))


@dataclass(frozen=True)
class Picture:
    """A picture, and what tells it from all others."""

    tag: str
    png: bytes


class Pictures:
    """The pictures that this process has drawn, and draws."""

    def __init__(self, jinja: Environment) -> None:
        self.jinja = jinja
        self.possible = can_be_drawn()
        self._kept: OrderedDict[tuple[str, ...], Picture] = OrderedDict()
        self._at_work: dict[tuple[str, ...], asyncio.Task[Picture]] = {}
        self._room = asyncio.Semaphore(1)
        self._addresses = Buckets(RATE, SHARED * BURST)

    async def picture(self, key: tuple[str, ...], origin: str, draw: Callable[[], str]) -> Picture:
        """The picture of a key, which names all that it depends on; `draw` gives its SVG.

        Raises TooMany where an address wants too many new ones, Busy where it takes too long.
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._at_work:
            if wait := self._addresses.take(origin):
                seconds = math.ceil(wait)
                raise TooMany("That is enough pictures for the moment. Try again in {seconds} s.", seconds=seconds)
            task = asyncio.create_task(self._make(key, draw))
            self._at_work[key] = task
            task.add_done_callback(lambda done: self._ended(key, done))
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self._at_work[key])
        except TimeoutError:
            raise Busy("The server is drawing other pictures just now. Try again in a moment.") from None

    def _ended(self, key: tuple[str, ...], done: asyncio.Task[Picture]) -> None:
        del self._at_work[key]
        if not done.cancelled():
            done.exception()  # looked at, as it may be that nobody waits for it any more

    async def _make(self, key: tuple[str, ...], draw: Callable[[], str]) -> Picture:
        async with self._room:
            png = await rendered(await asyncio.to_thread(draw))
        self._kept[key] = made = Picture(hashlib.sha256(png).hexdigest()[:20], png)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return made


async def rendered(svg: str) -> bytes:
    """An SVG as PNG. Raises TimeoutError where it takes too long, ValueError where it cannot be drawn."""
    fonts, ours = fonts_of(svg)
    wanted = {"svg": svg, "fonts": [str(path) for path in fonts], "ours": ours}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", _RENDER, stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        async with asyncio.timeout(SECONDS):
            png, complaint = await process.communicate(json.dumps(wanted).encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode or not png:
        raise ValueError(f"resvg: {complaint.decode(errors='replace').strip()[-300:]}")
    return png


def fonts_of(svg: str) -> tuple[list[Path], bool]:
    """The built fonts that an SVG is set with, and whether they have all of its signs."""
    others = _LATIN.sub("", svg)
    try:
        others.encode("cp932")
    except UnicodeEncodeError:
        return _files((*FONTS, JAPANESE)), False
    return _files((*FONTS, JAPANESE) if others else FONTS), True


def _files(fonts: Sequence[str]) -> list[Path]:
    assets = Assets()
    return [STATIC / assets.address(name).rpartition("/")[2] for name in fonts]


# --- what is on a picture ---------------------------------------------------------------------------------------


def cells(count: int) -> list[tuple[float, float, float, float]]:
    """Places for so many villages in the box: x, y, width and height of each."""
    rows = 1 if count <= 3 else 2
    columns = math.ceil(count / rows)
    across, down = 28.0, 22.0
    wide = (BOX["wide"] - (columns - 1) * across) / columns
    high = (BOX["high"] - (rows - 1) * down) / rows
    return [(n % columns * (wide + across), n // columns * (high + down), wide, high) for n in range(count)]


def fit(count: int, wide: float, high: float, largest: float, ratio: float = 1.0, gap: float = 6.0) -> tuple[int, int]:
    """How large so many things can be, side by side in a box, and how many stand in a row; `ratio`: height to width."""
    for size in range(int(largest), 8, -1):
        columns = max(1, int((wide + gap) // (size + gap)))
        if math.ceil(count / columns) * (size * ratio + gap) <= high + gap:
            return size, columns
    return 8, max(1, int((wide + gap) // (8 + gap)))


def svg_of(jinja: Environment, table: Table, ply: int | None = None, evening: bool = False) -> str:
    """The picture of a table as a passer-by sees it, or of a position of its match (`ply`), as plain SVG.

    `evening`: in the colours of the pages in the evening.
    """
    game = table.game
    with speaking(spoken().within(game.words)):
        return _svg_of(jinja, table, ply, evening)


def _svg_of(jinja: Environment, table: Table, ply: int | None, evening: bool) -> str:
    game = table.game
    if table.gathering or not table.row.watchable:
        # Of a match that is for its players alone, no more is told than which game it is.
        sitting = [names_at(table)[seat.seat] for seat in table.seats if not seat.free] if table.gathering else []
        context: dict[str, Any] = {"who": [(name, None, False) for name in sitting], "kind": _kind(table)}
        return _cover(jinja, game.id, {**context, "free": sum(seat.free for seat in table.seats)}, evening)
    match = table.match if ply is None else table.match.at(ply)
    now = Table(table.row, table.seats, match)
    context = {
        **board(now),
        "position": None if ply is None else {"ply": ply, "last": table.match.ply},
        "asked": markup.plain(match.prompt(None), names_at(now)),
        "winners": _winners(names_at(now), match.standings if match.over else ()),
        "came_to": _came_to(now),
    }
    if not (game.folder / "picture.svg").is_file():
        points: Sequence[int | None] = match.scores if match.over else [None] * len(names_at(now))
        first = match.standings if match.over else [0] * len(names_at(now))
        who = [(name, number, place == 1) for name, number, place in zip(names_at(now), points, first, strict=True)]
        kind = "over" if match.over else "running"
        return _cover(jinja, game.id, {**context, "who": who, "free": 0, "kind": kind}, evening)
    return _flat(jinja, "picture.svg", game.id, "picture", context, evening)


def recorded_svg(jinja: Environment, content: dict[str, Any]) -> str:
    """The picture of a match of which only the record is left."""
    sheet = content["sheet"]
    names: list[str] = content["names"]
    points = sheet["totals"] if sheet else [None] * len(names)
    places = sheet["standings"] if sheet else [0] * len(names)
    who = [(name, number, place == 1) for name, number, place in zip(names, points, places, strict=True)]
    context = {"who": who, "free": 0, "kind": "over", "winners": _winners(names, places if sheet else ()), "asked": ""}
    return _cover(jinja, str(content["game"]["id"]), {**context, "game": content["game"]})


def _kind(table: Table) -> str:
    return "gathering" if table.gathering else "closed"


def _winners(names: Sequence[str], standings: Sequence[int]) -> list[str]:
    return [name for name, place in zip(names, standings) if place == 1] if len(names) > 1 else []


def _came_to(table: Table) -> str:
    """The rank to which somebody alone has come; else "". How it ended against a rival is told to that one only."""
    match = table.match
    if not match.over or table.row.seats > 1 or match.game.face.rival(match.state):
        return ""
    remarks = match.sheet().remarks
    return markup.minus(markup.plain(remarks[0], names_at(table))).rstrip(".") if remarks else ""


def _cover(jinja: Environment, id: str, context: dict[str, Any], evening: bool = False) -> str:
    try:
        game = find_game(id)
        shown = {"id": id, "name": game.name, "seats": list(game.seats)}
    except Exception:  # a record of a game that is not installed any more
        shown = {**context["game"], "seats": [1]}
    whole = {"winners": [], "asked": "", **context, "game": shown}
    return _flat(jinja, "picture_cover.svg", id, "cover", whole, evening)


def _flat(
    jinja: Environment, template: str, game: str, sheet: str, context: dict[str, Any], evening: bool = False
) -> str:
    from thorp.server.web import flattening  # what it needs is an extra

    tools = {"box": BOX, "cells": cells, "fit": fit, "shortened": markup.shortened, "wide": WIDE, "high": HIGH}
    text = jinja.get_template(template).render({**context, **tools})
    return flattening.flat(text, _sheets(game, sheet, Assets().address("picture.css"), evening))


@lru_cache(maxsize=64)
def _sheets(game: str, sheet: str, house: str, evening: bool) -> Any:
    from thorp.server.web.flattening import Sheets

    built = (STATIC / house.rpartition("/")[2]).read_text("utf-8")
    try:
        folder = find_game(game).folder
    except Exception:
        return Sheets(built, evening=evening)
    return Sheets(built, gathered(folder / f"{sheet}.css"), evening=evening)


# --- requests ---------------------------------------------------------------------------------------------------


async def table_picture(request: Request) -> Response:
    """The picture of a table as it is now; with `look=evening` for pages that are dark."""
    pictures = _pictures(request)
    tables: Tables = request.app.state.tables
    id = request.path_params["id"]
    try:
        table = await tables.open(id)
    except Kept:
        return await _recorded(request, pictures)
    evening = request.query_params.get("look") == "evening"
    key = _key(table, "evening" if evening else "day")
    return await _answer(request, pictures, key, lambda: svg_of(pictures.jinja, table, evening=evening), table.game.id)


async def position_picture(request: Request) -> Response:
    """The picture of a position, as those who watch saw it."""
    pictures = _pictures(request)
    tables: Tables = request.app.state.tables
    id, wanted = request.path_params["id"], request.path_params["ply"]
    table = await tables.open(id)
    is_number = NUMBER.fullmatch(wanted) is not None
    is_closed = not (table.gathering or table.row.watchable)
    if table.gathering or not is_number or (not is_closed and int(wanted) > table.match.ply):
        raise Unknown("This match has no such position. Go back to the table, and look from there.")
    if is_closed:
        # whatever the number: else this would tell how many moves there are
        return await _answer(request, pictures, _key(table), lambda: svg_of(pictures.jinja, table), table.game.id)
    ply = int(wanted)
    return await _answer(
        request,
        pictures,
        ("position", id, str(ply), _told(table)),
        lambda: svg_of(pictures.jinja, table, ply),
        table.game.id,
    )


def _key(table: Table, look: str = "day") -> tuple[str, ...]:
    return ("table", table.id, _told(table), look)


def _told(table: Table) -> str:
    """What changes whenever the picture of a table may: all that everybody is told, and who may look."""
    if not (table.gathering or table.row.watchable):
        # always the same picture, or how long it takes would tell that something has happened
        return "closed"
    return f"{table.mark}.{int(table.row.watchable)}.{int(table.match.over and not table.gathering)}"


async def _recorded(request: Request, pictures: Pictures) -> Response:
    id = request.path_params["id"]
    rows = await request.app.state.store.table(id)
    found = await request.app.state.records.read(id)
    if found is None or rows is None:
        raise Gone("Of this match there is no picture. Open its page.")
    content = found[0]
    if not rows[0].watchable:
        closed = {"who": [], "free": 0, "kind": "closed", "game": content["game"]}
        key, draw = ("closed", id), lambda: _cover(pictures.jinja, str(content["game"]["id"]), closed)
    else:
        key, draw = ("record", id), lambda: recorded_svg(pictures.jinja, content)
    return await _answer(request, pictures, key, draw, str(content["game"]["id"]))


async def _answer(
    request: Request, pictures: Pictures, key: tuple[str, ...], draw: Callable[[], str], game: str
) -> Response:
    picture = await pictures.picture((*key, spoken().tag), origin_of(request.scope), draw)
    # not by all for all: it is drawn in the language of who asks
    headers = {"Cache-Control": "private, max-age=60", "ETag": f'"{picture.tag}"'}
    if picture.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(picture.png, media_type="image/png", headers=headers)


def _pictures(request: Request) -> Pictures:
    """What draws here. Raises Unknown where nothing does."""
    pictures: Pictures = request.app.state.pictures
    if not pictures.possible:
        raise Unknown(
            "This server draws no pictures of tables. Whoever runs it can install what they are drawn with: "
            "pip install thorp[pictures]."
        )
    return pictures
