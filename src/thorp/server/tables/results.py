"""What became of a person's matches: a row for each that counts, written when it ends; and figures of them.

A match counts for whoever sits at a seat when it ends and has only that one: of several at one device nobody knows who
played which. It does not for who took the seat over while it ran, or the best seat could be had at its end. A guided
first game does not count, as its deal is fixed; nor does a match that went on from another one, or went back by more
than what can be taken back freely, since what comes may have been seen; nor one from a file, which nobody here has
played. A match that was closed has no scores, and so no rows. One that newer rules find to be over counts: its moves
are a whole match by these rules. The rows go with their table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, and_, case, func, select

from thorp.core.match import AnyMatch
from thorp.server.tables import schema
from thorp.server.tables.store import SeatRow, Store, TableRow

K = TypeVar("K", int, tuple[str, ...])

#: In the place of a bot's level: people sat there besides.
PEOPLE = "people"
#: So many matches are listed.
LAST = 10


#: What `Figures` are made of.
_SUMS = (
    func.count(),
    func.count(schema.results.c.won),
    func.sum(case((schema.results.c.won, 1), else_=0)),
    func.max(schema.results.c.score),
    func.sum(schema.results.c.score),
)


@dataclass(frozen=True)
class Figures:
    """Of some matches of one game: how many, how many could be won and were, points."""

    games: int
    #: A lone player may have nobody to beat: such matches can neither be won nor lost.
    contests: int
    wins: int
    best: int
    points: int

    @property
    def mean(self) -> float:
        """The points of a match, on average."""
        return self.points / self.games

    @property
    def share(self) -> float | None:
        """The part that was won, from 0 to 1; None where nothing could be won."""
        return self.wins / self.contests if self.contests else None


@dataclass(frozen=True)
class Rank:
    """A rank of lone play: how often it was reached, and the most points with it."""

    name: str
    times: int
    best: int


@dataclass(frozen=True)
class Streak:
    """Matches won one after the other: how many at most, and how many up to now."""

    longest: int
    current: int


@dataclass(frozen=True)
class GameFigures:
    """All figures of a person in one game."""

    game: str
    all: Figures
    #: By how many seats there were, and by who else sat there: levels of bots, and PEOPLE.
    by_seats: tuple[tuple[int, Figures], ...]
    by_company: tuple[tuple[tuple[str, ...], Figures], ...]
    #: The highest first.
    ranks: tuple[Rank, ...]
    streak: Streak


@dataclass(frozen=True)
class Played:
    """A match in the list of the last ones."""

    table: str
    game: str
    finished: datetime
    seats: int
    place: int
    score: int
    won: bool | None
    rank: str | None
    #: The names by seat.
    names: tuple[str, ...]
    #: The seats and the scores of the others, by their places.
    others: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Best:
    """One match of a person, against its others of this game with as many seats."""

    score: int
    #: The most points of all others; None where this is the first.
    before: int | None
    seats: int


def why_uncounted(table: TableRow, seats: Sequence[SeatRow], match: AnyMatch, person: str) -> str:
    """Why a match leaves nothing for somebody who played it, in a word; "" where it does.

    "guided": a guide led through it; "continued": it goes on from another one; "anew": it went back farther than can be
    taken back freely; "shared": several played at one device; "taken": somebody else had the seat before.
    """
    if table.guide is not None:
        return "guided"
    if match.continued is not None:
        return "continued"
    if match.anew:
        return "anew"
    mine = [seat for seat in seats if seat.person == person]
    return "shared" if len(mine) > 1 else "taken" if any(seat.taken for seat in mine) else ""


def rows_of(table: TableRow, seats: Sequence[SeatRow], match: AnyMatch) -> list[dict[str, Any]]:
    """What a match that is over leaves for the people who played it."""
    alone = len(seats) == 1
    rank = match.sheet().rank if alone else None
    return [
        {
            "seat": seat.seat,
            "person": seat.person,
            "game": table.game,
            "seats": table.seats,
            "score": match.scores[seat.seat],
            "place": match.standings[seat.seat],
            "won": _is_won_alone(match) if alone else match.standings[seat.seat] == 1,
            "rank": rank.text if rank else None,
            "against": ",".join(sorted({other.bot or PEOPLE for other in seats if other is not seat})),
        }
        for seat in seats
        if seat.person is not None and not why_uncounted(table, seats, match, seat.person)
    ]


def _is_won_alone(match: AnyMatch) -> bool | None:
    rival = match.game.face.rival(match.state)
    return None if rival is None else match.scores[0] > rival.total


class Results:
    """The results of all people, by way of the store: each is told its own."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def totals(self, person: str) -> dict[str, Figures]:
        """What a person has played of each game, in short."""
        return await self.store.read(partial(_totals, person=person))

    async def figures(self, person: str) -> tuple[GameFigures, ...]:
        """The figures of a person, game by game: what was played last comes first."""
        return await self.store.read(partial(_figures, person=person))

    async def last(self, person: str, limit: int = LAST) -> tuple[Played, ...]:
        """The last matches of a person that count, newest first."""
        return await self.store.read(partial(_last, person=person, limit=limit))

    async def best(self, person: str, table: str) -> Best | None:
        """What a match was among those of its person; None where it does not count for that person."""
        return await self.store.read(partial(_best, person=person, table=table))


