"""The page of a match that is over and can be read only: from its record, whatever the rules are by now."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from thorp.core.errors import ContractError, GameError
from thorp.core.language import turn_to
from thorp.core.registry import game as find_game
from thorp.core.words import Said
from thorp.server.tables import archive
from thorp.server.tables.records import Ending, Records
from thorp.server.tables.refusals import Forbidden, Gone, Unknown
from thorp.server.tables.store import Store
from thorp.server.tables.table import may_be_seen_by
from thorp.server.web.answers import page
from thorp.server.web.forms import NUMBER
from thorp.server.web.people import visitor_of
from thorp.server.web.recording import KEPT

NO_SPECTATORS: Said[str] = "Nobody looks on at this table but those who play. You can start a table of your own."

#: Why it can only be read, as the page says it; `played` and `drawn` are versions of the rules.
_WHY: Said[dict[Ending, str]] = {
    Ending.PLAYED: (
        "This match was played by version %(played)s of the rules, which are others by now. Here it is as it was "
        "when it ended."
    ),
    Ending.REPLAYED: (
        "This match was played by version %(played)s of the rules, and nothing was kept of its end. Here it is as "
        "version %(drawn)s plays its moves again: points may differ from those that were seen."
    ),
    Ending.RULES: (
        "This match was closed without a winner: it was begun by version %(played)s of the rules, and version "
        "%(drawn)s does not allow all of its moves. Here it is as it stood before the first one that is not allowed."
    ),
    Ending.HOST: "This match was closed without a winner by whoever runs this server. Here it is as it stood then.",
}


_BUTTON = re.compile(r"<button\b[^>]*>")
_ABOUT = re.compile(r'\sdata-(?:about="([^"]*)"|card="([^"]*)")')
_OPENS = re.compile(r"\s(?:popovertarget|disabled)\b")


async def record_page(request: Request) -> Response:
    """The record of a table, with the board that was asked for. Raises Gone where there is none."""
    content, sheet, drawings = await _read(request)
    boards = content["boards"]
    asked = request.query_params.get("board", "")
    shown = int(asked) if NUMBER.fullmatch(asked) else len(boards) - 1
    if shown >= len(boards):
        raise Unknown("This match has no such board. Open the match at its address, and choose one of its rounds.")
    context: dict[str, Any] = {
        **content,
        "id": request.path_params["id"],
        "why": _WHY[Ending(content["ending"])],
        "shown": shown,
        "sheet_address": f"/records/look/{sheet}.css",
        "drawings": drawings,
        "kept": KEPT.tag,
    }
    # what stands in it word by word, such as the names of options, is said as the game says it now, if it is still here
    with suppress(GameError, ContractError):
        turn_to(find_game(content["game"]["id"]).words)
    boards[shown] = {**boards[shown], "html": with_texts(boards[shown]["html"], drawings)}
    return page(request, "record.html", {**context, "score": content["sheet"]})


def with_texts(board: str, drawings: str) -> str:
    """A board whose cards open their texts without a script, where those are on the page.

    On the page of a table a script does it, by the same names.
    """

    def opener(found: re.Match[str]) -> str:
        tag = found[0]
        named = _ABOUT.search(tag)
        about = named and (named[1] or f"about-{named[2]}")
        if not about or _OPENS.search(tag) or not any(f'id="{about}"' in text for text in (drawings, board)):
            return tag
        return f'<button popovertarget="{about}"{tag[len("<button") :]}'

    return _BUTTON.sub(opener, board)


async def recorded_export(request: Request) -> tuple[str, str]:
    """The game of a record, and its match as a file. Raises Gone where there is none."""
    content, _, _ = await _read(request)
    return str(content["game"]["id"]), str(content["export"])


async def look(request: Request) -> Response:
    """A style sheet that records share; its address is its digest, so browsers may keep it for ever."""
    store: Store = request.app.state.store
    digest = request.path_params["digest"]
    text = await store.read(lambda connection: archive.look(connection, digest))
    if text is None:
        raise Unknown("There is no such page. Check the address, or go back to the start.")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(text, media_type="text/css", headers=headers)


async def _read(request: Request) -> tuple[dict[str, Any], str, str]:
    store: Store = request.app.state.store
    table = await store.table(request.path_params["id"])
    if table and not may_be_seen_by(*table, visitor_of(request.scope).id):
        raise Forbidden(NO_SPECTATORS)
    records: Records = request.app.state.records
    found = await records.read(request.path_params["id"])
    if found is None:
        raise Gone(
            "This match is over, and by the rules that are installed here nothing of it can be shown. Whoever runs the "
            "server can install what it was played with."
        )
    return found
