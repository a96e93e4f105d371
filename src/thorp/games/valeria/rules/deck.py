"""A deck: its cards, and the numbers that a game gets of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

from thorp.games.valeria.rules.drawings import drawing_of
from thorp.games.valeria.rules.powers import RESOURCES, TYPES, Power

# Bounds of a deck; see docs/decks.md.
MOST_NAMES = 48
MOST_CARDS = 96
MOST_ADVENTURERS = 20
MOST_FACES = MOST_NAMES + MOST_ADVENTURERS
MOST_POWERS = 2

# What a face says, as one number: a lane of four bits for each resource of its cost, or type of its requirement; then
# its own type (4: an adventurer) and its points.
LANE = 4
TYPE_SHIFT = 16
POINTS_SHIFT = 20
ADVENTURER = len(TYPES)

# Where the numbers of a deck stand: its key, counts of names, adventurers and cards, the faces, the cards.
KEY, NAMES, ADVENTURERS, CARDS, FACES = range(5)
PER_FACE = 1 + MOST_POWERS
CARD_FACES = FACES + PER_FACE * MOST_FACES
NUMBERS = CARD_FACES + MOST_CARDS

#: Decks are told apart by so many bits of their digest.
_KEY_BITS = 31


@dataclass(frozen=True)
class Building:
    """A building by its name: the upper half of all its copies."""

    number: int
    id: str
    name: str
    type: str
    #: How many of each of RESOURCES it costs.
    cost: tuple[int, int, int, int]
    points: int
    #: The resource on the lower half of each copy, in the order of RESOURCES.
    copies: tuple[str, ...]
    powers: tuple[Power, ...]
    #: The drawing that the deck file names; empty where it names none. Keys of decks without them stay as they were.
    drawing: str = field(default="", repr=False)

    @property
    def drawn(self) -> str:
        """What it is drawn as, one of DRAWINGS."""
        return self.drawing or drawing_of(self.id, self.type, self.number)

    @property
    def costs(self) -> tuple[str, ...]:
        """The resources of its cost, one by one."""
        return tuple(resource for resource, n in zip(RESOURCES, self.cost, strict=True) for _ in range(n))

    @cached_property
    def effect(self) -> str:
        """Its powers in words; empty where it has none."""
        return "; ".join(power.text for power in self.powers)


@dataclass(frozen=True)
class Adventurer:
    """An adventurer."""

    number: int
    id: str
    name: str
    #: How many buildings of each of TYPES a village has to have.
    needs: tuple[int, int, int, int]
    points: int
    powers: tuple[Power, ...]

    @property
    def types(self) -> tuple[str, ...]:
        """The types of buildings that it asks for, one by one."""
        return tuple(type for type, n in zip(TYPES, self.needs, strict=True) for _ in range(n))

    @cached_property
    def effect(self) -> str:
        """Its powers in words; empty where it has none."""
        return "; ".join(power.text for power in self.powers)


@dataclass(frozen=True)
class Deck:
    """A deck: buildings by name, adventurers, and the building cards one by one, like ones side by side."""

    name: str
    buildings: tuple[Building, ...]
    adventurers: tuple[Adventurer, ...]

    @property
    def every(self) -> tuple[Building | Adventurer, ...]:
        """The buildings by name, then the adventurers."""
        return (*self.buildings, *self.adventurers)

    @cached_property
    def cards(self) -> tuple[tuple[Building, str], ...]:
        """Every building card: its building, and the resource on its lower half. Rules number them so."""
        return tuple((building, resource) for building in self.buildings for resource in building.copies)

    def face(self, number: int) -> Building | Adventurer:
        """What a face is: buildings come first, adventurers from MOST_NAMES on."""
        return self.buildings[number] if number < MOST_NAMES else self.adventurers[number - MOST_NAMES]

    @cached_property
    def key(self) -> int:
        """What a state tells its deck by."""
        named = "".join(f"{building.id} {building.drawing}\n" for building in self.buildings if building.drawing)
        return int.from_bytes(hashlib.sha256((repr(self) + named).encode()).digest()[:4], "big") & (
            (1 << _KEY_BITS) - 1
        )

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The deck as `deal` takes it."""
        numbers = [0] * NUMBERS
        numbers[KEY], numbers[NAMES], numbers[ADVENTURERS] = self.key, len(self.buildings), len(self.adventurers)
        numbers[CARDS] = len(self.cards)
        for card in self.every:
            if isinstance(card, Building):
                face, lanes, type = card.number, card.cost, TYPES.index(card.type)
            else:
                face, lanes, type = MOST_NAMES + card.number, card.needs, ADVENTURER
            what = sum(n << LANE * lane for lane, n in enumerate(lanes))
            first = FACES + PER_FACE * face
            numbers[first] = what | type << TYPE_SHIFT | card.points << POINTS_SHIFT
            for row, power in enumerate(card.powers):
                numbers[first + 1 + row] = power.code
        for card_number, (building, resource) in enumerate(self.cards):
            numbers[CARD_FACES + card_number] = building.number * len(RESOURCES) + RESOURCES.index(resource)
        return tuple(numbers)
