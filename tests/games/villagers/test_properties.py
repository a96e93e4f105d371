"""Properties of Villagers over many thousands of random games."""

import random

import pytest

from games.villagers.invariants import checked_game
from games.villagers.place import dealt
from thorp.checks.matches import random_options
from thorp.compiling.mode import COMPILED
from thorp.core.chance import stream
from thorp.core.generic import make_states, put_state
from thorp.games.villagers import GAME
from thorp.games.villagers.rules.state import BUILD

GAMES = 12_000 if COMPILED else 40


@pytest.mark.parametrize("seats", GAME.seats)
def test_cards_and_coins_are_conserved_in_random_games(seats: int) -> None:
    """No card is made or lost, chains are sound, gold only comes from and goes to the bank, every game ends."""
    rng = random.Random(seats)
    states, moves, dice = make_states(GAME, 2), GAME.move_list(), stream(seats)
    play = checked_game.of(GAME)
    for seed in range(GAMES // len(GAME.seats)):
        state = GAME.state()
        GAME.deal(state, seats, GAME.option_list(random_options(GAME, seats, rng)), seed)
        put_state(states, 0, state)
        plies = play(states, moves, seats, dice)
        assert plies > 0, (seed, plies)


def test_a_whole_build_turn_can_be_taken_back_until_it_is_ended() -> None:
    rng = random.Random(3)
    for seed in range(10):
        game = dealt(3, seed)
        start = (0, -1)
        while not game.over:
            # numbers, as a plain state is changed by the move
            barrier, phase, turn = game.plain.barrier, game.plain.phase, game.plain.turn
            if phase == BUILD and turn != start[1]:
                start = (barrier, turn)
            move = rng.choice(game.legal())
            game.play(move)
            if phase == BUILD:
                # only its end counts
                assert (game.plain.barrier == start[0]) == (move != "done")
            else:
                assert game.plain.barrier > barrier
                start = (0, -1)
            if move == "done":
                start = (0, -1)
