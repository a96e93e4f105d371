"""What is learned for one table: that it learns, that it is kept, and that nothing else is taken for it."""

import errno
import os
import random
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thorp
from thorp.checks.matches import random_options
from thorp.cli.main import main
from thorp.core.errors import GameError
from thorp.core.match import AnyMatch
from thorp.core.ntuples import Lookup, NTuples
from thorp.core.weights import room
from thorp.players import Effort, Thought, Way, analyse, choose, choose_in, learn_for, lessons
from thorp.players.lessons import Lesson, is_known, keep, key_of, known
from thorp.training.contest import contests

GAME = thorp.game("tiny-towns")
CARDS = {"farm": "granary", "well": "shed", "chapel": "abbey", "tavern": "almshouse", "monuments": "no"}
CARDS |= {"theater": "market", "factory": "trading_post"}


pytestmark = pytest.mark.usefixtures("nothing_learned")


def _match(seats: int = 1, seed: int = 1, **options: str) -> AnyMatch:
    return thorp.Match(GAME, seats, {**CARDS, **options}, seed)


def _short(monkeypatch: pytest.MonkeyPatch, tried: int, learned: int) -> None:
    monkeypatch.setattr(lessons, "ROUNDS", ((len(lessons.WAYS), tried), (1, learned)))


def test_a_lesson_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """By it games that it has not seen bring far more than by what it began with."""
    _short(monkeypatch, 300, 600)
    match = _match()
    told = []
    lesson = Lesson(GAME, match.state, 1)
    learned = lesson.learn(lambda: told.append(lesson.done))
    assert learned.shape == (GAME.net.learned,)
    assert np.isfinite(learned).all()
    assert lesson.done == lesson.games == 6 * 300 + 600
    assert told == sorted(told)
    fresh = range(1 << 40, (1 << 40) + 60)
    after, _ = contests(GAME, learned, 1, 1, fresh, CARDS)
    before, _ = contests(GAME, GAME.net.hopeful_row(GAME.net.hope)[GAME.net.first :], 1, 1, fresh, CARDS)
    assert after.mean() > before.mean() + 15
    # the same games learn the same
    _short(monkeypatch, 30, 3)
    assert np.array_equal(Lesson(GAME, match.state, 1).learn(), Lesson(GAME, match.state, 1).learn())


def test_a_lesson_learns_what_helps_among_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with several seats are fewer, and one seat of each learns; against a greedy player it has far more."""
    _short(monkeypatch, 600, 1200)
    lesson = Lesson(GAME, _match(2).state, 2)
    learned = lesson.learn()
    assert lesson.done == lesson.games == 6 * 300 + 600
    fresh = range(1 << 40, (1 << 40) + 60)
    after, _ = contests(GAME, learned, 2, 1, fresh, CARDS)
    before, _ = contests(GAME, GAME.net.hopeful_row(GAME.net.hope)[GAME.net.first :], 2, 1, fresh, CARDS)
    assert after[:, 0].mean() > before[:, 0].mean() + 25


def test_it_matters_to_a_lesson_who_else_sits_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others see as many of their moves as the net says; alone nobody does."""
    _short(monkeypatch, 8, 4)

    def learned(seats: int, strangers: int) -> Any:
        lesson = Lesson(GAME, _match(seats).state, seats)
        lesson.net = replace(GAME.net, strangers=strangers)
        return lesson.learn()

    assert not np.array_equal(learned(3, 1), learned(3, 3))
    assert not np.array_equal(learned(3, 3), learned(3, 9))
    assert np.array_equal(learned(3, 3), Lesson(GAME, _match(3).state, 3).learn())
    assert np.array_equal(learned(1, 1), learned(1, 3))


def test_with_others_it_has_half_as_many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    _short(monkeypatch, 5, 3)
    lesson = Lesson(GAME, _match(4).state, 4)
    assert lesson.learn() is not None
    assert lesson.done == lesson.games == 6 * 3 + 2


def test_the_command_learns_from_its_seed_and_keeps_it_for_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _short(monkeypatch, 4, 2)
    chosen = {**random_options(GAME, 1, random.Random(1)), **CARDS}
    command = ["train", GAME.id, "--seats", "1", "--seed", "7"]
    command += [part for name, value in chosen.items() for part in ("--option", f"{name}={value}")]
    assert main(command) == 0
    state = thorp.Match(GAME, 1, chosen, 7).state
    learned = known(GAME, state, 1)
    assert np.array_equal(learned, Lesson(GAME, state, 1, 7).learn())
    assert not np.array_equal(learned, Lesson(GAME, state, 1).learn())
    assert "Ways to learn came to" in capsys.readouterr().out


