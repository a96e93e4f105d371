"""Going back by consent: what is drawn anew then, and who asks for it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("move", sa.Column("chance", sa.BigInteger))
    op.create_table(
        "going_back",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seating", sa.Integer, nullable=False),
        sa.Column("agreed", sa.JSON, nullable=False),
        sa.Column("declined", sa.String(32)),
        sa.PrimaryKeyConstraint("table", name="pk_going_back"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_going_back_table"),
    )


def downgrade() -> None:
    op.drop_table("going_back")
    op.drop_column("move", "chance")
