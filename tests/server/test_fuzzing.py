"""The fuzzer over HTTP (tests/fuzzing.py), for half a minute; and that it would notice what it looks for."""

import asyncio
import contextlib
import sqlite3

import fuzzing
import pytest
from fuzz.book import Book, Database
from fuzz.persons import Watch
from fuzzing import Fuzzer, fuzz
from serving import CAN_FILL, Forked

from thorp.server.app import DATABASE

from .conftest import HTMX


@pytest.fixture
def forked(monkeypatch):
    """Servers that are there at once: to load all that each needs took half of the time, at every start anew."""
    monkeypatch.setattr(fuzzing, "Server", Forked)


@pytest.mark.usefixtures("forked")
def test_nothing_is_lost_whatever_is_sent(tmp_path):
    wanted = ["moves", "tables", "pushes", "kills", "restarts", *(["full disks"] if CAN_FILL else [])]
    fuzzer = asyncio.run(fuzz(tmp_path / "data", seed=33, rounds=3, until=wanted))
    assert fuzzer.watch.faults == []
    done = fuzzer.done()
    # the export of the match that is played to its end, after the rounds
    assert [what for what in (*wanted, "exports") if not done[what]] == []


@pytest.mark.usefixtures("forked")
def test_nothing_that_was_acknowledged_is_lost_when_the_server_is_killed(tmp_path):
    fuzzer = asyncio.run(fuzz(tmp_path / "data", seed=1, kills=2))
    assert fuzzer.watch.faults == []
    assert fuzzer.kills == 2
    assert fuzzer.watch.done["moves"] > 0


# --- what it would notice ----------------------------------------------------------------------------------


@pytest.fixture
async def booked(server):
    """A book, and a table in it where a person has played three moves."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    book = Book(Database(server.settings.data_dir / DATABASE))
    account = book.add(path.rpartition("/")[2])
    while len(account.sent) < 3:
        table = await server.at(path)
        seat = table.match.waiting[0]
        counter, move = table.counters[seat], table.match.legal(seat)[0]
        sent = book.send(account.id, seat, counter, move, f"move {move} of seat {seat}")
        answer = await server.play((ada, eve)[seat], path, move, counter=str(counter))
        assert answer.status_code == 200
        sent.outcome = "done"
    return book, account


def change(book, sql, *values):
    with contextlib.closing(sqlite3.connect(book.database.path)) as database, database:
        database.execute(sql, values)


@pytest.mark.anyio
async def test_a_book_that_fits(booked):
    book, account = booked
    assert book.faults(everything=True) == []
    assert len(account.rows) == 3
    assert book.database.sound() == "ok"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("DELETE FROM move WHERE ply = 2", "an acknowledged move is lost"),
        ("DELETE FROM move WHERE ply = 0", "its plies have gaps"),
        ("UPDATE move SET move = 2 WHERE ply = 1", "another move was stored than was acknowledged"),
        ("UPDATE move SET move = 999 WHERE ply = 2", "its rows cannot be played"),
        ("UPDATE move SET counter = 9 WHERE ply = 2", "have gaps"),
        ('UPDATE "table" SET finished = created', "the match is not over"),
    ],
)
async def test_a_book_that_does_not_fit(booked, sql, fault):
    book, _ = booked
    change(book, sql)
    assert fault in "\n".join(book.faults())
    # it is told once
    assert book.faults(everything=True) == []


@pytest.mark.anyio
async def test_a_log_that_was_changed_after_it_had_been_seen(booked):
    book, _ = booked
    assert book.faults() == []
    change(book, "UPDATE move SET move = 2 WHERE ply = 1")
    assert "the log was changed" in "\n".join(book.faults(everything=True))


@pytest.mark.anyio
async def test_moves_that_were_refused_or_that_nobody_sent(booked):
    book, account = booked
    last = account.sent.pop()
    account.touched = True
    assert "which nobody sent" in "\n".join(book.faults())
    account.sent.append(last)
    last.outcome = "refused"
    account.touched, account.broken = True, False
    assert "a move was stored that was refused" in "\n".join(book.faults())
    last.outcome = "open"
    account.touched, account.broken = True, False
    assert book.faults() == []
    account.sent[0].outcome = "done"
    account.sent.append(account.sent[0])
    account.touched = True
    assert "two requests were acknowledged as one move" in "\n".join(book.faults())


@pytest.mark.anyio
async def test_a_table_that_is_gone(booked):
    book, account = booked
    for table, column in (("move", "table"), ("seat", "table"), ("table", "id")):
        change(book, f'DELETE FROM "{table}" WHERE "{column}" = ?', account.id)
    assert book.faults(everything=True) == [f"the table {account.id} was acknowledged and is gone"]
    with pytest.raises(LookupError, match="acknowledged and is not there"):
        book.add("nowhere")


@pytest.mark.anyio
async def test_secrets_in_an_answer(booked, server):
    book, account = booked
    watch = Watch(book, secrets=book.database.secrets(), persons={account.persons[1]: "Eve"})
    watch.look("GET /", "GET /", 200, (await server.client().get(f"/tables/{account.id}", headers=HTMX)).text, 0.0)
    assert watch.faults == []
    for secret in (account.salt, *watch.secrets.values(), account.persons[1]):
        watch.look("GET /", "GET /", 200, f"<p>{secret}</p>", 0.0, account.persons[0])
    assert len(watch.faults) == 2 + len(watch.secrets)
    watch.look("GET /", "GET /", 200, f"<p>{account.persons[1]}</p>", 0.0, account.persons[1])
    watch.look("GET /", "GET /", 500, "", 0.0)
    assert len(watch.faults) == 3 + len(watch.secrets)


def test_a_server_that_does_not_start(tmp_path):
    fuzzer = Fuzzer(tmp_path / "data", 1)
    (tmp_path / "data" / DATABASE).write_text("this is no database, but a letter of some length to whom it may concern")
    (fault,) = asyncio.run(fuzzer.run(lambda _: True, kill=False))
    assert "the server does not start" in fault
    assert "Thorp cannot" in fault


def test_tracebacks_in_the_log(tmp_path):
    fuzzer = Fuzzer(tmp_path / "data", 1)
    log = fuzzer.server.log
    log.write_text("WARNING: Invalid HTTP request received.\n")
    fuzzer._read_log()
    assert fuzzer.watch.faults == []
    with log.open("a") as more:
        more.write(
            'ERROR: Exception in ASGI application\nTraceback (most recent call last):\n  File "a.py", line 7, in b\n'
        )
        more.write("    c()\nValueError: no\n2026-11-22 11:48:46,614 ERROR: it broke\n")
    fuzzer._read_log()
    assert [fault.partition(",")[0] for fault in fuzzer.watch.faults] == [
        "a traceback in the log: ValueError: no at a.py:7",
        "an error in the log: 2026-11-22 11:48:46",
    ]
