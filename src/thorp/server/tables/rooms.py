"""Tables: rooms with seats and a match. Every move goes through `Tables.play`: commit, apply, tell."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from thorp.core.chance import GENERATOR_VERSION, SEED_BITS
from thorp.core.errors import GameError, IllegalMove, OptionError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match, Step, by_ply
from thorp.core.registry import game as find_game
from thorp.core.words import UNNAMED, Quoted, Said
from thorp.server.tables import archive, clocks, consent, ratings, results
from thorp.server.tables.checking import Checking
from thorp.server.tables.clocks import Clock
from thorp.server.tables.guiding import Guiding
from thorp.server.tables.records import Ending, Over, Records, play_again, play_row, versions_here, versions_of
from thorp.server.tables.refusals import Forbidden, Gone, Illegal, Kept, NotReady, Stale, Unknown
from thorp.server.tables.schema import ANEW, CONTINUED, TAKE_BACK, WENT_BACK
from thorp.server.tables.store import Company, Hand, Latest, MoveRow, Result, SeatRow, Shut, Store, TableRow, Taken
from thorp.server.tables.table import RECORDED, Player, Table, can_change_bots

log = logging.getLogger(__name__)

#: What ids of tables are made of.
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
#: How many tables stay in memory when nobody looks at them.
CACHE = 256
#: How many of these are ready to be shown at once. What others are shown is worked out again, as it takes many times
#: the memory of the match, and more for every reader and language.
READY = 24
#: For so many seconds a table that was asked for stays so, in case its page is being made.
LATELY = 10.0
#: How often a move is tried when other servers take its place in the log.
ATTEMPTS = 50
#: So many rows are played again in one go; more are in a thread, so that other tables do not stand still meanwhile.
AT_ONCE = 50

NO_TABLE = "There is no such table. Check the address, or start a new table."
MOVED_ON = "The table had moved on when this arrived. Here it is as it stands now."
NOT_BEGUN = "This match has not begun: it begins when all seats are taken, or the opener says so."
_TOO_OFTEN = (
    "Moves of this seat were taken back as often as a match allows, so what it plays now stays. Play on from here."
)
CLOSED = "This table is closed. What was played can be read at its address: load the page again."


@dataclass(frozen=True)
class _Wanted:
    """What a seat asks for: a move, TAKE_BACK or WENT_BACK, and how many of these it had made.

    Where these count: `by`: who asks; `undone`: how much was undone at the table; `seen`: how many rows there have to
    be, and changes of seats.
    """

    seat: int
    counter: int
    move: int
    by: SeatRow | None
    undone: int | None = None
    seen: tuple[int, int] | None = None


class Tables:
    """All tables, by way of the store."""

    def __init__(
        self,
        store: Store,
        tell: Callable[[str], None],
        is_watched: Callable[[str], bool],
        is_ready: Callable[[str], bool],
        records: Records,
        random_bits: Callable[[int], int] = secrets.randbits,
    ) -> None:
        self.store = store
        self.records = records
        self._is_ready = is_ready
        self._random_bits = random_bits
        self._tell = tell
        self._is_watched = is_watched
        self._checking = Checking()
        self._cache: OrderedDict[str, Table] = OrderedDict()
        #: The tables that may be ready to be shown, by when they were asked for last.
        self._ready: OrderedDict[str, float] = OrderedDict()
        #: Called with every table that has moved on.
        self.on_move: list[Callable[[Table], None]] = [records.after]

    # --- making tables -------------------------------------------------------------------------------------

    async def create(
        self,
        game: AnyGame,
        options: Mapping[str, str],
        players: Sequence[Player],
        *,
        seed: int | None = None,
        forced: bool = True,
        opener: str | None = None,
        watchable: bool = True,
        listed: bool = False,
        clock: Clock | None = None,
        guide: Guiding | None = None,
        hints: bool | None = None,
        salt: str | None = None,
    ) -> str:
        """A new table; its id. Raises Illegal for options out of range, NotReady where it could not be dealt yet.

        `forced`: whether single legal moves play themselves. `hints`: whether they are given; None: while one person
        plays, alone or with bots. `salt`: where that is not to be drawn, as bots are to
        think the same thoughts each time. Where a seat is free the table gathers; else the match begins. Raises Busy
        where too many files are being checked.
        """
        self._require(game.id)
        values = await self._checking.options(game, len(players), options)
        row, seats = self._new_table(game, values, players, seed, forced, salt)
        row = replace(row, opener=opener, watchable=watchable, listed=listed, clock=clock.stored if clock else None)
        row = replace(row, guide=guide.stored if guide else None, hints=hints)
        await self.store.add_table(row, seats)
        return row.id

    def _require(self, game: str) -> None:
        """Raise NotReady where the rules of a game are still being compiled."""
        if not self._is_ready(game):
            raise NotReady(game)

    async def play_on(self, id: str, ply: int, players: Sequence[Player], opener: str) -> str:
        """A new table that goes on from a position of a match that is over; its id.

        Raises Forbidden while the match runs, Illegal where nothing is left to be played.
        """
        table = await self.open(id)
        if not table.match.over:
            raise Forbidden("A match can be played on from a position when it is over. Play it to its end first.")
        match = table.match.branch(ply)
        if match.over:
            raise Illegal("At this position the match is over, and nothing is left to play. Choose an earlier one.")
        old = table.row
        return await self._keep(
            match, players, opener, clock=old.clock, hints=old.hints, watchable=old.watchable, former=old.id
        )

    async def take_in(self, text: str, opener: str | None = None) -> str:
        """A table with the finished match of an exported file, which all can look at; its id. `opener` finds it again.

        Raises Illegal where the file is none that can be looked at here, NotReady where it could not be yet.
        """
        match = await self._checking.match(text, self._require)
        if not match.over:
            raise Illegal(
                "The match in this file is not over. Play it to its end, and choose the file of the whole match."
            )
        return await self._keep(
            match, [Player(UNNAMED.format(n=seat + 1), bot=RECORDED) for seat in range(match.seats)], opener
        )

    async def _keep(
        self,
        match: AnyMatch,
        players: Sequence[Player],
        opener: str | None = None,
        **more: Any,
    ) -> str:
        """A table with a match that has begun elsewhere, of which `more` is stored; its id."""
        row, seats = self._new_table(match.game, match.options, players, match.seed, match.forced)
        row = replace(row, opener=opener, waiting=list(match.waiting), **more)
        if match.over:
            row = replace(row, finished=self.store.now(), scores=list(match.scores), standings=list(match.standings))
        await self.store.add_table(row, seats, _rows(match))
        return row.id

    async def again(self, id: str, bots: str | None = None) -> str:
        """The table of the rematch: the same options and company, another seed; the same one for all who ask.

        The first seat goes on: who sat there sits last. `bots`: the level of all bots, where it is to be another one.

        Raises Stale while the match goes on, Illegal for a level where it is not one person who plays against bots.
        """
        table = await self.open(id)
        if table.gathering or not table.match.over:
            raise Stale("This match is not over yet: play it to its end, and then once more.")
        if table.row.next_table is None:
            if bots is not None and not can_change_bots(table.seats):
                raise Illegal(
                    "Only who plays alone against bots changes them: play again as it was, or open another table."
                )
            players = [
                Player(seat.name, seat.person, seat.bot and (bots or seat.bot), seat.away) for seat in table.seats
            ]
            players = [*players[1:], players[0]]
            row, seats = self._new_table(table.game, table.match.options, players, None, table.row.forced)
            old = table.row
            row = replace(row, opener=old.opener, watchable=old.watchable, listed=old.listed)
            row = replace(row, clock=old.clock, hints=old.hints)
            following = await self.store.add_rematch(id, row, seats)
            table.furnish(replace(table.row, next_table=following), table.seats)
            self._tell(id)
        assert table.row.next_table is not None
        return table.row.next_table

    def _new_table(
        self,
        game: AnyGame,
        options: dict[str, str],
        players: Sequence[Player],
        seed: int | None,
        forced: bool,
        salt: str | None = None,
    ) -> tuple[TableRow, list[SeatRow]]:
        """The rows of a table; its options are checked already."""
        seed = self._random_bits(SEED_BITS) if seed is None else seed
        salt = salt or f"{self._random_bits(128):032x}"
        row = TableRow(
            id=_new_id(),
            game=game.id,
            seats=len(players),
            options=options,
            seed=seed,
            salt=salt,
            commitment=commitment(salt, seed),
            rules_version=game.rules_version,
            generator_version=GENERATOR_VERSION,
            forced=forced,
            created=self.store.now(),
        )
        seats = [
            SeatRow(number, player.person, player.bot, player.name, player.away)
            for number, player in enumerate(players)
        ]
        if not any(seat.free for seat in seats):
            row = replace(row, started=row.created, waiting=list(_deal(row).waiting))
        return row, seats

    async def rename(self, person: str, name: str, before: str | None = None) -> None:
        """Give a person, called `before` until now, another name at all its running tables."""
        for id in await self.store.rename(person, name, before):
            if table := self._cache.get(id):
                async with table.lock:
                    await self._look_at_seats(table)
                self._tell(id)

    # --- seats ---------------------------------------------------------------------------------------------

    async def reseat(self, id: str, change: Callable[[Company], Company]) -> Table:
        """Change who sits at a table: commit it, and only then show it. Raises what `change` raises."""
        table = await self.glance(id)
        await asyncio.shield(self._reseat(table, change))
        return table

    async def _reseat(self, table: Table, change: Callable[[Company], Company]) -> None:
        def changed(company: Company) -> Company:
            _refuse_closed_unbegun(company.table)
            after = change(company)
            if after.table.started and not company.table.started:
                after = replace(after, table=replace(after.table, waiting=list(table.match.waiting)))
            return after

        async with table.lock:
            before = table.row.seating
            company = await self.store.change_seats(table.id, changed)
            await self._look_at_clocks(table)
            table.furnish(company.table, company.seats)
        # who sits down twice, or leaves without a seat, changes nothing
        if company.table.seating != before:
            self._moved(table, quiet=False)

    async def _look_at_clocks(self, table: Table) -> None:
        """Read what the seats of a table have left."""
        if table.row.clock:
            found = await self.store.read(lambda connection: clocks.of(connection, table.id))
            if found != table.clocks:
                table.clocks = found
                table.look_again()

    async def _look_at_seats(self, table: Table) -> None:
        """Read who sits at a table, where that has changed."""
        if await self.store.seating(table.id) == table.row.seating:
            return
        found = await self.store.table(table.id)
        if found is None:
            # It was deleted, which `open` finds out.
            return
        row, seats = found
        table.request = await consent.request(self.store, table.id)
        # A rematch that was made meanwhile may have been told to this table already.
        table.furnish(replace(row, next_table=row.next_table or table.row.next_table), seats)

    # --- reading -------------------------------------------------------------------------------------------

    async def open(self, id: str) -> Table:
        """A table as it is now.

        Raises Unknown, NotReady, Kept where it is over and only its record can be read, or Gone where the rules
        installed can do nothing with it.
        """
        table = await self.glance(id)
        asked = time.monotonic()
        async with table.lock:
            # Who asks at the same time shares one reading: one that began after the last of them had asked.
            if table.read <= asked:
                latest = await self._catch_up(table)
                if latest is None or (latest.over and not table.match.over):
                    await self._leave(table)
        return table

    async def known(self, id: str) -> Table:
        """A table as this process has read it, at least once. Raises as `open`."""
        table = await self.glance(id)
        return table if table.is_read else await self.open(id)

    def seen(self, id: str) -> Table | None:
        """A table as this process knows it, without reading the store; None where it does not know it."""
        return self._cache.get(id)

    async def _leave(self, table: Table) -> None:
        """Look again at a table that does not go on, as far as is known.

        Its match may have come to its end by way of another server; else it was closed, deleted, or taken over by
        newer rules, and is forgotten here. Raises Kept or Unknown then.
        """
        found = await self.store.table(table.id)
        if found is None:
            self._cache.pop(table.id, None)
            raise Unknown(NO_TABLE)
        await self._catch_up(table)
        if table.match.over:
            return
        self._cache.pop(table.id, None)
        await self._by_our_rules(*found)
        raise Kept(CLOSED)

    async def glance(self, id: str) -> Table:
        """A table as this process saw it last: who sits there is true, the match may have gone on. Raises as `open`."""
        if id not in self._cache:
            # No database has to be asked about what was never drawn; some cannot be asked about every sign.
            found = await self.store.table(id) if _ID.fullmatch(id) else None
            if found is None:
                raise Unknown(NO_TABLE)
            self._require(found[0].game)
            found = await self._by_our_rules(*found)
            changes = await self.store.read(lambda connection: archive.changes(connection, id))
            request = await consent.request(self.store, id)
            # Another request may have been faster: there must be one lock a table.
            if id not in self._cache:
                row, seats = found
                self._cache[id] = Table(row, seats, _deal(row))
                self._cache[id].changes = changes
                self._cache[id].request = request
                self._forget_some()
        self._cache.move_to_end(id)
        self._ready[id] = time.monotonic()
        self._ready.move_to_end(id)
        self._let_rest()
        return self._cache[id]

    async def _by_our_rules(self, row: TableRow, seats: tuple[SeatRow, ...]) -> tuple[TableRow, tuple[SeatRow, ...]]:
        """A table that was begun by older rules, brought to those that are here; others as they are.

        It goes on where all its moves are legal; else it is closed, with its last position on record. Raises Kept
        where it is over, and Gone where the rules that are here can do nothing with it, or it was closed while it
        gathered.
        """
        while True:
            _refuse_closed_unbegun(row)
            try:
                game = find_game(row.game)
            except GameError as error:
                if row.finished:
                    raise Kept(CLOSED) from error
                raise Gone("This table plays {game}, which is not installed here.", game=row.game) from error
            theirs, ours = versions_of(row), versions_here(game)
            if theirs == ours:
                return row, seats
            if row.finished:
                raise Kept(CLOSED)
            if any(version > here for version, here in zip(theirs, ours)):
                raise Gone(
                    "This table is played by version {theirs} of the rules of {game}, which is newer than version "
                    "{ours} here. Open it at a newer server, or start a new table.",
                    theirs=row.rules_version,
                    game=game.name,
                    ours=game.rules_version,
                )
            rows = await self.store.moves(row.id)
            try:
                match, legal = await asyncio.to_thread(play_again, row, rows)
            except OptionError as error:
                raise _not_dealt(error, find_game(row.game)) from error
            if legal == len(rows):
                went_on = partial(archive.go_on, old=row, rows=legal, versions=ours, ply=match.ply)
                ending = _ending(row, seats, match)
                await self.store.write(partial(went_on, waiting=match.waiting, clock=self.store.now, **ending))
                log.info("a table of %s goes on by version %d of the rules", row.game, game.rules_version)
            else:
                packed = await self.records.drawn(Over(row, seats, match, Ending.RULES))
                closed = partial(archive.close, old=row, rows=len(rows), packed=packed, clock=self.store.now)
                await self.records.write(closed)
                log.warning("a table of %s was closed: the rules allow its move %d no more", row.game, legal + 1)
            # Whatever came of it, by this server or by another one, stands in the store.
            found = await self.store.table(row.id)
            if found is None:
                raise Unknown(NO_TABLE)
            row, seats = found
            if match.over and row.finished and versions_of(row) == ours:
                self.records.begin(Over(row, seats, match, Ending.PLAYED))

    def _forget_some(self) -> None:
        for id, table in list(self._cache.items()):
            if len(self._cache) <= CACHE:
                return
            # The newest is the one just asked for.
            if id != next(reversed(self._cache)) and not table.lock.locked() and not self._is_watched(id):
                del self._cache[id]

    def _let_rest(self) -> None:
        """Let tables rest that nobody watches, and that nobody has asked for lately."""
        present = time.monotonic()
        while len(self._ready) > READY:
            id, asked = next(iter(self._ready.items()))
            if asked >= present - LATELY:
                return
            table = self._cache.get(id)
            if table and (self._is_watched(id) or table.lock.locked() or table.telling.locked()):
                self._ready[id] = present
                self._ready.move_to_end(id)
                continue
            del self._ready[id]
            if table:
                table.rest()

    async def _catch_up(self, table: Table) -> Latest | None:
        """Read what other servers, or this one before it stopped, have stored, and tell the pages about it.

        One look tells whether there is anything; it is None where the table is no more.
        """
        began, mark, hands = time.monotonic(), table.mark, table.hands
        following = table.row.next_table
        latest = await self.store.latest(table.id)
        if latest is None:
            return None
        if latest.rows > table.version:
            rows = await self.store.moves(table.id, table.version)
            match = table.match.copy()
            if len(rows) > AT_ONCE:
                played, asked = await asyncio.to_thread(_replay_all, table.row, match, rows)
            else:
                played, asked = _replay_all(table.row, match, rows)
            table.advance(match, [row.seat for row in rows], played, asked)
        if latest.seating != table.row.seating:
            await self._look_at_seats(table)
        await self._look_at_clocks(table)
        if table.is_shared:
            table.hands = await self.store.hands(table.id)
        # There may be a rematch by now although there was none when we looked, or none any more: it was deleted. One
        # that this table was told of meanwhile is newer than what was read.
        if table.match.over and table.row.next_table == following:
            table.furnish(replace(table.row, next_table=latest.next_table), table.seats)
        table.read = began
        if (table.mark, table.hands) != (mark, hands):
            self._tell(table.id)
        return latest

    # --- playing -------------------------------------------------------------------------------------------

    async def play(
        self,
        id: str,
        seat: int,
        counter: int,
        move: int,
        *,
        by: SeatRow | None = None,
        undone: int | None = None,
        quiet: bool = False,
    ) -> Table:
        """Play a move of a seat: check it, commit it, and only then show it.

        `counter` is how many moves and take-backs the seat has made: what it has not seen it cannot answer.
        `by`: who plays it; where somebody else sits there by now it is not done. `undone`: how much had been undone at
        the table where the move was thought of; where more is by now it is not done either.
        `quiet`: pages are not told, as more is about to come; `tell` them then.
        Raises Stale or Illegal, and nothing has changed.
        """
        table = await self.glance(id)
        await asyncio.shield(self._change(table, _Wanted(seat, counter, move, by, undone), quiet))
        return table

    async def take_back(self, id: str, seat: int, counter: int, *, by: SeatRow | None = None) -> Table:
        """Take back a seat's last move. Raises Stale or Illegal, and nothing has changed."""
        table = await self.glance(id)
        await asyncio.shield(self._change(table, _Wanted(seat, counter, TAKE_BACK, by), False))
        return table

    async def go_back(self, id: str, seat: int, seen: tuple[int, int]) -> Table:
        """Go back to just before a seat's last choice, as all have agreed who sit there.

        `seen`: how many rows there were then, and the count of changes of seats.

        Raises Stale or Illegal, and nothing has changed.
        """
        table = await self.glance(id)
        wanted = _Wanted(seat, table.counters[seat], WENT_BACK, None, seen=seen)
        await asyncio.shield(self._change(table, wanted, False))
        return table

    async def look_at_seats(self, table: Table) -> None:
        """Take over what has changed about the seats and what is asked there, and show it."""
        async with table.lock:
            await self._look_at_seats(table)
        self._tell(table.id)

    async def take_in_hand(self, id: str, person: str, seat: int | None) -> None:
        """Let the pages of a person have the eyes of another one of its seats; None: draw the curtain.

        Raises Forbidden for a seat that is not its own, and Stale before the match has begun.
        """
        table = await self.open(id)
        mine = table.seats_of(person)
        if not mine or (seat is not None and seat not in mine):
            raise Forbidden("That seat is not at this device: choose one of those that the page offers.")
        if table.gathering:
            raise Stale(NOT_BEGUN)
        if len(mine) > 1:
            await asyncio.shield(self._take_in_hand(table, person, seat))

    async def _take_in_hand(self, table: Table, person: str, seat: int | None) -> None:
        async with table.lock:
            hand = Hand(seat, table.told)
            await self.store.put_hand(table.id, person, hand)
            table.hands = {**table.hands, person: hand}
        self._tell(table.id)

    def tell(self, table: Table) -> None:
        """Wake the pages that show a table."""
        self._tell(table.id)

    def _moved(self, table: Table, quiet: bool) -> None:
        if not quiet:
            self._tell(table.id)
        for listener in self.on_move:
            listener(table)

    async def _change(self, table: Table, wanted: _Wanted, quiet: bool) -> None:
        """Do what was asked, to the end even where who asked is gone: others have to be told of what is stored."""
        await self._store_change(table, wanted)
        self._moved(table, quiet)

    async def _store_change(self, table: Table, wanted: _Wanted) -> None:
        async with table.lock:
            # What this process knows is nearly always all there is, and the key of a row tells where it is not.
            is_known = table.is_read
            for _ in range(ATTEMPTS):
                if not is_known:
                    await self._catch_up(table)
                try:
                    match, steps = _changed(table, wanted)
                    chance = next_chance(table) if wanted.move == WENT_BACK else None
                    row = MoveRow(table.version, wanted.seat, wanted.move, wanted.counter, chance)
                    after = await self.store.add_move(
                        table.id,
                        row,
                        rules=versions_of(table.row),
                        seating=table.row.seating,
                        waiting=match.waiting,
                        **_ending(table.row, table.seats, match),
                    )
                except (Stale, Illegal):
                    if not is_known:
                        raise
                    is_known = False
                except Shut as error:
                    await self._leave(table)
                    raise Stale(MOVED_ON) from error
                except Taken:
                    # Another server has stored a move, or changed a seat, since we read: look again.
                    is_known = False
                else:
                    table.clocks = after
                    table.advance(match, [wanted.seat], [steps], [match.waiting])
                    return
            raise Stale("Too many moves came in at the same time, so yours was not done. Try again.")


