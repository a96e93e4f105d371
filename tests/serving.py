"""A server in a process of its own, for tests that play, break and kill it."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import multiprocessing
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

#: Whether a disk that is full can be played to a server that runs: on Linux.
CAN_FILL = hasattr(resource, "prlimit")

#: Below what systems give to whoever asks for any port, so that nobody gets one of these between the choice and the
#: start of its server, or while that is killed. Each process begins elsewhere.
_PORTS = itertools.islice(itertools.cycle(range(20_000, 32_000)), os.getpid() * 97 % 12_000, None)


def _free_port() -> int:
    while True:
        port = next(_PORTS)
        with contextlib.suppress(OSError), socket.socket() as free:
            free.bind(("127.0.0.1", port))
            return port


class Server:
    """A server in a process of its own, which can be killed and started again on the same data and port."""

    def __init__(
        self,
        data: Path,
        environment: dict[str, str] | None = None,
        *,
        chance: int = 2026,
        more: Sequence[str] = (),
        log: Path | None = None,
    ) -> None:
        self.data = data
        self.environment = environment
        #: What seeds of tables are drawn from; a server that starts again with the same draws the same again.
        self.chance = chance
        self.more = tuple(more)
        #: Where its warnings and errors go, one start after the other.
        self.log = log
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it says its address."""
        script = Path(__file__).with_name("serve.py")
        command = [sys.executable, str(script), str(self.port), str(self.data), str(self.chance), *self.more]
        with contextlib.ExitStack() as stack:
            errors = stack.enter_context(self.log.open("ab")) if self.log else subprocess.DEVNULL
            self._process = subprocess.Popen(
                command, env=self.environment, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self._process.stdout
        line = self._process.stdout.readline()
        if self.address not in line:
            self._process.kill()
            self._end()
            raise AssertionError(f"the server does not start: {line}")

    @property
    def runs(self) -> bool:
        """Whether the process is still there."""
        return self._process is not None and self._process.poll() is None

    def fill_disk(self) -> None:
        """Let no file of it grow any more, as on a disk that is full; where CAN_FILL."""
        largest = max(file.stat().st_size for file in self.data.iterdir())
        self._limit_files(largest)

    def empty_disk(self) -> None:
        """Let its files grow again."""
        self._limit_files(resource.RLIM_INFINITY)

    def _limit_files(self, size: int) -> None:
        # the hard limit stays: nobody but root could raise it again
        resource.prlimit(self._id(), resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def _id(self) -> int:
        assert self._process
        return self._process.pid

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process
        self._process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        """End it as Ctrl-C does; the exit status."""
        assert self._process
        self._process.send_signal(signal.SIGINT)
        return self._end()

    def _end(self) -> int:
        assert self._process
        assert self._process.stdout
        status = self._process.wait(timeout=30)
        self._process.stdout.close()
        return status


def fork(target: Callable[..., None], *given: Any) -> ForkServerProcess:
    """A process that is forked from one which has done what each server does first; `target` is a function of here."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["warmed"])
    path = os.environ.get("PYTHONPATH")
    # The process from which all are forked has to find the tests' modules.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *filter(None, [path])])
    try:
        process = context.Process(target=target, args=given, daemon=True)
        process.start()
    finally:
        if path is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = path
    return process


def run_thorp(arguments: tuple[str, ...], said: Connection, log: Path, files: int) -> None:
    """For `fork`: `thorp` with these arguments, which may open so many files. What it prints goes where `said` does."""
    from thorp.cli import main

    os.dup2(said.fileno(), 1)
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    said.close()
    # those that are there were opened on something else
    sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", buffering=1, closefd=False)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    sys.exit(main(list(arguments)))


def _serve(arguments: tuple[str, ...], log: Path | None) -> None:
    """Serve as `serve.py` does, and be as quiet."""
    # where this runs it has been imported before
    import warmed

    out = os.open(os.devnull, os.O_WRONLY)
    err = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND) if log else out
    os.dup2(out, 1)
    os.dup2(err, 2)
    warmed.main(*arguments)


class Forked(Server):
    """A server that is forked from a process which has done what each does first: it is there at once.

    It is killed and started again as others are; only what a start itself needs is not tried by it.
    """

    _fork: ForkServerProcess | None = None

    def start(self) -> None:
        """Start it and wait until its games are ready: who came before would be told to look again in some seconds."""
        self._fork = fork(_serve, (str(self.port), str(self.data), str(self.chance), *self.more), self.log)
        while self._fork.is_alive():
            if self._is_ready():
                return
            time.sleep(0.02)
        raise AssertionError("the server does not start")

    def _is_ready(self) -> bool:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as asking:
            try:
                asking.request("GET", "/readyz")
                return asking.getresponse().status == 200
            except OSError:
                return False

    @property
    def runs(self) -> bool:
        """Whether the process is still there."""
        return self._fork is not None and self._fork.is_alive()

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._fork
        self._fork.kill()
        self._fork.join(30)

    def stop(self) -> int:
        """End it as Ctrl-C does; the exit status."""
        assert self._fork
        os.kill(self._id(), signal.SIGINT)
        self._fork.join(30)
        status = self._fork.exitcode
        assert status is not None, "the server does not stop"
        return status

    def _id(self) -> int:
        assert self._fork
        assert self._fork.pid
        return self._fork.pid
