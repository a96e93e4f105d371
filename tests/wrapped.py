"""A language for tests that wraps every text, so that what is in no catalogue is seen: it is bare."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from thorp.core.catalogue import Catalogue, Entry
from thorp.core.language import HOUSE, Language, language, translated
from thorp.server.tables.seating import BOT_NAMES
from thorp.translating import folders
from thorp.translating.folders import Domain

#: Names of people, bots, works and who made them, and languages' own: no language changes them. Games have others.
NAMES = (
    *("Thorp", "Pebbles", "Tiny Towns", "Villagers", "Villages of Valeria", "Ada", "Ben", "Berta", "Guest", "Person"),
    *("English", "Wrapped", *(language(tag).name for tag in translated()), *BOT_NAMES),
    *("Fraunces", "Source Sans 3", "Noto Sans JP", "Undercase Type", "Adobe", "htmx", "Big Sky Software"),
    *("resvg", "Resvg Authors"),
    *("resvg-py", "cssselect2", "Starlette", "uvicorn", "Jinja", "SQLAlchemy", "Alembic", "markdown-it-py"),
    *("NumPy", "Numba"),
    # letters along a board
    "ABCD",
)
#: What it is called by programs.
TAG = "en-x-wrapped"
_OPEN, _CLOSE = "⟦", "⟧"
#: Attributes that somebody reads or hears.
_READ = (
    "aria-label",
    "title",
    "alt",
    "placeholder",
    "data-done",
    "data-one",
    "data-many",
    "data-unsent",
    "data-followed",
)
_WORD = re.compile(r"[^\W\d_]{2,}")


class Wrapped(Language):
    """Every id of the house in brackets, and of a game where it is spoken there."""

    def __init__(self, *given: Path) -> None:
        super().__init__(TAG, [_wrapped(folder) for folder in given], "Wrapped")
        self._given = given
        self._kept: dict[Path, Wrapped] = {}

    def within(self, folder: Path) -> Language:
        """As a game speaks it."""
        if folder not in self._kept:
            self._kept[folder] = Wrapped(*self._given, folder)
        return self._kept[folder]


def wrapped() -> Wrapped:
    """The language, of the house."""
    return Wrapped(HOUSE)


@cache
def _wrapped(folder: Path) -> Catalogue:
    """What is said in the package that has this folder of catalogues, gathered anew: it need not have any."""
    domain = Domain("", folder.parent)
    ids = folders.wanted(domain, folders.gather(domain))
    return Catalogue(entries=tuple(Entry(each.text, _texts(each.text, each.plural), each.plural) for each in ids))


def _texts(text: str, plural: str) -> tuple[str, ...]:
    return (_in_brackets(text), _in_brackets(plural)) if plural else (_in_brackets(text),)


def _in_brackets(text: str) -> str:
    return f"{_OPEN}{text}{_CLOSE}" if _WORD.search(text) else text


def bare(html: str, *known: str) -> list[str]:
    """What stands on a page outside of all brackets, but for these words: names of people and games."""
    reader = _Reader()
    reader.feed(html)
    found = []
    for text in reader.texts:
        rest = _outside(text)
        for word in sorted(known, key=len, reverse=True):
            rest = rest.replace(word, "")
        if _WORD.search(rest):
            found.append(" ".join(text.split()))
    return found


def _outside(text: str) -> str:
    depth, out = 0, ""
    for sign in text:
        depth += (sign == _OPEN) - (sign == _CLOSE)
        if not depth and sign != _CLOSE:
            out += sign
    return out


class _Reader(HTMLParser):
    """Collects what is read: the texts of blocks, whose parts may be marked up, and of attributes."""

    _SILENT = ("script", "style", "kbd", "code")
    _INLINE = ("span", "b", "i", "em", "strong", "button", "a", "small", "use", "svg")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._silent = 0
        self._block = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in _READ and value]
        self._silent += tag in self._SILENT
        if tag not in self._INLINE:
            self._end()

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in self._SILENT
        if tag not in self._INLINE:
            self._end()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._block += data

    def _end(self) -> None:
        if self._block.strip():
            self.texts.append(self._block)
        self._block = ""

    def close(self) -> None:
        super().close()
        self._end()
