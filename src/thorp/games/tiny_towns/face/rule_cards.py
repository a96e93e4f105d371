"""The printed cards of Tiny Towns as its rules list them."""

from __future__ import annotations

from thorp.core.rulebook import RuleCard
from thorp.games.tiny_towns.cards.known import CARD_SETS, PRINTED
from thorp.games.tiny_towns.rules.cards import LETTERS, RESOURCES, TYPES, Card


def rule_cards() -> tuple[RuleCard, ...]:
    """The printed cards, each in the list of its type."""
    return tuple(
        RuleCard(card.id, card.name, TYPES[card.type].id, _facts(card), card.effect, card.rulings, card)
        for card in CARD_SETS.of_value(PRINTED).cards
    )


def _facts(card: Card) -> tuple[tuple[str, str], ...]:
    solo = () if card.in_solo else (("Solo", "left out"),)
    return (("Pattern", pattern_words(card)), *solo)


def pattern_words(card: Card) -> str:
    """A pattern row by row; a dash where nothing lies: "– wheat / brick glass"."""
    rows = (" ".join("–" if c == "." else RESOURCES[LETTERS.index(c)] for c in row) for row in card.pattern)
    return " / ".join(rows)
