"""`thorp cards check FILE`."""

import io
from pathlib import Path

import pytest

from thorp.cli import main
from thorp.core.registry import register
from thorp.games.tiny_towns import GAME

register(GAME)
TEXT = """name = "Mine"

[[card]]
name = "Mill"
type = "farm"
pattern = ["TT", ".W"]
points = 1
feeds = { groups = 1 }

[[card]]
name = "Vault"
type = "factory"
pattern = ["BGS"]
points = 3
does = "bars"

[[card]]
name = "Forge"
type = "factory"
pattern = ["BB"]
points = -1
count = "buildings"
of = ["well", "chapel"]
where = "lines"
"""


def test_a_sound_file_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cards.toml"
    file.write_text(TEXT, encoding="utf-8")
    assert main(["cards", "check", str(file)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.splitlines() == [
        "Mine: the file is sound.",
        "Farm: Mill (TT / .W). 1 point. Feeds 1 group of Cottages that are next to each other, anywhere in your town.",
        "Factory: Vault (BGS). 3 points. Holds a resource that you may no longer name. Not in solo play.",
        "Factory: Forge (BB). −1 point for each building in its row and column of: Well, Chapel.",
        "All printed cards of: Cottage, Well, Chapel, Tavern, Theater, Monument",
    ]


def test_every_fault_is_told_with_file_card_and_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(TEXT.replace("points = 3", "points = 33"), encoding="utf-8")
    assert main(["cards", "check", str(file)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        f"{file}: card 2 (Vault): points: must be a whole number from -9 to 9, not 33",
        "1 fault: the cards cannot be used.",
    ]


def test_several_faults_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(TEXT.replace("factory", "mill").replace("groups", "herds"), encoding="utf-8")
    assert main(["cards", "check", str(file)]) == 1
    err = capsys.readouterr().err.splitlines()
    assert all(line.startswith(f"{file}: card ") for line in err[:-1])
    assert err[-1] == f"{len(err) - 1} faults: the cards cannot be used."
    assert len(err) > 3


def test_faults_of_the_whole_file_are_told_without_a_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(TEXT.rpartition("[[card]]")[0], encoding="utf-8")
    assert main(["cards", "check", str(file)]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{file}: card: no card of the type factory takes part in solo play; one has to",
        "1 fault: the cards cannot be used.",
    ]


def test_a_file_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(b"\xff\xfe")
    assert main(["cards", "check", str(file)]) == 1
    assert f"{file}: the file is not UTF-8 text" in capsys.readouterr().err


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["cards", "check", "-"]) == 0
    assert "sound" in capsys.readouterr().out


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "check", str(tmp_path / "none.toml")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_the_command_asks_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["cards"])
