"""The rows of notices: each function is (part of) a transaction.

What there is to tell follows from what is stored about tables, so nothing is lost by a restart; a notice has a key that
says of what it tells, so it is told once, however many servers look.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from thorp.server.tables import schema
from thorp.server.tables.names import told_apart
from thorp.server.tables.schema import TAKE_BACK, WENT_BACK

#: Who is looked at for so long after something has happened may come and look by itself.
PATIENCE = timedelta(seconds=30)
#: After a notice a person hears nothing more for so long; what happens meanwhile comes together.
GATHERED = timedelta(minutes=5)
#: What has begun, or is over, for longer is no news.
NEWS = timedelta(hours=12)
#: Notices are forgotten after so long, and a turn is told again then.
FORGOTTEN = timedelta(days=30)
#: So many ways a person may have, so many letters may wait, and so often one is tried.
MOST_WAYS = 6
MOST_LETTERS = 5000
ATTEMPTS = 6
#: How long a letter may take before another server tries it; and the pauses between attempts.
LEASE = timedelta(minutes=3)
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 20, 60, 180))

#: What notices tell: your turn; the match has begun; it is over; somebody asks for a seat; a bot plays for you.
TURN, BEGUN, OVER, ASKED, LATE = "turn", "begun", "over", "asked", "late"
#: Those that wait for the person, so that they still hold when it has gone away without having done anything.
WAITING = (TURN, ASKED, LATE)
#: What may become of a notice. A page is open (`here`) also at a device that has fallen asleep: that it was `seen` is
#: known once the page has asked for something since.
DUE, HERE, SEEN, GONE, SENT = "due", "here", "seen", "gone", "sent"

#: Who has which table open: (table, person), with when a page of theirs asked this server last, if one did.
Looking = Mapping[tuple[str, str], datetime | None]


@dataclass(frozen=True)
class Way:
    """Where a person wants to be told. `outcome`: what came of it last."""

    id: int
    person: str
    kind: str
    address: str
    base: str
    token: str
    made: datetime
    confirmed: datetime | None = None
    outcome: str | None = None
    tried: datetime | None = None


@dataclass(frozen=True)
class News:
    """Something that a person is to be told, once. `came`: since when it is so, where that is known."""

    person: str
    key: str
    table: str
    kind: str
    came: datetime | None = None


@dataclass(frozen=True)
class Letter:
    """What is sent by a way: [kind, id of the game, names, id of the table] for each notice."""

    id: int
    way: Way
    content: list[tuple[str, str, str, str]]
    attempts: int


def endpoint_of(way: Way) -> str:
    """The address of a browser."""
    return str(json.loads(way.address)["endpoint"])


# --- ways ------------------------------------------------------------------------------------------------------


def ways_of(connection: Connection, person: str) -> list[Way]:
    """All ways of a person, oldest first."""
    w = schema.ways
    return [Way(**row._mapping) for row in connection.execute(select(w).where(w.c.person == person).order_by(w.c.id))]


def way_of(connection: Connection, token: str) -> Way | None:
    """The way of a link that was sent there."""
    w = schema.ways
    row = connection.execute(select(w).where(w.c.token == token)).one_or_none()
    return None if row is None else Way(**row._mapping)


def add_way(
    connection: Connection, person: str, kind: str, address: str, base: str, moment: datetime, *, confirmed: bool
) -> Way | None:
    """A new way, or the one that there is to the same address; None where the person has too many."""
    w = schema.ways
    mine = ways_of(connection, person)
    for way in mine:
        if (way.kind, way.address) == (kind, address):
            connection.execute(update(w).where(w.c.id == way.id).values(base=base))
            return way
    if len(mine) >= MOST_WAYS:
        return None
    token = secrets.token_urlsafe(24)
    values = {"person": person, "kind": kind, "address": address, "base": base, "token": token, "made": moment}
    if confirmed:
        values["confirmed"] = moment
    connection.execute(insert(w).values(**values))
    return way_of(connection, token)


def confirm(connection: Connection, token: str, moment: datetime) -> None:
    """Whoever reads what is sent there wants it."""
    w = schema.ways
    connection.execute(update(w).where(w.c.token == token, w.c.confirmed.is_(None)).values(confirmed=moment))


def forget(connection: Connection, way: int) -> None:
    """Forget a way with all that was to be sent by it."""
    connection.execute(delete(schema.letters).where(schema.letters.c.way == way))
    connection.execute(delete(schema.ways).where(schema.ways.c.id == way))


def tried(connection: Connection, way: int, outcome: str, moment: datetime) -> None:
    """Note what came of it."""
    w = schema.ways
    connection.execute(update(w).where(w.c.id == way).values(outcome=outcome, tried=moment))


# --- what there is to tell --------------------------------------------------------------------------------------


def news(connection: Connection, moment: datetime) -> list[News]:
    """All that people with a way might be told now, whether they know it or not."""
    t, s, w, m, c = schema.tables, schema.seats, schema.ways, schema.moves, schema.clocks
    since = select(func.min(w.c.confirmed)).where(or_(w.c.person == s.c.person, w.c.person == s.c.away))
    made = select(func.count()).where(m.c.table == t.c.id, m.c.seat == s.c.seat).select_from(m)
    # Where moves of others are gone it may be the same turn once more.
    undone = select(func.count()).where(m.c.table == t.c.id, m.c.move.in_((TAKE_BACK, WENT_BACK))).select_from(m)
    # With what the clock had left stand only moves of people: a bot that plays on does not make it news again.
    own = select(func.count(m.c.clock_left)).where(m.c.table == t.c.id, m.c.seat == s.c.seat)
    other = s.alias()
    last = select(func.max(m.c.made)).where(m.c.table == t.c.id)
    people = select(func.count(func.coalesce(other.c.person, other.c.away).distinct())).where(other.c.table == t.c.id)
    rows = connection.execute(
        select(
            t.c.id,
            t.c.started,
            t.c.finished,
            t.c.waiting,
            s.c.seat,
            s.c.person,
            s.c.away,
            made.scalar_subquery().label("made"),
            undone.scalar_subquery().label("undone"),
            own.scalar_subquery().label("own"),
            last.scalar_subquery().label("last"),
            since.scalar_subquery().label("since"),
            people.scalar_subquery().label("people"),
            c.c.out,
        )
        .join(s, s.c.table == t.c.id)
        .outerjoin(c, (c.c.table == t.c.id) & (c.c.seat == s.c.seat))
        .where(
            or_(t.c.finished.is_(None), t.c.finished >= moment - NEWS),
            t.c.started.is_not(None),
            or_(s.c.person.in_(_told()), s.c.away.in_(_told())),
        )
        .order_by(t.c.id, s.c.seat)
    )
    found = [each for row in rows for each in _news_of(row, moment)]
    asking = connection.execute(
        select(t.c.id, t.c.opener, s.c.seat, s.c.asker)
        .join(s, s.c.table == t.c.id)
        .where(t.c.finished.is_(None), s.c.asker.is_not(None), t.c.opener.in_(_told()))
    )
    return found + [News(opener, f"ask {id} {seat} {asker}", id, ASKED) for id, opener, seat, asker in asking]


def _told() -> Any:
    return select(schema.ways.c.person).where(schema.ways.c.confirmed.is_not(None))


def _news_of(row: Any, moment: datetime) -> Iterable[News]:
    person = row.person or row.away
    if row.since is None:
        return
    if row.finished is not None:
        if row.finished >= row.since and row.people > 1:
            yield News(person, f"over {row.id}", row.id, OVER)
        return
    if row.away is not None:
        if row.out:
            yield News(person, f"late {row.id} {row.seat} {row.own}", row.id, LATE)
        return
    if row.people < 2:
        # Bots answer at once: who plays with them alone knows whose turn it is.
        return
    if row.seat in (row.waiting or ()):
        anew = f" {row.undone}" if row.undone else ""
        came = max(row.started, row.last or row.started)
        yield News(person, f"turn {row.id} {row.seat} {row.made}{anew}", row.id, TURN, came)
    elif row.started >= max(row.since, moment - NEWS) and not row.made:
        yield News(person, f"begun {row.id}", row.id, BEGUN)


def take_note(connection: Connection, found: Sequence[News], looking: Looking, moment: datetime) -> None:
    """Store what is new, and what is known or past by now."""
    n = schema.notices
    due = moment + PATIENCE
    for (person, key), each, before, stage in _changes(connection, found, looking, moment):
        if before is None and each:
            content = {"person": person, "key": key, "table": each.table, "kind": each.kind}
            connection.execute(insert(n).values(**content, stage=stage, due=due))
        else:
            # who has only just gone away may come back
            back = {"due": due} if before == HERE and stage == DUE else {}
            connection.execute(update(n).where(n.c.person == person, n.c.key == key).values(stage=stage, **back))


def is_news(connection: Connection, found: Sequence[News], looking: Looking, moment: datetime) -> bool:
    """Whether there is anything for `take_note` or `write_letters` to do: nothing is written for nothing."""
    n = schema.notices
    if connection.scalar(select(n.c.key).where(n.c.stage == DUE).limit(1)) is not None:
        return True
    return any(True for _ in _changes(connection, found, looking, moment))


def _changes(
    connection: Connection, found: Sequence[News], looking: Looking, moment: datetime
) -> Iterator[tuple[tuple[str, str], News | None, str | None, str]]:
    """Person and key of each notice whose stage is another by now, with the stage before, if any, and now."""
    n = schema.notices
    people = {each.person for each in found}
    rows = connection.execute(
        select(n.c.person, n.c.key, n.c.stage, n.c.due).where(n.c.person.in_(people) | n.c.stage.in_((DUE, HERE)))
    )
    known = {(row.person, row.key): (row.stage, row.due) for row in rows}
    for each in found:
        name = each.person, each.key
        before, due = known.pop(name, (None, moment + PATIENCE))
        if before not in (SEEN, SENT):
            # One that is gone is told after all: a server that had looked before it came took it for past.
            stage = _stage(each, looking, each.came or due - PATIENCE)
            if stage != before:
                yield name, each, before, stage
    for name, (before, _) in known.items():
        if before in (DUE, HERE):
            yield name, None, before, GONE


def _stage(each: News, looking: Looking, came: datetime) -> str:
    place = each.table, each.person
    if place not in looking:
        return DUE
    asked = looking[place]
    return SEEN if each.kind not in WAITING or (asked is not None and asked >= came) else HERE


def is_any_way(connection: Connection) -> bool:
    """Whether anybody wants to be told anything."""
    w = schema.ways
    return connection.scalar(select(w.c.id).where(w.c.confirmed.is_not(None)).limit(1)) is not None


def is_letter(connection: Connection, moment: datetime) -> bool:
    """Whether a letter is to be tried now."""
    letters = schema.letters
    return connection.scalar(select(letters.c.id).where(letters.c.next <= moment).limit(1)) is not None


# --- letters ---------------------------------------------------------------------------------------------------


def write_letters(connection: Connection, moment: datetime) -> bool:
    """Put what is due into letters, one for each way of a person; false where too many wait already."""
    n, w, letters = schema.notices, schema.ways, schema.letters
    due = connection.execute(
        select(n.c.person, n.c.key, n.c.kind, n.c.table)
        .where(n.c.stage == DUE, n.c.due <= moment)
        .order_by(n.c.person, n.c.due, n.c.key)
        .with_for_update(skip_locked=True)
    ).all()
    if not due:
        return True
    if (connection.scalar(select(func.count()).select_from(letters)) or 0) >= MOST_LETTERS:
        return False
    people = {row.person for row in due}
    last = select(n.c.person).where(n.c.person.in_(people), n.c.sent > moment - GATHERED)
    quiet = set(connection.scalars(last))
    for person in people - quiet:
        mine = [row for row in due if row.person == person]
        content = [(*_line(connection, row), row.key) for row in mine]
        for way in connection.scalars(select(w.c.id).where(w.c.person == person, w.c.confirmed.is_not(None))).all():
            connection.execute(insert(letters).values(way=way, content=content, next=moment))
        keys = [row.key for row in mine]
        connection.execute(update(n).where(n.c.person == person, n.c.key.in_(keys)).values(stage=SENT, sent=moment))
    return True


def _line(connection: Connection, row: Any) -> tuple[str, str, str, str]:
    t, s = schema.tables, schema.seats
    game = connection.scalar(select(t.c.game).where(t.c.id == row.table))
    names = connection.scalars(select(s.c.name).where(s.c.table == row.table).order_by(s.c.seat)).all()
    return row.kind, str(game), ", ".join(told_apart(names)), row.table


def claim(connection: Connection, found: Sequence[News], moment: datetime, limit: int = 16) -> list[Letter]:
    """Letters that are to be tried now, and by nobody else for a while. `found`: what is news now.

    Only what still is goes into them, however long they have waited; those of which nothing is left are forgotten.
    """
    letters, w = schema.letters, schema.ways
    rows = connection.execute(
        select(letters)
        .where(letters.c.next <= moment)
        .order_by(letters.c.next)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    holds = {(each.person, each.key) for each in found} | {(each.person, each.kind, each.table) for each in found}
    claimed = []
    for row in rows:
        way = Way(**connection.execute(select(w).where(w.c.id == row.way)).one()._mapping)
        # A person may have several seats of a table. Letters from before they had keys tell only their tables.
        lines = dict.fromkeys(
            (kind, game, names, table)
            for kind, game, names, table, *key in row.content
            if (way.person, *(key or (kind, table))) in holds
        )
        if not lines:
            connection.execute(delete(letters).where(letters.c.id == row.id))
            continue
        values = {"attempts": row.attempts + 1, "next": moment + LEASE}
        connection.execute(update(letters).where(letters.c.id == row.id).values(**values))
        claimed.append(Letter(row.id, way, list(lines), row.attempts + 1))
    return claimed


def settle(connection: Connection, letter: Letter, outcome: str, moment: datetime, *, ended: bool) -> None:
    """Note what came of a letter: it is gone where that is the end of it, or it was tried often enough."""
    letters = schema.letters
    if ended or letter.attempts >= ATTEMPTS:
        connection.execute(delete(letters).where(letters.c.id == letter.id))
    else:
        later = moment + PAUSES[min(letter.attempts, len(PAUSES)) - 1]
        connection.execute(update(letters).where(letters.c.id == letter.id).values(next=later))
    tried(connection, letter.way.id, outcome, moment)


def tidy(connection: Connection, moment: datetime) -> None:
    """Forget old notices, and addresses that nobody has confirmed."""
    n, w = schema.notices, schema.ways
    connection.execute(delete(n).where(n.c.due < moment - FORGOTTEN))
    connection.execute(delete(w).where(w.c.confirmed.is_(None), w.c.made < moment - timedelta(days=2)))
