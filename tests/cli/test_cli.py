"""The command line."""

import io
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import connect_four
import pytest
import toy
from wrapped import wrapped

import thorp
from thorp import Match, players
from thorp.checks.matches import play_randomly
from thorp.cli import analyse, bench, lessons, main, play
from thorp.cli.play import Terminal
from thorp.core.columns import width
from thorp.core.language import speaking
from thorp.core.match import AnyMatch
from thorp.core.words import say
from thorp.players.lessons import beginning_of, is_known, key_of, known

GAME = "tiny-towns"


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """A finished match in a file."""
    match = Match(GAME, 2, seed=11)
    play_randomly(match, random.Random(1))
    file = tmp_path / "match.json"
    file.write_text(match.export())
    return file


def test_replay_tells_the_match_and_checks_it(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(exported)]) == 0
    out = capsys.readouterr().out
    match = Match.load(exported.read_text())
    assert len([line for line in out.splitlines() if line[:5].strip().isdecimal()]) == match.ply
    assert f"digest {match.digest()}" in out
    assert "Squares without a building" in out


def test_what_follows_from_moves_is_told_in_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a replay all of it, in play what a seat knows; and of the move that ends a match, too."""
    match: AnyMatch = Match("villagers", 2, seed=11)
    play_randomly(match, random.Random(1))
    (file := tmp_path / "match.json").write_text(match.export())
    assert main(["replay", str(file)]) == 0
    replayed = capsys.readouterr().out
    assert re.search(r"\n +The First Market is held: Seat 1 takes \d+ gold, Seat 2 takes \d+ gold\.\n", replayed)
    drawn = re.findall(r"\n +(Seat \d) drew (.+)\.\n", replayed)
    assert {seat for seat, _ in drawn} == {"Seat 1", "Seat 2"}

    mine: AnyMatch = Match("villagers", 2, seed=11)
    table = Terminal(mine, ("Ada", "Other"), "random", lambda prompt: "1")
    assert table.play() is True
    told = capsys.readouterr().out
    for market in ("First", "Second"):
        assert re.search(rf"\n  The {market} Market is held: Ada takes \d+ gold, Other takes \d+ gold\.\n", told)
    last = mine.log()[-1]
    before = mine.at(mine.ply - 1).state
    assert say(mine.game.face.tell(before, last.seat, last.move, 0), ("Ada", "Other")) in told.splitlines()[-4:]


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_replay_tells_a_match_that_went_back(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Chance was drawn anew there: other cards came than those of the deal."""
    match: AnyMatch = Match(game, 2, seed=5)
    rng = random.Random(1)
    for moves, seed in ((20, 7), (30, 8)):
        play_randomly(match, rng, moves=moves)
        match.go_back(0, seed)
    play_randomly(match, rng)
    assert len(match.anew) == 2
    file = tmp_path / "match.json"
    file.write_text(match.export())
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert len([line for line in out.splitlines() if re.match(r" {1,4}\d+  ", line)]) >= match.ply
    assert "the file is sound" in out


def test_the_score_sheet_stands_in_columns_also_in_japanese(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "ja", "replay", "--quiet", str(exported)]) == 0
    head, *lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    rows = [line for line in lines if line[-1].isdecimal() and "digest" not in line]
    assert len(rows) > 3
    assert len({width(line) for line in (head, *rows)}) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", GAME, "--seats", "9"], "Tiny Towns es para 1 a 6 asientos, no 9"),
        (["play", GAME, "--option", "farm"], "una opción se escribe NOMBRE=VALOR, no 'farm'"),
        (["replay", "no.json"], "no se puede leer no.json: No such file or directory"),
        (["replay", "list.json"], "list.json: esto no es una partida exportada: se esperaba un objeto"),
        # other commands are English
        (["analyse", "list.json"], "list.json: this is no exported match: an object was expected"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused_is_said_in_the_language_of_the_command(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.json").write_text("[]")
    assert main(["--language", "es", *arguments]) == 1
    assert capsys.readouterr().err == f"thorp: {said}\n"


def test_what_is_refused_of_options_is_said_in_the_words_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "es", "play", GAME, "--option", "farm=castle"]) == 1
    assert "Granja" in capsys.readouterr().err


def test_bots_in_the_terminal_are_called_as_at_tables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt="": "q")
    for seats, bots in ((2, 1), (1, 0)):
        assert main(["--language", "es", "play", GAME, "--seats", str(seats), "--seed", "1"]) == 1
        first = capsys.readouterr().out.splitlines()[0]
        assert first.count("hábil") == bots
        assert "skilled" not in first


