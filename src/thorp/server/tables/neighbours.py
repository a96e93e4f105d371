"""The other processes that share the store: what they store is read at once, and who has tables open there is known."""

from __future__ import annotations

import asyncio
import logging

from thorp.server.tables.beforehand import Beforehand
from thorp.server.tables.bots import Bots
from thorp.server.tables.chat import Chats
from thorp.server.tables.live import Live
from thorp.server.tables.news import Listener, News, Present
from thorp.server.tables.refusals import Gone, Refusal, Unknown
from thorp.server.tables.rooms import CACHE, Tables
from thorp.server.tables.store import Unavailable
from thorp.server.tables.table import Table

log = logging.getLogger(__name__)

#: So many tables are read at the same time because of news, so that requests have their turn.
_AT_ONCE = 3
#: Seconds in which the others are told how many more look on. Players are told of at once.
_UNHURRIED = 2.0


class Neighbours(Listener):
    """What the news of other processes mean to this one, and what they are told."""

    def __init__(
        self, news: News, tables: Tables, live: Live, bots: Bots, chats: Chats, beforehand: Beforehand
    ) -> None:
        self.news = news
        self.chats = chats
        self.beforehand = beforehand
        self.tables = tables
        self.live = live
        self.bots = bots
        #: The tables that have to be looked at.
        self._due: dict[str, None] = {}
        self._looking: set[asyncio.Task[None]] = set()
        #: What takes over from processes that have ended, and whether one more has since it began.
        self._taking_over: asyncio.Task[None] | None = None
        self._another = False
        self._closing = False
        #: Tables about which something was told while nobody watched them.
        self._behind: set[str] = set()
        #: What the others were told last about each table, and the tables about which they are to be told.
        self._told: dict[str, Present] = {}
        self._later: asyncio.TimerHandle | None = None
        self._unhurried: set[str] = set()
        news.listener = self
        live.on_visit.append(self._visited)
        tables.on_move.append(self._moved)

    async def open(self) -> None:
        """Begin to listen."""
        await self.news.open()

    async def close(self) -> None:
        """Take leave."""
        self._closing = True
        self._due.clear()
        if self._later:
            self._later.cancel()
        await self.news.close()
        taking_over = (self._taking_over,) if self._taking_over else ()
        await asyncio.gather(*self._looking, *taking_over, return_exceptions=True)

    # --- what the others tell --------------------------------------------------------------------------------

    def changed(self, table: str) -> None:
        """Another process has stored something: who watches here is shown it. Others look when they ask for it."""
        if self.live.is_watched(table):
            self._look_at(table)
        elif self.tables.seen(table):
            # A page may have been loaded before, and begin to watch after this.
            self._behind.add(table)
            if len(self._behind) > 2 * CACHE:
                self._behind = {id for id in self._behind if self.tables.seen(id)}

    def present(self, process: str, table: str, present: Present) -> None:
        """Who has a table open at another process by now."""
        self.live.put_elsewhere(process, table, present)

    def joined(self, process: str) -> None:
        """Another process is there: tell it who has which tables open here."""
        self._told = {id: present for id in self.live.watched if (present := self._present(id))}
        if self._told:
            self.news.say_present(self._told)

    def gone(self, process: str) -> None:
        """Another process has ended: nobody is there any more, and those who are left see to what it was at."""
        self.live.forget_elsewhere(process)
        self._another = True
        if not self._closing and (self._taking_over is None or self._taking_over.done()):
            self._taking_over = asyncio.create_task(self._take_over())

    def missed(self) -> None:
        """Look at all that is watched."""
        for table in self.live.watched:
            self._look_at(table)
        self.joined("")

    async def _take_over(self) -> None:
        """Go on where bots were at work, and what was answered beforehand."""
        while self._another:
            self._another = False
            for wake_all in (self.bots.wake_all, self.beforehand.wake_all):
                try:
                    await wake_all()
                except Exception as error:
                    # They go on when their tables are opened.
                    log.warning("what another server was at cannot be taken over (%s)", type(error).__name__)

    def _look_at(self, table: str) -> None:
        self._due[table] = None
        if len(self._looking) < _AT_ONCE:
            task = asyncio.create_task(self._look())
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look(self) -> None:
        """Read what has to be looked at; the reading itself tells those who wait for it."""
        while self._due:
            id = next(iter(self._due))
            # What is told from here on asks for another look.
            del self._due[id]
            self._behind.discard(id)
            try:
                table = await self.tables.open(id)
                await self.chats.follow(id)
            except (Gone, Unknown):
                self.live.end(id)
                self.bots.stop(id)
                continue
            except (Refusal, Unavailable):
                # The pages show what they have; the heartbeat looks again.
                continue
            except Exception:
                log.exception("table %s could not be looked at", id)
                continue
            self.bots.stand_by(table)
            self.beforehand.wake(table)
            self._moved(table)

    # --- what they are told ----------------------------------------------------------------------------------

    def _present(self, id: str) -> Present:
        visitors = self.live.visitors_here(id)
        table = self.tables.seen(id)
        people = frozenset(
            person for seat in (table.seats if table else ()) if (person := seat.person) is not None
        ) & frozenset(visitors)
        return Present(people, len(visitors) - len(people))

    def _moved(self, table: Table) -> None:
        """Somebody may have sat down, or stood up, who has the table open."""
        if self.live.is_watched(table.id):
            self._visited(table.id)

    def _visited(self, id: str) -> None:
        """Somebody has come or gone."""
        if id in self._behind and self.live.is_watched(id):
            self._look_at(id)
        if not self.news.others:
            return
        present, told = self._present(id), self._told.get(id, Present())
        if present.people != told.people:
            self._tell(id, present)
        elif present != told:
            self._unhurried.add(id)
            if self._later is None:
                self._later = asyncio.get_running_loop().call_later(_UNHURRIED, self._tell_the_rest)

    def _tell_the_rest(self) -> None:
        self._later = None
        for id in self._unhurried:
            if (present := self._present(id)) != self._told.get(id, Present()):
                self._tell(id, present)
        self._unhurried.clear()

    def _tell(self, id: str, present: Present) -> None:
        if present:
            self._told[id] = present
        else:
            self._told.pop(id, None)
        self.news.say_present({id: present})
