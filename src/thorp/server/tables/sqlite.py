"""SQLite: one writer, readers that only read, and files that are nobody else's."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import QueuePool

T = TypeVar("T")

log = logging.getLogger(__name__)

#: How long SQLite waits for a writer of another process, in seconds.
BUSY_TIMEOUT = 5.0
#: How long a transaction waits for its turn, in seconds.
PATIENCE = 5.0
#: How many connections read. A connection needs a thread, and is kept.
READERS = 5
#: How often a writer looks whether it is its turn, in seconds.
_LOOK = 0.001
#: Whether files can be locked so that locks end with their process.
CAN_LOCK = sys.platform != "win32"
#: So a connection cannot write, not even what a checkpoint brings into the file.
_READING = ("query_only = ON", "wal_autocheckpoint = 0")
#: Files up to so many bytes are looked through before a server starts: that takes a second on a slow disk.
LOOKED_THROUGH = 64 * 1024 * 1024


class Writer:
    """The only connection of this process that writes to an SQLite file: first come, first served.

    A transaction is a function that runs as a whole in the writer's thread. So the file is locked no longer than the
    disk needs, however busy the loop is; and whoever gives up waiting leaves no transaction open: it has not begun
    and never will, or it runs to its end. It is also the only connection that checkpoints, since SQLite before
    3.51.3 may lose what was committed where one connection writes while another one does that. Writers of several
    processes take turns at a lock of their own for the same reason: a transaction and its checkpoint are one turn.
    """

    def __init__(self, url: URL) -> None:
        self.engine = create_engine(
            url.set(drivername="sqlite"), poolclass=QueuePool, pool_size=1, max_overflow=0, hide_parameters=True
        )
        # what is deleted is written over
        _prepare(self.engine, "BEGIN IMMEDIATE", ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        file = file_of(url)
        self._turns = file and Turns(file.with_name(f"{file.name}-lock"), file)

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
        with self._turns or contextlib.nullcontext(), self.engine.begin() as connection:
            return work(connection)

    async def wipe(self) -> None:
        """Let nothing of what was deleted stay in the log beside the file.

        Where somebody reads or writes just then some may, until a later checkpoint, or the end of the last process.
        """
        await asyncio.wrap_future(self._thread.submit(self._wipe))

    def _wipe(self) -> None:
        with contextlib.ExitStack() as turn:
            try:
                turn.enter_context(self._turns or contextlib.nullcontext())
            except TimeoutError:
                # deleted it is all the same, and no checkpoint is made out of turn
                return
            connection = turn.enter_context(contextlib.closing(self.engine.raw_connection()))
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    async def close(self) -> None:
        """Let the connection go, after what has been handed in."""
        await asyncio.wrap_future(self._thread.submit(self._end))
        self._thread.shutdown(wait=False)

    def _end(self) -> None:
        with contextlib.ExitStack() as turn:
            # Whoever closes the last connection of all checkpoints, too; who is last is alone with the file anyway.
            with contextlib.suppress(TimeoutError):
                turn.enter_context(self._turns or contextlib.nullcontext())
            self.engine.dispose()
        if self._turns:
            self._turns.close()


class Turns:
    """A lock that one process has at a time, or one writer of it: the system takes it back from those that end.

    Where the system has no such locks, or the folder takes no file, SQLite's own have to do. Raises TimeoutError.
    """

    def __init__(self, path: Path, database: Path) -> None:
        self.path = path
        self.database = database
        self._file: int | None = None
        self._told = False

    def __enter__(self) -> None:
        if not CAN_LOCK:
            return
        import fcntl

        if self._file is None:
            try:
                self._file = self._opened()
            except OSError as error:
                if not self._told:
                    log.warning(
                        "the lock %s cannot be opened (%s): let it be the server's user's, or delete it while no "
                        "server runs. Until then several servers on this file may wait for each other in vain",
                        *(self.path, error.strerror or error),
                    )
                    self._told = True
                return
        last = time.monotonic() + BUSY_TIMEOUT
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError as error:
                if time.monotonic() > last:
                    raise TimeoutError(f"another server was writing for {BUSY_TIMEOUT:g} s") from error
                time.sleep(_LOOK)

    def _opened(self) -> int:
        with contextlib.suppress(FileExistsError):
            return made_for(self.path, self.database)
        return os.open(self.path, os.O_RDWR)

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let the file go."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class Reader:
    """Connections that cannot write, not even what a checkpoint brings into the file.

    What reads is a function that runs as a whole in a thread: a third of the work of a step after the other.
    """

    def __init__(self, url: URL) -> None:
        self.engine = create_engine(
            url.set(drivername="sqlite"), poolclass=QueuePool, pool_size=READERS, max_overflow=0, hide_parameters=True
        )
        _prepare(self.engine, "BEGIN", _READING)
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="reader")

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a function that only reads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.engine.connect() as connection:
            return work(connection)

    async def close(self) -> None:
        """Let the connections go, after what has been handed in."""
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()


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


def made_for(path: Path, database: Path) -> int:
    """Make a file that only its owner can read, and open it. Raises FileExistsError where there is one.

    What root makes belongs to whom the database belongs: else the server could not open it.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # By the open file: at its name there may be another one by now, if the folder is somebody else's.
        os.fchown(file, *owner_of(database))
    return file


def owner_of(file: Path) -> tuple[int, int]:
    """The user and the group of a file; of its folder, where there is no such file."""
    found = (file if file.exists() else file.parent).stat()
    return found.st_uid, found.st_gid


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
