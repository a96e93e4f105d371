"""A seat that somebody else has given to a bot knows when that was."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("seat", sa.Column("replaced", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("seat", "replaced")
