"""What a town has of every card, for reports of balance."""

from thorp.compiling.rule import Counts, rule
from thorp.games.tiny_towns.rules.cards import MONUMENT, SUPPLY_TYPES
from thorp.games.tiny_towns.rules.masks import count
from thorp.games.tiny_towns.rules.state import State


@rule
def owned(state: State, seat: int, counts: Counts) -> None:
    """Count the buildings that stand in a town, by card, and its monument if it is built."""
    town = state.towns[seat]
    for type in range(SUPPLY_TYPES):
        counts[state.cards[type]] += count(town.built[type])
    if town.built[MONUMENT]:
        counts[town.monument] += 1
