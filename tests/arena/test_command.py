"""`thorp arena balance` on the command line."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.lots import GAME as LOTS
from thorp import players
from thorp.arena import many
from thorp.arena.figures import Estimate, figures_of
from thorp.arena.lineups import Lineup
from thorp.arena.work import get_ready
from thorp.cli import contest, main
from thorp.cli.arena import _summary
from thorp.core import registry


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(registry._registry, LOTS.id, LOTS)
    monkeypatch.chdir(tmp_path)


def test_a_report_lands_in_its_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["arena", "balance", "lots", "--games", "300"]) == 0
    out, err = capsys.readouterr()
    assert "First place: " in out
    assert "Cards: 1 of 2 move their owner's share of wins by more than 8 points: Gift +" in out
    assert out.endswith("balance-lots-4/report.html\n".replace("/", "\\" if sys.platform == "win32" else "/"))
    assert "Played 300 of 300 games" in err
    about = json.loads((tmp_path / "balance-lots-4" / "figures.json").read_text())["about"]
    assert (about["games"], about["seats"], about["seed"], about["level"]) == (300, 4, 1, "greedy")


def test_how_much_a_card_may_move_is_what_was_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["arena", "balance", "lots", "--games", "300", "--card-limit", "99.5"]) == 0
    assert "Cards: 0 of 2 move their owner's share of wins by more than 99.5 points.\n" in capsys.readouterr().out
    assert json.loads((tmp_path / "balance-lots-4" / "figures.json").read_text())["limits"]["card"] == 0.995
    page = (tmp_path / "balance-lots-4" / "report.html").read_text()
    assert "Within 99.5 points." in page
    assert "the band is 99.5 points to each side" in page


def test_how_many_cards_truly_are_beyond_is_said() -> None:
    found = figures_of(many.play_many(LOTS, 2, games=60))
    cards = [replace(found.cards[0], plain=Estimate(0.03 * nth, 0.03), even_error=0.03) for nth in range(6)]
    assert not any("Truly" in line for line in _summary(found)), "so few cards do not tell it"
    (line,) = [line for line in _summary(replace(found, cards=tuple(cards))) if "Truly" in line]
    assert line == "Truly about 3 (1 to 4) do, as far as these games tell; chance alone would put 0 there."


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (-0.007, 0.025, "-0.7 ± 4.9 points, not known yet whether within 3."),
        (0.01, 0.005, "+1.0 ± 1.0 points, within 3."),
        (-0.08, 0.02, "-8.0 ± 3.9 points, beyond 3."),
    ],
)
def test_a_place_is_said_to_be_within_its_limit_where_its_interval_is(value: float, error: float, said: str) -> None:
    found = figures_of(many.play_many(LOTS, 2, games=60))
    assert found.turns
    first = replace(found.turns[0], share=Estimate(0.5 + value, error))
    assert _summary(replace(found, turns=(first, *found.turns[1:])))[0] == f"First place: {said}"


def test_it_plays_as_it_is_told(tmp_path: Path) -> None:
    arguments = ["--games", "40", "--seats", "2", "--seed", "9", "--level", "random", "--threads", "1", "--out", "a/b"]
    assert main(["arena", "balance", "lots", *arguments]) == 0
    about = json.loads((tmp_path / "a" / "b" / "figures.json").read_text())["about"]
    assert (about["games"], about["seats"], about["seed"], about["level"]) == (40, 2, 9, "random")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "there is no game 'chess'"),
        (["lots", "--games", "0"], "the number of games is 1 or more, not 0"),
        (["lots", "--seats", "9"], "1 to 4 seats"),
        (["lots", "--seats", "1"], "play with 2 or more"),
        (["lots", "--seed", "-1"], "a seed is an integer"),
        (["lots", "--card-limit", "0"], "by more than 0 and less than 100 points, not 0"),
        (["lots", "--card-limit", "nan"], "by more than 0 and less than 100 points, not nan"),
        (["lots", "--threads", "0"], "the number of threads is 1 or more"),
        (["lots", "--level", "oracle"], "there is no player 'oracle'"),
        (["lots", "--option", "speed"], "NAME=VALUE"),
        (["lots", "--option", "speed=fast"], "no option 'speed'"),
        (["lots", "--out", "taken"], "taken is not a folder; name another one with --out"),
        (["lots", "--out", "taken/in"], "cannot be made"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_arguments_are_said_and_leave_nothing(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert main(["arena", "balance", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_an_interruption_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(many, "as_completed", interrupted)
    assert main(["arena", "balance", "lots"]) == 130
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert main(["arena", "balance", "lots", "--games", "3"]) == 1
    assert "the report cannot be written to balance-lots-4: No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "thorp.arena.report", raising=False)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["arena", "balance", "lots"]) == 1
    assert "reports need the extra arena; in a checkout: .venv/bin/pip install -e '.[arena]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_two_contests_do_not_play_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fcntl = pytest.importorskip("fcntl")
    command = ["arena", "play", LOTS.id, "--seats", "2", "--player", "greedy", "--player", "random", "--deals", "2"]
    (tmp_path / "here").mkdir()
    with (tmp_path / "here" / contest.LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main([*command, "--out", "here"]) == 1
        assert "another thorp arena play is at work in here" in capsys.readouterr().err
        assert main([*command, "--out", "there"]) == 0
    assert main([*command, "--out", "here"]) == 0
    # who is refused leaves nothing, where there was nothing
    assert main([*command, "--player", "none=/nowhere", "--out", "new"]) == 1
    assert not (tmp_path / "new").exists()


def test_what_has_to_be_compiled_is_no_time_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of players that think, and of those that answer at once beside one that does: who plays by moves."""
    ready: list[str] = []
    monkeypatch.setattr(players, "get_player_ready", lambda name, game: ready.append(name))
    get_ready(LOTS, [Lineup(("greedy", "random"))])
    assert ready == []
    get_ready(LOTS, [Lineup(("greedy", "friendly")), Lineup(("greedy", "mine"))])
    assert ready == ["friendly", "greedy"]


def test_of_one_game_it_is_said_that_it_tells_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "balance", "lots", "--games", "1"]) == 0
    said, page = capsys.readouterr().out.splitlines()
    assert said == "Too few games to say."
    assert page.endswith("report.html")
