"""A desk for tests, at which games of tables are learned in this process, when it may."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from thorp.core.errors import GameError
from thorp.players import Stop
from thorp.server.tables.studies import Study
from thorp.server.tables.thinking import Died


class Desk:
    """Instead of processes: takes questions, and answers when it is told to."""

    def __init__(self) -> None:
        self.questions: list[Study] = []
        self.asked = asyncio.Event()
        self.answers = asyncio.Event()
        #: Whether there is a process for what is asked; else it waits for its turn.
        self.free = asyncio.Event()
        self.free.set()
        self.fails = False
        #: Whether its process ends in the middle of it.
        self.dies = False
        self.stopped = 0

    async def think(self, question: Study, whose: object, begins: Callable[[], None] = lambda: None) -> bool:
        self.questions.append(question)
        self.asked.set()
        try:
            await self.free.wait()
            begins()
            if self.dies:
                raise Died("in the middle of it")
            await self.answers.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        if self.fails:
            raise GameError("nothing comes to mind")
        return question.answer(Stop())

    async def close(self) -> None:
        pass
