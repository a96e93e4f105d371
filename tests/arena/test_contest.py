"""Contests: every deal with every seating, stopped when it is clear, gone on with after any interruption."""

import base64
import io
import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from connect_four import GAME as CONNECT_FOUR
from toy import GAME as PEBBLES

import thorp
from arena.lots import GAME as LOTS
from thorp import Game, GameError, Match, players
from thorp.arena import host, pipes, tables
from thorp.arena.contest import Contest, Course, courses_of, lone_share, play_contest
from thorp.arena.entrants import Entrant, entrant, entrants
from thorp.arena.lineups import Lineup, lineups
from thorp.arena.pipes import Lost, Pipe, _last_words
from thorp.arena.results import Deal, Results
from thorp.arena.sequential import Trial
from thorp.arena.strength import strength_of
from thorp.arena.tables import Chairs, play_game, standings_without
from thorp.arena.work import Work, play_work
from thorp.arena.workers import Here, Many
from thorp.core.weights import read_weights, write_weights
from thorp.players.levels import BY_NAME

PLAYERS = Path(__file__).parent / "players"
FIRST = f"first={sys.executable} {PLAYERS / 'first_move.py'}"


def a_contest(game: Game = CONNECT_FOUR, seats: int = 2, *players: str, **more: object) -> Contest:
    who = entrants(players or ("greedy", "random"))
    tables = lineups([each.name for each in who], seats)
    return Contest(game, game.options_for(seats), who, tables, **{"deals": 12, **more})  # type: ignore[arg-type]


def counted(courses: list[Course]) -> dict[Lineup, list[Deal]]:
    return {course.lineup: course.counted for course in courses}


# --- tables ------------------------------------------------------------------------------------------------------


def test_a_deal_is_played_with_every_seating_once() -> None:
    assert Lineup(("a", "b")).seatings == (("a", "b"), ("b", "a"))
    assert len(Lineup(("a", "b", "b", "b")).seatings) == 4
    assert Lineup(("a", "b", "a", "b")).seatings == (("a", "b", "a", "b"), ("b", "a", "b", "a"))
    assert Lineup(("a", "a", "a")).seatings == (("a", "a", "a"),)


def test_who_meets_whom() -> None:
    def tables(*arguments: object, **more: object) -> list[tuple[str, ...]]:
        return [lineup.players for lineup in lineups(*arguments, **more)]  # type: ignore[arg-type]

    assert tables(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert tables(["a", "b", "c"], 2, against="b") == [("b", "a"), ("b", "c")]
    assert tables(["a", "b"], 3) == [("a", "b", "b"), ("b", "a", "a")]
    assert tables(["a", "b", "c", "d"], 3, mixed=True, against="d") == [
        ("a", "b", "d"),
        ("a", "c", "d"),
        ("b", "c", "d"),
    ]
    assert tables(["a", "b"], 2, mirror=True) == [("a", "b"), ("a", "a"), ("b", "b")]
    assert tables(["a", "b"], 1) == [("a",), ("b",)]
    for wrong, more in ((["a"], {}), (["a", "b"], {"against": "c"}), (["a"], {"mixed": True})):
        with pytest.raises(GameError):
            lineups(wrong, 2, **more)


def test_how_players_are_given() -> None:
    assert entrant("greedy") == Entrant("greedy", "greedy")
    assert entrant("master@0.1") == Entrant("master@0.1", "master@0.1")
    assert entrant("me=python 'my bot.py' --fast").command == ("python", "my bot.py", "--fast")
    assert entrant("bots.mine:Clever").of_class == "bots.mine:Clever"
    assert entrant("me=bots:Clever").process()[-1] == "bots:Clever"
    for wrong in ("oracle", "greedy=python x", "me=", "me='", "=x", "a/b=x", "me=master@0.1", "me=greedy"):
        with pytest.raises(GameError):
            entrant(wrong)
    with pytest.raises(GameError, match="two players are called greedy: --mirror lets a player meet itself"):
        entrants(["greedy", "greedy"])
    with pytest.raises(GameError, match="two players are called me: give each a name of its own"):
        entrants(["me=python x", "me=python y"])


@pytest.mark.parametrize("name", ["random", "greedy", "learned"])
def test_a_class_that_is_called_as_a_player_of_thorps_needs_a_name(name: str) -> None:
    """Or Thorp's own would play for it."""
    with pytest.raises(GameError, match=f"that is not taken, not '{name}'"):
        entrant(f"bots:{name}")
    assert entrant(f"me=bots:{name}").of_class == f"bots:{name}"


def test_a_command_on_windows_keeps_its_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    given = r"""me=C:\bots\me.exe 'C:\my bots\weights' "C:\more\weights" --fast"""
    wanted = (r"C:\bots\me.exe", r"C:\my bots\weights", r"C:\more\weights", "--fast")
    assert entrant(given).command == wanted


@pytest.mark.parametrize("game", [CONNECT_FOUR, PEBBLES, LOTS], ids=lambda game: game.id)
def test_moves_one_by_one_are_the_games_of_compiled_code(game: Game) -> None:
    seats = game.seats[-1]
    options = game.options_for(seats)
    lineup = Lineup(("greedy", *["random"] * (seats - 1)))
    work = Work(game.id, game.package, options, lineup, {}, 5, 3, 1.0)
    for deal in play_work(work):
        for seating, outcome in zip(lineup.seatings, deal.games, strict=True):
            other = play_game(game, options, deal.seed, [entrant(name) for name in seating], Chairs(), 1.0)
            assert (other.scores, other.standings, other.choices) == (
                outcome.scores,
                outcome.standings,
                outcome.choices,
            )
            assert (other.leader, other.rounds) == (outcome.leader, outcome.rounds)


# --- the course of a contest -------------------------------------------------------------------------------------


def test_it_goes_on_where_it_was_stopped_and_counts_nothing_twice(tmp_path: Path) -> None:
    """Killed after every piece of work in turn, and with the last line broken off: the same deals in the end."""
    (whole := tmp_path / "whole").mkdir()
    (again := tmp_path / "again").mkdir()
    contest = a_contest(PEBBLES, 3, deals=30)
    wanted = counted(play_contest(contest, Results(whole), Here()))

    class Killed(Exception):
        pass

    def kill(done: int, deals: int, played: list[Deal]) -> None:
        if played:
            raise Killed

    pieces = 0
    while True:
        try:
            found = counted(play_contest(contest, Results(again), Here(), kill))
            break
        except Killed:
            pieces += 1
            with (again / "results.jsonl").open("ab") as file:
                file.write(b'{"lineup":["greedy","rand')
    assert pieces == 4
    assert found == wanted
    assert {len(deals) for deals in found.values()} == {30}
    lines = [line for line in (again / "results.jsonl").read_text().splitlines() if '"games"' in line]
    assert len(lines) == 60


def test_a_deal_that_stands_there_twice_counts_once(tmp_path: Path) -> None:
    play_contest(a_contest(deals=2), Results(tmp_path), Here())
    file = tmp_path / "results.jsonl"
    line = file.read_text().splitlines()[-1]
    file.write_text(file.read_text() + line + "\n")
    assert [len(course.counted) for course in courses_of(Results(tmp_path))] == [2]


class Idle(Here):
    """Has nothing to play."""

    def play(self, work: Iterator[Work]) -> Iterator[list[Deal]]:
        assert list(work) == []
        return iter(())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("greedy", "random"), ("random", "greedy")),
        (("random", "greedy", "greedy"), ("greedy", "random", "greedy")),
        (("random", "greedy", "learned"), ("learned", "random", "greedy")),
    ],
    ids=["two", "one of many", "mixed"],
)
def test_a_table_has_its_deals_from_whichever_player_it_is_named(
    one: tuple[str, ...], other: tuple[str, ...], tmp_path: Path
) -> None:
    """As where somebody names the players in another order, or `--against` the second."""
    game = LOTS if len(one) == 2 else PEBBLES
    contest = a_contest(game, len(one), *dict.fromkeys(one), deals=3)
    first, again = (replace(contest, lineups=(Lineup(players),)) for players in (one, other))
    (folder := tmp_path / "anew").mkdir()
    anew = play_contest(again, Results(folder), Here())
    play_contest(first, Results(tmp_path), Here())
    assert play_contest(again, Results(tmp_path), Idle()) == anew
    # results that were written when these were held to be two tables
    file = tmp_path / "results.jsonl"
    file.write_text(file.read_text() + (folder / "results.jsonl").read_text())
    (course,) = courses_of(Results(tmp_path))
    assert course.lineup.players == one
    assert [deal.named(again.lineups[0]) for deal in course.counted] == anew[0].counted


