"""News by way of PostgreSQL: NOTIFY in the transaction that they tell of, and one connection that listens."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from thorp.server.tables.news import News

log = logging.getLogger(__name__)

#: The channel. Databases have channels of their own.
CHANNEL = "thorp"
#: Seconds between signs of life. Each process hears its own, too, by which it knows that it hears.
BEAT = 2.0
#: Seconds without one after which a connection, or another process, is given up.
PATIENCE = 6.0
#: Seconds until a connection that failed is tried again.
AGAIN = 0.5
#: More than so many news that cannot be sent now are forgotten, the oldest first.
_WAITING = 10_000
#: So many are sent at once.
_TOGETHER = 200


class PostgresNews(News):
    """News of one process by way of the database that it shares with others.

    The connection that listens also holds the locks by which one process at a time asks the bots of a table: the
    database lets them go when that connection ends, whatever became of the process. It has to be a session of its own,
    so a pooler between (as PgBouncer) must give it one.
    """

    def __init__(self, url: URL) -> None:
        super().__init__()
        self._engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True)
        self._listening: asyncio.Task[None] | None = None
        self._heard = asyncio.Event()
        #: The connection of asyncpg, while it listens; one thing at a time is done on it.
        self._connection: Any = None
        self._turn = asyncio.Lock()
        self._unsaid: deque[str] = deque(maxlen=_WAITING)
        self._unlocked: list[int] = []
        self._wake = asyncio.Event()
        #: When each other process was heard last.
        self._last: dict[str, float] = {}
        self.others = self._last.keys()

    async def open(self) -> None:
        """Begin to listen; where that fails it is tried again and again, and nobody waits for it."""
        ready = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(ready))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await ready.wait()

    async def close(self) -> None:
        """Take leave, and end the connection."""
        if self._listening:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        await self._engine.dispose()

    def within(self, connection: Connection, tables: Sequence[str]) -> None:
        """Tell of what is being stored: the database passes it on when it is committed, and only then."""
        for table in tables:
            connection.execute(select(func.pg_notify(CHANNEL, self.text({"table": table}))))

    def say(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Tell all others, in the order in which it is said."""
        self._unsaid.extend(map(self.text, messages))
        self._wake.set()

    async def claim(self, table: str) -> bool:
        """Whether the bots of a table are this process's to ask."""
        connection = self._connection
        if connection is None or not self._last:
            return True
        try:
            async with asyncio.timeout(PATIENCE), self._turn:
                return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", _key(table)))
        except Exception as error:
            # The connection is about to be made anew; meanwhile the store tells whose answer counts.
            log.debug("nobody knows who asks the bots (%s)", type(error).__name__)
            return True

    def release(self, table: str) -> None:
        """Leave the bots of a table to others."""
        self._unlocked.append(_key(table))
        self._wake.set()

    # --- the connection --------------------------------------------------------------------------------------

    async def _listen(self, ready: asyncio.Event) -> None:
        while True:
            try:
                async with self._engine.connect() as held:
                    raw = await held.get_raw_connection()
                    try:
                        await self._listen_on(raw.driver_connection, ready)
                    finally:
                        self._connection = None
                        await held.invalidate()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log.warning("news of other servers cannot be heard (%s): connecting again", type(error).__name__)
            await asyncio.sleep(AGAIN)

    async def _listen_on(self, connection: Any, ready: asyncio.Event) -> None:
        """Listen and tell on a connection until it is cancelled. Raises where the connection has died."""
        ended = asyncio.Event()

        def end(*_: Any) -> None:
            ended.set()
            self._wake.set()

        connection.add_termination_listener(end)
        await connection.add_listener(CHANNEL, lambda _connection, _process, _channel, text: self._take(text))
        # Its locks went with the connection before.
        self._unlocked.clear()
        self._unsaid.clear()
        self._connection = connection
        # What was said before is not heard any more: all others say it again.
        self.say([{"hello": True}])
        self.listener.missed()
        ready.set()
        heard = sent = time.monotonic() - BEAT
        try:
            while not ended.is_set():
                now = time.monotonic()
                if self._heard.is_set():
                    self._heard.clear()
                    heard = now
                if now - heard > PATIENCE + BEAT:
                    raise TimeoutError
                if now - sent >= BEAT:
                    self._unsaid.append(self.text({"alive": True}))
                    sent = now
                    self._miss_some(now)
                self._wake.clear()
                async with asyncio.timeout(PATIENCE), self._turn:
                    await self._tell(connection)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, sent + BEAT - time.monotonic())):
                        await self._wake.wait()
            raise ConnectionError
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(1.0), self._turn:
                    await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, self.text({"bye": True}))
            raise

    async def _tell(self, connection: Any) -> None:
        """Send what has to be sent."""
        while self._unsaid:
            some = [self._unsaid.popleft() for _ in range(min(_TOGETHER, len(self._unsaid)))]
            await connection.execute("SELECT pg_notify($1, each) FROM unnest($2::text[]) AS each", CHANNEL, some)
        while self._unlocked:
            keys, self._unlocked = self._unlocked, []
            await connection.execute("SELECT pg_advisory_unlock(each) FROM unnest($1::bigint[]) AS each", keys)

    def _take(self, text: str) -> None:
        """A message has come."""
        message = self.hear(text)
        sender = str(message.get("from", ""))
        if sender == self.process:
            self._heard.set()
        elif sender:
            is_new = sender not in self._last
            self._last[sender] = time.monotonic()
            if "bye" in message:
                self._lose(sender)
            elif is_new or "hello" in message:
                if "hello" in message:
                    self.say([{"alive": True}])
                self.listener.joined(sender)

    def _miss_some(self, now: float) -> None:
        """Give up the processes that have not been heard for long."""
        for process, last in list(self._last.items()):
            if now - last > PATIENCE:
                self._lose(process)

    def _lose(self, process: str) -> None:
        del self._last[process]
        self.listener.gone(process)


def _key(table: str) -> int:
    """The number of a table's lock. Of two tables with the same number, one waits for the other."""
    return int.from_bytes(hashlib.sha256(f"bots of {table}".encode()).digest()[:8], signed=True)
