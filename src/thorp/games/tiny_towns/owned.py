"""What a town has of every card, for reports of balance."""

from collections.abc import Mapping

from thorp.core.rule import Counts, entry
from thorp.core.words import Card
from thorp.games.tiny_towns.cards import CARDS, MONUMENT, SUPPLY_TYPES
from thorp.games.tiny_towns.masks import count
from thorp.games.tiny_towns.state import State


def cards(options: Mapping[str, str]) -> tuple[Card, ...]:
    """All buildings and monuments, whichever take part."""
    return tuple(Card(card.id, card.name) for card in CARDS)


@entry
def owned(state: State, seat: int, counts: Counts) -> None:
    """Count the buildings that stand in a town, by card, and its monument if it is built."""
    town = state.towns[seat]
    for type in range(SUPPLY_TYPES):
        counts[state.cards[type]] += count(town.built[type])
    if town.built[MONUMENT]:
        counts[town.monument] += 1