def test_tables_round_which_players_sit_otherwise_are_two(tmp_path: Path) -> None:
    contest = a_contest(PEBBLES, 3, "random", "greedy", "learned", deals=1)
    tables = (Lineup(("random", "greedy", "learned")), Lineup(("random", "learned", "greedy")))
    play_contest(replace(contest, lineups=tables), Results(tmp_path), Here())
    assert Results(tmp_path).lineups == tables


def test_results_of_something_else_are_refused(tmp_path: Path) -> None:
    play_contest(a_contest(deals=1), Results(tmp_path), Here())
    with pytest.raises(GameError, match=r"has results with seed 1, not 2"):
        play_contest(a_contest(deals=1, first=2), Results(tmp_path), Here())
    (tmp_path / "results.jsonl").write_text("shopping list\n")
    with pytest.raises(GameError, match="holds no results of a contest"):
        Results(tmp_path)


def test_two_contests_in_one_file_are_told(tmp_path: Path) -> None:
    """Two that begin in one folder at the same time, by whatever way, are not reckoned together."""
    for name, contest in (("one", a_contest(deals=1)), ("other", a_contest(deals=1, first=2))):
        (tmp_path / name).mkdir()
        play_contest(contest, Results(tmp_path / name), Here())
    one, other = ((tmp_path / name / "results.jsonl").read_text() for name in ("one", "other"))
    (tmp_path / "results.jsonl").write_text(one + other)
    with pytest.raises(GameError, match="has results of two contests"):
        Results(tmp_path)
    (tmp_path / "results.jsonl").write_text(one + one)
    assert len(Results(tmp_path).in_a_row(a_contest().lineups[0], 1)) == 1


def test_two_players_do_not_come_under_one_name(tmp_path: Path) -> None:
    about = a_contest().about
    Results(tmp_path).agree(about, {"me": "python one.py"})
    with pytest.raises(GameError, match=r"me is 'python one.py', not 'python two.py'"):
        Results(tmp_path).agree(about, {"me": "python two.py"})


