"""The cards of the Thorp deck as the rules of Villages of Valeria list them."""

from __future__ import annotations

from collections.abc import Iterable

from thorp.core.language import spoken
from thorp.core.rulebook import RuleCard
from thorp.core.words import Message, Term, say
from thorp.games.valeria.decks.known import DECKS
from thorp.games.valeria.rules.deck import Adventurer, Building


def rule_cards() -> tuple[RuleCard, ...]:
    """The buildings, each in the list of its type, and the adventurers."""
    text = spoken().text
    return tuple(
        RuleCard(card.id, text(card.name), _group(card), _facts(card), _effect(card), (), card)
        for card in DECKS.standard.every
    )


def _group(card: Building | Adventurer) -> str:
    return card.type if isinstance(card, Building) else "adventurer"


def _facts(card: Building | Adventurer) -> tuple[tuple[str, str], ...]:
    points = (say(Message("Points")), str(card.points))
    if isinstance(card, Building):
        costs = (say(Message("Costs")), _each(card.costs))
        kinds = tuple(dict.fromkeys(card.copies))
        is_kind = Message("Or is") if len(kinds) == 1 else Message("Or is, by copy")
        return (costs, points, (say(is_kind), _halves(kinds)))
    return ((say(Message("Asks for")), _each(card.types)), points)


def _each(kinds: Iterable[str]) -> str:
    return say(Message("{kinds}", {"kinds": tuple(map(Term, kinds))}))


def _halves(kinds: tuple[str, ...]) -> str:
    if len(kinds) == 1:
        return say(Message("{kind}", {"kind": Term(kinds[0])}))
    return say(Message("{kind} or {other}", {"kind": Term(kinds[0]), "other": Term(kinds[1])}))


def _effect(card: Building | Adventurer) -> str:
    powers = (say(Message("{power}.", {"power": power.said})) for power in card.powers)
    return " ".join(powers) or say(Message("No power."))
