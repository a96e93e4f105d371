"""What people prefer, wherever they are."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "preference",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("key", sa.String(20), nullable=False),
        sa.Column("value", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("person", "key", name="pk_preference"),
    )


def downgrade() -> None:
    op.drop_table("preference")
