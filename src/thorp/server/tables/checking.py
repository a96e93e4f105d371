"""Options and matches as people send them, checked beside the loop: nobody else waits while a file is read.

A thread does it, not a process: a file is bounded before it is read (`core/options.py`, `cardfiles/bounds.py`), so that
of Thorp's own games the worst is read in a twentieth of a second, and there is nothing to kill. A checker of somebody
else's that never ends holds its thread, and so many of them hold all the room that their game has for checking files:
who sends another is refused, and everything else goes on. The threads end with the process.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TypeVar

from thorp.core.errors import MatchFileError, OptionError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match
from thorp.core.words import Quoted
from thorp.server.tables.refusals import Busy, Illegal
from thorp.server.threads import Threads

T = TypeVar("T")

#: Stands for exports where a game's id stands for its files: no game has an empty one.
_EXPORTS = ""
#: So many seconds may checking take, the wait for a free thread included; so many threads a game has for it.
SECONDS = 6.0
THREADS = 2


class Checking:
    """The threads of this process that check options."""

    def __init__(self) -> None:
        self._threads: defaultdict[str, Threads] = defaultdict(lambda: Threads(THREADS, "options"))

    async def options(self, game: AnyGame, seats: int, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value.

        Raises Illegal where one is impossible or takes too long, Busy where too many are being checked.
        """
        try:
            if not brings_file(game, chosen):
                return game.options_for(seats, chosen)
            return await self._aside(game.id, lambda: game.options_for(seats, chosen))
        except OptionError as error:
            fault = Quoted(error.message, game.words, opens=True)
            raise Illegal("{fault}. Change it and try again.", fault=fault) from error

    async def match(self, text: str, require: Callable[[str], None]) -> AnyMatch:
        """The match of an exported file, played again. `require` raises where the rules of a game are not ready.

        Raises Illegal where it is no such file, Busy where it takes too long or too many are being checked.
        """
        try:
            return await self._aside(_EXPORTS, lambda: _load(text, require))
        except MatchFileError as error:
            raise Illegal(
                "This is no file of a match that can be looked at here: {fault}. Choose one that was exported at the "
                "end of a match, as it was saved.",
                fault=error.message,
            ) from error

    async def _aside(self, room_of: str, work: Callable[[], T]) -> T:
        """What some work gives that is done in a thread of a game's, or of those for exports."""
        began = False
        try:
            async with asyncio.timeout(SECONDS):
                try:
                    done = await self._threads[room_of].begin(work)
                except RuntimeError:  # the machine has no more threads to give
                    raise Busy("The server can check no file just now. Try again in a moment.") from None
                began = True
                return await asyncio.shield(done)
        except TimeoutError:
            # a match cannot be made simpler, and is one that a table had: it is the machine that is slow
            if began and room_of != _EXPORTS:
                raise Illegal("The file takes too long to check. Make it simpler, or choose another one.") from None
            raise Busy("The server is checking other files just now. Try again in a moment.") from None


def _load(text: str, require: Callable[[str], None]) -> AnyMatch:
    # Or the compiling of its rules would begin here.
    require(Match.exported_game(text))
    match = Match.load(text)
    if match.branch(match.ply).digest() != match.digest():
        raise MatchFileError("it was played by an older Thorp, which forced other moves")
    return match


def brings_file(game: AnyGame, chosen: Mapping[str, str]) -> bool:
    """Whether there is a file among some options, which is to be checked."""
    return any(option.file and chosen.get(option.id, option.default) not in option.values for option in game.options)
