"""What is in a deck file: for designers of decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from thorp.games.valeria.rules.deck import Deck
from thorp.games.valeria.rules.powers import RESOURCES, TYPES, WHENS


def summary(deck: Deck) -> tuple[str, ...]:
    """What a designer counts: cards by type, cost, resource and power."""
    costs = Counter(len(building.costs) for building in deck.buildings)
    points = Counter(building.points for building in deck.buildings)
    powers = Counter(power.when for card in deck.every for power in card.powers)
    plain = sum(not card.powers for card in deck.every)
    return (
        f"{deck.name}: the deck is sound.",
        f"{len(deck.buildings)} buildings on {len(deck.cards)} cards, {len(deck.adventurers)} adventurers",
        _line("Types", TYPES, (building.type for building in deck.buildings)),
        "Costs: " + ", ".join(f"{cost} {n}" for cost, n in sorted(costs.items())),
        "Points: " + ", ".join(f"{each} {n}" for each, n in sorted(points.items())),
        _line("Resources asked for", RESOURCES, (each for building in deck.buildings for each in building.costs)),
        _line("Resources given", RESOURCES, (resource for _, resource in deck.cards)),
        _line("Types that adventurers ask for", TYPES, (each for card in deck.adventurers for each in card.types)),
        "Powers: " + ", ".join(f"{when} {powers[when]}" for when in WHENS[1:]) + f", cards without {plain}",
    )


def _line(label: str, names: Iterable[str], things: Iterable[str]) -> str:
    counts = Counter(things)
    return f"{label}: " + ", ".join(f"{name} {counts[name]}" for name in names)
