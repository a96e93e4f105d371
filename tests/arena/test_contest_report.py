"""The report of a contest, and the commands that play and write it."""

import json
import re
import sys
from math import inf
from pathlib import Path
from typing import Any

import pytest
from arro3.io import read_parquet
from connect_four import GAME as CONNECT_FOUR
from toy import GAME as PEBBLES

import thorp
from arena.lots import GAME as LOTS
from arena.test_report import Balanced
from thorp.arena.contest_report import rating_scale, seconds, strength
from thorp.arena.figures import Estimate
from thorp.arena.lineups import Lineup
from thorp.arena.results import Deal, Results
from thorp.arena.strength import points_of
from thorp.arena.tables import Outcome
from thorp.cli import main
from thorp.cli.arena import Progress
from thorp.core import registry

PLAYERS = Path(__file__).parent / "players"
DOCS = (Path(__file__).parents[2] / "docs" / "arena.md").read_text("utf-8")
#: What a contest was, as results begin with it.
ABOUT = {"game": "lots", "rules": 1, "thorp": "1", "seats": 2, "options": {}, "seed": 1}
TWO = ["--player", "random", "--player", "greedy", "--workers", "1"]


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for game in (LOTS, PEBBLES, CONNECT_FOUR):
        monkeypatch.setitem(registry._registry, game.id, game)
    monkeypatch.chdir(tmp_path)


def read(folder: Path) -> Balanced:
    page = Balanced()
    page.feed((folder / "contest.html").read_text("utf-8"))
    assert page.open == []
    return page


def test_a_contest_is_played_and_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["arena", "play", "connect-four", *TWO, "--deals", "40", "--mirror", "--test", "0", "100"]) == 0
    out, err = capsys.readouterr()
    folder = tmp_path / "arena-connect-four-2"
    assert "random, greedy: not stronger after " in out
    assert out.endswith(f"{Path('arena-connect-four-2') / 'contest.html'}\n")
    assert "of 120 deals" in err
    page = read(folder)
    assert not [
        address for address in page.addresses if address not in ("games.parquet", "contest.json", "results.jsonl")
    ]
    figures = json.loads((folder / "contest.json").read_text())
    best, worst = figures["players"]
    assert (best["name"], worst["name"]) == ("greedy", "random")
    assert worst["rating"]["value"] == 0
    assert best["rating"]["value"] > 100
    met = {(each["one"], each["other"]): each for each in figures["meetings"]}
    assert met["random", "greedy"]["share"]["value"] == pytest.approx(1 - met["greedy", "random"]["share"]["value"])
    assert met["random", "greedy"]["stronger"] is False

    table = read_parquet(folder / "games.parquet").read_all()
    assert table.num_rows == 2 * figures["games"]
    told = table.schema.metadata_str
    assert (told["game"], told["rules"], told["seats"], told["seed"]) == ("connect-four", "1", "2", "1")
    assert (told["thorp"], json.loads(told["options"])) == (thorp.__version__, figures["about"]["options"])
    described = re.findall(
        r"^\| `(\w+)` \|", DOCS.partition("A row of `games.parquet`")[2].partition("##")[0], re.MULTILINE
    )
    assert described == table.column_names
    for name, numbers in (("game", {0, 1}), ("seat", {0, 1}), ("place", {0, 1}), ("standing", {1, 2})):
        assert set(table.column(name).to_pylist()) == numbers, name
    assert sum(table.column("share").to_pylist()) == pytest.approx(figures["games"])
    wins = [
        (name, share)
        for name, share, lineup in zip(*(table.column(name).to_pylist() for name in ("player", "share", "lineup")))
        if lineup == "random | greedy" and name == "greedy"
    ]
    assert sum(share for _, share in wins) / len(wins) == pytest.approx(met["greedy", "random"]["share"]["value"])

    before = (folder / "contest.html").read_bytes()
    assert main(["arena", "report", "arena-connect-four-2", "--test", "0", "100"]) == 0
    assert (folder / "contest.html").read_bytes() == before


