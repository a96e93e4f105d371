"""Lots, a game for tests whose balance is known exactly: cards are dealt, and the luckiest wins.

A seat gets each of the cards below or not, by a coin. Its score is a die of three, and 1 more with the Gift.
The Blank does nothing; the Common is everybody's; the Never nobody's.
"""

from itertools import product
from pathlib import Path
from typing import Annotated

import toy

from thorp.compiling.record import Int8, Int32, Record
from thorp.compiling.rule import Counts, MoveList, OptionList, rule
from thorp.core.chance import below, seed_chance
from thorp.core.game import Game
from thorp.core.moves import MoveSpace
from thorp.core.words import Card

CARDS = (Card("gift", "Gift"), Card("blank", "Blank & <b>bare"), Card("common", "Common"), Card("never", "Never"))
GIFT, BLANK, COMMON, NEVER = range(4)
DIE = 3
MOVES = MoveSpace(call={"side": 2})


class State(Record):
    """A whole game: everybody calls a side, in turn, for nothing."""

    chance: Annotated[list[int], "u8", 1]
    barrier: Int32
    seats: Int8
    called: Int8
    first: Int8
    has: Annotated[list[int], "i1", 4]
    points: Annotated[list[int], "i1", 4]


@rule
def deal(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_chance(state.chance, seed)
    state.seats = seats
    state.first = below(state.chance, seats)
    for seat in range(seats):
        state.has[seat] = below(state.chance, 4)
        state.points[seat] = below(state.chance, DIE) + (state.has[seat] & 1)


@rule
def waiting(state: State) -> int:
    return 0 if state.called == state.seats else 1 << (state.first + state.called) % state.seats


@rule
def legal(state: State, seat: int, moves: MoveList) -> int:
    moves.at[0] = 0
    moves.at[1] = 1
    return 2


@rule
def play(state: State, seat: int, move: int) -> None:
    state.called += 1


@rule
def over(state: State) -> bool:
    return state.called == state.seats


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


@rule
def evaluate(state: State, seat: int) -> int:
    return state.points[seat]


@rule
def owned(state: State, seat: int, counts: Counts) -> None:
    counts[GIFT] += state.has[seat] & 1
    counts[BLANK] += state.has[seat] & 2
    counts[COMMON] += 1


GAME = Game(
    id="lots",
    name="Lots",
    seats=range(1, 5),
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
    credit="Lots, a game for tests",
    cards=lambda options: CARDS,
    owned=owned,
)


def exact_effect_of_gift(seats: int) -> float:
    """The mean share of wins of who has the Gift, less 1 / seats, over all games that tell something."""
    above, owners = 0.0, 0
    for gifts in product((0, 1), repeat=seats):
        if not 0 < sum(gifts) < seats:
            continue
        for dice in product(range(DIE), repeat=seats):
            points = [die + gift for die, gift in zip(dice, gifts)]
            best = max(points)
            share = 1 / points.count(best)
            above += sum(gift * ((point == best) * share - 1 / seats) for point, gift in zip(points, gifts))
            owners += sum(gifts)
    return above / owners
