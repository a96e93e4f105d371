"""Reading a file of cards: what is wrong is noted by card and field, with what to do about it."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from thorp.cardfiles.bounds import beyond
from thorp.core.given import shown
from thorp.core.language import ENGLISH
from thorp.core.options import MOST_BYTES
from thorp.core.words import Message, Noun, Said, Term, say

T = TypeVar("T")

LONGEST_NAME = 32
#: So many cards of a kind are read at most: more than any game can use, and a file of others is refused at once.
MOST_ENTRIES = 256
_NAME = re.compile(r"[^\W_]+(?:[' -]+[^\W_]+)*")


@dataclass(frozen=True)
class Fault:
    """Something wrong with a file: the card and the field at fault, and what to do about it."""

    card: str
    field: str
    text: Message

    @property
    def message(self) -> Message:
        """All of it, in a sentence."""
        place = ": ".join(filter(None, (self.card, self.field)))
        return Message("{place}: {fault}", {"place": place, "fault": self.text}) if place else self.text

    def __str__(self) -> str:
        return say(self.message, language=ENGLISH)


Checked = tuple[T | None, tuple[Fault, ...]]


class Reader:
    """Reads the tables of a file; what is wrong is noted, and something harmless put in its place."""

    #: So long may a name be.
    longest_name = LONGEST_NAME

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        #: The card that is being read.
        self.card = ""

    def fault(self, field: str, sentence: Said[str], **data: object) -> None:
        """Note a fault of the card that is being read."""
        self.faults.append(Fault(self.card, field, Message(sentence, data)))

    def entries(self, table: dict[str, Any], key: str) -> list[dict[str, Any]]:
        """The tables of an array of tables."""
        self.card = ""
        entries = table.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self.fault(key, "write each {thing} as a table headed [[{thing}]]", thing=key)
            return []
        if len(entries) > MOST_ENTRIES:
            self.fault(key, "there are {n} of them; no file has more than {most}", n=len(entries), most=MOST_ENTRIES)
            return entries[:MOST_ENTRIES]
        return entries

    def begin(self, kind: str, number: int, table: dict[str, Any]) -> None:
        """Say which card faults are of from now on."""
        name = table.get("name")
        said = f" ({name})" if isinstance(name, str) and self.is_name(name) else ""
        self.card = f"{kind} {number + 1}{said}"

    def keys(self, table: dict[str, Any], needed: Sequence[str], allowed: Sequence[str] = (), prefix: str = "") -> None:
        """A table has all needed keys, and no unknown ones."""
        for key in needed:
            if key not in table:
                self.fault(prefix + key, "is missing")
        for key in table:
            if key not in needed and key not in allowed:
                self.fault(prefix + self.key(key), "is not known here; there are {known}", known=(*needed, *allowed))

    def name(self, table: dict[str, Any]) -> str:
        """A name that can be shown."""
        name = table.get("name", "Nameless")
        if not isinstance(name, str) or not self.is_name(name):
            self.fault(
                "name",
                "must be a text of 1 to {most} letters, digits, spaces, hyphens and apostrophes, "
                "with a letter or digit at both ends, not {given}",
                most=self.longest_name,
                given=shown(name),
            )
            return "Nameless"
        return name

    def is_name(self, name: str) -> bool:
        """Whether a text can be a name."""
        return len(name) <= self.longest_name and unicodedata.is_normalized("NFC", name) and bool(_NAME.fullmatch(name))

    def one_of(
        self, table: dict[str, Any], key: str, values: Sequence[str], thing: Said[str], field: str = "", **data: object
    ) -> str:
        """One of some words."""
        value = table.get(key, values[0])
        if not isinstance(value, str) or value not in values:
            self.fault(
                field or key,
                "no {thing} is called {given}; there are {known}",
                thing=Message(thing, data),
                given=shown(value),
                known=tuple(values),
            )
            return values[0]
        return value

    def integer(self, table: dict[str, Any], key: str, least: int, most: int, field: str = "") -> int:
        """A whole number in bounds."""
        value = table.get(key, least)
        if type(value) is not int or not least <= value <= most:
            self.fault(
                field or key,
                "must be a whole number from {least} to {most}, not {given}",
                least=least,
                most=most,
                given=shown(value),
            )
            return least
        return value

    def flag(self, table: dict[str, Any], key: str, default: bool) -> bool:
        """True or false."""
        value = table.get(key, default)
        if not isinstance(value, bool):
            self.fault(key, "must be true or false, not {given}", given=shown(value))
            return default
        return value

    def key(self, key: str) -> str:
        """A key in a fault: as it is where it is a plain word."""
        return key if key.isascii() and key.isidentifier() and len(key) <= self.longest_name else shown(key)


def check(data: bytes, thing: Noun[str], reader: Reader, read: Callable[[dict[str, Any]], T]) -> Checked[T]:
    """What `read` makes of the table of a file and no faults, or None and all that is wrong with it."""
    if len(data) > MOST_BYTES:
        return _refused(
            Message(
                "the file has more than {n} bytes; a {thing} has at most {n}", {"n": MOST_BYTES, "thing": Term(thing)}
            )
        )
    try:
        # with the mark that some editors begin a file with, or without
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        return _refused(Message("the file is not UTF-8 text (at byte {n}); save it as UTF-8", {"n": error.start}))
    if sentence := beyond(text):
        return _refused(sentence)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return _refused(Message("the file is not TOML: {fault}", {"fault": _cut(str(error))}))
    found = read(table)
    return (None, tuple(reader.faults)) if reader.faults else (found, ())


def _refused(sentence: Message) -> tuple[None, tuple[Fault, ...]]:
    return None, (Fault("", "", sentence),)


def _cut(text: str) -> str:
    """What the parser says, which may quote a key as long as the file: its beginning, and the place at its end."""
    return text if len(text) <= 200 else f"{text[:120]}...{text[-60:]}"


def id_of(name: str, between: str = "-") -> str:
    """The id of a card, of its name."""
    return re.sub(r"\W+", between, name.casefold().replace("'", ""))


def quoted(text: str) -> str:
    """A name or word as a value of TOML: none holds a sign that would have to be escaped."""
    return f'"{text}"'
