"""The printed cards of Tiny Towns as its rules list them."""

from __future__ import annotations

from thorp.core.language import spoken
from thorp.core.rulebook import RuleCard
from thorp.core.words import Message, say
from thorp.games.tiny_towns.cards.known import CARD_SETS, PRINTED
from thorp.games.tiny_towns.rules.cards import LETTERS, RESOURCES, TYPES, Card


def rule_cards() -> tuple[RuleCard, ...]:
    """The printed cards, each in the list of its type."""
    return tuple(map(_rule_card, CARD_SETS.of_value(PRINTED).cards))


def _rule_card(card: Card) -> RuleCard:
    text = spoken().text
    rulings = tuple(map(text, card.rulings))
    return RuleCard(card.id, text(card.name), TYPES[card.type].id, _facts(card), text(card.effect), rulings, card)


def _facts(card: Card) -> tuple[tuple[str, str], ...]:
    solo = () if card.in_solo else ((say(Message("Solo")), say(Message("left out"))),)
    return ((say(Message("Pattern")), pattern_words(card)), *solo)


def pattern_words(card: Card) -> str:
    """A pattern row by row; a dash where nothing lies: "– wheat / brick glass"."""
    text = spoken().text
    rows = (" ".join("–" if c == "." else text(RESOURCES[LETTERS.index(c)]) for c in row) for row in card.pattern)
    return " / ".join(rows)
