"""Links that hold once, kept as digests; and how often a person has called its private links back."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "person",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("link_generation", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
    )
    op.create_table(
        "once_link",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("person", name="pk_once_link"),
        sa.UniqueConstraint("digest", name="uq_once_link_digest"),
    )


def downgrade() -> None:
    op.drop_table("once_link")
    op.drop_table("person")
