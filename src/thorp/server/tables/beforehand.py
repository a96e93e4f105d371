"""Answers given beforehand: where that alone is asked of a seat, the server plays them as its person would."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from thorp.core.errors import GameError
from thorp.core.face import Answer
from thorp.server.tables import schema
from thorp.server.tables.bots import LONGEST_WAIT, pause
from thorp.server.tables.refusals import Illegal, Refusal, Stale
from thorp.server.tables.rooms import Tables
from thorp.server.tables.store import Unavailable, first_asked
from thorp.server.tables.table import Table

log = logging.getLogger(__name__)

#: So many answers in a row at one table, before others are let do something: no game asks that often.
_MOST = 100


@dataclass(frozen=True)
class Given:
    """An answer that a person has given for a seat: as long as the span of the game stays so; None: always."""

    seat: int
    person: str
    answer: str
    span: int | None


def answers(table: Table, seat: int) -> tuple[Answer, ...]:
    """What a seat can answer beforehand; nothing before the match and after it."""
    if table.gathering or table.match.over:
        return ()
    return table.game.face.beforehand(table.match.state, seat)


def holding(table: Table, seat: int, given: Sequence[Given]) -> dict[str, Given]:
    """What was given for a seat by whoever sits there now, and holds still, by the answers' ids."""
    person, spans = table.seats[seat].person, {each.id: each.span for each in answers(table, seat)}
    return {
        each.answer: each
        for each in given
        if (each.seat, each.person) == (seat, person)
        and each.answer in spans
        and each.span in (None, spans[each.answer])
    }


class Beforehand:
    """The answers that people have given beforehand, at all tables, by way of the store."""

    def __init__(self, tables: Tables, retry: float) -> None:
        """`retry`: seconds after which what the store has failed is tried again, at first."""
        self.tables = tables
        self.retry = retry
        self._at_work: dict[str, asyncio.Task[None]] = {}
        #: The tables at work that are to be looked at again: what was read of them may be older than what is there.
        self._again: set[str] = set()
        self._closing = asyncio.Event()
        tables.on_move.append(self.wake)

    async def given(self, id: str) -> list[Given]:
        """All that was given at a table, whether it holds still or not."""
        return await self.tables.store.read(partial(_given, table=id))

    async def give(self, table: Table, seat: int, answer: str, *, always: bool) -> None:
        """Keep what the person of a seat answers from now on. Raises Illegal for what cannot be answered beforehand."""
        span = next((each.span for each in answers(table, seat) if each.id == answer), None)
        if span is None:
            raise Illegal("That cannot be answered beforehand here. Load the page again to see what can.")
        person = table.seats[seat].person
        if person is None:
            raise Stale("Somebody else plays this seat by now, so nothing was kept.")
        row = Given(seat, person, answer, None if always else span)
        try:
            await self.tables.store.write(partial(_give, table=table.id, row=row))
        except IntegrityError:
            # pressed twice
            await self.tables.store.write(partial(_give, table=table.id, row=row))
        self.wake(table)

    async def take_back(self, id: str, seat: int, answer: str | None = None) -> None:
        """Let a seat be asked again: what that answer was about, or everything."""
        await self.tables.store.write(partial(_forget, table=id, seat=seat, answer=answer))

    def wake(self, table: Table) -> None:
        """See to it that what is asked now is answered, where it has been answered beforehand."""
        if self._closing.is_set() or not _asked(table):
            return
        if table.id in self._at_work:
            self._again.add(table.id)
        else:
            self._at_work[table.id] = asyncio.create_task(self._work(table.id))

    async def wake_all(self, limit: int = 100) -> None:
        """After a start, or the end of another process: go on where something was answered beforehand.

        Other tables go on when somebody opens them.
        """
        for id in await self.tables.store.read(partial(_with_answers, limit=limit)):
            if self._closing.is_set():
                return
            try:
                self.wake(await self.tables.open(id))
            except (Refusal, Unavailable) as error:
                log.info("table %s: %s", id, error)

    async def close(self) -> None:
        """Stop."""
        self._closing.set()
        await asyncio.gather(*self._at_work.values(), return_exceptions=True)

    async def _work(self, id: str) -> None:
        wait, played = self.retry, 0
        try:
            while played < _MOST and not self._closing.is_set():
                self._again.discard(id)
                try:
                    is_played = await self._answer(await self.tables.known(id))
                    wait = self.retry
                except Unavailable as error:
                    log.warning("the store fails answers of table %s (%s); trying again in %g s", id, error, wait)
                    await pause(self._closing, wait)
                    wait = min(2 * wait, LONGEST_WAIT)
                    continue
                except (Refusal, GameError) as error:
                    # Its person is asked then, as everybody is.
                    log.info("what was answered beforehand at table %s was not played (%s)", id, type(error).__name__)
                    is_played = False
                except Exception:
                    log.exception("what was answered beforehand at table %s was not played", id)
                    is_played = False
                # Something may have been answered, or asked, while the store was read.
                if not is_played and id not in self._again:
                    return
                played += is_played
            if played == _MOST:
                log.warning("table %s: %d answers beforehand in a row; the rest waits until somebody moves", id, _MOST)
        finally:
            # Nothing is awaited between the last look at what is to be done again and here: no wake is lost.
            self._again.discard(id)
            del self._at_work[id]

    async def _answer(self, table: Table) -> bool:
        """Play one answer; whether there was one."""
        if not _asked(table):
            return False
        seen = table.version
        given = await self.given(table.id)
        # Somebody may have been faster while the store was read.
        if table.version != seen:
            return True
        for seat, asked in _asked(table):
            held = holding(table, seat, given)
            answer = next((each for each in asked if each.id in held), None)
            if answer is None or answer.move is None or answer.move not in table.match.legal(seat):
                continue
            try:
                await self.tables.play(table.id, seat, table.counters[seat], answer.move, by=table.seats[seat])
            except (Stale, Illegal):
                if table.version == seen:
                    raise
            return True
        return False


def _asked(table: Table) -> list[tuple[int, list[Answer]]]:
    """The seats of people that are asked what they could have answered beforehand, with these answers."""
    if table.gathering or table.match.over:
        return []
    waiting = (seat for seat in table.match.waiting if table.seats[seat].person is not None)
    asked = ((seat, [each for each in answers(table, seat) if each.move is not None]) for seat in waiting)
    return [(seat, found) for seat, found in asked if found]


def _given(connection: Connection, table: str) -> list[Given]:
    b = schema.beforehand
    query = select(b.c.seat, b.c.person, b.c.answer, b.c.span).where(b.c.table == table)
    return [Given(*row) for row in connection.execute(query)]


def _give(connection: Connection, table: str, row: Given) -> None:
    _forget(connection, table, row.seat, row.answer)
    connection.execute(insert(schema.beforehand).values(table=table, **row.__dict__))


def _forget(connection: Connection, table: str, seat: int, answer: str | None) -> None:
    b = schema.beforehand
    which = (b.c.table == table, b.c.seat == seat, *(() if answer is None else (b.c.answer == answer,)))
    connection.execute(delete(b).where(*which))


def _with_answers(connection: Connection, limit: int) -> list[str]:
    """The newest tables at which a seat that has answered something has to decide."""
    b, t = schema.beforehand, schema.tables
    query = (
        select(t.c.id, t.c.waiting, b.c.seat)
        .join(b, b.c.table == t.c.id)
        .where(t.c.finished.is_(None))
        .order_by(t.c.created.desc())
    )
    return first_asked(connection.execute(query), limit)
