"""What those at a table are called on its pages: who has given no name is a guest or a seat, in the language of now."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from thorp.core.language import language, spoken, translated
from thorp.core.words import UNNAMED
from thorp.server.tables.names import told_apart
from thorp.server.tables.table import Table
from thorp.server.web.people import DEFAULT_NAME

#: What a seat is called of which a file does not tell who had it.
_SEAT = re.compile(UNNAMED.format(n="([0-9]+)"), re.ASCII)


@lru_cache
def _guests() -> frozenset[str]:
    """What a guest is called, in every language."""
    return frozenset((DEFAULT_NAME, *(language(tag).text(DEFAULT_NAME) for tag in translated())))


def called_now(name: str) -> str:
    """A name as it stands at a table, which keeps a guest's in the language of when they sat down, or it ended."""
    if seat := _SEAT.fullmatch(name):
        return spoken().text(UNNAMED).format(n=seat[1])
    return spoken().text(DEFAULT_NAME) if name in _guests() else name


def called_together(names: Iterable[str]) -> list[str]:
    """Names as they stand beside each other: equal ones are told apart, the first of them stays as it is."""
    return told_apart([called_now(name) for name in names])


def names_at(table: Table) -> list[str]:
    """The names of the players by seat, no two of them equal."""
    return called_together(table.names)
