"""Who takes part in a contest: players by name, and players of somebody else's."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from thorp.core.errors import GameError
from thorp.players import is_player, names

_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
#: What runs a class in a process of its own.
HOST = "thorp.arena.host"


@dataclass(frozen=True)
class Entrant:
    """A player that takes part."""

    #: What it is called in results and reports.
    name: str
    #: As it was given: what it is, so that results of two players do not come under one name.
    given: str
    #: The process that plays, where it is none of Thorp's own players.
    command: tuple[str, ...] = ()
    #: A class that a process of Thorp's plays by: `module:Class`.
    of_class: str = ""

    @property
    def foreign(self) -> bool:
        """Whether it is a player of somebody else's."""
        return bool(self.command or self.of_class)

    def process(self) -> tuple[str, ...]:
        """The command that plays for it, on the machine that asks."""
        return (sys.executable, "-m", HOST, self.of_class) if self.of_class else self.command


def entrant(given: str) -> Entrant:
    """A player as it is given: `greedy`, `master@0.1`, `NAME=COMMAND`, `module:Class` or `NAME=module:Class`.

    Raises GameError where it is none of these.
    """
    if is_player(given):
        return Entrant(given, given)
    name, sign, what = given.partition("=")
    if not sign and _CLASS.fullmatch(given):
        return Entrant(given.rpartition(":")[2], given, of_class=given)
    if not sign:
        raise GameError(
            f"there is no player {given!r}; there are {', '.join(names())}; "
            "a level that thinks with another time is LEVEL@SECONDS, one of your own NAME=COMMAND or module:Class"
        )
    if not re.fullmatch(r"[\w .+-]{1,40}", name) or name in names():
        raise GameError(
            f"a player of your own needs a name of letters, digits and spaces that is not taken, not {name!r}"
        )
    if is_player(what):
        raise GameError(f"{what} is a player of Thorp's and is called so: write --player {what}")
    if _CLASS.fullmatch(what):
        return Entrant(name, what, of_class=what)
    try:
        words = shlex.split(what)
    except ValueError as error:
        raise GameError(f"the command of {name} cannot be read: {error}") from error
    if not words:
        raise GameError(f"{name} has no command: write --player '{name}=COMMAND'")
    return Entrant(name, what, command=tuple(words))


def entrants(given: Iterable[str]) -> tuple[Entrant, ...]:
    """Several players; raises GameError where two have one name."""
    found = tuple(entrant(each) for each in given)
    called = [each.name for each in found]
    if twice := sorted({name for name in called if called.count(name) > 1}):
        raise GameError(f"two players are called {twice[0]}: give each a name of its own, NAME=...")
    return found
