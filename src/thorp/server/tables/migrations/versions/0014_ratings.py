"""Ratings of people and levels. The matches that were over before are rated in the order in which they ended."""

import math
from statistics import fmean
from typing import Any

import sqlalchemy as sa
from alembic import op
from openskill.models import PlackettLuce

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "rating",
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("level", sa.Boolean, nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "level", "player", name="pk_rating"),
    )
    op.create_index("ix_rating_player", "rating", ["player"])
    _rate(op.get_bind())


def downgrade() -> None:
    op.drop_table("rating")


def _rate(connection: sa.Connection) -> None:
    """The matches that were over before, as `ratings.py` rates them."""
    found: dict[tuple[str, bool, str], tuple[float, float, int]] = {}
    for game, contest in _contests(connection):
        model = PlackettLuce(25.0, 25 / 3, 25 / 6 * math.sqrt(2 / len(contest)))
        players = [(game, *player) for player, _ in contest]
        before = {player: found.get(player, (model.mu, model.sigma, 0)) for player in players}
        teams = [[model.create_rating(list(before[player][:2]))] for player in players]
        news: dict[tuple[str, bool, str], list[Any]] = {player: [] for player in players}
        for player, (new,) in zip(players, model.rate(teams, [place for _, place in contest]), strict=True):
            news[player].append(new)
        for player, some in news.items():
            mu, sigma = fmean(new.mu for new in some), fmean(new.sigma for new in some)
            found[player] = (mu, sigma, before[player][2] + 1)
    names = ("game", "level", "player", "mu", "sigma", "matches")
    rating = sa.table("rating", *map(sa.column, names))
    rows = [dict(zip(names, (*player, *values), strict=True)) for player, values in found.items()]
    if rows:
        connection.execute(sa.insert(rating), rows)


def _contests(connection: sa.Connection) -> list[tuple[str, list[tuple[tuple[bool, str], int]]]]:
    """The game of each match, and who is rated in it with what place."""
    r = sa.table("result", *map(sa.column, ("table", "seat", "person", "game", "finished", "seats", "place")))
    s = sa.table("seat", *map(sa.column, ("table", "seat", "bot", "away")))
    t = sa.table("table", sa.column("id"), sa.column("standings", sa.JSON))
    h = sa.table("hint", sa.column("table"))
    rated = (r.c.seats > 1, r.c.table.not_in(sa.select(h.c.table)))
    people = sa.select(r.c.table, r.c.game, r.c.person, r.c.place).where(*rated)
    games: dict[str, str] = {}
    contests: dict[str, list[tuple[tuple[bool, str], int]]] = {}
    for table, game, person, place in connection.execute(people.order_by(r.c.finished, r.c.table)):
        games[table] = game
        contests.setdefault(table, []).append(((False, person), place))
    bots = sa.select(s.c.table, s.c.seat, s.c.bot, t.c.standings).join(t, t.c.id == s.c.table)
    bots = bots.where(s.c.bot.is_not(None), s.c.away.is_(None), s.c.table.in_(sa.select(r.c.table).where(*rated)))
    for table, seat, bot, standings in connection.execute(bots):
        contests[table].append(((True, bot), standings[seat]))
    return [(games[table], sorted(contest)) for table, contest in contests.items() if len(contest) > 1]
