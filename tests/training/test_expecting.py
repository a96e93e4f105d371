"""Learning what games come to that are played by a net which has learned to choose."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import thorp
from thorp.cli import main
from thorp.compiling.mode import COMPILED
from thorp.core import registry
from thorp.core.weights import WeightsError, file_of, read_weights, room, write_weights
from thorp.players.fields import put_at
from thorp.players.playouts import EXPECTED_FIRST
from thorp.training import Training, train

from .pebbles import GAME as OF_ENDS
from .pebbles import NET as NET_OF_ENDS

NET = replace(NET_OF_ENDS, chooses=True, lookahead=2)
GAME = replace(OF_ENDS, id="pebbles-expected", net=NET)
GAMES = 4000 if COMPILED else 300
#: Likes pebbles, and nothing else.
LIKES = np.zeros(NET.learned, np.float32)
LIKES[0] = 10
LIKES[NET.learned - NET.hidden - 1] = 1


def expects(seed: int, games: int = GAMES) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    return np.array(train(Training(GAME, games, seed, LIKES), lambda point: None))


def test_what_it_expects_is_what_games_come_to() -> None:
    """Between two who play alike the first place is worth half of what searches count for it; more to who has more."""
    two = replace(GAME, seats=range(2, 3))
    row = room(two, np.array(train(Training(two, GAMES, 1, LIKES), lambda point: None)))
    match = thorp.Match(two, 2, seed=5)
    assert float(two.value(match.state, 0, row)) == pytest.approx(0.5 * EXPECTED_FIRST, abs=0.1 * EXPECTED_FIRST)
    state = match.game.plain(match.state)
    while state.round < state.rounds:
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
        state = match.game.plain(match.state)
    found = []
    for points in (0, 3, 6):
        put_at(match.state, "points", 0, points)
        found.append(float(two.value(match.state, 0, row)))
    # in the last round, of three: a point counts at least for itself
    assert found[0] + 3 < found[1] < found[2] - 3, found
    assert found[0] < 0.4 * EXPECTED_FIRST


def test_a_run_goes_on_where_it_was_stopped_and_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    run = Training(GAME, 300, 4, LIKES)
    for _ in run.rounds():
        break
    assert 0 < run.done < 300
    run.save(tmp_path / "run.npz")
    again = Training.resume(GAME, tmp_path / "run.npz")
    assert np.array_equal(again.plays, LIKES)
    assert np.array_equal(train(again, lambda point: None), expects(4, 300))
    assert not np.array_equal(expects(4, 300), expects(5, 300))


def test_the_command_puts_it_behind_what_has_learned_to_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(registry._registry, GAME.id, GAME)
    there = tmp_path / f"{GAME.id}.weights"
    write_weights(there, GAME, LIKES, {"seed": 7, "games": 9})
    assert main(["train", GAME.id, "--expect", "--games", "150", "--seed", "2", "--out", str(tmp_path)]) == 0
    learned, told = read_weights(GAME, there)
    assert np.array_equal(learned[: NET.learned], LIKES)
    assert np.array_equal(NET.expects(learned), expects(2, 150))
    assert (told["seed"], told["games"], told["expects"]) == (7, 9, {"seed": 2, "games": 150})
    assert {path.name for path in tmp_path.glob("*.csv")} == {f"{GAME.id}.expects.curve.csv"}
    # it goes on with what it was begun with, and one that learns to choose anew has none
    assert main(["train", GAME.id, "--expect", "--games", "200", "--out", str(tmp_path)]) == 0
    assert "Going on after 150 of 200 games" in capsys.readouterr().out
    # a run that begins anew would write over it
    run = tmp_path / f"{GAME.id}.expects.run.npz"
    run.rename(tmp_path / "run")
    assert main(["train", GAME.id, "--expect", "--games", "10", "--out", str(tmp_path)]) == 1
    assert f"{there} has what was learned to expect from 200 games, and its run is not" in capsys.readouterr().err
    (tmp_path / "run").rename(run)
    # of another player it would say what this one comes to, and put this one in its place
    kept = there.read_bytes()
    write_weights(there, GAME, LIKES + 1, {"seed": 7, "games": 90})
    other = there.read_bytes()
    assert main(["train", GAME.id, "--expect", "--games", "200", "--out", str(tmp_path)]) == 1
    assert "is about another player than that of" in capsys.readouterr().err
    assert there.read_bytes() == other
    there.write_bytes(kept)
    assert main(["train", GAME.id, "--games", "10", "--out", str(tmp_path)]) == 0
    assert NET.expects(read_weights(GAME, there)[0]) is None
    assert f"What was learned to expect is dropped from {there}" in capsys.readouterr().out


def test_who_has_learned_to_choose_keeps_what_was_learned_to_expect_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command of a run that has come to its end changes nothing; one that goes on learns to play otherwise."""
    monkeypatch.setitem(registry._registry, GAME.id, GAME)
    there = tmp_path / f"{GAME.id}.weights"
    command = ["train", GAME.id, "--out", str(tmp_path)]
    assert main([*command, "--games", "300"]) == 0
    chooses, _ = read_weights(GAME, there)
    assert main([*command, "--expect", "--games", "70"]) == 0
    capsys.readouterr()
    assert main([*command, "--games", "300"]) == 0
    learned, told = read_weights(GAME, there)
    assert np.array_equal(learned[: NET.learned], chooses)
    assert NET.expects(learned) is not None
    assert (told["games"], told["expects"]) == (300, {"seed": 1, "games": 70})
    assert "dropped" not in capsys.readouterr().out
    assert main([*command, "--games", "600"]) == 0
    assert NET.expects(read_weights(GAME, there)[0]) is None
    assert f"What was learned to expect is dropped from {there}" in capsys.readouterr().out


def test_who_asks_no_net_learns_nothing_to_expect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(WeightsError, match="asks no net what games come to"):
        Training(replace(GAME, net=replace(NET, lookahead=0)), 10, 1, LIKES)
    for game in ("villagers", "tiny-towns"):
        assert main(["train", game, "--expect", "--out", str(tmp_path)]) == 1
        assert "asks no net what games come to" in capsys.readouterr().err


def test_weights_of_a_net_that_only_chooses_can_be_used(tmp_path: Path) -> None:
    write_weights(tmp_path / "one", GAME, LIKES, {})
    assert NET.expects(read_weights(GAME, tmp_path / "one")[0]) is None
    write_weights(tmp_path / "three", GAME, np.tile(LIKES, 3), {})
    with pytest.raises(WeightsError, match="damaged"):
        read_weights(GAME, tmp_path / "three")


def test_what_is_expected_of_valeria_comes_with_it() -> None:
    game = thorp.game("valeria")
    learned, told = read_weights(game)
    assert game.net.expects(learned) is not None
    assert told["expects"]["games"] > 0
    assert file_of(game).stat().st_size < 100_000
