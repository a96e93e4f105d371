"""The store: tables, seats and moves in a database. What is not in it has not happened."""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from itertools import islice
from pathlib import Path
from sqlite3 import SQLITE_CORRUPT, SQLITE_NOTADB
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from thorp.server.tables import clocks, ratings, schema, sqlite
from thorp.server.tables.clocks import SeatClock
from thorp.server.tables.news import News, announce, announced
from thorp.server.tables.news_local import POSSIBLE, LocalNews
from thorp.server.tables.news_postgres import PostgresNews
from thorp.server.tables.ratings import Contestant
from thorp.server.tables.schema import TAKE_BACK, WENT_BACK

T = TypeVar("T")

#: For so many seconds it holds what was found out about the health of the database.
CHECKED_FOR = 1.0
#: So many seconds a database that is not in a file may take to answer: a connection may die without a word.
ANSWER = 5.0
#: And so many any database, where its health is asked for.
HEALTH = 3.0
#: The setting that is written to find that out.
_MARK = "health"


class Unavailable(Exception):
    """The database cannot be read or written now. Nothing of what was asked has happened."""


class Damaged(Unavailable):
    """The file of the database is none, or parts of it are broken."""


class Taken(Exception):
    """Another writer has taken this ply, or this number of the seat's counter."""


class Shut(Exception):
    """The table has been closed, deleted, or taken over by newer rules: what is known about it is out of date."""


@dataclass(frozen=True)
class SeatRow:
    """Who sits at a seat: a person (an id) or a bot (a level), and its name at this table; or nobody yet."""

    seat: int
    person: str | None
    bot: str | None
    name: str
    #: The person for whom the bot keeps the seat.
    away: str | None = None
    #: When somebody else has given it to that bot; None where its person has left it.
    replaced: datetime | None = None
    #: Whether the person took it over while the match ran.
    taken: bool = False
    #: Who asks to take the seat over from the bot, and under what name.
    asker: str | None = None
    asker_name: str | None = None

    @property
    def free(self) -> bool:
        """Whether nobody sits here."""
        return self.person is None and self.bot is None


@dataclass(frozen=True)
class TableRow:
    """A table as it is stored."""

    id: str
    game: str
    seats: int
    options: dict[str, str]
    seed: int
    salt: str
    commitment: str
    rules_version: int
    generator_version: int
    #: Whether the match plays a single legal move by itself.
    forced: bool
    created: datetime
    finished: datetime | None = None
    next_table: str | None = None
    #: The person who decides about the seats.
    opener: str | None = None
    #: When the match began; None while the table gathers.
    started: datetime | None = None
    #: Whether who has no seat may look on, and whether the first page names the table while it gathers.
    watchable: bool = True
    listed: bool = False
    #: How often something about the seats has changed.
    seating: int = 0
    #: For lists of tables, None where it is not known: who has to decide, and at the end the scores and places.
    waiting: list[int] | None = None
    scores: list[int] | None = None
    standings: list[int] | None = None
    #: How long seats may think, as `clocks.Clock` has it; None: as long as they like.
    clock: dict[str, Any] | None = None
    #: How far a guided first game is, as `guiding.Guiding` has it; None: nobody is guided here.
    guide: dict[str, Any] | None = None
    #: Whether hints are given; None: while one person plays alone, or with bots (`hints.are_given`).
    hints: bool | None = None
    #: The table of the match that it goes on from, which may be gone; None where there is none, or it is not known.
    former: str | None = None


@dataclass(frozen=True)
class Company:
    """A table and who sits there: what is looked at, and changed, in one transaction."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    #: When that is.
    moment: datetime


@dataclass(frozen=True)
class MoveRow:
    """A chosen move; or as `move` one of the marks of `schema.py`. Forced moves follow by themselves on replay."""

    ply: int
    seat: int
    move: int
    counter: int
    #: The seed of all chance to come, where it is drawn anew.
    chance: int | None = None


@dataclass(frozen=True)
class Result:
    """How a match ended: scores and places by seat."""

    scores: list[int]
    standings: list[int]


@dataclass(frozen=True)
class Hand:
    """Which of its seats a person with several has in hand, and how much of the match was told then.

    None: all of them are behind the curtain.
    """

    seat: int | None
    told: int


@dataclass(frozen=True)
class Latest:
    """What tells whether anything about a table is new."""

    #: How many rows its match has, and how often something about its seats has changed.
    rows: int
    seating: int
    over: bool
    next_table: str | None


@dataclass(frozen=True)
class Visit:
    """A table in a list of tables."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    #: The person's own: those of others would tell, against the log, which moves were forced.
    moves: int


