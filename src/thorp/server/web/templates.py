"""Templates and built assets: where they are found, and what every template can use."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    pass_context,
)
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from markupsafe import Markup

from thorp.core.blocks import named
from thorp.core.columns import width
from thorp.core.errors import GameError
from thorp.core.language import spoken
from thorp.core.registry import game as find_game
from thorp.players import called, seconds
from thorp.server.web import dates, markup
from thorp.server.web.languages import with_language
from thorp.server.web.looks import Looks
from thorp.server.web.regions import whole
from thorp.server.web.rulebooks import rules_address
from thorp.server.web.saying import Saying

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
STATIC = HERE / "static"


class GameLoader(BaseLoader):
    """Finds "<game id>/<name>" in the folder of that game."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        """The text of a template. Raises TemplateNotFound."""
        id, _, name = template.partition("/")
        try:
            folder = find_game(id).folder
        except GameError as error:
            raise TemplateNotFound(template) from error
        try:
            return FileSystemLoader(folder).get_source(environment, name)
        except TemplateNotFound as error:
            raise TemplateNotFound(template) from error


class Assets:
    """The built files, by their plain names."""

    def __init__(self, folder: Path = STATIC) -> None:
        self.folder = folder
        self._manifest: dict[str, str] = {}
        self._read = 0.0

    def address(self, name: str) -> str:
        """Where a file is served; its address changes with its content, so that browsers may keep it for ever."""
        path = self.folder / "manifest.json"
        try:
            written = path.stat().st_mtime
            if written != self._read:
                self._manifest = json.loads(path.read_text())
                self._read = written
        except OSError:
            if not self._read:
                log.warning("the pages' script and styles are not built: run `make assets`")
                self._read = -1.0
        except ValueError:
            # It is being written: what we have read before still holds.
            pass
        return f"/static/{self._manifest.get(name, name)}"


#: So many parts of pages are kept.
_MOST_PARTS = 4096


class Once:
    """Parts of pages that are always the same, such as a card's text, are rendered once.

    In a template: `{% call once('pattern', card.id) %}...{% endcall %}`; the key must name all that the part depends
    on. The oldest are forgotten where there are too many, since tables may have cards of their own.
    """

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep
        self._rendered: dict[tuple[Hashable, ...], str] = {}

    def __call__(self, *key: Hashable, caller: Callable[[], str]) -> str:
        """The part of that key."""
        if not self._keep:
            return caller()
        key = (spoken(), *key)
        if key not in self._rendered:
            while len(self._rendered) >= _MOST_PARTS:
                del self._rendered[next(iter(self._rendered))]
            self._rendered[key] = caller()
        return self._rendered[key]


class _Compiled(BytecodeCache):
    """Compiled templates of this process: a server has several environments, and a test many servers."""

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was compiled of the same source before."""
        if found := self._known.get(bucket.key):
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._known[bucket.key] = bucket.bytecode_to_string()


_compiled = _Compiled()


def environment(assets: Assets, looks: Looks, *, debug: bool = False) -> Environment:
    """The Jinja environment of all pages."""
    jinja = Environment(
        loader=ChoiceLoader([FileSystemLoader(TEMPLATES), GameLoader()]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=debug,
        bytecode_cache=_compiled,
        extensions=[Saying],
    )
    jinja.globals["spoken"] = spoken
    jinja.globals["in_words"] = with_language
    jinja.globals["asset"] = assets.address
    jinja.globals["look"] = looks.address
    jinja.globals["rules_address"] = rules_address
    jinja.globals["region"] = jinja.globals["part"] = whole
    jinja.globals["draws_pictures"] = False
    jinja.globals["once"] = Once(keep=not debug)
    jinja.filters["in_groups"] = _in_groups
    jinja.filters["called"] = _called
    jinja.filters["thinks"] = seconds
    jinja.filters["say"] = _say
    jinja.filters["only_used"] = _only_used
    jinja.filters["without_symbols"] = _without_symbols
    jinja.filters["words"] = _words
    jinja.filters["shortened"] = markup.shortened
    jinja.filters["minus"] = markup.minus
    jinja.filters["columns"] = width
    jinja.filters["named"] = named
    jinja.filters["decimal"] = dates.decimal
    jinja.filters["day"] = dates.day
    jinja.filters["day_and_year"] = dates.day_and_year
    jinja.filters["day_and_time"] = dates.day_and_time
    return jinja


def _called(level: str) -> str:
    """What people call a bot of a level."""
    return spoken().text(called(level))


#: So many lines of a log make a group.
_GROUP = 8


def _in_groups(lines: Sequence[Any], most: int | None = None) -> list[tuple[Any, ...]]:
    """The lines, or some more than the last `most`, in groups that stay the same while more come at the end."""
    first = 0 if most is None else max(0, len(lines) - most) // _GROUP * _GROUP
    return [tuple(lines[at : at + _GROUP]) for at in range(first, len(lines), _GROUP)]


_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>\s*', re.DOTALL)
_USED = re.compile(r'href="#([^"]+)"')


def _only_used(text: str) -> Markup:
    """A drawing without those symbols of its sprite that it does not use."""
    symbols = {found[1]: found[0] for found in _SYMBOL.finditer(text)}
    used: set[str] = set()
    new = set(_USED.findall(_SYMBOL.sub("", text)))
    while new:
        used |= new
        new = {id for name in new for id in _USED.findall(symbols.get(name, ""))} - used
    return Markup(_SYMBOL.sub(lambda found: found[0] if found[1] in used else "", text))


#: How the picture of a game begins, behind its symbols.
_PICTURE = '<svg class="drawing cover"'


def _without_symbols(text: str) -> Markup:
    """The picture of a game alone, for a page that has its symbols already."""
    return Markup(text[max(0, text.find(_PICTURE)) :])


@pass_context
def _say(context: Context, value: Any) -> Markup:
    return markup.html(value, context.get("names", ()))


@pass_context
def _words(context: Context, value: Any) -> str:
    return markup.plain(value, context.get("names", ()))
