"""The match from which a table goes on: nothing is stored of which it was."""

from __future__ import annotations

from sqlalchemy import Connection, or_, select

from thorp.core.match import AnyMatch
from thorp.server.tables import schema
from thorp.server.tables.rooms import Tables
from thorp.server.tables.table import Table

#: So many matches of the same deal are looked at, the oldest first.
_MOST = 20


async def former_of(tables: Tables, table: Table, person: str) -> Table | None:
    """The match before, at which a person may look: over, with the same seed, and the same state at that position.

    None where there is none, or none any more.
    """
    ply = table.match.continued
    if ply is None:
        return None
    for id in await tables.store.read(lambda connection: _of_same_deal(connection, table, person)):
        former = await tables.open(id)
        if former.may_be_seen_by(person) and _is_from(table.match, former.match, ply):
            return former
    return None


def _of_same_deal(connection: Connection, table: Table, person: str) -> list[str]:
    t, s = schema.tables, schema.seats
    mine = select(s.c.table).where(s.c.person == person)
    query = select(t.c.id).where(
        *(t.c.seed == table.row.seed, t.c.game == table.row.game, t.c.finished.is_not(None)),
        *(t.c.id != table.id, t.c.created <= table.row.created),
        # all tables of a guide have one seed
        or_(t.c.guide.is_(None), t.c.id.in_(mine)),
    )
    return list(connection.scalars(query.order_by(t.c.created).limit(_MOST)))


def _is_from(match: AnyMatch, former: AnyMatch, ply: int) -> bool:
    """Whether a match goes on from this position of another one, which is over."""
    if not former.over or former.ply < ply or former.seats != match.seats:
        return False
    return match.game.bytes(former.at(ply).state) == match.game.bytes(match.at(ply).state)
