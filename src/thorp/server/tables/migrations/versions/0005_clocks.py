"""Clocks: how long a seat may think. And notices: how people are told of their turn, and what waits to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    # One by one, since in a batch SQLite would make the table anew, and others point at it.
    op.add_column("table", sa.Column("clock", sa.JSON))
    op.add_column("move", sa.Column("clock_left", sa.Integer))
    op.create_table(
        "clock",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("left", sa.Integer, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True)),
        sa.Column("deadline", sa.DateTime(timezone=True)),
        sa.Column("out", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("table", "seat", name="pk_clock"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_clock_table"),
    )
    op.create_index("ix_clock_deadline", "clock", ["deadline"])


def downgrade() -> None:
    op.drop_table("clock")
    op.drop_column("move", "clock_left")
    op.drop_column("table", "clock")
