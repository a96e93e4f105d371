"""Hints: a decision of a seat judged while it is open, for the person who has to decide, at tables where that may be.

A decision is judged once: what came of it is stored, so that asking again, a reload and another server tell the same.
What is learned for its table (`studies.py`) it waits for, though not for ever, so that one hint can be compared with
the next. How many hints each seat was given is told when the match is over, and not before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from thorp.players import Analysis, Expected
from thorp.server.tables import schema
from thorp.server.tables.bots import remember
from thorp.server.tables.judging import Begins, Judging, judging, write_again
from thorp.server.tables.refusals import Busy, Forbidden, Gone, Illegal, Refusal, Stale, Unknown
from thorp.server.tables.rooms import MOVED_ON, NOT_BEGUN, Tables
from thorp.server.tables.schema import TAKE_BACK, WENT_BACK
from thorp.server.tables.store import SeatRow, Unavailable
from thorp.server.tables.studies import Studies
from thorp.server.tables.table import Table
from thorp.server.tables.thinking import Thinkers, Whose

log = logging.getLogger(__name__)

#: So much processor time goes into a hint, in seconds.
SECONDS = 1.5
#: So many moves are told, at most.
TOLD = 3
#: Seconds after which a table is looked at again whose hint is not thought yet: it may be no more.
LOOK = 5.0
#: What is learned for a table is waited for so many seconds, and then a hint tells what is known without it: other
#: tables may come first.
LEARNED = 120.0
#: After so many seconds whoever asks is told that it is waited for.
BRIEF = 2.0


@dataclass(frozen=True)
class Hint:
    """What a seat is told about its decision."""

    #: The best moves, the best first.
    moves: tuple[Expected, ...]
    #: Whether they were judged by points: alone against nobody.
    by_points: bool
    #: The line to the end that the next hint goes on with, if it finds no better (`Analysis.line`).
    line: tuple[int, ...] = ()

    @classmethod
    def of(cls, judged: Analysis) -> Hint:
        """From a decision that was judged: those of its moves that were compared in the same games."""
        return cls(judged.foremost(TOLD), judged.by_points, judged.line)

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Hint:
        """From a row of `hint`."""
        line = tuple(stored.get("line", ()))
        return cls(tuple(Expected(*each) for each in stored["moves"]), bool(stored["by_points"]), line)

    @property
    def stored(self) -> dict[str, Any]:
        """It as a row of `hint` has it."""
        moves = [list(vars(each).values()) for each in self.moves]
        return {"moves": moves, "by_points": self.by_points, "line": list(self.line)}


@dataclass(frozen=True)
class _Decision:
    """A decision of a seat: while these are the same, it is the same one."""

    table: str
    seat: int
    counter: int
    undone: int

    @classmethod
    def of(cls, table: Table, seat: int) -> _Decision:
        return cls(table.id, seat, table.counters[seat], table.undone)


def are_given(table: Table) -> bool:
    """Whether hints may be asked for: as was chosen with the table, else while one person plays, alone or with bots."""
    return may_be_given(table.row.hints, table.seats)


def may_be_given(chosen: bool | None, seats: Sequence[SeatRow]) -> bool:
    """As `are_given`, from what was chosen and who sits there. A seat that a bot keeps for somebody is a person's."""
    people = sum(1 for seat in seats if seat.bot is None or seat.away is not None)
    return people == 1 if chosen is None else chosen


def can_ask(table: Table, seat: int) -> bool:
    """Whether a seat has a decision about which it can ask."""
    return are_given(table) and not table.match.over and len(table.match.legal(seat)) > 1


