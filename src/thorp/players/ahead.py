"""One move ahead by what was learned, in generic code."""

from thorp.compiling.rule import MoveList, Weights
from thorp.core.chance import Stream, below
from thorp.core.contract import legal, play, value
from thorp.core.generic import Generic, States, copy_state


def _learned_move(states: States, seat: int, moves: MoveList, weights: Weights, dice: Stream) -> int:
    """The move of `seat` in states[0] after which it is worth most; among equals, a random one.

    states[1] is overwritten.
    """
    n = legal(states[0], seat, moves)
    best = moves.at[0]
    most = 0.0
    equals = 0
    for index in range(n):
        copy_state(states, 1, 0)
        play(states[1], seat, moves.at[index])
        worth = value(states[1], seat, weights)
        if equals == 0 or worth > most:
            best = moves.at[index]
            most = worth
            equals = 1
        elif worth == most:
            equals += 1
            if below(dice.chance, equals) == 0:
                best = moves.at[index]
    return best


#: `learned_move.of(game)(states, seat, moves, weights, dice)`
learned_move = Generic(_learned_move)