def _latest() -> Select[Any]:
    t, m = schema.tables, schema.moves
    last = select(func.max(m.c.ply)).where(m.c.table == bindparam("id")).scalar_subquery()
    return select(last, t.c.seating, t.c.finished, t.c.next_table).where(t.c.id == bindparam("id"))


def _going_on() -> Select[Any]:
    t = schema.tables
    going_on = select(t.c.game, t.c.rules_version, t.c.generator_version, t.c.seating, t.c.clock)
    return going_on.where(t.c.id == bindparam("id"), t.c.finished.is_(None)).with_for_update()


def _move_on(*columns: str) -> Update:
    t = schema.tables
    return update(t).where(t.c.id == bindparam("of")).values({name: bindparam(name) for name in columns})


# What every move needs: to make a statement costs as much as to run it.
_LATEST, _GOING_ON = _latest(), _going_on()
_ADD_MOVE, _ADD_RESULT = insert(schema.moves), insert(schema.results)
_ASK_AGAIN = delete(schema.beforehand).where(
    schema.beforehand.c.table == bindparam("of"), schema.beforehand.c.seat == bindparam("by")
)
_GO_ON, _END = _move_on("waiting"), _move_on("waiting", "finished", "scores", "standings")


def sqlite_url(path: Path) -> URL:
    """The address of an SQLite file."""
    return URL.create("sqlite", database=str(path))