def _changed(table: Table, wanted: _Wanted) -> tuple[AnyMatch, tuple[Step, ...] | None]:
    """The match of a table after a change, and its steps; None where it goes back. Raises Stale or Illegal."""
    if table.gathering:
        raise Stale(NOT_BEGUN)
    sits, by = table.seats[wanted.seat], wanted.by
    if by is not None and (by.person, by.bot) != (sits.person, sits.bot):
        raise Stale("Somebody else plays this seat by now, so the move was not done.")
    if wanted.counter != table.counters[wanted.seat] or wanted.undone not in (None, table.undone):
        raise Stale(MOVED_ON)
    if wanted.seen not in (None, (table.version, table.row.seating)):
        raise Stale(MOVED_ON)
    if wanted.move in (TAKE_BACK, WENT_BACK) and not table.has_backs_left(wanted.seat) and not table.match.over:
        raise Illegal(_TOO_OFTEN)
    if wanted.move == WENT_BACK and not table.can_draw_anew:
        raise Illegal(_TOO_OFTEN)
    match = table.match.copy()
    try:
        if wanted.move == WENT_BACK:
            match.go_back(wanted.seat, next_chance(table))
            return match, None
        if wanted.move != TAKE_BACK:
            return match, match.play(wanted.seat, wanted.move)
        if match.over:
            raise IllegalMove("the match is over")
        match.take_back(wanted.seat)
        return match, None
    except IllegalMove as error:
        raise Illegal(_why_not(table, wanted.seat, wanted.move)) from error


