"""Links that make a browser somebody: those that hold once, for ten minutes, and which private ones still hold."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from thorp.server.tables import schema
from thorp.server.tables.store import Store

T = TypeVar("T")

#: So long a link that holds once holds; and so long afterwards it is still known what became of it.
HOLDS = timedelta(minutes=10)
_REMEMBERED = timedelta(days=1)


class Link(StrEnum):
    """Whether a link that holds once still does."""

    HOLDS = "holds"
    USED = "used"
    LATE = "late"
    #: None of ours, or another one has taken its place.
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Found:
    """A link that holds once, and the person to whom it leads, where it still does."""

    link: Link
    person: str = ""
    name: str = ""


def digest_of(key: str) -> str:
    """What is stored of the key of a link: whoever reads the store, or a copy of it, cannot use any link."""
    return hashlib.sha256(f"once {key}".encode()).hexdigest()


class Links:
    """The links of all people, by way of the store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def draw(self, person: str, name: str) -> str:
        """The key of a new link for a person, in the place of the one that it had."""
        return await self._write(partial(_draw, person=person, name=name, clock=self.store.now))

    async def find(self, key: str) -> Found:
        """Whether a link holds, and to whom it leads; it is not used up by that."""
        return await self.store.read(partial(_find, key=key, clock=self.store.now))

    async def use(self, key: str) -> Found:
        """Use a link: of two who do so, one gets it."""
        return await self._write(partial(_use, key=key, clock=self.store.now))

    async def generation(self, person: str) -> int:
        """How often a person has called its private links back: those of earlier generations hold no more."""
        return await self.store.read(partial(_generation, person=person))

    async def call_back(self, person: str) -> None:
        """Let no private link of a person hold that was made until now, nor one that holds once."""
        await self._write(partial(_call_back, person=person))

    async def _write(self, work: Callable[[Connection], T]) -> T:
        try:
            return await self.store.write(work)
        except IntegrityError:
            # The same person was faster at another server, or in another tab: now its row is there.
            return await self.store.write(work)


def _draw(connection: Connection, person: str, name: str, clock: Callable[[], datetime]) -> str:
    o = schema.once_links
    moment, key = clock(), secrets.token_urlsafe(24)
    connection.execute(delete(o).where((o.c.person == person) | (o.c.until < moment - _REMEMBERED)))
    connection.execute(insert(o).values(person=person, digest=digest_of(key), name=name, until=moment + HOLDS))
    return key


def _find(connection: Connection, key: str, clock: Callable[[], datetime]) -> Found:
    o = schema.once_links
    query = select(o.c.person, o.c.name, o.c.until, o.c.used).where(o.c.digest == digest_of(key))
    row = connection.execute(query).one_or_none()
    if row is None:
        return Found(Link.UNKNOWN)
    if row.used is not None:
        return Found(Link.USED)
    return Found(Link.HOLDS, row.person, row.name) if row.until > clock() else Found(Link.LATE)


def _use(connection: Connection, key: str, clock: Callable[[], datetime]) -> Found:
    o = schema.once_links
    moment = clock()
    holds = (o.c.digest == digest_of(key), o.c.used.is_(None), o.c.until > moment)
    found = _find(connection, key, clock)
    if found.link is Link.HOLDS and not connection.execute(update(o).where(*holds).values(used=moment)).rowcount:
        return _find(connection, key, clock)
    return found


def _generation(connection: Connection, person: str) -> int:
    p = schema.people
    return connection.scalar(select(p.c.link_generation).where(p.c.id == person)) or 0


def _call_back(connection: Connection, person: str) -> None:
    p, o = schema.people, schema.once_links
    more = update(p).where(p.c.id == person).values(link_generation=p.c.link_generation + 1)
    if not connection.execute(more).rowcount:
        connection.execute(insert(p).values(id=person, link_generation=1))
    connection.execute(delete(o).where(o.c.person == person))
