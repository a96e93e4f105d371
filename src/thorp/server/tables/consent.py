"""Going back beyond what can be taken back freely: one asks, and everybody else who sits there as a person agrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, insert, select, update

from thorp.server.tables import schema, seating
from thorp.server.tables.news import announce
from thorp.server.tables.refusals import Forbidden, Illegal, Stale
from thorp.server.tables.store import SeatRow, Store

if TYPE_CHECKING:
    from thorp.server.tables.rooms import Tables
    from thorp.server.tables.table import Table

NOTHING_ASKED = "Nobody asks for that any more: it was answered, or something has happened at the table since."


@dataclass(frozen=True)
class Request:
    """A seat asks to go back to just before its last choice."""

    seat: int
    #: How many rows there were, and the count of changes of seats that this request has made: it holds for these.
    version: int
    seating: int
    agreed: tuple[str, ...] = ()
    declined: str | None = None


def holds(table: Table) -> Request | None:
    """What is asked at a table, where nothing has happened there since."""
    request = table.request
    if request is None or (request.version, request.seating) != (table.version, table.row.seating):
        return None
    return None if table.match.over else request


def to_be_asked(seats: Sequence[SeatRow], seat: int) -> list[str]:
    """The people who have to agree where a seat goes back: all who sit there, but for those at its own device."""
    asker = seats[seat].person
    return list(dict.fromkeys(each.person for each in seats if each.person not in (None, asker)))


async def ask(tables: Tables, id: str, seat: int, counter: int) -> None:
    """A seat asks everybody to go back; where only bots sit there besides, it goes back at once.

    Raises Stale or Illegal, and nothing has changed.
    """
    table = await tables.open(id)
    if counter != table.counters[seat]:
        raise Stale("The table had moved on when this arrived. Here it is as it stands now.")
    if not table.can_go_back(seat):
        raise Illegal("There is no move of yours to which the match could go back now.")
    if any(seating.is_waiting(each, tables.store.now()) for each in table.seats):
        raise Illegal(
            "Somebody who is away for a short time would have to agree. Wait until they are back, or until a bot has "
            "had their seat for ten minutes."
        )
    asked = holds(table)
    if asked and asked.declined:
        raise Illegal("Somebody has said no to that already. You can ask again when more has happened.")
    if asked:
        raise Stale("Somebody asks already, and is to be answered first.")
    if not to_be_asked(table.seats, seat):
        await tables.go_back(id, seat, (table.version, table.row.seating))
        return
    version = table.version

    def make(before: Request | None, rows: int, seating: int) -> Request:
        if rows != version or (before and (before.version, before.seating) == (rows, seating)):
            raise Stale(NOTHING_ASKED)
        return Request(seat, rows, seating)

    await _put(tables.store, id, make)
    await tables.look_at_seats(table)


async def answer(tables: Tables, id: str, person: str, *, yes: bool) -> None:
    """A person agrees, or does not; whoever has asked asks no more. Raises Stale or Forbidden."""
    table = await tables.open(id)
    asked = holds(table)
    if asked is None or asked.declined:
        raise Stale(NOTHING_ASKED)
    people = to_be_asked(table.seats, asked.seat)
    is_asker = table.seats[asked.seat].person == person
    if not is_asker and person not in people:
        raise Forbidden("You do not sit at this table, so you are not asked.")

    def make(before: Request | None, rows: int, seating: int) -> Request | None:
        seen = (asked.seat, asked.version, seating)
        if before is None or before.declined or (before.seat, rows, before.seating) != seen:
            raise Stale(NOTHING_ASKED)
        if is_asker:
            return None
        if not yes:
            return replace(before, declined=person)
        agreed = (*before.agreed, *(() if person in before.agreed else (person,)))
        # The last one's word is not stored: with it the match goes back.
        return before if set(agreed) >= set(people) else replace(before, agreed=agreed)

    if is_asker and yes:
        raise Stale("You have asked for that yourself: the others are to answer.")
    after = await _put(tables.store, id, make)
    if yes and after is not None and {*after.agreed, person} >= set(people):
        await tables.go_back(id, asked.seat, (asked.version, after.seating))
    else:
        await tables.look_at_seats(table)


async def request(store: Store, table: str) -> Request | None:
    """What was asked at a table last."""
    return await store.read(lambda connection: _request(connection, table))


async def _put(store: Store, table: str, make: Callable[[Request | None, int, int], Request | None]) -> Request | None:
    """Store what `make` makes of what is asked, told how many rows there are and the count of changes of seats."""
    t, g, m = schema.tables, schema.going_back, schema.moves

    def put(connection: Connection) -> Request | None:
        seating = connection.scalar(select(t.c.seating).where(t.c.id == table).with_for_update()) or 0
        rows = connection.scalar(select(func.count()).select_from(m).where(m.c.table == table)) or 0
        before = _request(connection, table)
        after = make(before, rows, seating)
        if after == before:
            return after
        connection.execute(delete(g).where(g.c.table == table))
        if after is not None:
            # Counted as a change of the seats: so other processes find out, and no move is made unseen meanwhile.
            after = replace(after, seating=seating + 1)
            values = {**after.__dict__, "agreed": list(after.agreed)}
            connection.execute(insert(g).values(table=table, **values))
        connection.execute(update(t).where(t.c.id == table).values(seating=seating + 1))
        announce(connection, table)
        return after

    return await store.write(put)


def _request(connection: Connection, table: str) -> Request | None:
    g = schema.going_back
    query = select(g.c.seat, g.c.version, g.c.seating, g.c.agreed, g.c.declined).where(g.c.table == table)
    row = connection.execute(query).one_or_none()
    return None if row is None else Request(row[0], row[1], row[2], tuple(row[3]), row[4])
