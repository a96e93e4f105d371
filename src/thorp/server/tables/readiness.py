"""The rules made ready: each game compiled once, in a process of its own, so that no page waits for the compiler."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import sys

import thorp.players
from thorp.compiling.mode import COMPILED
from thorp.core.errors import GameError
from thorp.core.match import AnyMatch, Match
from thorp.core.registry import game as find_game
from thorp.core.registry import game_ids
from thorp.players.players import has_to_be_compiled
from thorp.server.settings import Players

log = logging.getLogger(__name__)

#: How a process that compiles tells how far it is.
_PROGRESS = re.compile(rb"(\d+) (\d+)\s*")
#: Asks for what players that think need, instead of the rules.
_THOUGHT = "thought"
_NICE = 10


class Readiness:
    """Which games can be played, and how far the others are."""

    def __init__(self, players: Players, *, apart: bool) -> None:
        self.players = players
        #: Compile in other processes, which fill the cache on disk; here rules are only loaded then.
        self.apart = apart and COMPILED
        #: Set when every game is ready, or known to be broken.
        self.all_ready = asyncio.Event()
        #: Set when it is known which games there are.
        self.listed = asyncio.Event()
        self._ready: set[str] = set()
        #: Of the games that are not ready yet: how many rules are, of how many.
        self._coming: dict[str, tuple[int, int]] = {}

    @property
    def games(self) -> tuple[str, ...]:
        """The games that can be played, now or soon."""
        return tuple(sorted(self._ready | self._coming.keys()))

    def is_ready(self, game: str) -> bool:
        """Whether a game can be played now; of games that are not there nobody has to wait for anything."""
        return game in self._ready or (self.listed.is_set() and game not in self._coming)

    def progress(self, game: str) -> tuple[int, int]:
        """How many rules of a game are ready, of how many; 0 of 0 where that is not known."""
        return self._coming.get(game, (0, 0))

    async def prepare(self) -> None:
        """Make the rules of all games ready, as many at once as there are processors."""
        for id in game_ids():
            try:
                await asyncio.to_thread(find_game, id)
                self._coming[id] = (0, 0)
            except GameError as error:
                # one broken game, from whatever package, leaves the others playable
                log.error("the game %s cannot be used: %s", id, " ".join(str(error).splitlines()))
        self.listed.set()
        gate = asyncio.Semaphore(os.cpu_count() or 1)
        await asyncio.gather(*(self._prepare(id, gate) for id in self._coming))
        self.all_ready.set()

    async def prepare_thought(self) -> None:
        """When all games are ready: see to it that what players that think need lies in the cache, one game by one."""
        await self.all_ready.wait()
        for id in sorted(self._ready) if self.apart else ():
            if await asyncio.to_thread(has_to_be_compiled, find_game(id)):
                await self._compile_apart(id, _THOUGHT)

    async def _prepare(self, id: str, gate: asyncio.Semaphore) -> None:
        try:
            async with gate:
                if self.apart and await asyncio.to_thread(_has_to_be_compiled, id):
                    await self._compile_apart(id)
                await asyncio.to_thread(self._load, id)
        except Exception:
            log.exception("the game %s cannot be used", id)
        else:
            self._ready.add(id)
        finally:
            del self._coming[id]

    async def _compile_apart(self, id: str, *what: str) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", __name__, id, *what),
                stdout=asyncio.subprocess.PIPE,
                # what it complains of are lines of the log here
                stderr=asyncio.subprocess.STDOUT,
            )
        except OSError as error:
            log.warning("no process to compile in (%s): the rules are compiled in the server itself", error)
            return
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                if numbers := _PROGRESS.fullmatch(line):
                    if not what:
                        self._coming[id] = int(numbers[1]), int(numbers[2])
                elif said := line.decode(errors="replace").strip():
                    log.warning("compiling %s: %s", id, said)
            if await process.wait():
                log.warning("compiling %s apart failed; the rules are compiled in the server itself", id)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    def _load(self, id: str) -> None:
        find_game(id).prepare()
        warm_up(id, self.players)


def _has_to_be_compiled(id: str) -> bool:
    return find_game(id).has_to_be_compiled()


def warm_up(id: str, players: Players) -> None:
    """Let every level that answers at once make a move: what it needs is compiled with it."""
    game = find_game(id)
    match: AnyMatch = Match(game, game.seats[-1], seed=0)
    for name in players.levels():
        if not players.seconds(name):
            players.choose(name, match, match.waiting[0], 0)


def main(id: str, what: str = "") -> None:
    """Fill the cache with the compiled rules of a game, and say by numbers how far it is: to the server.

    Or with what players that think need, for which nobody waits.
    """

    def tell(done: int, total: int, name: str) -> None:
        print(done, total, flush=True)

    try:
        if what == _THOUGHT:
            with contextlib.suppress(OSError, AttributeError):
                os.nice(_NICE)
            thorp.players.get_ready(find_game(id))
            return
        find_game(id).prepare(tell)
        warm_up(id, thorp.players)
    except BrokenPipeError:
        # The server has ended, and nobody waits for it any more. Python would try again to write when it exits.
        os._exit(1)
    except Exception as error:
        sys.stderr.write(f"its rules cannot be compiled: {' '.join(str(error).split())}\n")


if __name__ == "__main__":
    # Ctrl-C stops the server and this process alike
    with contextlib.suppress(KeyboardInterrupt):
        main(*sys.argv[1:])