def test_alone_the_same_deals_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "play", "pebbles", *TWO, "--seats", "1", "--deals", "35", "--out", "solo"]) == 0
    figures = json.loads((tmp_path / "solo" / "contest.json").read_text())
    scores: dict[str, dict[int, int]] = {"random": {}, "greedy": {}}
    for line in (tmp_path / "solo" / "results.jsonl").read_text().splitlines():
        if "lineup" in (data := json.loads(line)):
            scores[data["lineup"][0]][data["seed"]] = data["games"][0]["scores"][0]
    better = [
        (scores["greedy"][seed] > scores["random"][seed]) + (scores["greedy"][seed] == scores["random"][seed]) / 2
        for seed in range(1, 36)
    ]
    share = next(each["share"]["value"] for each in figures["meetings"] if each["one"] == "greedy")
    assert share == pytest.approx(sum(better) / 35, abs=1e-5)
    assert figures["first"] is None
    read(tmp_path / "solo")
    # nobody is beaten there, so that all would have all wins, and nobody goes first
    page = (tmp_path / "solo" / "contest.html").read_text("utf-8")
    assert [words in page for words in (">Wins", "100.0 %", "Going first")] == [False] * 3
    said = capsys.readouterr().out
    assert "% of wins" not in said
    assert said.count("points, mean score ") == 2
    # who was named first is 0 by definition: an interval is only told of the other one
    assert re.search(r"^greedy: \+\d+ ± \d+ points, ", said, re.MULTILINE)
    assert re.search(r"^random: \+0 points, ", said, re.MULTILINE)
    ratings = re.findall(r'<td role="cell" class="figure"><b>(.*?)</b>( <small>± )?', page)
    assert [(rating == "0", bool(interval)) for rating, interval in ratings] == [(False, True), (True, False)]


def test_results_without_a_deal_make_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As they are where somebody stopped at once."""
    (folder := tmp_path / "begun").mkdir()
    Results(folder).agree(ABOUT, {"greedy": "greedy"})
    assert main(["arena", "report", str(folder)]) == 1
    assert "holds no results of a contest" in capsys.readouterr().err


def test_who_stops_a_contest_is_told_how_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["arena", "play", "connect-four", *TWO, "--deals", "4", "--out", "here"]

    def interrupted(_: Progress, done: int, deals: int) -> None:
        if done:
            raise KeyboardInterrupt

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Progress, "tell", interrupted)
        assert main(given) == 130
    assert "Stopped: the same command goes on from here, and thorp arena report here tells" in capsys.readouterr().err
    assert main(["arena", "report", "here"]) == 0
    assert main(given) == 0


def test_a_player_that_results_do_not_name_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As where somebody took out a line that was damaged."""
    (folder := tmp_path / "begun").mkdir()
    results = Results(folder)
    results.agree(ABOUT, {"greedy": "greedy"})
    game = Outcome(scores=[1, 2], standings=[2, 1], choices=3, leader=0, rounds=None)
    results.add([Deal(Lineup(("greedy", "random")), 1, (game, game))])
    assert main(["arena", "report", str(folder)]) == 1
    assert "does not say what player random is" in capsys.readouterr().err


