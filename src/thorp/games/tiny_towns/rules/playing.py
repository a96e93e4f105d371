"""The rules of Tiny Towns as the contract asks for them: legal moves, playing one, the end."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.tiny_towns.rules.building import legal_builds, pattern_lies, play_build
from thorp.games.tiny_towns.rules.cards import MONUMENT, SUPPLY_TYPES
from thorp.games.tiny_towns.rules.effects import (
    legal_marks,
    legal_puts,
    legal_replacements,
    legal_shed_squares,
    legal_stocks,
    play_done,
    play_mark,
    play_move_shed,
    play_put,
    play_replace,
    play_stock,
)
from thorp.games.tiny_towns.rules.masks import list_moves
from thorp.games.tiny_towns.rules.moves import (
    BUILD_MOVE,
    DONE_MOVE,
    KEEP_MOVE,
    MARK_MOVE,
    MOVE_SHED_MOVE,
    NAME_MOVE,
    PICK_MOVE,
    PLACE_MOVE,
    PUT_MOVE,
    REPLACE_MOVE,
    STOCK_MOVE,
)
from thorp.games.tiny_towns.rules.placing import legal_places, play_place
from thorp.games.tiny_towns.rules.rounds import (
    advance,
    legal_names,
    legal_picks,
    play_name,
    play_pick,
    waiting,
)
from thorp.games.tiny_towns.rules.state import (
    BUILD,
    GRANT,
    KEEP,
    MARK,
    MOST_MONUMENTS,
    MOVE_SHED,
    NAME,
    PICK,
    PLACE,
    REPLACE,
    REVEAL,
    STOCK,
    WAIT,
    State,
)


@rule
def legal(state: State, seat: int, moves: MoveList) -> int:
    """Write the legal moves of `seat` into `moves`, and say how many there are (0: nothing to decide)."""
    task = state.towns[seat].task
    n = 0
    if task == PLACE:
        n = legal_places(state, seat, moves)
    elif task == BUILD:
        n = legal_builds(state, seat, moves)
    elif task == NAME:
        n = legal_names(state, seat, moves)
    elif task == PICK:
        n = legal_picks(state, seat, moves)
    elif task == KEEP:
        n = list_moves(moves, 0, KEEP_MOVE, 0b11)
    elif task == MARK:
        n = legal_marks(state, seat, moves)
    elif task == STOCK:
        n = legal_stocks(state, seat, moves)
    elif task == REPLACE:
        n = legal_replacements(state, seat, moves)
    elif task == MOVE_SHED:
        n = legal_shed_squares(state, seat, moves)
    elif task == GRANT or task == REVEAL:
        n = legal_puts(state, seat, moves)
    return n


@rule
def play(state: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`, with all that follows until somebody has to decide."""
    if move == DONE_MOVE:
        play_done(state, seat)
    elif move >= BUILD_MOVE:
        _play_effect(state, seat, move)
    elif move >= PLACE_MOVE:
        play_place(state, seat, move)
    elif move >= PICK_MOVE:
        play_pick(state, seat, move)
    elif move >= NAME_MOVE:
        play_name(state, seat, move)
    else:
        _keep(state, seat, move - KEEP_MOVE)
    if state.towns[seat].task == WAIT and waiting(state) == 0:
        advance(state)


@rule
def _play_effect(state: State, seat: int, move: int) -> None:
    if move < DONE_MOVE:
        play_build(state, seat, move)
    elif move < MOVE_SHED_MOVE:
        play_mark(state, seat, move)
    elif move < STOCK_MOVE:
        play_move_shed(state, seat, move)
    elif move < PUT_MOVE:
        play_stock(state, seat, move)
    elif move < REPLACE_MOVE:
        play_put(state, seat, move)
    else:
        play_replace(state, seat, move)


@rule
def _keep(state: State, seat: int, card: int) -> None:
    """Keep one of the two monuments dealt; the other is given back unseen."""
    town = state.towns[seat]
    town.monument = town.dealt[card]
    town.returned = town.dealt[1 - card]
    town.dealt[0] = 0
    town.dealt[1] = 0
    town.task = WAIT


@rule
def over(state: State) -> bool:
    """Whether every town is complete."""
    return state.ended == 1


@rule
def asked(state: State, seat: int, move: int) -> bool:
    """A seat does not show by its pace that its secret monument could not be built: it is asked where others, who do
    not know which it is, must think that it could.
    """
    town = state.towns[seat]
    if move != DONE_MOVE or state.seats == 1 or town.monument == 0 or town.built[MONUMENT]:
        return False
    pool = state.pool
    for other in range(state.seats):
        if state.towns[other].built[MONUMENT]:
            pool &= ~(1 << (state.towns[other].monument - state.first_monument))
    for index in range(MOST_MONUMENTS):
        if pool >> index & 1 and pattern_lies(state, seat, SUPPLY_TYPES + index):
            return True
    return False


# The dispatch above compares in the order of the families.
assert KEEP_MOVE < NAME_MOVE < PICK_MOVE < PLACE_MOVE < BUILD_MOVE < DONE_MOVE
assert DONE_MOVE < MARK_MOVE < MOVE_SHED_MOVE < STOCK_MOVE < PUT_MOVE < REPLACE_MOVE
