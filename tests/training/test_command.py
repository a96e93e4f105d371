"""`thorp train GAME` for a game with a net."""

import csv
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest

from thorp.cli import main
from thorp.cli import train as command
from thorp.core import registry
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.weights import read_weights
from thorp.training import Training, playing, train

from .pebbles import GAME, NET

CHOSEN = replace(GAME, id="pebbles-chosen", net=replace(NET, chooses=True))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(registry._registry, GAME.id, GAME)


def test_it_writes_the_run_its_curve_and_the_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", GAME.id, "--games", "200", "--seed", "3", "--out", "there"]) == 0
    with (tmp_path / "there" / f"{GAME.id}.curve.csv").open(newline="", encoding="utf-8") as file:
        assert [row["games"] for row in csv.DictReader(file)] == ["200"]
    learned = np.array(train(Training(GAME, 200, 3), lambda point: None))
    assert np.array_equal(read_weights(GAME, tmp_path / "there" / f"{GAME.id}.weights")[0], learned)
    assert "200 games" in capsys.readouterr().out
    # the same command with more games goes on
    assert main(["train", GAME.id, "--games", "300", "--out", "there"]) == 0
    assert "Going on after 200 of 300 games" in capsys.readouterr().out
    # and one that has come to its end writes again what was taken away
    (tmp_path / "there" / f"{GAME.id}.weights").unlink()
    assert main(["train", GAME.id, "--out", "there"]) == 0
    assert read_weights(GAME, tmp_path / "there" / f"{GAME.id}.weights")[1]["games"] == 300


def test_where_what_was_learned_cannot_be_written_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """While it learns, and where it has come to its end."""
    (part := tmp_path / f".{GAME.id}.run.npz.part").mkdir()
    command = ["train", GAME.id, "--games", "10", "--out", str(tmp_path)]
    said = f"what was learned cannot be written to {tmp_path}"
    assert main(command) == 1
    assert said in capsys.readouterr().err
    part.rmdir()
    assert main(command) == 0
    part.mkdir()
    assert main(command) == 1
    assert said in capsys.readouterr().err


def test_the_same_is_learned_on_as_many_threads_as_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int | None] = []

    def pool(threads: int | None) -> ThreadPoolExecutor:
        asked.append(threads)
        return ThreadPoolExecutor(threads)

    monkeypatch.setattr(playing, "ThreadPoolExecutor", pool)
    for threads in ("1", "2"):
        assert main(["train", GAME.id, "--games", "200", "--threads", threads, "--out", threads]) == 0
    assert asked == [1, 2]
    one, two = (tmp_path / threads / f"{GAME.id}.weights" for threads in ("1", "2"))
    assert one.read_bytes() == two.read_bytes()
    # and by a run that is taken up
    assert main(["train", GAME.id, "--threads", "2", "--out", "1"]) == 0
    assert asked[2:] == [2]


@pytest.mark.parametrize(
    ("game", "said"),
    [(GAME, "gpu.\n"), (CHOSEN, "cpu. There is a gpu, but to send it what was read of every move takes longer")],
    ids=lambda value: getattr(value, "id", ""),
)
def test_why_a_gpu_is_not_used_is_said(
    game: AnyGame, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(registry._registry, game.id, game)
    assert main(["train", game.id, "--games", "1", "--out", "without"]) == 0
    assert "Steps of learning are taken on: cpu.\n" in capsys.readouterr().out
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert main(["train", game.id, "--games", "1", "--out", "with"]) == 0
    assert f"Steps of learning are taken on: {said}" in capsys.readouterr().out


def test_what_cannot_be_asked_of_a_run_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", GAME.id, "--games", "1", "--seed", "3", "--out", "there"]) == 0
    for asked, said in (
        (["--seed", "1"], "is a run of seed 3"),
        (["--games", "0"], "1 to 1000000000 games, not 0"),
        (["--games", "9" * 30], "1 to 1000000000 games, not 999"),
        (["--threads", "0"], "the number of threads is 1 or more, not 0"),
        (["--games", "0", "--out", "elsewhere"], "1 to 1000000000 games"),
        (["--seed", "-1", "--out", "elsewhere"], "a seed of learning is an integer from 0"),
    ):
        assert main(["train", GAME.id, "--out", "there", *asked]) == 1
        assert said in capsys.readouterr().err
    assert main(["train", GAME.id, "--games", "3", "--seed", "3", "--out", "there"]) == 0
    assert main(["train", GAME.id, "--games", "2", "--out", "there"]) == 1
    assert "has learned from 3 games already" in capsys.readouterr().err


def test_a_new_run_writes_over_nothing_that_was_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", GAME.id, "--games", "10", "--out", str(tmp_path)]
    kept, weights = tmp_path / f"{GAME.id}.run.npz", tmp_path / f"{GAME.id}.weights"
    assert main(command) == 0
    learned = weights.read_bytes()
    capsys.readouterr()
    # a damaged run says how to go on
    kept.write_bytes(kept.read_bytes()[:200])
    assert main(command) == 1
    said = f"begin another: name another folder by --out, or take {kept} and {weights} away"
    assert said in capsys.readouterr().err
    kept.unlink()
    assert main(command) == 1
    said = f"{weights} has what was learned from 10 games, and its run is not beside it: a new one would write over it"
    assert said in capsys.readouterr().err
    assert weights.read_bytes() == learned
    weights.rename(tmp_path / "before.weights")
    assert main(command) == 0
    # what is of no use any more is written over
    kept.unlink()
    weights.write_bytes(b"damaged")
    assert main(command) == 0
    assert weights.read_bytes() == learned


def test_two_do_not_learn_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fcntl = pytest.importorskip("fcntl")
    command = ["train", GAME.id, "--games", "10", "--out"]
    with (tmp_path / f".{GAME.id}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main([*command, str(tmp_path)]) == 1
        said = f"another thorp train of {GAME.name} is at work in {tmp_path}: name another folder by --out"
        assert said in capsys.readouterr().err
        assert main([*command, str(tmp_path / "another")]) == 0
    # the lock goes with who has it
    assert main([*command, str(tmp_path)]) == 0


def test_while_it_learns_it_keeps_others_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it has made the folder."""
    found: list[str] = []

    def kept_out(run: Training) -> str:
        with pytest.raises(GameError) as refused, command._alone(run.game, tmp_path / "new"):
            pytest.fail("two at once")
        found.append(str(refused.value))
        return "cpu"

    pytest.importorskip("fcntl")
    monkeypatch.setattr(Training, "device", property(kept_out))
    for games in ("10", "20"):
        assert main(["train", GAME.id, "--games", games, "--out", "new"]) == 0
    assert len(found) == 2


def test_who_is_refused_makes_no_folder(tmp_path: Path) -> None:
    assert main(["train", GAME.id, "--games", "0", "--out", "there"]) == 1
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in [name for name in sys.modules if name.startswith("thorp.training")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jax", None)
    assert main(["train", GAME.id]) == 1
    assert "the extra training; in a checkout: .venv/bin/pip install -e '.[training]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
