"""Decisions judged in the processes that think: what each move of a seat is worth, from what the seat knew then."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection

from thorp.core.chance import SEED_BITS
from thorp.core.game import AnyGame
from thorp.players import Analysis, Effort, Stop, judge
from thorp.server.tables.store import Store, Unavailable
from thorp.server.tables.thinking import Position

T = TypeVar("T")

#: Counts something that is about to be judged for somebody, and may raise; what it returns takes that back, where
#: nothing comes of it.
Begins = Callable[[], Callable[[], object]]
#: Seconds after which what was judged, which took long, is stored once more where the store fails.
_STORED_AGAIN = (0.5, 1.0, 2.0, 4.0, 8.0)
#: Of the seed of a judgement, in bits.
_JUDGE_BITS = 31


@dataclass(frozen=True)
class Judging:
    """A decision to be judged."""

    position: Position
    #: How many moves lay before it, and what was played there, if that is known.
    ply: int
    played: int | None
    seed: int
    #: How much processor time goes into it.
    seconds: float
    #: All moves from there on, where one seat played alone (`judge`).
    course: tuple[int, ...] = ()
    #: Lines to the end that hints have told of there, or before.
    lines: tuple[tuple[int, ...], ...] = ()

    @property
    def name(self) -> str:
        """Who thinks."""
        return "who judges moves"

    @property
    def what(self) -> str:
        """What is thought about."""
        return "a judgement"

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.position.game

    def answer(self, stop: Stop) -> Analysis:
        """Judge it."""
        game, state = self.position.read()
        where = (self.position.seats, self.position.seat, self.ply, self.played)
        effort = Effort(self.seconds, seed=self.seed)
        return judge(game, state, *where, effort, stop=stop, course=self.course, lines=self.lines)


def judging(
    game: AnyGame, state: Any, seats: int, seat: int, ply: int, played: int | None, salt: str, seconds: float
) -> Judging:
    """The question what the moves of a seat are worth in a state, which is only read.

    What the seat may not know does not even leave the server: it is dealt again, by what follows from the table's salt.
    """
    seed = int.from_bytes(hashlib.sha256(f"{salt} judging {seat} {ply}".encode()).digest()) % (1 << SEED_BITS)
    known = game.copy(state)
    game.determinize(known, seat, seed)
    position = Position(game.id, game.bytes(known), seats, seat)
    return Judging(position, ply, played, seed % (1 << _JUDGE_BITS), seconds)


async def write_again(store: Store, write: Callable[[Connection], T]) -> T:
    """Store what was judged: again where the store fails for a moment. Raises Unavailable where it fails for longer."""
    for wait in _STORED_AGAIN:
        try:
            return await store.write(write)
        except Unavailable:
            await asyncio.sleep(wait)
    return await store.write(write)
