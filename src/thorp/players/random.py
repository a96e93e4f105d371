"""The random player: any legal move, each as likely."""

from thorp.compiling.rule import MoveList
from thorp.core.chance import Stream, below
from thorp.core.contract import legal
from thorp.core.generic import Generic, States


def _random_move(states: States, seat: int, moves: MoveList, dice: Stream) -> int:
    """A random legal move of `seat` in states[0]."""
    return moves.at[below(dice.chance, legal(states[0], seat, moves))]


random_move = Generic(_random_move)
