"""What is left of a server that is killed under load: `kill -9` at random moments, again and again.

`python scripts/kills.py --kills 20 --tables 100 --rate 20` plays so many moves a second over so many tables, each with
a person, a greedy bot and two streams that come back by themselves as a page's do. It kills all processes of the
server, starts it again on what is on the disk, and looks: no move that was acknowledged is lost, no match is stuck, and
every stream is back within 3 s of the server being ready. The exit status is 1 where that is not so.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from load import _COUNTER, _EVENT, _LIMITS, _MOVE, _TOLD, Connection, Table, _head

from thorp.server.app import DATABASE
from thorp.server.tables.store import Store, sqlite_url

#: What a page does when its stream ends: seconds until the first try, the longest, and by what part they vary.
_FIRST, _LONGEST, _JITTER = 1.0, 1.5, 0.3
#: A match that has not asked its person, nor come to its end, after so many seconds is stuck.
STUCK = 60.0
_LOST = (OSError, asyncio.IncompleteReadError, EOFError, ValueError, IndexError, TimeoutError)


class Stream:
    """A stream that comes back by itself, as that of a page."""

    def __init__(self, port: int, path: str, cookie: str) -> None:
        self._port, self._path, self._cookie = port, path, cookie
        self.told = -1
        #: When it was there again, by the clock; 0 while it is not.
        self.back = 0.0
        self.task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        attempt = 0
        while True:
            with suppress(*_LOST):
                if await self._read():
                    attempt = 0
            self.back = 0.0
            delay = min(_FIRST * 2**attempt, _LONGEST)
            attempt += 1
            await asyncio.sleep(delay * random.uniform(1 - _JITTER, 1 + _JITTER))

    async def _read(self) -> bool:
        """Read it until it ends; False where it did not begin."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
        began = False
        try:
            head = f"GET {self._path}/events?since={self.told} HTTP/1.1\r\nHost: localhost\r\nCookie: {self._cookie}"
            writer.write(f"{head}\r\n\r\n".encode())
            status, _ = await _head(reader)
            while status == 200 and (chunk := await reader.read(2**18)):
                if not began:
                    began, self.back = True, time.monotonic()
                for found in _EVENT.finditer(chunk):
                    self.told = int(found[1])
        finally:
            writer.close()
        return began


@dataclass
class Played:
    """A table in play: what was acknowledged there, and by what the server has told."""

    table: Table
    rng: random.Random
    streams: list[Stream] = field(default_factory=list)
    #: By the seat's counter the move that was acknowledged.
    acknowledged: dict[int, int] = field(default_factory=dict)
    told: int = 0
    over: bool = False
    busy: bool = False

    async def open(self) -> None:
        """Make a table, and look at it twice."""
        await self.table.open()
        for task in self.table.tasks:
            task.cancel()
        for stream in self.streams:
            stream.task.cancel()
        port, path, cookie = self.table.port, self.table.path, self.table.person.cookie
        self.streams = [Stream(port, path, cookie), Stream(port, path, "")]
        self.acknowledged, self.told, self.over = {}, 0, False

    async def look(self) -> tuple[list[str], int]:
        """The moves that the person may make, and its counter."""
        status, text = await self.table.person.ask("GET", f"{self.table.path}/fragment")
        counter, told = _COUNTER.search(text), _TOLD.search(text)
        if status != 200 or not told:
            raise ValueError(f"status {status}")
        if int(told[1]) < self.told:
            raise AssertionError(f"{self.table.path} has gone back from {self.told} to {told[1]}")
        self.over = 'class="table over"' in text
        moves = _MOVE.findall(html.unescape(text))
        return (moves, int(counter[1])) if counter else ([], -1)

    async def move(self) -> bool:
        """Play a random move; whether one was acknowledged."""
        moves, counter = await self.look()
        if not moves:
            return False
        move = self.rng.choice(moves)
        form = {"counter": str(counter), "move": move}
        status, text = await self.table.person.ask("POST", f"{self.table.path}/moves", form)
        told = _TOLD.search(text)
        if status != 200 or not told:
            return False
        self.acknowledged[counter] = int(move)
        self.told = int(told[1])
        return True