def test_a_contest_that_is_refused_keeps_no_name_taken(tmp_path: Path) -> None:
    about = a_contest().about
    Results(tmp_path).agree(about, {"me": "python one.py"})
    with pytest.raises(GameError, match="give it another name"):
        Results(tmp_path).agree(about, {"new": "python new.py", "me": "python two.py"})
    assert Results(tmp_path).players == {"me": "python one.py"}
    Results(tmp_path).agree(about, {"new": "python newer.py", "me": "python one.py"})
    assert Results(tmp_path).players == {"me": "python one.py", "new": "python newer.py"}


@pytest.mark.parametrize("kept", [1, 7, 9, 12, 60])
def test_results_whose_first_line_broke_off_are_begun_again(kept: int, tmp_path: Path) -> None:
    """Also twice. What is no such line is somebody else's file."""
    (whole := tmp_path / "whole").mkdir()
    contest = a_contest(deals=1)
    wanted = play_contest(contest, Results(whole), Here())
    torn = (whole / "results.jsonl").read_bytes()[:kept]
    for begun in (torn, torn + b"\n" + torn):
        (tmp_path / "results.jsonl").write_bytes(begun)
        assert Results(tmp_path).about is None
        assert play_contest(contest, Results(tmp_path), Here()) == wanted
        assert courses_of(Results(tmp_path)) == wanted
    (tmp_path / "results.jsonl").write_text("shopping list")
    with pytest.raises(GameError, match="holds no results of a contest"):
        Results(tmp_path)


class Backwards(Here):
    """Plays several pieces before it gives any back, the last first: as if the later had been quicker."""

    def play(self, work: Iterator[Work]) -> Iterator[list[Deal]]:
        pieces = list(work)
        for piece in reversed(pieces):
            yield play_work(piece)


def test_a_test_ends_a_table_and_does_not_mind_who_was_quicker(tmp_path: Path) -> None:
    (one := tmp_path / "one").mkdir()
    (other := tmp_path / "other").mkdir()
    contest = a_contest(deals=100, trial=Trial(-25, 25))
    (course,) = play_contest(contest, Results(one), Here())
    (same,) = play_contest(contest, Results(other), Backwards())
    assert course.verdict is True
    assert course.ratio >= Trial(-25, 25).bound
    assert len(course.counted) < 60
    assert (same.counted, same.ratio) == (course.counted, course.ratio)
    assert Results(one).has(course.lineup, 1)
    assert not Results(one).has(course.lineup, 100), "nothing is played when it is clear"
    assert courses_of(Results(other), Trial(-25, 25)) == [course]


def test_a_test_ends_a_table_of_players_that_are_not_compiled(tmp_path: Path) -> None:
    """Their deals are played one by one: not one more than it takes."""
    contest = a_contest(CONNECT_FOUR, 2, "greedy", FIRST, deals=100, trial=Trial(0, 100))
    (course,) = play_contest(contest, Results(tmp_path), Here())
    assert course.verdict is not None
    assert len(course.counted) < 60
    played = [seed for seed in range(1, 101) if Results(tmp_path).has(course.lineup, seed)]
    assert played == [*range(1, 1 + len(course.counted))]


