"""Whole games between players by name, for any game of the contract."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from thorp.core.chance import SEED_BITS
from thorp.core.game import AnyGame
from thorp.players.players import choose_in


def play_games(
    game: AnyGame, players: Sequence[str], options: Mapping[str, str] | None, seeds: Iterable[int]
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Play one game for each seed to its end; the scores, as rows of games with a column for each seat.

    `players` names who sits at each seat, and so says how many seats there are. A seed deals the game and settles
    what the players leave to chance: the same arguments give the same scores. Players choose as at a table, from
    what their seat may know; where several seats wait, the first of them moves first.
    Raises GameError for an unknown player, OptionError for impossible options or seats.
    """
    seats = len(players)
    chosen = game.option_list(game.options_for(seats, options))
    game.prepare()
    scores = []
    for seed in seeds:
        dice = random.Random(seed)
        state = game.state()
        game.deal(state, seats, chosen, seed)
        while waiting := int(game.waiting(state)):
            seat = (waiting & -waiting).bit_length() - 1
            move = choose_in(players[seat], game, state, seat, dice.getrandbits(SEED_BITS), seats=seats)
            game.play(state, seat, move)
        scores.append([int(game.score(state, seat)) for seat in range(seats)])
    return np.array(scores, np.int64).reshape(-1, seats)