class Hints:
    """All hints of this process that are being thought."""

    def __init__(self, tables: Tables, thinkers: Thinkers, studies: Studies) -> None:
        self.tables = tables
        self.thinkers = thinkers
        self.studies = studies
        self._thoughts: dict[_Decision, asyncio.Task[Hint]] = {}
        #: Those of them whose table is learned for first.
        self._learning: set[_Decision] = set()
        #: What was thought and is not stored: it is told once it is, and stored where somebody asks again.
        self._unstored: dict[_Decision, Hint] = {}
        #: By table, of the newest: until when that is waited for, by the clock of the loop, however many decisions
        #: wait.
        self._until: dict[str, float] = {}
        tables.on_move.append(self.wake)

    async def given(self, table: Table, seat: int) -> Hint | None:
        """What was told about the decision that a seat has now, if anything was."""
        decision = _Decision.of(table, seat)
        return await self.tables.store.read(partial(_given, decision=decision))

    async def taken(self, table: Table) -> dict[int, int]:
        """About how many decisions each seat was given a hint; seats without any are left out."""
        return await self.tables.store.read(partial(_taken, table=table.id))

    def is_thought(self, table: Table, seat: int) -> bool:
        """Whether the decision that a seat has now is being judged here."""
        return _Decision.of(table, seat) in self._thoughts

    def waits_for_lesson(self, table: Table, seat: int) -> bool:
        """Whether the decision that a seat has now is to be judged here once its table is learned for."""
        return _Decision.of(table, seat) in self._learning

    def require(self, table: Table, seat: int, counter: int) -> None:
        """Raise Forbidden, Stale or Illegal where a seat that has made so many moves may not ask now."""
        if table.gathering:
            raise Stale(NOT_BEGUN)
        if not are_given(table):
            raise Forbidden("There are no hints at this table. They can be chosen where a table is set up.")
        if counter != table.counters[seat]:
            raise Stale(MOVED_ON)
        if table.match.over:
            raise Illegal("The match is over: there is nothing left to decide.")
        legal = table.match.legal(seat)
        if not legal:
            raise Illegal("It is not for you to decide now: wait until you are asked.")
        if len(legal) == 1:
            raise Illegal("There is only one move to choose here, so there is nothing to be told.")

    async def ask(self, table: Table, seat: int, whose: Whose, patience: float, begins: Begins) -> Hint | None:
        """The hint for the decision that a seat has now; None where it takes longer than so many seconds.

        Then it is thought on, and can be asked for again. `require` comes first; `begins` is called where a thought
        begins, and may raise; what it returns is called where it cannot be thought. Raises Stale where the seat decides
        meanwhile, Busy where it cannot be thought.
        """
        decision = _Decision.of(table, seat)
        line: tuple[int, ...] = ()
        if decision not in self._thoughts:
            if found := await self.given(table, seat):
                return found
            line = await self._line(table, seat)
            if decision != _Decision.of(table, seat):
                raise Stale(MOVED_ON)
        if decision not in self._thoughts:
            self._begin(table, decision, whose, line, begins())
        thought = self._thoughts[decision]
        if decision in self._learning:
            brief = min(patience, BRIEF)
            await asyncio.wait((thought,), timeout=brief)
            if decision in self._learning:
                return None
            patience -= brief
        await asyncio.wait((thought,), timeout=patience)
        if not thought.done():
            return None
        if thought.cancelled():
            raise Stale(MOVED_ON)
        if error := thought.exception():
            # No line of the log says which moves were thought about: whoever reads it may sit at the table.
            log.warning("a hint could not be thought (%s)", type(error).__name__)
            raise Busy("No hint could be thought of just now. Ask again in a moment.") from error
        return thought.result()

    def wake(self, table: Table) -> None:
        """A table has moved on: stop what is thought about decisions that are made, or are somebody else's."""
        if table.match.over:
            self._until.pop(table.id, None)
        for decision, thought in self._thoughts.items():
            if decision.table == table.id and not _is_open(table, decision):
                thought.cancel()
        for decision in [each for each in self._unstored if each.table == table.id and not _is_open(table, each)]:
            del self._unstored[decision]

    def stop(self, id: str) -> None:
        """A table is no more: stop what is thought about it, and what is learned for it."""
        self.studies.stop(id)
        self._until.pop(id, None)
        for decision, thought in self._thoughts.items():
            if decision.table == id:
                thought.cancel()
        for decision in [each for each in self._unstored if each.table == id]:
            del self._unstored[decision]

    async def close(self) -> None:
        """Stop all of them."""
        thoughts = list(self._thoughts.values())
        for thought in thoughts:
            thought.cancel()
        await asyncio.gather(*thoughts, return_exceptions=True)

    async def _line(self, table: Table, seat: int) -> tuple[int, ...]:
        """The line that the last hint told of, where a seat plays alone: whoever follows it is told of no worse."""
        if table.match.seats > 1 or not table.match.game.foreseeable:
            return ()
        last = await self.tables.store.read(partial(_last, table=table.id, seat=seat))
        return last.line if last else ()

    def _begin(
        self, table: Table, decision: _Decision, whose: Whose, line: tuple[int, ...], vain: Callable[[], object]
    ) -> None:
        backs = sum(table.backs)
        if hint := self._unstored.get(decision):
            thinking = self._store(decision, hint, backs)
        else:
            thinking = self._begin_thinking(table, decision, whose, line, backs)
        self._thoughts[decision] = thought = asyncio.create_task(thinking)

        def done(thought: asyncio.Task[Hint]) -> None:
            del self._thoughts[decision]
            self._learning.discard(decision)
            if not thought.cancelled() and thought.exception():
                vain()

        thought.add_done_callback(done)

    def _begin_thinking(
        self, table: Table, decision: _Decision, whose: Whose, line: tuple[int, ...], backs: int
    ) -> Coroutine[Any, Any, Hint]:
        self.studies.see_to(table, whose, anew=True)
        match, seat = table.match, decision.seat
        question = judging(match.game, match.state, match.seats, seat, match.ply, None, table.row.salt, SECONDS)
        self._learning.add(decision)
        return self._think(decision, replace(question, course=line), whose, backs)

    async def _think(self, decision: _Decision, question: Judging, whose: Whose, backs: int) -> Hint:
        """Wait for what is learned and thought, look meanwhile whether it is still wanted, and store it.

        `backs`: how often something had been taken back at the table.
        """
        await self._learn(decision)
        thinking = asyncio.ensure_future(self.thinkers.think(question, whose))
        try:
            while not (await asyncio.wait((thinking,), timeout=LOOK))[0]:
                await self._look_for(decision)
            hint = Hint.of(thinking.result())
        finally:
            thinking.cancel()
        return await self._store(decision, hint, backs)

    async def _store(self, decision: _Decision, hint: Hint, backs: int) -> Hint:
        """Store what was thought: what could not be stored would else be thought again, and again in vain."""
        remember(self._unstored, decision, hint)
        try:
            is_kept = await write_again(self.tables.store, partial(_keep, decision=decision, backs=backs, hint=hint))
        except IntegrityError:
            self._unstored.pop(decision, None)
            # another server was asked too, and all tell the same
            return await self.tables.store.read(partial(_given, decision=decision)) or hint
        self._unstored.pop(decision, None)
        if not is_kept:
            # As where the thought is stopped: the news was not here in time.
            raise asyncio.CancelledError
        return hint

    async def _learn(self, decision: _Decision) -> None:
        """Wait until its table is learned for, or that takes too long: what is learned then is for later decisions."""
        loop, id = asyncio.get_running_loop(), decision.table
        until = self._until.get(id, loop.time() + LEARNED)
        remember(self._until, id, until)
        while not (done := await self.studies.is_done(id, max(0.0, min(LOOK, until - loop.time())))):
            if loop.time() >= until:
                break
            await self._look_for(decision)
        if done:
            self._until.pop(id, None)
        self._learning.discard(decision)

    async def _look_for(self, decision: _Decision) -> None:
        try:
            self.wake(await self.tables.open(decision.table))
        except (Gone, Unknown):
            self.stop(decision.table)
        except (Refusal, Unavailable):
            # It is thought on; the next look tries again.
            pass


