"""The rows of matches that are over, or were begun by older rules: each function is (part of) a transaction."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from thorp.server.tables import clocks, ratings, schema
from thorp.server.tables.news import announce
from thorp.server.tables.ratings import Contestant
from thorp.server.tables.store import Result, TableRow, end

#: Little memory, and a window that takes in all boards of a match, which are much alike.
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 2, "dict_size": 1 << 24}]


@dataclass(frozen=True)
class Record:
    """A match that is over, as it can be read without its rules."""

    #: What is told and shown, as JSON has it; `web/recording.py` says what is in it.
    content: dict[str, Any]
    #: The style sheet of its boards, and the drawings that they refer to.
    sheet: str
    drawings: str


@dataclass(frozen=True)
class Packed:
    """A record as it is stored: with the digests of what it shares with others."""

    content: bytes
    sheet: str
    drawings: str
    looks: dict[str, bytes]


@dataclass(frozen=True)
class RulesChange:
    """A match went on by a newer version of the rules when it had so many moves."""

    ply: int
    rules_version: int


def pack(record: Record) -> Packed:
    """Make a record ready to be stored."""
    sheet, drawings = (hashlib.sha256(text.encode()).hexdigest() for text in (record.sheet, record.drawings))
    looks = {sheet: _compressed(record.sheet), drawings: _compressed(record.drawings)}
    return Packed(_compressed(json.dumps(record.content)), sheet, drawings, looks)


def _compressed(text: str) -> bytes:
    return lzma.compress(text.encode(), lzma.FORMAT_XZ, filters=_FILTERS)


def _text(content: bytes) -> str:
    return lzma.decompress(content).decode()


def record(connection: Connection, table: str) -> tuple[dict[str, Any], str, str] | None:
    """What a record tells, the digest of its style sheet, and its drawings; None where there is no record."""
    r, look = schema.records, schema.looks
    found = connection.execute(
        select(r.c.content, r.c.sheet, look.c.content)
        .join(look, look.c.digest == r.c.drawings)
        .where(r.c.table == table)
    ).one_or_none()
    return None if found is None else (json.loads(_text(found[0])), str(found[1]), _text(found[2]))


def is_recorded(connection: Connection, table: str) -> bool:
    """Whether there is a record of a table."""
    r = schema.records
    return connection.scalar(select(r.c.table).where(r.c.table == table)) is not None


def look(connection: Connection, digest: str) -> str | None:
    """A style sheet that records share."""
    # Only style sheets: drawings are asked for with their record.
    r, looks = schema.records, schema.looks
    used = select(r.c.sheet).where(r.c.sheet == digest).exists()
    found = connection.scalar(select(looks.c.content).where(looks.c.digest == digest, used))
    return None if found is None else _text(found)


def keep(connection: Connection, table: str, packed: Packed, clock: Callable[[], datetime]) -> bool:
    """Store the record of a table that is over; False where it has one, or there is no such table any more."""
    t, r, looks = schema.tables, schema.records, schema.looks
    there = connection.scalar(select(t.c.id).where(t.c.id == table, t.c.finished.is_not(None)).with_for_update())
    if there is None or is_recorded(connection, table):
        return False
    known = set(connection.scalars(select(looks.c.digest).where(looks.c.digest.in_(packed.looks))))
    if new := [{"digest": key, "content": content} for key, content in packed.looks.items() if key not in known]:
        connection.execute(insert(looks), new)
    row = {"table": table, "sheet": packed.sheet, "drawings": packed.drawings, "content": packed.content}
    connection.execute(insert(r).values(**row, made=clock()))
    return True


def lacking(connection: Connection) -> Sequence[str]:
    """The tables that are over and have no record, newest first; of what never began there is none."""
    t, r = schema.tables, schema.records
    query = (
        select(t.c.id)
        .outerjoin(r, r.c.table == t.c.id)
        .where(t.c.started.is_not(None), t.c.finished.is_not(None), r.c.table.is_(None))
        .order_by(t.c.created.desc())
    )
    return [str(id) for id in connection.scalars(query)]


def changes(connection: Connection, table: str) -> tuple[RulesChange, ...]:
    """When a table went on by newer rules, oldest first."""
    c = schema.rules_changes
    query = select(c.c.ply, c.c.rules_version).where(c.c.table == table).order_by(c.c.made)
    return tuple(RulesChange(*row) for row in connection.execute(query))


def go_on(
    connection: Connection,
    old: TableRow,
    rows: int,
    versions: tuple[int, int],
    ply: int,
    *,
    waiting: Sequence[int],
    clock: Callable[[], datetime],
    result: Result | None = None,
    results: Sequence[Mapping[str, Any]] = (),
    contest: Sequence[Contestant] = (),
) -> bool:
    """Let a table go on by other rules, by which all its `rows` are legal; False where it has changed meanwhile.

    `waiting`: who has to decide by these. `result`, `results` and `contest` as `Store.add_move` has them: where the
    match is over by these rules it ends here, and counts as any other, since its moves are a whole match by them.
    """
    rules, generator = versions
    if not _is_still(connection, old, rows):
        return False
    if contest:
        ratings.take_turns(connection, old.game)
    moment = clock()
    t, c = schema.tables, schema.rules_changes
    changed = {"rules_version": rules, "generator_version": generator, "waiting": list(waiting)}
    connection.execute(update(t).where(t.c.id == old.id).values(**changed))
    if result:
        end(connection, old.id, moment, waiting, result, results, contest)
    new = replace(old, waiting=list(waiting), finished=moment if result else None)
    clocks.asked(connection, new, moment)
    announce(connection, old.id)
    if rows:
        row = {"table": old.id, "rules_version": rules, "generator_version": generator, "ply": ply}
        connection.execute(insert(c).values(**row, made=moment))
    return True


def close(connection: Connection, old: TableRow, rows: int, packed: Packed, clock: Callable[[], datetime]) -> bool:
    """Close a table that cannot go on, with its record; False where it has changed meanwhile."""
    if not _is_still(connection, old, rows):
        return False
    t = schema.tables
    connection.execute(update(t).where(t.c.id == old.id).values(finished=clock()))
    announce(connection, old.id)
    return keep(connection, old.id, packed, clock)


def _is_still(connection: Connection, old: TableRow, rows: int) -> bool:
    """Whether a table is as it was read: running, by the same rules, with so many rows, and nobody has come or gone.

    Nobody adds any row meanwhile.
    """
    t, m = schema.tables, schema.moves
    query = select(t.c.rules_version, t.c.generator_version, t.c.seating)
    found = connection.execute(query.where(t.c.id == old.id, t.c.finished.is_(None)).with_for_update()).one_or_none()
    if found is None or tuple(found) != (old.rules_version, old.generator_version, old.seating):
        return False
    return connection.scalar(select(func.count()).select_from(m).where(m.c.table == old.id)) == rows
