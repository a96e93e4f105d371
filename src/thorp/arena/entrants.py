"""Who takes part in a contest: players by name, and players of somebody else's."""

from __future__ import annotations

import hashlib
import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from thorp.arena.sources import code_of_class, code_of_command
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.weights import read_weights
from thorp.players import goes_by_lessons, is_player, names, no_player, way_digest
from thorp.players.learned import learned_digest

_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
#: How an identity tells the code of a player.
_CODE = re.compile(r", whose code is ([0-9a-f]{12})(?=, [^,]+ s a choice$)")
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
    #: The player of Thorp's that it is where it has a name of its own, and the file of what it has learned then, with
    #: what that file was when the player was named.
    of_thorp: str = ""
    weights: str = ""
    digest: str = ""
    #: What the code of one of somebody else's was when it was named; "" where no file of it was found.
    code: str = ""

    @property
    def foreign(self) -> bool:
        """Whether it is a player of somebody else's."""
        return bool(self.command or self.of_class)

    @property
    def player(self) -> str:
        """Which player of Thorp's it is; "" for one of somebody else's."""
        return "" if self.foreign else self.of_thorp or self.name

    def learned(self, game: AnyGame) -> Any:
        """What is in its own file of weights; None where it has none.

        Raises GameError where the file cannot be read, does not belong to this game as it is now, or has changed.
        """
        return _read(game, Path(self.weights), self.digest) if self.weights else None

    def identity(self, game: AnyGame, seconds: float) -> str:
        """What it is, so that results of two players do not come under one name.

        Also by the way it thinks and what it has learned, and one of somebody else's by its code and the time it may
        take.
        """
        if self.foreign:
            code = f", whose code is {self.code}" if self.code else ""
            return f"{self.given}{code}, {seconds:g} s a choice"
        told = [self.given]
        if way := way_digest(self.player, game):
            told.append(f"which thinks by {way}")
        if game.net is not None and goes_by_lessons(self.player):
            told.append(f"which has learned {self.digest or learned_digest(game) or 'nothing'}")
        return ", ".join(told)

    def process(self) -> tuple[str, ...]:
        """The command that plays for it, on the machine that asks."""
        return (sys.executable, "-m", HOST, self.of_class) if self.of_class else self.command


def parted(identity: str) -> tuple[str, str]:
    """What a player is but for its code, and its code; "" where that is not told."""
    code = _CODE.search(identity)
    return (_CODE.sub("", identity), code[1]) if code else (identity, "")


@lru_cache(maxsize=8)
def _read(game: AnyGame, path: Path, digest: str) -> Any:
    if _digest(path) != digest:
        # as where a run that goes on learning writes it anew
        raise GameError(f"{path} has changed since the player was named: copy weights that still change")
    return read_weights(game, path)[0]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise GameError(f"{path} cannot be read: {error.strerror}") from error


def entrant(given: str) -> Entrant:
    """A player as it is given.

    That is `greedy`, `master@0.1`, `NAME=COMMAND`, `module:Class` or `NAME=module:Class`, and `NAME=learned:FILE` or
    `NAME=master@0.1:FILE` for a player of Thorp's that goes by weights of a file. Raises GameError where it is none of
    these, or the file cannot be read.
    """
    if is_player(given):
        return Entrant(given, given)
    name, sign, what = given.partition("=")
    of_thorp, colon, weights = (what if sign else given).partition(":")
    by_weights = bool(colon and weights) and is_player(of_thorp)
    if by_weights and not sign:
        raise GameError(f"a player that goes by a file of weights needs a name: write --player NAME={given}")
    if not sign and _CLASS.fullmatch(given):
        # it is called as the class is
        name, sign, what = given.rpartition(":")[2], "=", given
    if not sign:
        raise GameError(
            f"{no_player(given)}; a level that thinks with another time is LEVEL@SECONDS, one of your own NAME=COMMAND "
            "or module:Class, one by a file of weights NAME=learned:FILE or NAME=LEVEL:FILE"
        )
    if not re.fullmatch(r"[\w .+-]{1,40}", name) or name != name.strip() or name in names():
        raise GameError(
            "a player of your own needs a name of up to 40 letters, digits, spaces and . _ + -, that is not taken, "
            f"not {name!r}"
        )
    if is_player(what):
        raise GameError(f"{what} is a player of Thorp's and is called so: write --player {what}")
    if by_weights:
        if not goes_by_lessons(of_thorp):
            raise GameError(f"{of_thorp} goes by nothing that was learned: {weights} would not be asked")
        file = Path(weights).resolve()
        return Entrant(name, what, of_thorp=of_thorp, weights=str(file), digest=_digest(file))
    if _CLASS.fullmatch(what):
        return Entrant(name, what, of_class=what, code=code_of_class(what))
    try:
        words = _words(what)
    except ValueError as error:
        raise GameError(f"the command of {name} cannot be read: {error}") from error
    if not words:
        raise GameError(f"{name} has no command: write --player '{name}=COMMAND'")
    return Entrant(name, what, command=tuple(words), code=code_of_command(words))


def _words(command: str) -> list[str]:
    """The words of a command, as a shell parts them. On Windows a backslash stands between folders."""
    parted = shlex.shlex(command, posix=True)
    parted.whitespace_split = True
    parted.commenters = ""
    if sys.platform == "win32":
        parted.escape = ""
    return list(parted)


def entrants(given: Iterable[str]) -> tuple[Entrant, ...]:
    """Several players; raises GameError where two have one name."""
    found = tuple(entrant(each) for each in given)
    called = [each.name for each in found]
    if twice := sorted({name for name in called if called.count(name) > 1}):
        then = "--mirror lets a player meet itself" if is_player(twice[0]) else "give each a name of its own, NAME=..."
        raise GameError(f"two players are called {twice[0]}: {then}")
    return found
