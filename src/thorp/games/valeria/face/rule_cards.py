"""The cards of the Thorp deck as the rules of Villages of Valeria list them."""

from __future__ import annotations

from thorp.core.rulebook import RuleCard
from thorp.games.valeria.decks.known import DECKS
from thorp.games.valeria.rules.deck import Adventurer, Building


def rule_cards() -> tuple[RuleCard, ...]:
    """The buildings, each in the list of its type, and the adventurers."""
    deck = DECKS.standard
    return tuple(
        RuleCard(card.id, card.name, _group(card), _facts(card), _effect(card), (), card) for card in deck.every
    )


def _group(card: Building | Adventurer) -> str:
    return card.type if isinstance(card, Building) else "adventurer"


def _facts(card: Building | Adventurer) -> tuple[tuple[str, str], ...]:
    points = ("Points", str(card.points))
    if isinstance(card, Building):
        halves = " or ".join(dict.fromkeys(card.copies))
        return (("Costs", ", ".join(card.costs)), points, ("Or is", halves))
    return (("Asks for", ", ".join(card.types)), points)


def _effect(card: Building | Adventurer) -> str:
    return " ".join(f"{power.text}." for power in card.powers) or "No power."