def _totals(connection: Connection, person: str) -> dict[str, Figures]:
    r = schema.results
    query = select(r.c.game, *_SUMS).where(r.c.person == person).group_by(r.c.game)
    return {game: Figures(*map(int, figures)) for game, *figures in connection.execute(query)}


def _figures(connection: Connection, person: str) -> tuple[GameFigures, ...]:
    r = schema.results
    groups = connection.execute(
        select(r.c.game, r.c.seats, r.c.against, func.max(r.c.finished), *_SUMS)
        .where(r.c.person == person)
        .group_by(r.c.game, r.c.seats, r.c.against)
    )
    latest: dict[str, datetime] = {}
    parts: dict[str, list[tuple[int, tuple[str, ...], Figures]]] = {}
    for game, seats, against, last, *figures in groups:
        latest[game] = max(last, latest.get(game, last))
        company = tuple(against.split(",")) if against else ()
        parts.setdefault(game, []).append((seats, company, Figures(*map(int, figures))))
    ranks, streaks = _ranks(connection, person), _streaks(connection, person)
    return tuple(
        GameFigures(
            game,
            _sum(figures for _, _, figures in parts[game]),
            _grouped((seats, figures) for seats, _, figures in parts[game]),
            _grouped((company, figures) for _, company, figures in parts[game] if company),
            tuple(ranks.get(game, ())),
            streaks.get(game, Streak(0, 0)),
        )
        for game in sorted(parts, key=lambda game: latest[game], reverse=True)
    )


def _sum(parts: Iterable[Figures]) -> Figures:
    every = list(parts)
    return Figures(
        sum(part.games for part in every),
        sum(part.contests for part in every),
        sum(part.wins for part in every),
        max(part.best for part in every),
        sum(part.points for part in every),
    )


def _grouped(parts: Iterable[tuple[K, Figures]]) -> tuple[tuple[K, Figures], ...]:
    groups: dict[K, list[Figures]] = {}
    for key, figures in parts:
        groups.setdefault(key, []).append(figures)
    return tuple((key, _sum(groups[key])) for key in sorted(groups))


def _ranks(connection: Connection, person: str) -> dict[str, list[Rank]]:
    r = schema.results
    best = func.max(r.c.score)
    query = (
        select(r.c.game, r.c.rank, func.count(), best)
        .where(r.c.person == person, r.c.rank.is_not(None))
        .group_by(r.c.game, r.c.rank)
        .order_by(best.desc())
    )
    found: dict[str, list[Rank]] = {}
    for game, *rank in connection.execute(query):
        found.setdefault(game, []).append(Rank(*rank))
    return found


def _streaks(connection: Connection, person: str) -> dict[str, Streak]:
    """Runs of matches with the same outcome: within one, both counts rise by one from match to match."""
    r = schema.results
    order = (r.c.finished, r.c.table)
    among_all = func.row_number().over(partition_by=r.c.game, order_by=order)
    among_same = func.row_number().over(partition_by=(r.c.game, r.c.won), order_by=order)
    each = (
        select(r.c.game, r.c.won, among_all.label("number"), (among_all - among_same).label("run"))
        .where(r.c.person == person, r.c.won.is_not(None))
        .subquery()
    )
    query = select(each.c.game, each.c.won, func.count(), func.max(each.c.number)).group_by(
        each.c.game, each.c.won, each.c.run
    )
    runs: dict[str, list[tuple[bool, int, int]]] = {}
    for game, won, length, last in connection.execute(query):
        runs.setdefault(game, []).append((bool(won), length, last))
    found: dict[str, Streak] = {}
    for game, every in runs.items():
        won, length, _ = max(every, key=lambda run: run[2])
        longest = max((length for won, length, _ in every if won), default=0)
        found[game] = Streak(longest, length if won else 0)
    return found


def _last(connection: Connection, person: str, limit: int) -> tuple[Played, ...]:
    r, s, t = schema.results, schema.seats, schema.tables
    query: Select[Any] = (
        select(r, t.c.scores, t.c.standings)
        .join(t, t.c.id == r.c.table)
        .where(r.c.person == person)
        .order_by(r.c.finished.desc(), r.c.table)
        .limit(limit)
    )
    rows = connection.execute(query).all()
    names: dict[str, dict[int, str]] = {row.table: {} for row in rows}
    for seat in connection.execute(select(s.c.table, s.c.seat, s.c.name).where(s.c.table.in_(names))):
        names[seat.table][seat.seat] = seat.name
    return tuple(_played(row, names[row.table]) for row in rows)


def _played(row: Row[Any], names: Mapping[int, str]) -> Played:
    others = sorted((row.standings[seat], seat) for seat in names if seat != row.seat)
    return Played(
        table=row.table,
        game=row.game,
        finished=row.finished,
        seats=row.seats,
        place=row.place,
        score=row.score,
        won=row.won,
        rank=row.rank,
        names=tuple(names[seat] for seat in sorted(names)),
        others=tuple((seat, row.scores[seat]) for _, seat in others),
    )


def _best(connection: Connection, person: str, table: str) -> Best | None:
    r = schema.results
    other = r.alias()
    same = and_(other.c.person == person, other.c.game == r.c.game, other.c.seats == r.c.seats)
    before = select(func.max(other.c.score)).where(same, other.c.table != r.c.table).correlate(r)
    query = select(r.c.score, before.scalar_subquery(), r.c.seats).where(r.c.table == table, r.c.person == person)
    found = connection.execute(query).one_or_none()
    return None if found is None else Best(*found)