class Store:
    """The database of one server, which other servers may use at the same time.

    Raises Unavailable for SQLite without a file: in memory the writer and the readers would each have one of their own.
    """

    def __init__(
        self,
        url: str | URL,
        clock: Callable[[], float] = time.monotonic,
        moment: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.url = make_url(url)
        #: What time it is, for all that is stored with a time, and for whoever compares with that.
        self.now = moment
        #: Who writes to SQLite; other databases have writers take turns by themselves.
        self.writer: sqlite.Writer | None = None
        #: Who reads there.
        self.reader: sqlite.Reader | None = None
        #: The connections to another database.
        self.engine: AsyncEngine | None = None
        if self.url.get_backend_name() == "sqlite":
            if self.url.database in (None, "", ":memory:"):
                raise Unavailable("they are kept in a file, and this address names none")
            self.writer = sqlite.Writer(self.url)
            self.reader = sqlite.Reader(self.url)
        else:
            self.engine = create_async_engine(self.url, hide_parameters=True)
        #: What tells other processes of what is stored here; a server listens to them, too.
        self.news = _news(self.url)
        self._closed = False
        self._clock = clock
        self._checking = asyncio.Lock()
        self._checked = -math.inf
        self._failure: str | None = None

    @property
    def file(self) -> Path | None:
        """The file of the database, where it is one of SQLite's."""
        return sqlite.file_of(self.url) if self.writer else None

    async def open(self) -> None:
        """Bring the database up to date.

        Raises Unavailable where it cannot be reached, or not be written and must, or is of a newer Thorp.
        """
        with _failures():
            if self.file:
                sqlite.make_private(self.file)
        async with _migrating:
            if await self.read(_is_current):
                return
            # Servers that start together take turns: at the writer's lock, or at that of the migration.
            await self._write(_migrate, patient=True)

    async def require_current(self) -> None:
        """Raise Unavailable where the database is of an older Thorp, or a newer one; nothing is written."""
        if await self.read(_is_current):
            return
        if await self.read(_is_newer):
            raise Unavailable(_NEWER)
        raise Unavailable(
            "they are kept as by an older version of Thorp: start the server once, which brings them up to date "
            "(`thorp admin backup` makes a copy of them before)"
        )

    async def close(self) -> None:
        """Let all connections go. The writer's is the last: whoever closes an SQLite file last tidies it up."""
        self._closed = True
        if self.engine:
            # A connection that has died without a word would be taken leave of for ever.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ANSWER):
                    await self.engine.dispose()
        if self.reader:
            await self.reader.close()
        if self.writer:
            await self.writer.close()

    async def look_through(self) -> None:
        """Raise Damaged where the file of the database is. Large ones are not looked through, as it takes too long."""
        if (file := self.file) and (found := await self.read(partial(sqlite.damage, file=file))):
            raise Damaged(found)

    async def check(self) -> None:
        """Raise Unavailable where the database cannot be read or written, which is tried once a second at most.

        Who asks in between is told what was found last, so that nobody keeps the disk busy by asking.
        """
        async with self._checking:
            if self._clock() - self._checked >= CHECKED_FOR:
                self._failure = None
                try:
                    async with _within(HEALTH):
                        await self._try()
                except Unavailable as error:
                    self._failure = str(error)
                self._checked = self._clock()
            if self._failure is not None:
                raise Unavailable(self._failure)

    async def _try(self) -> None:
        # Where two servers write the first mark at the same time, one of them has seen that the other could.
        with contextlib.suppress(IntegrityError):
            await self._write(partial(_leave_mark, moment=self.now()))
        await self._setting(_MARK)

    # --- settings ------------------------------------------------------------------------------------------

    async def secret(self, name: str) -> str:
        """A random secret of that name, drawn once for all servers on this database and for all time."""
        if found := await self._setting(name):
            return found

        def draw(connection: Connection) -> str:
            value = secrets.token_urlsafe(32)
            connection.execute(insert(schema.settings).values(name=name, value=value))
            return value

        try:
            return await self._write(draw)
        except IntegrityError:
            # another server was faster
            return str(await self._setting(name))

    async def _setting(self, name: str) -> str | None:
        s = schema.settings
        return await self.read(lambda connection: connection.scalar(select(s.c.value).where(s.c.name == name)))

    # --- tables --------------------------------------------------------------------------------------------

    async def add_table(self, table: TableRow, seats: Sequence[SeatRow], moves: Sequence[MoveRow] = ()) -> None:
        """Store a new table with its seats, and with the moves that it begins with."""

        def add(connection: Connection) -> None:
            _insert_table(connection, table, seats)
            clocks.begin(connection, table, seats, self.now())
            if moves:
                made = self.now()
                rows = [{"table": table.id, "made": made, **row.__dict__} for row in moves]
                connection.execute(insert(schema.moves), rows)

        await self._write(add)

    async def add_rematch(self, old: str, table: TableRow, seats: Sequence[SeatRow]) -> str:
        """Store `table` as what follows `old`, unless something follows it already; the id of what follows."""
        t = schema.tables

        def add(connection: Connection) -> str:
            following = connection.scalar(select(t.c.next_table).where(t.c.id == old).with_for_update())
            if following is not None:
                return str(following)
            _insert_table(connection, table, seats)
            clocks.begin(connection, table, seats, self.now())
            connection.execute(update(t).where(t.c.id == old).values(next_table=table.id))
            announce(connection, old)
            return table.id

        return await self._write(add)

    async def table(self, id: str) -> tuple[TableRow, tuple[SeatRow, ...]] | None:
        """A table and its seats in order, or None."""
        t = schema.tables

        def look(connection: Connection) -> tuple[TableRow, tuple[SeatRow, ...]] | None:
            row = connection.execute(select(t).where(t.c.id == id)).one_or_none()
            if row is None:
                return None
            return TableRow(**row._mapping), tuple(map(_seat, connection.execute(_seats_of([id]))))

        return await self.read(look)

    async def seating(self, id: str) -> int:
        """How often something about the seats of a table has changed."""
        query = select(schema.tables.c.seating).where(schema.tables.c.id == id)
        return await self.read(lambda connection: connection.scalar(query)) or 0

    async def change_seats(self, id: str, change: Callable[[Company], Company]) -> Company:
        """Change who sits at a table in one transaction: `change` sees what is stored, and nothing comes between.

        Where it raises nothing has happened, and where it changes nothing, nothing is written.
        """
        t, s = schema.tables, schema.seats

        def work(connection: Connection) -> Company:
            row = connection.execute(select(t).where(t.c.id == id).with_for_update()).one()
            seats = tuple(_seat(seat) for seat in connection.execute(_seats_of([id])))
            before = Company(TableRow(**row._mapping), seats, self.now())
            after = change(before)
            if after == before:
                return before
            after = replace(after, table=replace(after.table, seating=before.table.seating + 1))
            new = {name: value for name, value in vars(after.table).items() if value != getattr(before.table, name)}
            connection.execute(update(t).where(t.c.id == id).values(**new))
            for old, seat in zip(before.seats, after.seats, strict=True):
                if seat != old:
                    where = (s.c.table == id, s.c.seat == seat.seat)
                    connection.execute(update(s).where(*where).values(**seat.__dict__))
            announce(connection, id)
            clocks.changed(connection, after.table, before.seats, after.seats, self.now())
            return after

        return await self._write(work)

    async def latest(self, id: str) -> Latest | None:
        """What tells whether anything about a table is new, in one look; None where there is no such table."""

        def look(connection: Connection) -> Latest | None:
            found = connection.execute(_LATEST, {"id": id}).one_or_none()
            if found is None:
                return None
            ply, seating, finished, next_table = found
            return Latest(0 if ply is None else ply + 1, seating, finished is not None, next_table)

        return await self.read(look)

    async def tables_of(self, person: str, *, finished: bool, limit: int = 50) -> list[Visit]:
        """The tables at which a person sits, or sat before a bot took over, and those it has opened; newest first."""
        t, s = schema.tables, schema.seats
        done = t.c.finished.is_not(None) if finished else t.c.finished.is_(None)
        query = select(t).where(_is_of(person), done).order_by(t.c.created.desc(), t.c.id).limit(limit)

        def look(connection: Connection) -> list[Visit]:
            found = [TableRow(**row._mapping) for row in connection.execute(query)]
            ids = [table.id for table in found]
            seats = _seats_by_table(connection, ids)
            m = schema.moves
            counted = connection.execute(
                select(m.c.table, func.count())
                .join(s, (s.c.table == m.c.table) & (s.c.seat == m.c.seat))
                .where(m.c.table.in_(ids), s.c.person == person)
                .group_by(m.c.table)
            )
            counts = {id: count for id, count in counted}  # noqa: C416 - rows are not pairs to a type checker
            return [Visit(table, seats[table.id], counts.get(table.id, 0)) for table in found]

        return await self.read(look)

    async def last_of(self, person: str, game: str) -> Company | None:
        """The newest table of a game that a person has opened for itself, or else the newest of it; no guided one."""
        t = schema.tables
        opened = and_(func.coalesce(t.c.opener, "") == person, t.c.id.in_(_sits(person)))
        mine = (_is_of(person), t.c.game == game, t.c.guide.is_(None))
        query = select(t).where(*mine).order_by(opened.desc(), t.c.created.desc(), t.c.id)

        def look(connection: Connection) -> Company | None:
            row = connection.execute(query.limit(1)).first()
            if row is None:
                return None
            table = TableRow(**row._mapping)
            return Company(table, _seats_by_table(connection, [table.id])[table.id], self.now())

        return await self.read(look)

    async def open_tables(self, since: datetime, limit: int = 20) -> list[Visit]:
        """The tables that were made since then, gather, and are for everybody to see; newest first."""
        t = schema.tables
        query = (
            select(t)
            .where(t.c.listed, t.c.started.is_(None), t.c.finished.is_(None), t.c.created >= since)
            .order_by(t.c.created.desc(), t.c.id)
            .limit(limit)
        )

        def look(connection: Connection) -> list[Visit]:
            found = [TableRow(**row._mapping) for row in connection.execute(query)]
            seats = _seats_by_table(connection, [table.id for table in found])
            return [Visit(table, seats[table.id], 0) for table in found]

        return await self.read(look)

    async def running_tables(self, person: str, since: datetime) -> int:
        """How many tables that were made since then a person has opened, and are not over.

        Others' do not count, though the person sits there: a rematch and playing on seat it without asking.
        """
        t = schema.tables
        mine = (t.c.opener == person, t.c.finished.is_(None), t.c.created >= since)
        query = select(func.count()).select_from(t).where(*mine)
        return await self.read(lambda connection: connection.scalar(query)) or 0

    async def running_with_bots(self, limit: int) -> list[str]:
        """The newest tables at which somebody sits and a bot has something to decide, as after a restart."""
        t, s = schema.tables, schema.seats
        sitting = s.alias()
        # Where nobody sits bots rest, and such tables become ever more.
        is_played = exists().where(sitting.c.table == t.c.id, sitting.c.person.is_not(None))
        query = (
            select(t.c.id, t.c.waiting, s.c.seat)
            .join(s, s.c.table == t.c.id)
            .where(t.c.started.is_not(None), t.c.finished.is_(None), s.c.bot.is_not(None), is_played)
            .order_by(t.c.created.desc())
        )
        return await self.read(lambda connection: first_asked(connection.execute(query), limit))

    async def rename(self, person: str, name: str, before: str | None = None) -> list[str]:
        """Give a person another name at its running tables; the ids of these.

        Where it has several seats, at those that bear the name `before`: others at its device have names of their own.
        """
        t, s = schema.tables, schema.seats
        other = s.alias()
        running = select(t.c.id).where(t.c.finished.is_(None))
        mine = select(func.count()).select_from(other).where(other.c.table == s.c.table, other.c.person == person)
        sits = and_(s.c.person == person, or_(s.c.name == before, mine.scalar_subquery() == 1))
        own = or_(sits, s.c.away == person)
        where = (own, s.c.table.in_(running), s.c.name != name)

        def change(connection: Connection) -> list[str]:
            ids = [str(id) for id in connection.scalars(select(s.c.table).where(*where))]
            if ids:
                # The tables first: so this waits for whoever changes their seats, and comes in nobody's way.
                connection.execute(update(t).where(t.c.id.in_(ids)).values(seating=t.c.seating + 1))
                connection.execute(update(s).where(*where).values(name=name))
                announce(connection, *ids)
            return ids

        return await self._write(change)

    # --- hands ---------------------------------------------------------------------------------------------

    async def hands(self, table: str) -> dict[str, Hand]:
        """What those who have several seats at a table have in hand, by their ids."""
        h = schema.hands
        query = select(h.c.person, h.c.seat, h.c.told).where(h.c.table == table)
        return await self.read(
            lambda connection: {person: Hand(seat, told) for person, seat, told in connection.execute(query)}
        )

    async def put_hand(self, table: str, person: str, hand: Hand) -> None:
        """Store what a person has in hand from now on."""
        h = schema.hands
        values = {"seat": hand.seat, "told": hand.told}

        def put(connection: Connection) -> None:
            changed = connection.execute(update(h).where(h.c.table == table, h.c.person == person).values(**values))
            if not changed.rowcount:
                connection.execute(insert(h).values(table=table, person=person, **values))
            announce(connection, table)

        try:
            await self._write(put)
        except IntegrityError:
            # another server was faster to put the first one there
            await self._write(put)

    # --- moves ---------------------------------------------------------------------------------------------

    async def moves(self, table: str, since: int = 0) -> list[MoveRow]:
        """The rows of a table from the ply `since` on."""
        m = schema.moves
        query = (
            select(m.c.ply, m.c.seat, m.c.move, m.c.counter, m.c.chance)
            .where(m.c.table == table, m.c.ply >= since)
            .order_by(m.c.ply)
        )
        return await self.read(lambda connection: [MoveRow(*row) for row in connection.execute(query)])

    async def add_move(
        self,
        table: str,
        row: MoveRow,
        *,
        rules: tuple[int, int] | None = None,
        seating: int | None = None,
        waiting: Sequence[int] = (),
        result: Result | None = None,
        results: Sequence[Mapping[str, Any]] = (),
        contest: Sequence[Contestant] = (),
    ) -> tuple[SeatClock, ...]:
        """Commit one row; the clocks of the seats after it, where the table has a clock.

        `waiting`: who has to decide after it; `result`: how the match ended, if it is over with it, and `results` what
        that is for people (`results.rows_of`); `contest`: who is rated by it (`ratings.contest_of`). `rules`: the
        versions of the rules and of the generator by which it was checked. Raises Taken where the ply or the counter is
        no longer free, or the seats are no longer those of `seating`, Shut where the table does not go on by these
        rules, and Unavailable; nothing is stored then.
        """

        def add(connection: Connection) -> tuple[SeatClock, ...]:
            found = connection.execute(_GOING_ON, {"id": table}).one_or_none()
            if rules is not None and (found is None or (found.rules_version, found.generator_version) != rules):
                raise Shut(f"table {table}")
            if seating is not None and (found is None or found.seating != seating):
                raise Taken(f"the seats of table {table}")
            if contest and found:
                # or a match that waits for its turn would be rated after one that ended later
                ratings.take_turns(connection, found.game)
            made = self.now()
            clock = found.clock if found else None
            left, after = clocks.moved(connection, table, clock, row, waiting, made)
            connection.execute(_ADD_MOVE, {"table": table, "made": made, "clock_left": left, **row.__dict__})
            if row.move in (TAKE_BACK, WENT_BACK):
                # or what was answered beforehand would be played again at once
                connection.execute(_ASK_AGAIN, {"of": table, "by": row.seat})
            if result:
                end(connection, table, made, waiting, result, results, contest)
            else:
                connection.execute(_GO_ON, {"of": table, "waiting": list(waiting)})
            announce(connection, table)
            return after

        try:
            return await self._write(add)
        except IntegrityError as error:
            raise Taken(f"ply {row.ply} of table {table}") from error

    # --- connections ---------------------------------------------------------------------------------------

    async def read(self, work: Callable[[Connection], T], *, patient: bool = False) -> T:
        """Run a function that only reads. `patient`: however long the database takes to answer."""
        self._require_open()
        with _failures():
            if self.reader:
                return await self.reader.run(work)
            assert self.engine
            async with _within(None if patient else ANSWER), self.engine.connect() as connection:
                return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T], *, patient: bool = False) -> T:
        """Run a transaction as a whole: committed when this returns. Raises IntegrityError where rows are taken.

        `patient`: however long the database takes to answer.
        """
        return await self._write(work, patient=patient)

    async def _write(self, work: Callable[[Connection], T], *, patient: bool = False) -> T:
        """Run a transaction, and return when it is committed. Where it raises, nothing has happened."""
        self._require_open()
        news: tuple[str, ...] = ()

        def told(connection: Connection) -> T:
            nonlocal news
            announced(connection)
            result = work(connection)
            news = announced(connection)
            self.news.within(connection, news)
            return result

        with _failures():
            # a file answers, or says why not, and turns there have a limit: only others are not waited for
            if self.writer:
                result = await self.writer.run(told)
            else:
                assert self.engine
                async with _within(None if patient else ANSWER), self.engine.begin() as connection:
                    result = await connection.run_sync(told)
        if news:
            self.news.after(news)
        return result

    def _require_open(self) -> None:
        """Raise Unavailable after the end: a connection that is opened then would never be closed."""
        if self._closed:
            raise Unavailable("the store is closed")


