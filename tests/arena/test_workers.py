"""Processes that play for another one: they end with it."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest

from thorp.arena import workers
from thorp.core.errors import GameError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a pipe with a name is POSIX")

#: So long may it take until something happens that has to, in seconds, on a busy machine.
PATIENCE = 300
BAD = Path(__file__).parent / "players" / "bad.py"


def test_what_others_have_played_is_kept_where_one_goes_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be worth minutes of them: they finish what they are at, and only then it is told."""
    begun, wrong = Barrier(3), Event()

    def play_work(piece: int) -> list[int]:
        if piece < 3:
            begun.wait(PATIENCE)
        if piece == 0:
            wrong.set()
            raise GameError("a player is gone")
        assert wrong.wait(PATIENCE)
        return [piece]

    monkeypatch.setattr(workers, "play_work", play_work)
    pieces: Any = iter(range(100))
    kept: list[Any] = []

    def keep() -> None:
        for played in workers.Many(3, compiled=True).play(pieces):
            kept.extend(played)

    with pytest.raises(GameError, match="a player is gone"):
        keep()
    # and what had not begun is left
    assert {1, 2} <= set(kept) < set(range(12))


def read(pipe: int) -> bytes:
    """What comes out of a pipe next; nothing where all that had it open have ended."""
    assert select.select([pipe], [], [], PATIENCE)[0], "nothing came, and somebody has it open"
    return os.read(pipe, 1000)


def end(began: subprocess.Popen[str] | subprocess.Popen[bytes], born: list[bytes]) -> None:
    """End a contest and the players that it began, whatever a test came to."""
    for group in (began.pid, *map(int, born)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    began.wait()


def contest_that_stays(folder: Path, workers: int) -> tuple[list[str], int]:
    """A contest whose players never answer: its command, and where each of them tells its number and stays at."""
    os.mkfifo(told := folder / "told")
    bad = f"bad={sys.executable} {BAD} stay {told}"
    players = ["--player", "random", "--player", bad, "--seconds", "3600", "--workers", str(workers)]
    command = [sys.executable, "-m", "thorp", "arena", "play", "villagers", *players, "--out", str(folder / "out")]
    return command, os.open(told, os.O_RDONLY | os.O_NONBLOCK)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_who_plays_ends_when_who_began_it_is_killed(how: signal.Signals, workers: int, tmp_path: Path) -> None:
    """Also players of somebody else's that go on when nobody asks them any more."""
    command, playing = contest_that_stays(tmp_path, workers)
    output, theirs = os.pipe()
    # in a session of its own, so that nothing is left behind where it does not end
    began = subprocess.Popen(command, stdout=theirs, start_new_session=True)
    os.close(theirs)
    born: list[bytes] = []
    try:
        while len(born) < workers:
            born += read(playing).split()
        began.send_signal(how)
        assert read(playing) == b""
        assert read(output) == b""
        assert began.wait(PATIENCE) == -how
    finally:
        end(began, born)
        os.close(playing)
        os.close(output)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="who began a process is told by Linux")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_players_of_somebody_elses_end_with_the_process_that_asks_them(how: signal.Signals, tmp_path: Path) -> None:
    """Of two that play one is killed; the other is ended then, and the players of both."""
    command, playing = contest_that_stays(tmp_path, workers=2)
    began = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    born: list[bytes] = []
    try:
        while len(born) < 2:
            born += read(playing).split()
        # its number, its name in brackets, its state, and who began it
        asks = int(Path(f"/proc/{int(born[0])}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(asks, how)
        assert read(playing) == b""
        assert "a process that plays was killed" in began.communicate(timeout=PATIENCE)[1]
    finally:
        end(began, born)
        os.close(playing)
