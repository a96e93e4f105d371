"""A judge for tests: decisions are judged in a thread of this process, when it may, and what was asked is kept."""

from __future__ import annotations

import asyncio
from typing import Any

from thorp.players import Analysis, Stop
from thorp.server.tables.thinking import Whose


class Judge:
    """Stands for the processes that think."""

    def __init__(self) -> None:
        self.free = asyncio.Event()
        self.free.set()
        self.asked: list[Any] = []
        #: How many were stopped.
        self.stopped = 0

    async def think(self, question: Any, whose: Whose) -> Analysis:
        self.asked.append(question)
        stop = Stop()
        try:
            await self.free.wait()
            found: Analysis = await asyncio.to_thread(question.answer, stop)
        except asyncio.CancelledError:
            stop()
            self.stopped += 1
            raise
        return found
