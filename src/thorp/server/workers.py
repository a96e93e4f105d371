"""Several processes that serve one port: started together, started again where one ends, and ended together.

They share the socket that listens: whoever has time takes the next connection, and what waits at it survives the end of
any of them. Any process serves any table; what one stores the others are told (`tables/news.py`).
"""

from __future__ import annotations

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
#: Seconds that a process has to finish what it has begun.
_GRACE = 15.0


@dataclass
class _Worker:
    """A process that serves, or is about to be started."""

    process: subprocess.Popen[bytes] | None = None
    began: float = 0.0
    wait: float = 1.0
    #: When it is to be started.
    due: float = 0.0


def serve(settings: Settings, count: int, listening: socket.socket) -> None:
    """Serve with so many processes until interrupted."""
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    # Each may have its part of what there may be in all; what is counted of a person each counts for itself.
    part = replace(settings, connections=-(-settings.connections // count))
    workers = [_Worker() for _ in range(count)]
    try:
        while not stopping.is_set():
            for worker in workers:
                _see_to(worker, part, listening)
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
            worker.process.stdin.close()
        worker.process = None
        worker.due = now + worker.wait if short else now
        worker.wait = min(2 * worker.wait, _LONGEST_WAIT) if short else 1.0
    if worker.process is None and now >= worker.due:
        worker.began = now
        worker.process = _start(settings, listening)


def _start(settings: Settings, listening: socket.socket) -> subprocess.Popen[bytes]:
    file = listening.fileno()
    # In a group of its own: Ctrl-C is for who watches over it.
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(file)], stdin=subprocess.PIPE, pass_fds=[file], start_new_session=True
    )
    assert process.stdin
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(pickle.dumps(_as_given(settings)))
        process.stdin.flush()
    return process


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


def _work(file: int) -> None:
    """Serve as one of several processes, until told to stop, or until who started this one has ended."""
    from thorp.server.app import serve_at

    given: dict[str, Any] = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    serve_at(Settings(**given), socket.socket(fileno=file))


def _end_with_parent() -> None:
    # Nothing is ever said there any more: it ends with the process at its other end.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE)
    os._exit(1)


if __name__ == "__main__":
    _work(int(sys.argv[1]))
