"""A player that is a process: a line of JSON goes in, a line of JSON comes out, within a time."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import IO, Any

#: No answer is longer.
MOST_ANSWER = 64 * 1024
#: Of what a process writes to its standard error, so many lines are kept to be quoted, and so many signs are quoted.
_LINES_KEPT = 200
_MOST_QUOTED = 300
#: A line of a traceback of Python's that says where, and how much of it is quoted, at most.
_FRAME = '  File "'
_MOST_WHERE = 100
#: So many lines are read before they are asked for: a process that never stops talking is not listened to.
_ANSWERS_KEPT = 4
#: So long may a process take to end by itself when it is told that nothing more comes, in seconds.
_GRACE = 2.0
#: Waits until whoever holds its input has ended, however that came about, and kills the session of a process.
_GUARD = 'read -r _; kill -9 "-$0"'


class Lost(Exception):
    """A player cannot go on, and loses: it crashed, it took too long, or it answered nonsense."""


class Pipe:
    """A process and the two threads that write to it, read from it, and listen to what it complains of.

    Whatever the process does, nobody waits for it longer than the time that was given.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. Raises Lost where that cannot be."""
        #: Whether it goes by what is learned for a table, as it says when it is ready for a game.
        self.learns = False
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
        self._guard = _guard(self._process.pid)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        #: What was said at once: lines, of which there should be one.
        self._answers: queue.Queue[list[bytes]] = queue.Queue(_ANSWERS_KEPT)
        self._complaints: deque[str] = deque(maxlen=_LINES_KEPT)
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._write, self._read, self._listen)]
        for thread in self._threads:
            thread.start()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Say something to which there is no answer."""
        self._lines.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Say something, and wait for the answer. Raises Lost where none comes in time, or no JSON object."""
        until = time.monotonic() + seconds
        if not self._answers.empty():
            raise self._unasked(self._answers.get()[0], until)
        self.tell(message)
        try:
            line, *more = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise Lost(f"it took longer than {seconds:g} s") from None
        if not line.endswith(b"\n"):
            raise Lost(self._why_silent(line, until))
        if more:
            raise self._unasked(more[0], until)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
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
        if self._guard:
            # while the process is not waited for, so that its number is nobody else's
            self._guard.kill()
            self._guard.communicate()
        self._process.wait()
        self._lines.put(None)
        # a process that it started, and that has left its session, may keep what is read open: who reads it ends then
        until = time.monotonic() + _GRACE
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _unasked(self, line: bytes, until: float) -> Lost:
        if line.endswith(b"\n"):
            return Lost(f"it spoke without being asked: {line[:80]!r}")
        return Lost(self._why_silent(line, until))

    def _why_silent(self, line: bytes, until: float) -> str:
        if len(line) >= MOST_ANSWER:
            return f"it answered with a line of more than {MOST_ANSWER} bytes"
        # output ends before a process does, where an interpreter has much to clear away by seconds: how it ended is
        # waited for as long as its answer would have been
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(_GRACE, until - time.monotonic()))
        self._threads[-1].join(_GRACE)
        said = f": {_last_words(self._complaints)}" if self._complaints else ""
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
        """Every line, those together that came together; and at the end, or where a line is too long, what is none."""
        assert self._process.stdout
        begun = b""
        with contextlib.suppress(queue.Full):
            for chunk in _chunks(self._process.stdout):
                *lines, begun = (begun + chunk).split(b"\n")
                if lines:
                    self._answers.put_nowait([line + b"\n" for line in lines])
                if len(begun) >= MOST_ANSWER:
                    break
            self._answers.put_nowait([begun])

    def _listen(self) -> None:
        assert self._process.stderr
        begun = b""
        for chunk in _chunks(self._process.stderr):
            *lines, begun = (begun + chunk).split(b"\n")
            begun = begun[:MOST_ANSWER]
            self._complaints.extend(filter(str.strip, map(_quoted, lines)))
        if (words := _quoted(begun)).strip():
            self._complaints.append(words)


def _guard(pid: int) -> subprocess.Popen[bytes] | None:
    """What ends the session of a process as soon as this process has ended; None where there is no such thing.

    Nobody else could where this process is killed: a player that thinks does not see that its input has ended.
    """
    if os.name != "posix":
        return None
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, str(pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is not for it
        )
    return None


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """What comes out of a stream, as it comes, until it ends; it is closed then, by the thread that reads it.

    Past the buffer, which would hand out one line after the other, and which nobody else could close meanwhile.
    """
    with stream, contextlib.suppress(OSError, ValueError):
        while chunk := os.read(stream.fileno(), MOST_ANSWER):
            yield chunk


def _quoted(line: bytes) -> str:
    """A line as it can be shown anywhere: a terminal would obey what is not meant to be read."""
    words = line.decode("utf-8", "replace").replace("\t", " ").rstrip()[:_MOST_QUOTED]
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words)


def _last_words(complaints: Iterable[str]) -> str:
    """Why a process ended: its last line, or from the error of the last traceback on, which may have several.

    And where: whoever wrote the player finds the place by it.
    """
    lines = list(complaints)
    frames = [number for number, line in enumerate(lines) if line.startswith(_FRAME)]
    after = lines[frames[-1] + 1 :] if frames else []
    # what is indented belongs to the traceback
    error = list(dropwhile(lambda line: line.startswith(" "), after)) or lines[-1:]
    words = " ".join(line.strip() for line in error)
    where = f" ({_where(lines[frames[-1]])})" if after else ""
    room = _MOST_QUOTED - len(where)
    if len(words) <= room:
        return words + where
    # more may have been said since
    begin = room * 2 // 3
    return f"{words[:begin].rstrip()} ... {words[begin - room :].lstrip()}{where}"


def _where(frame: str) -> str:
    """A place as a traceback tells it; of a long one the end, which has the name of the file and the line."""
    place = frame.strip()
    return place if len(place) <= _MOST_WHERE else f'File "...{place[-_MOST_WHERE:]}'
