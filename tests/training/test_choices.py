"""Learning from what choices came to, on a game whose evaluation knows nothing at first."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thorp.compiling.mode import COMPILED
from thorp.core.chance import stream
from thorp.core.generic import make_states
from thorp.core.weights import room
from thorp.players.playouts import PLAYED
from thorp.training import Training, choices, train
from thorp.training.choices import BASE, CHANCE, CHOSEN, COUNT, EXTRA, RESULT, SAID, SCORE, SEAT, STATES, draw_game
from thorp.training.descent import said
from thorp.training.policy import Decisions, Policy, advantages, decisions_of
from thorp.training.run import points_of

from .pebbles import FEATURES
from .pebbles import FIRST as BEGINS
from .pebbles import GAME as OF_ENDS
from .pebbles import NET as NET_OF_ENDS

NET = replace(NET_OF_ENDS, chooses=True)
GAME = replace(OF_ENDS, id="pebbles-chosen", net=NET)
GAMES = 12_000 if COMPILED else 3000
WIDTH = FEATURES + EXTRA


def learned(seed: int, games: int = GAMES) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    return np.array(train(Training(GAME, games, seed), lambda point: None))


def drawn(
    seed: int, weights: Any = None, seats: int = 3, room_for: int = 500, **how: float
) -> tuple["np.ndarray[tuple[int, int], np.dtype[np.float32]]", Any]:
    """What is written of one game, and the states in which it was played."""
    rows = np.full(room_for * WIDTH, 7, np.float32)
    told = np.zeros(SCORE + 1, np.float32)
    for place, value in (
        (CHANCE, 1.0),
        (SCORE, 5.0),
        *((getattr(choices, name), value) for name, value in how.items()),
    ):
        told[place] = value
    states = make_states(GAME, STATES)
    count = draw_game.of(GAME)(
        states, GAME.move_list(), GAME.option_list(GAME.options_for(seats)), room(GAME, weights), room(GAME), rows,
        told, stream(seed), seats, FEATURES, BEGINS, seed,
    )  # fmt: skip
    return rows.reshape(-1, WIDTH)[:count], states


def decided(games: list[Any], seats: list[int]) -> Decisions:
    return decisions_of(np.concatenate(games), [len(rows) for rows in games], seats, FEATURES)


def taught(seed: int) -> Any:
    return np.random.default_rng(seed).normal(size=NET.learned).astype(np.float32)


def test_a_tiny_run_learns() -> None:
    before = points_of(GAME, Training(GAME, GAMES, 1).learned)
    after = points_of(GAME, learned(1))
    # the best stone is worth 3 points in each of three rounds
    assert after > before + 1
    assert after > 9


def test_all_moves_of_all_decisions_are_written() -> None:
    weights = taught(1)
    of = decided([drawn(seed, weights)[0] for seed in range(20)], [3] * 20)
    counts = of.of(COUNT).astype(int)
    assert (counts > 1).all()
    assert ((of.of(CHOSEN) >= 0) & (of.of(CHOSEN) < counts)).all()
    assert set(of.of(SEAT)) == {0, 1, 2}
    assert counts.sum() + len(counts) == len(of.rows)
    assert set(of.games) == set(range(20))
    moves = np.delete(of.rows, of.starts, axis=0)
    asked = moves[:, :FEATURES].any(axis=1)
    net = np.where(asked, said(weights, moves[:, :FEATURES], NET.hidden), 0)
    assert np.allclose(moves[:, FEATURES + SAID], moves[:, FEATURES + BASE] + net, atol=1e-4)


def test_moves_are_drawn_as_often_as_they_are_liked() -> None:
    weights = taught(2)
    hits, expected, spread = 0.0, 0.0, 0.0
    for seed in range(300):
        of = decided([drawn(seed, weights, CHANCE=2.0)[0]], [3])
        for start, count, chosen in zip(of.starts, of.of(COUNT).astype(int), of.of(CHOSEN).astype(int), strict=True):
            liked = of.rows[start + 1 : start + 1 + count, FEATURES + SAID].astype(float) / 2
            likely = np.exp(liked - liked.max())
            best = likely.argmax()
            share = (likely / likely.sum())[best]
            hits += chosen == best
            expected += share
            spread += share * (1 - share)
    assert spread > 50
    assert abs(hits - expected) < 3 * spread**0.5


def test_a_game_came_to_what_is_said() -> None:
    for seed in range(30):
        rows, states = drawn(seed, taught(3), FIRST=20.0, AHEAD=0.5, ENOUGH=6.0, SCORE=8.0)
        end = states[PLAYED]
        scores = [int(GAME.score(end, seat)) for seat in range(3)]
        places = [int(GAME.standing(end, seat)) for seat in range(3)]
        of = decided([rows], [3])
        for seat, result in zip(of.of(SEAT).astype(int), of.of(RESULT), strict=True):
            ahead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
            share = (places[seat] == 1) / places.count(1)
            assert result == pytest.approx(20 * share + 0.5 * ahead + 6 * min(1, scores[seat] / 8), abs=0.01)
    rows, states = drawn(1, taught(3), seats=1, FIRST=20.0, AHEAD=1.0, ENOUGH=6.0)
    assert decided([rows], [1]).of(RESULT)[0] == GAME.score(states[PLAYED], 0)


@pytest.mark.parametrize("who", ["GREEDY", "BY_OTHER"])
def test_of_others_nothing_is_written(who: str) -> None:
    of = decided([drawn(seed, **{who: 0b101})[0] for seed in range(10)], [3] * 10)
    assert set(of.of(SEAT)) == {1}


def test_of_a_long_game_the_decisions_are_written_for_which_there_is_room() -> None:
    whole, few = drawn(5)[0], drawn(5, room_for=20)[0]
    assert 0 < len(few) <= 20 < len(whole)
    assert np.array_equal(few, whole[: len(few)])


def test_what_was_gained_is_what_came_beyond_what_was_expected() -> None:
    """Said once more, a decision at a time, as the paper does: sums of what changes, each later one counting less."""
    of = decided([drawn(seed, seats=seats)[0] for seed, seats in ((1, 3), (2, 1), (3, 2))], [3, 1, 2])
    luck = np.random.default_rng(4)
    of.rows[of.starts, FEATURES + RESULT] = 10 * (of.games + 1) + of.of(SEAT)
    expected = luck.normal(size=len(of.starts))
    gained = advantages(of, expected)
    for game, seats in enumerate((3, 1, 2)):
        for seat in range(seats):
            line = [n for n in range(len(of.starts)) if of.games[n] == game and of.of(SEAT)[n] == seat]
            haste = 0.04 if seats > 1 else 0
            for place, number in enumerate(line):
                so_far = 0.0
                for later in range(place, len(line)):
                    after = expected[line[later + 1]] - haste if later + 1 < len(line) else 10 * (game + 1) + seat
                    so_far += 0.95 ** (later - place) * (after - expected[line[later]])
                assert gained[number] == pytest.approx(so_far, abs=1e-4)


def bandits(luck: np.random.Generator, count: int, chosen: int, result: float) -> Decisions:
    """Decisions between three moves, told apart by one feature; all take the same, which comes to so much."""
    games = []
    for _ in range(count):
        rows = np.zeros((4, WIDTH), np.float32)
        rows[:, 0] = 0.1
        rows[1:, 1] = (0, 1, -1)
        rows[0, FEATURES:] = 0, 0, 3, chosen, result + luck.normal()
        games.append(rows)
    return decided(games, [2] * count)


def test_what_came_to_more_becomes_likelier() -> None:
    luck = np.random.default_rng(7)
    policy = Policy(NET, luck)
    for _ in range(30):
        good, bad = bandits(luck, 500, 1, 5), bandits(luck, 500, 2, -5)
        both = Decisions(
            np.concatenate((good.rows, bad.rows)),
            np.concatenate((good.starts, bad.starts + len(good.rows))),
            np.concatenate((good.games, bad.games + 500)),
            np.concatenate((good.seats, bad.seats)),
            FEATURES,
        )
        error = policy.learn(both, 1.0, 1e-3, luck)
    liked = np.asarray(said(policy.learned, good.rows[1:4, :FEATURES], NET.hidden))
    assert liked[1] > liked[0] > liked[2]
    # one may expect no better than the mean of both
    assert 20 < error < 40


def test_one_round_makes_no_move_much_likelier() -> None:
    luck = np.random.default_rng(8)
    policy = Policy(NET, luck)
    game = bandits(luck, 40_000, 1, 5)
    moves = game.rows[1:4, :FEATURES]

    def likely() -> Any:
        liked = np.exp(np.asarray(said(policy.learned, moves, NET.hidden)))
        return liked / liked.sum()

    game.rows.reshape(-1, 4, WIDTH)[:, 1:, FEATURES + SAID] = np.log(before := likely())
    # some fifteen steps; what the first ones gave way to goes on for some (without a limit it is twice as likely)
    policy.learn(game, 1.0, 2e-2, luck)
    assert 1.2 < likely()[1] / before[1] < 1.7


def test_the_same_seed_learns_the_same_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    one = learned(2, 600)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert np.array_equal(one, learned(2, 600))
    assert not np.array_equal(one, learned(3, 600))


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    run = Training(GAME, 1500, 4)
    for _ in run.rounds():
        if run.done > 700:
            break
    assert run.done < 1500
    run.save(tmp_path / "run.npz")
    again = Training.resume(GAME, tmp_path / "run.npz")
    assert again.done == run.done
    assert np.array_equal(train(again, lambda point: None), learned(4, 1500))
    longer = Training.resume(GAME, tmp_path / "run.npz", 3000)
    assert np.isfinite(train(longer, lambda point: None)).all()
    assert longer.done == 3000
