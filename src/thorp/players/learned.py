"""The learned player: looks one move ahead, and takes what promises most points by what self-play has taught.

Where a game has learned nothing, or its weights cannot be used, the greedy player stands in; levels that think go by
`evaluate` alone then.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

import numpy as np

from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.given import shown
from thorp.core.net import Net
from thorp.core.ntuples import NTuples
from thorp.core.weights import WeightsError, read_weights, room
from thorp.players.ahead import learned_move
from thorp.players.greedy import greedy_move
from thorp.players.lessons import known, lesson_digest
from thorp.players.search import Way, seats_of


def shipped(game: AnyGame) -> Any:
    """The weights that come with a game, read once; None where none can be used, or each table learns its own."""
    return None if isinstance(game.net, NTuples) else _shipped(game.id, game)


@cache
def _shipped(game_id: str, game: AnyGame) -> Any:
    try:
        return read_weights(game)[0]
    except WeightsError as error:
        if game.net is not None:
            logging.getLogger(__name__).warning(
                "%s; until then greedy plays in place of learned, and levels that think go by evaluate alone", error
            )
        return None


def learned_digest(game: AnyGame) -> str:
    """By what a game's learned players are known: where it differs, so may all that they play. "" without any."""
    if isinstance(game.net, NTuples):
        return lesson_digest(game)
    try:
        return str(read_weights(game)[1]["digest"])[:12]
    except WeightsError:
        return ""


def learned_for(game: AnyGame, state: Any, seats: int | None = None) -> Any:
    """What was learned of positions like this one: for its table, or what comes with the game.

    None where there is nothing that can be used. `seats` is needed where a table has learned, and its record has no
    field `seats`: raises GameError.
    """
    if not isinstance(game.net, NTuples):
        return shipped(game)
    return known(game, state, seats_of(game, state) if seats is None else seats)


def learned_for_search(game: AnyGame, state: Any, seats: int, way: Way, weights: Any = None) -> Any:
    """What a search goes by: as `learned_for`, where its way goes by that, but for a net that it does better without.

    That is any of them alone: who can lose a game that is played alone has to win it, and a net says points, or was
    taught to leave others behind. And one that does not choose is asked before the end (`Net.lookahead`), or not.
    `weights` are asked in the place of those that come with the game, or were learned at the table.
    """
    if not way.learned:
        return None
    if isinstance(game.net, Net):
        asked = seats > 1 and (game.net.chooses or (game.net.lookahead and way.reach))
        if not asked:
            return None
        return shipped(game) if weights is None else weights
    return known(game, state, seats) if weights is None else weights


def check_weights(game: AnyGame, weights: Any) -> None:
    """Raise GameError where a game has no net, or weights are not as many as it has."""
    net = game.net
    if net is None:
        raise GameError(f"{game.name} has no learned evaluation, and nobody plays it by weights")
    sizes = (net.learned, 2 * net.learned) if isinstance(net, Net) and net.judged else (net.learned,)
    if not isinstance(weights, np.ndarray) or weights.shape not in [(size,) for size in sizes]:
        many = " or ".join(map(str, sizes))
        raise GameError(
            f"weights of {game.name} are {many} numbers, as `read_weights` reads them, not {shown(weights)}"
        )


class LearnedPlayer:
    """The learned player as the others are called: `learned.of(game)(states, seat, moves, dice)`."""

    def of(self, game: AnyGame, weights: Any = None, seats: int | None = None) -> Any:
        """The player for a game; the greedy one wherever there is nothing learned that can be used.

        It goes by `weights` of a game with a net, if there are any, in the place of those that come with the game.
        `seats`: as for `learned_for`.
        """
        greedy = greedy_move.of(game)
        if weights is None and (game.net is None or (isinstance(game.net, Net) and shipped(game) is None)):
            return greedy
        move = learned_move.of(game)

        def choose(states: Any, seat: int, moves: Any, dice: Any) -> int:
            learned = weights
            if weights is None:
                learned = learned_for(game, states[0], seats)
            if learned is None:
                return int(greedy(states, seat, moves, dice))
            return int(move(states, seat, moves, room(game, learned), dice))

        return choose


learned = LearnedPlayer()
