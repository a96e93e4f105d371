"""The store: tables, seats and moves in a database. What is not in it has not happened."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event, func, insert, select, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from thorp.server.tables import schema

#: How long SQLite waits for another writer, in seconds.
BUSY_TIMEOUT = 5.0


class Unavailable(Exception):
    """The database cannot be read or written now. Nothing of what was asked has happened."""


class Taken(Exception):
    """Another writer has taken this ply, or this number of the seat's counter."""


@dataclass(frozen=True)
class SeatRow:
    """Who sits at a seat: a person (an id) or a bot (a level), and its name at this table."""

    seat: int
    person: str | None
    bot: str | None
    name: str


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


@dataclass(frozen=True)
class MoveRow:
    """A chosen move, or a take-back (`move` is TAKE_BACK). Forced moves follow by themselves on replay."""

    ply: int
    seat: int
    move: int
    counter: int


@dataclass(frozen=True)
class Visit:
    """A table of a person, for its list of tables."""

    table: TableRow
    names: tuple[str, ...]
    moves: int


def now() -> datetime:
    """The time, as it is stored."""
    return datetime.now(UTC)


def sqlite_url(path: Path) -> URL:
    """The address of an SQLite file."""
    return URL.create("sqlite+aiosqlite", database=str(path))


class Store:
    """The database of one server, which other servers may use at the same time."""

    def __init__(self, url: str | URL) -> None:
        self.url = make_url(url)
        self.engine: AsyncEngine = create_async_engine(self.url)
        if self.url.get_backend_name() == "sqlite":
            _prepare_sqlite(self.engine)

    async def open(self) -> None:
        """Bring the database up to date. Raises Unavailable where it cannot be reached, or not be written and must."""
        async with _migrating:
            async with self._connection() as connection:
                if await connection.run_sync(_is_current):
                    return
            # Taking the writer's lock first: servers that start together take turns.
            async with self._write() as connection:
                await connection.run_sync(_migrate)

    async def close(self) -> None:
        """Let all connections go."""
        await self.engine.dispose()

    async def check(self) -> None:
        """Raise Unavailable where the database does not answer."""
        async with self._connection() as connection:
            await connection.execute(select(1))

    # --- settings ------------------------------------------------------------------------------------------

    async def secret(self, name: str) -> str:
        """A random secret of that name, drawn once for all servers on this database and for all time."""
        query = select(schema.settings.c.value).where(schema.settings.c.name == name)
        async with self._connection() as connection:
            if found := await connection.scalar(query):
                return str(found)
        try:
            async with self._write() as connection:
                value = secrets.token_urlsafe(32)
                await connection.execute(insert(schema.settings).values(name=name, value=value))
                return value
        except IntegrityError:
            # another server was faster
            async with self._connection() as connection:
                return str(await connection.scalar(query))

    # --- tables --------------------------------------------------------------------------------------------

    async def add_table(self, table: TableRow, seats: Sequence[SeatRow]) -> None:
        """Store a new table with its seats."""
        async with self._write() as connection:
            await _insert_table(connection, table, seats)

    async def add_rematch(self, old: str, table: TableRow, seats: Sequence[SeatRow]) -> str:
        """Store `table` as what follows `old`, unless something follows it already; the id of what follows."""
        t = schema.tables
        async with self._write() as connection:
            following = await connection.scalar(select(t.c.next_table).where(t.c.id == old).with_for_update())
            if following is not None:
                return str(following)
            await _insert_table(connection, table, seats)
            await connection.execute(update(t).where(t.c.id == old).values(next_table=table.id))
            return table.id

    async def table(self, id: str) -> tuple[TableRow, tuple[SeatRow, ...]] | None:
        """A table and its seats in order, or None."""
        t, s = schema.tables, schema.seats
        async with self._connection() as connection:
            row = (await connection.execute(select(t).where(t.c.id == id))).one_or_none()
            if row is None:
                return None
            seats = await connection.execute(
                select(s.c.seat, s.c.person, s.c.bot, s.c.name).where(s.c.table == id).order_by(s.c.seat)
            )
            return TableRow(**row._mapping), tuple(SeatRow(*seat) for seat in seats)

    async def next_table(self, id: str) -> str | None:
        """The rematch of a table."""
        async with self._connection() as connection:
            return await connection.scalar(select(schema.tables.c.next_table).where(schema.tables.c.id == id))

    async def tables_of(self, person: str, *, finished: bool, limit: int = 50) -> list[Visit]:
        """The tables at which a person sits, newest first."""
        t, s = schema.tables, schema.seats
        done = t.c.finished.is_not(None) if finished else t.c.finished.is_(None)
        query = (
            select(t)
            .where(t.c.id.in_(select(s.c.table).where(s.c.person == person)), done)
            .order_by(t.c.created.desc(), t.c.id)
            .limit(limit)
        )
        async with self._connection() as connection:
            found = [TableRow(**row._mapping) for row in await connection.execute(query)]
            ids = [table.id for table in found]
            names: dict[str, list[str]] = {id: [] for id in ids}
            for id, name in await connection.execute(
                select(s.c.table, s.c.name).where(s.c.table.in_(ids)).order_by(s.c.table, s.c.seat)
            ):
                names[id].append(name)
            m = schema.moves
            counted = await connection.execute(
                select(m.c.table, func.count()).where(m.c.table.in_(ids)).group_by(m.c.table)
            )
            counts = {id: count for id, count in counted}  # noqa: C416 - rows are not pairs to a type checker
        return [Visit(table, tuple(names[table.id]), counts.get(table.id, 0)) for table in found]

    async def running_with_bots(self, limit: int) -> list[str]:
        """The newest tables that go on and have a bot: after a restart it may have to answer."""
        t, s = schema.tables, schema.seats
        query = (
            select(t.c.id)
            .where(t.c.finished.is_(None), t.c.id.in_(select(s.c.table).where(s.c.bot.is_not(None))))
            .order_by(t.c.created.desc())
            .limit(limit)
        )
        async with self._connection() as connection:
            return [str(id) for id in await connection.scalars(query)]

    async def rename(self, person: str, name: str) -> list[str]:
        """Give a person another name at its running tables; the ids of these."""
        t, s = schema.tables, schema.seats
        running = select(t.c.id).where(t.c.finished.is_(None))
        where = (s.c.person == person, s.c.table.in_(running), s.c.name != name)
        async with self._write() as connection:
            ids = [str(id) for id in await connection.scalars(select(s.c.table).where(*where))]
            if ids:
                await connection.execute(update(s).where(*where).values(name=name))
            return ids

    # --- moves ---------------------------------------------------------------------------------------------

    async def moves(self, table: str, since: int = 0) -> list[MoveRow]:
        """The rows of a table from the ply `since` on."""
        m = schema.moves
        query = (
            select(m.c.ply, m.c.seat, m.c.move, m.c.counter)
            .where(m.c.table == table, m.c.ply >= since)
            .order_by(m.c.ply)
        )
        async with self._connection() as connection:
            return [MoveRow(*row) for row in await connection.execute(query)]

    async def add_move(self, table: str, row: MoveRow, *, finished: bool = False) -> None:
        """Commit one row; `finished`: the match is over with it.

        Raises Taken where the ply or the counter is no longer free, and Unavailable; nothing is stored then.
        """
        t = schema.tables
        try:
            async with self._write() as connection:
                await connection.execute(
                    insert(schema.moves).values(
                        table=table,
                        ply=row.ply,
                        seat=row.seat,
                        move=row.move,
                        counter=row.counter,
                        made=now(),
                    )
                )
                if finished:
                    await connection.execute(update(t).where(t.c.id == table).values(finished=now()))
        except IntegrityError as error:
            raise Taken(f"ply {row.ply} of table {table}") from error

    # --- connections ---------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self.engine.connect() as connection:
                yield connection
        except IntegrityError:
            raise
        except (DBAPIError, PoolTimeoutError, sqlite3.Error, OSError) as error:
            raise Unavailable(str(error)) from error

    @asynccontextmanager
    async def _write(self) -> AsyncIterator[AsyncConnection]:
        async with self._connection() as connection:
            await connection.execution_options(thorp_writes=True)
            async with connection.begin():
                yield connection


async def _insert_table(connection: AsyncConnection, table: TableRow, seats: Sequence[SeatRow]) -> None:
    await connection.execute(insert(schema.tables).values(**table.__dict__))
    await connection.execute(insert(schema.seats), [{"table": table.id, **seat.__dict__} for seat in seats])


def _prepare_sqlite(engine: AsyncEngine) -> None:
    """Settings of every SQLite connection, and transactions that are what they say."""

    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, record: Any) -> None:
        # Python's driver opens transactions by its own mind, and late: here BEGIN is said below.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT * 1000)}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA journal_mode = WAL")
        # A committed move survives a power cut.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Connection) -> None:
        # A writer takes the lock at once: one that reads first and writes then may find that it cannot.
        writes = connection.get_execution_options().get("thorp_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


#: Alembic keeps what it works on in global variables.
_migrating = asyncio.Lock()


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def _is_current(connection: Connection) -> bool:
    heads = ScriptDirectory.from_config(_migrations()).get_heads()
    return set(MigrationContext.configure(connection).get_current_heads()) == set(heads)


def _migrate(connection: Connection) -> None:
    """Run the migrations that this database has not seen yet."""
    config = _migrations()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
