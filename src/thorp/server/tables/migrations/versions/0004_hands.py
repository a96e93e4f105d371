"""Several seats at one device: which of them is in hand."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "hand",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("told", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table", "person", name="pk_hand"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_hand_table"),
    )


def downgrade() -> None:
    op.drop_table("hand")
