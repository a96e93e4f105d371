"""Who waits for news of a table."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Live:
    """The waiting pages of this process. News have no content: a page asks for the present, so the latest wins."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self.closing = asyncio.Event()

    def tell(self, table: str) -> None:
        """Wake everybody who waits for news of a table."""
        for news in self._waiting.get(table, ()):
            news.set()

    def close(self) -> None:
        """End all streams: the server is about to stop."""
        self.closing.set()
        for table in self._waiting:
            self.tell(table)

    def is_watched(self, table: str) -> bool:
        """Whether anybody waits for news of a table."""
        return table in self._waiting

    @contextmanager
    def watch(self, table: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever there is news."""
        news = asyncio.Event()
        self._waiting.setdefault(table, set()).add(news)
        try:
            yield news
        finally:
            self._waiting[table].discard(news)
            if not self._waiting[table]:
                del self._waiting[table]
