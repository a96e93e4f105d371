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
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol, TypeVar

import numpy as np

from thorp.compiling.mode import COMPILED
from thorp.compiling.preparing import on_compiling
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.registry import game as find_game
from thorp.players import Plan, Stop

log = logging.getLogger(__name__)

#: Seconds after which a process that has nothing to think about is ended, and its memory given back.
IDLE = 600.0
#: So often a move is thought anew where the process that thought it has died.
ATTEMPTS = 3
#: Processor time that a thought may take beyond its player's, in seconds; what takes more hangs, and so does what takes
#: none for so many seconds by the clock. However long it waits for a processor on a machine with much to do, it is let
#: think.
PATIENCE = 120.0
#: What has to be compiled first is no part of that, nor the wait for another process that compiles it: so many seconds
#: by the clock at most.
COMPILED_WITHIN = 1800.0
#: Seconds between two looks at how much it has taken.
LOOK = 10.0
#: Less than so much is none.
_LEAST = 0.1
#: Where the system does not tell that, so many times as long by the clock.
_UNTOLD = 10
#: Of so many addresses and people it is known when they had a turn last.
REMEMBERED = 1000
#: How much less a process that thinks is heeded by the system than one that serves pages.
_NICE = 5
#: A message is its length, and a pickle. What a process says is a pair: what it tells, and that.
_LENGTH = 8
_ANSWERS, _COMPILES = "answers", "compiles"


T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Asked(Protocol[T_co]):
    """What is thought about in a process of its own: it is pickled, and so is the answer."""

    @property
    def name(self) -> str:
        """Who thinks, for the sentence that says that it failed."""
        ...

    @property
    def what(self) -> str:
        """What is thought about, for the log, as *a move*."""
        ...

    @property
    def game(self) -> str:
        """The id of the game."""
        ...

    @property
    def seconds(self) -> float:
        """How much processor time it takes."""
        ...

    def answer(self, stop: Stop) -> T_co:
        """Think, in whatever process this is; `stop` ends it early."""
        ...


@dataclass(frozen=True)
class Position:
    """A position as its seat may know it."""

    game: str
    state: bytes
    seats: int
    seat: int

    def read(self) -> tuple[AnyGame, Any]:
        """The game with its rules prepared, and the state as they take it."""
        game = find_game(self.game)
        game.prepare()
        state: Any = np.frombuffer(bytearray(self.state), game.record.dtype)[0]
        return game, state if COMPILED else game.record.read(state)


class Choice(NamedTuple):
    """What a player chooses, and the line that it has in mind from there on; empty where it has none."""

    move: int
    line: tuple[int, ...] = ()


@dataclass(frozen=True)
class Question:
    """Which move a player chooses in a position, as the seat may know it."""

    #: The module of the players, and which of them thinks.
    players: str
    name: str
    game: str
    state: bytes
    seats: int
    seat: int
    seed: int
    #: How much processor time the player takes, in seconds.
    seconds: float
    #: What it had in mind when it chose before (`Plan`).
    line: tuple[int, ...] = ()

    @property
    def what(self) -> str:
        """What is thought about."""
        return "a move"

    def answer(self, stop: Stop) -> Choice:
        """The choice."""
        players = importlib.import_module(self.players)
        game, state = Position(self.game, self.state, self.seats, self.seat).read()
        where, plan = (self.name, game, state, self.seat, self.seed), Plan(self.line)
        move = int(players.choose_in(*where, seats=self.seats, stop=stop, plan=plan))
        return Choice(move, plan.moves)


#: For whom something is thought: the address that the table was made from, and who opened it, as far as that is known.
Whose = tuple[str, str]
NOBODY: Whose = ("", "")


class Died(Exception):
    """A process has ended in the middle of a thought, time and again."""


