"""The options of Villagers."""

from __future__ import annotations

from collections.abc import Mapping

from thorp.core.errors import OptionError
from thorp.core.options import Option
from thorp.core.words import Card, Term
from thorp.games.villagers.rules.cards import DECK_FACES, FOUNDERS, VILLAGERS
from thorp.games.villagers.rules.deal import FOUR, OPTION_COUNTESS, OPTION_EXCHANGE
from thorp.games.villagers.rules.state import ROAD

_DECK = VILLAGERS[:DECK_FACES]
_PLACES = (
    *("Starting Road, card 1", "Starting Road, card 2", "Starting Road, card 3"),
    *("Starting Road, card 4", "Starting Road, card 5", "Starting Road, card 6"),
)
assert len(_PLACES) == ROAD
_ROAD_OPTIONS = tuple(
    Option(
        id=f"road_{slot + 1}",
        label=_PLACES[slot],
        values=("random", *(villager.id for villager in _DECK)),
        labels=("Random", *(villager.name for villager in _DECK)),
        help="The six cards with which the Road begins; all of them are different.",
        rare=True,
    )
    for slot in range(ROAD)
)

OPTIONS = (
    *_ROAD_OPTIONS,
    Option(
        id="exchange",
        label="Cards given up for basic villagers",
        values=("any", "three"),
        labels=("Any number a turn", "Three a turn"),
        help="How many cards a player may give up for a Hayer, Lumberjack or Miner in one turn.",
        rare=True,
    ),
    Option(
        id="countess",
        label="The Countess",
        values=("gold", "beginner"),
        labels=("With 4 gold", "Beginner: without gold"),
        help="Solo play: which side of her card the Countess shows.",
        seats=range(1, 2),
        first="beginner",
    ),
)
assert OPTIONS[OPTION_EXCHANGE].id == "exchange"
assert OPTIONS[OPTION_COUNTESS].id == "countess"


def check(seats: int, options: Mapping[str, str]) -> None:
    """The Starting Road has six different cards, and only such as take part."""
    chosen = [options[option.id] for option in _ROAD_OPTIONS if options[option.id] != "random"]
    for option in _ROAD_OPTIONS:
        id = options[option.id]
        if id == "random":
            continue
        villager = next(villager for villager in _DECK if villager.id == id)
        label, card = Term(option.label), Card(villager.id, villager.name)
        if chosen.count(id) > 1:
            raise OptionError(
                "{option} cannot be {card} too; the cards of the Starting Road are all different",
                option=label,
                card=card,
            )
        if villager.four_plus and seats < FOUR:
            raise OptionError(
                "{option} cannot be {card} with fewer than {n} seats; choose another card",
                option=label,
                card=card,
                n=FOUR,
            )
        if villager.suit == "special" and seats == 1:
            raise OptionError("{option} cannot be {card} in solo play; choose another card", option=label, card=card)


def cards(options: Mapping[str, str]) -> tuple[Card, ...]:
    """The villagers of the deck and the basic ones; the Founders are in every village."""
    return tuple(Card(villager.id, villager.name) for villager in VILLAGERS[:FOUNDERS])
