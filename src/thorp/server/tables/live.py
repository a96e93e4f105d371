"""Who waits for news of a table."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(eq=False)
class Page:
    """A page that shows a table: an event that is set whenever there is news, and the mark of what it shows."""

    id: str
    visitor: str
    mark: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    #: So many requests of the page are being answered with what is new: nothing is pushed to it meanwhile.
    answers: int = 0


class Live:
    """The waiting pages of this process. News have no content: a page asks for the present, so the latest wins."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[Page]] = {}
        self.closing = asyncio.Event()

    def tell(self, table: str) -> None:
        """Wake everybody who waits for news of a table."""
        for page in self._waiting.get(table, ()):
            page.news.set()

    def close(self) -> None:
        """End all streams: the server is about to stop."""
        self.closing.set()
        for table in self._waiting:
            self.tell(table)

    def is_watched(self, table: str) -> bool:
        """Whether anybody waits for news of a table."""
        return table in self._waiting

    @contextmanager
    def watch(self, table: str, page: Page) -> Iterator[None]:
        """Let a page wait for news of a table."""
        self._waiting.setdefault(table, set()).add(page)
        try:
            yield
        finally:
            self._waiting[table].discard(page)
            if not self._waiting[table]:
                del self._waiting[table]

    @contextmanager
    def answering(self, table: str, id: str, visitor: str) -> Iterator[tuple[Page, ...]]:
        """The waiting pages of that id while a request of theirs is answered: their `mark` is what they are sent."""
        waiting = self._waiting.get(table, ()) if id else ()
        pages = tuple(page for page in waiting if (page.id, page.visitor) == (id, visitor))
        for page in pages:
            page.answers += 1
        try:
            yield pages
        finally:
            for page in pages:
                page.answers -= 1
                page.news.set()
