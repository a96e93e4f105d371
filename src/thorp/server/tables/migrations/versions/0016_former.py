"""A table that goes on from a match knows the table of that one."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("table", sa.Column("former", sa.String(32)))


def downgrade() -> None:
    op.drop_column("table", "former")
