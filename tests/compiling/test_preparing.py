"""Compiling rules, and keeping them on disk: from empty caches, damaged ones, and after edits."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import connect_four
import pytest

import thorp
from thorp.compiling.disk import alone, cache_root
from thorp.compiling.mode import COMPILED
from thorp.compiling.preparing import lock_name, prepare
from thorp.compiling.rule import rule

pytestmark = pytest.mark.skipif(not COMPILED, reason="about compiled rules")

TESTS = Path(connect_four.__file__).parents[1]


def run(body: str, cache: Path, path: Path = TESTS, **environment: str) -> str:
    """What a program prints that starts with that cache; `playing(game)` and `compiled()` are there for it."""
    program = f"""
import connect_four, thorp, toy
from thorp.compiling.rule import declared
def playing(id):
    match = thorp.Match(id, 2, seed=5)
    while not match.over:
        seat = match.waiting[0]
        move = thorp.players.choose("greedy", match, seat, match.ply) if match.ply % 3 else match.legal(seat)[-1]
        match.play(seat, move)
    return match.digest()[:12]
def compiled():
    return sorted(each.__name__ for each in declared if each.stats.cache_misses)
{body}
"""
    command = [sys.executable, "-c", program]
    # without bytecode: that of a module written anew within a second, and as long as it was, would be taken for its own
    given = {
        **os.environ,
        "THORP_CACHE": str(cache),
        "PYTHONPATH": os.pathsep.join((str(path), str(TESTS))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        command, env={**given, **environment}, cwd=path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


PLAYS = "print(playing('connect-four'), playing('pebbles'))"
#: Where one game says as much as two.
PLAYS_ONE = "print(playing('connect-four'))"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that was empty before two games were played: one without chance, with rules in nested packages."""
    folder = tmp_path_factory.mktemp("cache") / "cache"
    run(PLAYS, folder)
    return folder


@pytest.fixture(scope="module")
def played(cache: Path) -> str:
    """How these games end."""
    return run(PLAYS, cache)


def test_two_games_are_compiled_in_one_process_in_either_order(tmp_path: Path, played: str) -> None:
    other = run("print(playing('pebbles'), playing('connect-four'))", tmp_path / "empty")
    assert other.split() == played.split()[::-1]
    assert run("print(playing('connect-four'))", tmp_path / "alone") == played.split()[0]


def test_nothing_is_compiled_twice(cache: Path) -> None:
    assert run(PLAYS + "; print(compiled())", cache).splitlines()[1] == "[]"