class _Turns:
    """Who waits for a process: by turns among addresses, there among people, and there first come, first served.

    Whose turn was longest ago is next, and who has had none before all others: so whoever lets many bots think at many
    tables waits for its own, and others hardly notice. Who gives up a wait has had no turn by it.
    """

    def __init__(self) -> None:
        #: By address and person who waits there, the first one first.
        self._waiting: dict[str, dict[str, dict[asyncio.Future[_Thinker | None], None]]] = {}
        #: Which addresses, and which people there, had a turn: the last one last.
        self._had: OrderedDict[str | Whose, None] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, whose: Whose, turn: asyncio.Future[_Thinker | None]) -> None:
        """Somebody waits."""
        self._waiting.setdefault(whose[0], {}).setdefault(whose[1], {})[turn] = None

    def drop(self, whose: Whose, turn: asyncio.Future[_Thinker | None]) -> None:
        """Somebody waits no more, if it did."""
        address, person = whose
        people = self._waiting.get(address, {})
        turns = people.get(person, {})
        if turn not in turns:
            return
        del turns[turn]
        if not turns:
            del people[person]
        if not people:
            del self._waiting[address]

    def has(self, whose: Whose) -> None:
        """It is somebody's turn."""
        for each in (whose[0], whose):
            self._had[each] = None
            self._had.move_to_end(each)
        while len(self._had) > REMEMBERED:
            self._had.popitem(last=False)

    def next(self) -> asyncio.Future[_Thinker | None] | None:
        """Whose turn it is: that address, and that person there, come last then. None: all have given up."""
        order = {each: number for number, each in enumerate(self._had)}
        while self._waiting:
            address = min(self._waiting, key=lambda each: order.get(each, -1))
            people = self._waiting[address]
            person = min(people, key=lambda each: order.get((address, each), -1))
            turn = next(iter(people[person]))
            self.drop((address, person), turn)
            # who was cancelled a moment ago has not yet come to say so
            if not turn.done():
                self.has((address, person))
                return turn
        return None


class Thinkers:
    """The processes of a server that think, so many at most; each is started when it is needed."""

    def __init__(self, most: int = 0, idle: float = IDLE) -> None:
        """`most`: how many processes; 0: as many as there are processors. `idle`: seconds until one is ended."""
        self.most = most or os.cpu_count() or 1
        self.idle = idle
        self._resting: list[_Thinker] = []
        self._all: set[_Thinker] = set()
        self._waiting = _Turns()
        #: How many are being started, or may be by whose turn it is.
        self._starting = 0
        #: Those whose thought has had to wait for rules to be compiled, and of which game.
        self._compiling: dict[_Thinker, str] = {}
        self._closed = False

    async def think(self, question: Asked[T], whose: Whose = NOBODY, begins: Callable[[], None] = lambda: None) -> T:
        """What is answered, as the move that a player chooses. Where this is cancelled the thought is stopped.

        `whose`: for whom it is thought, where many wait. `begins` is called when it waits no longer. Raises GameError
        as players do, Died where processes end in the middle of it.
        """
        how = ""
        for left in reversed(range(ATTEMPTS)):
            thinker = await self._take(whose)
            begins()
            try:
                return await thinker.ask(question, partial(self._compiles, question.game))
            except _Ended as ended:
                how = str(ended)
                # of the last one whoever has asked tells
                if left:
                    told = "a process that thought about %s of %s %s; another one begins it anew"
                    log.warning(told, question.what, question.game, how)
            finally:
                self._compiling.pop(thinker, None)
                self._give(thinker)
        raise Died(
            f"{ATTEMPTS} processes that thought about {question.what} of {question.game} have ended; the last one {how}"
        )

    def _compiles(self, game: str, thinker: _Thinker) -> None:
        """A process finds rules of a game not kept: it compiles them, or waits for another one that does."""
        if game not in self._compiling.values():
            log.warning(
                "rules of %s have to be compiled before more is thought there: that may take minutes, once", game
            )
        self._compiling[thinker] = game

    async def _take(self, whose: Whose) -> _Thinker:
        """A process that rests, or a new one; where there are enough, or others wait, the next when it is one's turn.

        Whose turn it is gets a process, or the right to start one: nobody who comes later is faster.
        """
        if self._closed:
            raise Died("the server stops")
        if self._waiting or not self._has_room():
            turn: asyncio.Future[_Thinker | None] = asyncio.get_running_loop().create_future()
            self._waiting.add(whose, turn)
            try:
                thinker = await turn
            except asyncio.CancelledError:
                self._waiting.drop(whose, turn)
                if turn.done() and not turn.cancelled() and not turn.exception():
                    self._decline(turn.result())
                raise
        else:
            self._waiting.has(whose)
            thinker = self._grant()
        return thinker or await self._start()

    async def _start(self) -> _Thinker:
        """A new process, where the right to it was granted."""
        try:
            thinker = await _Thinker.start(self._give_up)
        except BaseException:
            # It could not be started, or nobody wants it any more: who waits may have better luck.
            self._decline(None)
            raise
        self._starting -= 1
        self._all.add(thinker)
        return thinker

    def _has_room(self) -> bool:
        return bool(self._resting) or len(self._all) + self._starting < self.most

    def _grant(self) -> _Thinker | None:
        """A process that rests, for whoever asks it now; None: the right to start one."""
        if not self._resting:
            self._starting += 1
            return None
        thinker = self._resting.pop()
        if thinker.rest:
            thinker.rest.cancel()
        return thinker

    def _decline(self, granted: _Thinker | None) -> None:
        """What was granted is not made use of."""
        if granted:
            self._give(granted)
        else:
            self._starting -= 1
            self._call_next()

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
        if thinker.rest:
            thinker.rest.cancel()
        self._call_next()

    def _call_next(self) -> None:
        while self._waiting and not self._closed and self._has_room():
            if turn := self._waiting.next():
                turn.set_result(self._grant())

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        await asyncio.gather(*(thinker.end() for thinker in list(self._all)))
        while turn := self._waiting.next():
            turn.set_exception(Died("the server stops"))


