"""The match from which a table goes on is found by its seed without reading all tables."""

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_index("ix_table_seed", "table", ["seed"])


def downgrade() -> None:
    op.drop_index("ix_table_seed", "table")
