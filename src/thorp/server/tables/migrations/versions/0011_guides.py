"""Tables at which a guide speaks: how much of it was read, and whether it rests."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("table", sa.Column("guide", sa.JSON))


def downgrade() -> None:
    op.drop_column("table", "guide")
