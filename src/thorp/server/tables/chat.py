"""What people say to each other at a table: the last lines, for who sits there and, if allowed, who watches."""

from __future__ import annotations

import contextlib
import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from thorp.server.tables import schema
from thorp.server.tables.news import announce
from thorp.server.tables.refusals import Forbidden, Illegal
from thorp.server.tables.store import Store
from thorp.server.tables.table import Table

#: So many letters a line may have, and so many lines of a table are kept.
MAX_LINE = 300
KEPT = 200
#: As it is sent a line may have so many: to bring the marks of one letter into order takes the square of their number.
_MOST_SENT = 4 * MAX_LINE
#: So many chats are known at the same time, but for those that are watched.
_MOST_KNOWN = 256
#: Who may talk and read at a table: its players, unless its opener says otherwise.
PLAYERS, EVERYBODY, NOBODY = WHOM = ("players", "everybody", "nobody")
#: The only signs without a shape of their own that letters and pictures need: joiners.
_JOINERS = "\u200c\u200d"
#: Marks that stand above and below letters: more than these on one letter only cover other lines.
_MARKS = re.compile("([\u0300-\u036f\u0483-\u0489\u20d0-\u20ff]{4})[\u0300-\u036f\u0483-\u0489\u20d0-\u20ff]+")

SWITCHED_OFF = "There is no chat at this table."
NOT_YOURS = "At this table only those talk who sit there."


@dataclass(frozen=True)
class Said:
    """A line, by its number at the table."""

    number: int
    #: Who said it: an id that is for the server, the seat that was in hand, and the name at that time.
    person: str
    seat: int | None
    name: str
    text: str
    said: datetime


@dataclass
class Talk:
    """The chat of a table as far as this process knows it."""

    whom: str = PLAYERS
    lines: list[Said] = field(default_factory=list)
    #: Whom people do not want to hear, by who they are.
    muted: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.lines[-1].number if self.lines else 0


def clean_line(text: str) -> str:
    """A line without anything that has no shape, or that turns the direction of what follows. Raises Illegal."""
    if len(text) > _MOST_SENT:
        raise _too_long(len(text))
    kept = (
        " " if c.isspace() else c
        for c in unicodedata.normalize("NFC", text)
        if c.isspace() or c in _JOINERS or unicodedata.category(c)[0] != "C"
    )
    line = with_few_marks(re.sub(r" +", " ", "".join(kept)).strip())
    if not line.strip(_JOINERS + " "):
        raise Illegal("There is nothing in this line. Write something, and send it then.")
    if len(line) > MAX_LINE:
        raise _too_long(len(line))
    return line


def with_few_marks(text: str) -> str:
    """A text in which no letter has more marks above and below than any language needs."""
    return _MARKS.sub(r"\1", text)


def _too_long(letters: int) -> Illegal:
    words = "A line can have {most} letters at most, and this one has {n}. Shorten it."
    return Illegal(words, most=MAX_LINE, n=letters)


def speaker(table: Table, person: str) -> str:
    """What stands for a person on pages of a table, where somebody wants to hear no more of it."""
    return hashlib.sha256(f"{table.row.salt} speaker {person}".encode()).hexdigest()[:16]


class Chats:
    """The chats of all tables, by way of the store."""

    def __init__(self, store: Store, is_watched: Callable[[str], bool], tell: Callable[[str], None]) -> None:
        self.store = store
        self._is_watched = is_watched
        self._tell = tell
        #: Of the tables that somebody watches here, as they were read last, and by which reading; and of some others.
        self._known: dict[str, tuple[int, Talk]] = {}
        self._readings = 0

    async def look(self, id: str) -> Talk:
        """The chat of a table as it is now."""
        return await self.store.read(partial(_talk, table=id))

    async def follow(self, id: str) -> None:
        """Read the chat of a table that is watched, and wake its pages where anything is new, whoever asked for it."""
        self._readings += 1
        reading = self._readings
        talk = await self.look(id)
        last, before = self._known.get(id, (0, None))
        if last > reading:
            # What was read meanwhile began later, and so is newer.
            return
        self._known[id] = reading, talk
        if len(self._known) > _MOST_KNOWN:
            self._known = {each: known for each, known in self._known.items() if each == id or self._is_watched(each)}
        if talk != before:
            self._tell(id)

    def known(self, id: str) -> Talk | None:
        """The chat of a table that is watched, as it was read last."""
        known = self._known.get(id)
        return known and known[1]

    async def say(self, table: Table, person: str, seat: int | None, name: str, text: str) -> None:
        """Say a line. Raises Illegal for what is none, Forbidden for who may not talk."""
        line = clean_line(text)
        said = Said(0, person, seat, name, line, self.store.now())
        if await self.store.write(partial(_say, table=table.id, talks=_may_talk(table, person), line=said)):
            return
        raise Forbidden(SWITCHED_OFF if (await self.look(table.id)).whom == NOBODY else NOT_YOURS)

    async def switch(self, table: Table, person: str, whom: str) -> None:
        """The opener says who talks. Raises Forbidden for others, Illegal for what cannot be chosen."""
        if table.row.opener != person:
            raise Forbidden("Only who has opened this table decides who talks there.")
        if whom not in WHOM:
            raise Illegal("Choose who may talk: who sits here, everybody, or nobody.")
        await self.store.write(partial(_switch, table=table.id, whom=whom))

    async def mute(self, table: Table, person: str, other: str, *, mute: bool) -> None:
        """Let a person hear no more, or again, what another one says: at this table and at all others.

        `other`: what stands for the other one (`speaker`). Raises Illegal where that is nobody who has talked here.
        """
        lines = (await self.look(table.id)).lines
        found = next((line.person for line in lines if speaker(table, line.person) == other), None)
        if found is None or found == person:
            raise Illegal("Nobody of that name has said anything at this table.")
        # pressed twice, it is done already
        with contextlib.suppress(IntegrityError):
            await self.store.write(partial(_mute, person=person, other=found, mute=mute))