def _news(url: URL) -> News:
    """How processes on a database tell each other what is new. Others than these look now and then."""
    if url.get_backend_name() == "postgresql":
        return PostgresNews(url)
    file = sqlite.file_of(url) if url.get_backend_name() == "sqlite" else None
    return LocalNews(file.with_name(f"{file.name}-news")) if file and POSSIBLE else News()


@asynccontextmanager
async def _within(seconds: float | None) -> AsyncIterator[None]:
    """Raise Unavailable where what is done in here takes longer; its connection is given up."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise Unavailable(f"the database did not answer within {seconds:g} s") from error


@contextmanager
def _failures() -> Iterator[None]:
    """Whatever a database fails with is Unavailable, but for rows that are taken."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        # Not all that SQLAlchemy tells: statements and what was to be stored are nobody's business.
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        kind = Damaged if code in (SQLITE_CORRUPT, SQLITE_NOTADB) else Unavailable
        raise kind(str(error.orig)) from error
    except (PoolTimeoutError, sqlite3.Error, OSError) as error:
        raise Unavailable(str(error)) from error


def _insert_table(connection: Connection, table: TableRow, seats: Sequence[SeatRow]) -> None:
    connection.execute(insert(schema.tables).values(**table.__dict__))
    connection.execute(insert(schema.seats), [{"table": table.id, **seat.__dict__} for seat in seats])


