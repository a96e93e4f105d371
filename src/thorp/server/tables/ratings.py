"""Ratings: how strong people and levels are in a game, as far as the matches of this server tell.

They are kept by openskill's Plackett-Luce model, which takes the places of any number of seats; the places, and not the
points. Functions with a connection are (part of) a transaction.

What has been ruled:

1. A match is rated that counts for somebody (`results.rows_of`) and in which at least two seats are rated. Where
   anybody was told a hint it is not: it would rate the hints.
2. Rated are the people for whom the match counts, and the bots. The other seats are left out (of several people at one
   device, or kept by a bot for who is away): the order of those that remain is what the model takes.
3. A level is one player, at all tables. Where it has several seats it goes on from the mean of what they would have.
4. Matches are rated in the order in which they ended, as far as the clocks of servers agree: when one ended is told by
   its turn to be rated. All follows from the stored matches, so `reckon` finds the same.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, or_, select

from thorp.server.tables import schema

if TYPE_CHECKING:
    from thorp.server.tables.store import SeatRow, Store

#: What openskill says of who has not played yet, and how much luck it sees in each of two players.
_MU, _SIGMA, _BETA = 25.0, 25 / 3, 25 / 6
#: So many points are one of the model's: as it sees two players whom it knows well, 400 are odds of ten to one.
_SCALE = 400 / (math.log(10) * math.sqrt(2) * _BETA)
#: The points of who has not played yet.
MIDDLE = 1500
#: So many of the model's deviations, to either side, hold what it looks for in 95 of 100 cases.
_DEVIATIONS = 1.96
#: A rating that may be further off than this is provisional: that far apart, the better wins more than five of six.
PROVISIONAL = 300


class Player(NamedTuple):
    """Who has a rating: a level, by its name, or a person, by its id."""

    level: bool
    name: str


class Contestant(NamedTuple):
    """A rated seat: who sat there, and its place."""

    player: Player
    place: int


@dataclass(frozen=True)
class Rating:
    """What a player's matches of one game tell about its strength."""

    mu: float = _MU
    sigma: float = _SIGMA
    matches: int = 0

    @property
    def points(self) -> int:
        """The rating as people read it."""
        return round(MIDDLE + (self.mu - _MU) * _SCALE)

    @property
    def margin(self) -> int:
        """How far off that may be, in 95 of 100 cases."""
        return round(_DEVIATIONS * self.sigma * _SCALE)

    @property
    def provisional(self) -> bool:
        """Whether too little was played to rely on it."""
        return self.margin > PROVISIONAL


def contest_of(
    results: Iterable[Mapping[str, Any]], seats: Iterable[SeatRow], standings: Sequence[int]
) -> tuple[Contestant, ...]:
    """Who is rated in a match, by what it is for people (`results.rows_of`) and who sits there at its end."""
    people = [Contestant(Player(False, row["person"]), row["place"]) for row in results]
    bots = [Contestant(Player(True, each.bot), standings[each.seat]) for each in seats if each.bot and not each.away]
    contest = (*people, *bots)
    return contest if people and len(contest) > 1 else ()


@cache
def _model(seats: int) -> PlackettLuce:
    """The model for so many seats.

    As openskill sets it, it sees the more luck in a match the more sit there: 100 points would be less among four than
    between two. To the model the order of two is the same whoever else takes part, so all luck together is that of two.
    """
    return PlackettLuce(_MU, _SIGMA, _BETA * math.sqrt(2 / seats))


def after(before: Mapping[Player, Rating], contest: Iterable[Contestant]) -> dict[Player, Rating]:
    """The ratings of those who have met, by their ratings before; who has none begins."""
    rated = sorted(contest)
    known = {player: before.get(player, Rating()) for player, _ in rated}
    model = _model(len(rated))
    teams = [[model.create_rating([known[player].mu, known[player].sigma])] for player, _ in rated]
    found: dict[Player, list[PlackettLuceRating]] = {player: [] for player in known}
    for (player, _), (new,) in zip(rated, model.rate(teams, [place for _, place in rated]), strict=True):
        found[player].append(new)
    return {
        player: Rating(fmean(each.mu for each in news), fmean(each.sigma for each in news), known[player].matches + 1)
        for player, news in found.items()
    }


def enter(connection: Connection, table: str, contest: Sequence[Contestant]) -> None:
    """Let a match that ends enter the ratings of its game, in the transaction of its last move.

    `take_turns` comes first, and only then is it told when it ended.
    """
    h, t, r = schema.hints, schema.tables, schema.ratings
    if connection.scalar(select(exists().where(h.c.table == table))):
        return
    game = connection.scalars(select(t.c.game).where(t.c.id == table)).one()
    met = or_(*(and_(r.c.level == player.level, r.c.player == player.name) for player in {each[0] for each in contest}))
    before = _read(connection, and_(r.c.game == game, met))
    connection.execute(delete(r).where(r.c.game == game, met))
    _write(connection, game, after(before, contest))


@dataclass(frozen=True)
class Reckoned:
    """The ratings of a game as they are without one of its tables, up to a match that ended."""

    game: str
    without: str
    #: When the last match ended, and how many rows of results there are until then.
    until: datetime | None
    rows: int
    ratings: Mapping[Player, Rating]