def test_a_damaged_cache_is_mended(cache: Path, played: str, tmp_path: Path) -> None:
    """Whatever is cut short, changed, missing or too much: each of it happens to several rules."""
    rng = random.Random(1)
    broken = tmp_path / "damaged"
    shutil.copytree(cache, broken)
    folders = sorted(folder for folder in broken.iterdir() if "connect_four" in folder.name)
    assert len(folders) >= 10
    for kind, folder in enumerate(folders):
        victim = rng.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
        data = victim.read_bytes()
        match kind % 5:
            case 0:
                victim.write_bytes(data[: len(data) // 2])
            case 1:
                place = rng.randrange(len(data))
                victim.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
            case 2:
                victim.unlink()
            case 3:
                (folder / "seal.json").unlink()
            case _:
                (folder / "more").write_text("?")
    assert run(PLAYS_ONE, broken) == played.split()[0]
    assert run(PLAYS_ONE + "; print(compiled())", broken).splitlines()[1] == "[]"


def test_a_cache_that_is_no_folder_is_done_without(played: str, tmp_path: Path) -> None:
    nothing = tmp_path / "file"
    nothing.write_text("")
    assert run(PLAYS_ONE, nothing) == played.split()[0]


def test_without_a_cache_nothing_is_kept_beside_the_rules(own: Path) -> None:
    """Numba would keep it there, and load it again after a callee was edited."""
    nothing = own / "file"
    nothing.write_text("")
    run("thorp.game('connect-four').prepare()", nothing, own)
    assert not list(own.rglob("*.nbc"))


def test_two_installations_and_two_processes_share_a_cache(cache: Path, played: str, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    environment = {**os.environ, "THORP_CACHE": str(shared), "PYTHONPATH": str(TESTS)}
    program = "import connect_four, thorp; thorp.game('connect-four').prepare()"
    both = [subprocess.Popen([sys.executable, "-c", program], env=environment) for _ in range(2)]
    assert [each.wait(300) for each in both] == [0, 0]
    assert run(PLAYS_ONE, shared) == played.split()[0]
    other = tmp_path / "other"
    shutil.copytree(TESTS / "connect_four", other / "connect_four")
    shutil.copytree(Path(thorp.__file__).parent, other / "thorp", ignore=shutil.ignore_patterns("games", "server"))
    there = f"; print(compiled(), {str(other)!r} in thorp.__file__, {str(other)!r} in connect_four.__file__)"
    assert run(PLAYS_ONE + there, shared, other).split() == [played.split()[0], "[]", "True", "True"]


WAITS = """
import connect_four, thorp
from thorp.compiling.preparing import on_compiling
from thorp.compiling.rule import declared
on_compiling.append(lambda begins: print("begins" if begins else "ends", flush=True))
thorp.game("connect-four").prepare()
print(sum(each.stats.cache_misses.total() for each in declared))
"""


def test_of_several_processes_one_compiles_and_the_others_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them find that nothing is kept; who is first compiles, and is not hurried."""
    monkeypatch.setenv("THORP_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    game = thorp.game("connect-four")
    with alone(lock_name(game._own_rules())):
        both = [subprocess.Popen([sys.executable, "-c", WAITS], text=True, stdout=subprocess.PIPE) for _ in range(2)]
        assert [each.stdout.readline() for each in both] == ["begins\n"] * 2
    told = [each.communicate(timeout=300)[0].split() for each in both]
    assert [each.returncode for each in both] == [0, 0]
    assert [words[0] for words in told] == ["ends"] * 2
    compiled = sorted(int(words[1]) for words in told)
    assert compiled[0] == 0 < compiled[1]


def test_who_ends_while_others_wait_lets_them_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THORP_CACHE", str(tmp_path))
    program = "from thorp.compiling.disk import alone\nwith alone('one'): print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        other.kill()
        with alone("one"):
            pass


def test_where_nothing_can_be_locked_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("THORP_CACHE", str(tmp_path / "file"))
    with alone("one"), alone("one"):
        pass


def edited(tmp_path: Path, file: str, old: str, new: str) -> None:
    path = tmp_path / "connect_four" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of Connect Four, to be edited."""
    shutil.copytree(TESTS / "connect_four", tmp_path / "connect_four")
    return tmp_path


COMPILED_NOW = "thorp.game('connect-four').prepare(); print(compiled())"


def test_words_and_templates_compile_nothing(cache: Path, own: Path) -> None:
    shutil.copytree(cache, own / "cache")
    edited(own, "face.py", "Drop a disc.", "Let a disc fall.")
    edited(own, "table.html", "Columns", "The columns")
    edited(own, "__init__.py", "everybody", "each")
    assert run(COMPILED_NOW, own / "cache", own) == "[]"


def test_what_a_rule_depends_on_compiles_it_and_its_callers_and_nothing_else(own: Path) -> None:
    """Numba alone would notice neither an edit in a callee nor a constant of another file."""
    run(COMPILED_NOW, own / "cache", own)
    edited(own, "rules/board/columns.py", "HEIGHT = 6", "HEIGHT = 5")
    again = run(COMPILED_NOW, own / "cache", own)
    assert "'has_room'" in again
    assert "'legal'" in again
    assert "'longest'" not in again
    shorter = (
        "match = thorp.Match('connect-four', 2)\n"
        "for _ in range(5): match.play(match.waiting[0], 0)\n"
        "print(match.legal(1))"
    )
    assert run(shorter, own / "cache", own) == "[1, 2, 3, 4, 5, 6]"
    edited(own, "rules/board/lines.py", "table([1, 6, 7, 8])", "table([1, 6, 7, 7])")
    again = run(COMPILED_NOW, own / "cache", own)
    assert "'longest'" in again
    assert "'has_room'" not in again


def test_versions_that_are_no_longer_of_use_go_away(own: Path) -> None:
    for height in (5, 4, 3, 2):
        run(COMPILED_NOW, own / "cache", own)
        edited(own, "rules/board/columns.py", f"HEIGHT = {height + 1}", f"HEIGHT = {height}")
    rooms = list((own / "cache").glob("*has_room-*"))
    assert len(rooms) == 3
    old = next((own / "cache").glob("*.longest-*"))
    other = own / "cache" / "letters"
    other.mkdir()
    left, begun = old.with_name("." + "0" * 32), old.with_name("." + "1" * 32)
    left.mkdir()
    begun.mkdir()
    for folder in (old, other, left):
        os.utime(folder, (time.time() - 100 * 24 * 3600,) * 2)
    run("print('no game is played')", own / "cache", own)
    assert old.exists()
    edited(own, "rules/board/lines.py", "table([1, 6, 7, 8])", "table([1, 6, 7, 7])")
    run(COMPILED_NOW, own / "cache", own)
    assert not old.exists()
    # what a process that was killed has left goes, too, and what one may be at stays
    assert not left.exists()
    assert begun.exists()
    # what is no version of a rule is nobody's business
    assert other.exists()


def test_the_cache_lies_where_it_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THORP_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    monkeypatch.delenv("THORP_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "thorp" in str(cache_root())
    # what is empty names no folder
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert cache_root().is_absolute()

    def nobody_s() -> Path:
        raise RuntimeError("Could not determine home directory.")

    # who has no home keeps nothing, and loads nothing that others may have put somewhere
    monkeypatch.setattr(Path, "home", nobody_s)
    assert not cache_root().parent.is_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert cache_root() == tmp_path / "thorp"


def test_prepare_tells_how_far_it_is(cache: Path) -> None:
    told = "told = []\nthorp.game('pebbles').prepare(lambda *how: told.append(how))\nprint(told)\n"
    done = eval(run(told, cache))
    assert [number for number, _, _ in done] == list(range(len(done)))
    assert {total for _, total, _ in done} == {len(done) - 1}
    again = told.replace(
        "print(told)", "told.clear(); thorp.game('pebbles').prepare(lambda *how: told.append(how)); print(told)"
    )
    assert run(again, cache) == "[]"


def test_rules_that_call_each_other_in_a_circle_are_refused() -> None:
    @rule
    def one(n: int) -> int:
        """Calls the other."""
        return other(n)

    @rule
    def other(n: int) -> int:
        """Calls the one."""
        return one(n)

    with pytest.raises(TypeError, match=r"in a circle: (other -> one -> other|one -> other -> one)"):
        prepare([one])


# --- other targets ----------------------------------------------------------------------------------------------

_KERNEL = """
import numpy as np
from numba import cuda
from thorp.compiling.rule import MoveList
game = thorp.game("connect-four")
legal, play, waiting, deal, score = game.legal, game.play, game.waiting, game.deal, game.score
@cuda.jit
def games(states, moves, options, out):
    index = cuda.grid(1)
    if index < states.size:
        deal(states[index], 2, options, index)
        mask, n = waiting(states[index]), index
        while mask:
            seat = 0 if mask == 1 else 1
            count = legal(states[index], seat, moves[index])
            play(states[index], seat, moves[index].at[n * n % count])
            mask, n = waiting(states[index]), n + 1
        out[index] = score(states[index], 0)
states, moves, out = np.zeros(4, game.record.dtype), np.zeros(4, MoveList.dtype), np.zeros(4, np.int32)
games[1, 4](states, moves, np.zeros(0, np.int32), out)
for index in range(4):
    match, n = thorp.Match(game, 2, forced=False), index
    while not match.over:
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[n * n % len(match.legal(seat))])
        n += 1
    assert (match.scores[0] == out[index]), index
    assert match.plain == game.record.read(states[index])
print(out.tolist())
"""


def test_rules_can_be_called_from_a_kernel(tmp_path: Path) -> None:
    """In Numba's simulation of CUDA, where kernels are plain Python, and so the rules are."""
    wins = run(_KERNEL, tmp_path, THORP_JIT="0", NUMBA_ENABLE_CUDASIM="1")
    assert len(eval(wins)) == 4


def test_numba_compiles_rules_for_cuda_once_they_are_opened(cache: Path) -> None:
    """Rules that call no others: for those that do Numba asks the driver, and there is none here."""
    program = """
from numba import cuda, types
from numba.core.errors import TypingError
from thorp.compiling.preparing import opened
from thorp.compiling.rule import record_type
game = thorp.game("connect-four")
game.prepare()
legal = game.legal
def kernel(states, moves):
    legal(states[0], 0, moves[0])
kinds = (types.Array(record_type(game.record), 1, "C"), types.Array(record_type(thorp.compiling.rule.MoveList), 1, "C"))
def why():
    try:
        cuda.compile_ptx(kernel, types.void(*kinds), cc=(7, 5))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "compiled"
print("compilation is disabled" in why())
with opened([legal]):
    print("compilation is disabled" in why())
"""
    assert run(program, cache).splitlines() == ["True", "False"]


_OUTER = """
import deep.inner
from thorp.compiling.rule import rule

@rule
def longest(n: int) -> int:
    return deep.inner.twice(n) + deep.inner.MORE
"""
_INNER = """
import numpy as np
from thorp.compiling.rule import rule

MORE = np.int64(100)

@rule
def twice(n: int) -> int:
    return 2 * n
"""


def test_whatever_way_a_rule_names_what_it_depends_on(tmp_path: Path) -> None:
    """A constant of NumPy, and what stands in a module of a package."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "__init__.py").touch()
    (tmp_path / "deep" / "outer.py").write_text(_OUTER)
    inner = tmp_path / "deep" / "inner.py"
    body = """
from deep.outer import longest
from thorp.compiling.preparing import prepare
prepare([longest])
print(longest(1))
"""
    for text, value in (
        (_INNER, 102),
        (_INNER.replace("np.int64(100)", "np.int64(200)"), 202),
        (_INNER.replace("2 * n", "5 * n"), 105),
    ):
        inner.write_text(text)
        assert run(body, tmp_path / "cache", tmp_path) == str(value)


_NAMING = """
import helper
import consts
from consts import Phase, PAIR, Sizes, SIZES
from helper import closed, helped, twice
from thorp.compiling.rule import rule

@rule
def member(n: int) -> int:
    return n * Phase.BUILD

@rule
def alone(n: int) -> int:
    return n * consts.ONE

@rule
def pair(n: int) -> int:
    return n * PAIR[0][1000]

@rule
def by_name(n: int) -> int:
    return n * SIZES.most

@rule
def through(n: int) -> int:
    return helped(n)

@rule
def through_module(n: int) -> int:
    return helper.helped(n)

@rule
def through_two(n: int) -> int:
    return twice(n)

@rule
def through_plain(n: int) -> int:
    return closed(n)
"""
_HELPER = """
import consts
import numba
from numba.extending import register_jitable

@numba.njit
def helped(n, times=consts.V):
    return n * times

@numba.njit
def twice(n):
    return helped(n) if n > 0 else -twice(-n)

@register_jitable
def closed(n):
    return n * consts.V
"""
_CONSTS = """
from enum import IntEnum
from typing import NamedTuple
import numpy as np
V = 7
class Phase(IntEnum):
    BUILD = V
class Sizes(NamedTuple):
    least: int
    most: int
ONE = Phase.BUILD
PAIR = np.arange(2000), np.arange(2000)
PAIR[0][1000] = V
SIZES = Sizes(1, V)
"""


def test_what_stands_in_a_third_file_is_noticed_however_it_is_named(tmp_path: Path) -> None:
    """A member of an enumeration, a long array in a tuple, and what a function of others names in turn."""
    (tmp_path / "naming.py").write_text(_NAMING)
    (tmp_path / "helper.py").write_text(_HELPER)
    body = """
import naming
from thorp.compiling.preparing import prepare
rules = [each for each in declared if each.__module__ == "naming"]
prepare(rules)
print([each(10) for each in rules], compiled())
"""
    names = ["alone", "by_name", "member", "pair", "through", "through_module", "through_plain", "through_two"]
    for value, anew in ((7, names), (7, []), (3, names)):
        (tmp_path / "consts.py").write_text(_CONSTS.replace("V = 7", f"V = {value}"))
        assert run(body, tmp_path / "cache", tmp_path) == f"{[10 * value] * 8} {anew}"


def test_what_cannot_be_followed_is_compiled_anew_in_every_process(tmp_path: Path) -> None:
    """A class of Numba's has code of its own: the rule is right, if late, whatever becomes of that."""
    text = """
from numba import int64
from numba.experimental import jitclass
from thorp.compiling.rule import rule

@jitclass([("n", int64)])
class Own:
    def __init__(self, n):
        self.n = n * 7

@rule
def own(n: int) -> int:
    return Own(n).n
"""
    (tmp_path / "naming.py").write_text(text)
    body = """
import naming
from thorp.compiling.preparing import are_kept, prepare
print(are_kept([naming.own]))
prepare([naming.own])
print(naming.own(10), len(naming.own.overloads))
"""
    for _ in range(2):
        assert run(body, tmp_path / "cache", tmp_path).split() == ["False", "70", "1"]


def test_a_rule_that_was_called_before_is_still_made_for_its_signature(tmp_path: Path) -> None:
    body = (
        "import numpy as np; from toy.rules import waiting, State\n"
        "from thorp.compiling.preparing import prepare\n"
        "waiting(np.zeros(1, State.dtype)[0]); before = len(waiting.signatures)\n"
        "prepare([waiting]); print(before, declared[waiting].args in waiting.overloads)"
    )
    assert run(body, tmp_path / "cache").split()[1] == "True"
