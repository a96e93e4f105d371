"""The learned player: looks one move ahead, and takes what promises most points by what self-play has taught.

Where a game has learned nothing, or its weights cannot be used, the greedy player stands in.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from thorp.compiling.rule import MoveList, Weights
from thorp.core.chance import Stream, below
from thorp.core.contract import legal, play, value
from thorp.core.game import AnyGame
from thorp.core.generic import Generic, States, copy_state
from thorp.core.weights import WeightsError, read_weights, room
from thorp.players.greedy import greedy_move


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


@cache
def _shipped(game_id: str, game: AnyGame) -> Any:
    """The weights that come with a game, read once; None where there are none that can be used."""
    try:
        return read_weights(game)[0]
    except WeightsError as error:
        if game.net is not None:
            logging.getLogger(__name__).warning("%s; greedy plays in place of learned", error)
        return None


def weights_of(game: AnyGame) -> Any:
    """A row of the weights that come with a game, for one thread; None where it has none that can be used."""
    learned = _shipped(game.id, game)
    return None if learned is None else room(game, learned)


class LearnedPlayer:
    """The learned player as the others are called: `learned.of(game)(states, seat, moves, dice)`."""

    def of(self, game: AnyGame) -> Any:
        """The player for a game; the greedy one where there is nothing learned that can be used."""
        weights = weights_of(game)
        if weights is None:
            return greedy_move.of(game)
        move = learned_move.of(game)

        def choose(states: Any, seat: int, moves: Any, dice: Any) -> int:
            return move(states, seat, moves, weights.copy(), dice)

        return choose


learned = LearnedPlayer()
