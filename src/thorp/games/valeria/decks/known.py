"""The decks that this process has seen, those that come with Thorp first."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from thorp.cardfiles.known import Known
from thorp.games.valeria.decks.deck_toml import check, write
from thorp.games.valeria.rules.deck import Deck

#: The values of the option that stand for the editions of the Thorp deck. The first was the only one once, and matches
#: that were recorded with it call it so.
SECOND, FIRST = "second", "standard"
#: Their files, that of new tables first.
FILES = {SECOND: Path(__file__).parent / "second.toml", FIRST: Path(__file__).parent / "thorp.toml"}


def _load(file: Path) -> Deck:
    deck, faults = check(file.read_bytes())
    assert deck, faults
    return deck


DECKS = Known("deck", {value: partial(_load, file) for value, file in FILES.items()}, check, write)


def is_thorps(deck: Deck) -> bool:
    """Whether a deck is Thorp's own design: one of those that come with it."""
    return any(DECKS.of_value(value) is deck for value in FILES)
