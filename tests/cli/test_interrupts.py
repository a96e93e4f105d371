"""Ctrl-C while a command is being imported: it ends by its signal and says nothing; the library leaves it alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from thorp.cli.interrupts import quietly_interruptible

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")

#: Interrupted where a module is imported, however long that takes.
_INTERRUPTED = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["AT"]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
"""


def interrupted(at: str, *words: str, ignored: bool = False) -> subprocess.CompletedProcess[str]:
    """`python -m thorp`, where Ctrl-C comes when `at` is being imported."""
    # as a shell leaves it; what a test runs under may ignore it
    begin = f"import signal; signal.signal(signal.SIGINT, signal.{'SIG_IGN' if ignored else 'default_int_handler'})"
    run = f"import runpy; sys.argv = ['thorp', *{words!r}]; runpy.run_module('thorp', run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-c", f"{begin}\n{_INTERRUPTED}\n{run}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "AT": at},
    )


@pytest.mark.parametrize("at", ["numpy", "numba", "thorp.players", "thorp.cli.main"])
def test_ctrl_c_while_the_command_is_imported_ends_it_and_nothing_is_said(at: str) -> None:
    done = interrupted(at, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("thorp.server.app", ["serve", "--port", "0"]),
        ("thorp.server.app", ["admin", "list"]),
        ("thorp.cli.train", ["train", "villagers"]),
        ("thorp.training", ["train", "villagers"]),
        ("thorp.arena.report", ["arena", "balance", "villagers"]),
        ("thorp.cli.contest", ["arena", "play", "villagers"]),
    ],
)
def test_ctrl_c_while_what_a_command_needs_is_imported_does_the_same(at: str, words: list[str], tmp_path: Path) -> None:
    done = interrupted(at, *words)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_who_is_not_to_be_interrupted_is_not() -> None:
    """As in the background of a shell."""
    done = interrupted("numba", "--version", ignored=True)
    assert done.returncode == 0
    assert done.stdout.startswith("thorp ")


def test_the_library_leaves_ctrl_c_alone_and_so_does_the_command_once_it_is_there() -> None:
    program = """
import signal
# as a shell leaves it; what a test runs under may ignore it
signal.signal(signal.SIGINT, signal.default_int_handler)
import thorp
thorp.Match, thorp.players
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
import thorp.cli
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300, start_new_session=True)


def test_nobody_else_s_way_with_ctrl_c_is_changed() -> None:
    def own(*_: object) -> None:
        pass

    before = signal.signal(signal.SIGINT, own)
    try:
        with quietly_interruptible():
            assert signal.getsignal(signal.SIGINT) is own
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with quietly_interruptible():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        failed = []

        def elsewhere() -> None:
            with quietly_interruptible():
                failed.append(signal.getsignal(signal.SIGINT) is not signal.default_int_handler)

        # where signals cannot be set
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert failed == [False]
    finally:
        signal.signal(signal.SIGINT, before)


def test_all_that_the_library_offers_is_found_when_it_is_asked_for() -> None:
    program = """
import sys, thorp
assert "numba" not in sys.modules
from thorp import *
assert all(each in dir(thorp) and each in globals() for each in thorp.__all__)
assert thorp.analyse is thorp.players.analyse
try:
    thorp.nothing
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, timeout=300, capture_output=True, text=True)
    assert done.stdout == "module 'thorp' has no attribute 'nothing'\n"
