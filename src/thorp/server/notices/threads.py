"""Threads for what libraries send and wait for: none keeps the process from ending."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class Threads:
    """So many threads at most."""

    def __init__(self, most: int) -> None:
        self._room = asyncio.Semaphore(most)

    async def run(self, work: Callable[[], T]) -> T:
        """What some work gives or raises. It goes on where nobody waits for it any more, and has its thread so long."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def ended(settle: Callable[[], None]) -> None:
            self._room.release()
            if not done.done():
                settle()

        def run() -> None:
            settle: Callable[[], None]
            try:
                settle = partial(done.set_result, work())
            except BaseException as error:
                settle = partial(done.set_exception, error)
            # The loop may have ended meanwhile.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(ended, settle)

        await self._room.acquire()
        try:
            Thread(target=run, name="post", daemon=True).start()
        except RuntimeError:  # the machine has no more threads to give
            self._room.release()
            raise
        return await done
