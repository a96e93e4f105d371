"""Fields of records that generic code is given, read and written from Python in both modes."""

from __future__ import annotations

from typing import Any

from thorp.compiling.mode import COMPILED
from thorp.compiling.record import Record
from thorp.core.game import AnyGame


def made(kind: type[Record], **values: int) -> Any:
    """A record of a kind, as compiled code and as plain code takes it."""
    made = kind()
    for name, value in values.items():
        setattr(made, name, value)
    return made.write()[0] if COMPILED else made


def get(record: Any, name: str) -> Any:
    """A field."""
    return record[name] if COMPILED else getattr(record, name)


def put(record: Any, name: str, value: int) -> None:
    """Set a field."""
    if COMPILED:
        record[name] = value
    else:
        setattr(record, name, value)


def put_at(record: Any, name: str, index: int, value: int) -> None:
    """Set a number of a row."""
    get(record, name)[index] = value


def same_but_for_chance(game: AnyGame, one: Any, other: Any) -> bool:
    """Whether states of a game differ in nothing but the chance to come."""
    if game.chance:
        one = game.copy(one)
        put_at(one, "chance", 0, int(get(other, "chance")[0]))
    return game.bytes(one) == game.bytes(other)
