"""What is learned for a table, while people look at their cards: in a process of its own, one table at a time.

Some games are learned table by table (`players/lessons.py`). While that is done players that think go by what they
know of the game without it; what was learned is kept in the cache, where the processes that think find it. Where many
tables are new at once their lessons come one after the other: until its table's turn has come such a player waits
(`turn`), so that it plays as well as at a table of its own. Who is judged by one measure from beginning to end waits
until all is learned (`is_done`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from dataclasses import dataclass, field

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
#: Players wait so many seconds, at most, until the lesson of their table begins.
TURN = 120.0
#: So often it is begun anew where processes have died of it.
LIVES = 3


@dataclass(frozen=True)
class Study:
    """A lesson about the game of a table."""

    #: How the game began, as who sits at no seat may know it.
    position: Position
    name: str = "who learns a game"
    seconds: float = _SECONDS

    @property
    def what(self) -> str:
        """What is thought about."""
        return "a lesson"

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


@dataclass
class _Lesson:
    """What this process knows of the lesson of a table."""

    #: When it was asked for first, by the clock of the loop.
    since: float
    #: None where it has ended.
    task: asyncio.Task[None] | None = None
    #: Set when it waits for its process no longer, whatever the reason.
    turn: asyncio.Event = field(default_factory=asyncio.Event)
    #: Whether it was in vain: what was learned could not be kept, and would not be the next time.
    in_vain: bool = False
    #: How often processes have died of it, and whether they have the last time.
    deaths: int = 0
    died: bool = False

    @property
    def may_live_again(self) -> bool:
        """Whether it is begun anew for whoever thinks next at its table."""
        return self.died and self.deaths < LIVES


class Studies:
    """All lessons of this process."""

    def __init__(self, thinkers: Thinkers | None) -> None:
        """`thinkers`: processes for nothing but lessons, so that bots never wait for them; None: nothing is learned."""
        self.thinkers = thinkers
        #: By table: those that were seen to.
        self._tables: OrderedDict[str, _Lesson] = OrderedDict()

    def see_to(self, table: Table, whose: Whose, *, anew: bool = False) -> None:
        """Learn for a table, unless there is nothing to be learned or that was begun, and has not died.

        `anew`: also where that has ended, unless in vain: what was learned may have made room for others since.
        """
        if not self.thinkers or not is_learned_at_tables(table.game):
            return
        before, now = self._tables.get(table.id), asyncio.get_running_loop().time()
        if before and (before.task or not (before.may_live_again or (anew and not before.in_vain))):
            return
        while len(self._tables) >= TABLES:
            self.stop(next(iter(self._tables)))
        lesson = _Lesson(now)
        if before and before.died:
            # whoever has waited for it does not wait as long again
            lesson = _Lesson(before.since, deaths=before.deaths)
        self._tables[table.id] = lesson
        task = lesson.task = asyncio.create_task(self._learn(self.thinkers, table, whose, lesson))
        # a task that is cancelled before it has begun says nothing by itself
        task.add_done_callback(lambda _: _ends(lesson))

    async def turn(self, id: str) -> None:
        """Wait while what is to be learned for a table waits until other tables' lessons are done, `TURN` at most."""
        lesson = self._tables.get(id)
        if not lesson or lesson.turn.is_set():
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(lesson.since + TURN):
                await lesson.turn.wait()

    async def is_done(self, id: str, patience: float) -> bool:
        """Whether nothing is learned for a table any more, or never was; waits for that, so many seconds at most."""
        lesson = self._tables.get(id)
        return not lesson or not lesson.task or bool((await asyncio.wait((lesson.task,), timeout=patience))[0])

    def stop(self, id: str) -> None:
        """A table is no more, or nobody plays there just now: what is learned for it alone need not be."""
        if (lesson := self._tables.pop(id, None)) and lesson.task:
            lesson.task.cancel()

    async def close(self) -> None:
        """Stop learning."""
        tasks = [lesson.task for lesson in self._tables.values() if lesson.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.thinkers:
            await self.thinkers.close()

    async def _learn(self, thinkers: Thinkers, table: Table, whose: Whose, lesson: _Lesson) -> None:
        id, game, seats = table.id, table.game, table.match.seats
        try:
            state = beginning_of(table.match)
            if await asyncio.to_thread(is_known, game, state, seats):
                return
            study = Study(Position(game.id, game.bytes(state), seats, 0))
            learning = asyncio.ensure_future(thinkers.think(study, whose, lesson.turn.set))
            try:
                while not (await asyncio.wait((learning,), timeout=LOOK))[0]:
                    if await asyncio.to_thread(is_known, game, state, seats):
                        # another server was faster
                        return
                learning.result()
                lesson.in_vain = not await asyncio.to_thread(is_known, game, state, seats)
            finally:
                learning.cancel()
        except (GameError, Died, OSError) as error:
            log.warning("nothing could be learned for table %s: %s", id, error)
            lesson.in_vain = isinstance(error, GameError)
            lesson.died = not lesson.in_vain
            lesson.deaths += lesson.died


def _ends(lesson: _Lesson) -> None:
    lesson.task = None
    lesson.turn.set()
