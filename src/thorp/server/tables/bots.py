"""Bots at work: where one has something to decide, it thinks, and plays through the same door as people.

Players that answer at once do so in a thread; those that think do so in processes of their own (`thinking.py`). Where
nobody sits any more, as all have left their seats to bots, and nobody looks on, bots rest: nobody would see what takes
other tables' turns. They go on when somebody comes back, or looks.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import TypeVar

from thorp.core.errors import GameError
from thorp.core.match import AnyMatch
from thorp.players import goes_by_lessons
from thorp.server.settings import Players
from thorp.server.tables.guiding import has_chosen
from thorp.server.tables.live import Live
from thorp.server.tables.refusals import Gone, Illegal, Refusal, Stale, Unknown
from thorp.server.tables.rooms import Tables
from thorp.server.tables.store import SeatRow, Unavailable
from thorp.server.tables.studies import Studies
from thorp.server.tables.table import Table
from thorp.server.tables.thinking import Died, Question, Thinkers, Whose

log = logging.getLogger(__name__)

K = TypeVar("K")
T = TypeVar("T")

#: Seconds after which bots that another process sees to are looked at here, too: it may have ended.
STAND_BY = 3.0
#: The longest wait of what fails again and again, in seconds.
LONGEST_WAIT = 60.0
#: Seconds after which a table is looked at again whose bots still think, or wait until they can.
LOOK = 5.0
#: Of so many tables it is known from which address they were made, and what a bot that plays alone has in mind.
REMEMBERED = 10_000


class Bots:
    """All bots of this process.

    Where several processes share a store one at a time asks the bots of a table, as far as they hear each other; and in
    any case the key of a move decides whose answer counts.
    """

    def __init__(self, tables: Tables, players: Players, retry: float, thinkers: Thinkers, studies: Studies) -> None:
        """`studies`: where what players go by is learned for a table."""
        self.tables = tables
        self.players = players
        self.retry = retry
        self.thinkers = thinkers
        self.studies = studies
        #: What is being thought about, by table.
        self._thoughts: dict[str, Sequence[_Thought]] = {}
        #: From which address a table was made, of the newest that were made here; nothing of it is stored.
        self._origins: dict[str, str] = {}
        #: Who has which tables open in this process, once that is known (`heed`).
        self._live: Live | None = None
        #: The lines that bots follow which play alone, by table; who has none in mind begins anew.
        self._lines: dict[str, tuple[int, ...]] = {}
        self._threads = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="bot")
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._standing_by: dict[str, asyncio.TimerHandle] = {}
        self._closing = asyncio.Event()
        tables.on_move.append(self.wake)

    def wake(self, table: Table) -> None:
        """See to it that the bots of a table that have something to decide are at work, and no others."""
        rests = self._rests(table)
        for thought in self._thoughts.get(table.id, ()):
            if rests or not thought.is_wanted(table):
                thought.task.cancel()
        if rests:
            self.studies.stop(table.id)
        elif _asked(table):
            self.begin(table.id)

    def heed(self, live: Live) -> None:
        """Let bots play on where nobody sits, but somebody looks on.

        Each process goes by who looks on there: where it is another one, that one asks the bots.
        """
        self._live = live
        live.on_visit.append(self._visited)

    def _visited(self, id: str) -> None:
        """Somebody has come or gone; where somebody sits bots are at work anyhow."""
        if (table := self.tables.seen(id)) and _is_left(table):
            self.wake(table)

    def _rests(self, table: Table) -> bool:
        """Whether nobody would see what bots do at a table."""
        return _is_left(table) and not (self._live and self._live.is_watched(table.id))

    def made(self, id: str, origin: str) -> None:
        """A table was made from an address: its bots are at work, and think by turns with those of other addresses."""
        remember(self._origins, id, origin)
        self.begin(id)

    def begin(self, id: str) -> None:
        """Have a look at a table, and at its bots; where it cannot be read just now, look again."""
        if not self._closing.is_set() and id not in self._at_work:
            self._at_work[id] = asyncio.create_task(self._work(id))

    def stand_by(self, table: Table) -> None:
        """Another process has played at a table and asks its bots; where it does not, this one does after a while."""
        if table.id in self._thoughts:
            self.wake(table)
        if table.id not in self._standing_by and not self._closing.is_set() and _asked(table):
            later = asyncio.get_running_loop().call_later(STAND_BY, self._look_again, table.id)
            self._standing_by[table.id] = later

    def _look_again(self, id: str) -> None:
        del self._standing_by[id]
        if table := self.tables.seen(id):
            self.wake(table)

    def stop(self, id: str) -> None:
        """A table is no more: stop what is thought about it."""
        for thought in self._thoughts.get(id, ()):
            thought.task.cancel()

    async def wake_all(self, limit: int = 1000) -> None:
        """After a start, or the end of another process: go on where bots were at work.

        Where there are more, others go on when they are opened.
        """
        for id in await self.tables.store.running_with_bots(limit):
            if self._closing.is_set():
                return
            try:
                self.wake(await self.tables.open(id))
            except (Refusal, Unavailable) as error:
                log.info("table %s: %s", id, error)

    async def close(self) -> None:
        """Stop thinking; what is not stored will be thought again."""
        self._closing.set()
        for later in self._standing_by.values():
            later.cancel()
        await asyncio.gather(*self._at_work.values(), return_exceptions=True)
        await self.thinkers.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _work(self, id: str) -> None:
        wait, mine, patience = self.retry, False, 0.1
        try:
            while not self._closing.is_set():
                try:
                    table = await self.tables.known(id)
                    if not _asked(table) or self._rests(table):
                        return
                    if not mine and not (mine := await self.tables.store.news.claim(id)):
                        # Another process is at it. It is done soon, or it ends and can be followed.
                        await pause(self._closing, patience)
                        patience = min(2 * patience, STAND_BY)
                        await self.tables.open(id)
                        continue
                    await self._answer(table)
                    wait = self.retry
                except (_Stopped, Gone, Unknown):
                    return
                except Exception as error:
                    # Whoever reads the log may sit at the table: no line of it says which move a bot chose.
                    if isinstance(error, Unavailable):
                        log.warning("the store fails bots of table %s (%s); trying again in %g s", id, error, wait)
                    elif isinstance(error, (Refusal, GameError)):
                        log.error("bots of table %s failed: a move that cannot be; asking again in %g s", id, wait)
                    elif isinstance(error, Died):
                        log.error("bots of table %s failed: %s; asking them again in %g s", id, error, wait)
                    else:
                        log.exception("bots of table %s failed; asking them again in %g s", id, wait)
                    await pause(self._closing, wait)
                    wait = min(2 * wait, LONGEST_WAIT)
        finally:
            if mine:
                self.tables.store.news.release(id)
            # Nothing is awaited between the last look at the table and here: no wake is lost.
            del self._at_work[id]

    async def _answer(self, table: Table) -> None:
        """Let all bots that are asked think at the same time, and play what they answer."""
        before = table.version, table.row.seating
        # Each gets a match of its own, and now: the table's may move on while they think.
        thoughts = [
            _Thought(bot, table.counters[bot.seat], table.undone, asyncio.ensure_future(self._think(table, bot)))
            for bot in (table.seats[seat] for seat in _asked(table))
        ]
        self._thoughts[table.id] = thoughts
        try:
            tasks = [thought.task for thought in thoughts]
            while (await asyncio.wait(tasks, timeout=LOOK))[1]:
                await self._look_for(table.id)
            answers = await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self.stop(table.id)
            del self._thoughts[table.id]
        try:
            for thought, answer in zip(thoughts, answers, strict=True):
                if isinstance(answer, BaseException):
                    continue
                bot, about = thought.bot, thought.undone
                try:
                    await self.tables.play(
                        table.id, bot.seat, thought.counter, answer, by=bot, undone=about, quiet=True
                    )
                except (Stale, Illegal):
                    if (table.version, table.row.seating) == before:
                        raise
                    # While the bot thought the table has moved on, or the seat has become somebody else's: who is
                    # asked by now is asked again about what is there now.
        finally:
            self.tables.tell(table)
        for answer in answers:
            # what was cancelled was about what is no more
            if isinstance(answer, BaseException) and not isinstance(answer, asyncio.CancelledError):
                raise answer

    async def _look_for(self, id: str) -> None:
        """Whether a table still is as its bots think: it may have been closed or deleted, and nobody look at it."""
        try:
            self.wake(await self.tables.open(id))
        except (Gone, Unknown):
            self.stop(id)
            self.studies.stop(id)
        except (Refusal, Unavailable):
            # They think on; the next look tries again.
            pass

    def _think(self, table: Table, bot: SeatRow) -> Awaitable[int]:
        """A thought of a bot about the table as it is now."""
        level, match, seed = bot.bot, table.match.copy(), table.bot_seed(bot.seat)
        assert level is not None
        if (led := has_chosen(table.row, match, bot.seat)) is not None:
            return asyncio.sleep(0, led)
        if (seconds := self.players.seconds(level)) and isinstance(self.players, ModuleType):
            self.studies.see_to(table, self._whose(table))
            return self._until_closing(self._think_apart(self.players, level, match, bot.seat, seed, seconds, table))
        loop = asyncio.get_running_loop()
        thought = loop.run_in_executor(self._threads, self.players.choose, level, match, bot.seat, seed)
        return self._until_closing(thought)

    async def _think_apart(
        self, players: ModuleType, level: str, match: AnyMatch, seat: int, seed: int, seconds: float, table: Table
    ) -> int:
        if goes_by_lessons(level):
            await self.studies.turn(table.id)
        game = match.game
        state = game.copy(match.state)
        # What the seat may not know does not even leave the server.
        game.determinize(state, seat, seed)
        where = (players.__name__, level, game.id, game.bytes(state), match.seats, seat, seed, seconds)
        question = Question(*where, line=self._lines.get(table.id, ()))
        choice = await self.thinkers.think(question, self._whose(table))
        if match.seats == 1:
            remember(self._lines, table.id, choice.line)
        return choice.move

    def _whose(self, table: Table) -> Whose:
        return self._origins.get(table.id, ""), table.row.opener or table.id

    async def _until_closing(self, thought: Awaitable[int]) -> int:
        thinking = asyncio.ensure_future(thought)
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait((thinking, closing), return_when=asyncio.FIRST_COMPLETED)
            if not thinking.done():
                raise _Stopped
            return int(thinking.result())
        finally:
            closing.cancel()
            thinking.cancel()


@dataclass(frozen=True)
class _Thought:
    """What a bot is thinking."""

    bot: SeatRow
    #: How many moves its seat had made, and how much had been undone at the table.
    counter: int
    undone: int
    task: asyncio.Future[int]

    def is_wanted(self, table: Table) -> bool:
        """Whether the bot is still asked what it thinks about."""
        seat = self.bot.seat
        # somebody may ask for the seat meanwhile: until that is answered the bot has it
        sits = table.seats[seat].bot == self.bot.bot
        is_the_same = (table.counters[seat], table.undone) == (self.counter, self.undone)
        return sits and seat in _asked(table) and is_the_same


async def pause(closing: asyncio.Event, seconds: float) -> None:
    """Wait so many seconds, or until the server stops."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await closing.wait()


def remember(kept: dict[K, T], id: K, value: T) -> None:
    """Keep what belongs to a table, or to a decision there, and let go of the oldest where there are many."""
    kept[id] = value
    if len(kept) > REMEMBERED:
        del kept[next(iter(kept))]


class _Stopped(Exception):
    """The server stops before the bot has thought to the end."""


def _is_left(table: Table) -> bool:
    """Whether nobody sits at a table whose match goes on: it is left to bots."""
    return not table.gathering and not table.match.over and all(seat.person is None for seat in table.seats)


def _asked(table: Table) -> list[int]:
    """The seats of bots that have something to decide."""
    if table.gathering:
        return []
    return [seat for seat in table.match.waiting if table.seats[seat].bot is not None]
