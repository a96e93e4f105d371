"""How well the simple players build: a small form of scripts/strength.py."""

import numpy as np
import pytest

import thorp
from thorp import GameError
from thorp.arena import play_games
from thorp.compiling.mode import COMPILED

GAMES = 100 if COMPILED else 6
GAME = thorp.game("tiny-towns")


def test_greedy_averages_at_least_12_points_in_solo_play() -> None:
    assert play_games(GAME, ["greedy"], {}, range(GAMES)).mean() >= 12


def test_random_averages_below_0_in_solo_play() -> None:
    assert play_games(GAME, ["random"], {}, range(GAMES)).mean() < 0


@pytest.mark.parametrize("options", [{}, {"monuments": "no"}, {"naming": "town_hall"}, {"cavern": "yes"}], ids=str)
def test_greedy_builds_sensible_towns_at_a_table(options: dict[str, str]) -> None:
    scores = play_games(GAME, ["greedy", "random", "greedy", "random"], options, range(GAMES // 4))
    assert scores[:, (0, 2)].mean() > 12 > 0 > scores[:, (1, 3)].mean()


def test_the_same_seeds_give_the_same_games() -> None:
    one, other = (play_games(GAME, ["greedy", "random"], {}, range(4)) for _ in range(2))
    assert np.array_equal(one, other)
    assert one.shape == (4, 2)


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(GameError, match="there is no player 'oracle'"):
        play_games(GAME, ["oracle"], {}, [1])


def test_evaluating_leaves_the_state_as_it_was() -> None:
    for seed in range(10):
        match = thorp.Match(GAME, 3, seed=seed)
        while not match.over:
            seat = match.waiting[0]
            before = match.digest()
            for other in range(3):
                GAME.evaluate(match.state, other)
            assert match.digest() == before
            match.play(seat, match.legal(seat)[-1])


def test_a_player_does_not_look_at_what_its_seat_may_not_know() -> None:
    """Two states that the seat cannot tell apart give the same choice."""
    from thorp.players.players import choose_in

    for seed in range(6):
        match = thorp.Match(GAME, 4, seed=seed)
        for step in range(60):
            if match.over:
                break
            seat = match.waiting[0]
            other = GAME.copy(match.state)
            GAME.determinize(other, seat, step)
            move = choose_in("greedy", GAME, match.state, seat, step)
            assert choose_in("greedy", GAME, other, seat, step) == move
            match.play(seat, move)
