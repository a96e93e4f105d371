"""Before several processes share the tests: the rules are compiled once, as many games at once as there are processors.

Each of them would else compile all rules by itself, all at the same time.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from thorp.compiling.mode import COMPILED
from thorp.core.registry import game as find_game
from thorp.core.registry import game_ids
from thorp.players import lessons


def _compile(game: str) -> None:
    # what players that think need, too: every server that a test starts would begin to compile it
    for what in ((), ("thought",)):
        # what cannot be compiled is told by the tests that need it
        subprocess.run(
            [sys.executable, "-m", "thorp.server.tables.readiness", game, *what],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are processors: with one more these were idle for an eighth of the time, with two never."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[Any]) -> None:
    """Called where the processes are about to be started."""
    if COMPILED:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(_compile, game_ids()))


def pytest_sessionstart(session: pytest.Session) -> None:
    """In each of the processes: a rule that is called before it is prepared would be compiled there, and not kept."""
    if COMPILED and hasattr(session.config, "workerinput"):
        for game in game_ids():
            find_game(game).prepare()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each process begins with its share of what is marked as long: begun last, that is what all others wait for.

    At first each has as many tests as the others, one part of the list after the other; from the ends of these parts
    others take what is left.
    """
    if not hasattr(config, "workerinput"):
        return
    processes = config.workerinput["workercount"]
    long = [item for item in items if item.get_closest_marker("long")]
    short = [item for item in items if not item.get_closest_marker("long")]
    parts: list[pytest.Item] = []
    for process in range(processes):
        begun = long[process::processes]
        room = max(0, (len(items) - len(parts)) // (processes - process) - len(begun))
        parts += [*begun, *short[:room]]
        del short[:room]
    items[:] = [*parts, *short]


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is loaded by now stays: to look through it for garbage, again and again, took a twentieth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


@pytest.fixture
def nothing_learned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No table has learned anything before, and this process forgets afterwards: the folder of what is learned."""
    monkeypatch.setattr(lessons, "_folder", lambda: tmp_path / "lessons")
    monkeypatch.setattr(lessons, "_kept", lessons._Kept())
    return tmp_path / "lessons"


@pytest.fixture
def short_lessons(nothing_learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned for a table is learned in a moment, in this process."""
    monkeypatch.setattr(lessons, "ROUNDS", ((2, 20), (1, 10)))
