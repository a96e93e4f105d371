"""Connections: how many may be open, in all and from one address, how long each may keep the server waiting, and how
much it may ask for ahead of answers.

Uvicorn has one limit for all requests, and none for the time that a request takes to come, nor for what comes before
the last one is answered. So its protocol is extended here. A class of one's own, and a call every second, are what
uvicorn's configuration offers; that H11Protocol can be extended, and its `transport`, `conn` and `cycle`, are nothing
that it promises: tests/server/test_connections.py looks.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from thorp.server.web.addresses import Network, counted_as, is_within

log = logging.getLogger(__name__)

#: So many connections at most, unless the settings say otherwise; each takes some memory.
MOST = 4096
#: So many open files, or half of them where there are few, are left for the database, for files that are sent, for what
#: has just been accepted and for what is turned away.
RESERVE = 192
#: Seconds in which who is turned away can read why.
LINGER = 2.0
#: So many bytes of further requests may wait on a connection until what it asked for before is answered: as many as the
#: event loop reads at once. Neither browsers nor proxies send a request before they have the answer to the last one.
AHEAD = 256 * 1024

_FULL = "This server has as many visitors as it can take. Try again in a moment."
_SHARE = "So many connections are open from your address that this server takes no more. Close some, and try again."
_SLOW = "What you sent did not arrive in time, so it was not done. Look at your connection, and try again."
_STOPPING = "The server is about to stop, so what you sent was not done. Try again in a moment."

#: What it means to asyncio that no file can be opened.
_OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def open_files() -> int:
    """How many files this process may have open at the same time."""
    if sys.platform == "win32":
        # the loop there has no such limit
        return MOST + RESERVE
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST + RESERVE if soft == resource.RLIM_INFINITY else soft


def reserve() -> int:
    """How many files are kept back from connections."""
    return min(RESERVE, open_files() // 2)


def at_once() -> int:
    """How many connections are accepted in one turn of the event loop, which takes some turns to turn them away."""
    return max(1, reserve() // 16)


def room(chosen: int = 0) -> int:
    """How many connections there may be: what was chosen, or what open files allow.

    Raises ValueError with a sentence where they do not allow it.
    """
    files = open_files()
    allowed = files - reserve()
    if chosen > allowed:
        raise ValueError(
            f"{chosen} connections are too many for this process, which may open {files} files: "
            f"raise that limit (ulimit -n), or choose {allowed} at most"
        )
    return chosen or min(MOST, allowed)


class Door:
    """Lets connections in, and sees to it that none stays without doing anything."""

    def __init__(
        self,
        limit: int,
        share: int = 0,
        *,
        head_time: float,
        body_time: float,
        read_time: float,
        proxies: Sequence[Network] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit = limit
        #: Of one address. A quarter unless said otherwise: whoever holds that many leaves room for others.
        self.share = share or max(1, limit // 4)
        self.head_time = head_time
        self.body_time = body_time
        self.read_time = read_time
        self.proxies = proxies
        self.clock = clock
        #: By where they come from, the oldest first; and those of proxies, which speak for many.
        self._open: dict[str, dict[Connection, None]] = {}
        self._of_proxies: set[Connection] = set()
        self._count = 0
        self._turned_away = 0
        #: So many are told why they are turned away, at the same time.
        self._polite = max(1, reserve() // 6)

    def protocol(self) -> type[Connection]:
        """The class of this door's connections, for uvicorn."""
        return type("Connection", (Connection,), {"door": self})

    def enter(self, connection: Connection, transport: asyncio.Transport) -> str:
        """Let a connection in, or say why not."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        connection.origin = origin = counted_as(address)
        of_proxy = is_within(address, self.proxies)
        has = 0 if of_proxy else len(self._open.get(origin, ()))
        if has >= self.share:
            log.warning("%s has its %d connections: others from there are turned away", origin, self.share)
            return _SHARE
        if self._count >= self.limit and not self._make_room(has):
            log.warning("all %d connections are in use: others are turned away", self.limit)
            return _FULL
        self._count += 1
        if of_proxy:
            self._of_proxies.add(connection)
        else:
            self._open.setdefault(origin, {})[connection] = None
        return ""

    def leave(self, connection: Connection) -> None:
        """A connection is gone, or about to go."""
        if connection in self._of_proxies:
            self._of_proxies.remove(connection)
            self._count -= 1
        elif connection in self._open.get(connection.origin, ()):
            del self._open[connection.origin][connection]
            if not self._open[connection.origin]:
                del self._open[connection.origin]
            self._count -= 1

    def _make_room(self, has: int) -> bool:
        """Close a connection of the address that has most of them, unless that is hardly more than the newcomer has.

        So a few addresses that take all that they can get do not keep everybody else out.
        """
        most = max(self._open.values(), key=len, default={})
        if len(most) <= has + 1:
            return False
        # what asks for nothing goes first, and of these what has been here longest
        leaving = min(most, key=Connection.stage)
        log.warning("all %d connections are in use: %s, which has most, loses some", self.limit, leaving.origin)
        self.leave(leaving)
        leaving.transport.abort()
        return True

    def turn_away(self, transport: asyncio.Transport, sentence: str) -> None:
        """Say in a few words why a connection is closed; where too many want to hear it, without a word."""
        if self._turned_away >= self._polite:
            transport.set_protocol(asyncio.Protocol())
            transport.abort()
            return
        self._turned_away += 1
        transport.set_protocol(_TurnedAway(self._has_left))
        transport.write(_answer("503 Service Unavailable", sentence))
        # Closed at once, with something unread, the connection would be reset, and the sentence lost.
        transport.write_eof()
        asyncio.get_running_loop().call_later(LINGER, transport.abort)

    def _has_left(self) -> None:
        self._turned_away -= 1

    def look(self) -> None:
        """Close the connections whose time is up."""
        now = self.clock()
        for connection in [*self._of_proxies, *(each for some in self._open.values() for each in some)]:
            connection.look(now)


class Connection(H11Protocol):
    """A connection of uvicorn that a door has let in."""

    door: ClassVar[Door]
    #: Where it comes from, as it is counted.
    origin: str = ""
    #: What was found at the last look: how much of the answers had not been read, and what was waited for.
    _unread = 0
    _unread_since = 0.0
    _seen: tuple[int, Any] | None = None
    _seen_since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection has come."""
        made = cast(asyncio.Transport, transport)
        if sentence := self.door.enter(self, made):
            self.door.turn_away(made, sentence)
            return
        super().connection_made(made)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        super().connection_lost(exc)
        self.door.leave(self)

    def data_received(self, data: bytes) -> None:
        """Something has come.

        Uvicorn stops reading while a request is answered and others wait behind it, but whenever the application asks
        for what was sent with it, it reads once more; so does each file that is sent, which looks whether somebody is
        still there. Then more comes in than is answered, and all of it would be held.
        """
        super().data_received(data)
        if self.stage() == 2 and not self.transport.is_closing() and len(self.conn.trailing_data[0]) > AHEAD:
            log.warning("a connection from %s was closed: it asked for much more before it was answered", self.origin)
            self.transport.abort()

    def stage(self) -> int:
        """How far its request is: not come, coming, or being answered."""
        return {h11.IDLE: 0, h11.SEND_BODY: 1}.get(self.conn.their_state, 2)

    def hang_up(self) -> None:
        """Close the connection if a request has not come whole, as the server is about to stop."""
        if self.stage() == 1:
            self._close_with("503 Service Unavailable", _STOPPING)

    def look(self, now: float) -> None:
        """Close the connection if what is waited for has not come in time."""
        unread = self.transport.get_write_buffer_size()
        if not unread or unread < self._unread or not self._unread:
            self._unread_since = now
        self._unread = unread
        if now - self._unread_since > self.door.read_time:
            log.warning("a connection from %s was closed: it did not read its answers", self.origin)
            self.transport.abort()
        elif not self.transport.is_closing():
            self._look_at_request(now)

    def _look_at_request(self, now: float) -> None:
        # The cycle tells this request from the one before.
        stage = self.stage()
        if (stage, self.cycle) != self._seen:
            self._seen, self._seen_since = (stage, self.cycle), now
        waited = now - self._seen_since
        if stage == 0 and waited > self.door.head_time:
            # Browsers open connections in advance, and send nothing: no fault of theirs.
            if self.conn.trailing_data[0]:
                log.warning("a connection from %s was closed: its request did not come to an end", self.origin)
            self.transport.close()
        elif stage == 1 and waited > self.door.body_time:
            log.warning("a connection from %s was closed: what it sent did not come to an end", self.origin)
            self._close_with("408 Request Timeout", _SLOW)

    def _close_with(self, status: str, sentence: str) -> None:
        """Close the connection, with an answer if there was none."""
        if not self.cycle.response_started:
            self.transport.write(_answer(status, sentence))
        self.transport.close()


class _TurnedAway(asyncio.Protocol):
    """What is left of a connection that was not let in: it hears why, and nothing that it sends is read."""

    def __init__(self, gone: Callable[[], None]) -> None:
        self._gone = gone

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._gone()


def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What the event loop says about errors that are nobody's: asyncio itself waits before it accepts again."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in _OUT_OF_FILES and "socket" in context:
        log.error("no connection can be accepted now (%s): allow more open files, or fewer connections", error.strerror)
    else:
        loop.default_exception_handler(context)


def _answer(status: str, sentence: str) -> bytes:
    """A whole answer, for where there is no application to make one."""
    body = f"{sentence}\n".encode()
    head = (
        f"HTTP/1.1 {status}",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Retry-After: 10",
        "Connection: close",
    )
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body
