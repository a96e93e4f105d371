"""The style sheets of games: each is served for the pages of its own game, and cannot touch anything else.

A sheet is taken from the game's face (`table.css`, `cover.css` for where games are chosen, `rules.css` for its rules),
with what it imports from there, and nested below `[data-game="<id>"]` in the layer `games`. So `&` in it is the element
that holds the game. Not nested are `drawings.css`, which comes with all of them, and at-rules that cannot be: names in
them begin with the game's. In `drawings.css` stands what symbols look like, since what a `use` shows is outside of all
that holds the symbol.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tinycss2
from starlette.requests import Request
from starlette.responses import Response

from thorp.core.registry import game as find_game
from thorp.server.tables.refusals import Unknown

#: At-rules that cannot stand within another rule.
_APART = {"font-face", "keyframes", "property", "counter-style"}


#: The sheets that a game may bring.
SHEETS = ("table", "cover", "rules")


class Looks:
    """The sheets of all games, made when they are first asked for."""

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep
        self._made: dict[tuple[str, str], str] = {}

    def address(self, game: str, name: str) -> str:
        """Where a sheet is served; the address changes with its content, so that browsers may keep it for ever."""
        digest = hashlib.sha256(self.sheet(game, name).encode()).hexdigest()[:12]
        return f"/games/{game}/look/{name}-{digest}.css"

    def sheet(self, game: str, name: str) -> str:
        """The sheet of that name; empty where the game brings none."""
        if (game, name) not in self._made or not self._keep:
            self._made[game, name] = nested(game, find_game(game).folder / f"{name}.css")
        return self._made[game, name]


def nested(game: str, path: Path) -> str:
    """A style sheet with its imports, nested below its game."""
    apart = _with_imports(path.with_name("drawings.css"), set())
    within: list[str] = []
    for text in _with_imports(path, set()):
        for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
            is_apart = rule.type == "at-rule" and rule.lower_at_keyword in _APART
            (apart if is_apart else within).append(rule.serialize())
    return f'@layer games {{\n{"".join(apart)}\n[data-game="{game}"] {{\n{"".join(within)}\n}}\n}}\n'


def gathered(path: Path) -> str:
    """A style sheet of a game as it is written, with its imports and drawings, not nested: for pictures."""
    return "\n".join([*_with_imports(path.with_name("drawings.css"), set()), *_with_imports(path, set())])


def _with_imports(path: Path, seen: set[Path]) -> list[str]:
    """The texts of a sheet and of what it imports, in their order; what was imported before is not taken again."""
    if path in seen or not path.is_file():
        return []
    seen.add(path)
    texts: list[str] = []
    rest: list[str] = []
    for rule in tinycss2.parse_stylesheet(path.read_text("utf-8"), skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule" and rule.lower_at_keyword == "import":
            texts += _with_imports(path.parent / _address(rule.prelude), seen)
        else:
            rest.append(rule.serialize())
    return [*texts, "".join(rest)]


def _address(prelude: Iterable[Any]) -> str:
    """What an `@import` names: "a.css", url(a.css) or url("a.css")."""
    for token in prelude:
        if token.type in ("string", "url"):
            return str(token.value)
        if token.type == "function":
            return _address(token.arguments)
    return ""


async def look(request: Request) -> Response:
    """A sheet of a game."""
    game, name = request.path_params["game"], request.path_params["name"]
    if game not in request.app.state.readiness.games:
        raise Unknown("There is no such game here. Go back to the start and choose one.")
    looks: Looks = request.app.state.looks
    sheet = name.rpartition("-")[0]
    if sheet not in SHEETS:
        raise Unknown("There is no such page. Check the address, or go back to the start.")
    # while servers of two versions run, a page of one may ask the other: what it gets is not to be kept as this
    is_this = looks.address(game, sheet).endswith(f"/{name}.css")
    headers = {"Cache-Control": "public, max-age=31536000, immutable" if is_this else "no-cache"}
    return Response(looks.sheet(game, sheet), media_type="text/css", headers=headers)
