"""A table: a room with seats, and the match that its rows make."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from thorp.core.chance import SEED_BITS
from thorp.core.game import AnyGame
from thorp.core.language import Language
from thorp.core.match import MOST_ANEW, AnyMatch, Step
from thorp.server.tables.archive import RulesChange
from thorp.server.tables.clocks import SeatClock
from thorp.server.tables.consent import Request
from thorp.server.tables.eyes import Eyes, Turns
from thorp.server.tables.refusals import Forbidden
from thorp.server.tables.store import Hand, SeatRow, TableRow
from thorp.server.tables.story import Story

#: The bot that sits where a file does not tell who played: it never has to think, as the match is over.
RECORDED = "recorded"
#: How often a seat may take back, or go back, in one match: whoever reads a table anew plays all its rows again.
MOST_BACK = 500


@dataclass(frozen=True)
class Player:
    """Who is to sit at a seat: a person (an id) or a bot (a level), or neither: whoever comes."""

    name: str
    person: str | None = None
    bot: str | None = None
    #: The person for whom the bot keeps the seat.
    away: str | None = None


class Table:
    """A table as far as this process has read it: its rows, and the match that they make."""

    def __init__(self, row: TableRow, seats: Sequence[SeatRow], match: AnyMatch) -> None:
        self.row = row
        self.seats = tuple(seats)
        #: Replaced as a whole, never changed: what is shown while a move is being stored is the match before it.
        self.match = match
        #: How many rows the match is made of, and how many of them by each seat. Nobody is shown how many rows there
        #: are: against the log it would tell which moves of others were forced.
        self.version = 0
        self.counters = [0] * row.seats
        #: How many rows of each seat took something back.
        self.backs = [0] * row.seats
        #: How much has happened before everybody's eyes: all moves, forced ones too, and all take-backs. It rises with
        #: every row, and is the same in every process.
        self.told = match.ply
        #: Who was asked when, and what each person with several seats has in hand.
        self.turns = Turns(self.told, match.waiting)
        self.hands: dict[str, Hand] = {}
        #: What the seats have left to think; none where the table has no clock, or gathers.
        self.clocks: tuple[SeatClock, ...] = ()
        #: When it went on by newer rules.
        self.changes: tuple[RulesChange, ...] = ()
        #: The seat of who sat there, has none now, and has not left it free: as far as this process has seen it happen.
        self.lost: dict[str, int] = {}
        #: For which seat who has asked was told no, until the seats change again: as far as this process has seen it.
        self.declined: dict[str, int] = {}
        #: Who asks all others to go back; it may hold no longer (`consent.holds`).
        self.request: Request | None = None
        self.lock = asyncio.Lock()
        #: Held while a thread puts its story into words.
        self.telling = asyncio.Lock()
        #: When this process last began to read the store for it, by the clock of `time.monotonic`.
        self.read = -math.inf
        #: What has been worked out, and rendered, for a viewer of the present; emptied with every change.
        self.shown: dict[tuple[int | None, Language], Any] = {}
        self.rendered: dict[Hashable, Any] = {}
        #: Lines of the story in words by their plies, for a viewer and its language; others where names change. Threads
        #: go on with what they were given: these are replaced, never emptied.
        self.said: dict[tuple[int | None, Language], dict[int, Any]] = {}
        #: What has been worked out once for all, and what viewers saw last, part by part.
        self.fixed: dict[str, Any] = {}
        self.parts: dict[Hashable, Any] = {}
        self.story = Story(match)
        self.mark = self._mark()

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
    def is_read(self) -> bool:
        """Whether this process has read the rows of it, at least once."""
        return self.read > -math.inf

    def seat_of(self, person: str) -> int | None:
        """The seat of a person, or None: a spectator."""
        return next((seat.seat for seat in self.seats if seat.person == person), None)

    def seats_of(self, person: str) -> tuple[int, ...]:
        """All seats of a person: several where people share its device."""
        return tuple(seat.seat for seat in self.seats if seat.person == person)

    @property
    def is_shared(self) -> bool:
        """Whether any person has several seats."""
        people = [seat.person for seat in self.seats if seat.person is not None]
        return len(set(people)) < len(people)

    def eyes(self, person: str) -> Eyes:
        """Whose eyes the pages of a person have now. While the table gathers there is nothing to be hidden."""
        mine = self.seats_of(person)
        if len(mine) < 2 or self.gathering:
            return Eyes(mine[0] if mine else None)
        secret = not self.match.over and self.game.has_secrets(self.match.options)
        return self.turns.eyes(mine, self.hands.get(person), secret=secret)

    def mark_for(self, eyes: Eyes) -> str:
        """The mark of what is shown to these eyes."""
        return f"{self.mark}-{eyes.mark}" if eyes.device else self.mark

    @property
    def gathering(self) -> bool:
        """Whether the match has not begun: nothing of it may be shown to anybody."""
        return self.row.started is None

    def kept_for(self, person: str) -> int | None:
        """The seat that a bot keeps for a person, or None."""
        return next((seat.seat for seat in self.seats if seat.away == person), None)

    def lost_by(self, person: str) -> int | None:
        """The seat at which somebody else sits now in the place of a person, or None."""
        seat = self.lost.get(person)
        return None if seat is None or self.seats[seat].free else seat

    def may_be_seen_by(self, person: str) -> bool:
        """Whether a person may look at the match: where there are no spectators, who belongs to the table."""
        return may_be_seen_by(self.row, self.seats, person)

    def bot_seed(self, seat: int) -> int:
        """What a bot draws its chances from for its next move: after a restart it thinks the same thoughts again."""
        return bot_seed(self.row.salt, seat, self.counters[seat])

    @property
    def undone(self) -> int:
        """Rises with everything that is taken back, and with nothing else: it is the same in every process."""
        return self.told - self.match.ply

    def can_take_back(self, seat: int) -> bool:
        """Whether a seat may take its last move back. When the match is over its seed is open: no more, then."""
        return not self.match.over and self.match.can_take_back(seat)

    def has_backs_left(self, seat: int) -> bool:
        """Whether a seat has not taken back too often to do it once more."""
        return self.backs[seat] < MOST_BACK

    @property
    def can_draw_anew(self) -> bool:
        """Whether chance can be drawn anew once more in the match, and a file still tell of it."""
        return len(self.match.anew) < MOST_ANEW

    def can_go_back(self, seat: int) -> bool:
        """Whether a seat could choose its last move again if all agree, and not freely."""
        if self.gathering or not self.can_draw_anew or not self.has_backs_left(seat):
            return False
        return not self.can_take_back(seat) and self.match.can_go_back(seat)

    def advance(
        self,
        match: AnyMatch,
        seats: Sequence[int],
        played: Sequence[tuple[Step, ...] | None],
        asked: Sequence[tuple[int, ...]],
    ) -> None:
        """Take over a match that is as many rows further as `seats` tells whose.

        `played` are the moves that each row brought; None: it took some back. `asked` are the seats that had to decide
        after each.
        """
        self.match = match
        for steps, waiting in zip(played, asked, strict=True):
            self.told += 1 if steps is None else len(steps)
            self.turns.add(self.told, waiting)
        if None in played:
            self.story.begin_again(match)
        else:
            self.story.add(match, (step for steps in played if steps for step in steps))
        self.version += len(seats)
        for seat, steps in zip(seats, played, strict=True):
            self.counters[seat] += 1
            self.backs[seat] += steps is None
        self.look_again()

    def furnish(self, row: TableRow, seats: Sequence[SeatRow]) -> None:
        """Take over what is new about the table besides moves."""
        if (row.next_table, row.seating, tuple(seats)) == (self.row.next_table, self.row.seating, self.seats):
            return
        if [seat.name for seat in seats] != self.names:
            self.said = {}
        self._note_lost(seats)
        self._note_declined(seats)
        self.row = row
        self.seats = tuple(seats)
        self.look_again()

    def _note_lost(self, seats: Sequence[SeatRow]) -> None:
        here = {person for seat in seats for person in (seat.person, seat.away)}
        lost = {person: seat.seat for seat in self.seats if (person := seat.person or seat.away)}
        lost = {person: seat for person, seat in lost.items() if not seats[seat].free}
        self.lost = {person: seat for person, seat in (self.lost | lost).items() if person not in here}

    def _note_declined(self, seats: Sequence[SeatRow]) -> None:
        # who asks for another seat now, or has got one, or asked for one that somebody has taken, was not told no
        asks = {seat.asker for seat in seats}
        has = {person for seat in seats for person in (seat.person, seat.away)}
        open_to = {seat.asker: seat.seat for seat in self.seats if seat.asker and seats[seat.seat].bot is not None}
        self.declined = {person: seat for person, seat in open_to.items() if person not in asks | has}

    def look_again(self) -> None:
        """Forget what has been worked out for viewers."""
        self.mark = self._mark()
        # Who has not looked since the last change, may never look again.
        self.parts = {viewer: parts for viewer, parts in self.parts.items() if viewer in self.rendered}
        self.shown.clear()
        self.rendered.clear()

    def rest(self) -> None:
        """Keep what the match is made of, and nothing that can be worked out again when somebody looks."""
        self.rendered.clear()
        self.look_again()
        self.said = {}
        self.story.forget()

    def _mark(self) -> str:
        """What changes whenever anything at the table does, made of nothing but what every page of it shows."""
        clocks = [[each.left, each.since and each.since.isoformat(), each.out] for each in self.clocks]
        besides = json.dumps([self.names, self.row.next_table, self.row.seating, clocks])
        # What was forced at the deal is told when the match has begun.
        return f"{0 if self.gathering else self.told}.{hashlib.sha256(besides.encode()).hexdigest()[:12]}"


def bot_seed(salt: str, seat: int, counter: int) -> int:
    """What a bot draws its chances from for its next move, when its seat has made so many."""
    digest = hashlib.sha256(f"{salt} bot {seat} {counter}".encode()).digest()
    return int.from_bytes(digest) % (1 << SEED_BITS)


def may_be_seen_by(row: TableRow, seats: Sequence[SeatRow], person: str) -> bool:
    """Whether a person may look at a match: where there are no spectators, who belongs to the table."""
    return row.watchable or row.opener == person or any(person in (seat.person, seat.away) for seat in seats)


def is_watched_by(row: TableRow, seats: Sequence[SeatRow], person: str) -> bool:
    """Whether a person has opened a table to watch bots there. The match of a file is none that bots play."""
    return row.opener == person and all(seat.bot not in (None, RECORDED) and seat.away is None for seat in seats)


def can_change_bots(seats: Sequence[SeatRow]) -> bool:
    """Whether bots sit there, and everybody else is one person, who may choose which bots to meet again."""
    people = {person for seat in seats if (person := seat.person or seat.away)}
    return len(people) == 1 and any(seat.bot is not None and seat.away is None for seat in seats)


def own_seats(table: Table, person: str) -> tuple[int, ...]:
    """The seats of a person; raises Forbidden for a spectator."""
    seats = table.seats_of(person)
    if not seats:
        raise Forbidden("You have no seat at this table: you can watch, or start a table of your own.")
    return seats
