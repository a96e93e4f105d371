"""Tables: rooms with seats and a match. Every move goes through `Tables.play`: commit, apply, tell."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from thorp.core.chance import GENERATOR_VERSION, SEED_BITS
from thorp.core.game import Game, GameError, IllegalMove, OptionError
from thorp.core.game import game as find_game
from thorp.core.match import Match
from thorp.server.refusals import Forbidden, Gone, Illegal, Stale, Unknown
from thorp.server.schema import TAKE_BACK
from thorp.server.store import MoveRow, SeatRow, Store, TableRow, Taken, now
from thorp.server.story import Story

log = logging.getLogger(__name__)

#: How many tables stay in memory when nobody looks at them.
CACHE = 256
#: How often a move is tried when other servers take its place in the log.
ATTEMPTS = 50


@dataclass(frozen=True)
class Player:
    """Who is to sit at a seat: a person (an id) or a bot (a level)."""

    name: str
    person: str | None = None
    bot: str | None = None


class Table:
    """A table as far as this process has read it: its rows, and the match that they make."""

    def __init__(self, row: TableRow, seats: Sequence[SeatRow], match: Match) -> None:
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
        self._story = Story([seat.name for seat in self.seats])

    @property
    def id(self) -> str:
        """The id of the table."""
        return self.row.id

    @property
    def game(self) -> Game:
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

    @property
    def story(self) -> Story:
        """The log in words, up to the present."""
        self._story.follow(self.match)
        return self._story

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

    def advance(self, match: Match, seats: Sequence[int]) -> None:
        """Take over a match that is as many rows further as `seats` tells whose."""
        self.match = match
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
        self.look_again()
        self._story = Story(self.names)

    def look_again(self) -> None:
        """Forget what has been worked out for viewers."""
        self.shown.clear()
        self.rendered.clear()


class Tables:
    """All tables, by way of the store."""

    def __init__(
        self,
        store: Store,
        tell: Callable[[str], None],
        is_watched: Callable[[str], bool],
        random_bits: Callable[[int], int] = secrets.randbits,
    ) -> None:
        self.store = store
        self._random_bits = random_bits
        self._tell = tell
        self._is_watched = is_watched
        self._cache: OrderedDict[str, Table] = OrderedDict()
        #: Called with every table that has moved on.
        self.on_move: list[Callable[[Table], None]] = []

    # --- making tables -------------------------------------------------------------------------------------

    async def create(
        self,
        game: Game,
        options: Mapping[str, str],
        players: Sequence[Player],
        *,
        seed: int | None = None,
        forced: bool = True,
    ) -> str:
        """A new table; its id. Raises Illegal for options out of range.

        `forced`: whether single legal moves play themselves.
        """
        row, seats = self._new_table(game, options, players, seed, forced)
        await self.store.add_table(row, seats)
        return row.id

    async def again(self, id: str) -> str:
        """The table of the rematch: the same options and players, another seed; the same one for all who ask.

        Raises Stale while the match goes on.
        """
        table = await self.open(id)
        if not table.match.over:
            raise Stale("This match is not over yet: play it to its end, and then once more.")
        if table.row.next_table is None:
            players = [Player(seat.name, seat.person, seat.bot) for seat in table.seats]
            row, seats = self._new_table(table.game, table.match.options, players, None, table.row.forced)
            following = await self.store.add_rematch(id, row, seats)
            table.furnish(replace(table.row, next_table=following), table.seats)
            self._tell(id)
        assert table.row.next_table is not None
        return table.row.next_table

    def _new_table(
        self, game: Game, options: Mapping[str, str], players: Sequence[Player], seed: int | None, forced: bool
    ) -> tuple[TableRow, list[SeatRow]]:
        try:
            values = game.options_for(len(players), options)
        except OptionError as error:
            raise Illegal(f"{_sentence(str(error))} Change it and try again.") from error
        seed = self._random_bits(SEED_BITS) if seed is None else seed
        salt = f"{self._random_bits(128):032x}"
        row = TableRow(
            id=secrets.token_urlsafe(12),
            game=game.id,
            seats=len(players),
            options=values,
            seed=seed,
            salt=salt,
            commitment=commitment(salt, seed),
            rules_version=game.rules_version,
            generator_version=GENERATOR_VERSION,
            forced=forced,
            created=now(),
        )
        seats = [SeatRow(number, player.person, player.bot, player.name) for number, player in enumerate(players)]
        return row, seats

    async def rename(self, person: str, name: str) -> None:
        """Give a person another name at all its running tables."""
        for id in await self.store.rename(person, name):
            if table := self._cache.get(id):
                seats = [replace(seat, name=name) if seat.person == person else seat for seat in table.seats]
                table.furnish(table.row, seats)
                self._tell(id)

    # --- reading -------------------------------------------------------------------------------------------

    async def open(self, id: str) -> Table:
        """A table as it is now. Raises Unknown, or Gone where it cannot be played by the rules installed."""
        table = await self.glance(id)
        async with table.lock:
            await self._catch_up(table)
        return table

    async def glance(self, id: str) -> Table:
        """A table as this process saw it last: who sits there is true, the match may have gone on. Raises as `open`."""
        if id not in self._cache:
            found = await self.store.table(id)
            if found is None:
                raise Unknown("There is no such table. Check the address, or start a new table.")
            # Another request may have been faster: there must be one lock a table.
            if id not in self._cache:
                row, seats = found
                self._cache[id] = Table(row, seats, _deal(row))
                self._forget_some()
        self._cache.move_to_end(id)
        return self._cache[id]

    def _forget_some(self) -> None:
        for id, table in list(self._cache.items()):
            if len(self._cache) <= CACHE:
                return
            # The newest is the one just asked for.
            if id != next(reversed(self._cache)) and not table.lock.locked() and not self._is_watched(id):
                del self._cache[id]

    async def _catch_up(self, table: Table) -> None:
        """Read what other servers, or this one before it stopped, have stored."""
        rows = await self.store.moves(table.id, table.version)
        if rows:
            match = table.match.copy()
            for row in rows:
                _replay(table.row, match, row)
            table.advance(match, [row.seat for row in rows])
        if table.match.over and table.row.next_table is None:
            following = await self.store.next_table(table.id)
            table.furnish(replace(table.row, next_table=following), table.seats)

    # --- playing -------------------------------------------------------------------------------------------

    async def play(self, id: str, seat: int, counter: int, move: int, *, quiet: bool = False) -> Table:
        """Play a move of a seat: check it, commit it, and only then show it.

        `counter` is how many moves and take-backs the seat has made: what it has not seen it cannot answer.
        `quiet`: pages are not told, as more is about to come; `tell` them then.
        Raises Stale or Illegal, and nothing has changed.
        """
        table = await self.glance(id)

        def change(match: Match) -> None:
            match.play(seat, move)

        await self._change(table, seat, counter, move, change)
        self._moved(table, quiet)
        return table

    async def take_back(self, id: str, seat: int, counter: int) -> Table:
        """Take back a seat's last move. Raises Stale or Illegal, and nothing has changed."""
        table = await self.glance(id)

        def change(match: Match) -> None:
            if match.over:
                raise IllegalMove("the match is over")
            match.take_back(seat)

        await self._change(table, seat, counter, TAKE_BACK, change)
        self._moved(table, False)
        return table

    def tell(self, table: Table) -> None:
        """Wake the pages that show a table."""
        self._tell(table.id)

    def _moved(self, table: Table, quiet: bool) -> None:
        if not quiet:
            self._tell(table.id)
        for listener in self.on_move:
            listener(table)

    async def _change(self, table: Table, seat: int, counter: int, move: int, change: Callable[[Match], None]) -> None:
        async with table.lock:
            for _ in range(ATTEMPTS):
                await self._catch_up(table)
                if counter != table.counters[seat]:
                    raise Stale("The table had moved on when this arrived. Here it is as it stands now.")
                match = table.match.copy()
                try:
                    change(match)
                except IllegalMove as error:
                    raise Illegal(_why_not(table, seat, move)) from error
                row = MoveRow(table.version, seat, move, counter)
                try:
                    await self.store.add_move(table.id, row, finished=match.over)
                except Taken:
                    # Another server has stored a move since we read: look again whether ours still stands.
                    continue
                table.advance(match, [seat])
                return
            raise Stale("Too many moves came in at the same time, so yours was not done. Try again.")


