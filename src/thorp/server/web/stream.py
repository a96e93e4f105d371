"""The live stream of a page: server-sent events that bring the fragment of a table whenever it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.types import Receive, Scope, Send

from thorp.server.tables.live import Live, Page

#: Given the mark of what was sent last: the mark of the present and its HTML, or None where nothing is new.
Look = Callable[[str], Awaitable[tuple[str, str] | None]]


class Stream:
    """An answer that never ends by itself: un-named events, each a whole fragment, its id the mark of the present."""

    def __init__(self, live: Live, table: str, page: Page, look: Look, *, heartbeat: float, pace: float) -> None:
        self.live = live
        self.table = table
        self.page = page
        self.look = look
        self.heartbeat = heartbeat
        self.pace = pace

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
        with self.live.watch(self.table, self.page):
            gone = asyncio.create_task(_gone(receive, news))
            try:
                # How soon a page comes back when the server restarts, in milliseconds; and headers leave at once.
                await _push(send, "retry: 1000\n\n")
                while not gone.done() and not self.live.closing.is_set():
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
        mark = self.page.mark
        fresh = None if self.page.answers else await self.look(mark)
        # what was looked up while the page was being answered may be what the answer brought: look again
        if fresh is None or self.page.answers or self.page.mark != mark:
            # a sign of life: it keeps the connection open, and finds out when it is not
            await _push(send, ":\n\n")
            return
        self.page.mark, text = fresh
        await _push(send, event(self.page.mark, text))
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


async def _push(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


def event(id: str, text: str) -> str:
    """An un-named server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"id: {id}\n{lines}\n"
