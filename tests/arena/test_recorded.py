"""A game of a contest as a match: all of it, of players of every kind, and what is said where it cannot be had."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from connect_four import GAME as CONNECT_FOUR
from toy import GAME as PEBBLES

from arena.test_contest import FIRST, PLAYERS, a_contest
from thorp import Match
from thorp.arena.contest import play_contest
from thorp.arena.lineups import Lineup
from thorp.arena.recorded import match_of
from thorp.arena.results import Results
from thorp.arena.workers import Here
from thorp.cli import main
from thorp.core import registry
from thorp.core.errors import GameError


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in (PEBBLES, CONNECT_FOUR):
        monkeypatch.setitem(registry._registry, game.id, game)


@pytest.mark.parametrize("players", [("greedy", "random"), ("greedy", "casual"), ("random", FIRST)], ids=str)
def test_every_game_of_a_contest_can_be_had(players: tuple[str, ...], tmp_path: Path) -> None:
    """Also of those in compiled code, of which no moves are kept: the first."""
    contest = a_contest(PEBBLES, 3, *players, deals=2)
    for course in play_contest(contest, Results(tmp_path), Here()):
        read = Results(tmp_path)
        assert len(course.counted) == 2
        for deal in course.counted:
            assert len(deal.games) == 3
            for nth, outcome in enumerate(deal.games):
                match = match_of(PEBBLES, read, course.lineup, deal.seed, nth)
                assert match.over
                assert (list(match.scores), list(match.standings)) == (outcome.scores, outcome.standings)
                assert match.seed == deal.seed
                # what is written is read as every export is, where each move has to be legal and the digest to fit
                assert Match.load(match.export()).digest() == match.digest()


def test_the_seatings_of_a_deal_are_told_apart(tmp_path: Path) -> None:
    """Who takes the first move of all sits where the table says: counted from whichever player it is named."""
    play_contest(a_contest(CONNECT_FOUR, 2, "random", FIRST, deals=3), Results(tmp_path), Here())
    results = Results(tmp_path)
    for names in (("random", "first"), ("first", "random")):
        for seed, nth in ((1, 0), (1, 1), (2, 0), (3, 1)):
            match = match_of(CONNECT_FOUR, results, Lineup(names), seed, nth)
            seat = names.index("first") if nth == 0 else 1 - names.index("first")
            took = [
                entry.move == match.at(ply).legal(seat)[0]
                for ply, entry in enumerate(match.log())
                if entry.seat == seat
            ]
            assert len(took) > 3
            assert all(took)


def test_a_game_that_was_lost_ends_where_it_broke_off(tmp_path: Path) -> None:
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} illegal"
    contest = a_contest(CONNECT_FOUR, 2, "random", bad, deals=1, seconds=30.0)
    (course,) = play_contest(contest, Results(tmp_path), Here())
    for nth, outcome in enumerate(course.counted[0].games):
        assert outcome.lost
        match = match_of(CONNECT_FOUR, Results(tmp_path), course.lineup, 1, nth)
        assert not match.over
        assert match.waiting == (outcome.lost[0],)
        assert Match.load(match.export()).ply == match.ply


def _changed(folder: Path, **of_games: object) -> Results:
    """The results of a folder with something else in each game; None takes it out."""
    file = folder / "results.jsonl"
    *others, last = [json.loads(line) for line in file.read_text().splitlines()]
    for game in last["games"]:
        game |= of_games
        for name in [name for name, value in game.items() if value is None]:
            del game[name]
    file.write_text("".join(json.dumps(line) + "\n" for line in (*others, last)))
    return Results(folder)


def test_what_cannot_be_had_is_said(tmp_path: Path) -> None:
    contest = a_contest(CONNECT_FOUR, 2, "greedy", "casual", deals=1)
    (course,) = play_contest(contest, Results(tmp_path), Here())
    results, table = Results(tmp_path), course.lineup
    for seed, nth, said in (
        (2, 0, "has no deal 2 of greedy, casual"),
        (1, 2, "has the games 0 to 1, no game 2"),
        (1, -1, "has the games 0 to 1, no game -1"),
    ):
        with pytest.raises(GameError, match=said):
            match_of(CONNECT_FOUR, results, table, seed, nth)
    scores = course.counted[0].games[0].scores
    for change, said in (
        ({"scores": [scores[0] + 1, scores[1]]}, "came out otherwise"),
        ({"moves": "0:0 0:0"}, "has other moves of deal 1 than were played: "),
        ({"moves": "7:0"}, "has other moves of deal 1 than were played: "),
        ({"moves": None}, "does not have the moves of deal 1: it was played by an older Thorp"),
    ):
        with pytest.raises(GameError, match=said):
            match_of(CONNECT_FOUR, _changed(tmp_path, **change), table, 1, 0)


def test_it_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    players = ["--player", "greedy", "--player", "random", "--player", "casual"]
    assert main(["arena", "play", CONNECT_FOUR.id, *players, "--deals", "1", "--out", "here"]) == 0
    capsys.readouterr()
    of_one = ["arena", "match", "here", "--seed", "1", "--game", "1", "--player", "casual", "--player", "greedy"]
    assert main([*of_one, "--out", "match.json"]) == 0
    assert main(of_one) == 0
    printed = capsys.readouterr().out
    assert printed == Path("match.json").read_text()
    match = Match.load(printed)
    (line,) = [
        line for line in Path("here/results.jsonl").read_text().splitlines() if '"lineup":["greedy","casual"]' in line
    ]
    assert list(match.scores) == json.loads(line)["games"][0]["scores"], "casual sits at the second seat"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(printed.encode())))
    assert main(["replay", "--quiet", "-"]) == 0
    assert "the file is sound" in capsys.readouterr().out

    for arguments, said in (
        (["here", "--seed", "1"], "has the tables --player greedy --player random; "),
        (["here", "--seed", "1", "--player", "greedy"], "name who sits at one of them"),
        (["nowhere", "--seed", "1"], "there is no folder nowhere"),
        ([*of_one[2:], "--out", "here"], "here cannot be written: "),
    ):
        assert main(["arena", "match", *arguments]) == 1
        assert said in capsys.readouterr().err