def end(
    connection: Connection,
    table: str,
    finished: datetime,
    waiting: Sequence[int],
    result: Result,
    results: Sequence[Mapping[str, Any]],
    contest: Sequence[Contestant],
) -> None:
    """The match of a table is over. Where it is rated `ratings.take_turns` comes before it is told when."""
    connection.execute(_END, {"of": table, "waiting": list(waiting), "finished": finished, **result.__dict__})
    if results:
        connection.execute(_ADD_RESULT, [{"table": table, "finished": finished, **row} for row in results])
    if contest:
        ratings.enter(connection, table, contest)


def _seats_of(tables: Sequence[str]) -> Select[Any]:
    """The seats of some tables, table by table and in their order."""
    s = schema.seats
    return select(s).where(s.c.table.in_(tables)).order_by(s.c.table, s.c.seat)


def _seat(row: Row[Any]) -> SeatRow:
    return SeatRow(**{name: value for name, value in row._mapping.items() if name != "table"})


def _seats_by_table(connection: Connection, tables: Sequence[str]) -> dict[str, tuple[SeatRow, ...]]:
    seats: dict[str, tuple[SeatRow, ...]] = dict.fromkeys(tables, ())
    for row in connection.execute(_seats_of(tables)):
        seats[row._mapping["table"]] += (_seat(row),)
    return seats