def test_a_deal_is_brought_to_the_disk_before_the_next_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a power cut could take what was told to be finished."""
    file, brought = tmp_path / "results.jsonl", []

    def fsync(number: int) -> None:
        assert os.fstat(number).st_ino == file.stat().st_ino
        brought.append(file.read_bytes())

    def look(done: int, deals: int, played: list[Deal]) -> None:
        if played:
            assert brought[-1] == file.read_bytes()
            assert json.loads(brought[-1].splitlines()[-1])["seed"] == played[-1].seed

    monkeypatch.setattr(os, "fsync", fsync)
    contest = a_contest(PEBBLES, 2, "greedy", "casual", deals=3)
    (course,) = play_contest(contest, Results(tmp_path), Here(), look)
    assert [brought[nth].count(b'"games"') for nth in range(len(brought))] == [0, 1, 2, 3]
    Results(tmp_path).add(course.counted)
    assert len(brought) == 4, "nothing was new"


def test_it_is_the_lone_player_that_a_share_is_of(tmp_path: Path) -> None:
    courses = play_contest(a_contest(LOTS, 4, deals=1), Results(tmp_path), Here())
    for course in courses:
        (deal,) = course.counted
        won = sum(game.standings[seat] == 1 for seat, game in enumerate(deal.games)) / 4
        assert float(lone_share(deal)) <= won  # a shared win is less than one


@pytest.mark.parametrize(
    "wrong",
    [{"deals": 0}, {"deals": 10**30}, {"first": -1}, {"seconds": 0}, {"seconds": inf}, {"first": 2**63}],
    ids=str,
)
def test_impossible_contests_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(GameError):
        a_contest(**wrong)
    with pytest.raises(GameError, match="the number of workers"):
        Many(0, compiled=True)


def test_a_test_of_fewer_deals_than_a_verdict_takes_is_refused() -> None:
    with pytest.raises(GameError, match="a test tells nothing of fewer than 30 deals: play more than 29"):
        a_contest(deals=29, trial=Trial(0, 100))
    assert a_contest(deals=30, trial=Trial(0, 100)).trial


def test_alone_there_is_no_test() -> None:
    with pytest.raises(GameError, match="play with 2 seats or more"):
        a_contest(PEBBLES, 1, trial=Trial(0, 100))


def test_threads_and_processes_play_the_same(tmp_path: Path) -> None:
    """Two processes here; threads for what is compiled."""
    found = []
    contest = a_contest(CONNECT_FOUR, 2, "random", FIRST, deals=3)
    for workers in (Many(2, compiled=False), Here()):
        (folder := tmp_path / str(len(found))).mkdir()
        (course,) = play_contest(contest, Results(folder), workers)
        found.append([[game.scores for game in deal.games] for deal in course.counted])
    assert found[0] == found[1]
    (folder := tmp_path / "threads").mkdir()
    play_contest(a_contest(LOTS, 2, deals=45), Results(folder), Many(3, compiled=True))
    assert [len(course.counted) for course in courses_of(Results(folder))] == [45]


# --- players of somebody else's ----------------------------------------------------------------------------------


def play_one(game: Game, *players: str, seconds: float = 20.0, seed: int = 3) -> Deal:
    who = {each.name: each for each in entrants(players)}
    lineup = Lineup(tuple(who))
    try:
        (deal,) = play_work(Work(game.id, game.package, game.options_for(len(who)), lineup, who, seed, 1, seconds))
    finally:
        from thorp.arena.work import end_chairs

        end_chairs()
    return deal


def test_a_process_plays_by_json_lines() -> None:
    """Of each of its choices it is known how long it took; which moves it took, `test_recorded` looks at."""
    deal = play_one(CONNECT_FOUR, "random", FIRST)
    assert deal.games[0].lost is None
    for seating, outcome in zip(deal.lineup.seatings, deal.games, strict=True):
        seat = seating.index("first")
        assert outcome.asked
        assert outcome.asked[seat] > 0
        assert outcome.seconds
        assert outcome.longest
        assert outcome.seconds[seat] >= outcome.longest[seat] > 0


def test_a_class_plays_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Like greedy, but that ties go to the first move: it beats random."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    deal = play_one(CONNECT_FOUR, "random", "mine=arena.players.mine:Greedy", seconds=60)
    assert [game.lost for game in deal.games] == [None, None]
    assert [seating[game.standings.index(1)] for seating, game in zip(deal.lineup.seatings, deal.games)] == ["mine"] * 2


class NoChoice:
    """A player that forgot to choose."""

    def __init__(self, game: Game, seat: int, seats: int, options: dict[str, str]) -> None: ...


class Parts(NoChoice):
    """One that has reckoned in floating point."""

    def choose(self, question: host.Question) -> float:
        return float(next(iter(question.legal)))


class Forgets(NoChoice):
    """One that returns nothing."""

    def choose(self, question: host.Question) -> None: ...


class Says(NoChoice):
    """One that returns the words of a move."""

    def choose(self, question: host.Question) -> str:
        return "drop it"


class Breaks(NoChoice):
    """One that has a bug."""

    def choose(self, question: host.Question) -> int:
        return next(move for move in question.legal if move < 0)


def test_a_class_that_does_not_choose_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    contest = a_contest(CONNECT_FOUR, 2, "random", f"{__name__}:NoChoice")
    with pytest.raises(GameError, match=r"NoChoice does not get ready .* NoChoice has no method choose"):
        play_contest(contest, Results(tmp_path), Here())


@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("Parts", r"choose returned \d\.0, not one of the legal moves"),
        ("Forgets", r"choose returned None, not one of the legal moves"),
        ("Says", r"choose returned 'drop it', not one of the legal moves"),
        ("Breaks", r'StopIteration \(File ".*test_contest\.py", line \d+, in choose\)'),
    ],
)
def test_what_is_wrong_with_a_class_is_said(player: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    (lost, *_) = (game.lost for game in play_one(CONNECT_FOUR, "random", f"{__name__}:{player}", seconds=60).games)
    assert lost
    assert re.fullmatch(f"it ended with status 1: {why}", lost[1])


def test_of_many_players_those_end_that_have_not_played_for_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a hundred players has some 170 MB, in each of the processes that play."""
    monkeypatch.setattr(tables, "KEPT", 3)
    chairs, match = Chairs(), Match(CONNECT_FOUR, 2, seed=1)
    players = [entrant(FIRST.replace("first=", f"first {nth}=")) for nth in range(6)]
    kept = [chairs.pipe(player, match, 0, 60.0) for player in players[:4]]
    assert len(chairs._pipes) == 4
    # the first has played again meanwhile
    assert chairs.pipe(players[0], match, 0, 60.0) is kept[0]
    chairs.pipe(players[4], match, 0, 60.0)
    assert [player for player, _ in chairs._pipes] == [players[nth] for nth in (2, 3, 0, 4)]
    assert kept[1]._process.poll() is not None
    assert kept[0]._process.poll() is None
    chairs.end()
    assert not chairs._pipes


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("crash", "it ended with status 1: ValueError: a bug"),
        ("sleep", "it took longer than 0.5 s"),
        ("nonsense", "it answered what is no JSON: b'e2e4"),
        ("list", "it answered what is no JSON object"),
        ("deep", "it answered what is no JSON: b'[[[["),
        ("no move", "it answered {'answer': 1}, not"),
        ("part", "it answered {'move': 3.0}, not"),
        ("truth", "it answered {'move': True}, not"),
        ("illegal", "it chose the move 99, which is not legal"),
        ("twice", "it spoke without being asked"),
        ("endless", "it answered with a line of more than 65536 bytes"),
    ],
)
def test_a_player_that_goes_wrong_loses_and_holds_up_nobody(how: str, why: str) -> None:
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} '{how}'"
    # only one of them has to run out of time, and all others need some to begin on a busy machine
    deal = play_one(CONNECT_FOUR, "random", bad, seconds=0.5 if how == "sleep" else 30)
    for seating, game in zip(deal.lineup.seatings, deal.games, strict=True):
        seat = seating.index("bad")
        assert game.lost is not None
        assert game.lost[0] == seat
        assert game.lost[1].startswith(why)
        assert game.standings[seat] == 2
        assert game.standings[1 - seat] == 1


