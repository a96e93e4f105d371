"""What follows a construction: cubes on Factories and Banks, and the monuments that put buildings down."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.tiny_towns.rules.building import ALL_RESOURCES, ALL_TYPES, banned, construct, supply, task_after
from thorp.games.tiny_towns.rules.cards import ANYWHERE, SUPPLY_TYPES
from thorp.games.tiny_towns.rules.masks import empty, list_moves, lowest
from thorp.games.tiny_towns.rules.moves import (
    DONE_MOVE,
    MARK_MOVE,
    MOVE_SHED_MOVE,
    PUT_MOVE,
    REPLACE_MOVE,
    STOCK_MOVE,
)
from thorp.games.tiny_towns.rules.shapes import SQUARES
from thorp.games.tiny_towns.rules.state import BUILD, MASTER_BUILDER, MOVE_SHED, REVEAL, STOCK, State


@rule
def legal_marks(state: State, seat: int, moves: MoveList) -> int:
    """The resources that may go on the Factory or Bank just constructed: any, or one that is on no other Bank."""
    return list_moves(moves, 0, MARK_MOVE, ALL_RESOURCES & ~banned(state, seat))


@rule
def play_mark(state: State, seat: int, move: int) -> None:
    """Put the cube on it."""
    town = state.towns[seat]
    town.held[town.at] = 1 << 2 * (move - MARK_MOVE)
    town.at = 0
    town.task = task_after(state, seat)


@rule
def legal_puts(state: State, seat: int, moves: MoveList) -> int:
    """The buildings that Grove University or Opaleye's Watch may put down, and where."""
    town = state.towns[seat]
    types = supply(state, seat)
    if state.revealing:
        types &= due(state, seat)
    n = 0
    while types:
        n = list_moves(moves, n, PUT_MOVE + lowest(types) * SQUARES, empty(town))
        types &= types - 1
    return n


@rule
def play_put(state: State, seat: int, move: int) -> None:
    """Put the building down; from Opaleye's Watch it leaves the card."""
    town = state.towns[seat]
    type = (move - PUT_MOVE) // SQUARES
    if state.revealing:
        town.watch &= ~(1 << type)
    construct(state, seat, type, (move - PUT_MOVE) % SQUARES)


@rule
def due(state: State, seat: int) -> int:
    """The types on the seat's Opaleye's Watch that a neighbour has constructed in this round.

    It works from the round after its construction (ruling 5).
    """
    town = state.towns[seat]
    if town.watch == 0 or state.round <= town.watch_since:
        return 0
    left = state.towns[(seat + 1) % state.seats].constructed
    right = state.towns[(seat + state.seats - 1) % state.seats].constructed
    return town.watch & (left | right)


@rule
def reveal(state: State) -> bool:
    """Let the owner of Opaleye's Watch put a building down that is due; says whether it has to.

    One after the other, clockwise from the Master Builder, or from the first seat where there is none (ruling 5): the
    printed cards have one Watch, cards of one's own may have several. What finds no square stays on the card.
    """
    first = state.builder if state.naming == MASTER_BUILDER else 0
    for step in range(state.seats):
        seat = (first + step) % state.seats
        if due(state, seat) & supply(state, seat) and empty(state.towns[seat]):
            state.revealing = 1
            state.towns[seat].task = REVEAL
            return True
    state.revealing = 0
    return False


@rule
def legal_stocks(state: State, seat: int, moves: MoveList) -> int:
    """The types that may still be put on Opaleye's Watch: three different ones."""
    return list_moves(moves, 0, STOCK_MOVE, ALL_TYPES & ~state.towns[seat].watch)


@rule
def play_stock(state: State, seat: int, move: int) -> None:
    """Put the type on the card."""
    town = state.towns[seat]
    town.watch |= 1 << (move - STOCK_MOVE)
    town.watch_room -= 1
    town.task = STOCK if town.watch_room else BUILD


@rule
def legal_replacements(state: State, seat: int, moves: MoveList) -> int:
    """What Architect's Guild may replace: other buildings of the owner, by another type of the supply (ruling 6)."""
    town = state.towns[seat]
    n = 0
    for old in range(SUPPLY_TYPES):
        squares = town.built[old]
        while squares:
            first = REPLACE_MOVE + lowest(squares) * SUPPLY_TYPES
            squares &= squares - 1
            n = list_moves(moves, n, first, supply(state, seat) & ~(1 << old))
    return list_moves(moves, n, DONE_MOVE, 1)


@rule
def play_replace(state: State, seat: int, move: int) -> None:
    """Take the building away and put the new one there; a Shed may go on any empty square (ruling 18)."""
    town = state.towns[seat]
    square = (move - REPLACE_MOVE) // SUPPLY_TYPES
    type = (move - REPLACE_MOVE) % SUPPLY_TYPES
    for old in range(SUPPLY_TYPES):
        town.built[old] &= ~(1 << square)
    town.held[square] = 0
    town.replacements -= 1
    if state.rows[type].deed == ANYWHERE:
        town.at = type
        town.task = MOVE_SHED
    else:
        construct(state, seat, type, square)


@rule
def legal_shed_squares(state: State, seat: int, moves: MoveList) -> int:
    """The squares on which a Shed from Architect's Guild may go."""
    return list_moves(moves, 0, MOVE_SHED_MOVE, empty(state.towns[seat]))


@rule
def play_move_shed(state: State, seat: int, move: int) -> None:
    """Put it down."""
    town = state.towns[seat]
    type = town.at
    town.at = 0
    construct(state, seat, type, move - MOVE_SHED_MOVE)


@rule
def play_done(state: State, seat: int) -> None:
    """End the replacing, or the building in this round."""
    town = state.towns[seat]
    if town.replacements:
        town.replacements = 0
        town.task = BUILD
    else:
        town.task = 0
