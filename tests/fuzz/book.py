"""The book: what was sent for every table and what was answered, kept apart from the server, held against its rows."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from thorp.core.errors import GameError
from thorp.core.match import AnyMatch, Match

#: In the place of a move's number: the seat took its last move back.
TAKE_BACK = -1
#: In the place of a move's number: a broken request, of which nobody can say which move a server has to read in it.
ANY = -2

#: Nothing was answered (yet); it was done; it was refused.
Outcome = Literal["open", "done", "refused"]


@dataclass
class Sent:
    """A move or a take-back that somebody sent for a seat."""

    seat: int
    counter: int
    move: int
    what: str
    outcome: Outcome = "open"


@dataclass(frozen=True)
class Row:
    """A row of the log as it lies in the database."""

    ply: int
    seat: int
    move: int
    counter: int


@dataclass
class Account:
    """One table in the book."""

    id: str
    game: str
    #: The person at every seat; None where a bot sits.
    persons: tuple[str | None, ...]
    seed: int
    salt: str
    match: AnyMatch
    sent: list[Sent] = field(default_factory=list)
    #: What the database held when it was looked at last: it may only grow.
    rows: list[Row] = field(default_factory=list)
    finished: bool = False
    #: Something was sent since the last look.
    touched: bool = True
    #: The rows and the book contradict each other, which has been told.
    broken: bool = False

    def seat_of(self, person: str) -> int | None:
        """The seat of a person."""
        return self.persons.index(person) if person in self.persons else None

    def counters(self) -> list[int]:
        """How many rows every seat has."""
        counted = Counter(row.seat for row in self.rows)
        return [counted[seat] for seat in range(len(self.persons))]


class Database:
    """The database of a server, read by a hand of our own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextlib.contextmanager
    def _cursor(self) -> Iterator[sqlite3.Cursor]:
        with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=30)) as database:
            yield database.cursor()

    def account(self, id: str) -> Account | None:
        """A new page of the book for a table, if there is one."""
        with self._cursor() as cursor:
            query = 'SELECT game, seats, options, seed, salt, forced FROM "table" WHERE id = ?'
            row = cursor.execute(query, (id,)).fetchone()
            if row is None:
                return None
            game, seats, options, seed, salt, forced = row
            persons = cursor.execute('SELECT person FROM seat WHERE "table" = ? ORDER BY seat', (id,)).fetchall()
        match: AnyMatch = Match(game, seats, json.loads(options), seed, forced=bool(forced))
        return Account(id, game, tuple(person for (person,) in persons), seed, salt, match)

    def rows(self, id: str) -> tuple[list[Row], bool]:
        """The log of a table, and whether it is marked as finished: both of one moment."""
        with self._cursor() as cursor:
            cursor.execute("BEGIN")
            found = cursor.execute(
                'SELECT ply, seat, move, counter FROM move WHERE "table" = ? ORDER BY ply', (id,)
            ).fetchall()
            (finished,) = cursor.execute('SELECT finished FROM "table" WHERE id = ?', (id,)).fetchone()
            return [Row(*row) for row in found], finished is not None

    def empty_seats(self, id: str) -> int:
        """How many seats of a table are free although its match has begun."""
        query = (
            'SELECT count(*) FROM seat JOIN "table" ON "table".id = seat."table" WHERE seat."table" = ? '
            "AND started IS NOT NULL AND person IS NULL AND bot IS NULL"
        )
        with self._cursor() as cursor:
            (count,) = cursor.execute(query, (id,)).fetchone()
            return int(count)

    def tables(self) -> set[str]:
        """The ids of all tables."""
        with self._cursor() as cursor:
            return {id for (id,) in cursor.execute('SELECT id FROM "table"')}

    def secrets(self) -> dict[str, str]:
        """The server's own secrets by their names: keys, which are long; other settings stand beside them."""
        with self._cursor() as cursor:
            return dict(cursor.execute("SELECT name, value FROM setting WHERE length(value) >= 32").fetchall())

    def sound(self) -> str:
        """What SQLite says of the whole file: `ok`."""
        with self._cursor() as cursor:
            (verdict,) = cursor.execute("PRAGMA integrity_check").fetchone()
            return str(verdict)