def test_the_command_learns_for_the_table_of_a_match(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _short(monkeypatch, 3, 2)
    match = thorp.Match(GAME, 2, seed=8)
    match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    (file := tmp_path / "match.json").write_text(match.export())
    assert not is_known(GAME, match.state, 2)
    assert main(["train", "tiny-towns", "--match", str(file)]) == 0
    assert is_known(GAME, match.state, 2)
    # what was learned for is told
    assert "Tiny Towns, 2 seats:" in (said := capsys.readouterr().out)
    assert all(name in said for name in re.findall(r"^\w+  (\w+)", GAME.face.text(match.state, None), re.MULTILINE))
    for more, why in ((["--seats", "2"], "leave out --seats"), (["--option", "farm=granary"], "leave out --seats")):
        assert main(["train", "tiny-towns", "--match", str(file), *more]) == 1
        assert why in capsys.readouterr().err
    for seed in ("-1", str(1 << 64)):
        assert main(["train", "tiny-towns", "--match", str(file), "--seed", seed]) == 1
        assert "a seed is an integer from 0" in capsys.readouterr().err
    (other := tmp_path / "other.json").write_text(thorp.Match("villagers", 2, seed=1).export())
    assert main(["train", "tiny-towns", "--match", str(other)]) == 1
    assert "a match of Villagers, not of Tiny Towns" in capsys.readouterr().err
    assert main(["train", "villagers", "--match", str(other)]) == 1
    assert "for all tables at once" in capsys.readouterr().err


def test_in_python_one_learns_for_a_match_and_is_warned_where_nothing_was(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _short(monkeypatch, 3, 2)
    lessons._say_missing.cache_clear()
    match, told = _match(seed=9), []
    for name in ("greedy", "casual", "learned", "learned", "strong@0.001"):
        choose(name, match, 0, 1)
    assert len(caplog.messages) == 1, "once for a table, and by who goes by it"
    analyse(other := _match(2, seed=9), other.waiting[0], effort=Effort(playouts=1))
    assert len(caplog.messages) == 2, "with two seats it is another one"
    assert "thorp.players.learn_for(match)" in caplog.text
    learn_for(match, lambda done, games: told.append((done, games)))
    assert told[0] == (0, 6 * 3 + 2)
    assert known(GAME, match.state, 1) is not None
    lessons._say_missing.cache_clear()
    choose("learned", match, 0, 1)
    learn_for(thorp.Match("villagers", 2, seed=1))
    choose("learned", thorp.Match("villagers", 2, seed=1), 0, 1)
    assert len(caplog.messages) == 2


def test_a_lesson_can_be_stopped() -> None:
    lesson = Lesson(GAME, _match().state, 1)
    assert lesson.learn(lesson.stop) is None


def test_a_game_without_tables_is_refused() -> None:
    other = thorp.game("valeria")
    with pytest.raises(GameError, match="nothing that is learned at a table"):
        Lesson(other, thorp.Match(other, 2, seed=1).state, 2)
    assert is_known(other, thorp.Match(other, 2, seed=1).state, 2)


def test_what_was_learned_holds_for_its_cards_and_seats_and_for_nothing_else() -> None:
    state = _match().state
    learned = np.arange(GAME.net.learned, dtype=np.float32)
    keep(GAME, state, 1, learned)
    later = _match(seed=9)
    later.play(0, later.legal(0)[0])
    assert np.array_equal(known(GAME, later.state, 1), learned)
    for other in (_match(2), _match(chapel="temple"), _match(monuments="yes"), _match(cavern="yes")):
        assert known(GAME, other.state, other.seats) is None
        assert not is_known(GAME, other.state, other.seats)


def test_what_is_damaged_on_disk_is_learned_anew(nothing_learned: Path, caplog: pytest.LogCaptureFixture) -> None:
    state = _match().state
    keep(GAME, state, 1, np.ones(GAME.net.learned, np.float32))
    (file,) = nothing_learned.iterdir()
    whole = file.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole[:100] + b"?" + whole[101:], b""):
        file.write_bytes(damaged)
        lessons._kept.rows.clear()
        assert known(GAME, state, 1) is None
        assert not file.exists()
    assert "learned anew" in caplog.text


def test_what_is_damaged_is_not_known(nothing_learned: Path) -> None:
    state = _match().state
    keep(GAME, state, 1, np.ones(GAME.net.learned, np.float32))
    assert is_known(GAME, state, 1)
    lessons._kept.rows.clear()
    assert is_known(GAME, state, 1)
    (file,) = nothing_learned.iterdir()
    file.write_bytes(file.read_bytes()[:-100])
    lessons._kept.rows.clear()
    assert not is_known(GAME, state, 1)


def test_what_cannot_be_read_for_a_moment_is_not_thrown_away(
    nothing_learned: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    state = _match().state
    keep(GAME, state, 1, np.ones(GAME.net.learned, np.float32))
    lessons._kept.rows.clear()

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Path, "open", full)
        assert known(GAME, state, 1) is None
    assert known(GAME, state, 1) is not None
    assert os.strerror(errno.EMFILE) in caplog.text


def test_what_is_damaged_and_cannot_be_taken_away_stops_nobody(
    nothing_learned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = _match()
    keep(GAME, match.state, 1, np.ones(GAME.net.learned, np.float32))
    lessons._kept.rows.clear()
    (file,) = nothing_learned.iterdir()
    file.write_bytes(b"damaged")

    def forbidden(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "unlink", forbidden)
    assert choose("learned", match, 0, 1) in match.legal(0)


def test_only_so_many_lessons_are_kept(monkeypatch: pytest.MonkeyPatch, nothing_learned: Path) -> None:
    monkeypatch.setattr(lessons, "ON_DISK", 2)
    learned = np.zeros(GAME.net.learned, np.float32)
    for number, tavern in enumerate(("almshouse", "feast_hall", "tavern")):
        match = _match(tavern=tavern)
        keep(GAME, match.state, 1, learned)
        file = next(iter(nothing_learned.glob(f"*{key_of(GAME, match.state, 1)}*")))
        os.utime(file, (number, number))
    assert len(list(nothing_learned.iterdir())) == 2
    assert len(lessons._kept.rows) == 3


def test_what_a_process_had_begun_to_write_when_it_was_killed_does_not_stay(nothing_learned: Path) -> None:
    nothing_learned.mkdir()
    old, new = (nothing_learned / f".tiny-towns-{number}.{number}.part" for number in (1, 2))
    for part, age in ((old, lessons._PART_SECONDS + 60), (new, 0)):
        part.write_bytes(b"half of it")
        os.utime(part, (time.time() - age,) * 2)
    keep(GAME, _match().state, 1, np.zeros(GAME.net.learned, np.float32))
    assert (old.exists(), new.exists()) == (False, True)


def test_where_there_is_no_room_a_lesson_holds_for_its_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lessons, "_folder", lambda: tmp_path / "a file" / "folder")
    (tmp_path / "a file").write_bytes(b"")
    keep(GAME, _match().state, 1, np.ones(GAME.net.learned, np.float32))
    assert known(GAME, _match().state, 1) is not None


def test_what_was_learned_is_played_by() -> None:
    """The player `learned`, and a search that only looks one move ahead, take what is worth most by it."""
    learned = np.random.default_rng(3).normal(size=GAME.net.learned).astype(np.float32)
    match = _match()
    keep(GAME, match.state, 1, learned)
    row, differs = room(GAME, learned), 0
    for _ in range(12):
        worth = {}
        for move in match.legal(0):
            after = match.copy()
            after.play(0, move)
            worth[move] = GAME.value(after.state, 0, row)
        best = max(worth, key=lambda move: worth[move])
        if len(worth) > 1:
            assert choose_in("learned", GAME, match.state, 0, 1) == best
            assert Thought(GAME, match.state, 1, 0, 1, Way(candidates=3), learned).think()[0].move == best
            plain = Way(candidates=3, learned=False)
            differs += Thought(GAME, match.state, 1, 0, 1, plain, learned).think()[0].move != best
        match.play(0, best)
    assert differs > 3


def test_tables_that_cannot_be_numbered_are_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        NTuples((Lookup("all", 1, 1 << 25),), ("seats",), 10)