def first_asked(rows: Iterable[Any], limit: int) -> list[str]:
    """Of rows of a table, the seats that have to decide there, and a seat: the first tables where that seat has to."""
    # of old tables it is not stored who has to decide
    asked = (str(id) for id, waiting, seat in rows if waiting is None or seat in waiting)
    return list(islice(dict.fromkeys(asked), limit))


def _is_of(person: str) -> ColumnElement[bool]:
    """Whether a table is a person's: it sits there, a bot keeps its seat, or it has opened the table."""
    t = schema.tables
    return or_(t.c.id.in_(_sits(person)), t.c.opener == person)


def _sits(person: str) -> Select[tuple[str]]:
    """The tables where a person sits, or a bot keeps its seat."""
    s = schema.seats
    return select(s.c.table).where(or_(s.c.person == person, s.c.away == person))


def _leave_mark(connection: Connection, moment: datetime) -> None:
    """Write a little that is not read by anybody."""
    s = schema.settings
    when = moment.isoformat()
    if not connection.execute(update(s).where(s.c.name == _MARK).values(value=when)).rowcount:
        connection.execute(insert(s).values(name=_MARK, value=when))


#: Alembic keeps what it works on in global variables.
_migrating = asyncio.Lock()
#: What servers on PostgreSQL that migrate a database take turns at: any number that nobody else takes there.
_MIGRATION = 0x74686F7270


_NEWER = "they are kept by a newer version of Thorp than this one"


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def _heads() -> frozenset[str]:
    """The newest revisions that this code knows: its own migrations, all of which are read to find that out."""
    return frozenset(ScriptDirectory.from_config(_migrations()).get_heads())


def _is_current(connection: Connection) -> bool:
    return set(MigrationContext.configure(connection).get_current_heads()) == _heads()


def _is_newer(connection: Connection) -> bool:
    known = {each.revision for each in ScriptDirectory.from_config(_migrations()).walk_revisions()}
    return not set(MigrationContext.configure(connection).get_current_heads()) <= known


def _migrate(connection: Connection) -> None:
    """Run the migrations that this database has not seen yet. Raises Unavailable where it has seen newer ones."""
    if connection.dialect.name == "postgresql":
        # What another server has migrated meanwhile is read below.
        connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION)))
    config = _migrations()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        # Its revision is none of those that are here.
        raise Unavailable(_NEWER) from error
