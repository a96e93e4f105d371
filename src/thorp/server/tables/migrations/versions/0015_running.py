"""The tables that are not over are found without reading all that are."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    running = sa.text("finished IS NULL")
    op.create_index("ix_table_running", "table", ["created"], sqlite_where=running, postgresql_where=running)


def downgrade() -> None:
    op.drop_index("ix_table_running", "table")
