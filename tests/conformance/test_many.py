"""Replay, determinize and listed moves over 20,000 random games of every game."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from conformance.all_games import GAMES, random_options
from conformance.many import hidden, replayed
from thorp import Game
from thorp.core.chance import stream
from thorp.core.generic import make_states, put_state
from thorp.core.mode import COMPILED

MANY = 20_000 if COMPILED else 20

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def _deals(game: Game, states: Any) -> Iterator[tuple[int, int]]:
    """Deals many games to the first two states; gives seed and seats."""
    rng = random.Random(2)
    for seed in range(MANY):
        seats = rng.choice(game.seats)
        state = game.state()
        game.deal(state, seats, game.option_list(random_options(game, seats, rng)), seed)
        for index in range(2):
            put_state(states, index, state)
        yield seed, seats


def _log() -> Any:
    return np.zeros(100_000, np.int32) if COMPILED else [0] * 100_000


def test_the_same_moves_give_the_same_bytes(game: Game) -> None:
    states, moves, dice, log = make_states(game, 2), game.move_list(), stream(3), _log()
    play = replayed.of(game)
    for seed, seats in _deals(game, states):
        assert play(states, moves, log, seats, game.moves.size, dice) > 0
        assert game.bytes(states[0]) == game.bytes(states[1]), seed
        assert game.over(states[0])


def test_what_a_seat_cannot_know_changes_no_move_and_every_listed_move_can_be_played(game: Game) -> None:
    states, moves, dice, log = make_states(game, 2), game.move_list(), stream(4), _log()
    play = hidden.of(game)
    for seed, seats in _deals(game, states):
        assert play(states, moves, log, seats, game.moves.size, dice) > 0, seed
