"""Several processes that serve one port: started together, started again where one ends, and ended together.

They share the socket that listens: whoever has time takes the next connection, and what waits at it survives the end of
any of them. They open together, so that the first one that is ready does not get all who have waited. Any process
serves any table; what one stores the others are told (`tables/news.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from thorp.server.settings import Settings

log = logging.getLogger(__name__)

#: Whether there can be several: elsewhere processes cannot share a socket in this way.
POSSIBLE = sys.platform != "win32"
#: How often it is looked whether all are there, in seconds.
_LOOK = 0.1
#: Whoever has lived for less is not started again at once, but after so many seconds, and twice as many each time.
_SHORT, _LONGEST_WAIT = 5.0, 30.0
#: Seconds after which processes open though not all rules are ready: pages tell how far they are.
PATIENCE = 10.0
#: Seconds that a process has to finish what it has begun.
_GRACE = 15.0
#: What is said between them.
_READY, _OPEN = b"r", b"o"


@dataclass
class _Worker:
    """A process that serves, or is about to be started."""

    process: subprocess.Popen[bytes] | None = None
    began: float = 0.0
    wait: float = 1.0
    #: When it is to be started.
    due: float = 0.0
    #: Where it says that it is ready, and whether it has; and whether it was told to let people in.
    word: int = -1
    ready: bool = False
    opened: bool = False


def serve(settings: Settings, count: int, listening: socket.socket) -> None:
    """Serve with so many processes until interrupted."""
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    # Each may have its part of what there may be in all; what is counted of a person each counts for itself.
    thinkers = -(-(settings.thinkers or os.cpu_count() or 1) // count)
    part = replace(settings, connections=-(-settings.connections // count), thinkers=thinkers)
    workers = [_Worker() for _ in range(count)]
    try:
        while not stopping.is_set():
            for worker in workers:
                _see_to(worker, part, listening)
            _open(workers)
            stopping.wait(_LOOK)
    finally:
        listening.close()
        _stop([worker.process for worker in workers if worker.process])


def _see_to(worker: _Worker, settings: Settings, listening: socket.socket) -> None:
    """Start a process where it is not there and its time has come."""
    now = time.monotonic()
    if worker.process and (status := worker.process.poll()) is not None:
        short = now - worker.began < _SHORT
        log.warning("a process of this server has ended with status %d: starting another one", status)
        if worker.process.stdin:
            # what was said to it meanwhile nobody has heard
            with contextlib.suppress(OSError):
                worker.process.stdin.close()
        os.close(worker.word)
        worker.process = None
        worker.due = now + worker.wait if short else now
        worker.wait = min(2 * worker.wait, _LONGEST_WAIT) if short else 1.0
    if worker.process is None and now >= worker.due:
        worker.began = now
        worker.ready = worker.opened = False
        try:
            worker.process, worker.word = _start(settings, listening)
        except OSError as error:
            # The others serve on: the machine may have had no room for one more process, or file, just now.
            log.error("a process of this server cannot be started (%s): trying again in %g s", error, worker.wait)
            worker.due = now + worker.wait
            worker.wait = min(2 * worker.wait, _LONGEST_WAIT)


def _start(settings: Settings, listening: socket.socket) -> tuple[subprocess.Popen[bytes], int]:
    word, say = os.pipe()
    files = [listening.fileno(), say]
    try:
        # In a group of its own: Ctrl-C is for who watches over it.
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, *map(str, files)],
            stdin=subprocess.PIPE,
            pass_fds=files,
            start_new_session=True,
        )
    except OSError:
        os.close(word)
        raise
    finally:
        os.close(say)
    os.set_blocking(word, False)
    assert process.stdin
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(pickle.dumps(_as_given(settings)))
        process.stdin.flush()
    return process, word


def _open(workers: list[_Worker]) -> None:
    """Let processes open when all are ready, or have had their time."""
    now = time.monotonic()
    for worker in workers:
        if worker.process and not worker.ready:
            with contextlib.suppress(BlockingIOError):
                worker.ready = bool(os.read(worker.word, 1))
    if all(worker.ready or now - worker.began > PATIENCE for worker in workers):
        for worker in workers:
            if worker.process and worker.process.stdin and not worker.opened:
                worker.opened = True
                with contextlib.suppress(BrokenPipeError):
                    worker.process.stdin.write(_OPEN)
                    worker.process.stdin.flush()


def _as_given(settings: Settings) -> dict[str, Any]:
    """The settings that are not as they are by default: some of those are what only code can say."""
    given = {each.name: getattr(settings, each.name) for each in fields(Settings)}
    return {each.name: given[each.name] for each in fields(Settings) if given[each.name] is not each.default}


def _stop(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.send_signal(signal.SIGTERM)
    last = time.monotonic() + _GRACE
    for process in processes:
        try:
            process.wait(max(0.0, last - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Gate:
    """Where one of several processes waits until it may let people in."""

    def __init__(self, say: int) -> None:
        self._say = say
        self._opened = threading.Event()

    async def wait(self, ready: asyncio.Event, stopped: Callable[[], bool]) -> None:
        """Say when it is ready, and wait until all are."""
        said = False
        while not (self._opened.is_set() or stopped()):
            if ready.is_set() and not said:
                said = True
                os.write(self._say, _READY)
            await asyncio.sleep(_LOOK / 4)

    def open(self) -> None:
        """Let it go on."""
        self._opened.set()


def _work(file: int, say: int) -> None:
    """Serve as one of several processes, until told to stop, or until who started this one has ended."""
    from thorp.server.app import serve_at

    given: dict[str, Any] = pickle.load(sys.stdin.buffer)
    gate = Gate(say)
    threading.Thread(target=_hear_parent, args=(gate,), daemon=True).start()
    serve_at(Settings(**given), socket.socket(fileno=file), gate)


def _hear_parent(gate: Gate) -> None:
    # One word may come, and what ends without one has ended with the process that would have said it.
    while sys.stdin.buffer.read(1):
        gate.open()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE)
    os._exit(1)


if __name__ == "__main__":
    _work(*map(int, sys.argv[1:]))