def _ending(row: TableRow, seats: Sequence[SeatRow], match: AnyMatch) -> dict[str, Any]:
    """How a match ended, what that is for people, and who is rated by it; nothing while it goes on."""
    if not match.over:
        return {}
    theirs = results.rows_of(row, seats, match)
    return {
        "result": Result(list(match.scores), list(match.standings)),
        "results": theirs,
        "contest": ratings.contest_of(theirs, seats, match.standings),
    }


def _why_not(table: Table, seat: int, move: int) -> Said[str]:
    if table.match.over:
        return "The match is over: nothing can be played or taken back any more."
    if move == TAKE_BACK:
        return "Your last move cannot be taken back: something has happened since that cannot be undone."
    if seat not in table.match.waiting:
        return "It is not for you to decide now: wait until you are asked."
    return "The rules do not allow that move now. Choose one of those that the table offers."


def _refuse_closed_unbegun(row: TableRow) -> None:
    """Raise Gone for a table that was closed while it gathered: no match of it can be read."""
    if row.finished and row.started is None:
        raise Gone("This table is closed: the match does not go on.")


def _new_id() -> str:
    """An id for a table. None begins with a hyphen: on a command line that would be an option."""
    while (id := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return id


def commitment(salt: str, seed: int) -> str:
    """SHA-256 of salt and seed in hexadecimal: shown from the start, it proves at the end that the seed stayed."""
    return hashlib.sha256(f"{salt}{seed}".encode()).hexdigest()


def next_chance(table: Table) -> int:
    """What all chance to come is drawn from where a match goes back.

    The commitment binds it, and it cannot be known before salt and seed are opened: it is SHA-256 of the salt and how
    often that has happened.
    """
    digest = hashlib.sha256(f"{table.row.salt} anew {table.match.times_anew + 1}".encode()).digest()
    return int.from_bytes(digest) % (1 << SEED_BITS)


def _deal(row: TableRow) -> AnyMatch:
    """The match of a table before its first move."""
    try:
        return Match(find_game(row.game), row.seats, row.options, row.seed, forced=row.forced)
    except OptionError as error:
        raise _not_dealt(error, find_game(row.game)) from error


def _not_dealt(error: OptionError, game: AnyGame) -> Gone:
    return Gone(
        "This table has options that cannot be played here: {fault}. Start a new table.",
        fault=Quoted(error.message, game.words),
    )


def _rows(match: AnyMatch) -> list[MoveRow]:
    """The rows of a match that was not played row by row."""
    rows: list[MoveRow] = []
    counters = [0] * match.seats

    def add(seat: int, move: int, chance: int | None = None) -> None:
        rows.append(MoveRow(len(rows), seat, move, counters[seat], chance))
        counters[seat] += 1

    anew = by_ply(match.anew)

    def add_anew(ply: int) -> None:
        for each in anew.get(ply, ()):
            add(each.seat, ANEW, each.seed)

    for ply, entry in enumerate(match.log()):
        add_anew(ply)
        if ply == match.continued:
            add(0, CONTINUED)
        if not entry.forced:
            add(entry.seat, entry.move)
    add_anew(match.ply)
    if match.continued == match.ply:
        add(0, CONTINUED)
    return rows


def _replay_all(
    table: TableRow, match: AnyMatch, rows: Sequence[MoveRow]
) -> tuple[list[tuple[Step, ...] | None], list[tuple[int, ...]]]:
    """What each of some rows adds to a match, and who has to decide after it."""
    played, asked = [], []
    for row in rows:
        played.append(_replay(table, match, row))
        asked.append(match.waiting)
    return played, asked


def _replay(table: TableRow, match: AnyMatch, row: MoveRow) -> tuple[Step, ...] | None:
    """What a row adds to a match; None for moves that were taken back."""
    try:
        return play_row(match, row)
    except GameError as error:
        # The error would name the move, and whoever reads the log may sit at the table.
        log.error("table %s cannot be replayed at ply %d", table.id, row.ply)
        raise Gone("This table was played by other rules than those here: it cannot go on.") from error
