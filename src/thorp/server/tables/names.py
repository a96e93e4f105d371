"""Equal names at a table, which are allowed, and are told apart wherever they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import count


def told_apart(names: Sequence[str]) -> list[str]:
    """The names by seat, each of them another one: who is called as somebody before is so with a number, from 2.

    Names are equal that are heard alike ("Anna", "anna"). No number makes a name that somebody else has. A free seat
    has no name.
    """
    return list(_told_apart(tuple(names)))


# There are few tables at a time, and they are named for every move that they offer.
@lru_cache(1024)
def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    given = {name.casefold() for name in names}
    shown: list[str] = []
    met: set[str] = set()
    for name in names:
        called = name
        if name and name.casefold() in met:
            called = next(way for n in count(2) if (way := f"{name} {n}").casefold() not in given)
        met.add(name.casefold())
        given.add(called.casefold())
        shown.append(called)
    return tuple(shown)
