"""Placing the cube of a round: on an empty square, or where a card or the Cavern rule lets it go."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.tiny_towns.rules.cards import COTTAGE_TYPE, FACTORY_TYPE, SHELTERS, STORES, SUBSTITUTES
from thorp.games.tiny_towns.rules.masks import cubes_on, empty, has_built, list_moves, lowest, resources_on
from thorp.games.tiny_towns.rules.moves import (
    BUILD_MOVE,
    PLACE_MOVE,
    SET_ASIDE_MOVE,
    SHELTER_MOVE,
    STORE_MOVE,
    SUBSTITUTE_MOVE,
    SWAP_MOVE,
)
from thorp.games.tiny_towns.rules.shapes import SQUARES
from thorp.games.tiny_towns.rules.state import BUILD, MASTER_BUILDER, State

#: Cubes that a Warehouse holds, and cubes that one may set aside in a game under the Cavern rule.
WAREHOUSE_ROOM = 3
CAVERN_ROOM = 2


@rule
def named_by_another(state: State, seat: int) -> bool:
    """Whether the resource in the seat's hand was named by another player.

    A turned card of Town Hall and the chosen card of solo play count so; a free pick does not (rulings 12, 20).
    """
    if state.naming == MASTER_BUILDER:
        return seat != state.builder
    return state.named != 0


@rule(inline=True)
def legal_places(state: State, seat: int, moves: MoveList) -> int:
    """The moves of a seat that has a cube in hand."""
    town = state.towns[seat]
    free = empty(town)
    n = list_moves(moves, 0, PLACE_MOVE, free)
    if not named_by_another(state, seat):
        return n
    if state.cavern and town.aside < CAVERN_ROOM:
        n = list_moves(moves, n, SET_ASIDE_MOVE, 1)
    if has_built(state, seat, SHELTERS):
        cottages = town.built[COTTAGE_TYPE]
        while cottages:
            cottage = lowest(cottages)
            cottages &= cottages - 1
            if town.held[cottage] == 0:
                n = list_moves(moves, n, SHELTER_MOVE + cottage, 1)
    if town.built[FACTORY_TYPE]:
        n = _legal_exchanges(state, seat, free, moves, n)
    return n


@rule
def _legal_exchanges(state: State, seat: int, free: int, moves: MoveList, n: int) -> int:
    """What Factories and Warehouses let the seat do with the cube instead."""
    town = state.towns[seat]
    deed = state.rows[FACTORY_TYPE].deed
    named = town.hand - 1
    on_cards = resources_on(town, town.built[FACTORY_TYPE])
    if deed == SUBSTITUTES and on_cards >> named & 1:
        for resource in range(5):
            if resource != named:
                n = list_moves(moves, n, SUBSTITUTE_MOVE + resource * SQUARES, free)
    if deed == STORES:
        warehouses = town.built[FACTORY_TYPE]
        while warehouses:
            warehouse = lowest(warehouses)
            warehouses &= warehouses - 1
            if cubes_on(town, warehouse) < WAREHOUSE_ROOM:
                n = list_moves(moves, n, STORE_MOVE + warehouse, 1)
            for resource in range(5):
                if resource != named and town.held[warehouse] >> 2 * resource & 3:
                    n = list_moves(moves, n, SWAP_MOVE + (warehouse * 5 + resource) * SQUARES, free)
    return n


@rule(inline=True)
def play_place(state: State, seat: int, move: int) -> None:
    """Put the cube where the move says; then the seat may build."""
    town = state.towns[seat]
    resource = town.hand - 1
    if move < SUBSTITUTE_MOVE:
        town.cubes[resource] |= 1 << (move - PLACE_MOVE)
    elif move < STORE_MOVE:
        square = (move - SUBSTITUTE_MOVE) % SQUARES
        town.cubes[(move - SUBSTITUTE_MOVE) // SQUARES] |= 1 << square
    elif move < SWAP_MOVE:
        town.held[move - STORE_MOVE] += 1 << 2 * resource
    elif move < SHELTER_MOVE:
        square = (move - SWAP_MOVE) % SQUARES
        other = (move - SWAP_MOVE) // SQUARES % 5
        warehouse = (move - SWAP_MOVE) // SQUARES // 5
        town.held[warehouse] += (1 << 2 * resource) - (1 << 2 * other)
        town.cubes[other] |= 1 << square
    elif move < SET_ASIDE_MOVE:
        town.held[move - SHELTER_MOVE] = 1 << 2 * resource
    else:
        town.aside += 1
    town.hand = 0
    town.task = BUILD


# `play_place` compares in the order of the families.
assert PLACE_MOVE < SUBSTITUTE_MOVE < STORE_MOVE < SWAP_MOVE < SHELTER_MOVE < SET_ASIDE_MOVE < BUILD_MOVE
