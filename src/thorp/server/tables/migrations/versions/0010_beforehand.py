"""What people have answered beforehand."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "beforehand",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("answer", sa.String(40), nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("span", sa.Integer),
        sa.PrimaryKeyConstraint("table", "seat", "answer", name="pk_beforehand"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_beforehand_table"),
    )


def downgrade() -> None:
    op.drop_table("beforehand")