def _is_open(table: Table, decision: _Decision) -> bool:
    return decision == _Decision.of(table, decision.seat) and can_ask(table, decision.seat)


def _given(connection: Connection, decision: _Decision) -> Hint | None:
    h = schema.hints
    which = (getattr(h.c, name) == value for name, value in vars(decision).items())
    found = connection.scalar(select(h.c.content).where(*which))
    return None if found is None else Hint.read(found)


def _last(connection: Connection, table: str, seat: int) -> Hint | None:
    h = schema.hints
    order = (h.c.undone.desc(), h.c.counter.desc())
    found = connection.scalar(select(h.c.content).where(h.c.table == table, h.c.seat == seat).order_by(*order).limit(1))
    return None if found is None else Hint.read(found)


def _keep(connection: Connection, decision: _Decision, backs: int, hint: Hint) -> bool:
    """Store what came of a decision; False where it is open no more, by way of whatever server.

    A hint that nobody could go by any more would count at the end all the same, and take the match out of the ratings.
    """
    t, m = schema.tables, schema.moves
    # as `add_move` does: nobody moves meanwhile
    going_on = select(t.c.id).where(t.c.id == decision.table, t.c.finished.is_(None)).with_for_update()
    if connection.scalar(going_on) is None:
        return False
    rows = select(func.count()).select_from(m).where(m.c.table == decision.table)
    made = connection.scalar(rows.where(m.c.seat == decision.seat))
    if (made, connection.scalar(rows.where(m.c.move.in_((TAKE_BACK, WENT_BACK))))) != (decision.counter, backs):
        return False
    connection.execute(insert(schema.hints).values(**vars(decision), content=hint.stored))
    return True


def _taken(connection: Connection, table: str) -> dict[int, int]:
    h = schema.hints
    query = select(h.c.seat, func.count()).where(h.c.table == table).group_by(h.c.seat)
    return {seat: count for seat, count in connection.execute(query)}  # noqa: C416 - rows are not pairs to a type checker
