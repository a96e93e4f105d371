"""The decorators `@rule` and `@entry`, and the cache of compiled rules."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from thorp.core.chance import bits32
from thorp.core.mode import COMPILED
from thorp.core.preparing import prepare
from thorp.core.rule import MoveList, cache_root, entry, sources_hash, table

compiled_only = pytest.mark.skipif(not COMPILED, reason="about compiled rules")


@compiled_only
def test_an_inner_rule_says_that_python_may_not_call_it() -> None:
    with pytest.raises(TypeError, match="bits32 is called by rules only"):
        bits32([0])


@compiled_only
def test_a_parameter_without_annotation_is_refused() -> None:
    with pytest.raises(TypeError, match="parameter move has no annotation"):

        @entry
        def play(seat: int, move) -> None:  # type: ignore[no-untyped-def]
            """Not a rule."""


@compiled_only
def test_a_type_that_cannot_be_compiled_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot be compiled"):

        @entry
        def play(names: str, moves: MoveList) -> None:
            """Not a rule."""


def test_tables_read_alike_in_both_modes() -> None:
    rows = table([[1, 2], [3, 4]])
    assert rows[1][0] == 3
    with pytest.raises((ValueError, TypeError)):
        rows[1][0] = 5


def test_prepare_tells_how_far_it_is() -> None:
    told: list[tuple[int, int, str]] = []
    prepare("", lambda done, total, name: told.append((done, total, name)))
    again: list[tuple[int, int, str]] = []
    prepare("", lambda done, total, name: again.append((done, total, name)))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert again == []


def test_the_hash_follows_the_sources(tmp_path: Path) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text("A = 1\n")
    before = sources_hash(tmp_path)
    assert sources_hash(tmp_path) == before
    rules.write_text("A = 2\n")
    assert sources_hash(tmp_path) != before


def test_the_cache_lies_where_it_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THORP_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    monkeypatch.delenv("THORP_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "thorp" in str(cache_root())


_GAME = """
from typing import Annotated
from thorp.core.record import Int8, Record
from thorp.core.preparing import prepare
from thorp.core.rule import entry
import thirds

class State(Record):
    n: Int8

@entry
def double(state: State) -> int:
    return thirds.BASE + 2 * state.n

if __name__ == "__main__":
    prepare()
    state = State()
    state.n = 4
    from thorp.core.mode import COMPILED
    print(double(state.write()[0] if COMPILED else state))
"""


def test_an_edit_in_another_file_is_noticed(tmp_path: Path) -> None:
    """Numba's own cache would go on with the old constant."""
    (tmp_path / "thirds.py").write_text("BASE = 0\n")
    (tmp_path / "mine.py").write_text(_GAME)

    def run() -> str:
        environment = {**os.environ, "THORP_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, str(tmp_path / "mine.py")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run() == "8"
    assert run() == "8"
    (tmp_path / "thirds.py").write_text("BASE = 1\n")
    assert run() == "9"
