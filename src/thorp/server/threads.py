"""Threads for work that may never end: beside the loop, so many at most, and none keeps the process from ending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class Threads:
    """So many threads at most."""

    def __init__(self, most: int, name: str) -> None:
        self.name = name
        self._room = asyncio.Semaphore(most)

    async def run(self, work: Callable[[], T]) -> T:
        """What some work gives or raises. It goes on where nobody waits for it any more, and has its thread so long.

        Raises RuntimeError where the machine has no more threads to give.
        """
        return await asyncio.shield(await self.begin(work))

    async def begin(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Begin some work as soon as there is room; what it gives or raises is to be waited for by `asyncio.shield`."""
        await self._room.acquire()
        try:
            done = _in_thread(work, self.name)
        except RuntimeError:
            self._room.release()
            raise
        done.add_done_callback(self._ended)
        return done

    def _ended(self, done: asyncio.Future[T]) -> None:
        self._room.release()
        done.exception()  # looked at, as it may be that nobody waits for it any more


def _in_thread(work: Callable[[], T], name: str) -> asyncio.Future[T]:
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    Thread(target=run, name=name, daemon=True).start()
    return asyncio.wrap_future(outcome)
