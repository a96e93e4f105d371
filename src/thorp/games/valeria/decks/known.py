"""The decks that this process has seen, the Thorp deck first."""

from __future__ import annotations

from pathlib import Path

from thorp.cardfiles.known import Known
from thorp.games.valeria.decks.deck_toml import check, write
from thorp.games.valeria.rules.deck import Deck

#: The value of the option that stands for the deck that comes with Thorp, and its file.
STANDARD = "standard"
STANDARD_FILE = Path(__file__).parent / "thorp.toml"


def _load() -> Deck:
    deck, faults = check(STANDARD_FILE.read_bytes())
    assert deck, faults
    return deck


DECKS = Known("deck", STANDARD, _load, check, write)
