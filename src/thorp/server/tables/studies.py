"""What is learned for a table, while people look at their cards: in a process of its own, one table at a time.

Some games are learned table by table (`players/lessons.py`). Until that is done players that think go by what they
know of the game without it; what was learned is kept in the cache, where the processes that think find it. Who is
judged by one measure from beginning to end waits for it (`is_done`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass

from thorp.core.errors import GameError
from thorp.players import Stop
from thorp.players.lessons import Lesson, beginning_of, is_known, is_learned_at_tables, keep
from thorp.server.tables.table import Table
from thorp.server.tables.thinking import Died, Position, Thinkers, Whose

log = logging.getLogger(__name__)

#: Of so many tables it is known that they were seen to.
TABLES = 10_000
#: How often it is looked, in seconds, whether another server was faster.
LOOK = 5.0
#: Seconds after which the process for lessons is ended where there is none.
STUDIED = 60.0
#: About how much processor time a lesson takes, in seconds: what takes two minutes more hangs.
_SECONDS = 60.0


@dataclass(frozen=True)
class Study:
    """A lesson about the game of a table."""

    #: How the game began, as who sits at no seat may know it.
    position: Position
    name: str = "who learns a game"
    seconds: float = _SECONDS

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.position.game

    def answer(self, stop: Stop) -> bool:
        """Learn, and keep what was learned; False where it was known already, or was stopped."""
        game, beginning = self.position.read()
        seats = self.position.seats
        if is_known(game, beginning, seats):
            # another server was faster
            return False
        lesson = Lesson(game, beginning, seats)

        def look() -> None:
            if stop.asked:
                lesson.stop()

        learned = lesson.learn(look)
        if learned is None:
            return False
        keep(game, beginning, seats, learned)
        return True


class Studies:
    """All lessons of this process."""

    def __init__(self, thinkers: Thinkers | None) -> None:
        """`thinkers`: processes for nothing but lessons, so that bots never wait for them; None: nothing is learned."""
        self.thinkers = thinkers
        #: By table; None where it was seen to.
        self._tables: OrderedDict[str, asyncio.Task[None] | None] = OrderedDict()
        #: Those of them for which it was in vain: what was learned could not be kept, and would not be the next time.
        self._in_vain: set[str] = set()

    def see_to(self, table: Table, whose: Whose, *, anew: bool = False) -> None:
        """Learn for a table, unless there is nothing to be learned or that was begun.

        `anew`: also where that has ended, unless in vain: what was learned may have made room for others since.
        """
        if not self.thinkers or not is_learned_at_tables(table.game):
            return
        if table.id in self._tables and (not anew or self._tables[table.id] or table.id in self._in_vain):
            return
        while len(self._tables) >= TABLES:
            id, task = self._tables.popitem(last=False)
            self._in_vain.discard(id)
            if task:
                task.cancel()
        self._tables[table.id] = asyncio.create_task(self._learn(self.thinkers, table, whose))

    async def is_done(self, id: str, patience: float) -> bool:
        """Whether nothing is learned for a table any more, or never was; waits for that, so many seconds at most."""
        task = self._tables.get(id)
        return not task or bool((await asyncio.wait((task,), timeout=patience))[0])

    def stop(self, id: str) -> None:
        """A table is no more: what is learned for it alone need not be."""
        if task := self._tables.get(id):
            task.cancel()

    async def close(self) -> None:
        """Stop learning."""
        tasks = [task for task in self._tables.values() if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.thinkers:
            await self.thinkers.close()

    async def _learn(self, thinkers: Thinkers, table: Table, whose: Whose) -> None:
        id, game, seats = table.id, table.game, table.match.seats
        try:
            state = beginning_of(table.match)
            if await asyncio.to_thread(is_known, game, state, seats):
                return
            study = Study(Position(game.id, game.bytes(state), seats, 0))
            learning = asyncio.ensure_future(thinkers.think(study, whose))
            try:
                while not (await asyncio.wait((learning,), timeout=LOOK))[0]:
                    if await asyncio.to_thread(is_known, game, state, seats):
                        # another server was faster
                        return
                learning.result()
                if not await asyncio.to_thread(is_known, game, state, seats):
                    self._in_vain.add(id)
            finally:
                learning.cancel()
        except (GameError, Died) as error:
            log.warning("nothing could be learned for table %s: %s", id, error)
            if isinstance(error, GameError):
                self._in_vain.add(id)
        finally:
            if id in self._tables:
                self._tables[id] = None
