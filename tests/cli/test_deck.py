"""`thorp deck check FILE`."""

import io
from pathlib import Path

import pytest
from games.valeria.place import DECK_FILE

from thorp.cli import main
from thorp.core.registry import register
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.known import FILES, FIRST

register(GAME)
TEXT = DECK_FILE.read_text(encoding="utf-8")


def test_a_sound_deck_is_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "check", str(FILES[FIRST])]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    lines = captured.out.splitlines()
    assert lines[:2] == ["Thorp deck: the deck is sound.", "42 buildings on 84 cards, 16 adventurers"]
    assert "Types: worker 11, soldier 11, shadow 10, holy 10" in lines
    assert "Resources given: food 21, wood 21, stone 21, magic 21" in lines
    assert next(line for line in lines if line.startswith("Costs: 1 "))
    assert next(line for line in lines if line.startswith("Powers: harvest "))


def test_every_fault_is_told_with_file_card_and_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(TEXT.replace('"Bakery"', '"Farm"').replace("points = 5", "points = 55"), encoding="utf-8")
    assert main(["deck", "check", str(file)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        f"{file}: adventurer 5 (Champion): points: must be a whole number from 0 to 9, not 55",
        "1 fault: the deck cannot be used.",
    ]


def test_several_faults_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(TEXT.replace("holy", "wholly").encode())
    assert main(["deck", "check", str(file)]) == 1
    err = capsys.readouterr().err.splitlines()
    assert all(line.startswith(f"{file}: ") for line in err[:-1])
    assert err[-1] == f"{len(err) - 1} faults: the deck cannot be used."
    assert len(err) > 10


def test_a_file_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(b"\xff\xfe")
    assert main(["deck", "check", str(file)]) == 1
    assert f"{file}: the file is not UTF-8 text" in capsys.readouterr().err


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["deck", "check", "-"]) == 0
    assert "sound" in capsys.readouterr().out


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "check", str(tmp_path / "none.toml")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_the_command_asks_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["deck"])
