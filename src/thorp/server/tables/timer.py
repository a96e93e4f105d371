"""The timer: one task in each server, which sees to it that clocks run out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from thorp.server.tables import clocks
from thorp.server.tables.news import announce
from thorp.server.tables.refusals import Refusal
from thorp.server.tables.rooms import Tables
from thorp.server.tables.store import Unavailable
from thorp.server.tables.table import Table

log = logging.getLogger(__name__)

#: Seconds between signs of life: while a live clock runs, and while only days do.
BEAT, LONG_BEAT = 5.0, 60.0
#: Seconds after which the store is asked again in any case: clocks begin at tables of other servers, too.
LOOK = 5.0


class Timer:
    """Sleeps until the next clock runs out. Several servers on one store have one each: a transaction decides.

    `then`: called with tables that have changed, as a bot may have to play there now.
    """

    def __init__(
        self, tables: Tables, level: str, clock: Callable[[], datetime], then: Callable[[Table], None]
    ) -> None:
        self.tables = tables
        self.level = level
        self.clock = clock
        self.then = then
        self._news = asyncio.Event()
        self._closing = False
        #: When the task wakes next, as far as it knows.
        self._next: datetime | None = None
        self._lived: datetime | None = None
        self._task: asyncio.Task[None] | None = None
        tables.on_move.append(self.look_at)

    def look_at(self, table: Table) -> None:
        """Called with every table that has moved on: one of its clocks may run out before the others."""
        deadlines = [each.deadline for each in table.clocks if each.deadline]
        if deadlines and (self._next is None or min(deadlines) < self._next):
            self._news.set()

    async def start(self) -> None:
        """See what has run out while no server ran, and begin. Where the store cannot be written it looks again."""
        try:
            await self.tick()
        except Unavailable as error:
            log.warning("the clocks cannot be read or written (%s)", error)
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop, after what is being done."""
        self._closing = True
        self._news.set()
        if self._task:
            await self._task

    async def tick(self) -> float:
        """Let what has to happen now happen; in how many seconds to look again."""
        store = self.tables.store
        found = await store.read(clocks.next_deadline)
        if found is None:
            self._next = None
            return LOOK
        beat = BEAT if found[1] else LONG_BEAT
        now = self.clock()
        if self._lived is None or abs(now - self._lived) >= timedelta(seconds=beat):
            with contextlib.suppress(IntegrityError):
                # unless another server has left the first sign of life at the same moment
                await store.write(partial(clocks.live, moment=now))
            self._lived = now
        for id in await store.read(partial(clocks.due, moment=now)):
            if await store.write(partial(self._expire, id, now)):
                await self._tell(id)
        found = await store.read(clocks.next_deadline)
        self._next = now + timedelta(seconds=LOOK)
        if found is not None:
            self._next = min(self._next, found[0])
        return max(0.0, (self._next - now).total_seconds())

    def _expire(self, id: str, moment: datetime, connection: Connection) -> bool:
        if clocks.expire(connection, id, moment, self.level):
            announce(connection, id)
            return True
        return False

    async def _tell(self, id: str) -> None:
        """Bring a table that this server knows, or somebody waits for, up to date."""
        try:
            self.then(await self.tables.open(id))
        except Refusal as refusal:
            # Its rules are still being prepared, or are not here: who opens it later finds it as it is stored.
            log.info("a clock of table %s has run out, and the table cannot be opened (%s)", id, refusal)

    async def _run(self) -> None:
        pause = 0.0
        while not self._closing:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._news.wait()
            self._news.clear()
            if self._closing:
                return
            try:
                pause = max(0.05, await self.tick())
            except Unavailable as error:
                log.warning("the clocks cannot be read or written (%s)", error)
                pause = BEAT
            except Exception:
                log.exception("the clocks could not be looked at")
                pause = BEAT