@pytest.mark.skipif(os.name != "posix", reason="a shell closes its output")
@pytest.mark.parametrize(
    ("goes_on", "grace", "seconds", "why"),
    [
        # an interpreter closes its output first, and clears away after that: for seconds, on a busy machine
        ("sleep 0.5; exit 3", 0.0, 30, "it ended with status 3"),
        ("exec sleep 600", 0.1, 0.1, "it closed its output"),
    ],
)
def test_how_a_player_ended_is_waited_for_as_long_as_its_answer(
    goes_on: str, grace: float, seconds: float, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "_GRACE", grace)
    silent = Pipe(["sh", "-c", f"exec >&-; {goes_on}"])
    try:
        silent._threads[1].join()
        with pytest.raises(Lost, match=rf"^{why}$"):
            silent.ask({}, seconds)
    finally:
        silent.kill()


#: What Python says of an error, before its words.
_TRACEBACK = """Traceback (most recent call last):
  File "mine.py", line 5, in choose
    raise RuntimeError("boom")
    ~~~~~^^^^^^^^^^^^^^^^^^^^^
"""
_PLACE = 'File "mine.py", line 5, in choose'


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        (["loading weights", "no such file: weights"], "no such file: weights"),
        (
            ["begun", *_TRACEBACK.splitlines(), "RuntimeError: boom", "  line two"],
            f"RuntimeError: boom line two ({_PLACE})",
        ),
        (
            [*_TRACEBACK.splitlines(), "KeyError: 'a'", *_TRACEBACK.splitlines(), "ValueError: b", "said in c"],
            f"ValueError: b said in c ({_PLACE})",
        ),
        # nothing but frames, as where more came than is kept
        (_TRACEBACK.splitlines()[1:2], 'File "mine.py", line 5, in choose'),
        (
            [*_TRACEBACK.splitlines(), "ValueError: " + "x" * 400, "the end"],
            f"ValueError: {'x' * 164} ... {'x' * 80} the end ({_PLACE})",
        ),
        (
            [f'  File "/{"far/" * 40}mine.py", line 5, in choose', "ValueError: b"],
            f'ValueError: b (File "...{("far/" * 40)[-73:]}mine.py", line 5, in choose)',
        ),
        # the place is in no function
        (['  File "mine.py", line 1', "    a =", "SyntaxError: no"], 'SyntaxError: no (File "mine.py", line 1)'),
    ],
    ids=["plain", "two lines", "the last of several", "no error", "long", "far away", "no function"],
)
def test_why_a_process_ended_is_quoted_from_its_error_on(said: list[str], quoted: str) -> None:
    assert _last_words(said) == quoted


def test_an_error_of_two_lines_is_quoted_as_a_whole() -> None:
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} 'two lines'"
    lost = play_one(CONNECT_FOUR, "random", bad).games[0].lost
    assert lost
    assert re.fullmatch(
        r'it ended with status 1: RuntimeError: boom line two \(File ".*bad\.py", line \d+, in <module>\)', lost[1]
    )


def test_a_child_that_outlives_a_player_holds_up_nobody(tmp_path: Path) -> None:
    """Whoever has left the session of the player is not ended with it, and may keep its output open."""
    born = tmp_path / "children"
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} child {born}"
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play_one, CONNECT_FOUR, "random", bad, seconds=60)
        try:
            deal = playing.result(timeout=300)
        finally:
            # all of them are still there
            for child in born.read_text().split():
                os.kill(int(child), signal.SIGKILL)
    assert [game.lost is not None for game in deal.games] == [True, True]
    assert len(born.read_text().split()) == 2


