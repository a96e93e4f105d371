"""How a server bears many tables: one process that serves, this one that plays and watches, over real sockets.

`python scripts/load.py --tables 500 --rate 100 --seconds 30` opens that many tables, each with a person, a greedy bot
and two streams (the person's own and a watcher's), plays so many moves a second over all of them, and prints how long
it takes from sending a move to the watcher's update, what the server's processes do for a move, and their memory. Like
a page, a person knows what can be played from the page that was loaded, from its stream and from the answers to its
moves. `--workers 2` has two processes serve.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

#: What strangers may do is for strangers: here everybody has one address.
_LIMITS = {
    **{
        "--post-rate": "1000000",
        "--post-burst": "1000000",
        "--look-rate": "1000000",
        "--look-burst": "1000000",
        "--tables-hourly": "1000000",
        "--tables-running": "1000000",
    },
    **{"--streams": "100000", "--connections-each": "100000"},
}
_MOVE = re.compile(r'<button name="move" value="(\d+)"')
_COUNTER = re.compile(r'name="counter" value="(\d+)"')
_TOLD = re.compile(r'data-version="(\d+)"')
_MARK = re.compile(r'data-mark="([^"]+)"')
_EVENT = re.compile(rb"^id: (\d+)", re.MULTILINE)


#: Seconds after which a connection is not used again: the server lets go of those that lie idle for some more.
_IDLE = 3.0


class Connection:
    """A connection that is kept: one request after the other."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[StreamReader, StreamWriter] | None = None
        self._used = 0.0
        self.cookie = ""

    async def ask(self, method: str, path: str, form: dict[str, str] | None = None, page: str = "") -> tuple[int, str]:
        """The status and the text of an answer to a page of that name; redirections are followed."""
        body = urlencode(form or {}).encode()
        headers = ["Host: localhost", f"Cookie: {self.cookie}", "HX-Request: true", f"Thorp-Page: {page}"]
        if form is not None:
            headers += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        if time.monotonic() - self._used > _IDLE:
            self.drop()
        self._used = time.monotonic()
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
        reader, writer = self._streams
        writer.write("\r\n".join([f"{method} {path} HTTP/1.1", *headers, "", ""]).encode() + body)
        try:
            status, sent = await _head(reader)
        except (asyncio.IncompleteReadError, ConnectionError):
            # What has lain idle for some seconds the server lets go; a move follows a look, and is never sent twice.
            self._streams = None
            if method != "GET":
                raise
            return await self.ask(method, path, page=page)
        text = await _body(reader, sent)
        if cookie := sent.get("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        if address := sent.get("hx-redirect"):
            return await self.ask("GET", address)
        return status, text

    def drop(self) -> None:
        """Forget a connection in whose middle something went wrong."""
        if self._streams:
            self._streams[1].close()
            self._streams = None


async def _head(reader: StreamReader) -> tuple[int, dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines[1:] if line)
    return int(lines[0].split()[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def _body(reader: StreamReader, headers: dict[str, str]) -> str:
    if "content-length" in headers:
        return (await reader.readexactly(int(headers["content-length"]))).decode()
    text = b""
    while size := int(await reader.readline(), 16) if headers.get("transfer-encoding") == "chunked" else 0:
        text += await reader.readexactly(size)
        await reader.readline()
    if headers.get("transfer-encoding") == "chunked":
        await reader.readline()
    return text.decode()


@dataclass
class Watcher:
    """A stream: what it was last told, and who waits for it to be told more."""

    told: int = -1
    waiting: list[tuple[int, asyncio.Future[float]]] = field(default_factory=list)
    bytes: int = 0
    #: Who is given each event.
    take: Callable[[str], None] = lambda text: None

    async def watch(self, port: int, path: str, cookie: str) -> None:
        """Read the stream until it ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
        await _head(reader)
        rest = b""
        while chunk := await reader.read(2**18):
            self.bytes += len(chunk)
            *events, rest = (rest + chunk).split(b"\n\n")
            for event in events:
                if not (found := _EVENT.search(event)):
                    continue
                self.told = int(found[1])
                now = time.perf_counter()
                for told, future in self.waiting:
                    if self.told >= told and not future.done():
                        future.set_result(now)
                self.waiting = [each for each in self.waiting if not each[1].done()]
                self.take(event.decode())

    def reaches(self, told: int) -> asyncio.Future[float]:
        """When the stream has brought so much."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        if self.told >= told:
            future.set_result(time.perf_counter())
        else:
            self.waiting.append((told, future))
        return future


class Table:
    """A table in play."""

    def __init__(self, port: int, game: str, seed: int) -> None:
        self.port = port
        self.game = game
        self.rng = random.Random(seed)
        self.person = Connection(port)
        self.watcher = Watcher()
        self.page = Watcher()
        self.path = ""
        self.busy = False
        self.tasks: list[asyncio.Task[None]] = []
        #: The nonce of its page, and what that shows: its version, what can be played with which counter, the end.
        self.name = ""
        self.shown = -1
        self.moves: list[str] = []
        self.counter = ""
        self.over = False

    async def open(self) -> None:
        """Make the table, and look at it twice."""
        form = {"game": self.game, "seats": "2", "seat.1": "greedy", "forced": "yes"}
        status, text = await self.person.ask("POST", "/tables", form)
        found = re.search(r'data-table="([^"]+)"', text)
        if status != 200 or not found:
            raise SystemExit(f"No table could be made (status {status}): {text[:200]}")
        self.path = f"/tables/{found[1]}"
        self.name = f"{self.rng.getrandbits(128):032x}"
        self.shown, self.over = -1, False
        self._take(text)
        self.page.take = self._take
        mark = _MARK.search(text)
        since = mark[1] if mark else ""
        for watcher, cookie, name in ((self.watcher, "", ""), (self.page, self.person.cookie, self.name)):
            path = f"{self.path}/events?since={since}&nonce={name}"
            self.tasks.append(asyncio.create_task(watcher.watch(self.port, path, cookie)))

    def _take(self, text: str) -> None:
        """Take from a page, an event or an answer what it says of the moves that there are."""
        told = _TOLD.search(text)
        if not told or int(told[1]) < self.shown:
            return
        self.shown = int(told[1])
        self.over = self.over or 'class="table over"' in text
        if ' id="moves"' in text:
            counter = _COUNTER.search(text, text.index(' id="moves"'))
            self.moves, self.counter = _MOVE.findall(html.unescape(text)), counter[1] if counter else ""

    async def move(self) -> tuple[float, float] | None:
        """Play a random move: seconds to its answer and to the watcher's update. None: there was none to play."""
        if self.over:
            for task in self.tasks:
                task.cancel()
            self.watcher, self.page = Watcher(), Watcher()
            await self.open()
        if not self.moves:
            return None
        form = {"counter": self.counter, "move": self.rng.choice(self.moves)}
        began = time.perf_counter()
        status, text = await self.person.ask("POST", f"{self.path}/moves", form, self.name)
        answered = time.perf_counter()
        self._take(text)
        found = _TOLD.search(text)
        if status != 200 or not found:
            raise SystemExit(f"A move was refused (status {status}): {text[:200]}")
        async with asyncio.timeout(30):
            seen = await self.watcher.reaches(int(found[1]))
        return answered - began, seen - began


async def _play(tables: list[Table], rate: float, seconds: float) -> tuple[list[float], list[float], int]:
    """Moves at even times, tables in turn; a table that is still busy is passed over."""
    answers: list[float] = []
    updates: list[float] = []
    late = 0

    async def one(table: Table) -> None:
        table.busy = True
        try:
            if times := await table.move():
                answers.append(times[0])
                updates.append(times[1])
        finally:
            table.busy = False

    began, running = time.perf_counter(), set()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
        table = tables[number % len(tables)]
        if table.busy:
            late += 1
            continue
        task = asyncio.create_task(one(table))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    return answers, updates, late


def _processes(pid: int) -> list[int]:
    """A process and its children."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [pid, *(int(child) for each in found for child in each.read_text().split())]


def _processor(pid: int) -> float:
    """Seconds that a process and its children have used."""
    used = 0.0
    for each in _processes(pid):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


def _memory(pid: int) -> float:
    """Resident memory of a process and its children, in MB; what they share counts for each."""
    pages = sum(int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in _processes(pid))
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _measure(port: int, pid: int, given: argparse.Namespace) -> None:
    tables = [Table(port, given.game, number) for number in range(given.tables)]
    first = Connection(port)
    while (await first.ask("GET", "/healthz"))[1] != '{"status":"ok"}':
        await asyncio.sleep(0.2)
    before = _memory(pid)
    for table in tables:
        await table.open()
    opened = _memory(pid)
    await _play(tables, given.rate, given.seconds / 4)
    used, began = _processor(pid), time.perf_counter()
    answers, updates, late = await _play(tables, given.rate, given.seconds)
    passed, used = time.perf_counter() - began, _processor(pid) - used
    if not updates:
        raise SystemExit("No move was played.")

    def told(times: list[float]) -> str:
        cuts = statistics.quantiles(times, n=100)
        return f"p50 {1000 * cuts[49]:.0f} ms, p95 {1000 * cuts[94]:.0f} ms, p99 {1000 * cuts[98]:.0f} ms"

    print(
        f"{given.tables} tables of {given.game}, {2 * given.tables} streams, {len(updates) / passed:.1f} moves a second"
    )
    print(f"from the move to its answer            {told(answers)}")
    print(f"from the move to the watcher's update  {told(updates)}")
    print(f"the server's processor                 {1000 * used / len(updates):.1f} ms a move, {used / passed:.0%}")
    print(f"memory                                 {(opened - before) * 1000 / len(tables):.0f} kB a table")
    print(f"moves that had to be left out, as their table was still busy: {late}")
    for table in tables:
        for task in table.tasks:
            task.cancel()


def main() -> None:
    """Start a server, and load it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500, help="open tables (default: 500)")
    parser.add_argument("--rate", type=float, default=100, help="moves a second over all tables (default: 100)")
    parser.add_argument("--seconds", type=float, default=30, help="how long to measure (default: 30)")
    parser.add_argument("--workers", type=int, default=1, help="processes of the server (default: 1)")
    parser.add_argument("--game", default="tiny-towns", help="the game (default: tiny-towns)")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        limits = [part for limit in _LIMITS.items() for part in limit]
        command = [sys.executable, "-m", "thorp", "serve", "--port", "0", "--data", folder, *limits]
        command += ["--workers", str(given.workers)] if given.workers > 1 else []
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            try:
                address = re.search(r":(\d+)/", server.stdout.readline())
                assert address
                with suppress(asyncio.CancelledError):
                    asyncio.run(_measure(int(address[1]), server.pid, given))
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
