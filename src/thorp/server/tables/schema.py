"""The tables of the database. A change here needs a migration in migrations/versions; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator

#: In the place of a move's number: the seat took its last move back.
TAKE_BACK = -1


class Moment(TypeDecorator[datetime]):
    """A time in UTC, aware of it; SQLite would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """What is read."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


# Names for all constraints, so that later migrations can name what they change on every kind of database.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

settings = Table(
    "setting",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", String(400), nullable=False),
)

tables = Table(
    "table",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(80), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    # the whole match follows from it: it leaves the server only when the match is over
    Column("seed", BigInteger, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("generator_version", Integer, nullable=False),
    # whether the match plays a single legal move by itself
    Column("forced", Boolean, nullable=False),
    Column("created", Moment, nullable=False),
    Column("finished", Moment),
    Column("next_table", String(32), ForeignKey("table.id")),
)

seats = Table(
    "seat",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    # a person (the id in its cookie) or a bot (its level): one of the two
    Column("person", String(32)),
    Column("bot", String(40)),
    Column("name", String(40), nullable=False),
    CheckConstraint("(person IS NULL) <> (bot IS NULL)", name="one_player"),
    Index("ix_seat_person", "person"),
)

# Append-only. The primary key is what makes a move happen once: of two writers of one ply, one fails.
moves = Table(
    "move",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("move", Integer, nullable=False),
    # how many rows this seat had before
    Column("counter", Integer, nullable=False),
    Column("made", Moment, nullable=False),
    UniqueConstraint("table", "seat", "counter"),
)
