"""Pebbles with an evaluation that knows nothing at first."""

from dataclasses import replace

from toy import GAME as PEBBLES
from toy.rules import State

from thorp.compiling.rule import Weights, rule
from thorp.core.net import Net, read_out

NET = Net(("points", "heap", "rounds", "first", "second", "third"), hidden=8)
FEATURES, FIRST = len(NET.features), NET.first


@rule
def value(state: State, seat: int, weights: Weights) -> float:
    """Nothing but what the net says: it has to learn that points are worth having."""
    if state.ended:
        return state.points[seat] * 1.0
    weights[0] = state.points[seat] * 0.1
    weights[1] = state.heap * 0.2 if state.turn == seat else 0
    weights[2] = (state.rounds - state.round) * 0.2
    for stone in range(3):
        weights[3 + stone] = 1 if state.picks[seat] == stone + 1 else 0
    return read_out(weights, FEATURES, FIRST)


@rule
def score(state: State, seat: int) -> int:
    """Without what was dealt face down: a hundred thousand pebbles and more, of which nothing can be learned."""
    return state.points[seat] * 1


GAME = replace(PEBBLES, id="pebbles-learned", value=value, score=score, net=NET)