def test_rules_get_ready_in_the_language_that_is_spoken(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking(wrapped()):
        play._show_progress(2, 3, "deal")
        play._show_progress(3, 3, "")
    assert capsys.readouterr().err == "⟦3 rules are ready.⟧\n"


@pytest.fixture
def four(tmp_path: Path) -> Path:
    """A finished match of a small game in a file."""
    match = Match(connect_four.GAME, 2)
    for move in (3, 2, 3, 2, 3, 2, 0, 2):
        match.play(match.waiting[0], move)
    file = tmp_path / "four.json"
    file.write_text(match.export())
    return file


def test_analyse_says_what_decisions_cost(four: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["analyse", str(four), "--playouts", "40", "--most", "1"]
    assert main(asked) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    heads = [line for line in lines if line.startswith("Seat ")]
    assert [head.split(":")[0] for head in heads] == ["Seat 1", "Seat 2"]
    match = Match.load(four.read_text())
    for seat, head in enumerate(heads):
        assert head.endswith(f"at the end {100 if match.standings[seat] == 1 else 0} %.")
        begin, luck, cost, result = (int(each) for each in re.findall(r"([+-]?\d+) %", head))
        # each of the four is rounded by itself
        assert abs(begin + luck + cost - result) <= 2
    assert out.count("played:") == out.count("better:") <= 2
    # what is told to have cost something was judged once more, in five times as many games, half of them for four moves
    assert min(int(games) for games in re.findall(r"(\d+) games", out)) > 20
    assert main(asked) == 0
    assert capsys.readouterr().out == out
    assert main([*asked, "--seat", "2"]) == 0
    assert capsys.readouterr().out == out[out.index("Seat 2") :]


def test_analyse_counts_what_the_game_counts() -> None:
    villagers, towns = (thorp.Match(game, 1, seed=3) for game in ("villagers", "tiny-towns"))
    for match, worth, sign, told in (
        (villagers, 12.345, "", "12.3 gold"),
        (villagers, 1.0, "+", "+1.0 gold"),
        (villagers, -1.26, "+", "-1.3 gold"),
        (villagers, -0.04, "+", "+0.0 gold"),
        (towns, 31.25, "", "31.2 points"),
    ):
        assert analyse.so_many(match, worth, sign) == told


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--seat", "3"], "seats 1 to 2, not 3"),
        (["--seat", "0"], "seats 1 to 2, not 0"),
        (["--most", "-1"], "cannot be printed: -1"),
        (["--playouts", "0"], "1 to 10000000 games, not by 0"),
        (["--seconds", "0"], "seconds, not in 0.0"),
    ],
)
def test_analyse_refuses_what_cannot_be(
    more: list[str], said: str, four: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(four), *more]) == 1
    assert said in capsys.readouterr().err


def test_analyse_is_for_matches_that_are_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "running.json"
    file.write_text(Match(GAME, 2, seed=1).export())
    assert main(["analyse", str(file)]) == 1
    assert "is not over" in capsys.readouterr().err