class Machine:
    """The server, with all its processes."""

    def __init__(self, command: list[str], port: int) -> None:
        self.command, self.port = command, port
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        self._process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)

    def kill(self, only: int | None = None) -> None:
        """End all its processes as a power cut would; or one of those that serve."""
        assert self._process
        own = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        if only is not None and own:
            os.kill(int(own[only % len(own)]), signal.SIGKILL)
            return
        for pid in (self._process.pid, *map(int, own)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()

    async def ready(self) -> float:
        """Wait until it is ready to play, whichever of its processes is asked; when that was."""
        since = times = 0.0
        while times < 10:
            status, asking = 0, Connection(self.port)
            with suppress(*_LOST):
                status, _ = await asking.ask("GET", "/readyz")
            asking.drop()
            since, times = (since or time.monotonic(), times + 1) if status == 200 else (0.0, 0)
            await asyncio.sleep(0.02)
        return since


async def _until(true: Callable[[], bool], seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not true():
                await asyncio.sleep(0.01)


async def _play(tables: list[Played], rate: float, stop: asyncio.Event) -> int:
    """Moves at even times until told to stop; how many were acknowledged."""
    count, running, number = 0, set[asyncio.Task[None]](), 0

    async def one(played: Played) -> None:
        nonlocal count
        played.busy = True
        try:
            count += await played.move()
        except _LOST:
            # What it was told about this move nobody knows: it is not acknowledged.
            played.table.person.drop()
        finally:
            played.busy = False

    began = time.monotonic()
    while not stop.is_set():
        await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
        played = tables[number % len(tables)]
        number += 1
        if not played.busy and not played.over:
            task = asyncio.create_task(one(played))
            running.add(task)
            task.add_done_callback(running.discard)
    await asyncio.gather(*running, return_exceptions=False)
    return count


async def _going_on(tables: list[Played]) -> tuple[float, list[str]]:
    """Seconds until every match asks its person, or is over; and those that never do."""
    began = time.monotonic()

    async def goes_on(played: Played) -> float:
        while (waited := time.monotonic() - began) < STUCK:
            try:
                moves, _ = await played.look()
                if moves or played.over:
                    return waited
            except _LOST:
                played.table.person.drop()
            await asyncio.sleep(0.3)
        return STUCK

    waited = await asyncio.gather(*map(goes_on, tables))
    stuck = [played.table.path for played, seconds in zip(tables, waited, strict=True) if seconds >= STUCK]
    return max(waited), stuck


async def _lost(tables: list[Played], address: str, data: Path) -> list[str]:
    """What was acknowledged and is not stored."""
    store = Store(address or sqlite_url(data / DATABASE))
    lost = []
    for played in tables:
        rows = await store.moves(played.table.path.rpartition("/")[2])
        stored = {row.counter: row.move for row in rows if row.seat == 0}
        lost += [
            f"{played.table.path}: move {counter} of its person"
            for counter, move in played.acknowledged.items()
            if stored.get(counter) != move
        ]
    await store.close()
    return lost


async def run(given: argparse.Namespace, data: Path) -> bool:
    """Start, load, kill, and look; whether all was as it has to be."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    limits = [part for limit in _LIMITS.items() for part in limit]
    command = [sys.executable, "-m", "thorp", "serve", "--port", str(port), "--data", str(data), *limits]
    command += ["--workers", str(given.workers), *(["--database", given.database] if given.database else [])]
    machine, rng = Machine(command, port), random.Random(given.seed)
    machine.start()
    good = True
    try:
        await machine.ready()
        tables = [Played(Table(port, given.game, number), random.Random(number)) for number in range(given.tables)]
        for played in tables:
            await played.open()
        await _until(lambda: all(stream.back for played in tables for stream in played.streams), 30)
        print(
            f"{given.tables} tables of {given.game}, {2 * len(tables)} streams, {given.rate:g} moves a second", end=""
        )
        print(f", {given.workers} process(es), {'PostgreSQL' if given.database else 'SQLite'}")
        print(
            "| kill | acknowledged moves before | ready after | last stream back | last match goes on | lost | stuck |"
        )
        print("|---|---|---|---|---|---|---|", flush=True)
        total = 0
        for number in range(given.kills):
            for played in tables:
                if played.over:
                    await played.open()
            stop = asyncio.Event()
            playing = asyncio.create_task(_play(tables, given.rate, stop))
            await asyncio.sleep(rng.uniform(1.0, 5.0))
            streams = [stream for played in tables for stream in played.streams]
            killed = time.monotonic()
            machine.kill(rng.randrange(given.workers) if given.one else None)
            if not given.one:
                machine.start()
            ready = await machine.ready()
            told = {stream: played.told for played in tables for stream in played.streams}

            def is_back(killed: float = killed, told: dict[Stream, int] = told) -> bool:
                return all(stream.back > killed and stream.told >= told[stream] for stream in told)

            await _until(is_back, given.back + 10)
            back = (max(stream.back for stream in streams) if is_back() else time.monotonic()) - ready
            stop.set()
            count = await playing
            total += count
            last, stuck = await _going_on(tables)
            lost = await _lost(tables, given.database, data)
            good &= not lost and not stuck and (given.one or back <= given.back)
            print(
                f"| {number + 1} | {count} | {ready - killed:.1f} s | {max(0.0, back):.1f} s | {last:.1f} s |", end=""
            )
            print(f" {len(lost)} | {len(stuck)} |", flush=True)
            for sentence in (*lost, *(f"{path} is stuck" for path in stuck)):
                print(sentence)
        print(f"{total} moves were acknowledged in all.")
        for played in tables:
            for stream in played.streams:
                stream.task.cancel()
    finally:
        machine.kill()
    return good


def main() -> int:
    """Kill a server again and again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20, help="how often it is killed (default: 20)")
    parser.add_argument("--tables", type=int, default=100, help="open tables (default: 100)")
    parser.add_argument("--rate", type=float, default=20, help="moves a second over all tables (default: 20)")
    parser.add_argument("--workers", type=int, default=1, help="processes that serve (default: 1)")
    parser.add_argument("--one", action="store_true", help="kill one of these at a time, not all of them")
    parser.add_argument("--database", default="", help="an empty database of PostgreSQL (default: SQLite)")
    parser.add_argument("--back", type=float, default=3, help="seconds for streams to come back (default: 3)")
    parser.add_argument("--game", default="tiny-towns", help="the game (default: tiny-towns)")
    parser.add_argument("--seed", type=int, default=1, help="what the moments follow from (default: 1)")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        return 0 if asyncio.run(run(given, Path(folder))) else 1


if __name__ == "__main__":
    sys.exit(main())
