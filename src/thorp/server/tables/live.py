"""Who waits for news of a table."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from thorp.server.tables.news import Present

#: Who had a table open is taken to be there for so long: they load the page again, or have lost their connection.
STILL_THERE = timedelta(minutes=1)
#: Of so many people it is known when they were last at a table.
REMEMBERED = 10_000


@dataclass(eq=False)
class Page:
    """A page that shows a table: an event that is set whenever there is news, and the mark of what it shows."""

    id: str
    visitor: str
    mark: str
    #: What it was sent last, where that is known; the next may be told as what is new since.
    sent: Any = None
    #: Whether its visitor sits at the table: all others are told at once when it comes and goes.
    sits: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)
    #: So many requests of the page are being answered with what is new: nothing is pushed to it meanwhile.
    answers: int = 0
    #: When it asked for something last, by the server's time; also to begin to wait.
    asked: datetime | None = None
    #: Whether its table is no more, so that there will be no news: the page is to ask anew, and is told so.
    ended: bool = False


class Live:
    """The waiting pages of this process. News have no content: a page asks for the present, so the latest wins."""

    def __init__(self, moment: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.moment = moment
        self._waiting: dict[str, set[Page]] = {}
        #: How many pages each visitor has open of a table.
        self._visitors: dict[str, Counter[str]] = {}
        #: What keeps a watched table up to date, one task for all who watch it.
        self._keeping: dict[str, asyncio.Task[None]] = {}
        #: Who has each table open at other processes.
        self._elsewhere: dict[str, dict[str, Present]] = {}
        #: When people were last at a table, by the table and the person; of others that was not since the start.
        self._seen: OrderedDict[tuple[str, str], datetime] = OrderedDict()
        self._begun = moment()
        #: Called with every table that somebody has begun or ceased to watch here.
        self.on_visit: list[Callable[[str], None]] = []
        self.closing = asyncio.Event()

    def tell(self, table: str) -> None:
        """Wake everybody who waits for news of a table."""
        for page in self._waiting.get(table, ()):
            page.news.set()

    def end(self, table: str) -> None:
        """End the streams of a table that is no more."""
        for page in self._waiting.get(table, ()):
            page.ended = True
            page.news.set()

    def close(self) -> None:
        """End all streams: the server is about to stop."""
        self.closing.set()
        for table in self._waiting:
            self.tell(table)

    @property
    def watching(self) -> int:
        """How many pages wait."""
        return sum(map(len, self._waiting.values()))

    def is_watched(self, table: str) -> bool:
        """Whether anybody waits for news of a table."""
        return table in self._waiting

    @property
    def watched(self) -> Collection[str]:
        """The tables for whose news anybody waits."""
        return tuple(self._waiting)

    def visitors_here(self, table: str) -> Mapping[str, int]:
        """Who has pages of a table open in this process, and how many."""
        return self._visitors.get(table, {})

    def visitors(self, table: str) -> Mapping[str, int]:
        """Who has pages of a table open, and how many; of those at other processes, who sits there."""
        here = self.visitors_here(table)
        if table not in self._elsewhere:
            return here
        return Counter(here) + Counter(
            person for present in self._elsewhere[table].values() for person in present.people
        )

    def watching_elsewhere(self, table: str) -> int:
        """How many look on at other processes."""
        return sum(present.watching for present in self._elsewhere.get(table, {}).values())

    def put_elsewhere(self, process: str, table: str, present: Present) -> None:
        """Take note of who has a table open at another process by now."""
        there = self._elsewhere.setdefault(table, {})
        before = there.pop(process, Present())
        if present:
            there[process] = present
        if not there:
            del self._elsewhere[table]
        for person in set(before.people) - set(present.people):
            self.saw(table, person)
        if present.people != before.people:
            self.tell(table)

    def forget_elsewhere(self, process: str) -> None:
        """Another process has ended."""
        for table in [table for table, there in self._elsewhere.items() if process in there]:
            self.put_elsewhere(process, table, Present())

    def is_present(self, table: str, person: str) -> bool:
        """Whether a person has a page of a table open."""
        return person in self.visitors(table)

    def saw(self, table: str, person: str) -> None:
        """A person has asked for something at a table, or closed a page of it."""
        self._seen[table, person] = self.moment()
        self._seen.move_to_end((table, person))
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)

    def was_here(self, table: str, person: str) -> bool:
        """Whether a person has a table open, or had it lately: also before the start, of which nothing is known."""
        seen = self._seen.get((table, person), self._begun)
        return self.is_present(table, person) or self.moment() - seen < STILL_THERE

    def asked(self, table: str, person: str) -> datetime | None:
        """When a person's pages of a table, of those that are open here, asked for something last."""
        mine = (page.asked for page in self._waiting.get(table, ()) if page.visitor == person)
        return max((asked for asked in mine if asked), default=None)

    @contextmanager
    def watch(self, table: str, page: Page, keep: Callable[[], Coroutine[Any, Any, None]]) -> Iterator[None]:
        """Let a page wait for news of a table. `keep` runs as long as anybody does: the first one's, for all."""
        if table not in self._waiting:
            self._waiting[table] = set()
            self._visitors[table] = Counter()
            self._keeping[table] = asyncio.create_task(keep())
        page.asked = self.moment()
        self._waiting[table].add(page)
        visitors = self._visitors[table]
        visitors[page.visitor] += 1
        if page.sits and visitors[page.visitor] == 1:
            self.tell(table)
        self._visited(table)
        try:
            yield
        finally:
            self._waiting[table].discard(page)
            visitors[page.visitor] -= 1
            if not visitors[page.visitor]:
                del visitors[page.visitor]
                self.saw(table, page.visitor)
                if page.sits:
                    self.tell(table)
            if not self._waiting[table]:
                del self._waiting[table], self._visitors[table]
                self._keeping.pop(table).cancel()
            self._visited(table)

    def _visited(self, table: str) -> None:
        for listener in self.on_visit:
            listener(table)

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
                page.asked = self.moment()
                page.news.set()
