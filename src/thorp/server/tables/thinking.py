"""Processes in which players think: they never hold up a page, and a thought of theirs can be stopped."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from thorp.compiling.mode import COMPILED
from thorp.core.errors import GameError
from thorp.core.registry import game as find_game
from thorp.players import Stop

log = logging.getLogger(__name__)

#: Seconds after which a process that has nothing to think about is ended, and its memory given back.
IDLE = 600.0
#: So often a move is thought anew where the process that thought it has died.
ATTEMPTS = 3
#: Seconds that a thought may take beyond its player's time, with all that has to be compiled; what takes longer hangs.
PATIENCE = 120.0
#: How much less a process that thinks is heeded by the system than one that serves pages.
_NICE = 5
#: A message is its length, and a pickle.
_LENGTH = 8


@dataclass(frozen=True)
class Question:
    """What is thought about: a position as the seat may know it."""

    #: The module of the players, and which of them thinks.
    players: str
    name: str
    game: str
    state: bytes
    seats: int
    seat: int
    seed: int
    habit: int
    #: How much processor time the player takes, in seconds.
    seconds: float


class Died(Exception):
    """A process has ended in the middle of a thought, time and again."""


class Thinkers:
    """The processes of a server that think, so many at most; each is started when it is needed."""

    def __init__(self, most: int = 0, idle: float = IDLE) -> None:
        """`most`: how many processes; 0: as many as there are processors. `idle`: seconds until one is ended."""
        self.most = most or os.cpu_count() or 1
        self.idle = idle
        self._resting: list[_Thinker] = []
        self._all: set[_Thinker] = set()
        #: Who waits for a process, in the order in which they came.
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._starting = 0
        self._closed = False

    async def think(self, question: Question) -> int:
        """The move that a player chooses. Where this is cancelled the thought is stopped.

        Raises GameError as players do, Died where processes end in the middle of it.
        """
        for _ in range(ATTEMPTS):
            thinker = await self._take()
            try:
                return await thinker.ask(question)
            except _Ended:
                log.warning("a process in which bots think has ended; another one thinks the move anew")
            finally:
                self._give(thinker)
        raise Died(f"processes that think about {question.game} end")

    async def _take(self) -> _Thinker:
        """A process that rests, or a new one; where there are enough, wait for the next that is free."""
        while len(self._all) + self._starting >= self.most and not self._resting:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._call_next()
                raise
        if self._closed:
            raise Died("the server stops")
        if self._resting:
            thinker = self._resting.pop()
            if thinker.rest:
                thinker.rest.cancel()
            return thinker
        self._starting += 1
        try:
            thinker = await _Thinker.start(self._give_up)
        finally:
            self._starting -= 1
        self._all.add(thinker)
        return thinker

    def _give(self, thinker: _Thinker) -> None:
        """Let a process rest, or, where it is still busy with a thought that was stopped, wait until it is not."""
        if thinker.ended:
            self._give_up(thinker)
        elif thinker.busy:
            thinker.then = self._give
        elif thinker not in self._resting:
            self._resting.append(thinker)
            thinker.rest = asyncio.get_running_loop().call_later(self.idle, self._dismiss, thinker)
            self._call_next()

    def _dismiss(self, thinker: _Thinker) -> None:
        """A process has rested for long."""
        self._resting.remove(thinker)
        thinker.kill()

    def _give_up(self, thinker: _Thinker) -> None:
        """A process is no more."""
        self._all.discard(thinker)
        if thinker in self._resting:
            self._resting.remove(thinker)
        self._call_next()

    def _call_next(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        await asyncio.gather(*(thinker.end() for thinker in list(self._all)))
        while self._waiting:
            self._call_next()


class _Ended(Exception):
    """The process has ended."""


class _Thinker:
    """A process that thinks, one thought at a time."""

    def __init__(self, process: asyncio.subprocess.Process, gone: Callable[[_Thinker], None]) -> None:
        self._process = process
        self._gone = gone
        self._answer: asyncio.Future[Any] | None = None
        self._asked = 0
        #: When it has rested for too long.
        self.rest: asyncio.TimerHandle | None = None
        #: Called when a thought that was stopped has ended.
        self.then: Callable[[_Thinker], None] | None = None
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, gone: Callable[[_Thinker], None]) -> _Thinker:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        return cls(process, gone)

    @property
    def ended(self) -> bool:
        return self._reading.done()

    @property
    def busy(self) -> bool:
        return self._answer is not None

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    async def ask(self, question: Question) -> int:
        self._asked += 1
        answer = self._answer = asyncio.get_running_loop().create_future()
        try:
            self._send((self._asked, question))
            async with asyncio.timeout(question.seconds + PATIENCE):
                # what is cancelled is only the wait: the process answers all the same, and then is free
                said = await asyncio.shield(answer)
        except asyncio.CancelledError:
            self._send((self._asked, None))
            raise
        except TimeoutError:
            log.warning("a player thinks for far too long: its process is ended")
            await self.end()
            raise _Ended from None
        if isinstance(said, Exception):
            raise said
        return int(said)

    def _send(self, message: Any) -> None:
        packed = pickle.dumps(message)
        assert self._process.stdin
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._process.stdin.write(len(packed).to_bytes(_LENGTH, "big") + packed)

    async def _read(self) -> None:
        output = self._process.stdout
        assert output
        try:
            while True:
                length = int.from_bytes(await output.readexactly(_LENGTH), "big")
                self._answered(pickle.loads(await output.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            await self._process.wait()
        finally:
            # first of all it is no more; then whoever waits for it may ask another one
            asyncio.get_running_loop().call_soon(self._has_ended)

    def _has_ended(self) -> None:
        self._answered(_Ended())
        self._gone(self)

    def _answered(self, said: Any) -> None:
        answer, self._answer = self._answer, None
        if answer and not answer.done():
            answer.set_result(said)
        then, self.then = self.then, None
        if then:
            then(self)

    async def end(self) -> None:
        """End it now, whatever it thinks about."""
        self.kill()
        await asyncio.gather(self._reading, return_exceptions=True)

    def kill(self) -> None:
        """End it, without waiting until it has ended."""
        if self.rest:
            self.rest.cancel()
        # not `Process.kill`, which might take its end away from who waits for it
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


# --- in the process that thinks ------------------------------------------------------------------------------


def _answer(question: Question, stop: Stop) -> Any:
    """What a player answers, or the error that it raises."""
    try:
        players = importlib.import_module(question.players)
        game = find_game(question.game)
        game.prepare()
        state: Any = np.frombuffer(bytearray(question.state), game.record.dtype)[0]
        return players.choose_in(
            *(question.name, game, state if COMPILED else game.record.read(state), question.seat, question.seed),
            seats=question.seats,
            habit=question.habit,
            stop=stop,
        )
    except Exception as error:
        # a sentence, since not every error can be taken to another process
        return GameError(f"{question.name} cannot think: {type(error).__name__}: {error}")


class _Mind:
    """Thoughts by number, as they are asked for and stopped."""

    def __init__(self) -> None:
        self.questions: deque[tuple[int, Question]] = deque()
        self.stops: dict[int, Stop] = {}
        self.news = threading.Semaphore(0)

    def hear(self, source: BinaryIO) -> None:
        """Take what is said, until whoever says it is gone: then there is nobody to think for."""
        while len(head := source.read(_LENGTH)) == _LENGTH:
            number, question = pickle.loads(source.read(int.from_bytes(head, "big")))
            if question is None:
                if stop := self.stops.get(number):
                    stop()
            else:
                self.stops[number] = Stop()
                self.questions.append((number, question))
                self.news.release()
        os._exit(0)


def main() -> None:
    """Think about what comes by standard input, and answer by standard output."""
    # What players and games print is not for who waits for an answer.
    said = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICE)
    mind = _Mind()
    threading.Thread(target=mind.hear, args=(sys.stdin.buffer,), daemon=True).start()
    while True:
        mind.news.acquire()
        number, question = mind.questions.popleft()
        packed = pickle.dumps(_answer(question, mind.stops[number]))
        del mind.stops[number]
        with contextlib.suppress(BrokenPipeError):
            said.write(len(packed).to_bytes(_LENGTH, "big") + packed)
            said.flush()


if __name__ == "__main__":
    main()
