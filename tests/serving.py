"""A server in a process of its own, for tests that play, break and kill it."""

from __future__ import annotations

import contextlib
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

#: Whether a disk that is full can be played to a server that runs: on Linux.
CAN_FILL = hasattr(resource, "prlimit")


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
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
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
        assert self._process
        # the hard limit stays: nobody but root could raise it again
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

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
