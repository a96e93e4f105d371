"""The rules made ready: compiled once, in a process of their own, so that no page waits for the compiler."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import sys

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

import thorp.players
from thorp.core.game import game as find_game
from thorp.core.game import game_ids
from thorp.core.match import Match
from thorp.core.mode import COMPILED
from thorp.core.rule import show_progress
from thorp.server.answers import is_htmx, page, refuse
from thorp.server.settings import Players

log = logging.getLogger(__name__)

#: How the helper process tells how far it is.
_PROGRESS = re.compile(rb"(\d+) (\d+)\s*")


class Rules:
    """Whether the rules of all games are ready, and how far they are."""

    def __init__(self, players: Players, *, apart: bool) -> None:
        self.players = players
        #: Compile in another process, which fills the cache on disk; here they are only loaded then.
        self.apart = apart and COMPILED
        self.ready = asyncio.Event()
        self.done = 0
        self.total = 0
        #: The games that can be played, once they are ready.
        self.games: tuple[str, ...] = ()

    async def prepare(self) -> None:
        """Make the rules of all games ready."""
        if self.apart:
            await self._compile_apart()
        await asyncio.to_thread(self._load)
        self.ready.set()

    async def _compile_apart(self) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "thorp.server.compiling", stdout=asyncio.subprocess.PIPE
            )
        except OSError as error:
            log.warning("no process to compile in (%s): the rules are compiled in the server itself", error)
            return
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                if numbers := _PROGRESS.fullmatch(line):
                    self.done, self.total = int(numbers[1]), int(numbers[2])
            if await process.wait():
                log.warning("compiling apart failed; the rules are compiled in the server itself")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    def _load(self) -> None:
        usable: list[str] = []
        for id in game_ids():
            try:
                find_game(id).prepare()
                warm_up(id, self.players)
            except Exception:
                # One broken game, from whatever package, leaves the others playable.
                log.exception("the game %s cannot be used", id)
            else:
                usable.append(id)
        self.games = tuple(usable)


class UntilReady:
    """ASGI middleware: until the rules are ready, pages say so and come back by themselves."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"].startswith(("/static/", "/healthz")):
            await self.app(scope, receive, send)
            return
        rules: Rules = scope["app"].state.rules
        if rules.ready.is_set():
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if is_htmx(request) or request.method not in ("GET", "HEAD"):
            sentence = "The rules are being compiled, which takes some seconds. Try again in a moment."
            answer = refuse(request, 503, sentence, {"Retry-After": "2"})
        else:
            answer = page(request, "compiling.html", {"done": rules.done, "total": rules.total}, 503)
            answer.headers["Retry-After"] = "2"
        await answer(scope, receive, send)


def warm_up(id: str, players: Players) -> None:
    """Let every player make one move: what they need is compiled with it."""
    game = find_game(id)
    match = Match(game, game.seats[-1], seed=0)
    for name in players.names():
        players.choose(name, match, match.waiting[0], 0)


def main() -> None:
    """Fill the cache with the compiled rules of all games: a bar for people, and numbers for the server."""

    def tell(done: int, total: int, name: str) -> None:
        show_progress(done, total, name)
        print(done, total, flush=True)

    for id in game_ids():
        try:
            find_game(id).prepare(tell)
            warm_up(id, thorp.players)
        except Exception as error:
            sys.stderr.write(f"\nThe rules of {id} cannot be compiled: {error}\n")


if __name__ == "__main__":
    # Ctrl-C stops the server and this process alike
    with contextlib.suppress(KeyboardInterrupt):
        main()
