"""The registry of games, options, and what a game hands out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import toy

import thorp
from thorp import GameError, Match
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