def reckoned(connection: Connection, game: str, without: str = "") -> Reckoned:
    """All ratings of a game, reckoned anew from the matches that are stored: with many it takes seconds."""
    until = connection.scalar(select(func.max(schema.results.c.finished)).where(*_of_game(game, without)))
    rows = _count(connection, game, without, until)
    return Reckoned(game, without, until, rows, _rated(_contests(connection, game, without, until=until)))


def reckon(connection: Connection, game: str) -> None:
    """Reckon all ratings of a game anew, and store them."""
    take_turns(connection, game)
    put(connection, reckoned(connection, game))


def put(connection: Connection, found: Reckoned) -> bool:
    """Store what was reckoned, and rate what has ended since; False: it holds no longer, and nothing was done."""
    game, without = found.game, found.without
    take_turns(connection, game)
    if _count(connection, game, without, found.until) != found.rows:
        return False
    connection.execute(delete(schema.ratings).where(schema.ratings.c.game == game))
    _write(connection, game, _rated(_contests(connection, game, without, since=found.until), found.ratings))
    return True


def _rated(
    contests: Iterable[tuple[Contestant, ...]], before: Mapping[Player, Rating] | None = None
) -> dict[Player, Rating]:
    """The ratings after some matches."""
    found = dict(before or {})
    for contest in contests:
        found |= after(found, contest)
    return found


def _of_game(
    game: str, without: str, *, until: datetime | None = None, since: datetime | None = None
) -> list[ColumnElement[bool]]:
    """What holds for the results of a game: all but those of a table, or those that ended in some time."""
    r = schema.results
    which = [r.c.game == game, r.c.table != without]
    if until is not None:
        which.append(r.c.finished <= until)
    if since is not None:
        which.append(r.c.finished > since)
    return which


def _count(connection: Connection, game: str, without: str, until: datetime | None) -> int:
    if until is None:
        return 0
    counted = select(func.count()).select_from(schema.results).where(*_of_game(game, without, until=until))
    return connection.scalar(counted) or 0


def take_turns(connection: Connection, game: str) -> None:
    """Let nobody else change the ratings of a game before the transaction ends. On SQLite nobody can."""
    if connection.dialect.name == "postgresql":
        key = int.from_bytes(hashlib.sha256(f"ratings of {game}".encode()).digest()[:8], signed=True)
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({key})")


def _contests(
    connection: Connection,
    game: str,
    without: str = "",
    *,
    until: datetime | None = None,
    since: datetime | None = None,
) -> list[tuple[Contestant, ...]]:
    """The matches of a game that are rated, in the order in which they ended: all, or those of some time."""
    r, s, t, h = schema.results, schema.seats, schema.tables, schema.hints
    rows: dict[str, list[dict[str, Any]]] = {}
    which = _of_game(game, without, until=until, since=since)
    rated = (*which, r.c.seats > 1, r.c.table.not_in(select(h.c.table)))
    for row in connection.execute(
        select(r.c.table, r.c.person, r.c.place).where(*rated).order_by(r.c.finished, r.c.table)
    ):
        rows.setdefault(row.table, []).append(dict(row._mapping))
    seats: dict[str, list[Any]] = {table: [] for table in rows}
    standings: dict[str, list[int]] = {}
    bots = select(s.c.table, s.c.seat, s.c.bot, s.c.away, t.c.standings).join(t, t.c.id == s.c.table)
    for seat in connection.execute(bots.where(s.c.bot.is_not(None), s.c.table.in_(select(r.c.table).where(*rated)))):
        seats[seat.table].append(seat)
        standings[seat.table] = seat.standings
    found = (contest_of(rows[table], seats[table], standings.get(table, ())) for table in rows)
    return [contest for contest in found if contest]


def _read(connection: Connection, which: Any) -> dict[Player, Rating]:
    r = schema.ratings
    query = select(r.c.level, r.c.player, r.c.mu, r.c.sigma, r.c.matches).where(which)
    return {Player(level, name): Rating(*rating) for level, name, *rating in connection.execute(query)}


def _write(connection: Connection, game: str, ratings: Mapping[Player, Rating]) -> None:
    rows = [{"game": game, "level": level, "player": name, **vars(rating)} for (level, name), rating in ratings.items()]
    if rows:
        connection.execute(insert(schema.ratings), rows)


class Ratings:
    """The ratings of all, by way of the store: a person is told its own, and those of levels."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def of(self, person: str) -> dict[str, Rating]:
        """The ratings of a person, by game."""
        return await self.store.read(partial(_of, person=person))

    async def levels(self, game: str) -> dict[str, Rating]:
        """The ratings of the levels in a game, by their names."""
        r = schema.ratings
        found = await self.store.read(partial(_read, which=and_(r.c.game == game, r.c.level)))
        return {name: rating for (_, name), rating in found.items()}


def _of(connection: Connection, person: str) -> dict[str, Rating]:
    r = schema.ratings
    query = select(r.c.game, r.c.mu, r.c.sigma, r.c.matches).where(r.c.player == person, ~r.c.level)
    return {game: Rating(*rating) for game, *rating in connection.execute(query)}
