"""Hints at a table, what was told by them, and reviews of matches that are over."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("table", sa.Column("hints", sa.Boolean))
    op.create_table(
        "hint",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("counter", sa.Integer, nullable=False),
        sa.Column("undone", sa.Integer, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("table", "seat", "counter", "undone", name="pk_hint"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_hint_table"),
    )
    op.create_table(
        "review",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("judged", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("touched", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.JSON),
        sa.PrimaryKeyConstraint("table", "seat", name="pk_review"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_review_table"),
    )
    op.create_index("ix_review_person", "review", ["person"])


def downgrade() -> None:
    op.drop_table("review")
    op.drop_table("hint")
    op.drop_column("table", "hints")
