"""The first schema: settings, tables, seats and moves."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "setting",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.String(400), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_setting"),
    )
    op.create_table(
        "table",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("generator_version", sa.Integer, nullable=False),
        sa.Column("forced", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished", sa.DateTime(timezone=True)),
        sa.Column("next_table", sa.String(32)),
        sa.PrimaryKeyConstraint("id", name="pk_table"),
        sa.ForeignKeyConstraint(["next_table"], ["table.id"], name="fk_table_next_table"),
    )
    op.create_table(
        "seat",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("person", sa.String(32)),
        sa.Column("bot", sa.String(40)),
        sa.Column("name", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("table", "seat", name="pk_seat"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_seat_table"),
        sa.CheckConstraint("(person IS NULL) <> (bot IS NULL)", name="ck_seat_one_player"),
    )
    op.create_index("ix_seat_person", "seat", ["person"])
    op.create_table(
        "move",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("move", sa.Integer, nullable=False),
        sa.Column("counter", sa.Integer, nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table", "ply", name="pk_move"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_move_table"),
        sa.UniqueConstraint("table", "seat", "counter", name="uq_move_table_seat_counter"),
    )


def downgrade() -> None:
    for name in ("move", "seat", "table", "setting"):
        op.drop_table(name)
