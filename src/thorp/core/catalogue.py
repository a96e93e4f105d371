"""Catalogues of words: gettext's text files (.po), read as they are written, so that nothing has to be compiled."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

#: A catalogue lies in the folder of its language, and the list of all ids beside these folders.
FOLDER = "locale"
FILE = "words.po"
TEMPLATE = "words.pot"

#: The rules of a game in words. They are long, and may follow: who plays in a language need not wait for them.
RULES = "rules.md"

#: The context of the entries that say of which class (gender) a noun is; other contexts are only told apart.
CLASS = "class"

#: How plurals are chosen where a catalogue does not say.
_GERMANIC = "nplurals=2; plural=(n != 1);"
_PLURALS = re.compile(r"nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;]+);?")
_LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])?\s+(".*")')


class CatalogueError(ValueError):
    """A file that is no catalogue."""


@dataclass(frozen=True)
class Entry:
    """An id and what stands for it: one text, or as many as the language has plurals; empty where none does yet."""

    id: str
    texts: tuple[str, ...]
    plural: str = ""
    context: str = ""
    #: The files in which it stands.
    places: tuple[str, ...] = ()

    @property
    def is_said(self) -> bool:
        """Whether it is translated, in all its forms."""
        return all(self.texts)


@dataclass(frozen=True)
class Catalogue:
    """What a language says for the ids of the house, or of a game."""

    header: Mapping[str, str] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()

    @property
    def missing(self) -> tuple[Entry, ...]:
        """What is not translated yet. A noun need be of no class: then it has one form."""
        return tuple(entry for entry in self.entries if not entry.is_said and entry.context != CLASS)

    @property
    def missing_in_play(self) -> tuple[Entry, ...]:
        """What is not translated yet, but for what stands in the rules in words alone."""
        return tuple(entry for entry in self.missing if entry.places != (RULES,))


def read(path: Path) -> Catalogue:
    """The catalogue in a file; an empty one where there is none. Raises CatalogueError that names the file."""
    if not path.is_file():
        return Catalogue()
    entries = tuple(_entries(path))
    header = next((entry.texts[0] for entry in entries if not entry.id and not entry.context), "")
    pairs = (line.partition(":") for line in header.splitlines())
    return Catalogue({name: value.strip() for name, _, value in pairs if name}, tuple(e for e in entries if e.id))


@lru_cache
def plural_rule(words: str) -> tuple[int, Callable[[int], int]]:
    """How many plurals a language has, and which one a number takes, by `Plural-Forms` of a header."""
    found = _PLURALS.search(words or _GERMANIC)
    if found is None:
        raise ValueError(f"no rule for plurals: {words!r}")
    return int(found[1]), gettext.c2py(found[2])


def _entries(path: Path) -> Iterator[Entry]:
    """The entries of a file. What is marked as fuzzy, a guess of a tool, counts as not translated."""
    parts: dict[str, str] = {}
    places: list[str] = []
    now = ""
    fuzzy = False
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise CatalogueError(f"{path} is not text in UTF-8") from None
    # a last empty line ends the last entry
    for number, line in enumerate([*lines, ""], 1):
        line = line.strip()
        if (not line or line.startswith("#") or line.startswith(("msgctxt", "msgid "))) and "msgstr0" in parts:
            if "msgid" not in parts:
                raise CatalogueError(f"{path}:{number}: the entry that ends here has no msgid")
            yield _entry(parts, fuzzy, tuple(places))
            parts, places, fuzzy = {}, [], False
        if line.startswith("#,"):
            fuzzy = fuzzy or "fuzzy" in line
        elif line.startswith("#:"):
            places += line.removeprefix("#:").split()
        elif found := _LINE.fullmatch(line):
            now = found[1] + (found[2] or "0" if found[1] == "msgstr" else "")
            parts[now] = _text(found[3], path, number)
        elif line.startswith('"') and now in parts:
            parts[now] += _text(line, path, number)
        elif line and not line.startswith("#"):
            raise CatalogueError(f"{path}:{number}: this is no line of a catalogue: {line}")


def _entry(parts: Mapping[str, str], fuzzy: bool, places: tuple[str, ...]) -> Entry:
    forms = sorted((int(name.removeprefix("msgstr")), text) for name, text in parts.items() if name[:6] == "msgstr")
    # the header of a file that was just begun is marked, too
    texts = tuple("" if fuzzy and parts["msgid"] else text for _, text in forms)
    return Entry(parts["msgid"], texts, parts.get("msgid_plural", ""), parts.get("msgctxt", ""), places)


def _text(quoted: str, path: Path, number: int) -> str:
    inside = quoted[1:-1]
    if len(quoted) > 1 and quoted.endswith('"') and '"' not in inside and "\\" not in inside:
        # nearly all are so, and catalogues are read at every start
        return inside
    try:
        return str(ast.literal_eval(quoted))
    except (SyntaxError, ValueError):
        raise CatalogueError(f"{path}:{number}: the quotation marks do not fit: {quoted}") from None