def _why_not(table: Table, seat: int, move: int) -> str:
    if table.match.over:
        return "The match is over: nothing can be played or taken back any more."
    if move == TAKE_BACK:
        return "Your last move cannot be taken back: something has happened since that cannot be undone."
    if seat not in table.match.waiting:
        return "It is not for you to decide now: wait until you are asked."
    return "The rules do not allow that move now. Choose one of those that the table offers."


def own_seat(table: Table, person: str) -> int:
    """The seat of a person; raises Forbidden for a spectator."""
    seat = table.seat_of(person)
    if seat is None:
        raise Forbidden("You have no seat at this table: you can watch, or start a table of your own.")
    return seat


def commitment(salt: str, seed: int) -> str:
    """SHA-256 of salt and seed in hexadecimal: shown from the start, it proves at the end that the seed stayed."""
    return hashlib.sha256(f"{salt}{seed}".encode()).hexdigest()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _deal(row: TableRow) -> Match:
    """The match of a table before its first move."""
    try:
        game = find_game(row.game)
    except GameError as error:
        raise Gone(f"This table plays {row.game}, which is not installed here.") from error
    if (row.rules_version, row.generator_version) != (game.rules_version, GENERATOR_VERSION):
        raise Gone(
            f"This table was played by version {row.rules_version} of the rules of {game.name}, and here is "
            f"version {game.rules_version}: it cannot go on. Start a new table."
        )
    return Match(game, row.seats, row.options, row.seed, forced=row.forced)


def _replay(table: TableRow, match: Match, row: MoveRow) -> None:
    try:
        if row.move == TAKE_BACK:
            match.take_back(row.seat)
        else:
            match.play(row.seat, row.move)
    except GameError as error:
        log.error("table %s cannot be replayed at ply %d: %s", table.id, row.ply, error)
        raise Gone("This table was played by other rules than those here: it cannot go on.") from error
