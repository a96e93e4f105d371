"""Learning from decisions whose moves are played on, on a game whose evaluation knows nothing at first."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy.rules import State

from thorp.compiling.mode import COMPILED
from thorp.compiling.rule import rule
from thorp.core.chance import stream
from thorp.core.game import AnyGame
from thorp.core.generic import make_states
from thorp.core.weights import room
from thorp.players.fields import made
from thorp.players.playouts import Manner, Tally
from thorp.training import Training, train
from thorp.training.descent import BATCH, BESIDE, Descent, of_decisions, said
from thorp.training.judged import ANY, BASE, CHOICES, EXTRA, PROMISING, STATES, THERE, WORTH, judge_game, width
from thorp.training.run import points_of
from thorp.training.selfplay import TARGET
from thorp.training.teachers import Decisions

from .pebbles import FEATURES, FIRST
from .pebbles import GAME as OF_ENDS
from .pebbles import NET as NET_OF_ENDS

NET = replace(NET_OF_ENDS, compares=True)
GAME = replace(OF_ENDS, id="pebbles-compared", net=NET)
GAMES = 3000 if COMPILED else 1500


@pytest.fixture(autouse=True)
def many_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of pebbles has a few decisions only, and a round many games."""
    monkeypatch.setattr(Decisions, "_JUDGED", 1.0)
    monkeypatch.setattr(Decisions, "_FROM", 0.4)


def learned(seed: int, games: int = GAMES) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    return np.array(train(Training(GAME, games, seed), lambda point: None))


def judged(seed: int, deals: int, game: AnyGame = GAME) -> "np.ndarray[tuple[int, int, int], np.dtype[np.float32]]":
    """The decisions of one game between two: a row for each, of moves and what stands of them."""
    rows = np.zeros(50 * width(FEATURES), np.float32)
    # one seat by the net, and half of all decisions played on by it
    how = np.array([1, 0.2, 1, deals, 0.5], np.float32)
    manner = made(Manner, own=99, others=99, point=100)
    count = judge_game.of(game)(
        make_states(game, STATES), game.move_list(), game.option_list(game.options_for(2)), room(game), rows, how,
        stream(seed), stream(0), made(Tally), manner, 2, FEATURES, FIRST, seed,
    )  # fmt: skip
    return rows.reshape(-1, CHOICES, FEATURES + EXTRA)[:count]


def test_a_tiny_run_learns() -> None:
    before = points_of(GAME, Training(GAME, GAMES, 1).learned)
    after = points_of(GAME, learned(1))
    # the best stone is worth 3 points in each of three rounds
    assert after > before + 1
    assert after > 9


def test_every_move_of_a_decision_is_judged_once() -> None:
    rows = np.concatenate([judged(seed, 2) for seed in range(30)])
    there = rows[:, :, FEATURES + THERE]
    assert set(there.ravel()) == {0, 1}
    # those that are there come first; a move that ends the game is not among them
    assert (np.diff(there, axis=1) <= 0).all()
    assert there.sum(axis=1).max() <= PROMISING + ANY
    assert (there.sum(axis=1) > 1).mean() > 0.8
    # the net is asked of each that is there, and nothing is left of what stood there before
    assert rows[there == 1][:, :FEATURES].any(axis=1).all()
    assert not rows[there == 0].any()


@rule
def place(state: State, seat: int) -> int:
    """The place by pebbles that all see: those dealt face down decide otherwise."""
    better = 1
    for other in range(state.seats):
        if state.points[other] > state.points[seat]:
            better += 1
    return better


@pytest.mark.parametrize(
    ("game", "least", "most"), [(GAME, 1, 2), (replace(GAME, id="pebbles-placed", standing=place), 2.2, 6)]
)
def test_better_moves_come_to_more(game: AnyGame, least: float, most: float) -> None:
    """A pebble that is taken is a point more, or two if another seat wants it; where that decides, wins count, too."""
    more = []
    for row in np.concatenate([judged(seed, 20, game) for seed in range(60)]):
        moves = row[row[:, FEATURES + THERE] == 1]
        # where it is not a stone that is chosen, pebbles are taken
        taking = len(moves) > 1 and not np.ptp(moves[:, 3:6], axis=0).any()
        if taking and np.ptp(points := 10 * moves[:, 0]) > 0:
            best, worst = moves[points.argmax()], moves[points.argmin()]
            more.append((best - worst)[FEATURES + WORTH] / np.ptp(points))
    assert len(more) > 60
    assert least < np.mean(more) < most


