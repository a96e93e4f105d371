"""Old matches for ever: every match that is over gets a record, which is read without its rules."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from thorp.core.chance import GENERATOR_VERSION
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match, Step
from thorp.core.registry import game as find_game
from thorp.server.tables import archive
from thorp.server.tables.archive import Packed, Record
from thorp.server.tables.schema import ANEW, CONTINUED, TAKE_BACK, WENT_BACK
from thorp.server.tables.store import MoveRow, SeatRow, Store, TableRow, Unavailable
from thorp.server.tables.table import Table

log = logging.getLogger(__name__)


class Ending(StrEnum):
    """How a match came to its end, as its record tells."""

    #: It was played to its end by the rules that drew the record.
    PLAYED = "played"
    #: It was played by older rules, and newer ones drew it: what they make of it may differ from what was seen.
    REPLAYED = "replayed"
    #: Newer rules do not allow one of its moves.
    RULES = "rules"
    #: Whoever runs the server closed it.
    HOST = "host"


@dataclass(frozen=True)
class Over:
    """A match that is over, to be drawn: as far as the rules here can play it."""

    row: TableRow
    seats: tuple[SeatRow, ...]
    match: AnyMatch
    ending: Ending


#: Draws the record of a match; called in a thread.
Draw = Callable[[Over], Record]


def versions_of(row: TableRow) -> tuple[int, int]:
    """The versions of the rules and of the generator by which a table is played."""
    return row.rules_version, row.generator_version


def versions_here(game: AnyGame) -> tuple[int, int]:
    """The versions that this server plays."""
    return game.rules_version, GENERATOR_VERSION


def play_row(match: AnyMatch, row: MoveRow) -> tuple[Step, ...] | None:
    """Do in a match what a row says: the moves that it adds; None where some were taken back. Raises GameError."""
    if row.move == CONTINUED:
        match.continued = match.ply
        return ()
    if row.move == TAKE_BACK:
        match.take_back(row.seat)
        return None
    if row.move == WENT_BACK:
        match.go_back(row.seat, row.chance or 0)
        return None
    if row.move == ANEW:
        match.draw_anew(row.seat, row.chance or 0)
        return ()
    return match.replay(row.seat, row.move)


def play_again(row: TableRow, rows: Sequence[MoveRow]) -> tuple[AnyMatch, int]:
    """The match of a table by the rules that are here, and how many of its rows they allow.

    Raises GameError where it cannot even be dealt.
    """
    match: AnyMatch = Match(find_game(row.game), row.seats, row.options, row.seed, forced=row.forced)
    for count, each in enumerate(rows):
        try:
            play_row(match, each)
        except GameError:
            return match, count
    return match, len(rows)


class Records:
    """The records of all matches that are over."""

    def __init__(self, store: Store, draw: Draw) -> None:
        self.store = store
        self._draw = draw
        #: One is drawn at a time, so that tables in play have the processors.
        self._drawing = asyncio.Lock()
        self._at_work: set[asyncio.Task[None]] = set()
        self._closing = False

    def after(self, table: Table) -> None:
        """Called with every table that has moved on: where the match is over it is recorded."""
        if table.match.over:
            self.begin(Over(table.row, table.seats, table.match.copy(), Ending.PLAYED))

    def begin(self, over: Over) -> None:
        """Have the record of a match drawn that is over: nobody waits for it."""
        if not self._closing:
            task = asyncio.create_task(self._keep_quietly(over))
            self._at_work.add(task)
            task.add_done_callback(self._at_work.discard)

    async def close(self) -> None:
        """Finish what is being drawn; what is missing then is drawn after the next start."""
        self._closing = True
        await asyncio.gather(*self._at_work)

    async def drawn(self, over: Over) -> Packed:
        """A record, drawn and packed in a thread."""
        async with self._drawing:
            return await asyncio.to_thread(lambda: archive.pack(self._draw(over)))

    async def keep(self, over: Over) -> None:
        """Draw the record of a match that is over and store it, unless there is one."""
        if await self.store.read(lambda connection: archive.is_recorded(connection, over.row.id)):
            return
        packed = await self.drawn(over)
        await self.write(lambda connection: archive.keep(connection, over.row.id, packed, self.store.now))

    async def write(self, work: Callable[[Connection], bool]) -> bool:
        """Run a transaction that stores a record."""
        try:
            return await self.store.write(work)
        except IntegrityError:
            # Another server has stored the same look, or the same record, meanwhile: it is there now.
            return await self.store.write(work)

    async def _keep_quietly(self, over: Over) -> None:
        try:
            await self.keep(over)
        except Exception as error:
            # it is over and stored; the record is made up for at the next start, or when somebody asks for it
            log.warning("a finished match of %s could not be recorded (%s)", over.row.game, type(error).__name__)

    async def read(self, id: str) -> tuple[dict[str, Any], str, str] | None:
        """The record of a table that is over, drawn now where it is missing; None where that cannot be done.

        What it tells, the digest of its style sheet, and its drawings.
        """
        found = await self.store.read(lambda connection: archive.record(connection, id))
        if found is None and await self.make_up(id):
            found = await self.store.read(lambda connection: archive.record(connection, id))
        return found

    async def make_up(self, id: str) -> bool:
        """Draw the missing record of a table that is over, as far as the rules here can; whether that could be done."""
        found = await self.store.table(id)
        # A table that was closed while it gathered has no match.
        if found is None or found[0].finished is None or found[0].started is None:
            return False
        row, seats = found
        rows = await self.store.moves(id)
        try:
            game = find_game(row.game)
            match, played = await asyncio.to_thread(play_again, row, rows)
        except GameError as error:
            log.info("a finished match of %s cannot be recorded: %s", row.game, error)
            return False
        if played < len(rows):
            ending = Ending.RULES
        elif not match.over:
            ending = Ending.HOST
        else:
            ending = Ending.PLAYED if versions_of(row) == versions_here(game) else Ending.REPLAYED
        await self.keep(Over(row, seats, match, ending))
        return True

    async def make_up_all(self) -> None:
        """Draw what is missing of all matches that are over, newest first: those of before, and of a sudden end."""
        missing = await self.store.read(archive.lacking)
        for id in missing:
            if self._closing:
                return
            began = time.monotonic()
            try:
                await self.make_up(id)
            except Unavailable as error:
                log.warning("the store fails the records of old matches (%s): they are made up for later", error)
                return
            except Exception:
                log.exception("table %s could not be recorded", id)
            # Half of the time belongs to those who play.
            await asyncio.sleep(time.monotonic() - began)
