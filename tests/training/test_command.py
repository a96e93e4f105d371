"""`thorp train GAME` for a game with a net."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

from thorp.cli import main
from thorp.core import registry
from thorp.core.weights import read_weights
from thorp.training import Training, train

from .pebbles import GAME


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


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in [name for name in sys.modules if name.startswith("thorp.training")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jax", None)
    assert main(["train", GAME.id]) == 1
    assert "pip install 'thorp[training]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