class Book:
    """All tables that were made, and what happened at them as far as it was acknowledged."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.tables: dict[str, Account] = {}
        #: Tables that are only named here, since who sits there changes: their secrets are looked after, too.
        self.others: dict[str, Account] = {}

    def add(self, id: str) -> Account:
        """Open a page for a table that was acknowledged. Raises LookupError where it is not there."""
        if id not in self.tables:
            account = self.database.account(id)
            if account is None:
                raise LookupError(f"the table {id} was acknowledged and is not there")
            self.tables[id] = account
        return self.tables[id]

    def send(self, table: str, seat: int, counter: int, move: int, what: str) -> Sent:
        """Note what is about to be sent for a seat."""
        sent = Sent(seat, counter, move, what)
        account = self.tables[table]
        account.sent.append(sent)
        account.touched = True
        return sent

    def running_secrets(self) -> dict[str, str]:
        """What nobody may be sent now, and what it is."""
        found = {}
        for account in (*self.tables.values(), *self.others.values()):
            if not account.finished:
                found[account.salt] = f"the salt of the running table {account.id}"
                # a small seed stands in many a page by chance
                if account.seed >= 10**9:
                    found[str(account.seed)] = f"the seed of the running table {account.id}"
        return found

    def faults(self, *, everything: bool = False) -> list[str]:
        """Read the rows of all tables that were touched, or of all, and say where they are not as the book has it."""
        found: list[str] = []
        for id in sorted(self.tables.keys() - self.database.tables()) if everything else ():
            if not self.tables[id].broken:
                self.tables[id].broken = True
                found.append(f"the table {id} was acknowledged and is gone")
        for account in self.tables.values():
            if not account.broken and (account.touched or everything):
                account.touched = False
                wrong = self._look(account)
                account.broken = bool(wrong)
                found += [f"table {account.id} ({account.game}): {fault}" for fault in wrong]
        return found

    def _look(self, account: Account) -> list[str]:
        rows, finished = self.database.rows(account.id)
        if rows[: len(account.rows)] != account.rows:
            return [f"the log was changed: it was {account.rows}, and is {rows}"]
        fresh = rows[len(account.rows) :]
        account.rows, account.finished = rows, finished
        found = _gaps(rows) + _held_against(account, rows)
        try:
            for row in fresh:
                if row.move == TAKE_BACK:
                    account.match.take_back(row.seat)
                else:
                    account.match.replay(row.seat, row.move)
        except GameError as error:
            found.append(f"its rows cannot be played: {error}")
        else:
            if account.match.over != finished:
                found.append(f"the match is {'' if account.match.over else 'not '}over, and the table says otherwise")
        return found


def _gaps(rows: list[Row]) -> list[str]:
    found = []
    if [row.ply for row in rows] != list(range(len(rows))):
        found.append(f"its plies have gaps: {[row.ply for row in rows]}")
    for seat in {row.seat for row in rows}:
        counters = [row.counter for row in rows if row.seat == seat]
        if counters != list(range(len(counters))):
            found.append(f"the counters of seat {seat} have gaps: {counters}")
    return found


def _held_against(account: Account, rows: list[Row]) -> list[str]:
    """What was acknowledged has to be there, and what is there has to have been sent and not refused."""
    found = []
    stored = {(row.seat, row.counter): row.move for row in rows}
    done: dict[tuple[int, int], Sent] = {}
    for sent in account.sent:
        if sent.outcome != "done":
            continue
        key = (sent.seat, sent.counter)
        if key in done:
            found.append(f"two requests were acknowledged as one move: {done[key].what}; {sent.what}")
        done[key] = sent
        if key not in stored:
            found.append(f"an acknowledged move is lost: {sent.what}")
        elif stored[key] != sent.move:
            found.append(f"another move was stored than was acknowledged ({stored[key]}): {sent.what}")
    for (seat, counter), move in stored.items():
        if account.persons[seat] is None or (seat, counter) in done:
            continue
        same = [
            sent for sent in account.sent if (sent.seat, sent.counter) == (seat, counter) and sent.move in (move, ANY)
        ]
        if not same:
            found.append(f"seat {seat} has made move {move} as its number {counter}, which nobody sent")
        elif all(sent.outcome == "refused" for sent in same):
            found.append(f"a move was stored that was refused: {same[0].what}")
    return found