def test_before_a_match_is_looked_through_its_table_is_learned(
    four: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    def learn(match: AnyMatch, tell: Callable[[int, int], None]) -> None:
        asked.append((match.game.id, match.seats))
        tell(0, 400)
        tell(300, 400)

    monkeypatch.setattr(lessons, "learn_for", learn)
    main(["analyse", str(four), "--playouts", "4"])
    assert asked == [("connect-four", 2)]
    said = "Learning to play with these cards: 0 %\nLearning to play with these cards: 75 %\n"
    assert said in capsys.readouterr().err


@pytest.mark.usefixtures("short_lessons")
def test_before_a_match_is_looked_through_what_is_damaged_is_learned_anew(
    nothing_learned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match("tiny-towns", 1, seed=4)
    nothing_learned.mkdir()
    file = nothing_learned / f"{match.game.id}-{key_of(match.game, match.state, 1)}.npz"
    file.write_bytes(b"damaged")
    lessons.learn_first(match)
    assert known(match.game, match.state, 1) is not None
    assert "Learning to play with these cards" in capsys.readouterr().err
    # and what is there is not learned again
    lessons.learn_first(match)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("short_lessons")
@pytest.mark.parametrize(
    ("level", "answers", "learns"), [("strong@0.001", "q", True), ("greedy", "q", False), ("greedy", "hq", True)]
)
def test_beside_a_game_in_the_terminal_its_table_is_learned_where_somebody_goes_by_it(
    level: str, answers: str, learns: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(GAME, 2, seed=4)
    given, waited_for = iter(answers), threading.Event()

    class Slow(players.lessons.Lesson):
        """As lessons are: it is not done before a hint waits for it."""

        @property
        def games(self) -> int:
            waited_for.set()
            return super().games

        def learn(self, tell: Callable[[], None] = lambda: None) -> Any:
            assert answers != "hq" or waited_for.wait(300)
            return super().learn(tell)

    monkeypatch.setattr(lessons, "Lesson", Slow)

    def ask(prompt: str) -> str:
        answer = next(given)
        if answers == "hq" and answer == "q":
            assert is_known(match.game, beginning_of(match), 2), "a hint waits for it"
        while answer == "q" and learns and not is_known(match.game, beginning_of(match), 2):
            threading.Event().wait(0.01)
        return answer

    assert Terminal(match, ("You", "Other"), level, ask).play() is False
    assert is_known(match.game, beginning_of(match), 2) == learns
    assert ("Learning to play with these cards" in capsys.readouterr().err) == (answers == "hq")


def test_who_leaves_the_terminal_does_not_wait_for_a_lesson(
    nothing_learned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.players.lessons.ROUNDS", ((1, 10_000_000),))
    beside = lessons.LessonBeside(match := Match(GAME, 2, seed=5))
    beside.begin()
    beside.begin()
    beside.end()
    assert not is_known(match.game, beginning_of(match), 2), "of what is broken off nothing is kept"
    assert [each for each in threading.enumerate() if each.name == "who learns a game"] == []


@pytest.mark.parametrize(
    ("game", "seats", "worth"),
    [(toy.GAME, 1, r"-?\d+\.\d points"), (connect_four.GAME, 2, r"\d+ % to win, \d points?")],
)
def test_the_terminal_gives_hints(
    game: thorp.Game, seats: int, worth: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "HINT", players.Effort(playouts=40))
    match, answers = Match(game, seats, seed=2), _answers("h", "1", "q")
    assert Terminal(match, ("You", "Other"), "greedy", lambda prompt: next(answers)).play() is False
    hints = capsys.readouterr().out.split("the best first:")[1]
    told = re.findall(rf"^   (\d)  .+ \({worth}\)$", hints, re.MULTILINE)
    assert told == ["1", "2", "3"], hints
    judged = players.judge(game, match.at(0).state, seats, 0, 0, effort=play.HINT)
    assert match.log()[0].move == judged.best.move


def test_a_hint_goes_on_with_the_line_of_the_hint_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who follows hints alone is told of no worse."""
    courses: list[tuple[int, ...]] = []
    judge = players.judge

    def judge_on(*where: Any, course: tuple[int, ...] = (), **more: Any) -> players.Analysis:
        courses.append(course)
        return replace(judge(*where, **more), line=(*course, len(courses)))

    monkeypatch.setattr(play, "HINT", players.Effort(playouts=10))
    monkeypatch.setattr(players, "judge", judge_on)
    answers = _answers("h", "1", "h", "u", "h", "q")
    assert Terminal(Match(toy.GAME, 1, seed=2), ("You",), "greedy", lambda prompt: next(answers)).play() is False
    assert courses == [(), (1,), (1, 2)]


@pytest.mark.parametrize("ply", [0, 3, 6])
def test_analyse_judges_one_decision(ply: int, four: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["analyse", str(four), "--playouts", "60", "--ply", str(ply)]
    assert main(asked) == 0
    out = capsys.readouterr().out
    judged = thorp.analyse(Match.load(four.read_text()), ply % 2, ply, players.Effort(playouts=60))
    lines = out.splitlines()
    assert lines[0].startswith(f"Seat {ply % 2 + 1} after {ply} moves: ")
    # those that were compared in the same games stand first, in the order in which they are judged
    most = max(each.games for each in judged.moves)
    moves = sorted(judged.moves, key=lambda each: each.games < most)
    parted = [nth for nth, line in enumerate(lines) if "not to be compared with these" in line]
    compared = sum(each.games == most for each in moves)
    assert parted == ([1 + compared] if compared < len(moves) else [])
    told = [line for line in lines[1:-1] if "not to be compared" not in line]
    assert [line.startswith("  * ") for line in told] == [each is judged.played for each in moves]
    assert lines[-1].startswith("  * was played, and cost ")
    assert main([*asked, "--seat", str(ply % 2 + 1)]) == 0
    assert capsys.readouterr().out == out


@pytest.mark.parametrize(
    ("cost", "error", "by_points", "line", "told"),
    [
        (0.2, 0.01, False, (), "20 %"),
        (0.2, 0.2, False, (), "20 %, which may be chance"),
        (0.004, 0.2, False, (), "nothing that could be told"),
        (0.0, 0.2, False, (), "nothing"),
        (3.0, 2.0, True, (1, 2), "3.0 points by the lines that were found"),
        (9.0, 2.0, True, (1, 2), "9.0 points"),
        (0.04, 2.0, True, (), "nothing that could be told"),
    ],
)
def test_analyse_says_what_a_move_cost_as_surely_as_it_is(
    cost: float, error: float, by_points: bool, line: tuple[int, ...], told: str
) -> None:
    worth = (lambda it: (1.0, 0.0, it, error)) if by_points else (lambda it: (it, error, 30.0, 0.0))
    best, played = (players.Expected(move, 9, *worth(it)) for move, it in ((1, cost), (2, 0.0)))
    judged = players.Analysis(0, 0, (best, played), played, by_points, line)
    assert analyse._cost(thorp.Match("tiny-towns", 1, seed=3), judged) == told


def test_analyse_judges_a_decision_of_a_match_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(connect_four.GAME, 2, seed=1)
    match.play(0, 3)
    (file := tmp_path / "running.json").write_text(match.export())
    assert main(["analyse", str(file), "--playouts", "60", "--ply", "1"]) == 0
    assert "*" not in (out := capsys.readouterr().out), "nothing was played yet"
    assert out.startswith("Seat 2 after 1 move: ")
    for more, why in (
        (["--ply", "2"], "judged after 0 to 1 moves, not 2"),
        (["--ply", "-1"], "judged after 0 to 1 moves, not -1"),
        # counted from 1, as it was asked for
        (["--ply", "1", "--seat", "1"], "seat 1 has nothing to decide after 1 move"),
        (["--ply", "1", "--seat", "9"], "this match has seats 1 to 2, not 9"),
        ([], "--ply N judges one"),
    ):
        assert main(["analyse", str(file), *more]) == 1
        assert why in capsys.readouterr().err


@pytest.mark.parametrize("most", ["1", "3"])
def test_how_many_decisions_are_told_is_not_asked_with_one(
    most: str, four: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["analyse", str(four), "--playouts", "4", "--ply", "1", "--most", most])
    assert refused.value.code == 2
    assert "argument --most: not allowed with argument --ply" in capsys.readouterr().err


def test_replay_reads_standard_input(
    exported: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(exported.read_bytes())))
    assert main(["replay", "-", "--quiet"]) == 0
    assert "the file is sound" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["replay", "-"], ["deck", "check", "-"]])
def test_where_there_is_no_standard_input_it_is_said(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert main(command) == 1
    assert "thorp: there is no standard input" in capsys.readouterr().err


def test_who_cannot_type_leaves_the_game(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert main(["play", GAME, "--seats", "1", "--seed", "5"]) == 1


@pytest.mark.parametrize(("typed", "said"), [(b"9" * 5000 + b"\nq\n", "Type a number from 1 to "), (b"\xff\n", "> ")])
def test_whatever_is_typed_is_an_answer(
    typed: bytes, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed), "utf-8"))
    assert main(["play", GAME, "--seats", "1", "--seed", "5"]) == 1
    assert said in capsys.readouterr().out


def test_a_match_that_is_left_by_ctrl_c_is_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(("1", "1"))

    def type_or_leave(prompt: str) -> str:
        if (answer := next(answers, None)) is None:
            raise KeyboardInterrupt
        return answer

    monkeypatch.setattr(play, "_read", type_or_leave)
    file = tmp_path / "left.json"
    assert main(["play", GAME, "--seats", "1", "--seed", "5", "--save", str(file)]) == 130
    assert Match.load(file.read_bytes()).ply >= 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a disk that is full")
def test_what_cannot_be_written_is_said() -> None:
    command = [sys.executable, "-m", "thorp", "rules", "villagers"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "thorp: [Errno 28] No space left on device\n")


def test_what_a_terminal_has_no_letters_for_is_told_all_the_same() -> None:
    command = [sys.executable, "-m", "thorp", "--language", "ja", "rules", "villagers"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


@pytest.mark.parametrize("text", ["", "{}", "no match", '{"format": 1}'])
def test_replay_refuses_broken_files(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text)
    assert main(["replay", str(file)]) == 1
    assert f"thorp: {file}: " in capsys.readouterr().err


def test_replay_notices_an_edit(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(exported.read_text())
    data["seed"] += 1
    exported.write_text(json.dumps(data))
    assert main(["replay", str(exported)]) == 1
    assert "thorp: " in capsys.readouterr().err


def test_a_missing_file_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none.json")]) == 1
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "chess"], "there is no game 'chess'"),
        (["play", GAME, "--seats", "7"], "1 to 6 seats"),
        (["play", GAME, "--option", "farm=castle"], "Farm cannot be 'castle'"),
        (["play", GAME, "--option", "farm"], "NAME=VALUE"),
        (["play", GAME, "--option", "colour=red"], "no option 'colour'"),
        (["play", GAME, "--seats", "1", "--option", "tavern=inn"], "solo"),
        (["play", GAME, "--level", "oracle"], "there is no player 'oracle'"),
        (["play", GAME, "--seed", "-4"], "a seed is an integer"),
        (["train", GAME, "--threads", "2"], "not --games, --threads or --out"),
        (["bench", "chess"], "there is no game 'chess'"),
        (["bench", GAME, "--seats", "7"], "1 to 6 seats, not 7"),
        (["bench", GAME, "--seats", "0"], "1 to 6 seats, not 0"),
        (["bench", GAME, "--seconds", "-1"], "a number of seconds above 0, not for -1.0"),
        (["bench", GAME, "--seconds", "0"], "a number of seconds above 0, not for 0.0"),
        (["bench", GAME, "--seconds", "nan"], "a number of seconds above 0, not for nan"),
        (["bench", GAME, "--seconds", "inf"], "a number of seconds above 0, not for inf"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_arguments_are_said(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # who is refused waits for nothing
    monkeypatch.setattr(bench, "_measure", lambda *_: pytest.fail("measured"))
    assert main(arguments) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "module", "extra"),
    [
        (["serve"], "thorp.server.app", "web"),
        (["admin", "list"], "thorp.server.app", "web"),
        (["words"], "thorp.cli.words", "translating"),
        (["arena", "play", GAME, "--player", "greedy", "--player", "random", "--ray", "auto"], "ray", "cluster"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_without_an_extra_it_says_how_to_install_it(
    command: list[str],
    module: str,
    extra: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "thorp.arena.cluster", raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    assert main(command) == 1
    said = capsys.readouterr().err
    assert said.startswith("thorp: ")
    assert f" the extra {extra}; in a checkout: .venv/bin/pip install -e '.[{extra}]' (" in said
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_command_exits_with_2() -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["fly"])


def test_a_whole_game_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Always the first move of the list, until the score sheet; the saved match is sound."""
    monkeypatch.setattr("builtins.input", lambda prompt="": "1")
    file = tmp_path / "saved.json"
    assert main(["play", GAME, "--seats", "3", "--level", "casual", "--seed", "5", "--save", str(file)]) == 0
    out = capsys.readouterr().out
    assert "Total" in out
    assert "Seat 3" in out
    assert Match.load(file.read_text()).over


def test_where_a_match_cannot_be_saved_is_told_before_it_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt="": pytest.fail("played"))
    for file in (tmp_path / "none" / "saved.json", tmp_path):
        assert main(["play", GAME, "--save", str(file)]) == 1
        assert f"thorp: {file} cannot be written: " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_stays_until_the_match_takes_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older, newer = tmp_path / "older.json", tmp_path / "newer.json"
    older.write_text("an older match")

    def leave(prompt: str = "") -> str:
        assert older.read_text() == "an older match"
        assert not newer.exists()
        return "q"

    monkeypatch.setattr("builtins.input", leave)
    for file in (older, newer):
        assert main(["play", GAME, "--save", str(file)]) == 1
        assert not Match.load(file.read_text()).over
        older.write_text("an older match")
        newer.unlink(missing_ok=True)


@pytest.mark.parametrize("command", ["replay", "rules", "--version", "none"])
def test_it_ends_quietly_where_nobody_reads_any_more(command: str, four: Path) -> None:
    arguments = {"replay": ["replay", str(four)], "rules": ["rules", GAME], "none": ["replay", "none.json"]}
    unread, output = os.pipe()
    os.close(unread)
    try:
        done = subprocess.run(
            [sys.executable, "-c", "import connect_four; from thorp.cli import main; raise SystemExit(main())"]
            + arguments.get(command, [command]),
            # what failed is told on standard error
            **{"stdout": output, "stderr": output if command == "none" else subprocess.PIPE},
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONUNBUFFERED": ""},
            check=False,
        )
    finally:
        os.close(output)
    assert (done.returncode, done.stderr or b"") == (1, b"")


def test_another_pipe_that_breaks_is_a_fault(four: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise BrokenPipeError

    monkeypatch.setattr("thorp.cli.replay.replay", broken)
    with pytest.raises(BrokenPipeError):
        main(["replay", str(four)])


def _answers(*given: str) -> Iterator[str]:
    yield from given


def test_the_terminal_narrows_takes_back_and_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(GAME, 1, {"monuments": "no"}, seed=2)
    first = match.words(0, match.legal(0)[0])
    answers = _answers(first.casefold(), "1", "on b2", "1", "u", "b", "nonsense words", "99", "q")
    table = Terminal(match, ("You",), "greedy", lambda prompt: next(answers))
    assert table.play() is False
    out = capsys.readouterr().out
    assert "Type a number from 1 to" in out
    assert "You places" in out
    assert next(answers, None) is None


def test_the_terminal_ends_with_the_input() -> None:
    def ask(prompt: str) -> str:
        raise EOFError

    assert Terminal(Match(GAME, 2, seed=1), ("You", "Other"), "random", ask).play() is False


def test_bench_measures_something(capsys: pytest.CaptureFixture[str]) -> None:
    figures = bench.rate(thorp.game(GAME), 2, 0.01)
    assert figures["rate"] > 0
    assert figures["moves_per_game"] > 30


def test_bench_prints_each_game_before_it_measures_the_next(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []
    figures = ("moves_per_game", "state_bytes", "compiled", "threads", "compiled_all", "plain", "driven", "playouts")
    figures += ("copies", "cold_seconds", "cached_seconds")

    def measure(game: thorp.Game, seats: int, seconds: float) -> dict[str, Any]:
        told.append(capsys.readouterr().out)
        return {"game": game.id, "seats": seats, **dict.fromkeys(figures, 1)}

    monkeypatch.setattr(bench, "_measure", measure)
    assert bench.bench([GAME, "villagers"], 2, 1.0, as_json=False) == 0
    assert "Random moves" in told[0]
    assert GAME not in told[0]
    assert f"{GAME}, 2 seats" in told[1]
    assert "loading from the cache" in told[1]


def test_every_player_that_answers_at_once_plays_every_game_to_its_end() -> None:
    for name in (name for name in players.names() if not players.seconds(name)):
        for seats in (1, 4):
            match = Match(GAME, seats, seed=8)
            while not match.over:
                seat = match.waiting[0]
                move = players.choose(name, match, seat, match.ply)
                assert move in match.legal(seat)
                assert players.choose(name, match, seat, match.ply) == move
                match.play(seat, move)


def test_serve_takes_its_settings_from_the_command_line_and_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from thorp.server import app

    served: list[app.Settings] = []
    monkeypatch.setattr(app, "serve", lambda settings, *where, **how: served.append(settings))
    monkeypatch.setenv("THORP_HOSTS", "a.example.org, *.example.net")
    monkeypatch.setenv("THORP_STREAMS", "7")
    monkeypatch.setenv("THORP_TABLES_HOURLY", "8")
    given = ["--data", str(tmp_path), "--proxies", "10.0.0.1,10.1.0.0/16", "--tables-hourly", "9", "--head-time", "2.5"]
    assert main(["serve", *given]) == 0
    expected = app.Settings(
        tmp_path,
        hosts=("a.example.org", "*.example.net"),
        proxies=("10.0.0.1", "10.1.0.0/16"),
        streams=7,
        tables_hourly=9,
        head_time=2.5,
    )
    assert served == [expected]


def test_rules_are_printed_as_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "villagers"]) == 0
    printed = capsys.readouterr().out
    assert "# Villagers\n" in printed
    assert '<a id="card-brewer"></a>**Brewer**' in printed
    assert main(["rules", toy.GAME.id]) == 1
    assert f"{toy.GAME.name} brings no rules in words" in capsys.readouterr().err
