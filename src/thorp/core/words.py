"""Messages: a sentence as a template with typed data, so that it can be translated and its cards clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
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
class Quoted:
    """A message within another one that is said in the words of a game, such as what is wrong with its options."""

    message: Message
    #: The folder of the game's catalogues.
    words: Path
    #: Whether a sentence begins with it.
    opens: bool = False


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
#: How the last of some is joined to those before it, of which one is chosen.
EITHER: Said[str] = "{before} or {last}"
#: What stands between parts that have commas of their own.
APART: Said[str] = "; "

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


def either(texts: Iterable[str]) -> str:
    """Texts of which one is chosen, as the language that is spoken joins them."""
    return spoken().series(texts, spoken().text(BETWEEN), _joint(spoken().text(EITHER)))


def beside(texts: Iterable[str]) -> str:
    """What is said of one thing, part by part, such as "Farm, 2 points": no list, and no word before the last part."""
    return str.join(spoken().text(BETWEEN), texts)


def apart(texts: Iterable[str]) -> str:
    """Parts that have commas of their own."""
    return str.join(spoken().text(APART), texts)


def _joint(text: str) -> str:
    return text.removeprefix("{before}").removesuffix("{last}")


def _between(language: Language) -> tuple[str, str]:
    """What stands between the things of a list, and what before the last of them."""
    return language.text(BETWEEN), _joint(language.text(LAST))


def _undressed(value: Any, text: str) -> str:
    return text


def _said(message: Message, names: Sequence[str], language: Language, dress: Dress) -> str:
    data = message.data or {}
    if message.plural:
        template = language.number(message.text, message.plural, data["n"])
    else:
        template = language.text(message.text)
    said: list[str] = []
    # from the end: words may depend on what follows them
    for literal, name, form in reversed(_pieces(template)):
        if name is None:
            said.append(dress(None, language.turned(literal, said[-1]) if said else literal))
        else:
            said.append(_value(data[name], names, language, dress, form))
    return "".join(reversed(said))


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
    if isinstance(value, Quoted):
        text = _said(value.message, names, language.within(value.words), dress)
        return text[:1].upper() + text[1:] if value.opens else text
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
