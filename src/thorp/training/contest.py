"""Whole games between the learned player and the greedy one, in generic code."""

from __future__ import annotations

from typing import Any

import numpy as np

from thorp.compiling.rule import Counts, MoveList, OptionList, Weights
from thorp.core.chance import Stream, below, seed_chance, stream
from thorp.core.contract import deal, determinize, legal, play, score, standing, waiting
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import Generic, States, copy_state, make_states
from thorp.core.weights import room
from thorp.players.ahead import learned_move
from thorp.players.greedy import greedy_move
from thorp.players.turns import one_of
from thorp.training.selfplay import MOST_MOVES

#: States that `contest` needs: what the seat knows and one move ahead, the game, and one that is zeroed.
STATES = 4
_SEEDS = 1 << 28


def _contest(
    states: States,
    moves: MoveList,
    options: OptionList,
    weights: Weights,
    out: Counts,
    dice: Stream,
    seats: int,
    who: int,
    seed: int,
) -> int:
    """Play the game of a seed: seats in the mask `who` play as learned, all others greedily; 0, or -1 without end.

    Writes the score of each seat, then the standing of each.
    """
    copy_state(states, 2, 3)
    deal(states[2], seats, options, seed)
    seed_chance(dice.chance, seed * 2 + 1)
    mask = waiting(states[2])
    for _ in range(MOST_MOVES):
        if mask == 0:
            for seat in range(seats):
                out[seat] = score(states[2], seat)
                out[seats + seat] = standing(states[2], seat)
            return 0
        seat = one_of(mask, dice)
        if legal(states[2], seat, moves) == 1:
            play(states[2], seat, moves.at[0])
        else:
            copy_state(states, 0, 2)
            determinize(states[0], seat, below(dice.chance, _SEEDS))
            if who >> seat & 1:
                move = learned_move(states, seat, moves, weights, dice)
            else:
                move = greedy_move(states, seat, moves, dice)
            play(states[2], seat, move)
        mask = waiting(states[2])
    return -1


#: `contest.of(game)(states, moves, options, weights, out, dice, seats, who, seed)`
contest = Generic(_contest)


def contests(
    game: AnyGame, learned: Any, seats: int, who: int, seeds: range, options: dict[str, str] | None = None
) -> tuple[Any, Any]:
    """Scores and standings, a row for each seed, where the seats in the mask `who` play as learned, others greedily."""
    play = contest.of(game)
    numbers = game.option_list(game.options_for(seats, options))
    weights, states, moves, dice = room(game, learned), make_states(game, STATES), game.move_list(), stream(0)
    found = np.zeros((len(seeds), 2 * seats), np.int32)
    for row, seed in enumerate(seeds):
        if play(states, moves, numbers, weights, found[row], dice, seats, who, seed) < 0:
            raise GameError(f"the game {seed} of {game.name} does not end")
    return found[:, :seats], found[:, seats:]
