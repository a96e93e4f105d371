"""Learning by self-play, on Pebbles with an evaluation that knows nothing at first."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy import GAME as PEBBLES
from toy.rules import State

from thorp.compiling.mode import COMPILED
from thorp.compiling.rule import Weights, rule
from thorp.core.net import Net, read_out
from thorp.core.weights import WeightsError
from thorp.training import Training, train
from thorp.training.run import points_of

NET = Net(("points", "heap", "rounds", "first", "second", "third"), hidden=8)
FEATURES, FIRST = len(NET.features), NET.first


@rule
def value(state: State, seat: int, weights: Weights) -> float:
    """Nothing but what the net says: it has to learn that points are worth having."""
    if state.ended:
        return state.points[seat] * 1.0
    weights[0] = state.points[seat] * 0.1
    weights[1] = state.heap * 0.2 if state.turn == seat else 0
    weights[2] = (state.rounds - state.round) * 0.2
    for stone in range(3):
        weights[3 + stone] = 1 if state.picks[seat] == stone + 1 else 0
    return read_out(weights, FEATURES, FIRST)


GAME = replace(PEBBLES, id="pebbles-learned", value=value, net=NET)
GAMES = 3000 if COMPILED else 300


def learned(seed: int, games: int = GAMES) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    run = Training(GAME, games, seed)
    return np.array(train(run, lambda point: None))


def test_a_tiny_run_learns() -> None:
    start = Training(GAME, GAMES, 1)
    before = points_of(GAME, start.learned)
    after = points_of(GAME, learned(1))
    # the best stone is worth 3 points in each of three rounds; with two pebbles a round at most besides
    assert after > before + 1
    assert after > 9


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    one = learned(2, 400)
    assert np.array_equal(one, learned(2, 400))
    assert not np.array_equal(one, learned(3, 400))


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:

    run = Training(GAME, 900, 4)
    for _ in run.rounds():
        break
    assert 0 < run.done < 900
    run.save(tmp_path / "run.npz")
    again = Training.resume(GAME, tmp_path / "run.npz")
    assert again.done == run.done
    assert np.array_equal(train(again, lambda point: None), learned(4, 900))
    assert [point.games for point in again.curve] == [900]


def test_a_run_of_another_game_is_not_taken_up(tmp_path: Path) -> None:
    Training(GAME, 10, 1).save(tmp_path / "run.npz")
    with pytest.raises(WeightsError, match="another game, or of other rules or features"):
        Training.resume(replace(GAME, rules_version=2), tmp_path / "run.npz")
    (tmp_path / "run.npz").write_bytes(b"no run")
    with pytest.raises(WeightsError, match="no run of learning"):
        Training.resume(GAME, tmp_path / "run.npz")


def test_a_game_without_a_net_has_nothing_to_learn() -> None:
    with pytest.raises(WeightsError, match="has no learned evaluation"):
        Training(PEBBLES, 10, 1)
