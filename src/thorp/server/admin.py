"""What whoever runs a server does with its store, while it serves or not: tables seen, closed, deleted; copies."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, delete, exists, func, select, update

from thorp.server.tables import ratings, schema, sqlite
from thorp.server.tables.archive import is_recorded
from thorp.server.tables.news import announce
from thorp.server.tables.ratings import Reckoned
from thorp.server.tables.store import Store

#: How long a copy waits for somebody who writes, in seconds.
_PATIENCE = 30.0


class Refused(Exception):
    """What was asked is not done; the sentence says why, and what to do."""


@dataclass(frozen=True)
class Summary:
    """A table in one line."""

    id: str
    game: str
    names: tuple[str, ...]
    moves: int
    created: datetime
    finished: datetime | None


@dataclass(frozen=True)
class Details:
    """All about a table that is not secret while it goes on."""

    summary: Summary
    #: By seat: the level of the bot that sits there, None for a person.
    bots: tuple[str | None, ...]
    options: dict[str, str]
    rules_version: int
    forced: bool
    last_move: datetime | None
    next_table: str | None
    #: Whether its match has begun; there is no record of one that never did.
    begun: bool
    recorded: bool


def tables(connection: Connection, *, finished: bool | None, limit: int) -> list[Summary]:
    """The newest tables: those that are over, those that are not, or (None) all."""
    t = schema.tables
    query = select(t.c.id).order_by(t.c.created.desc(), t.c.id).limit(limit)
    if finished is not None:
        query = query.where(t.c.finished.is_not(None) if finished else t.c.finished.is_(None))
    return [_summary(connection, str(id)) for id in connection.scalars(query).all()]


def table(connection: Connection, id: str) -> Details:
    """All about a table. Raises Refused where there is none."""
    t, s, m = schema.tables, schema.seats, schema.moves
    summary = _summary(connection, id)
    row = connection.execute(select(t).where(t.c.id == id)).one()
    bots = connection.scalars(select(s.c.bot).where(s.c.table == id).order_by(s.c.seat))
    last = connection.scalar(select(m.c.made).where(m.c.table == id).order_by(m.c.ply.desc()).limit(1))
    return Details(
        *(summary, tuple(bots), row.options, row.rules_version, row.forced, last, row.next_table),
        begun=row.started is not None,
        recorded=is_recorded(connection, id),
    )


def close(connection: Connection, id: str, clock: Callable[[], datetime]) -> bool:
    """Close a table that goes on: nobody wins, and what was played can be read; whether its match had begun.

    Raises Refused.
    """
    t = schema.tables
    closing = update(t).where(t.c.id == id, t.c.finished.is_(None)).values(finished=clock())
    if not connection.execute(closing).rowcount:
        _summary(connection, id)
        raise Refused(f"The table {id} is over already.")
    announce(connection, id)
    return connection.scalar(select(t.c.started).where(t.c.id == id)) is not None


async def delete_table(store: Store, id: str) -> None:
    """Delete a table as `remove` does; while ratings are reckoned others write."""
    while True:
        found = await store.read(partial(_without, id=id), patient=True)
        if await store.write(partial(remove, id=id, found=found), patient=True):
            if store.writer:
                await store.writer.wipe()
            return


def _without(connection: Connection, id: str) -> Reckoned | None:
    """The ratings without a table, where its match counts for anybody. Raises Refused where there is none."""
    game = _summary(connection, id).game
    return ratings.reckoned(connection, game, without=id) if _counts(connection, id) else None


def _counts(connection: Connection, id: str) -> bool:
    return bool(connection.scalar(select(exists().where(schema.results.c.table == id))))


def remove(connection: Connection, id: str, found: Reckoned | None = None) -> bool:
    """Delete a table with all that belongs to it, as if its match had not been. Raises Refused where there is none.

    `found`: what ratings will be without it, where that has been reckoned. False: by now they would be others, and
    nothing was done.
    """
    t = schema.tables
    # The table first, as all do who write there: so nobody adds to what is deleted below, or waits for it half-way.
    connection.execute(select(t.c.id).where(t.c.id == id).with_for_update())
    game = _summary(connection, id).game
    counted = _counts(connection, id)
    if counted and found and not ratings.put(connection, found):
        return False
    before = connection.scalars(select(t.c.id).where(t.c.next_table == id)).all()
    # Last things first, whatever there is that belongs to a table.
    for each in reversed(schema.metadata.sorted_tables):
        for column in each.columns:
            if any(key.column is t.c.id for key in column.foreign_keys):
                if each is t:
                    connection.execute(update(each).where(column == id).values({column.name: None}))
                else:
                    connection.execute(delete(each).where(column == id))
    connection.execute(delete(t).where(t.c.id == id))
    looks, r = schema.looks, schema.records
    unused = looks.c.digest.not_in(select(r.c.sheet)), looks.c.digest.not_in(select(r.c.drawings))
    connection.execute(delete(looks).where(*unused))
    if counted and not found:
        ratings.reckon(connection, game)
    announce(connection, id, *before)
    return True


def _summary(connection: Connection, id: str) -> Summary:
    t, s, m = schema.tables, schema.seats, schema.moves
    row = connection.execute(select(t).where(t.c.id == id)).one_or_none()
    if row is None:
        raise Refused(f"There is no table {id!r}. `thorp admin list` lists those that there are.")
    names = tuple(connection.scalars(select(s.c.name).where(s.c.table == id).order_by(s.c.seat)))
    moves = connection.scalar(select(func.count()).select_from(m).where(m.c.table == id)) or 0
    return Summary(id, row.game, names, moves, row.created, row.finished)


# --- copies of an SQLite file ------------------------------------------------------------------------------


def backup(source: Path, target: Path) -> int:
    """Copy a database, which may be in use, into a new file for nobody else to read; its size.

    What is committed when it begins is in it. Raises Refused, and leaves no file then.
    """
    if not source.is_file():
        raise Refused(f"There is no database at {source}. Name its folder with --data.")
    with _new_file(target):
        _copy(source, target)
    return target.stat().st_size


def restore(source: Path, target: Path, *, overwrite: bool) -> None:
    """Put a copy in the place of a database. Raises Refused where there is one, unless it is to be overwritten.

    What is there is replaced at once, and only when the copy has been looked through.
    """
    if not source.is_file():
        raise Refused(f"There is no file {source}.")
    if target.exists():
        if not overwrite:
            raise Refused(
                f"There is a database at {target} already, and nothing was changed. To put the copy in its place, and "
                "lose what it holds, say --overwrite."
            )
        _leave_alone_if_used(target)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    coming = target.with_name(f"{target.name}.restoring")
    coming.unlink(missing_ok=True)
    with _new_file(coming, instead=target):
        _copy(source, coming)
        for rest in ("-wal", "-shm"):
            target.with_name(target.name + rest).unlink(missing_ok=True)
        os.replace(coming, target)


@contextlib.contextmanager
def _new_file(path: Path, instead: Path | None = None) -> Iterator[None]:
    """Make a file that only its owner can read, and take it away again where what follows fails.

    `instead`: the database whose place it is to take.
    """
    try:
        if instead:
            os.close(sqlite.made_for(path, instead))
        else:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError as error:
        raise Refused(f"There is a file {path} already. Choose another name.") from error
    except OSError as error:
        raise Refused(f"The file {path} cannot be made: {error.strerror}.") from error
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _copy(source: Path, target: Path) -> None:
    """Copy a database into an empty file, and look the copy through. Raises Refused."""
    try:
        with (
            contextlib.closing(_reading(source)) as old,
            contextlib.closing(sqlite3.connect(target, timeout=_PATIENCE)) as new,
        ):
            old.backup(new)
            # A copy is one file: nothing of it lies in a log beside it.
            new.execute("PRAGMA journal_mode = DELETE")
            found = new.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise Refused(f"The database {source} is damaged ({found}), and was not copied.")
            names = {name for (name,) in new.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not {"alembic_version", schema.tables.name, schema.moves.name} <= names:
                raise Refused(f"The file {source} is none of Thorp's databases, and was not copied.")
    except sqlite3.Error as error:
        raise Refused(f"The database {source} cannot be copied: {error}.") from error
    with open(target, "rb+") as file:
        os.fsync(file.fileno())


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)


def _leave_alone_if_used(path: Path) -> None:
    """Raise Refused where somebody has a database open: SQLite lets only the last one leave the log that it writes."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise Refused(f"A server has {path} open. Stop it first; nothing was changed.") from error
    except sqlite3.DatabaseError:
        # It is damaged, which is why a copy is to take its place.
        pass


def file_of(database: str, data: Path, name: str) -> Path:
    """The file of the database that a server with these settings has. Raises Refused where it is none of SQLite's."""
    if not database:
        return data / name
    from sqlalchemy.engine import make_url

    url = make_url(database)
    path = sqlite.file_of(url) if url.get_backend_name() == "sqlite" else None
    if path is None:
        raise Refused(
            "Only files of SQLite are copied so. PostgreSQL has tools of its own: pg_dump while it runs, and "
            "pg_restore into an empty database."
        )
    return path
