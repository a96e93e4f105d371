"""Messages: a sentence as a template with typed data, so that it can be translated and its cards clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter
from typing import Annotated, Any, TypeVar

from thorp.core.language import Language, spoken

T = TypeVar("T")

#: Texts that people meet, which are ids of messages: `thorp words` gathers what is given to a parameter, a field or a
#: name of this type, or returned by a function of it, from wherever it stands as a literal (docs/translating.md).
Said = Annotated[T, "said"]
#: The English for other numbers than one, of the text before it.
Many = Annotated[T, "many"]
#: Names of things, which a language may have in several forms, such as with an article.
Noun = Annotated[T, "noun"]


@dataclass(frozen=True)
class Seat:
    """A seat in a message: said as the name of its player."""

    number: int


@dataclass(frozen=True)
class Card:
    """A card in a message: said as its name, and clickable where that can be."""

    id: str
    name: Noun[str]


@dataclass(frozen=True)
class Term:
    """A word of the game that is translated by itself: a resource, a type of building."""

    text: Noun[str]


@dataclass(frozen=True)
class Message:
    """A sentence: an English template, which is also its message id, and the data for its braces.

    >>> say(Message("{seat} places {resource}.", {"seat": Seat(0), "resource": Term("wood")}), ["Ada"])
    'Ada places wood.'
    """

    text: Said[str]
    data: Mapping[str, Any] | None = None
    #: The template where the number `n` of the data is not one.
    plural: Many[str] = ""

    def __hash__(self) -> int:
        return hash((self.text, tuple((self.data or {}).items())))


Dress = Callable[[Any, str], str]

#: How the things of a list are joined: what stands between them, and how the last one is joined to those before it.
BETWEEN: Said[str] = ", "
LAST: Said[str] = "{before}, {last}"

#: A seat at which nobody with a name sits.
UNNAMED: Said[str] = "Seat {n}"


def say(
    message: Message, names: Sequence[str] = (), language: Language | None = None, dress: Dress | None = None
) -> str:
    """A message in words.

    `names` are the players by seat; without a `language` the one that is spoken is taken.
    `dress(value, text)` may wrap the words of a piece of data, and gets plain text pieces too, with value None: a web
    page escapes and marks up there.
    """
    return _said(message, names, language or spoken(), dress or _undressed)


def series(texts: Iterable[str]) -> str:
    """Texts in a row, as the language that is spoken joins the things of a list."""
    return spoken().series(texts, *_between(spoken()))


def _between(language: Language) -> tuple[str, str]:
    """What stands between the things of a list, and what before the last of them."""
    return language.text(BETWEEN), language.text(LAST).removeprefix("{before}").removesuffix("{last}")


def _undressed(value: Any, text: str) -> str:
    return text


def _said(message: Message, names: Sequence[str], language: Language, dress: Dress) -> str:
    data = message.data or {}
    if message.plural:
        template = language.number(message.text, message.plural, data["n"])
    else:
        template = language.text(message.text)
    return "".join(
        dress(None, literal) if name is None else _value(data[name], names, language, dress, form)
        for literal, name, form in _pieces(template)
    )


@lru_cache(maxsize=8192)  # messages of people's own cards come through here too
def _pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """A template as literals, and as names of data, each with the form that it asks for: "{card:el}"."""
    return tuple(_parsed(template))


def _parsed(template: str) -> Iterator[tuple[str, str | None, str]]:
    for literal, name, form, _ in Formatter().parse(template):
        if literal:
            yield literal, None, ""
        if name is not None:
            yield "", name, form or ""


def _value(value: Any, names: Sequence[str], language: Language, dress: Dress, form: str) -> str:
    if isinstance(value, Message):
        return _said(value, names, language, dress)
    if isinstance(value, (list, tuple)):
        said = [_value(item, names, language, dress, form) for item in value]
        return language.series(said, *(dress(None, each) for each in _between(language)))
    if isinstance(value, Seat):
        known = value.number < len(names)
        return dress(value, names[value.number] if known else language.text(UNNAMED).format(n=value.number + 1))
    if isinstance(value, Card):
        return dress(value, language.noun(value.name, form) if form else language.text(value.name))
    if isinstance(value, Term):
        return dress(value, language.noun(value.text, form) if form else language.text(value.text))
    return dress(value, str(value))
