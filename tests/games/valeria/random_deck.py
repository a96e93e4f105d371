"""Deck files like no other: any deck within the bounds of docs/decks.md, and some that make what is rare common."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

RESOURCES = ("food", "wood", "stone", "magic")
TYPES = ("worker", "soldier", "shadow", "holy")
ACTIONS = ("instant", "harvest", "develop", "build", "recruit", "tax")
GIVEN = (*RESOURCES, "any", "any")
COUNTED = (*TYPES, *RESOURCES, "resources", "buildings", "adventurers", "coins", "types")
LEAST_CARDS, MOST_CARDS = 60, 96
LEAST_NAMES, MOST_NAMES = 20, 48
LEAST_ADVENTURERS, MOST_ADVENTURERS = 5, 20
MOST_COPIES = 4


@dataclass
class Style:
    """What a deck is like: how dear its buildings are, and how often it has powers of each sort."""

    costs: tuple[int, int] = (1, 5)
    #: How many kinds of resources there are.
    kinds: int = len(RESOURCES)
    needs: tuple[int, int] = (1, 4)
    adventurers: tuple[int, int] = (LEAST_ADVENTURERS, MOST_ADVENTURERS)
    #: How often a card has no power, one, two.
    powers: tuple[int, int, int] = (1, 2, 2)
    sorts: dict[str, int] = field(default_factory=lambda: {"action": 6, "paying": 3, "hiring": 1, "scoring": 3})
    effects: dict[str, int] = field(default_factory=lambda: {"draw": 1, "coins": 1, "take": 1})
    #: How often a power has a price, out of ten.
    priced: int = 5
    #: How often the copies of a building are all alike, out of ten.
    alike: int = 3


#: There is one resource only, of which buildings cost four or five.
ONE_KIND = Style(costs=(4, 5), kinds=1, sorts={"paying": 6, "action": 1}, priced=2)
STYLES = (
    Style(),
    Style(costs=(1, 2), needs=(1, 2), powers=(0, 1, 3)),
    Style(
        costs=(1, 2), needs=(1, 1), adventurers=(LEAST_ADVENTURERS, 6), sorts={"action": 3, "hiring": 2, "scoring": 2}
    ),
    Style(costs=(3, 5), sorts={"paying": 5, "action": 1}, priced=7),
    Style(costs=(1, 3), effects={"take": 3, "draw": 1}, priced=2, alike=8),
    Style(costs=(1, 2), sorts={"action": 1}, effects={"draw": 1, "coins": 2, "take": 1}, priced=9, alike=8),
    Style(costs=(2, 4), sorts={"paying": 6, "scoring": 1}, priced=3, alike=6),
    ONE_KIND,
)


def _weighted(rng: random.Random, weights: dict[str, int]) -> str:
    return rng.choices(list(weights), list(weights.values()))[0]


def _power(rng: random.Random, style: Style) -> str:
    sort = _weighted(rng, style.sorts)
    amount = rng.choice((1, 1, 1, 2, 2, 3, 4))
    number = f", amount = {amount}" if amount > 1 or rng.random() < 0.5 else ""
    priced = rng.random() * 10 < style.priced
    if sort == "paying":
        pay = f", pay = {rng.choice(('1 card', '1 coin'))!r}" if priced else ""
        return f'{{ when = "paying", do = "resource", of = {rng.choice(GIVEN)!r}{pay} }}'
    if sort == "hiring":
        return f'{{ when = "hiring", do = "cheaper"{number} }}'
    if sort == "scoring":
        per = f", per = {rng.randint(1, 7)}" if rng.random() < 0.6 else ""
        return f'{{ when = "scoring", do = "score", of = {rng.choice(COUNTED)!r}{number}{per} }}'
    price = rng.choice(("1 card", "1 card", "2 cards", "3 cards", "1 coin", "1 coin", "2 coins", "3 coins"))
    pay = f", pay = {price!r}" if priced else ""
    return f"{{ when = {rng.choice(ACTIONS)!r}, do = {_weighted(rng, style.effects)!r}{number}{pay} }}"


def _powers(rng: random.Random, style: Style) -> list[str]:
    many = rng.choices((0, 1, 2), style.powers)[0]
    powers = [_power(rng, style) for _ in range(many)]
    return [f"powers = [{', '.join(powers)}]"] if powers else []


def _counts(names: list[str]) -> str:
    return "{ " + ", ".join(f"{name} = {names.count(name)}" for name in dict.fromkeys(names)) + " }"


def _copies(rng: random.Random, style: Style, names: int) -> list[list[str]]:
    """The lower halves of each building; together as many cards as a deck may have."""
    most = min(MOST_CARDS, MOST_COPIES * names)
    total = rng.choice((LEAST_CARDS, most, rng.randint(LEAST_CARDS, most)))
    counts = [1] * names
    while sum(counts) < total:
        place = rng.randrange(names)
        counts[place] += counts[place] < MOST_COPIES
    kinds = rng.sample(RESOURCES, style.kinds)
    copies = []
    for count in counts:
        if rng.random() * 10 < style.alike:
            copies.append([rng.choice(kinds)] * count)
        else:
            copies.append([rng.choice(kinds) for _ in range(count)])
    return copies


def deck_text(rng: random.Random) -> str:
    """The text of a deck file."""
    style = rng.choice(STYLES)
    names = rng.choice((LEAST_NAMES, MOST_NAMES, rng.randint(LEAST_NAMES, MOST_NAMES)))
    copies = _copies(rng, style, names)
    there = sorted({resource for halves in copies for resource in halves})
    types = [rng.choice(TYPES) for _ in range(names)]
    lines = ['name = "A deck like no other"']
    for place in range(names):
        cost = [rng.choice(there) for _ in range(rng.randint(*style.costs))]
        lines += [
            "",
            "[[building]]",
            f'name = "House {place}"',
            f'type = "{types[place]}"',
            f"cost = {_counts(cost)}",
            f"points = {rng.choice((0, 1, 1, 2, 2, 3, 9))}",
            f"copies = {copies[place]}",
            *_powers(rng, style),
        ]
    for place in range(rng.randint(*style.adventurers)):
        # As many of a type as there are names of it: so many names are drawn.
        needs = rng.sample(types, rng.randint(*style.needs))
        lines += [
            "",
            "[[adventurer]]",
            f'name = "Guest {place}"',
            f"needs = {_counts(needs)}",
            f"points = {rng.choice((0, 1, 2, 3, 5))}",
            *_powers(rng, style),
        ]
    return "\n".join(lines) + "\n"
