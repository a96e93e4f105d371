"""Pebbles, a toy game for tests of what knows no game: secret picks at the same time, turns, chance and a secret."""

from __future__ import annotations

from typing import Annotated

from thorp.compiling.record import Int8, Int16, Int32, Record
from thorp.compiling.rule import MoveList, OptionList, rule
from thorp.core.chance import below, seed_chance
from thorp.core.moves import MoveSpace

MAX_SEATS = 4
STONES = 3

MOVES = MoveSpace(
    # choose a stone in secret; the more seats choose the same, the less it is worth
    pick={"stone": STONES},
    # take pebbles from the heap, in turn
    take={"count": 4},
)
PICK_MOVE = MOVES["pick"].first
TAKE_MOVE = MOVES["take"].first


class State(Record):
    """A whole game."""

    chance: Annotated[list[int], "u8", 1]
    barrier: Int32
    seats: Int8
    rounds: Int8
    round: Int8
    #: Whose turn it is to take; -1 while stones are chosen.
    turn: Int8
    #: Pebbles on the heap.
    heap: Int8
    #: The stone chosen in this round plus 1, secret until all have chosen; 0 is none.
    picks: Annotated[list[int], "i1", 4]
    #: Pebbles dealt face down: they count at the end.
    secret: Annotated[list[int], "i4", 4]
    points: Annotated[list[int], "i2", 4]
    #: What each stone is worth.
    worth: Annotated[list[int], "i1", 3]
    ended: Int16


@rule
def deal(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_chance(state.chance, seed)
    state.seats = seats
    state.rounds = 3 if options[0] == 0 else 6
    for stone in range(STONES):
        state.worth[stone] = options[2 + stone]
    for seat in range(seats):
        state.secret[seat] = 100_000 + below(state.chance, 900_000)
    state.round = 1
    state.turn = -1


@rule
def waiting(state: State) -> int:
    if state.ended:
        return 0
    if state.turn >= 0:
        return 1 << state.turn
    mask = 0
    for seat in range(state.seats):
        if state.picks[seat] == 0:
            mask |= 1 << seat
    return mask


@rule
def legal(state: State, seat: int, moves: MoveList) -> int:
    if waiting(state) >> seat & 1 == 0:
        return 0
    if state.turn < 0:
        for stone in range(STONES):
            moves.at[stone] = PICK_MOVE + stone
        return STONES
    count = min(3, state.heap) + 1
    for taken in range(count):
        moves.at[taken] = TAKE_MOVE + taken
    return count


@rule
def play(state: State, seat: int, move: int) -> None:
    if move < TAKE_MOVE:
        state.picks[seat] = move - PICK_MOVE + 1
        if waiting(state) == 0:
            reveal(state)
        return
    taken = move - TAKE_MOVE
    state.heap -= taken
    state.points[seat] += taken
    state.barrier += 1
    state.turn += 1
    if state.turn == state.seats:
        end_round(state)


@rule
def reveal(state: State) -> None:
    for seat in range(state.seats):
        same = 0
        for other in range(state.seats):
            if state.picks[other] == state.picks[seat]:
                same += 1
        state.points[seat] += state.worth[state.picks[seat] - 1] // same
    state.heap = below(state.chance, 3 * state.seats)
    state.barrier += 1
    state.turn = 0


@rule
def end_round(state: State) -> None:
    state.turn = -1
    state.heap = 0
    for seat in range(state.seats):
        state.picks[seat] = 0
    if state.round == state.rounds:
        state.ended = 1
    else:
        state.round += 1


@rule
def over(state: State) -> bool:
    return state.ended == 1


@rule
def score(state: State, seat: int) -> int:
    return state.points[seat] + state.secret[seat]


@rule
def standing(state: State, seat: int) -> int:
    better = 0
    for other in range(state.seats):
        if score(state, other) > score(state, seat):
            better += 1
    return better + 1


@rule
def evaluate(state: State, seat: int) -> int:
    return state.points[seat]


@rule
def determinize(state: State, seat: int, seed: int) -> None:
    seed_chance(state.chance, seed)
    for other in range(state.seats):
        if other != seat:
            state.secret[other] = 100_000 + below(state.chance, 900_000)
            if state.turn < 0 and state.picks[other] != 0:
                state.picks[other] = 1 + below(state.chance, STONES)
