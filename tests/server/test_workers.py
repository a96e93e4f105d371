"""Several processes at one port: one that ends is replaced, all end together, and a kill under load loses nothing."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from serving import Server

from thorp.server import workers
from thorp.server.app import serve
from thorp.server.settings import Settings

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="who a process has started is not told")
KILLS = Path(__file__).parents[2] / "scripts" / "kills.py"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with two processes, which opens when both are ready, and never because it has waited for long."""
    running = Server(tmp_path / "data", more=("workers=2", "unlimited", "patience=1e9"), log=tmp_path / "log")
    running.start()
    yield running
    if running.runs:
        running.kill()


def _processes(server: Server) -> list[int]:
    process = server._process
    assert process
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def _runs(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _until(true, seconds: float = 60.0):
    last = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < last, "in vain"
        time.sleep(0.02)
    return found


def _answers(server: Server) -> bool:
    with contextlib.suppress(httpx2.HTTPError):
        # a connection of its own, which any of the processes takes
        return httpx2.get(f"{server.address}/healthz", timeout=30).status_code == 200
    return False


def test_a_process_that_ends_is_replaced_and_all_end_together(server, tmp_path):
    first = _until(lambda: len(_processes(server)) == 2 and _processes(server))
    _until(lambda: _answers(server))
    os.kill(first[0], signal.SIGKILL)
    second = _until(lambda: len(found := _processes(server)) == 2 and first[0] not in found and found)
    assert first[1] in second
    # what waits at the port is not lost with the one that has ended
    assert all(_answers(server) for _ in range(10))
    assert "has ended with status -9" in (tmp_path / "log").read_text()
    assert server.stop() in (0, -signal.SIGINT)
    assert not any(map(_runs, second))


def test_processes_end_with_who_has_started_them(server):
    started = _until(lambda: len(_processes(server)) == 2 and _processes(server))
    _until(lambda: _answers(server))
    server.kill()
    _until(lambda: not any(map(_runs, started)))
    server.start()
    _until(lambda: _answers(server))


@pytest.mark.parametrize("lacks", ["files", "processes"])
def test_where_none_can_be_started_just_now_the_others_serve_on(lacks, monkeypatch, caplog, tmp_path):
    """One has ended, with what was said to it still unheard; for the next there is no room at first."""
    word, say = os.pipe()
    process = subprocess.Popen(["sleep", "60"], stdin=subprocess.PIPE)
    process.stdin.write(b"unheard")
    worker = workers._Worker(process, began=time.monotonic() - 60, word=word)
    process.kill()
    process.wait()
    descriptors = os.listdir("/proc/self/fd")

    def fail(*_, **__):
        raise OSError(f"no more {lacks}")

    with socket.socket() as listening:
        with monkeypatch.context() as full:
            full.setattr(*((os, "pipe") if lacks == "files" else (subprocess, "Popen")), fail)
            workers._see_to(worker, Settings(tmp_path), listening)
        assert worker.process is None
        assert worker.due > time.monotonic()
        assert f"cannot be started (no more {lacks})" in caplog.text
        # nothing is left open of what was tried, nor of the one that has ended
        assert len(os.listdir("/proc/self/fd")) < len(descriptors)
        worker.due = 0.0
        monkeypatch.setattr(workers, "_start", lambda *_: (process, word))
        workers._see_to(worker, Settings(tmp_path), listening)
    assert worker.process is process
    os.close(say)


def test_where_processes_cannot_share_a_port_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "POSSIBLE", False)
    with pytest.raises(SystemExit, match="Leave out --workers"):
        serve(Settings(tmp_path), port=0, workers=2)


def test_settings_as_they_were_given(tmp_path):
    given = Settings(tmp_path, streams=7, hosts=("a.example.org",))
    assert workers._as_given(given) == {"data_dir": tmp_path, "streams": 7, "hosts": ("a.example.org",)}


def test_nothing_is_lost_where_a_server_is_killed_under_load():
    """As `scripts/kills.py` does, which is run at length by hand: one kill of both processes, few tables.

    How soon streams are back is measured there; here machines may be busy.
    """
    command = [sys.executable, str(KILLS), "--kills", "1", "--tables", "4", "--rate", "8", "--workers", "2"]
    command += ["--back", "20"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
