"""Records of matches that are over, the looks that they share, and running matches that went on by newer rules."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "look",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_look"),
    )
    op.create_table(
        "record",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("sheet", sa.String(64), nullable=False),
        sa.Column("drawings", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table", name="pk_record"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_record_table"),
        sa.ForeignKeyConstraint(["sheet"], ["look.digest"], name="fk_record_sheet"),
        sa.ForeignKeyConstraint(["drawings"], ["look.digest"], name="fk_record_drawings"),
    )
    op.create_table(
        "rules_change",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("generator_version", sa.Integer, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table", "rules_version", "generator_version", name="pk_rules_change"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_rules_change_table"),
    )


def downgrade() -> None:
    for name in ("rules_change", "record", "look"):
        op.drop_table(name)