def test_of_more_than_two_seats_it_is_said_what_a_share_of_wins_is_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is of one seat: a player is at one seat of four in half of all games, and at three in the others."""
    assert main(["arena", "play", "lots", *TWO, "--deals", "5", "--seats", "4", "--out", "four"]) == 0
    page = (tmp_path / "four" / "contest.html").read_text("utf-8")
    assert "Wins a seat</th>" in page
    assert "even is 25.0 %" in page
    table = read_parquet(tmp_path / "four" / "games.parquet").read_all()
    players, shares = (table.column(name).to_pylist() for name in ("player", "share"))
    lines = {line.partition(":")[0]: line for line in capsys.readouterr().out.splitlines()}
    for name in ("greedy", "random"):
        won = [share for player, share in zip(players, shares, strict=True) if player == name]
        assert len(won) == 5 * (4 * 1 + 4 * 3)
        assert f", {100 * sum(won) / len(won):.1f} % of wins a seat (even is 25.0 %), mean score " in lines[name]
        assert "±" not in lines[name], "so few deals tell no interval"


def test_who_goes_first_is_measured(tmp_path: Path) -> None:
    """In Lots the first place is worth nothing, so the interval of what it adds holds 0."""
    arguments = ["--seats", "4", "--deals", "40", "--mirror", "--out", "four"]
    assert main(["arena", "play", "lots", *TWO, *arguments]) == 0
    figures = json.loads((tmp_path / "four" / "contest.json").read_text())
    first = figures["first"]
    assert first["low"] < 0 < first["high"]
    assert {(each["one"], each["other"]) for each in figures["meetings"]} == {
        ("random", "greedy"),
        ("greedy", "random"),
    }
    assert figures["games"] == 40 * (4 + 4 + 1 + 1)


def test_a_lost_game_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} illegal"
    arguments = ["--player", "random", "--player", bad, "--workers", "1", "--deals", "1", "--out", "bad"]
    assert main(["arena", "play", "connect-four", *arguments]) == 0
    assert "bad lost deal 1: it chose the move 99, which is not legal" in capsys.readouterr().err
    assert "it chose the move 99, which is not legal" in (tmp_path / "bad" / "contest.html").read_text("utf-8")
    assert json.loads((tmp_path / "bad" / "contest.json").read_text())["players"][0]["name"] == "random"


def test_games_that_were_lost_for_one_reason_stand_there_once(tmp_path: Path) -> None:
    """And how many each player lost so is in the ladder."""
    lineup = Lineup(("random", "bad"))
    broken = [
        Outcome([0, 0], [1, 2] if seat else [2, 1], 3, 0, None, lost=(seat, why))
        for seat, why in ((1, "it took longer than 1 s"), (0, "it took longer than 1 s"), (0, "it ended"))
    ]
    deals = [Deal(lineup, seed, (broken[0], broken[1 + (seed == 4)])) for seed in range(1, 31)]
    said = words_of(tmp_path / "bad", *deals)
    assert (
        "bad , 59 games: it took longer than 1 s. As in deal 1 (random, bad). bad , 1 game: it ended. Deal 4 (" in said
    )
    assert re.search(r"A choice Broke off random .* – 0 bad .* – 60 “Broke off” counts games", said)
    assert "bad lost all of its games so: its rating says nothing of how it plays." in said
    assert "random lost all of its games" not in said
    assert "Broke off" not in words_of(tmp_path / "good", *won("random", "greedy", 1))


def test_a_player_of_whom_no_game_was_played_to_its_end_has_no_score(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} illegal"
    arguments = ["--player", "random", "--player", bad, "--workers", "1", "--deals", "1", "--out", "bad"]
    assert main(["arena", "play", "connect-four", *arguments]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^random: \+0 points, 100.0 % of wins$", out, re.MULTILINE)
    assert "mean score" not in out
    read(tmp_path / "bad")
    assert [each["score"] for each in json.loads((tmp_path / "bad" / "contest.json").read_text())["players"]] == [
        None
    ] * 2


def test_points_are_above_a_player_that_has_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Not above one that was to play, and was interrupted before it did."""
    (folder := tmp_path / "begun").mkdir()
    results = Results(folder)
    results.agree(ABOUT, {"learned": "learned", "greedy": "greedy", "random": "random"})
    game = Outcome(scores=[1, 2], standings=[2, 1], choices=3, leader=0, rounds=None)
    results.add([Deal(Lineup(("greedy", "random")), seed, (game, game)) for seed in range(1, 41)])
    assert main(["arena", "report", str(folder)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^greedy: \+0 points, ", out, re.MULTILINE)
    assert re.search(r"^random: [+-]\d+ ± \d+ points, ", out, re.MULTILINE)
    assert "0 is greedy." in (folder / "contest.html").read_text("utf-8")
    assert json.loads((folder / "contest.json").read_text())["about"]["anchor"] == "greedy"


def won(one: str, other: str, *shares: int) -> list[Deal]:
    """Deals of which the one wins so many of the two games."""
    lineup, deals = Lineup((one, other)), []
    for seed, games in enumerate(shares, 1):
        wins = [[1, 2], [2, 1]] if games == 2 else [[1, 2], [1, 2]] if games else [[2, 1], [1, 2]]
        outcomes = [Outcome(scores=[1, 1], standings=each, choices=3, leader=0, rounds=None) for each in wins]
        deals.append(Deal(lineup, seed, tuple(outcomes)))
    return deals


def words_of(folder: Path, *deals: Deal) -> str:
    """What the page says of deals that were played."""
    folder.mkdir()
    results = Results(folder)
    results.agree(ABOUT, {name: name for deal in deals for name in deal.lineup.players})
    results.add(deals)
    assert main(["arena", "report", str(folder)]) == 0
    return " ".join(" ".join(read(folder).words).split())


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([1] * 40, r"Not clear \w+ stands 0 ± \d+ points above \w+. None is clearly the strongest: it may as well be "),
        (
            [2] * 9,
            r"Not clear greedy stands \+\d+ points above random. None is clearly .*: so few deals tell no interval.",
        ),
        ([2] * 30 + [1] * 10, r"Strongest greedy \+\d+ ± \d+ points above random. First at the table"),
    ],
    ids=["dead heat", "few deals", "clear"],
)
def test_the_strongest_is_named_where_that_is_clear(shares: list[int], said: str, tmp_path: Path) -> None:
    """Of two, who is second is the last as well, and stands there once."""
    assert re.search(said, words_of(tmp_path / "heat", *won("random", "greedy", *(2 - each for each in shares))))


