"""News on one machine, for SQLite: sockets in a folder beside the database, and locks that end with their process."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import socket
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from thorp.server.tables.news import News

log = logging.getLogger(__name__)

#: What this needs: sockets with a place among the files, and locks of parts of a file.
POSSIBLE = sys.platform != "win32" and hasattr(socket, "AF_UNIX")
#: Seconds after which processes that could not be reached are looked for again.
AGAIN = 2.0
#: Whoever leaves so many bytes unread is cut off: when it comes back it looks at everything again.
_UNREAD = 1 << 20
#: The longest address of a socket on all systems, in bytes.
_LONGEST = 100
#: So many bytes of a file are there to be locked; none is ever written.
_PLACES = 1 << 30


class LocalNews(News):
    """News of one process to those that have the same file open, on the same machine.

    Each process listens at a socket of its own, in a folder that is nobody else's, and connects to all that it finds
    there: so all hear each other, and a process that ends, however it does, is missed at once.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self._server: asyncio.Server | None = None
        self._seeking: asyncio.Task[None] | None = None
        self._talking: set[asyncio.Task[None]] = set()
        #: How each other process is reached.
        self._reached: dict[str, StreamWriter] = {}
        self.others = self._reached.keys()
        self._locks: int | None = None
        #: Where the folder is for sockets, which takes short addresses only.
        self._opened: int | None = None

    async def open(self) -> None:
        """Begin to listen; where that cannot be done nobody is told anything, and says so in the log."""
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            # Nobody else may tell anything here, whatever it was before.
            self.folder.chmod(0o700)
            self._locks = os.open(self.folder / "bots", os.O_RDWR | os.O_CREAT, 0o600)
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(self._address(self.process))
                listening.listen(64)
                self._server = await asyncio.start_unix_server(self._greeted, sock=listening.dup())
        except OSError as error:
            log.warning("other servers on this file cannot be told what is new (%s)", error.strerror or error)
            return
        # Who comes later finds this one.
        await self._seek()
        self._seeking = asyncio.create_task(self._keep_seeking())

    async def close(self) -> None:
        """Take leave: connections that end say it."""
        if self._seeking:
            self._seeking.cancel()
            await asyncio.gather(self._seeking, return_exceptions=True)
        if self._server:
            self._server.close()
            with contextlib.suppress(OSError):
                (self.folder / self.process).unlink()
        for task in self._talking:
            task.cancel()
        await asyncio.gather(*self._talking, return_exceptions=True)
        for opened in (self._locks, self._opened):
            if opened is not None:
                os.close(opened)
        self._locks = self._opened = None

    def after(self, tables: Sequence[str]) -> None:
        """Tell of what is stored."""
        self.say({"table": table} for table in tables)

    def say(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Tell all others, in the order in which it is said."""
        if self._reached:
            lines = "".join(self.text(message) + "\n" for message in messages).encode()
            for writer in self._reached.values():
                writer.write(lines)
                if writer.transport.get_write_buffer_size() > _UNREAD:
                    writer.transport.abort()

    async def claim(self, table: str) -> bool:
        """Whether the bots of a table are this process's to ask: the system takes the lock back when it ends."""
        return self._locks is None or not self._reached or _lock(self._locks, _place(table))

    def release(self, table: str) -> None:
        """Leave the bots of a table to others."""
        if self._locks is not None:
            _unlock(self._locks, _place(table))

    # --- connections -----------------------------------------------------------------------------------------

    def _address(self, process: str) -> str:
        path = str(self.folder / process)
        if len(os.fsencode(path)) <= _LONGEST:
            return path
        if not sys.platform.startswith("linux"):
            raise OSError(0, f"the path of {self.folder} is too long for sockets")
        if self._opened is None:
            self._opened = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        return f"/proc/self/fd/{self._opened}/{process}"

    async def _keep_seeking(self) -> None:
        """Look for others now and then: usually they have found this one before."""
        while True:
            await asyncio.sleep(AGAIN)
            try:
                await self._seek()
            except OSError as error:
                log.warning("other servers on this file cannot be found (%s)", error.strerror or error)

    async def _seek(self) -> None:
        for process in list(self._strangers()):
            try:
                reader, writer = await asyncio.open_unix_connection(self._address(process))
            except ConnectionRefusedError:
                # Its process has ended without a word.
                with contextlib.suppress(OSError):
                    (self.folder / process).unlink()
            except OSError:
                pass
            else:
                self._begin(reader, writer, process)

    def _strangers(self) -> Iterator[str]:
        """Those in the folder with whom there is no connection."""
        for path in self.folder.iterdir():
            if path.name not in (self.process, *self._reached) and path.is_socket():
                yield path.name

    def _begin(self, reader: StreamReader, writer: StreamWriter, process: str = "") -> None:
        task = asyncio.create_task(self._talk(reader, writer, process))
        self._talking.add(task)
        task.add_done_callback(self._talking.discard)

    def _greeted(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Another process has found this one; it says first who it is."""
        self._begin(reader, writer)

    async def _talk(self, reader: StreamReader, writer: StreamWriter, process: str) -> None:
        """Hear another process until it ends. `process`: who it is, where that is known."""
        hello = (self.text({"hello": True}) + "\n").encode()
        try:
            if process:
                self._reached.setdefault(process, writer)
                writer.write(hello)
            async for line in reader:
                message = self.hear(line)
                if "hello" not in message:
                    continue
                if not process:
                    process = str(message["from"])
                    self._reached.setdefault(process, writer)
                    writer.write(hello)
                # From here on all is heard that the other one says.
                self.listener.joined(process)
                self.listener.missed()
        except (OSError, ValueError):
            pass
        finally:
            writer.close()
            # Where both have found each other at the same time there are two connections, and one is enough.
            if process and self._reached.get(process) is writer:
                del self._reached[process]
                self.listener.gone(process)


def _place(table: str) -> int:
    """The byte whose lock stands for a table's bots. Of two tables with the same one, one waits for the other."""
    return int.from_bytes(hashlib.sha256(table.encode()).digest()[:8]) % _PLACES


def _lock(file: int, place: int) -> bool:
    import fcntl

    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except OSError:
        return False
    return True


def _unlock(file: int, place: int) -> None:
    import fcntl

    fcntl.lockf(file, fcntl.LOCK_UN, 1, place)
