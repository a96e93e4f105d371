"""A table: a room with seats, and the match that its rows make."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from thorp.core.chance import SEED_BITS
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Step
from thorp.server.tables.refusals import Forbidden
from thorp.server.tables.store import SeatRow, TableRow
from thorp.server.tables.story import Line, Story


@dataclass(frozen=True)
class Player:
    """Who is to sit at a seat: a person (an id) or a bot (a level)."""

    name: str
    person: str | None = None
    bot: str | None = None


class Table:
    """A table as far as this process has read it: its rows, and the match that they make."""

    def __init__(self, row: TableRow, seats: Sequence[SeatRow], match: AnyMatch) -> None:
        self.row = row
        self.seats = tuple(seats)
        #: Replaced as a whole, never changed: what is shown while a move is being stored is the match before it.
        self.match = match
        #: How many rows the match is made of, and how many of them by each seat.
        self.version = 0
        self.counters = [0] * row.seats
        #: Counts changes that are no moves: another name, a rematch.
        self.edition = 0
        self.lock = asyncio.Lock()
        #: What has been worked out, and rendered, for a viewer of the present; emptied with every change.
        self.shown: dict[int | None, Any] = {}
        self.rendered: dict[int | None, str] = {}
        #: Lines of the story in words, for a viewer; emptied where names change.
        self.said: dict[tuple[Line, int | None], Any] = {}
        self.story = Story(match)

    @property
    def id(self) -> str:
        """The id of the table."""
        return self.row.id

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.match.game

    @property
    def names(self) -> list[str]:
        """The names of the players by seat."""
        return [seat.name for seat in self.seats]

    @property
    def mark(self) -> str:
        """Changes whenever anything at the table does."""
        return f"{self.version}.{self.edition}" if self.edition else str(self.version)

    def seat_of(self, person: str) -> int | None:
        """The seat of a person, or None: a spectator."""
        return next((seat.seat for seat in self.seats if seat.person == person), None)

    def bot_seed(self, seat: int) -> int:
        """What a bot draws its chances from for its next move: after a restart it thinks the same thoughts again."""
        digest = hashlib.sha256(f"{self.row.salt} bot {seat} {self.counters[seat]}".encode()).digest()
        return int.from_bytes(digest) % (1 << SEED_BITS)

    def can_take_back(self, seat: int) -> bool:
        """Whether a seat may take its last move back. When the match is over its seed is open: no more, then."""
        return not self.match.over and self.match.can_take_back(seat)

    def advance(self, match: AnyMatch, seats: Sequence[int], steps: Sequence[Step] | None) -> None:
        """Take over a match that is as many rows further as `seats` tells whose.

        `steps` are the moves that lead there; None: some were taken back.
        """
        self.match = match
        if steps is None:
            self.story.begin_again(match)
        else:
            self.story.add(steps)
        self.version += len(seats)
        for seat in seats:
            self.counters[seat] += 1
        self.look_again()

    def furnish(self, row: TableRow, seats: Sequence[SeatRow]) -> None:
        """Take over what is new about the table besides moves."""
        if (row.next_table, tuple(seats)) == (self.row.next_table, self.seats):
            return
        self.row = row
        self.seats = tuple(seats)
        self.edition += 1
        self.said.clear()
        self.look_again()

    def look_again(self) -> None:
        """Forget what has been worked out for viewers."""
        self.shown.clear()
        self.rendered.clear()


def own_seat(table: Table, person: str) -> int:
    """The seat of a person; raises Forbidden for a spectator."""
    seat = table.seat_of(person)
    if seat is None:
        raise Forbidden("You have no seat at this table: you can watch, or start a table of your own.")
    return seat
