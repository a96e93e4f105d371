"""The registry of games, options, and what a game hands out."""

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import toy

import thorp
from thorp import ContractError, GameError, Match
from thorp.core import registry
from thorp.core.checking import fact_faults
from thorp.core.contract import legal
from thorp.core.errors import OptionError


def test_installed_games_are_found() -> None:
    for id in thorp.game_ids():
        assert thorp.game(id).id == id


def test_an_unknown_game_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(GameError, match=r"there is no game 'go'; there are .*tiny-towns"):
        thorp.game("go")


def test_a_game_can_come_from_another_package(tmp_path: Path) -> None:
    """A package that announces a game by an entry point is found, without a word about it anywhere in Thorp."""
    (tmp_path / "pebbles_game.py").write_text("from toy import GAME\n")
    info = tmp_path / "pebbles_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[thorp.games]\n{toy.GAME.id} = pebbles_game:GAME\nmarbles = pebbles_game:GAME\n"
    )
    tests = str(Path(toy.__file__).parents[1])
    code = (
        f"import thorp; print(thorp.game_ids(), thorp.Match({toy.GAME.id!r}, 2, seed=1).waiting); thorp.game('marbles')"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), tests])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert repr(toy.GAME.id) in done.stdout
    assert done.stdout.strip().endswith("(0, 1)")
    # under another id its exported matches would not be found again
    assert f"The package announces 'marbles', and its game is {toy.GAME.id!r}: write the same id" in done.stderr


@pytest.fixture
def announcing(tmp_path: Path) -> dict[str, str]:
    """The environment of a process in which packages announce games that cannot be used."""
    (tmp_path / "failing_game.py").write_text("\nimport no_such_module_anywhere\n")
    info = tmp_path / "failing_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: failing-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[thorp.games]\nfailing = failing_game:GAME\nwithout = json:GAME\nunnamed = json\n"
    )
    return {**os.environ, "PYTHONPATH": str(tmp_path), "LANGUAGE": "en"}


_UNUSABLE = {
    "failing": "failing_game cannot be imported: ModuleNotFoundError: No module named 'no_such_module_anywhere' "
    "(failing_game.py, line 2)",
    "without": "json has no GAME: write GAME = Game.of(__name__, name=..., seats=...) in its __init__.py",
    "unnamed": 'the package announces unnamed = "json": write "json:GAME"',
}


@pytest.mark.parametrize("words", [["--help"], ["rules", "villagers"], ["cards", "check", os.devnull]])
def test_games_that_cannot_be_used_leave_the_others(words: list[str], announcing: dict[str, str]) -> None:
    command = [sys.executable, "-m", "thorp", *words]
    done = subprocess.run(command, env=announcing, capture_output=True, text=True, check=False)
    assert done.returncode == (1 if words[0] == "cards" else 0), done.stderr
    told = [line for line in done.stderr.splitlines() if not line.startswith(os.devnull)]
    assert told[:3] == [f"the game {id} cannot be used: {_UNUSABLE[id]}" for id in sorted(_UNUSABLE)]
    assert "Traceback" not in done.stderr


