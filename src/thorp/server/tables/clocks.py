"""Clocks: how long a seat may think, and the rows that tell what it has left.

Functions with a connection are (part of) a transaction.

What has been ruled:

1. The clock of a seat runs while it has something to decide and a person sits there. Bots have no clock.
2. A move brings what the clock says: the increment, or (days) the whole time anew. What plays itself brings nothing.
3. Taking back brings no time: the seat has what it had before that move, less all that has passed since; where nothing
   would be left it is refused. Others get back what their clocks lost by the move that is gone. Where the match goes
   back as all have agreed, what the move had brought is gone again, as far as a little is left (6), and others get back
   what their clocks have lost since they were asked after it.
4. Of several seats at one device one clock runs at a time, that of the first of them which is asked: only one of them
   can have the device in hand. Their seats always wait, as no bot may play in front of the others' eyes.
5. A move that comes before anybody has noticed that the time is over counts.
6. Who leaves keeps what is left. Who comes back after its time was over gets a little: the increment, half a minute at
   least; or the whole time for a move, where moves have days.
7. While no server runs a live clock stands still, as far as that can be known: from the last sign of life that a
   server left, or from the moment it began to run. Days run on; but after such a gap nobody's time is over sooner than
   after as long again, or twelve hours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import Connection, and_, func, insert, select, update

from thorp.server.tables import schema
from thorp.server.tables.refusals import Illegal
from thorp.server.tables.schema import CONTINUED, TAKE_BACK, WENT_BACK

if TYPE_CHECKING:
    from thorp.server.tables.store import MoveRow, TableRow


class Sitting(Protocol):
    """As much of a seat as its clock depends on."""

    @property
    def seat(self) -> int:
        """Its number."""
        ...

    @property
    def person(self) -> str | None:
        """Who sits there, if it is a person."""
        ...


#: What happens when a clock runs out: a bot plays on until the person is back, or the seat waits.
BOT, WAIT = "bot", "wait"
#: What who comes back late gets at least, in seconds.
LATE = 30
#: Seconds without a sign of life after which no server is taken to have run: for live clocks, and for days.
SILENCE = 15
LONG_SILENCE = 180
#: After a gap nobody's days end sooner than this.
GRACE = timedelta(hours=12)

_ALIVE, _RESUMED = "clocks alive", "clocks resumed"
_DAY = 24 * 3600
_NO_TIME = (
    "Your clock has less time left than has passed since that move, so it cannot be taken back. Play on from here."
)


@dataclass(frozen=True)
class Clock:
    """The clock of a table, in seconds. `then`: what happens when it runs out, BOT or WAIT."""

    bank: int
    increment: int
    #: Whether there is the whole bank for each move: days.
    each: bool = False
    then: str = BOT

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> Clock | None:
        """The clock of a row of `table`."""
        return None if stored is None else cls(**stored)

    @property
    def stored(self) -> dict[str, Any]:
        """It as a row of `table` has it."""
        return dict(self.__dict__)


#: What can be chosen with a table.
CHOICES: dict[str, Clock | None] = {
    "none": None,
    "live-10": Clock(600, 10),
    "live-20": Clock(1200, 20),
    "live-45": Clock(2700, 30),
    "day-1": Clock(_DAY, 0, each=True),
    "day-3": Clock(3 * _DAY, 0, each=True),
}


@dataclass(frozen=True)
class SeatClock:
    """What a seat has left, in milliseconds: now if it stands, else at the moment since which it runs."""

    seat: int
    left: int
    since: datetime | None = None
    #: Whether it has run out, and the seat has not moved since.
    out: bool = False

    @property
    def deadline(self) -> datetime | None:
        """When it runs out; None where it stands."""
        return None if self.since is None else self.since + timedelta(milliseconds=self.left)

    def left_at(self, moment: datetime) -> int:
        """What is left at a moment."""
        return self.left if self.since is None else max(0, self.left - _ms(moment - self.since))

    def stopped(self, moment: datetime) -> SeatClock:
        """It as it stands from then on."""
        return replace(self, left=self.left_at(moment), since=None)


def _ms(time: timedelta) -> int:
    return max(0, time // timedelta(milliseconds=1))


def follow(
    clocks: Iterable[SeatClock], seats: Sequence[Sitting], waiting: Sequence[int], moment: datetime
) -> tuple[SeatClock, ...]:
    """The clocks where these seats are asked."""
    runs: dict[str, int] = {}
    for seat in seats:
        if seat.seat in waiting and seat.person is not None:
            runs.setdefault(seat.person, seat.seat)
    return tuple(
        (each if each.since else replace(each, since=moment))
        if each.seat in runs.values() and not each.out
        else each.stopped(moment)
        for each in clocks
    )


# --- what other transactions have to do with clocks --------------------------------------------------------------


def of(connection: Connection, table: str) -> tuple[SeatClock, ...]:
    """The clocks of a table by seat; none where it has no clock, or has not begun."""
    c = schema.clocks
    query = select(c.c.seat, c.c.left, c.c.since, c.c.out).where(c.c.table == table).order_by(c.c.seat)
    return tuple(SeatClock(*row) for row in connection.execute(query))


def begin(connection: Connection, table: TableRow, seats: Sequence[Sitting], moment: datetime) -> None:
    """The match of a table begins."""
    clock = Clock.of(table.clock)
    if clock is None or table.started is None or table.finished is not None:
        return
    fresh = [SeatClock(seat.seat, clock.bank * 1000) for seat in seats]
    connection.execute(
        insert(schema.clocks),
        [{"table": table.id, **_values(each)} for each in follow(fresh, seats, table.waiting or (), moment)],
    )


def moved(
    connection: Connection,
    table: str,
    stored: Mapping[str, Any] | None,
    row: MoveRow,
    waiting: Sequence[int],
    moment: datetime,
) -> tuple[int | None, tuple[SeatClock, ...]]:
    """A row is about to be stored: what its seat had left, and the clocks after it.

    Raises Illegal where a move is taken back and nothing would be left.
    """
    clock = Clock.of(stored)
    if clock is None:
        return None, ()
    _see_to_gap(connection, moment)
    before = of(connection, table)
    seats = _seats(connection, table)
    if row.move in (TAKE_BACK, WENT_BACK):
        after = _undone(connection, table, clock, before, row, waiting, moment)
        left = None
    elif seats[row.seat].person is None:
        # What a bot does for somebody neither costs nor brings time.
        left, after = None, before
    else:
        left = before[row.seat].left_at(moment)
        after = _with(before, SeatClock(row.seat, _after(clock, left)))
    after = follow(after, seats, waiting, moment)
    _put(connection, table, before, after)
    return left, after


def _undone(
    connection: Connection,
    table: str,
    clock: Clock,
    clocks: tuple[SeatClock, ...],
    row: MoveRow,
    waiting: Sequence[int],
    moment: datetime,
) -> tuple[SeatClock, ...]:
    left, made = _before(connection, table, row.seat)
    if left is None:
        return clocks
    if row.move == TAKE_BACK:
        resumed = _mark(connection, _RESUMED, alone=True)
        left -= _ms(moment - (max(made, resumed) if resumed else made))
        if left <= 0:
            raise Illegal(_NO_TIME)
    else:
        now = clocks[row.seat].left_at(moment)
        left = min(now, max(now - (_after(clock, left) - left), _a_little(clock)))
    clocks = tuple(
        each.stopped(max(made, each.since)) if each.since and each.seat not in waiting else each for each in clocks
    )
    return _with(clocks, SeatClock(row.seat, left))


def _before(connection: Connection, table: str, seat: int) -> tuple[int | None, datetime]:
    """What a seat had left before its last move that is not gone, and when that was made."""
    m = schema.moves
    rows = connection.execute(
        select(m.c.move, m.c.clock_left, m.c.made)
        .where(m.c.table == table, m.c.seat == seat, m.c.move != CONTINUED)
        .order_by(m.c.counter.desc())
    )
    gone = 0
    for move, left, made in rows:
        if move in (TAKE_BACK, WENT_BACK):
            gone += 1
        elif gone:
            gone -= 1
        else:
            return left, made
    raise AssertionError("a take-back takes a move back")


def _after(clock: Clock, left: int) -> int:
    """What a seat has after a move, in milliseconds, where it had so much left."""
    return clock.bank * 1000 if clock.each else left + clock.increment * 1000


def _a_little(clock: Clock) -> int:
    """What is left at least to who is to choose although its time was over, in milliseconds."""
    return clock.bank * 1000 if clock.each else max(clock.increment, LATE) * 1000


def changed(
    connection: Connection, table: TableRow, old: Sequence[Sitting], new: Sequence[Sitting], moment: datetime
) -> None:
    """Somebody else sits at a table, or is asked there, or its match has begun."""
    clock = Clock.of(table.clock)
    if clock is None or table.started is None:
        return
    _see_to_gap(connection, moment)
    before = of(connection, table.id)
    if not before:
        begin(connection, table, new, moment)
        return
    late = _a_little(clock)
    after = tuple(
        replace(each, left=late, out=False) if each.out and now.person and was.person != now.person else each
        for each, was, now in zip(before, old, new, strict=True)
    )
    _put(connection, table.id, before, follow(after, new, table.waiting or (), moment))


def asked(connection: Connection, table: TableRow, moment: datetime) -> None:
    """Others are asked at a table than before, or nobody any more, though nobody has moved."""
    seats = _seats(connection, table.id)
    changed(connection, table, seats, seats, moment)


# --- running out -----------------------------------------------------------------------------------------------


def due(connection: Connection, moment: datetime, limit: int = 50) -> list[str]:
    """Tables with a clock that has run out, longest ago first."""
    c, t = schema.clocks, schema.tables
    query = (
        select(c.c.table)
        .join(t, t.c.id == c.c.table)
        .where(c.c.deadline <= moment, t.c.finished.is_(None))
        .group_by(c.c.table)
        .order_by(func.min(c.c.deadline))
        .limit(limit)
    )
    return [str(id) for id in connection.scalars(query)]


def expire(connection: Connection, table: str, moment: datetime, level: str) -> bool:
    """Let what has been chosen with a table happen where a clock of it has run out; whether one had.

    Where another server was faster, or a move came meanwhile, nothing is left to be done. `level`: of the bot.
    """
    t, s = schema.tables, schema.seats
    running = select(t).where(t.c.id == table, t.c.finished.is_(None)).with_for_update()
    row = connection.execute(running).one_or_none()
    clock = None if row is None else Clock.of(row.clock)
    if row is None or clock is None:
        return False
    before, seats = of(connection, table), _seats(connection, table)
    over = [each.seat for each in before if each.deadline is not None and each.deadline <= moment]
    if not over:
        return False
    after = tuple(replace(each, left=0, since=None, out=True) if each.seat in over else each for each in before)
    people = [seat.person for seat in seats]
    kept = [seat for seat in over if clock.then == BOT and people.count(people[seat]) == 1]
    for seat in kept:
        values = {"person": None, "bot": level, "away": people[seat], "replaced": moment}
        connection.execute(update(s).where(s.c.table == table, s.c.seat == seat).values(**values))
    if kept:
        connection.execute(update(t).where(t.c.id == table).values(seating=row.seating + 1))
        seats = _seats(connection, table)
    _put(connection, table, before, follow(after, seats, row.waiting or (), moment))
    return True


def next_deadline(connection: Connection) -> tuple[datetime, bool] | None:
    """When the next clock runs out, and whether any of those that run is a live one; None where none runs."""
    c, t = schema.clocks, schema.tables
    going = and_(c.c.deadline.is_not(None), t.c.finished.is_(None))
    first = connection.execute(
        select(c.c.deadline).join(t, t.c.id == c.c.table).where(going).order_by(c.c.deadline).limit(1)
    ).one_or_none()
    if first is None:
        return None
    # Whoever has less than a day left may well play live: a sign of life too many harms nobody.
    live = connection.execute(
        select(c.c.left).join(t, t.c.id == c.c.table).where(going).order_by(c.c.left).limit(1)
    ).one()
    return first[0], live[0] < _DAY * 1000


def live(connection: Connection, moment: datetime) -> None:
    """Leave a sign of life; and where no server has left one for a while, let nobody pay for that (ruling 7).

    Where the time of the machine was put back clocks go on from there with what they had left.
    """
    last = _mark(connection, _ALIVE, alone=True)
    _put_mark(connection, _ALIVE, moment)
    if last is None or abs(moment - last) <= timedelta(seconds=SILENCE):
        return
    c, t = schema.clocks, schema.tables
    rows = connection.execute(
        select(c.c.table, c.c.seat, c.c.left, c.c.since, c.c.out, t.c.clock)
        .join(t, t.c.id == c.c.table)
        .where(c.c.since.is_not(None), t.c.finished.is_(None))
    ).all()
    resumed = False
    for table, *rest, stored in rows:
        clock, old = Clock.of(stored), SeatClock(*rest)
        assert clock is not None
        assert old.since is not None
        assert old.deadline is not None
        gap = moment - max(last, old.since)
        if last > moment:
            new = replace(old, left=old.left_at(last), since=moment)
        elif clock.each:
            least = moment + min(GRACE, gap)
            late = gap > timedelta(seconds=LONG_SILENCE) and old.deadline < least
            new = replace(old, left=_ms(least - old.since)) if late else old
        else:
            new = replace(old, since=old.since + gap) if gap > timedelta(seconds=SILENCE) else old
        if new != old:
            # Unless a move has stopped it meanwhile.
            where = (c.c.table == table, c.c.seat == old.seat, c.c.since == old.since)
            connection.execute(update(c).where(*where).values(**_values(new)))
            resumed = True
    if resumed:
        _put_mark(connection, _RESUMED, moment)


def _see_to_gap(connection: Connection, moment: datetime) -> None:
    """Before any clock is read: after a gap a move, or a change of seats, may be here before the timer is."""
    last = _mark(connection, _ALIVE)
    if last is not None and abs(moment - last) > timedelta(seconds=SILENCE):
        live(connection, moment)


# --- rows ------------------------------------------------------------------------------------------------------


def _seats(connection: Connection, table: str) -> Sequence[Sitting]:
    s = schema.seats
    return connection.execute(select(s.c.seat, s.c.person).where(s.c.table == table).order_by(s.c.seat)).all()


def _values(clock: SeatClock) -> dict[str, Any]:
    return {**clock.__dict__, "deadline": clock.deadline}


def _with(clocks: Sequence[SeatClock], new: SeatClock) -> tuple[SeatClock, ...]:
    return tuple(new if each.seat == new.seat else each for each in clocks)


def _put(connection: Connection, table: str, before: Sequence[SeatClock], after: Sequence[SeatClock]) -> None:
    c = schema.clocks
    for old, new in zip(before, after, strict=True):
        if new != old:
            connection.execute(update(c).where(c.c.table == table, c.c.seat == new.seat).values(**_values(new)))


def _mark(connection: Connection, name: str, *, alone: bool = False) -> datetime | None:
    """A moment that is stored; `alone`: nobody else may write it before the transaction ends."""
    s = schema.settings
    query = select(s.c.value).where(s.c.name == name)
    found = connection.scalar(query.with_for_update() if alone else query)
    return None if found is None else datetime.fromisoformat(found)


def _put_mark(connection: Connection, name: str, moment: datetime) -> None:
    s = schema.settings
    value = moment.isoformat()
    if not connection.execute(update(s).where(s.c.name == name).values(value=value)).rowcount:
        connection.execute(insert(s).values(name=name, value=value))
