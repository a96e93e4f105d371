"""Reviews: the decisions of a seat judged when the match is over, because somebody has asked for it.

A review goes decision by decision, each by its turn among all that is thought, so nobody waits for one as a whole. What
is learned for its table (`studies.py`) it waits for, so that all decisions are judged by the same. How far it is, and
what came of it, is a row: every server tells the same, and a reload loses nothing. Where it fails, or its server ends
in the middle of it, the row says so, after a while at least, and it can be asked for again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection, delete, insert, or_, select, update

from thorp.core.match import AnyMatch
from thorp.players import Analysis, Expected, carry_back, doubtful
from thorp.players.analysis import decisions
from thorp.server.tables import schema
from thorp.server.tables.judging import Begins, Judging, judging, write_again
from thorp.server.tables.refusals import Busy, Illegal
from thorp.server.tables.store import Store, Unavailable
from thorp.server.tables.studies import Studies
from thorp.server.tables.table import Table
from thorp.server.tables.thinking import Thinkers, Whose

log = logging.getLogger(__name__)

#: So much processor time goes into a decision, in seconds, and into all of them at most.
EACH = 0.3
ALL = 60.0
#: Those that seem to have cost most are judged once more (`doubtful` says how many at most), for so long each.
AGAIN_EACH = 1.5
#: How often a review says that it goes on, and how long after its last word it is taken to have ended.
SIGN = 2.0
GIVEN_UP = timedelta(seconds=30)
#: So many decisions are judged, by the row, of a review that waits until its table is learned for.
_WAITS = -1


@dataclass(frozen=True)
class Review:
    """What is known of the decisions of a seat."""

    seat: int
    #: How many are judged, of how many.
    judged: int
    total: int
    #: All of them, once they are judged; None before.
    decisions: tuple[Analysis, ...] | None
    #: Whether it has ended before that: it can be asked for again.
    failed: bool = False
    #: Whether it waits until its table is learned for.
    waits: bool = False


class Reviews:
    """All reviews of this process that are under way."""

    def __init__(self, store: Store, thinkers: Thinkers, studies: Studies) -> None:
        self.store = store
        self.thinkers = thinkers
        self.studies = studies
        self._at_work: set[asyncio.Task[None]] = set()

    async def of(self, id: str) -> tuple[Review, ...]:
        """The reviews of a table, done, under way or failed, by their seats."""
        return await self.store.read(partial(_of, table=id, moment=self.store.now()))

    async def begin(
        self, table: Table, seat: int, person: str, whose: Whose, begins: Begins = lambda: lambda: None
    ) -> bool:
        """Judge the decisions of a seat of a match that is over, in the background; False where that is (being) done.

        `begins` is called before anything is judged, and may raise; what it returns is called where it comes to
        nothing. Raises Illegal while the match goes on, or for a seat that is none, Busy where the person waits for
        another one.
        """
        if table.gathering or not table.match.over:
            raise Illegal("A match is looked through when it is over: what was hidden is open then.")
        if not 0 <= seat < table.row.seats:
            raise Illegal("This table has no such seat. Choose one of those that the page offers.")
        if any(review.seat == seat and not review.failed for review in await self.of(table.id)):
            return False
        free = partial(_require_free, table=table.id, seat=seat, person=person, moment=self.store.now())
        await self.store.read(free)
        vain = begins()
        begun = False
        try:
            match = table.match.copy()
            lines = await self.store.read(partial(_lines, table=table.id, seat=seat))
            questions = await asyncio.to_thread(_questions, match, seat, table.row.salt, lines)
            begin = partial(_begin, table=table.id, seat=seat, person=person, total=len(questions))
            begun = await self.store.write(partial(begin, clock=self.store.now))
        finally:
            if not begun:
                vain()
        if not begun:
            return False
        self.studies.see_to(table, whose, anew=True)
        task = asyncio.create_task(self._work(table.id, match, seat, questions, whose, vain))
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return True

    async def close(self) -> None:
        """Give up what is not done: it can be asked for again."""
        for task in self._at_work:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)

    async def _work(
        self,
        id: str,
        match: AnyMatch,
        seat: int,
        questions: Sequence[Judging],
        whose: Whose,
        vain: Callable[[], object],
    ) -> None:
        done = False
        try:
            # what is judged without it and what by it cannot be compared
            patience = 0.0
            while not await self.studies.is_done(id, patience):
                await self._say(id, seat, _WAITS)
                patience = SIGN
            judged: list[Analysis] = []
            for question in questions:
                judged.append(await self._ask(id, seat, len(judged), question, whose))
            again: set[int] = set()
            while doubted := doubtful(await asyncio.to_thread(carry_back, match, seat, judged), again):
                for number in doubted:
                    judged[number] = await self._ask(id, seat, len(judged), _longer(questions[number]), whose)
                again.update(doubted)
            content = [_stored(each) for each in await asyncio.to_thread(carry_back, match, seat, judged)]
            # Where the store takes its time to fail it may be given up meanwhile, and begun anew: what is stored first
            # counts.
            last = partial(_say, table=id, seat=seat, judged=len(judged), content=content, clock=self.store.now)
            done = await write_again(self.store, last)
        except _NotWanted:
            self.studies.stop(id)
        except Exception as error:
            vain()
            log.warning("a match could not be looked through (%s)", type(error).__name__)
        finally:
            if not done:
                await asyncio.shield(self._give_up(id, seat))

    async def _ask(self, id: str, seat: int, judged: int, question: Judging, whose: Whose) -> Analysis:
        """Have a decision judged, and say meanwhile that the review goes on."""
        await self._say(id, seat, judged)
        thinking = asyncio.ensure_future(self.thinkers.think(question, whose))
        try:
            while not (await asyncio.wait((thinking,), timeout=SIGN))[0]:
                await self._say(id, seat, judged)
            return thinking.result()
        finally:
            thinking.cancel()

    async def _say(self, id: str, seat: int, judged: int) -> None:
        try:
            sign = partial(_say, table=id, seat=seat, judged=judged, content=None, clock=self.store.now)
            is_wanted = await self.store.write(sign)
        except Unavailable:
            # one word that is not heard is not the end: the next is said soon
            return
        if not is_wanted:
            raise _NotWanted

    async def _give_up(self, id: str, seat: int) -> None:
        try:
            await self.store.write(partial(_end, table=id, seat=seat, clock=self.store.now))
        except Exception as error:
            # it is told all the same, once it has not been heard of for a while
            log.info("that a review has failed could not be stored (%s)", type(error).__name__)


class _NotWanted(Exception):
    """The table was deleted."""


def _questions(match: AnyMatch, seat: int, salt: str, lines: tuple[tuple[int, ...], ...]) -> list[Judging]:
    """The decisions of a seat where it had a choice; `lines`: what hints have found, where it played alone."""
    found = list(decisions(match, seat))
    each = min(EACH, ALL / max(1, len(found)))
    questions = [judging(match.game, step.before, match.seats, seat, ply, step.move, salt, each) for ply, step in found]
    if match.seats > 1:
        return questions
    moves = tuple(entry.move for entry in match.log())
    return [replace(question, course=moves[question.ply :], lines=lines) for question in questions]


def _longer(question: Judging) -> Judging:
    """The same decision, judged for longer and by other chances: what misled the first look does not mislead this."""
    return replace(question, seed=question.seed ^ 1, seconds=AGAIN_EACH)


def _stored(judged: Analysis) -> dict[str, Any]:
    """A decision as it is kept: the best move, and the one that was played."""
    settled = judged.settled()
    assert settled.played
    best, played = (list(vars(each).values()) for each in (settled.best, settled.played))
    return {"ply": settled.ply, "best": best, "played": played, "by_points": settled.by_points}


def _read(seat: int, stored: Mapping[str, Any]) -> Analysis:
    best, played = Expected(*stored["best"]), Expected(*stored["played"])
    return Analysis(seat, stored["ply"], (best,), played, stored["by_points"])


def _lines(connection: Connection, table: str, seat: int) -> tuple[tuple[int, ...], ...]:
    """The lines to the end that hints have told a seat of: a review that knows less would call them mistakes."""
    h = schema.hints
    stored = connection.scalars(select(h.c.content).where(h.c.table == table, h.c.seat == seat).order_by(h.c.counter))
    return tuple(tuple(content["line"]) for content in stored if content.get("line"))


def _of(connection: Connection, table: str, moment: datetime) -> tuple[Review, ...]:
    r = schema.reviews
    heard = moment - GIVEN_UP
    found = connection.execute(select(r).where(r.c.table == table).order_by(r.c.seat)).all()
    return tuple(
        Review(
            *(row.seat, max(0, row.judged), row.total),
            None if row.content is None else tuple(_read(row.seat, each) for each in row.content),
            failed=row.content is None and row.touched < heard,
            waits=row.judged == _WAITS,
        )
        for row in found
    )


def _require_free(connection: Connection, table: str, seat: int, person: str, moment: datetime) -> None:
    """Raise Busy where a person waits for another review than this, which a second click may have begun meanwhile."""
    r = schema.reviews
    going_on = (r.c.person == person, r.c.content.is_(None), r.c.touched >= moment - GIVEN_UP)
    another = or_(r.c.table != table, r.c.seat != seat)
    if connection.scalar(select(r.c.table).where(*going_on, another).limit(1)) is not None:
        raise Busy("Another match is being looked through for you. Ask again when that is done.")


def _begin(
    connection: Connection, table: str, seat: int, person: str, total: int, clock: Callable[[], datetime]
) -> bool:
    """Note that a review begins; False where it is done, or goes on. Raises Busy where the person waits for another."""
    r = schema.reviews
    # Two who ask at the same time take turns at the row of the table.
    connection.execute(select(schema.tables.c.id).where(schema.tables.c.id == table).with_for_update())
    moment = clock()
    found = connection.execute(select(r.c.content, r.c.touched).where(r.c.table == table, r.c.seat == seat)).first()
    if found and (found.content is not None or found.touched >= moment - GIVEN_UP):
        return False
    _require_free(connection, table, seat, person, moment)
    connection.execute(delete(r).where(r.c.table == table, r.c.seat == seat))
    row = {"table": table, "seat": seat, "person": person, "judged": 0, "total": total, "touched": moment}
    connection.execute(insert(r).values(**row))
    return True


def _say(
    connection: Connection,
    table: str,
    seat: int,
    judged: int,
    content: list[dict[str, Any]] | None,
    clock: Callable[[], datetime],
) -> bool:
    """Note how far a review is, or what came of it; whether it is still wanted."""
    r = schema.reviews
    which = (r.c.table == table, r.c.seat == seat, r.c.content.is_(None))
    news = {"judged": judged, "touched": clock(), **({} if content is None else {"content": content})}
    return bool(connection.execute(update(r).where(*which).values(**news)).rowcount)


def _end(connection: Connection, table: str, seat: int, clock: Callable[[], datetime]) -> None:
    """Note that nothing more will be heard of a review."""
    r = schema.reviews
    which = (r.c.table == table, r.c.seat == seat, r.c.content.is_(None))
    connection.execute(update(r).where(*which).values(touched=clock() - 2 * GIVEN_UP))
