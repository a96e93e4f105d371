"""Learning by self-play, on a game whose evaluation knows nothing at first."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy import GAME as PEBBLES

from thorp.compiling.mode import COMPILED
from thorp.core.errors import GameError
from thorp.core.net import read_out
from thorp.core.weights import WeightsError
from thorp.training import Training, train
from thorp.training.descent import BATCH, Descent, said
from thorp.training.replay import ROWS
from thorp.training.run import points_of
from thorp.training.selfplay import BASE, EXTRA, TARGET
from thorp.training.teachers import MOST_SEED

from .pebbles import FEATURES, FIRST, GAME, NET

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


def test_the_net_that_learns_says_what_the_compiled_one_says() -> None:
    luck = np.random.default_rng(5)
    weights = luck.normal(size=NET.learned).astype(np.float32)
    positions = luck.normal(size=(200, FEATURES)).astype(np.float32)
    positions[luck.random(positions.shape) < 0.5] = 0
    row = NET.row(weights)
    compiled = []
    for position in positions:
        row[:FEATURES] = position
        compiled.append(read_out(row, FEATURES, FIRST))
    assert np.allclose(said(weights, positions, NET.hidden), compiled, atol=1e-5)


def test_steps_come_to_what_was_asked_for() -> None:
    luck = np.random.default_rng(6)
    rows = np.zeros((40 * BATCH + 9, FEATURES + EXTRA), np.float32)
    rows[:, :FEATURES] = luck.normal(size=(len(rows), FEATURES))
    # 2 for the first feature, and 3 for the second where it is above 0; a part of it is known without the net
    rows[:, FEATURES + BASE] = 4
    rows[:, FEATURES + TARGET] = 4 + 2 * rows[:, 0] + 3 * np.maximum(rows[:, 1], 0)
    # where nothing was read the net was not asked, and nothing is to be learned
    rows[::7, :FEATURES] = 0
    rows[::7, FEATURES + TARGET] = 1000
    start = 0.1 * luck.normal(size=NET.learned).astype(np.float32)
    descent = Descent(NET, start)
    errors = [descent.learn(luck.permutation(rows), len(rows), 3e-3) for _ in range(80)]
    assert errors[0] > 4
    assert errors[-1] < 0.01
    asked = rows[:, :FEATURES].any(axis=1)
    expected = rows[asked, FEATURES + TARGET] - rows[asked, FEATURES + BASE]
    assert np.abs(said(descent.learned, rows[asked, :FEATURES], NET.hidden) - expected).mean() < 0.1


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    one = learned(2, 400)
    assert np.array_equal(one, learned(2, 400))
    assert not np.array_equal(one, learned(3, 400))


def test_the_same_is_learned_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    one = learned(2, 400)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert np.array_equal(one, learned(2, 400))


def test_rounds_have_as_many_games_as_bring_enough_to_learn_from() -> None:
    """The first round is a guess; a game of pebbles has some eleven decisions, more or fewer by its seats."""
    ends = [progress.games for progress in Training(GAME, 3000, 5).rounds()]
    sizes = np.diff([0, *ends])
    assert sizes[0] == 32
    assert all(ROWS / 14 < size < ROWS / 8 for size in sizes[1:-1]), sizes
    assert len(sizes) > 4


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


def test_the_curve_goes_on_where_it_was(tmp_path: Path) -> None:
    run = Training(GAME, 3000, 4)
    told: list[int] = []
    for point in run.rounds():
        run.curve.append(point)
        run.save(tmp_path / "run.npz")
        break
    train(Training.resume(GAME, tmp_path / "run.npz"), lambda point: told.append(point.games))
    again = Training.resume(GAME, tmp_path / "run.npz")
    assert again.curve == run.curve
    assert told[-1] == 3000


def test_a_run_that_is_too_short_to_learn_from_ends_like_any_other(tmp_path: Path) -> None:
    told = []
    run = Training(GAME, 1, 4)
    train(run, told.append)
    assert [point.games for point in told] == [1]
    assert np.isnan(told[0].error)
    run.save(tmp_path / "run.npz")
    assert Training.resume(GAME, tmp_path / "run.npz").done == 1


def test_a_run_of_another_game_is_not_taken_up(tmp_path: Path) -> None:
    Training(GAME, 10, 1).save(tmp_path / "run.npz")
    with pytest.raises(WeightsError, match="another game, or of other rules or features"):
        Training.resume(replace(GAME, rules_version=2), tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as file:
        kept = {name: each for name, each in file.items() if name != "memory2"}
    np.savez(tmp_path / "run.npz", **kept)
    with pytest.raises(WeightsError, match="by another Optax"):
        Training.resume(GAME, tmp_path / "run.npz")
    whole = (tmp_path / "run.npz").read_bytes()
    # as runs were saved by an earlier Thorp
    np.savez(tmp_path / "old.npz", **{name.replace("rounds", ".rowsrounds"): each for name, each in kept.items()})
    with pytest.raises(WeightsError, match="no run of learning"):
        Training.resume(GAME, tmp_path / "old.npz")
    for raw in (b"no run", b"", whole[: len(whole) // 2], whole.replace(b"learned.npy", b"lost???.npy")):
        (tmp_path / "run.npz").write_bytes(raw)
        with pytest.raises(WeightsError, match="no run of learning"):
            Training.resume(GAME, tmp_path / "run.npz")


def put(name: str, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    """Another thing is told of a run."""
    return lambda told, kept: told.__setitem__(name, value)


_SOME = np.zeros(5, np.float32)


@pytest.mark.parametrize(
    "damage",
    [
        lambda told, kept: told.pop("luck"),
        put("luck", {"bit_generator": "MT19937", "state": {}}),
        put("luck", "PCG64"),
        put("curve", [[1, 2.0]]),
        put("curve", [[1, "much", 2.0]]),
        put("done", "all"),
        put("done", 1.5),
        put("seed", "one"),
        put("games", None),
        lambda told, kept: kept.update(learned=_SOME),
        lambda told, kept: kept.update(learned=np.full(NET.learned, "a")),
        lambda told, kept: kept.update(plays=_SOME),
        lambda told, kept: kept.update(sizes=_SOME),
        lambda told, kept: kept.update(rounds=_SOME),
        lambda told, kept: kept.update(told=np.array("[]")),
        lambda told, kept: kept.update(told=np.array("no JSON")),
    ],
)
def test_a_run_that_is_whole_but_not_as_it_was_saved_is_not_taken_up(
    damage: Callable[[dict[str, Any], dict[str, Any]], object], tmp_path: Path
) -> None:
    Training(GAME, 10, 1).save(path := tmp_path / "run.npz")
    with np.load(path) as file:
        kept = dict(file)
    told = json.loads(str(kept.pop("told")))
    damage(told, kept)
    np.savez(path, **{"told": np.array(json.dumps(told)), **kept})
    with pytest.raises(WeightsError, match="no run of learning that can be taken up"):
        Training.resume(GAME, path)


def test_no_run_learns_from_games_by_which_its_curve_is_measured() -> None:
    """Those have seeds from 1 << 40 on."""
    with pytest.raises(GameError, match=f"an integer from 0 to {MOST_SEED}, not"):
        Training(GAME, 1, MOST_SEED + 1)
    # of the greatest there are as many as of any other before there are no seeds any more
    for seed in (1, MOST_SEED):
        first = Training(GAME, 1, seed)._teacher._seed(0)
        assert first == (1 << 41) + (seed << 32)
        assert first + (1 << 32) <= 1 << 63


def test_a_game_without_a_net_has_nothing_to_learn() -> None:
    with pytest.raises(WeightsError, match="has no learned evaluation"):
        Training(PEBBLES, 10, 1)
