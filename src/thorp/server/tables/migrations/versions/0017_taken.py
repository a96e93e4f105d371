"""A seat knows when somebody else has given it to a bot, and whether its person took it over while the match ran."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("seat", sa.Column("replaced", sa.DateTime(timezone=True)))
    op.add_column("seat", sa.Column("taken", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("seat", "taken")
    op.drop_column("seat", "replaced")
