"""The rules of Tiny Towns as the contract asks for them: legal moves, playing one, the end."""

from thorp.core.rule import MoveList, entry, rule
from thorp.games.tiny_towns.building import legal_builds, play_build
from thorp.games.tiny_towns.effects import (
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
from thorp.games.tiny_towns.masks import list_moves
from thorp.games.tiny_towns.moves import (
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
from thorp.games.tiny_towns.placing import legal_places, play_place
from thorp.games.tiny_towns.rounds import (
    advance,
    legal_names,
    legal_picks,
    play_name,
    play_pick,
    waiting,
)
from thorp.games.tiny_towns.state import (
    BUILD,
    KEEP,
    MARK,
    MOVE_SHED,
    NAME,
    PICK,
    PLACE,
    REPLACE,
    STOCK,
    WAIT,
    State,
)


@entry
def legal(state: State, seat: int, moves: MoveList) -> int:
    """Write the legal moves of `seat` into `moves`, and say how many there are (0: nothing to decide)."""
    task = state.towns[seat].task
    if task == WAIT:
        return 0
    if task == PLACE:
        return legal_places(state, seat, moves)
    if task == BUILD:
        return legal_builds(state, seat, moves)
    if task == NAME:
        return legal_names(state, seat, moves)
    if task == PICK:
        return legal_picks(state, seat, moves)
    if task == KEEP:
        return list_moves(moves, 0, KEEP_MOVE, 0b11)
    if task == MARK:
        return legal_marks(state, seat, moves)
    if task == STOCK:
        return legal_stocks(state, seat, moves)
    if task == REPLACE:
        return legal_replacements(state, seat, moves)
    if task == MOVE_SHED:
        return legal_shed_squares(state, seat, moves)
    # GRANT and REVEAL
    return legal_puts(state, seat, moves)


@entry
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


@entry
def over(state: State) -> bool:
    """Whether every town is complete."""
    return state.ended == 1


# The dispatch above compares in the order of the families.
assert KEEP_MOVE < NAME_MOVE < PICK_MOVE < PLACE_MOVE < BUILD_MOVE < DONE_MOVE
assert DONE_MOVE < MARK_MOVE < MOVE_SHED_MOVE < STOCK_MOVE < PUT_MOVE < REPLACE_MOVE
