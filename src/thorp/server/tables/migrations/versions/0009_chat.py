"""What people say to each other at a table, who may, and whom they do not want to hear."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "chat",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("whom", sa.String(20), nullable=False),
        sa.Column("said", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table", name="pk_chat"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_chat_table"),
    )
    op.create_table(
        "chat_line",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("said", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table", "number", name="pk_chat_line"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_chat_line_table"),
    )
    op.create_table(
        "mute",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("muted", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("person", "muted", name="pk_mute"),
    )


def downgrade() -> None:
    for name in ("mute", "chat_line", "chat"):
        op.drop_table(name)
