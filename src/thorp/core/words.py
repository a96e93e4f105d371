"""Messages: a sentence as a template with typed data, so that it can be translated and its cards clicked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any


@dataclass(frozen=True)
class Seat:
    """A seat in a message: said as the name of its player."""

    number: int


@dataclass(frozen=True)
class Card:
    """A card in a message: said as its name, and clickable where that can be."""

    id: str
    name: str


@dataclass(frozen=True)
class Term:
    """A word of the game that is translated by itself: a resource, a type of building."""

    text: str


@dataclass(frozen=True)
class Message:
    """A sentence: an English template, which is also its message id, and the data for its braces.

    >>> say(Message("{seat} places {resource}.", {"seat": Seat(0), "resource": Term("wood")}), ["Ada"])
    'Ada places wood.'
    """

    text: str
    data: Mapping[str, Any] | None = None
    #: The template where the number `n` of the data is not one.
    plural: str = ""

    def __hash__(self) -> int:
        return hash((self.text, tuple((self.data or {}).items())))


Translate = Callable[[str], str]


def say(
    message: Message,
    names: Sequence[str] = (),
    translate: Translate = str,
    dress: Callable[[Any, str], str] | None = None,
) -> str:
    """A message in words.

    `names` are the players by seat; `translate` looks a message id up in a catalogue (gettext);
    `dress(value, text)` may wrap the words of a piece of data, and gets plain text pieces too, with
    value None: a web page escapes and marks up there.
    """
    dress = dress or (lambda value, text: text)
    data = message.data or {}
    out: list[str] = []
    template = message.plural if message.plural and data["n"] != 1 else message.text
    for literal, field, _, _ in Formatter().parse(translate(template)):
        if literal:
            out.append(dress(None, literal))
        if field is not None:
            out.append(_value(data[field], names, translate, dress))
    return "".join(out)


def _value(value: Any, names: Sequence[str], translate: Translate, dress: Callable[[Any, str], str]) -> str:
    if isinstance(value, Message):
        return say(value, names, translate, dress)
    if isinstance(value, (list, tuple)):
        # not the method of what `dress` gives: markup would escape what is marked up already
        return str.join(dress(None, ", "), (_value(item, names, translate, dress) for item in value))
    if isinstance(value, Seat):
        known = value.number < len(names)
        return dress(value, names[value.number] if known else translate("Seat {n}").format(n=value.number + 1))
    if isinstance(value, Card):
        return dress(value, translate(value.name))
    if isinstance(value, Term):
        return dress(value, translate(value.text))
    return dress(value, str(value))