def test_of_more_players_it_is_said_how_far_the_last_is_below(tmp_path: Path) -> None:
    deals = won("random", "greedy", *[0] * 30 + [1] * 10) + won("learned", "greedy", *[0] * 10 + [1] * 30)
    said = words_of(tmp_path / "three", *deals)
    assert re.search(r"Strongest greedy \+\d+ ± \d+ points above learned, and \+\d+ ± \d+ points above random\.", said)


@pytest.mark.parametrize(("lost", "noted"), [(0, True), (1, False)])
def test_where_nearly_all_games_were_won_it_is_said_that_ratings_tell_little(
    lost: int, noted: bool, tmp_path: Path
) -> None:
    (folder := tmp_path / "far").mkdir()
    results = Results(folder)
    results.agree(ABOUT, {"greedy": "greedy", "random": "random"})
    first, second = (
        Outcome(scores=[0, 0], standings=standings, choices=3, leader=0, rounds=None) for standings in ([1, 2], [2, 1])
    )
    # the first of the line-up sits first, and then second
    deals = [Deal(Lineup(("greedy", "random")), seed, (first, second)) for seed in range(1, 41 - lost)]
    results.add(deals + [Deal(Lineup(("greedy", "random")), 40, (first, first))] * lost)
    assert main(["arena", "report", str(folder)]) == 0
    assert ("More than 800 points apart" in (folder / "contest.html").read_text("utf-8")) is noted


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", *TWO], "there is no game 'chess'"),
        (["lots"], "two players at least take part"),
        (["lots", "--player", "oracle"], "there is no player 'oracle'"),
        (["lots", *TWO, "--seats", "9"], "1 to 4 seats"),
        (["lots", *TWO, "--deals", "0"], "the number of deals is 1 or more"),
        (["lots", *TWO, "--against", "me"], "'me' does not take part"),
        (["lots", *TWO, "--against", "greedy", "--seats", "1"], "alone nobody plays against anybody"),
        (["lots", *TWO, "--error", "0.1"], "name the test, --test LOW HIGH"),
        (["lots", *TWO, "--test", "5", "5"], "a test tells a lower strength"),
        (["lots", *TWO, "--test", "0", "inf"], "a test tells a lower strength"),
        (["lots", *TWO, "--test", "0", "6500"], "both from -4000 to 4000, not 0 from 6500"),
        (["lots", *TWO, "--player", "latecomer:First"], "First does not get ready on "),
        (["lots", *TWO, "--player", "me=latecomer:First"], "there is no module latecomer here"),
        (["lots", *TWO, "--player", "json:First"], "there is no First in the module json"),
        (["lots", *TWO, "--player", "me=nonexistent_cmd"], "it cannot be started: No such file or directory"),
        (["lots", *TWO, "--player", f"me={PLAYERS / 'bad.py'}"], "it cannot be started: Permission denied"),
        (["lots", *TWO, "--player", f"me={sys.executable} latecomer.py"], "it ended with status 2"),
        (["lots", *TWO, "--player", "me=master@0.1"], "write --player master@0.1"),
        (["lots", *TWO, "--test", "0", "100", "--deals", "29"], "of fewer than 30 deals: play more than 29"),
        (["lots", *TWO, "--seconds", "1e12"], "the time for a choice is"),
        (["lots", *TWO, "--mixed", "--seats", "3"], "3 different players sit at a mixed table"),
        (["lots", *TWO[:-1], "0"], "the number of workers is 1 or more"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_arguments_are_said_and_leave_nothing(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["arena", "play", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_how_many_workers_a_cluster_has_is_not_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["arena", "play", "lots", *TWO, "--ray", "auto"])
    assert ended.value.code == 2
    assert "argument --ray: not allowed with argument --workers" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_the_results_stay(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for module in ("contest_report", "strength", "ratings"):
        monkeypatch.delitem(sys.modules, f"thorp.arena.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "choix", None)
    assert main(["arena", "play", "lots", *TWO, "--deals", "1", "--out", "kept"]) == 1
    assert "reports need the extra arena; in a checkout: .venv/bin/pip install -e '.[arena]'" in capsys.readouterr().err
    assert (tmp_path / "kept" / "results.jsonl").exists()


def test_numbers_are_written_as_people_read_them() -> None:
    assert [strength(each) for each in (0.2, 120.4, -35.0, inf, -inf)] == ["0", "+120", "−35", "all", "none"]
    assert [seconds(each) for each in (None, 0.0004, 0.0123, 2.04)] == ["–", "0.4 ms", "12 ms", "2.0 s"]
    assert points_of(0.64, 2) == pytest.approx(100, abs=0.1)
    assert points_of(0.25, 4) == pytest.approx(0)
    assert (points_of(1, 2), points_of(0, 3)) == (inf, -inf)
    scale = rating_scale([Estimate(0, 0), Estimate(10, 5)])
    assert scale.high - scale.low == pytest.approx(100)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"rules": 7}, "is of version 7 of the rules of Lots, not 1; report it with the Thorp that played it, 1"),
        ({"options": {"nonsense": "x"}}, "is of options that Lots does not have: "),
    ],
)
def test_results_of_another_version_make_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], about: dict[str, Any], said: str
) -> None:
    (folder := tmp_path / "old").mkdir()
    results = Results(folder)
    results.agree({**ABOUT, **about}, {"greedy": "greedy", "random": "random"})
    game = Outcome(scores=[1, 2], standings=[2, 1], choices=3, leader=0, rounds=None)
    results.add([Deal(Lineup(("greedy", "random")), 1, (game, game))])
    assert main(["arena", "report", str(folder)]) == 1
    assert said in capsys.readouterr().err
    assert not (folder / "contest.html").exists()


def test_one_deal_is_called_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "play", "pebbles", *TWO, "--deals", "1", "--out", "one"]) == 0
    assert main(["arena", "report", "one", "--test", "0", "100"]) == 0
    # and that a test ends with no fewer than thirty
    assert " after 1 deal, of 30 at least (" in capsys.readouterr().out
