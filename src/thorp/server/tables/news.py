"""News between the processes that share a store: that something was stored, and who is at a table.

The store stays the truth: news only say where it is worth a look, so that one that is lost or told twice does no harm.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

#: Under this a connection remembers what the transaction at work on it has changed.
_CHANGED = "thorp_changed"


def announce(connection: Connection, *tables: str) -> None:
    """Within a transaction: tell all other processes, when it is committed, that something about tables has changed."""
    connection.info.setdefault(_CHANGED, {}).update(dict.fromkeys(tables))


def announced(connection: Connection) -> tuple[str, ...]:
    """What was announced in the transaction at work, which is forgotten with this."""
    return tuple(connection.info.pop(_CHANGED, ()))


@dataclass(frozen=True)
class Present:
    """Who has a table open at one process: those who sit there by their ids, others by number."""

    people: frozenset[str] = frozenset()
    watching: int = 0

    def __bool__(self) -> bool:
        return bool(self.people) or self.watching > 0


class Listener:
    """Who is told the news."""

    def changed(self, table: str) -> None:
        """Another process has stored something about a table."""

    def present(self, process: str, table: str, present: Present) -> None:
        """Who has a table open at another process by now."""

    def joined(self, process: str) -> None:
        """Another process is there, and has to be told what is so here."""

    def gone(self, process: str) -> None:
        """Another process has ended, or cannot be heard."""

    def missed(self) -> None:
        """News may have been missed: all that is watched has to be looked at again, and told."""


class News:
    """News of one process to all others on its store, and theirs. This class tells nobody, and hears nothing.

    All but `within` is called in the thread of the event loop.
    """

    def __init__(self) -> None:
        #: What this process is called among the others.
        self.process = secrets.token_hex(8)
        self.listener = Listener()
        #: The other processes that can be heard.
        self.others: Collection[str] = ()

    async def open(self) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Take leave of the others, and listen no more."""

    def within(self, connection: Connection, tables: Sequence[str]) -> None:
        """Called at the end of a transaction that changes tables, before it is committed."""

    def after(self, tables: Sequence[str]) -> None:
        """Called when a transaction that changes tables is committed."""

    def say(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Tell all others what is in no transaction. Where they cannot be reached now it is lost."""

    def say_present(self, tables: Mapping[str, Present]) -> None:
        """Tell all others who has tables open here."""
        self.say(
            {"here": id, "people": sorted(present.people), "watching": present.watching}
            for id, present in tables.items()
        )

    async def claim(self, table: str) -> bool:
        """Whether the bots of a table are this process's to ask. It lasts until `release`, or the process's end.

        Where processes do not hear each other both may be told so: the store lets only one answer count.
        """
        return True

    def release(self, table: str) -> None:
        """Leave the bots of a table to others."""

    # --- for those that do tell ------------------------------------------------------------------------------

    def text(self, message: Mapping[str, Any]) -> str:
        """A message as it is sent: with who says it."""
        return json.dumps({"from": self.process, **message})

    def hear(self, text: str | bytes) -> dict[str, Any]:
        """Pass a message on, and return it; empty where it cannot be understood: by another version of Thorp."""
        try:
            message: dict[str, Any] = json.loads(text)
            sender = str(message["from"])
            if sender == self.process:
                return message
            if "table" in message:
                self.listener.changed(str(message["table"]))
            elif "here" in message:
                present = Present(frozenset(map(str, message["people"])), int(message["watching"]))
                self.listener.present(sender, str(message["here"]), present)
        except (ValueError, KeyError, TypeError):
            return {}
        return message
