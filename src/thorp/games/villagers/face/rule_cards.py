"""The villagers and events of Villagers as its rules list them."""

from __future__ import annotations

from collections.abc import Iterator

from thorp.core.rulebook import RuleCard
from thorp.games.villagers.rules.cards import EVENTS, VILLAGERS, Villager, number


def rule_cards() -> tuple[RuleCard, ...]:
    """The villagers, each in the list of its suit, and the events, each in that of its season."""
    villagers = (RuleCard(v.id, _name(v), v.suit, tuple(_facts(v)), v.effect, v.rulings, v) for v in VILLAGERS)
    events = (RuleCard(e.id, e.name, e.deck, (("Acts", _PHASES[e.phase]),), e.effect, e.rulings, e) for e in EVENTS)
    return (*villagers, *events)


#: When an event acts.
_PHASES = {
    "draft": "in the draft",
    "build": "while you build",
    "event": "after the build phase",
    "reveal": "as soon as it is turned",
}


def _name(villager: Villager) -> str:
    """The name of a card; of one with two sides, which side it is."""
    if sum(each.name == villager.name for each in VILLAGERS) == 1:
        return villager.name
    side = "gold" if villager.gold else "food" if villager.food else "empty"
    return f"{villager.name}, {side} side"


def _facts(villager: Villager) -> Iterator[tuple[str, str]]:
    if villager.symbols > 1:
        yield "Suit symbols", str(villager.symbols)
    if villager.predecessor:
        yield "Built on", VILLAGERS[number(villager.predecessor)].name
    if villager.successors and villager.suit not in ("special", "none"):
        yield "Bears", "two branches" if villager.successors > 1 else "one villager"
    if villager.padlock:
        yield "Padlock", f"opened by {VILLAGERS[number(villager.padlock)].name}"
    if villager.keyring:
        yield "Keyring", str(villager.keyring)
    if villager.four_plus:
        yield "Players", "4 or 5"
