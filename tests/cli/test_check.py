"""`thorp check GAME`."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import connect_four
import pytest

from thorp import GameError
from thorp.checks import Check, NotCheckedWarning, faults, going_back, guides, playing, reasons, showing
from thorp.cli import main
from thorp.core.registry import _registry

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


@pytest.mark.parametrize(
    ("package", "files", "said"),
    [
        ("empty_thing", {}, "empty_thing has no GAME: write GAME = Game.of(__name__, name=..., seats=...)"),
        ("json", None, "json has no GAME: write GAME = Game.of("),
        (
            "number_thing",
            {"__init__.py": "GAME = 5\n"},
            "GAME of number_thing is 5, and no game: write GAME = Game.of(",
        ),
        (
            "slip_thing",
            {"__init__.py": "from slip_thing import rules\n", "rules.py": "\ndef deal(:\n"},
            "slip_thing cannot be imported: SyntaxError: invalid syntax (rules.py, line 2)",
        ),
        (
            "failing_thing",
            {"__init__.py": "from failing_thing import rules\n", "rules.py": "\nSIZE = 1 // 0\n"},
            "failing_thing cannot be imported: ZeroDivisionError: integer division or modulo by zero "
            "(failing_thing/rules.py, line 2)",
        ),
        (
            "around_thing.inside",
            {"../__init__.py": "import no_such_module_anywhere\n", "__init__.py": ""},
            "around_thing.inside cannot be imported: ModuleNotFoundError: No module named 'no_such_module_anywhere'",
        ),
    ],
)
def test_a_package_that_is_not_finished_is_told_what_is_missing(
    package: str,
    files: dict[str, str] | None,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    if files is not None:
        folder = tmp_path / package.replace(".", "/")
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text)
    assert main(["check", package, "--games", "2"]) == 1
    err = capsys.readouterr().err
    assert err.startswith(said)
    assert err.count("\n") == 1


def test_rules_that_do_not_compile_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def prepare(tell: object) -> float:
        raise TypeError("no such type in rules.py")

    game = replace(connect_four.GAME)
    object.__setattr__(game, "prepare", prepare)
    monkeypatch.setitem(_registry, game.id, game)
    assert main(["check", game.id]) == 1
    assert capsys.readouterr().err == "The rules of Connect Four cannot be compiled: no such type in rules.py\n"


@pytest.mark.parametrize("games", ["0", "-1", "2.5", "many"])
def test_no_games_are_refused(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["check", "villagers", f"--games={games}"])
    assert refused.value.code == 2
    assert f"argument --games: {games!r} is not a number from 1 on" in capsys.readouterr().err


@pytest.mark.parametrize("games", [0, -1, True, None])
def test_checks_that_play_no_game_are_refused(games: Any) -> None:
    with pytest.raises(GameError, match=f"the number of games is 1 or more, not {games}"):
        faults(connect_four.GAME, games=games)


_OF_THE_TABLE = (
    showing.the_table_shows_what_is_offered,
    showing.regions_are_made_of_what_they_name,
    reasons.what_cannot_be_chosen_says_why,
    guides.the_guide_leads_to_its_end,
)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (None, "has no table.html: write the template of the table"),
        ("<p>\n{{ colour }}</p>", "UndefinedError: 'colour' is undefined (connect_four/table.html, line 2) (random"),
        (
            "<p>\n\n{% if %}</p>",
            "got 'end of statement block' (connect_four/table.html, line 3) (random",
        ),
    ],
)
def test_a_broken_table_is_a_fault_and_the_other_checks_go_on(
    table: str | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "connect_four"
    shutil.copytree(connect_four.GAME.folder, folder)
    (folder / "table.html").unlink()
    if table is not None:
        (folder / "table.html").write_text(table)
    game = replace(connect_four.GAME, folder=folder)
    monkeypatch.setitem(_registry, game.id, game)
    found: dict[Check, list[str]] = {}
    checks = (*_OF_THE_TABLE, showing.moves_can_be_told_apart)
    everything = faults(game, 2, checks, found.__setitem__)
    assert tuple(found) == checks
    assert everything == [fault for each in found.values() for fault in each]
    assert said in found[showing.the_table_shows_what_is_offered][0]
    # those that render it too say the same, but where that it is missing is said once
    assert all(found[check] for check in _OF_THE_TABLE if table is not None)
    assert found[showing.moves_can_be_told_apart] == []


@pytest.fixture
def without_the_web(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "thorp.checks.pages", None)


@pytest.mark.usefixtures("without_the_web")
def test_a_check_that_cannot_be_made_here_is_no_yes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = (*_OF_THE_TABLE[:3], showing.moves_can_be_told_apart)
    monkeypatch.setattr("thorp.cli.check.CHECKS", checks)
    monkeypatch.setitem(_registry, connect_four.GAME.id, connect_four.GAME)
    assert main(["check", connect_four.GAME.id, "--games", "2"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert [line[:5] for line in lines] == ["--   ", "--   ", "--   ", "yes  "]
    assert all(line.endswith("(not looked at: needs the extra thorp[web])") for line in lines[:3])
    assert last == "Connect Four keeps the contract, as far as was looked: 3 of 4 checks were not made."
    # and whoever asks in a program is warned
    with pytest.warns(NotCheckedWarning, match=r"what_is_offered was not looked at: it needs the extra thorp\[web"):
        assert faults(connect_four.GAME, 2, checks[:1]) == []


@pytest.mark.usefixtures("without_the_web")
def test_what_needs_no_extra_is_found_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(connect_four.GAME, folder=tmp_path)
    monkeypatch.setitem(_registry, game.id, game)
    (fault,) = faults(game, 2, (showing.the_table_shows_what_is_offered,))
    assert "has no table.html" in fault


def test_a_check_that_a_game_makes_fail_is_told_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(connect_four.GAME, rules_version="a")  # type: ignore[arg-type]
    monkeypatch.setitem(_registry, game.id, game)
    found: dict[Check, list[str]] = {}
    checks = (playing.exports_load, going_back.who_goes_back_sees_what_was_seen, playing.games_end)
    faults(game, 2, checks, found.__setitem__)
    assert tuple(found) == checks
    assert all("rules_version must be of type int" in found[check][0] for check in checks[:2])
    assert found[playing.games_end] == []


_BROKEN = """
from thorp import Game
GAME = Game.of(__name__, seats=range(1, 40), colour="red", looks=0, overlooks={"strong": 101}, chance=5)
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
        "half.face has no function view: write view(state, reader), or import it there.",
        "half.face has no function text: write text(state, reader), or import it there.",
        'Say what people call the game: Game.of(__name__, name="...").',
        "Say for how many seats the game is, within 1 to 32",
        "chance is True or False, not 5.",
        "Game.of takes no colour.",
        "looks is how often a level looks at its moves: a number above 0.",
        'overlooks is how many of 100 moves levels overlook, by their names: such as {"skilled": 30}.',
    ):
        assert done.stderr.count(said) == 1, said


def test_a_game_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "chess"]) == 1
    assert "there is no game 'chess'" in capsys.readouterr().err
