"""What became of people's matches. Of those played before: scores and places, but no ranks, which games would know."""

from collections import Counter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

#: In the place of a move: the match went on from another one, or went back and chance was drawn anew.
_DOES_NOT_COUNT = (-2, -3, -4)


def upgrade() -> None:
    op.create_table(
        "result",
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean),
        sa.Column("rank", sa.String(60)),
        sa.Column("against", sa.String(250), nullable=False),
        sa.PrimaryKeyConstraint("table", "seat", name="pk_result"),
        sa.ForeignKeyConstraint(["table"], ["table.id"], name="fk_result_table"),
    )
    op.create_index("ix_result_person", "result", ["person", "finished"])
    _take_over(op.get_bind())


def downgrade() -> None:
    op.drop_table("result")


def _take_over(connection: sa.Connection) -> None:
    """The matches that were over before, as `results.py` counts them."""
    t = sa.table(
        "table",
        *(sa.column(name) for name in ("id", "game", "seats", "finished", "guide")),
        sa.column("scores", sa.JSON),
        sa.column("standings", sa.JSON),
    )
    s = sa.table("seat", *(sa.column(name) for name in ("table", "seat", "person", "bot")))
    m = sa.table("move", sa.column("table"), sa.column("move"))
    result = sa.table(
        "result",
        *(sa.column(name) for name in ("table", "seat", "person", "game", "seats", "score", "place", "against")),
        sa.column("won", sa.Boolean),
        sa.column("finished", sa.DateTime(timezone=True)),
    )
    over = sa.and_(t.c.finished.is_not(None), t.c.scores.is_not(None), t.c.standings.is_not(None), t.c.guide.is_(None))
    ours = t.c.id.not_in(sa.select(m.c.table).where(m.c.move.in_(_DOES_NOT_COUNT)))
    by_table: dict[str, list[sa.Row[Any]]] = {}
    for seat in connection.execute(sa.select(s).join(t, t.c.id == s.c.table).where(over).order_by(s.c.seat)):
        by_table.setdefault(seat.table, []).append(seat)
    finished = sa.type_coerce(t.c.finished, sa.DateTime(timezone=True)).label("finished")
    for table in connection.execute(
        sa.select(t.c.id, t.c.game, t.c.seats, t.c.scores, t.c.standings, finished).where(over, ours)
    ).all():
        seats = by_table[table.id]
        how_many = Counter(seat.person for seat in seats)
        for seat in seats:
            if seat.person is None or how_many[seat.person] > 1:
                continue
            place = table.standings[seat.seat]
            others = {other.bot or "people" for other in seats if other is not seat}
            row = {
                "table": table.id,
                "seat": seat.seat,
                "person": seat.person,
                "game": table.game,
                "finished": table.finished,
                "seats": table.seats,
                "score": table.scores[seat.seat],
                "place": place,
                "won": place == 1 if table.seats > 1 else None,
                "against": ",".join(sorted(others)),
            }
            connection.execute(sa.insert(result).values(**row))
