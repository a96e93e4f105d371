"""The options of Villages of Valeria."""

from __future__ import annotations

from collections.abc import Mapping

from thorp.core.options import Option
from thorp.core.words import Card
from thorp.games.valeria.decks.known import DECKS, FIRST, SECOND
from thorp.games.valeria.decks.summary import summary

DECK_FILE = DECKS.option_file(summary)

OPTIONS = (
    Option(
        id="deck",
        label="Deck",
        values=(SECOND, FIRST),
        labels=("Thorp deck, second edition", "Thorp deck, first edition"),
        help="The Thorp deck is Thorp's own design, not the printed one; a deck file brings any other.",
        rare=True,
        file=DECK_FILE,
    ),
)


def cards(options: Mapping[str, str]) -> tuple[Card, ...]:
    """The buildings by name, then the adventurers of the deck."""
    return tuple(Card(card.id, card.name) for card in DECKS.of_value(options["deck"]).every)
