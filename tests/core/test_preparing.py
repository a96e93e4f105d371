"""Compiling by two processes, linking, and the cache."""

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import toy

import thorp
from thorp.core import preparing
from thorp.core.mode import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="about compiled rules")


def _run(code: str, cache: Path) -> str:
    """What a program prints that starts with an empty cache, or with what another left there."""
    tests = str(Path(toy.__file__).parents[1])
    environment = {**os.environ, "THORP_CACHE": str(cache), "PYTHONPATH": tests}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


_PLAY = """
import thorp.core.preparing as preparing
from thorp.players import choose
import toy, thorp, os, {setup}
def playing(game):
    match = thorp.Match(game, 2, seed=5)
    while not match.over:
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[-1])
    return match.digest()
"""


def _program(body: str, setup: str = "sys") -> str:
    return _PLAY.format(setup=setup) + body


def test_two_processes_one_and_the_cache_make_the_same_rules(tmp_path: Path) -> None:
    shared = _run(_program("print(playing(toy.GAME))"), tmp_path / "shared")
    cached = _run(_program("print(playing(toy.GAME))"), tmp_path / "shared")
    alone = _run(_program("os.environ['THORP_HELPER'] = '0'; print(playing(toy.GAME))"), tmp_path / "alone")
    assert shared == cached == alone


def test_games_are_prepared_one_after_another(tmp_path: Path) -> None:
    """The helper of the second game does not wait for what the first one has left ready."""
    assert _run(_program("preparing._START_COST = 0; toy.GAME.prepare(); print(playing('villagers'))"), tmp_path)


def test_where_the_helper_dies_the_rules_are_compiled_here(tmp_path: Path) -> None:
    body = """
preparing._START_COST = 0
popen = preparing.subprocess.Popen
preparing.subprocess.Popen = lambda command, **kinds: popen([sys.executable, '-c', 'input()'], **kinds)
print(playing(toy.GAME))
"""
    assert _run(_program(body), tmp_path / "dying") == _run(_program("print(playing(toy.GAME))"), tmp_path / "well")


def test_an_inner_rule_is_linked_where_it_is_needed_and_nowhere_else(tmp_path: Path) -> None:
    """Where this fails Numba's code generation has changed: see core/linking.py."""
    body = """
os.environ['THORP_HELPER'] = '0'
from toy import rules
toy.GAME.prepare()
(made,) = rules.reveal.overloads.values()
assert made.library.is_inner
names = {function.name for function in made.library._final_module.functions if not function.is_declaration}
assert len(names) == 1, names
(entry,) = rules.play.overloads.values()
assert not entry.library.is_inner
assert entry.library.get_pointer_to_function(entry.fndesc.llvm_func_name)
assert not any(function.is_declaration and 'toy' in function.name for function in entry.library._final_module.functions)
from numba import njit
from numba.core.registry import cpu_target
assert type(cpu_target.target_context.codegen().create_library('x')).__name__ == 'JITCodeLibrary'
print(njit(lambda n: n + 1)(1), playing(toy.GAME))
"""
    assert _run(_program(body), tmp_path).startswith("2 ")


@pytest.mark.parametrize("id", [id for id in thorp.game_ids() if id != toy.GAME.id])
def test_the_shares_hold_each_rule_once_and_never_wait_for_each_other(id: str, tmp_path: Path) -> None:
    body = f"""
game = thorp.game({id!r})
module = game.play.__module__.rpartition('.')[0]
needed = preparing._callees_first([each for each in preparing.pending if each.module.startswith(module)])
shares = preparing._shares(needed)
assert sorted(map(str, [*shares[0], *shares[1]])) == sorted(map(str, needed))
# as two processes would: each goes on as long as the other has done what it needs
done, steps = set(), [list(share) for share in shares]
while any(steps):
    ready = [step for step in steps if step and all(id(callee) in done for callee in preparing._callees(step[0]))]
    assert ready
    done.add(id(ready[0].pop(0)))
costs = [sum(map(preparing._cost, share)) for share in shares]
print(max(costs) / sum(costs))
"""
    assert float(_run(_program(body), tmp_path)) < 0.65


def test_a_partner_that_ends_is_not_waited_for() -> None:
    partner = preparing._Partner(["a:b", "a:c"], io.BytesIO(b"a:b\n"), io.BytesIO())
    partner.wait_for("a:b")
    partner.wait_for("a:c")


_TWICE = "print(playing(toy.GAME), playing('tiny-towns'))"


def test_a_cache_is_shared_by_installations_and_mended_where_a_part_is_gone(tmp_path: Path) -> None:
    """Entries are compiled again, with what they call, whatever else the cache holds."""
    cache = tmp_path / "cache"
    before = _run(_program(_TWICE), cache)
    other = tmp_path / "other"
    shutil.copytree(Path(thorp.__file__).parents[1], other, ignore=shutil.ignore_patterns("__pycache__"))
    elsewhere = f"import sys; sys.path.insert(0, {str(other)!r}); import thorp; assert {str(other)!r} in thorp.__file__"
    assert _run(elsewhere + _program(_TWICE), cache) == before
    for index in cache.rglob("rules.play-*.nbi"):
        index.unlink()
    assert _run(_program(_TWICE), cache) == before
    for code in cache.rglob("rules.legal-*.nbc"):
        code.unlink()
    assert _run(_program(_TWICE), cache) == before
    for code in cache.rglob("*.nbi"):
        if "rules." not in code.name:
            code.unlink()
    assert _run(_program(_TWICE), cache) == before
