"""Tables: rooms with seats and a match. Every move goes through `Tables.play`: commit, apply, tell."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from thorp.core.chance import GENERATOR_VERSION, SEED_BITS
from thorp.core.errors import GameError, IllegalMove, OptionError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match, Step
from thorp.core.registry import game as find_game
from thorp.server.tables.refusals import Gone, Illegal, NotReady, Stale, Unknown
from thorp.server.tables.schema import TAKE_BACK
from thorp.server.tables.store import MoveRow, SeatRow, Store, TableRow, Taken, now
from thorp.server.tables.table import Player, Table

log = logging.getLogger(__name__)

#: How many tables stay in memory when nobody looks at them.
CACHE = 256
#: How often a move is tried when other servers take its place in the log.
ATTEMPTS = 50


class Tables:
    """All tables, by way of the store."""

    def __init__(
        self,
        store: Store,
        tell: Callable[[str], None],
        is_watched: Callable[[str], bool],
        is_ready: Callable[[str], bool],
        random_bits: Callable[[int], int] = secrets.randbits,
    ) -> None:
        self.store = store
        self._is_ready = is_ready
        self._random_bits = random_bits
        self._tell = tell
        self._is_watched = is_watched
        self._cache: OrderedDict[str, Table] = OrderedDict()
        #: Called with every table that has moved on.
        self.on_move: list[Callable[[Table], None]] = []

    # --- making tables -------------------------------------------------------------------------------------

    async def create(
        self,
        game: AnyGame,
        options: Mapping[str, str],
        players: Sequence[Player],
        *,
        seed: int | None = None,
        forced: bool = True,
    ) -> str:
        """A new table; its id. Raises Illegal for options out of range, NotReady where it could not be dealt yet.

        `forced`: whether single legal moves play themselves.
        """
        self._require(game.id)
        row, seats = self._new_table(game, options, players, seed, forced)
        await self.store.add_table(row, seats)
        return row.id

    def _require(self, game: str) -> None:
        """Raise NotReady where the rules of a game are still being compiled."""
        if not self._is_ready(game):
            raise NotReady("The rules are being compiled, which takes some seconds. Try again in a moment.", game)

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
        self, game: AnyGame, options: Mapping[str, str], players: Sequence[Player], seed: int | None, forced: bool
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
        """A table as it is now. Raises Unknown, NotReady, or Gone where it cannot be played by the rules installed."""
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
            self._require(found[0].game)
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
            steps: list[Step] | None = []
            for row in rows:
                played = _replay(table.row, match, row)
                steps = None if steps is None or played is None else [*steps, *played]
            table.advance(match, [row.seat for row in rows], steps)
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

        def change(match: AnyMatch) -> tuple[Step, ...]:
            return match.play(seat, move)

        await self._change(table, seat, counter, move, change)
        self._moved(table, quiet)
        return table

    async def take_back(self, id: str, seat: int, counter: int) -> Table:
        """Take back a seat's last move. Raises Stale or Illegal, and nothing has changed."""
        table = await self.glance(id)

        def change(match: AnyMatch) -> None:
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

    async def _change(
        self, table: Table, seat: int, counter: int, move: int, change: Callable[[AnyMatch], tuple[Step, ...] | None]
    ) -> None:
        async with table.lock:
            for _ in range(ATTEMPTS):
                await self._catch_up(table)
                if counter != table.counters[seat]:
                    raise Stale("The table had moved on when this arrived. Here it is as it stands now.")
                match = table.match.copy()
                try:
                    steps = change(match)
                except IllegalMove as error:
                    raise Illegal(_why_not(table, seat, move)) from error
                row = MoveRow(table.version, seat, move, counter)
                try:
                    await self.store.add_move(table.id, row, finished=match.over)
                except Taken:
                    # Another server has stored a move since we read: look again whether ours still stands.
                    continue
                table.advance(match, [seat], steps)
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


def commitment(salt: str, seed: int) -> str:
    """SHA-256 of salt and seed in hexadecimal: shown from the start, it proves at the end that the seed stayed."""
    return hashlib.sha256(f"{salt}{seed}".encode()).hexdigest()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _deal(row: TableRow) -> AnyMatch:
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


def _replay(table: TableRow, match: AnyMatch, row: MoveRow) -> tuple[Step, ...] | None:
    """What a row adds to a match; None for moves that were taken back."""
    try:
        if row.move != TAKE_BACK:
            return match.replay(row.seat, row.move)
        match.take_back(row.seat)
        return None
    except GameError as error:
        log.error("table %s cannot be replayed at ply %d: %s", table.id, row.ply, error)
        raise Gone("This table was played by other rules than those here: it cannot go on.") from error
