"""The villagers and events, read from cards.toml, and the tables that the rules are driven by."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from thorp.compiling.rule import table
from thorp.core.words import Noun

#: Suits in the order in which a hand is sorted; the Countess herself has none.
SUITS: Noun[tuple[str, ...]] = (
    *("grain", "hay", "ore", "wood", "grape", "leather", "wool"),
    *("solitary", "special", "none"),
)
#: What is counted in a village, for silver villagers and other rules: first what counts on top villagers only; from
#: suit symbols on, what counts on all; then gold that lies on them, of one and of all. `best_` is of one villager too.
COUNTS = (
    *("", "gold_symbols", "food", "builders", "gold", "gold_of_suit"),
    *("suit_symbols", "padlocks", "cards", "basics", "best_gold", "coins", "all_coins"),
)


@dataclass(frozen=True)
class Silver:
    """What the Second Market pays for a villager: `times` gold for every `per` of what it `counts`."""

    counts: str
    times: int
    per: int
    suit: str = ""


@dataclass(frozen=True)
class Villager:
    """A villager card, by its face: the two copies of a card are one Villager."""

    number: int
    id: str
    name: str
    suit: str
    copies: int
    effect: str
    symbols: int = 1
    predecessor: str = ""
    successors: int = 0
    food: int = 0
    builder: int = 0
    gold: int = 0
    silver: Silver | None = None
    padlock: str = ""
    keyring: int = 0
    four_plus: bool = False
    #: What it does, in a few words, where neither its signs nor its chain tell it.
    brief: str = ""
    rulings: tuple[str, ...] = ()

    @property
    def in_deck(self) -> bool:
        """Whether it is one of the 50 cards of the deck."""
        return self.number < DECK_FACES


@dataclass(frozen=True)
class Event:
    """An event of solo play."""

    number: int
    id: str
    name: str
    deck: str
    #: When it acts: "draft", "build", "event", or as soon as it is turned: "reveal".
    phase: str
    op: str
    effect: str
    amount: int = 0
    counts: str = ""
    rulings: tuple[str, ...] = ()


def _load() -> tuple[tuple[Villager, ...], tuple[Event, ...]]:
    data = tomllib.loads((Path(__file__).parents[1] / "cards.toml").read_text("utf-8"))
    villagers = []
    for number, entry in enumerate(data["villager"]):
        silver = Silver(**entry.pop("silver")) if "silver" in entry else None
        rulings = tuple(entry.pop("rulings", ()))
        villagers.append(Villager(number=number, silver=silver, rulings=rulings, **entry))
    events = [
        Event(number=number, rulings=tuple(entry.pop("rulings", ())), **entry)
        for number, entry in enumerate(data["event"])
    ]
    return tuple(villagers), tuple(events)


#: Faces 0 to 49 are in the deck, two cards each; then the basic villagers, the two sides of the Founders, and the two
#: sides of the Countess.
DECK_FACES = 50
COPIES = 2
VILLAGERS, EVENTS = _load()
FACES = len(VILLAGERS)

_NUMBERS = {villager.id: villager.number for villager in VILLAGERS}


def number(id: str) -> int:
    """The number of a face."""
    return _NUMBERS[id]


HAYER = number("hayer")
FOUNDERS = number("founders")
FOUNDERS_FOOD = number("founders_food")
COUNTESS = number("countess")
COUNTESS_BEGINNER = number("countess_beginner")
MONK = number("monk")
APPRENTICE = number("apprentice")
TINNER = number("tinner")
SMUGGLER = number("smuggler")

#: The basic villagers in the order of their piles.
BASICS = ("hayer", "lumberjack", "miner")
BASIC_PILE = 10
assert [villager.id for villager in VILLAGERS[HAYER : HAYER + 3]] == list(BASICS)
assert DECK_FACES == HAYER
assert all(villager.copies == COPIES for villager in VILLAGERS[:DECK_FACES])

#: Villagers that others are built on, the beginnings of chains first. A role is a place in this list: a Monk or an
#: Apprentice stands in for one of them.
ROLES = tuple(
    villager.id
    for starter in (True, False)
    for villager in VILLAGERS
    if villager.successors and villager.suit != "special" and villager.id != "founders_food"
    if (villager.predecessor == "") == starter
)
STARTERS = sum(VILLAGERS[number(id)].predecessor == "" for id in ROLES)
#: Villagers that unlock others.
UNLOCKERS = tuple(villager.id for villager in VILLAGERS if villager.keyring)


def unlocked_by(id: str) -> tuple[Villager, ...]:
    """The villagers that a villager unlocks."""
    return tuple(villager for villager in VILLAGERS if villager.padlock == id)


def _place(names: tuple[str, ...], name: str) -> int:
    return names.index(name) if name in names else -1


#: [face]: its suit, and what shows while it is on top
SUIT = table([SUITS.index(villager.suit) for villager in VILLAGERS])
FOOD = table([villager.food for villager in VILLAGERS])
BUILDER = table([villager.builder for villager in VILLAGERS])
GOLD = table([villager.gold for villager in VILLAGERS])
#: [face]: the role it has (-1: nothing is built on it), and the role it is built on (-1: begins a chain, or solitary)
ROLE = table([_place(ROLES, "founders" if "founders" in villager.id else villager.id) for villager in VILLAGERS])
ON_ROLE = table([_place(ROLES, villager.predecessor) for villager in VILLAGERS])
#: [role]: the role that it is built on
ROLE_ON_ROLE = table([_place(ROLES, VILLAGERS[number(id)].predecessor) for id in ROLES])
#: [face]: the unlocker of its padlock and the unlocker that it is, as places in UNLOCKERS (-1: none); its keyring
LOCK = table([_place(UNLOCKERS, villager.padlock) for villager in VILLAGERS])
KEY = table([_place(UNLOCKERS, villager.id) for villager in VILLAGERS])
KEYRING = table([villager.keyring for villager in VILLAGERS])
#: [face]: its silver: what it counts (a place in COUNTS, 0: none), of which suit, times, per
_silver = [villager.silver or Silver("", 0, 1) for villager in VILLAGERS]
SILVER_COUNTS = table([COUNTS.index(silver.counts) for silver in _silver])
SILVER_SUIT = table([SUITS.index(silver.suit) if silver.suit else -1 for silver in _silver])
SILVER_TIMES = table([silver.times for silver in _silver])
SILVER_PER = table([silver.per for silver in _silver])

_SHOWN: dict[str, Callable[[Villager], int]] = {
    "gold_symbols": lambda villager: villager.gold > 0,
    "food": lambda villager: villager.food,
    "builders": lambda villager: villager.builder,
    "gold": lambda villager: villager.gold,
    "gold_of_suit": lambda villager: villager.gold,
    "best_gold": lambda villager: villager.gold,
    "suit_symbols": lambda villager: villager.symbols,
    "padlocks": lambda villager: villager.padlock != "",
    "cards": lambda villager: 1,
    "basics": lambda villager: villager.id in BASICS,
}
#: [counts][face]: how much a villager adds to what COUNTS names; gold that lies on it is not its face's
SHOWN = table(
    [[int(_SHOWN[counts](villager)) if counts in _SHOWN else 0 for villager in VILLAGERS] for counts in COUNTS]
)

#: [event]: when it acts and what it does, as places in these lists; its amount; what that is counted by
PHASES = ("draft", "build", "event", "reveal")
OPS = tuple(dict.fromkeys(event.op for event in EVENTS))
EVENT_COUNTS = ("", *dict.fromkeys(event.counts for event in EVENTS if event.counts))
EVENT_PHASE = table([PHASES.index(event.phase) for event in EVENTS])
EVENT_OP = table([OPS.index(event.op) for event in EVENTS])
EVENT_AMOUNT = table([event.amount for event in EVENTS])
EVENT_COUNT = table([EVENT_COUNTS.index(event.counts) for event in EVENTS])
DECK_EVENTS = 12
assert [event.deck for event in EVENTS] == ["summer"] * DECK_EVENTS + ["winter"] * DECK_EVENTS