class _Ended(Exception):
    """The process has ended; how, as the end of a sentence."""

    @classmethod
    def with_status(cls, status: int | None) -> _Ended:
        """As the system tells it: a signal is below 0."""
        try:
            signalled = f": {signal.Signals(-(status or 0)).name}"
        except ValueError:
            signalled = ""
        return cls(f"has ended with status {status}{signalled}")


class _Pulse:
    """Whether a process still thinks, or hangs: by the processor time that it takes, not by the clock."""

    def __init__(self, pid: int, seconds: float) -> None:
        """`seconds`: how much processor time its thought takes."""
        self._pid, self._most = pid, seconds + PATIENCE
        self._began = self._moved = time.monotonic()
        self._before = processor_time(pid)
        self._last = self._before or 0.0
        #: Since when something is compiled for it, and how much it had taken then.
        self._compiling: tuple[float, float | None] | None = None

    def compiles(self, begins: bool) -> None:
        """What is compiled for it is no part of the thought, from when that begins until it has ended."""
        moment, used = time.monotonic(), processor_time(self._pid)
        if begins:
            self._compiling = moment, used
        elif self._compiling:
            (began, then), self._compiling = self._compiling, None
            self._began += moment - began
            self._moved = moment
            if used is not None and then is not None and self._before is not None:
                self._before += used - then
                self._last = used

    def hangs(self) -> bool:
        """Whether it has taken far more processor time than it should, or none for long."""
        moment, used = time.monotonic(), processor_time(self._pid)
        if self._compiling:
            return moment - self._compiling[0] > COMPILED_WITHIN
        if used is None or self._before is None:
            return moment - self._began > _UNTOLD * self._most
        if used - self._last >= _LEAST:
            self._last, self._moved = used, moment
        return used - self._before > self._most or moment - self._moved > PATIENCE


def processor_time(pid: int) -> float | None:
    """How much processor time a process has taken, in seconds; None where the system does not tell that."""
    try:
        # the second field, its name, is in brackets, and may be anything
        told = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


