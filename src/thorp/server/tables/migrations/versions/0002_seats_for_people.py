"""Seats for people: tables that gather before they start, seats that are free or kept, and how matches ended."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_TABLE = sa.table("table", *(sa.column(name) for name in ("id", "opener", "started", "created")))
_SEAT = sa.table("seat", *(sa.column(name) for name in ("table", "seat", "person")))


def upgrade() -> None:
    # One by one, since in a batch SQLite would make this table anew, and others point at it.
    op.add_column("table", sa.Column("opener", sa.String(32)))
    op.add_column("table", sa.Column("started", sa.DateTime(timezone=True)))
    op.add_column("table", sa.Column("watchable", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("table", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("table", sa.Column("seating", sa.Integer, nullable=False, server_default="0"))
    op.add_column("table", sa.Column("waiting", sa.JSON))
    op.add_column("table", sa.Column("scores", sa.JSON))
    op.add_column("table", sa.Column("standings", sa.JSON))
    op.create_index("ix_table_opener", "table", ["opener"])
    with op.batch_alter_table("seat") as batch:
        batch.add_column(sa.Column("away", sa.String(32)))
        batch.add_column(sa.Column("asker", sa.String(32)))
        batch.add_column(sa.Column("asker_name", sa.String(40)))
        batch.drop_constraint("ck_seat_one_player", type_="check")
        batch.create_check_constraint("ck_seat_one_player", "person IS NULL OR bot IS NULL")
        batch.create_index("ix_seat_away", ["away"])
    # What there is already has been dealt, and whoever sits first has opened it.
    first = (
        sa.select(_SEAT.c.person)
        .where(_SEAT.c.table == _TABLE.c.id, _SEAT.c.person.is_not(None))
        .order_by(_SEAT.c.seat)
        .limit(1)
        .scalar_subquery()
    )
    op.execute(sa.update(_TABLE).values(started=_TABLE.c.created, opener=first))


def downgrade() -> None:
    # Tables that gather cannot be told in the schema before: they are taken away.
    gathering = sa.select(_TABLE.c.id).where(_TABLE.c.started.is_(None))
    op.execute(sa.delete(_SEAT).where(_SEAT.c.table.in_(gathering)))
    op.execute(sa.delete(_TABLE).where(_TABLE.c.started.is_(None)))
    with op.batch_alter_table("seat") as batch:
        batch.drop_index("ix_seat_away")
        batch.drop_constraint("ck_seat_one_player", type_="check")
        batch.create_check_constraint("ck_seat_one_player", "(person IS NULL) <> (bot IS NULL)")
        for name in ("asker_name", "asker", "away"):
            batch.drop_column(name)
    op.drop_index("ix_table_opener", "table")
    for name in ("standings", "scores", "waiting", "seating", "listed", "watchable", "started", "opener"):
        op.drop_column("table", name)
