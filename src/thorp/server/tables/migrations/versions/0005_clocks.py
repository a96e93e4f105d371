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
    op.create_table(
        "way",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.String(2000), nullable=False),
        sa.Column("base", sa.String(300), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed", sa.DateTime(timezone=True)),
        sa.Column("outcome", sa.String(16)),
        sa.Column("tried", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_way"),
        sa.UniqueConstraint("token", name="uq_way_token"),
    )
    op.create_index("ix_way_person", "way", ["person"])
    op.create_table(
        "notice",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("key", sa.String(120), nullable=False),
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("stage", sa.String(8), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("person", "key", name="pk_notice"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_notice_table"),
    )
    op.create_index("ix_notice_stage", "notice", ["stage", "due"])
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("way", sa.Integer, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("next", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_letter"),
        sa.ForeignKeyConstraint(["way"], ["way.id"], name="fk_letter_way"),
    )
    op.create_index("ix_letter_next", "letter", ["next"])
    op.create_index("ix_letter_way", "letter", ["way"])


def downgrade() -> None:
    op.drop_table("letter")
    op.drop_table("notice")
    op.drop_table("way")
    op.drop_table("clock")
    op.drop_column("move", "clock_left")
    op.drop_column("table", "clock")
