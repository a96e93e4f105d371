"""SQLite: one writer, readers that only read, and files that are nobody else's."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import QueuePool

T = TypeVar("T")

#: How long SQLite waits for a writer of another process, in seconds.
BUSY_TIMEOUT = 5.0
#: How long a transaction waits for its turn, in seconds.
PATIENCE = 5.0
#: How many connections read. A connection needs a thread, and is kept.
READERS = 5
#: Files up to so many bytes are looked through before a server starts: that takes a second on a slow disk.
LOOKED_THROUGH = 64 * 1024 * 1024


class Writer:
    """The only connection of this process that writes to an SQLite file: first come, first served.

    A transaction is a function that runs as a whole in the writer's thread. So the file is locked no longer than the
    disk needs, however busy the loop is; and whoever gives up waiting leaves no transaction open: it has not begun
    and never will, or it runs to its end. It is also the only connection that checkpoints, since SQLite before
    3.51.3 may lose what was committed where one connection writes while another one does that.
    """

    def __init__(self, url: URL) -> None:
        self.engine = create_engine(
            url.set(drivername="sqlite"), poolclass=QueuePool, pool_size=1, max_overflow=0, hide_parameters=True
        )
        _prepare(self.engine, "BEGIN IMMEDIATE", ("journal_mode = WAL", "synchronous = FULL"))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction, and return when it is committed. Raises TimeoutError where its turn does not come."""
        queued = self._thread.submit(self._transact, work)
        waiting = asyncio.wrap_future(queued)
        try:
            done, _ = await asyncio.wait((waiting,), timeout=PATIENCE)
            # What has begun cannot be withdrawn, and ends by itself.
            if not done and queued.cancel():
                raise TimeoutError(f"the writer was busy for {PATIENCE:g} s")
            return await waiting
        except asyncio.CancelledError:
            waiting.cancel()
            raise

    def _transact(self, work: Callable[[Connection], T]) -> T:
        with self.engine.begin() as connection:
            return work(connection)

    async def close(self) -> None:
        """Let the connection go, after what has been handed in."""
        await asyncio.wrap_future(self._thread.submit(self.engine.dispose))
        self._thread.shutdown(wait=False)


def readers(url: URL) -> AsyncEngine:
    """Connections that cannot write, not even what a checkpoint brings into the file."""
    engine = create_async_engine(url, pool_size=READERS, max_overflow=0, hide_parameters=True)
    _prepare(engine.sync_engine, "BEGIN", ("query_only = ON", "wal_autocheckpoint = 0"))
    return engine


def _prepare(engine: Engine, begin: str, pragmas: tuple[str, ...]) -> None:
    """Settings of every connection, and transactions that are what they say."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: Any) -> None:
        # Python's driver opens transactions by its own mind, and late: here BEGIN is said below.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (f"busy_timeout = {int(BUSY_TIMEOUT * 1000)}", "foreign_keys = ON", *pragmas):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


# --- the file ----------------------------------------------------------------------------------------------


def file_of(url: URL) -> Path | None:
    """The file of an SQLite address, or None where it is no plain path but a URI of SQLite's own."""
    name = url.database or ""
    return None if name.startswith("file:") else Path(name)


def make_private(file: Path) -> None:
    """Make a database that is not there yet, empty, and for nobody else to read: it holds seeds, and the cookies' key.

    The files that SQLite puts beside it get its permissions.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def exposed(file: Path) -> Iterator[Path]:
    """What other users of this machine can get at of a database and its folder."""
    if os.name != "posix":
        # Permissions elsewhere are not in the mode.
        return
    for path in (file.parent, *(file.with_name(file.name + end) for end in ("", "-wal", "-shm"))):
        with contextlib.suppress(FileNotFoundError):
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                yield path


def damage(connection: Connection, file: Path) -> str | None:
    """What is wrong with a database, unless it is too large to be looked through before a start."""
    if file.stat().st_size > LOOKED_THROUGH:
        return None
    found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    return None if found == "ok" else found
