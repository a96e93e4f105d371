"""The greedy player: looks one move ahead, and takes what the game's evaluation likes best."""

from thorp.compiling.rule import MoveList
from thorp.core.chance import Stream, below
from thorp.core.contract import evaluate, legal, play
from thorp.core.generic import Generic, States, copy_state


def _greedy_move(states: States, seat: int, moves: MoveList, dice: Stream) -> int:
    """The move of `seat` in states[0] after which its position is most promising; among equals, a random one.

    states[1] is overwritten.
    """
    n = legal(states[0], seat, moves)
    best = moves.at[0]
    most = 0
    equals = 0
    for index in range(n):
        copy_state(states, 1, 0)
        play(states[1], seat, moves.at[index])
        value = evaluate(states[1], seat)
        if equals == 0 or value > most:
            best = moves.at[index]
            most = value
            equals = 1
        elif value == most:
            equals += 1
            if below(dice.chance, equals) == 0:
                best = moves.at[index]
    return best


greedy_move = Generic(_greedy_move)