def test_a_class_finds_the_rules_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the time of its first choice would go by while they are compiled."""
    done: list[str] = []
    monkeypatch.setattr(Game, "prepare", lambda game: done.append(f"{game.id} is ready"))
    asked = {"type": "game", "game": PEBBLES.id, "package": PEBBLES.package, "seat": 0, "seats": 2, "options": {}}
    said = io.StringIO()

    def make(*_: object) -> Parts:
        done.append("a player is made")
        return Parts(PEBBLES, 0, 2, {})

    host.serve(make, io.StringIO(json.dumps(asked) + "\n"), said)
    assert done == [f"{PEBBLES.id} is ready", "a player is made"]
    assert json.loads(said.getvalue()) == {"ready": True, "learns": False}


def test_who_cannot_go_on_alone_loses_to_whoever_could(tmp_path: Path) -> None:
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} illegal"
    courses = play_contest(a_contest(PEBBLES, 1, "random", bad, deals=3), Results(tmp_path), Here())
    found = strength_of(courses, ["random", "bad"])
    meeting = found.meeting("random", "bad")
    assert meeting
    assert meeting.share.value == 1.0
    assert len(found.losses) == 3


def test_players_that_have_learned_something_else_are_not_mixed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    who = a_contest(thorp.game("villagers"), 2, "master@0.1", "greedy", FIRST)
    master, greedy, first = who.entrants
    told = master.identity(who.game, 10)
    assert re.fullmatch(r"master@0.1, which thinks by [0-9a-f]{8}, which has learned [0-9a-f]{12}", told)
    assert greedy.identity(who.game, 10) == "greedy"
    assert first.identity(who.game, 10) == f"{first.given}, whose code is {first.code}, 10 s a choice"
    monkeypatch.setattr("thorp.arena.entrants.learned_digest", lambda game: "")
    now = master.identity(who.game, 10)
    assert now.endswith(", which has learned nothing")
    Results(tmp_path).agree(who.about, {"master@0.1": told})
    with pytest.raises(GameError, match="which has learned nothing"):
        Results(tmp_path).agree(who.about, {"master@0.1": now})


def test_a_level_that_has_changed_and_other_seconds_are_not_mixed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    play_contest(a_contest(PEBBLES, 1, "casual", FIRST, deals=1), Results(tmp_path), Here())
    with pytest.raises(GameError, match=r"10 s a choice', not .* 5 s a choice"):
        play_contest(a_contest(PEBBLES, 1, "casual", FIRST, deals=1, seconds=5.0), Results(tmp_path), Here())
    # what it overlooks is another part of its moves now
    monkeypatch.setitem(BY_NAME, "casual", replace(BY_NAME["casual"], overlooks=47))
    with pytest.raises(GameError, match=r"casual is 'casual, which thinks by .*', not 'casual, which thinks by"):
        play_contest(a_contest(PEBBLES, 1, "casual", FIRST, deals=1), Results(tmp_path), Here())


@pytest.mark.parametrize(
    ("given", "file"),
    [
        (f"me={sys.executable} mine.py --fast log.txt", "mine.py"),
        ("me=./mine --fast log.txt", "mine"),
        ("me=python3 -u mine.py", "mine.py"),
        ("me=nice -n 5 python3 mine.py log.txt", "mine.py"),
        ("me=/usr/bin/nice -n 5 python3 mine.py", "mine.py"),
        ("me=mine:First", "mine.py"),
        ("me=bots.mine:First", "bots/mine.py"),
        ("me=bots:First", "bots/mine.py"),
    ],
)
def test_a_player_of_ones_own_that_has_changed_is_not_mixed(
    given: str, file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever else lies there may change: it may be what the player writes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    for name in ("mine.py", "mine", "bots/mine.py", "bots/__init__.py", "log.txt"):
        (tmp_path / name).write_text("one\n")
    # such as an editor makes of a file that is open
    (tmp_path / "bots/.#mine.py").symlink_to("me@here.1")

    def agree() -> None:
        Results(tmp_path).agree(a_contest().about, {"me": entrant(given).identity(CONNECT_FOUR, 10)})

    agree()
    kept = (tmp_path / "results.jsonl").read_bytes()
    (tmp_path / "log.txt").write_text("other\n")
    agree()
    (tmp_path / file).write_text("other\n")
    with pytest.raises(GameError, match=r"me \(.*\) has changed since .*; name another folder .* give it another name"):
        agree()
    assert (tmp_path / "results.jsonl").read_bytes() == kept


def test_results_from_before_the_code_of_a_player_was_told_are_gone_on_with(tmp_path: Path) -> None:
    about, first = a_contest().about, entrant(FIRST)
    before = replace(first, code="")
    for told in (before, first, before):
        Results(tmp_path).agree(about, {"first": told.identity(CONNECT_FOUR, 10)})
    with pytest.raises(GameError, match="has changed since"):
        Results(tmp_path).agree(about, {"first": replace(first, code="0" * 12).identity(CONNECT_FOUR, 10)})


def test_a_command_that_names_no_file_has_no_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    # what it reads, and may write, is no code
    (tmp_path / "memory.json").write_text("{}")
    for given in (
        *("me=python3 -m mine", "me=mybot --fast", "me=nowhere.mine:First", "me=sys:First", "me=/nowhere/bot"),
        *("me=python3 -m mine --learned memory.json", "me=mybot memory.json", "me=nice python3 -m mine memory.json"),
        f"me=python3 -c 'import mine #{'x' * 400}' memory.json",
    ):
        assert entrant(given).code == ""


def test_players_of_thorp_go_by_weights_of_a_file(tmp_path: Path) -> None:
    game = thorp.game("valeria")
    shipped, _ = read_weights(game)
    same, other = tmp_path / "same.weights", tmp_path / "other.weights"
    write_weights(same, game, shipped, {"games": 1})
    write_weights(other, game, -shipped, {"games": 1})
    meet = lineups(["learned", "same", "other"], 1)
    who = entrants(["learned", f"same=learned:{same}", f"other=learned:{other}"])
    contest = Contest(game, game.options_for(1), who, meet, deals=1)
    (folder := tmp_path / "results").mkdir()
    played = counted(play_contest(contest, Results(folder), Here()))
    learned, alike, unlike = ([deal.games[0].scores for deal in played[each]] for each in meet)
    assert learned == alike != unlike
    assert who[1].identity(game, 10) == f"learned:{same}, which has learned {who[1].digest}"
    # one that thinks goes by them as well
    matches = [Match(game, 2, seed=seed) for seed in range(5)]
    found = [
        [
            players.choose_in("strong", game, each.state, each.waiting[0], 5, playouts=20, weights=weights)
            for each in matches
        ]
        for weights in (None, shipped, -shipped)
    ]
    assert found[0] == found[1] != found[2]
    # and from now on, only as long as they are the same
    write_weights(other, game, shipped, {"games": 2})
    entrant_before = replace(who[2], digest="0" * 12)
    with pytest.raises(GameError, match="has changed since the player was named"):
        entrant_before.learned(game)


def test_weights_that_cannot_be_gone_by_are_said(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    with pytest.raises(GameError, match="cannot be read"):
        entrant(f"mine=learned:{file}")
    write_weights(file, thorp.game("villagers"), read_weights(thorp.game("villagers"))[0], {})
    with pytest.raises(GameError, match="needs a name: write --player NAME=learned:"):
        entrant(f"learned:{file}")
    with pytest.raises(GameError, match="casual goes by nothing that was learned"):
        entrant(f"mine=casual:{file}")
    who = entrants(["greedy", f"mine=master@0.1:{file}"])
    assert Contest(thorp.game("villagers"), {}, who, lineups(["greedy", "mine"], 2)).entrants[1].player == "master@0.1"
    for game, why in (("valeria", "of another game"), ("tiny-towns", "learned for each table")):
        with pytest.raises(GameError, match=why):
            Contest(thorp.game(game), {}, who, lineups(["greedy", "mine"], 2))


def test_a_damaged_line_is_said(tmp_path: Path) -> None:
    contest = a_contest(deals=2)
    play_contest(contest, Results(tmp_path), Here())
    path = Results(tmp_path).path
    lines = path.read_text().splitlines(keepends=True)
    lines[3] = '{"lineup":["greedy","random"],"seed":1,"games":[{"scores":3}]}\n'
    path.write_text("".join(lines))
    with pytest.raises(GameError, match="line 4 is damaged"):
        Results(tmp_path)
    path.write_text("".join(lines[:3] + lines[4:]))
    (course,) = play_contest(contest, Results(tmp_path), Here())
    assert len(course.counted) == 2


#: Of the results of two deals: a whole line, and what may be wrong with it though it is JSON.
_SOUND = {"scores": [3, 4], "standings": [2, 1], "choices": 5, "leader": 0}


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": []},
        {"games": [_SOUND]},
        {"games": 5},
        {"games": [_SOUND, [3, 4]]},
        *(
            {"games": [_SOUND, _SOUND | part]}
            for part in (
                {"scores": ["x", 4]},
                {"scores": [3]},
                {"scores": [3, 10**19]},
                {"scores": [3, True]},
                {"standings": [1]},
                {"standings": [1, 3]},
                {"standings": [0, 1]},
                {"choices": None},
                {"leader": 2},
                {"rounds": "5"},
                {"lost": [2, "why"]},
                {"lost": [0]},
                {"asked": [1, 1, 1]},
                {"seconds": [0.1, float("nan")]},
                {"longest": ["1", "2"]},
                {"luck": 1},
                {"moves": 5},
                {"moves": "0:1,1:2"},
            )
        ),
        {"lineup": "greedy"},
        {"lineup": ["greedy", 5]},
        {"lineup": ["greedy", "random", "random"]},
        {"seed": "1"},
        {"seed": -1},
    ],
    ids=str,
)
def test_a_line_that_is_no_result_is_damaged(wrong: dict[str, object], tmp_path: Path) -> None:
    contest = a_contest(deals=1)
    Results(tmp_path).agree(contest.about, {"greedy": "greedy", "random": "random"})
    file = tmp_path / "results.jsonl"
    begun = file.read_text()
    sound = {"lineup": ["greedy", "random"], "seed": 1, "games": [_SOUND, _SOUND]}
    file.write_text(begun + json.dumps(sound) + "\n")
    assert Results(tmp_path).has(contest.lineups[0], 1)
    file.write_text(begun + json.dumps(sound | wrong) + "\n")
    with pytest.raises(GameError, match="line 4 is damaged; take it out"):
        Results(tmp_path)


@pytest.mark.parametrize(
    "wrong", [{"format": 2}, {"format": "1"}, {"seed": None}, {"seats": 0}, {"game": 5}, {"options": []}], ids=str
)
def test_results_that_do_not_say_what_of_are_damaged(wrong: dict[str, object], tmp_path: Path) -> None:
    about = {"format": 1, **a_contest().about}
    (tmp_path / "results.jsonl").write_text(json.dumps({"about": about | wrong}) + "\n")
    with pytest.raises(GameError, match="line 1 is damaged, or of another version"):
        Results(tmp_path)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/nowhere/at-all", "it cannot be started: No such file or directory"),
        (f"{sys.executable} {PLAYERS / 'bad.py'} 'crash at once'", "it ended with status 1: no such file: weights"),
        # signs that a terminal would obey are shown as signs that cannot be read
        (
            f"{sys.executable} {PLAYERS / 'bad.py'} shout",
            "it ended with status 1: \ufffd]0;mine now\ufffd\ufffd[2J no weights",
        ),
    ],
    ids=["not there", "crash at once", "shout"],
)
def test_who_does_not_get_ready_is_refused_and_loses_nothing(command: str, why: str, tmp_path: Path) -> None:
    """Before anything is played, and on a machine where nobody was tried out, also when it is to play."""
    bad = f"bad={command}"
    said = re.escape(f"bad does not get ready on {socket.gethostname()}: {why}; mend it, or what is given")
    with pytest.raises(GameError, match=said):
        play_contest(a_contest(CONNECT_FOUR, 2, "random", bad), Results(tmp_path), Here())
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(GameError, match=said):
        play_one(CONNECT_FOUR, "random", bad)


def test_who_cannot_be_started_again_ends_the_contest(tmp_path: Path) -> None:
    """What it lost by its crash is no result of its own: the rest of that deal could not be played."""
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} brittle {tmp_path / 'begun'}"
    contest = a_contest(CONNECT_FOUR, 2, "random", bad)
    with pytest.raises(GameError, match=r"bad does not get ready on .*: nothing left to begin with; mend it"):
        play_contest(contest, Results(tmp_path), Here())
    assert not Results(tmp_path).has(contest.lineups[0], 1)
    assert (tmp_path / "begun").read_text() == "..."


def test_who_has_gone_between_two_games_loses_the_next_one(tmp_path: Path) -> None:
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} leave"
    (course,) = play_contest(a_contest(CONNECT_FOUR, 2, "random", bad, deals=4), Results(tmp_path), Here())
    assert [[game.lost is not None for game in deal.games] for deal in course.counted] == [
        [False, False],
        [True, True],
    ] * 2
    assert course.counted[1].games[0].lost == (1, "it ended with status 0")


def test_two_that_go_wrong_at_one_table_leave_the_win_to_the_third() -> None:
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} illegal"
    deal = play_one(PEBBLES, "greedy", bad, "random")
    assert sorted(deal.games[0].standings) == [1, 1, 3]


def test_who_crashes_wins_nothing_by_its_own_copies(tmp_path: Path) -> None:
    """Also in results that were written when other seats of it shared the win."""
    bad = f"bad={sys.executable} {PLAYERS / 'bad.py'} illegal"
    contest = a_contest(PEBBLES, 3, "random", bad, deals=2)
    courses = play_contest(contest, Results(tmp_path), Here())
    for course in courses:
        for deal in course.counted:
            for seating, game in zip(deal.lineup.seatings, deal.games, strict=True):
                lost = 1 + seating.count("random")
                assert game.standings == [lost if name == "bad" else 1 for name in seating]
    found = {each.name: each for each in strength_of(courses, ["random", "bad"]).players}
    assert found["bad"].share.value == 0
    assert found["random"].share.value == pytest.approx(2 / 3)
    file = tmp_path / "results.jsonl"
    file.write_text(file.read_text().replace('"standings":[1,2,2]', '"standings":[1,1,3]'))
    assert '"standings":[1,1,3]' in file.read_text()
    assert play_contest(contest, Results(tmp_path), Idle()) == courses


def test_among_its_copies_alone_who_crashes_has_lost_to_nobody() -> None:
    """But alone at the table it comes in behind all that could go on."""
    assert standings_without(1, ["bad", "bad", "bad"]) == [1, 1, 1]
    assert standings_without(0, ["bad"]) == [2]
    assert standings_without(0, ["bad", "greedy", "bad", "random"]) == [3, 1, 3, 1]
    assert standings_without(2, ["greedy", "random", "bad"]) == [1, 1, 3]


def test_a_process_is_told_nothing_that_its_seat_may_not_know() -> None:
    """Two states that the seat cannot tell apart are asked in the same words, but for the state dealt again."""
    from thorp.arena.questions import opening, question, state_of

    match = thorp.Match(PEBBLES, 3, seed=1)
    twin = match.copy()
    PEBBLES.determinize(twin.state, 1, 99)
    assert PEBBLES.bytes(twin.state) != PEBBLES.bytes(match.state)
    asked, other = question(match, 1, 5, 1.0), question(twin, 1, 5, 1.0)
    assert asked == other
    assert json.loads(json.dumps(asked)) == asked
    assert PEBBLES.legal_moves(state_of(PEBBLES, asked["state"]), 1) == [each["move"] for each in asked["legal"]]
    assert "seed" not in opening(match, 1, 1.0)
    for wrong in ("", "abc", asked["state"][:-4], base64.b64decode(asked["state"])[:7], "ß", None):
        with pytest.raises(GameError, match="is told as Base64, as it came with the question"):
            state_of(PEBBLES, wrong)  # type: ignore[arg-type]
    assert {"prompt", "view", "legal", "state", "seconds", "seed", "type"} == set(asked)
    assert asked["legal"][0]["words"].startswith("Choose ")


def test_what_is_learned_at_a_table_is_learned_before_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """As at tables that people sit at; nobody who does not go by it waits for it."""
    learned: list[tuple[str, int]] = []
    monkeypatch.setattr(tables, "known_or_learned", lambda game, state, seats: learned.append((game.id, seats)))
    options = PEBBLES.options_for(3)
    for who in (("greedy", "casual", "random"), ("greedy", "learned", "random")):
        play_game(PEBBLES, options, 5, [entrant(name) for name in who], Chairs(), 1.0)
    assert learned == [(PEBBLES.id, 3)]


def test_what_is_learned_at_a_table_is_there_for_a_player_of_ones_own_that_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before its time to think begins, which is shorter than to learn takes; and nobody learns for who does not."""
    learned: list[int] = []
    monkeypatch.setattr(tables, "known_or_learned", lambda game, state, seats: learned.append(seats))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    chairs = Chairs()
    for who in ("Modest", "Taught"):
        given = entrant(f"arena.players.mine:{who}")
        outcome = play_game(CONNECT_FOUR, CONNECT_FOUR.options_for(2), 5, [given, entrant("random")], chairs, 60.0)
        assert outcome.lost is None
    chairs.end()
    assert learned == [2]


@pytest.mark.parametrize("name", [" ", "   ", " me", "me "])
def test_a_name_is_not_made_of_blanks_nor_between_them(name: str) -> None:
    with pytest.raises(GameError, match="needs a name of up to 40 letters"):
        entrant(f"{name}=python3 x")
    assert entrant("my bot=python3 x").name == "my bot"
