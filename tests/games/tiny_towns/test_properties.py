"""Properties of Tiny Towns over many thousands of random games."""

import random

import pytest

from games.tiny_towns.invariants import checked_game
from thorp.checks.matches import random_options
from thorp.compiling.mode import COMPILED
from thorp.core.chance import stream
from thorp.core.generic import make_states, put_state
from thorp.games.tiny_towns import GAME

GAMES = 12_000 if COMPILED else 60


@pytest.mark.parametrize("seats", GAME.seats)
def test_towns_are_sound_in_random_games(seats: int) -> None:
    """Cubes and squares never overlap, a building costs exactly its pattern, cards are conserved, every game ends."""
    rng = random.Random(seats)
    states, moves, dice = make_states(GAME, 2), GAME.move_list(), stream(seats)
    play = checked_game.of(GAME)
    for seed in range(GAMES // len(GAME.seats)):
        state = GAME.state()
        GAME.deal(state, seats, GAME.option_list(random_options(GAME, seats, rng)), seed)
        put_state(states, 0, state)
        plies = play(states, moves, seats, dice)
        assert plies > 0, (seed, plies)