def test_a_game_that_cannot_be_used_says_why_once_where_it_is_named(announcing: dict[str, str]) -> None:
    command = [sys.executable, "-m", "thorp", "play", "failing"]
    done = subprocess.run(command, env=announcing, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"thorp: {_UNUSABLE['failing']}"
    assert done.stderr.count("failing_game cannot be imported") == 1


def test_of_a_game_that_cannot_be_used_a_line_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    point = EntryPoint("without", "json:GAME", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    monkeypatch.setattr(registry, "_said", set())
    for _ in range(2):
        assert [game.id for game in registry.usable(["without", "villagers"])] == ["villagers"]
    assert caplog.messages == [f"the game without cannot be used: {_UNUSABLE['without']}"]
    # both for who asks for broken games, and for who asks for those that are not there
    for kind in (ContractError, GameError):
        with pytest.raises(kind, match="json has no GAME"):
            thorp.game("without")


def test_options_have_defaults() -> None:
    assert toy.GAME.options_for(2) == {option.id: option.default for option in toy.GAME.options}


def test_an_option_may_be_the_text_of_a_file() -> None:
    match = Match(toy.GAME, 2, {"worth": " 7  8 9\n"}, seed=1)
    assert match.options["worth"] == "7 8 9"
    assert list(match.plain.worth) == [7, 8, 9]
    assert list(Match(toy.GAME, 2, seed=1).plain.worth) == [1, 2, 3]
    assert Match.load(match.export()).digest() == match.digest()
    assert toy.GAME.options[2].label_of("7 8 9") == "worth 7 8 9"
    assert toy.GAME.options[2].label_of("usual") == "as usual"


@pytest.mark.parametrize("text", ["", "1 2", "1 2 3 4", "1 2 x", "1 2 1000"])
def test_a_file_that_the_game_cannot_read_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="worth is 3 numbers"):
        toy.GAME.options_for(2, {"worth": text})


def test_what_is_no_text_is_no_file() -> None:
    with pytest.raises(OptionError, match="Worth of stones cannot be 3"):
        toy.GAME.options_for(2, {"worth": 3})  # type: ignore[dict-item]


def test_a_stand_in_is_not_a_rule() -> None:
    with pytest.raises(TypeError, match="stands for the rule of some game"):
        legal(None, 0, [])


def test_importing_thorp_needs_numpy_and_numba_only() -> None:
    code = (
        "import sys, thorp; thorp.Match('tiny-towns', 1, seed=1);"
        "heavy = {'starlette', 'sqlalchemy', 'jinja2', 'uvicorn'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("seats", "faults"), [(range(1, 3), 0), (range(2, 5), 1)])
def test_only_what_is_played_alone_is_foreseeable(seats: range, faults: int) -> None:
    facts = {"name": "Pebbles", "seats": seats, "options": (), "presets": {}, "foreseeable": True}
    found = list(fact_faults(facts, set(facts)))
    assert found == ["foreseeable is what a game played alone may be, and this one has no seats for that."][:faults]


_FACTS = {"name": "Pebbles", "seats": range(1, 3), "options": (), "presets": {}}


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ({"rules_version": "a"}, "rules_version is a whole number, 1 or more"),
        ({"rules_version": 0}, "rules_version is a whole number, 1 or more"),
        ({"rules_version": True}, "rules_version is a whole number, 1 or more"),
        ({"id": "../x"}, "The id of the game is '../x': write one of letters (a to z)"),
        ({"id": "-half"}, "The id of the game is '-half': write one of letters (a to z)"),
        ({"id": 5}, "The id of the game is 5: write one of letters (a to z)"),
        ({"id": "pebbles\n"}, "The id of the game is 'pebbles\\n': write one of letters (a to z)"),
        ({"least_score": 5, "most_score": 1}, "least_score is 5, and most_score is 1"),
        ({"least_score": "a"}, "least_score is a whole number of points, not 'a'"),
        ({"most_score": 1.5}, "most_score is a whole number of points, not 1.5"),
        ({"most_moves": -1}, "most_moves is a whole number, 1 or more, not -1"),
        ({"round_word": 5}, "round_word is a text"),
        ({"credit": None}, "credit is a text"),
        ({"hidden": None}, "hidden is True or False, not None."),
        ({"chance": 5}, "chance is True or False, not 5."),
        ({"simultaneous": "x"}, "simultaneous is True or False, not 'x'."),
        ({"foreseeable": 1}, "foreseeable is True or False, not 1."),
        ({"seats": range(1, 40)}, "Say for how many seats the game is, within 1 to 32"),
    ],
)
def test_a_fact_that_is_wrong_is_told(fact: dict[str, Any], said: str) -> None:
    facts = {**_FACTS, **fact}
    (found,) = fact_faults(facts, set(facts))
    assert found.startswith(said)


def test_facts_that_are_right_are_taken() -> None:
    bounds: dict[str, Any] = {"least_score": -5, "most_score": -5, "most_moves": 1}
    for more in ({}, bounds, dict.fromkeys(bounds), {"id": "Pebbles-2", "rules_version": 7, "hidden": False}):
        facts = {**_FACTS, **more}
        assert list(fact_faults(facts, set(facts))) == []
