"""A player that is a process: a line of JSON goes in, a line of JSON comes out, within a time."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

#: No answer is longer.
MOST_ANSWER = 64 * 1024
#: Of what a process writes to its standard error, so many lines are kept to be quoted.
_LINES_KEPT = 5
#: So many lines are read before they are asked for: a process that never stops talking is not listened to.
_ANSWERS_KEPT = 4
#: So long may a process take to end by itself when it is told that nothing more comes, in seconds.
_GRACE = 2.0


class Lost(Exception):
    """A player cannot go on, and loses: it crashed, it took too long, or it answered nonsense."""


class Pipe:
    """A process and the two threads that write to it, read from it, and listen to what it complains of.

    Whatever the process does, nobody waits for it longer than the time that was given.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. Raises Lost where that cannot be."""
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that what it starts in its turn ends with it
            )
        except OSError as error:
            raise Lost(f"it cannot be started: {error.strerror or error}") from error
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.Queue[bytes] = queue.Queue(_ANSWERS_KEPT)
        self._complaints: deque[str] = deque(maxlen=_LINES_KEPT)
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._write, self._read, self._listen)]
        for thread in self._threads:
            thread.start()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Say something to which there is no answer."""
        self._lines.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Say something, and wait for the answer. Raises Lost where none comes in time, or no JSON object."""
        if not self._answers.empty():
            early = self._answers.get()
            raise Lost(
                f"it spoke without being asked: {early[:80]!r}" if early.endswith(b"\n") else self._why_silent(early)
            )
        self.tell(message)
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise Lost(f"it took longer than {seconds:g} s") from None
        if not line.endswith(b"\n"):
            raise Lost(self._why_silent(line))
        try:
            answer = json.loads(line)
        except ValueError:
            raise Lost(f"it answered what is no JSON: {line[:80]!r}") from None
        if not isinstance(answer, dict):
            raise Lost(f"it answered what is no JSON object: {line[:80]!r}")
        return answer

    def end(self) -> None:
        """End it, and all that it started: what does not end by itself is killed."""
        self._lines.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self.kill()

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._lines.put(None)
        for thread in self._threads:
            thread.join(_GRACE)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()

    def _why_silent(self, line: bytes) -> str:
        if len(line) >= MOST_ANSWER:
            return f"it answered with a line of more than {MOST_ANSWER} bytes"
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._threads[-1].join(_GRACE)
        said = f": {self._complaints[-1]}" if self._complaints else ""
        status = self._process.returncode
        return f"it ended with status {status}{said}" if status is not None else f"it closed its output{said}"

    def _write(self) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            while (line := self._lines.get()) is not None:
                self._process.stdin.write(line)
                self._process.stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()

    def _read(self) -> None:
        """Every line, and at the end, or where a line is too long, what is none."""
        assert self._process.stdout
        line = b"\n"
        while line.endswith(b"\n"):
            try:
                line = self._process.stdout.readline(MOST_ANSWER)
            except (OSError, ValueError):
                line = b""
            try:
                self._answers.put_nowait(line)
            except queue.Full:
                return

    def _listen(self) -> None:
        assert self._process.stderr
        with contextlib.suppress(OSError, ValueError):
            while line := self._process.stderr.readline(MOST_ANSWER):
                if words := line.decode("utf-8", "replace").strip()[:200]:
                    self._complaints.append(words)
