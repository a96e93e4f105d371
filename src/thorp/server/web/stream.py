"""The live stream of a page: server-sent events that bring the fragment of a table whenever it has changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from starlette.types import Receive, Scope, Send

from thorp.server.tables.live import Live, Page

#: The event that brings what is new for the page, or None; it notes that the page is sent it.
Look = Callable[[], bytes | None]

#: It keeps the connection open, and finds out when it is not.
_SIGN_OF_LIFE = b":\n\n"


def presence(names: Sequence[str], watching: int) -> bytes:
    """The event that tells who else is at the table: players by name, and how many look on."""
    return b"event: present\ndata: " + json.dumps({"names": names, "watching": watching}).encode() + b"\n\n"


_NOBODY = presence((), 0)


class Stream:
    """An answer that never ends by itself.

    Un-named events are fragments, or what is new of them, their id the mark of the present; those named `present` tell
    who is there, and those named `chat` what somebody has said.
    """

    def __init__(
        self,
        live: Live,
        table: str,
        page: Page,
        look: Look,
        present: Callable[[], bytes],
        keep: Callable[[], Coroutine[Any, Any, None]],
        *,
        heartbeat: float,
        pace: float,
        talk: Callable[[], bytes] = lambda: b"",
    ) -> None:
        self.live = live
        self.table = table
        self.page = page
        self.look = look
        self.present = present
        self.keep = keep
        self.heartbeat = heartbeat
        self.pace = pace
        self.talk = talk
        self._present = _NOBODY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run until the page goes away or the server stops."""
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
            # nginx would gather the events
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        news = self.page.news
        with self.live.watch(self.table, self.page, self.keep):
            gone = asyncio.create_task(_gone(receive, news))
            try:
                # How soon a page comes back when the server restarts, in milliseconds; and headers leave at once.
                await _push(send, b"retry: 1000\n\n")
                while not (gone.done() or self.page.ended or self.live.closing.is_set()):
                    news.clear()
                    await self._tell(send)
                    await self._wait(news)
                if not gone.done():
                    await send({"type": "http.response.body", "body": b""})
            except OSError:
                # the page went away while we were sending
                pass
            finally:
                gone.cancel()

    async def _tell(self, send: Send) -> None:
        if (present := self.present()) != self._present:
            self._present = present
            await _push(send, present)
        if words := self.talk():
            await _push(send, words)
        fresh = None if self.page.answers else self.look()
        if fresh is None:
            await _push(send, _SIGN_OF_LIFE)
            return
        await _push(send, fresh)
        if self.pace:
            try:
                async with asyncio.timeout(self.pace):
                    await self.live.closing.wait()
            except TimeoutError:
                pass

    async def _wait(self, news: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(self.heartbeat):
                await news.wait()
        except TimeoutError:
            pass


async def _gone(receive: Receive, news: asyncio.Event) -> None:
    """Wait until the page has gone away; wakes the stream then."""
    while (await receive())["type"] != "http.disconnect":
        pass
    news.set()


async def _push(send: Send, block: bytes) -> None:
    await send({"type": "http.response.body", "body": block, "more_body": True})


def event(id: str, text: str) -> bytes:
    """An un-named server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"id: {id}\n{lines}\n".encode()