class _Thinker:
    """A process that thinks, one thought at a time."""

    def __init__(self, process: asyncio.subprocess.Process, gone: Callable[[_Thinker], None]) -> None:
        self._process = process
        self._gone = gone
        self._answer: asyncio.Future[Any] | None = None
        self._asked = 0
        #: Whether it compiles, or waits for another process that does; and who is told so, with how it thinks.
        self._compiles = False
        self._pulse: _Pulse | None = None
        self._on_compiling: Callable[[_Thinker], None] | None = None
        #: When it has rested for too long, or has gone on for too long with a thought that was stopped.
        self.rest: asyncio.TimerHandle | None = None
        self._hangs: asyncio.TimerHandle | None = None
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

    async def ask(self, question: Asked[T], compiles: Callable[[_Thinker], None]) -> T:
        """The answer. `compiles` is called where rules have to be compiled first. Raises _Ended where it ends."""
        if self.ended:
            # between its turn and its question
            raise _Ended.with_status(self._process.returncode)
        self._asked += 1
        answer = self._answer = asyncio.get_running_loop().create_future()
        try:
            self._send((self._asked, question))
            pulse = self._pulse = _Pulse(self.pid, question.seconds)
            self._on_compiling = compiles
            # what is cancelled is only the wait: the process answers all the same, and then is free
            while not (await asyncio.wait((answer,), timeout=LOOK))[0]:
                if pulse.hangs():
                    await self.end()
                    raise _Ended("took far too long and was ended")
        except asyncio.CancelledError:
            self._send((self._asked, None))
            if self.busy and not self.ended:
                # who does not heed that would never be free again
                self._hangs = asyncio.get_running_loop().call_later(PATIENCE, self._kill_hanging)
            raise
        finally:
            self._pulse = self._on_compiling = None
        said = answer.result()
        if isinstance(said, Exception):
            raise said
        thought: T = said
        return thought

    def _kill_hanging(self) -> None:
        """End it, as it goes on with a thought that was stopped; what it compiles meanwhile is of use to others."""
        if self._compiles:
            self._hangs = asyncio.get_running_loop().call_later(PATIENCE, self._kill_hanging)
        else:
            self.kill()

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
                told, what = pickle.loads(await output.readexactly(length))
                if told == _COMPILES:
                    self._has_told_of_compiling(what)
                else:
                    self._answered(what)
        except (asyncio.IncompleteReadError, ConnectionError):
            await self._process.wait()
        finally:
            # first of all it is no more; then whoever waits for it may ask another one
            asyncio.get_running_loop().call_soon(self._has_ended)

    def _has_ended(self) -> None:
        self._answered(_Ended.with_status(self._process.returncode))
        self._gone(self)

    def _has_told_of_compiling(self, begins: bool) -> None:
        self._compiles = begins
        if self._pulse:
            self._pulse.compiles(begins)
        if begins and self._on_compiling:
            self._on_compiling(self)

    def _answered(self, said: Any) -> None:
        answer, self._answer = self._answer, None
        if self._hangs:
            self._hangs.cancel()
            self._hangs = None
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


def _answer(question: Asked[Any], stop: Stop) -> Any:
    """What is answered, or the error that is raised."""
    try:
        return question.answer(stop)
    except Exception as error:
        # a sentence, since not every error can be taken to another process
        return GameError(f"{question.name} cannot think: {type(error).__name__}: {error}")


class _Mind:
    """Thoughts by number, as they are asked for and stopped."""

    def __init__(self) -> None:
        self.questions: deque[tuple[int, Asked[Any]]] = deque()
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
    # Who stops a service may send this to all its processes; this one ends when its server says nothing any more.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What players and games print is not for who waits for an answer.
    said = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICE)
    mind = _Mind()

    def say(told: str, what: Any) -> None:
        packed = pickle.dumps((told, what))
        with contextlib.suppress(BrokenPipeError):
            said.write(len(packed).to_bytes(_LENGTH, "big") + packed)
            said.flush()

    on_compiling.append(partial(say, _COMPILES))
    threading.Thread(target=mind.hear, args=(sys.stdin.buffer,), daemon=True).start()
    while True:
        mind.news.acquire()
        number, question = mind.questions.popleft()
        say(_ANSWERS, _answer(question, mind.stops[number]))
        del mind.stops[number]


if __name__ == "__main__":
    main()