def may_read(table: Table, talk: Talk, person: str) -> bool:
    """Whether a person may read the chat of a table, and talk there."""
    return _may_talk(table, person).get(talk.whom, False)


def heard(talk: Talk, person: str, since: int = 0) -> list[Said]:
    """The lines after one that a person hears: not of those that it does not want to hear."""
    muted = talk.muted.get(person, frozenset())
    return [line for line in talk.lines if line.number > since and line.person not in muted]


def _may_talk(table: Table, person: str) -> dict[str, bool]:
    """Whether a person may talk, for whatever the opener has chosen."""
    plays = bool(table.seats_of(person)) or table.kept_for(person) is not None or table.row.opener == person
    return {PLAYERS: plays, EVERYBODY: plays or table.may_be_seen_by(person), NOBODY: False}


def _talk(connection: Connection, table: str) -> Talk:
    c, s, m = schema.chats, schema.chat_lines, schema.mutes
    whom = connection.scalar(select(c.c.whom).where(c.c.table == table))
    if whom is None:
        # nobody has ever said anything there, which is so at most tables
        return Talk()
    query = select(s.c.number, s.c.person, s.c.seat, s.c.name, s.c.text, s.c.said).where(s.c.table == table)
    lines = [Said(*row) for row in connection.execute(query.order_by(s.c.number))]
    people = {line.person for line in lines}
    muted: dict[str, set[str]] = {}
    if people:
        for person, other in connection.execute(select(m.c.person, m.c.muted).where(m.c.muted.in_(people))):
            muted.setdefault(person, set()).add(other)
    return Talk(whom, lines, {person: frozenset(others) for person, others in muted.items()})


def _chat(connection: Connection, table: str) -> tuple[str, int]:
    """Who talks at a table, and how many lines were said; nobody else says one meanwhile."""
    c, t = schema.chats, schema.tables
    connection.execute(select(t.c.id).where(t.c.id == table).with_for_update())
    row = connection.execute(select(c.c.whom, c.c.said).where(c.c.table == table)).one_or_none()
    if row is not None:
        return row.whom, row.said
    connection.execute(insert(c).values(table=table, whom=PLAYERS, said=0))
    return PLAYERS, 0


def _say(connection: Connection, table: str, talks: Mapping[str, bool], line: Said) -> bool:
    c, s = schema.chats, schema.chat_lines
    whom, said = _chat(connection, table)
    if not talks.get(whom, False):
        return False
    values = {**line.__dict__, "number": said + 1}
    connection.execute(insert(s).values(table=table, **values))
    connection.execute(update(c).where(c.c.table == table).values(said=said + 1))
    connection.execute(delete(s).where(s.c.table == table, s.c.number <= said + 1 - KEPT))
    announce(connection, table)
    return True


def _switch(connection: Connection, table: str, whom: str) -> None:
    _chat(connection, table)
    c = schema.chats
    connection.execute(update(c).where(c.c.table == table).values(whom=whom))
    announce(connection, table)


def _mute(connection: Connection, person: str, other: str, mute: bool) -> None:
    m = schema.mutes
    connection.execute(delete(m).where(m.c.person == person, m.c.muted == other))
    if mute:
        connection.execute(insert(m).values(person=person, muted=other))
