"""A desk for tests, at which games of tables are learned in this process, when it may."""

from __future__ import annotations

import asyncio

from thorp.core.errors import GameError
from thorp.players import Stop
from thorp.server.tables.studies import Study


class Desk:
    """Instead of processes: takes questions, and answers when it is told to."""

    def __init__(self) -> None:
        self.questions: list[Study] = []
        self.asked = asyncio.Event()
        self.answers = asyncio.Event()
        self.fails = False
        self.stopped = 0

    async def think(self, question: Study, whose: object) -> bool:
        self.questions.append(question)
        self.asked.set()
        try:
            await self.answers.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        if self.fails:
            raise GameError("nothing comes to mind")
        return question.answer(Stop())

    async def close(self) -> None:
        pass