def test_steps_come_to_how_far_moves_lie_apart() -> None:
    luck = np.random.default_rng(6)
    rows = np.zeros((20 * BATCH, CHOICES, FEATURES + EXTRA), np.float32)
    rows[:, :, :FEATURES] = luck.normal(size=(len(rows), CHOICES, FEATURES))
    rows[:, :, FEATURES + BASE] = luck.normal(size=(len(rows), CHOICES))
    # 2 for the first feature beside the base; all moves of a decision are worth more or less, of which nothing is read
    of_all = 30 * luck.normal(size=(len(rows), 1))
    rows[:, :, FEATURES + WORTH] = rows[:, :, FEATURES + BASE] + 2 * rows[:, :, 0] + of_all
    rows[:, :, FEATURES + THERE] = 1
    # moves that are not there teach nothing
    rows[::2, 5:] = 0
    rows[::2, 5:, FEATURES + WORTH] = 1000
    start = 0.1 * luck.normal(size=NET.learned).astype(np.float32)
    descent = Descent(NET, start)
    # and positions that all are worth 5, of which nothing but that is to be learned
    beside = np.zeros((len(rows), BESIDE, FEATURES + 3), np.float32)
    beside[:, :, 0] = 1e-3
    beside[:, :, FEATURES + TARGET] = 5
    flat = np.hstack((rows.reshape(len(rows), -1), beside.reshape(len(rows), -1)))
    errors = [descent.learn(luck.permutation(flat), len(flat), 3e-3, of_decisions) for _ in range(60)]
    assert errors[0] > 10
    assert errors[-1] < 0.1
    read = rows[1::2, :, :FEATURES]
    thought = np.asarray(said(descent.learned, read.reshape(-1, FEATURES), NET.hidden)).reshape(read.shape[:2])
    apart = thought - thought.mean(axis=1, keepdims=True)
    expected = 2 * (read[..., 0] - read[..., 0].mean(axis=1, keepdims=True))
    assert np.abs(apart - expected).mean() < 0.3


def test_the_same_seed_learns_the_same_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Decisions, "_FROM", 0.0)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    one = learned(2, 400)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert np.array_equal(one, learned(2, 400))
    assert not np.array_equal(one, learned(3, 400))


def test_decisions_are_judged_towards_the_end_of_a_run_only() -> None:
    run, of_ends = Training(GAME, GAMES, 2), Training(OF_ENDS, GAMES, 2)
    for _ in zip(run.rounds(), of_ends.rounds(), strict=True):
        same = np.array_equal(run.weights, of_ends.weights)
        begun = len(run._teacher.replays[".decisions"]) > 0
        assert same != begun
        if begun:
            break
    else:
        pytest.fail("no decision was judged")
    assert 0.4 * GAMES < run.done < GAMES


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    run = Training(GAME, GAMES, 4)
    for _ in run.rounds():
        if run.done > 0.6 * GAMES:
            break
    assert run.done < GAMES
    run.save(tmp_path / "run.npz")
    again = Training.resume(GAME, tmp_path / "run.npz")
    assert again.done == run.done
    assert np.array_equal(train(again, lambda point: None), learned(4))


def test_a_run_can_be_made_longer_after_decisions_were_judged(tmp_path: Path) -> None:
    run = Training(GAME, GAMES, 5)
    train(run, lambda point: None)
    run.save(tmp_path / "run.npz")
    longer = Training.resume(GAME, tmp_path / "run.npz", 4 * GAMES)
    for _ in longer.rounds():
        break
    assert longer.done > GAMES
    assert np.isfinite(longer.weights).all()
