"""The decks that this process has seen, and decks as the value of a table's option."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from thorp.core.game import OptionError
from thorp.games.valeria.deck import Deck
from thorp.games.valeria.deck_file import check, write

#: The value of the option that stands for the deck that comes with Thorp, and its file.
STANDARD = "standard"
STANDARD_FILE = Path(__file__).parent / "decks" / "thorp.toml"

#: So many decks are remembered.
_REMEMBERED = 4096
#: So many faults are told at once where a sentence has to do.
_TOLD = 5

_known: OrderedDict[int, Deck] = OrderedDict()


@cache
def standard() -> Deck:
    """The deck that comes with Thorp."""
    return _parsed(STANDARD_FILE.read_text(encoding="utf-8"))


def deck_of(key: int) -> Deck:
    """The deck of that key: views and words have only the state. Every deck that a match was made with is known."""
    if key not in _known:
        _remember(standard())
    return _known[key]


def read(text: str) -> str:
    """The canonical text of a deck file; "standard" for that of the Thorp deck. Raises OptionError with its faults."""
    deck = _parsed(text)
    return STANDARD if deck == standard() else write(deck)


def numbers(value: str) -> Sequence[int]:
    """The numbers of the deck that an option names or holds."""
    return _remember(of_value(value)).numbers


def label(value: str) -> str:
    """The name of the deck that an option names or holds."""
    return of_value(value).name


def of_value(value: str) -> Deck:
    """The deck that an option names or holds."""
    return standard() if value == STANDARD else _parsed(value)


@lru_cache(maxsize=64)
def _parsed(text: str) -> Deck:
    deck, faults = check(text.encode("utf-8", "surrogatepass"))
    if deck is None:
        more = f"; and {len(faults) - _TOLD} more" if len(faults) > _TOLD else ""
        raise OptionError("the deck cannot be used: " + "; ".join(map(str, faults[:_TOLD])) + more)
    return deck


def _remember(deck: Deck) -> Deck:
    _known[deck.key] = deck
    _known.move_to_end(deck.key)
    while len(_known) > _REMEMBERED:
        _known.popitem(last=False)
    return deck
