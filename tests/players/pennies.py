"""Pennies, a game for tests in which no seat is ahead: all show a hand at once, as in stone, paper, scissors.

Each beats one of the three and is beaten by another. `evaluate` looks at what lies in the game, so who chooses after
another one beats that one.
"""

from pathlib import Path
from typing import Annotated

import toy

from thorp.compiling.record import Int8, Int32, Record
from thorp.compiling.rule import MoveList, OptionList, rule
from thorp.core.chance import below, seed_chance
from thorp.core.game import Game
from thorp.core.moves import MoveSpace

HANDS = 3
ROUNDS = 3
MOVES = MoveSpace(show={"hand": HANDS})


class State(Record):
    """A whole game. What a seat shows is 1 to 3, and 0 until it has chosen."""

    chance: Annotated[list[int], "u8", 1]
    barrier: Int32
    seats: Int8
    round: Int8
    shown: Annotated[list[int], "i1", 4]
    points: Annotated[list[int], "i1", 4]


@rule
def beaten(state: State, seat: int) -> int:
    """How many of those who have chosen a seat beats, less how many beat it."""
    found = 0
    for other in range(state.seats):
        if state.shown[seat] and state.shown[other]:
            apart = (state.shown[seat] - state.shown[other]) % HANDS
            found += 1 if apart == 1 else -1 if apart == 2 else 0
    return found


@rule
def deal(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_chance(state.chance, seed)
    state.seats = seats


@rule
def waiting(state: State) -> int:
    mask = 0
    if state.round < ROUNDS:
        for seat in range(state.seats):
            if state.shown[seat] == 0:
                mask |= 1 << seat
    return mask


@rule
def legal(state: State, seat: int, moves: MoveList) -> int:
    for hand in range(HANDS):
        moves.at[hand] = hand
    return HANDS


@rule
def play(state: State, seat: int, move: int) -> None:
    state.shown[seat] = move + 1
    if waiting(state) == 0:
        for each in range(state.seats):
            state.points[each] += beaten(state, each)
        for each in range(state.seats):
            state.shown[each] = 0
        state.round += 1
        state.barrier += 1


@rule
def over(state: State) -> bool:
    return state.round == ROUNDS


@rule
def score(state: State, seat: int) -> int:
    return state.points[seat]


@rule
def standing(state: State, seat: int) -> int:
    place = 1
    for other in range(state.seats):
        if state.points[other] > state.points[seat]:
            place += 1
    return place


@rule
def determinize(state: State, seat: int, seed: int) -> None:
    seed_chance(state.chance, seed)
    for other in range(state.seats):
        if other != seat and state.shown[other]:
            state.shown[other] = 1 + below(state.chance, HANDS)


@rule
def evaluate(state: State, seat: int) -> int:
    return 2 * state.points[seat] + beaten(state, seat)


GAME = Game(
    id="pennies",
    name="Pennies",
    seats=range(2, 5),
    rules_version=1,
    record=State,
    moves=MOVES,
    options=(),
    deal=deal,
    waiting=waiting,
    legal=legal,
    play=play,
    over=over,
    score=score,
    standing=standing,
    determinize=determinize,
    evaluate=evaluate,
    face=toy.GAME.face,
    package=__name__,
    folder=Path(__file__).parent,
    credit="Pennies, a game for tests",
)
