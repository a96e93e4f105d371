"""`thorp check GAME`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from thorp.cli import main

TESTS = Path(__file__).parents[1]


def test_a_game_of_somebody_else_is_checked_where_it_lies() -> None:
    command = [sys.executable, "-m", "thorp", "check", "connect_four", "--games", "20"]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "Connect Four keeps the contract."
    assert all(line.startswith("yes  ") for line in lines[:-1])
    assert len(lines) > 12


def test_a_game_within_a_package_is_checked_by_its_dotted_name(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "__init__.py").touch()
    shutil.copytree(TESTS / "connect_four", tmp_path / "house" / "connect_four")
    for module in (tmp_path / "house").rglob("*.py"):
        module.write_text(module.read_text().replace("from connect_four", "from house.connect_four"))

    command = [sys.executable, "-m", "thorp", "check", "house.connect_four", "--games", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["nowhere.connect_four", "connect_four.nothing", "connect_four..rules"])
def test_a_name_that_leads_to_no_game_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", name, "--games", "2"]) == 1
    assert f"there is no game {name!r}" in capsys.readouterr().err


_BROKEN = """
from thorp import Game
GAME = Game.of(__name__, seats=2, colour="red", looks=0, looks_thinking=-1, careful_from=-1)
"""
_RULES = """
from thorp.compiling.record import Int8, Record
from thorp.compiling.rule import MoveList, rule

class State(Record):
    turn: Int8

@rule
def legal(state: State, seat: int) -> int:
    return 0

def play(state: State, seat: int, move: int) -> None:
    pass
"""


def test_a_game_that_is_none_yet_is_told_what_to_write(tmp_path: Path) -> None:
    package = tmp_path / "half"
    package.mkdir()
    (package / "__init__.py").write_text(_BROKEN)
    (package / "rules.py").write_text(_RULES)
    command = [sys.executable, "-m", "thorp", "check", "half"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    for said in (
        "half.rules has no rule deal: write deal(state: State, seats: int, options: OptionList, seed: int) -> None, or",
        "In half.rules, legal(state: State, seat: int) -> int has to be "
        "legal(state: State, seat: int, moves: MoveList) -> int.",
        "half.rules.play is no rule: write @rule above it.",
        "half.rules has no MOVES",
        "State has no barrier: write barrier: Int32.",
        "State has no chance: write chance:",
        "half.face has no function view",
        'Say what people call the game: Game.of(__name__, name="...").',
        "Say for how many seats the game is",
        "Game.of takes no colour.",
        "looks is how often a level looks at its moves: a number above 0.",
        "looks_thinking is how often a level that thinks looks at its moves: a number above 0, or 0: as looks.",
        "careful_from is a number of seats, or 0.",
    ):
        assert said in done.stderr, said


def test_a_game_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "chess"]) == 1
    assert "there is no game 'chess'" in capsys.readouterr().err
