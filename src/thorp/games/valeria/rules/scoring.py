"""Points, and who wins."""

from thorp.compiling.rule import rule
from thorp.games.valeria.rules.deck import POINTS_SHIFT
from thorp.games.valeria.rules.powers import (
    AMOUNT_MASK,
    AMOUNT_SHIFT,
    COUNT_ADVENTURERS,
    COUNT_BUILDINGS,
    COUNT_COINS,
    COUNT_RESOURCE,
    COUNT_RESOURCES,
    PRICE_SHIFT,
    RESOURCES,
    SCORING,
    TYPES,
    WHAT_MASK,
    WHAT_SHIFT,
    WHEN_MASK,
)
from thorp.games.valeria.rules.state import State

# What settles ties, most weighty first: one number is compared. Coins and resources come to less than this.
_WEIGHT = 1 << 8


@rule
def coins_of(state: State, seat: int) -> int:
    """The coins of a seat: in its supply, on its castle and on its resources, whoever laid them there."""
    player = state.players[seat]
    total = player.coins + player.castle
    for kind in range(len(RESOURCES)):
        total += player.paid[kind]
    return total


@rule
def resources_of(state: State, seat: int) -> int:
    """How many resources a seat has developed."""
    total = 0
    for kind in range(len(RESOURCES)):
        total += state.players[seat].resources[kind]
    return total


@rule
def count_of(state: State, seat: int, what: int) -> int:
    """How many there are of what a scoring power counts."""
    player = state.players[seat]
    if what < COUNT_RESOURCE:
        return player.types[what]
    if what < COUNT_RESOURCES:
        return player.resources[what - COUNT_RESOURCE]
    if what == COUNT_RESOURCES:
        return resources_of(state, seat)
    if what == COUNT_BUILDINGS:
        return player.size - player.adventurers
    if what == COUNT_ADVENTURERS:
        return player.adventurers
    if what == COUNT_COINS:
        return coins_of(state, seat)
    n = 0
    for type in range(len(TYPES)):
        if player.types[type]:
            n += 1
    return n


@rule
def bonus(state: State, seat: int, face: int) -> int:
    """What the scoring powers of a face are worth to a seat now."""
    total = 0
    for row in range(2):
        power = state.faces[face].powers[row]
        if power & WHEN_MASK == SCORING:
            points = 1 + (power >> AMOUNT_SHIFT & AMOUNT_MASK)
            total += points * (count_of(state, seat, power >> WHAT_SHIFT & WHAT_MASK) // (power >> PRICE_SHIFT))
    return total


@rule
def score(state: State, seat: int) -> int:
    """Points of buildings and adventurers, scoring powers, and 1 for each coin; before the end, as if it were now."""
    player = state.players[seat]
    total = coins_of(state, seat)
    for place in range(player.size):
        face = player.village[place]
        total += (state.faces[face].what >> POINTS_SHIFT) + bonus(state, seat, face)
    return total


@rule
def _rank(state: State, seat: int) -> int:
    """Points, then buildings and adventurers, then coins, then developed resources, as one number."""
    rank = score(state, seat) * _WEIGHT + state.players[seat].size
    return (rank * _WEIGHT + coins_of(state, seat)) * _WEIGHT + resources_of(state, seat)


@rule
def standing(state: State, seat: int) -> int:
    """The place of a seat after all tie-breaks; who is level in all of them shares it."""
    mine = _rank(state, seat)
    place = 1
    for other in range(state.seats):
        if _rank(state, other) > mine:
            place += 1
    return place
