"""What a person prefers, at all tables and on all devices: a few settings, each one of a few words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from thorp.core.language import ENGLISH, translated
from thorp.server.tables import schema
from thorp.server.tables.refusals import Illegal
from thorp.server.tables.store import Store

#: Every setting with what can be chosen; the first is what holds for who has chosen nothing.
CHOICES: Mapping[str, tuple[str, ...]] = {
    # whether a move that cannot be taken back waits for a second click
    "confirm": ("people", "always", "never"),
    # whether the chat of tables is seen
    "chat": ("shown", "hidden"),
    # how moves of others are shown: one after the other, quicker or slower, or what came of them at once
    "pace": ("quick", "slow", "once"),
    # whether a page sounds when its person has to decide
    "sound": ("off", "on"),
    # whether letters, digits and signs act as keys
    "keys": ("on", "off"),
    # by day or in the evening: as the device has it, or always the same
    "theme": ("system", "light", "dark"),
    # in which language pages and notices are; as the browser has it, or one
    "language": ("browser", ENGLISH.tag, *translated()),
}


#: What holds for who has chosen nothing.
USUAL: Mapping[str, str] = {key: values[0] for key, values in CHOICES.items()}


class Preferences:
    """The preferences of all people, by way of the store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def of(self, person: str) -> dict[str, str]:
        """Every setting of a person, chosen or not."""
        chosen = await self.store.read(partial(_chosen, person=person))
        return {key: chosen[key] if chosen.get(key) in values else USUAL[key] for key, values in CHOICES.items()}

    async def choose(self, person: str, chosen: Mapping[str, str]) -> None:
        """Keep what a person has chosen; settings that are not named stay. Raises Illegal for what cannot be chosen."""
        for key, value in chosen.items():
            if value not in CHOICES.get(key, ()):
                raise Illegal("One of the settings cannot be chosen. Load the page again, and choose once more.")
        try:
            await self.store.write(partial(_choose, person=person, chosen=chosen))
        except IntegrityError:
            # The same person was faster at another server: now the row is there.
            await self.store.write(partial(_choose, person=person, chosen=chosen))


def _chosen(connection: Connection, person: str) -> dict[str, str]:
    p = schema.preferences
    rows = connection.execute(select(p.c.key, p.c.value).where(p.c.person == person))
    return {key: value for key, value in rows}  # noqa: C416 - rows are not pairs to a type checker


def _choose(connection: Connection, person: str, chosen: Mapping[str, str]) -> None:
    p = schema.preferences
    for key, value in chosen.items():
        changed = connection.execute(update(p).where(p.c.person == person, p.c.key == key).values(value=value))
        if not changed.rowcount:
            connection.execute(insert(p).values(person=person, key=key, value=value))
