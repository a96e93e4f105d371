"""The store itself: one writer, whose turn comes when it comes; files that are private; a health that is tried."""

import asyncio
import contextlib
import logging
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from alembic import command
from sqlalchemy import text
from sqlalchemy.engine import make_url

from thorp.cli import main
from thorp.server.app import DATABASE, serve
from thorp.server.tables import sqlite
from thorp.server.tables import store as store_module
from thorp.server.tables.store import SeatRow, Store, TableRow, Taken, Unavailable, sqlite_url

from .conftest import GAME, move_to, replace, running
from .test_servers import harm

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(tmp_path):
    store = Store(sqlite_url(tmp_path / DATABASE))
    await store.open()
    yield store
    await store.close()


class Held:
    """The writer is held by a transaction of somebody's, until it is let go."""

    def __init__(self, store):
        self._begun = threading.Event()
        self.let_go = threading.Event()

        def hold(connection):
            self._begun.set()
            self.let_go.wait()

        self._task = asyncio.create_task(store.writer.run(hold))

    async def __aenter__(self):
        await asyncio.to_thread(self._begun.wait)
        return self

    async def __aexit__(self, *error):
        self.let_go.set()
        await self._task


def table_row(id):
    return TableRow(id, GAME.id, 1, {}, 1, "salt", "commitment", 1, 1, True, datetime.now(UTC))


def add(store, id):
    """A table with a seat is on its way into the store, and has had time to ask for its turn."""
    return asyncio.create_task(store.add_table(table_row(id), [SeatRow(0, "ada", None, "Ada")]))


async def asked(store, count):
    """Wait until so many transactions wait for their turn."""
    while store.writer._thread._work_queue.qsize() < count:
        await asyncio.sleep(0)


async def stored(store):
    """The tables in the store that have their seats, in the order in which they came."""
    query = text('SELECT id FROM "table" JOIN seat ON seat."table" = "table".id ORDER BY "table".rowid')
    return await store.read(lambda connection: [id for (id,) in connection.execute(query)])


# --- turns -------------------------------------------------------------------------------------------------


async def test_first_come_first_served(store):
    names = [f"table {number}" for number in range(20)]
    writing = []
    async with Held(store):
        for count, name in enumerate(names, 1):
            writing.append(add(store, name))
            await asked(store, count)
    await asyncio.gather(*writing)
    assert await stored(store) == names


async def test_whose_turn_does_not_come_is_told_so_and_nothing_happens(store, monkeypatch):
    async with Held(store):
        monkeypatch.setattr(sqlite, "PATIENCE", 0)
        with pytest.raises(Unavailable, match="the writer was busy"):
            await add(store, "late")
    monkeypatch.undo()
    await add(store, "next")
    assert await stored(store) == ["next"]


async def test_what_has_begun_is_waited_for(store, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()
    submit = store.writer._thread.submit

    def submit_and_begin(*work):
        queued = submit(*work)
        begun.wait()
        return queued

    def work(connection):
        begun.set()
        go_on.wait()
        return "done"

    monkeypatch.setattr(store.writer._thread, "submit", submit_and_begin)
    monkeypatch.setattr(sqlite, "PATIENCE", 0)
    working = asyncio.create_task(store.writer.run(work))
    # it has asked, and its patience has ended
    for _ in range(10):
        await asyncio.sleep(0)
    go_on.set()
    assert await working == "done"


async def test_who_gives_up_in_the_queue_writes_nothing(store):
    async with Held(store):
        writing = add(store, "given up")
        await asked(store, 1)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
    await add(store, "next")
    assert await stored(store) == ["next"]


async def test_who_gives_up_while_it_is_written_has_written_it_all(store, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()
    execute = store.writer._transact

    def slow(work):
        def half_way(connection):
            begun.set()
            go_on.wait()
            return work(connection)

        return execute(half_way)

    monkeypatch.setattr(store.writer, "_transact", slow)
    writing = add(store, "given up")
    await asyncio.to_thread(begun.wait)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    go_on.set()
    await add(store, "next")
    assert await stored(store) == ["given up", "next"]


async def test_a_transaction_that_fails_leaves_nothing_open(store):
    def half(connection):
        connection.execute(text("INSERT INTO setting (name, value) VALUES ('half', 'way')"))
        raise Taken("by somebody else")

    with pytest.raises(Taken):
        await store.writer.run(half)
    await add(store, "next")
    assert await stored(store) == ["next"]
    with contextlib.closing(sqlite3.connect(store.file, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not other.execute("SELECT value FROM setting WHERE name = 'half'").fetchall()


async def test_a_move_whose_request_is_cancelled_is_told_to_all_the_same(server, monkeypatch):
    ada = await server.person()
    path = await server.table(ada, 2)
    await server.quiet()
    tables = server.app.state.tables
    table = await server.at(path)
    async with Held(server.app.state.store):
        playing = asyncio.create_task(tables.play(table.id, 0, 0, table.match.legal(0)[0]))
        await asked(server.app.state.store, 1)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
    async with table.lock:
        pass
    await server.quiet()
    # the match knows of it without having looked, and the bot has answered
    assert table.counters == [1, 1]


async def test_writers_of_two_stores_take_turns(store):
    other = Store(store.url)
    await asyncio.gather(*(add(one, f"{id(one)} {number}") for number in range(25) for one in (store, other)))
    assert len(await stored(store)) == 50
    await other.close()


async def test_another_process_that_writes_too_long(tmp_path, store, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT", 0)
    impatient = Store(store.url)
    with contextlib.closing(sqlite3.connect(store.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="database is locked"):
            await add(impatient, "late")
        assert await stored(impatient) == []
        other.execute("ROLLBACK")
        await add(impatient, "next")
    assert await stored(impatient) == ["next"]
    await impatient.close()


@pytest.mark.skipif(not sqlite.CAN_LOCK, reason="there are no such locks here")
async def test_a_lock_that_cannot_be_opened_is_told_once(tmp_path, caplog):
    (tmp_path / f"{DATABASE}-lock").mkdir()
    store = Store(sqlite_url(tmp_path / DATABASE))
    await store.open()
    await add(store, "one")
    await add(store, "two")
    assert await stored(store) == ["one", "two"]
    await store.close()
    assert [str(tmp_path / f"{DATABASE}-lock") in record.getMessage() for record in caplog.records] == [True]


async def test_readers_neither_write_nor_checkpoint(store):
    assert await store.read(lambda connection: connection.scalar(text("PRAGMA wal_autocheckpoint"))) == 0
    with pytest.raises(Unavailable, match="readonly"):
        await store.read(lambda connection: connection.execute(text("DELETE FROM setting")))
    assert await store.writer.run(lambda connection: connection.scalar(text("PRAGMA wal_autocheckpoint"))) == 1000


async def test_a_store_that_is_closed_opens_nothing_any_more(tmp_path):
    store = Store(sqlite_url(tmp_path / DATABASE))
    await store.open()
    await store.close()
    with pytest.raises(Unavailable, match="closed"):
        await store.table("any")
    with pytest.raises(Unavailable, match="closed"):
        await add(store, "late")


@pytest.mark.parametrize("url", ["sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:"])
def test_a_store_needs_a_file(url):
    with pytest.raises(Unavailable, match="kept in a file"):
        Store(url)


@pytest.fixture
def newer(settings):
    """A folder with the database of a newer Thorp."""
    with contextlib.closing(sqlite3.connect(settings.data_dir / DATABASE)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    return settings


async def test_a_database_of_a_newer_thorp_is_not_opened(newer):
    store = Store(sqlite_url(newer.data_dir / DATABASE))
    with pytest.raises(Unavailable, match="kept by a newer version of Thorp"):
        await store.open()
    await store.close()


def test_whoever_serves_or_looks_into_a_database_of_a_newer_thorp_is_told_so(newer, capsys):
    with pytest.raises(SystemExit, match="kept by a newer version of Thorp"):
        serve(newer)
    assert main(["admin", "--data", str(newer.data_dir), "list"]) == 1
    assert "kept by a newer version of Thorp" in capsys.readouterr().err


def test_who_only_looks_leaves_an_old_database_as_it_is(settings, capsys):
    async def begin():
        store = Store(sqlite_url(settings.data_dir / DATABASE))
        await add(store, "first")
        await move_to(store, "-1", command.downgrade)
        await store.close()

    def admin(*words):
        return main(["admin", "--data", str(settings.data_dir), *words])

    asyncio.run(begin())
    before = (settings.data_dir / DATABASE).read_bytes()
    for words in (("list",), ("show", "first"), ("delete", "first")):
        assert admin(*words) == 1
        assert "older version of Thorp: start the server once" in capsys.readouterr().err
        assert (settings.data_dir / DATABASE).read_bytes() == before
    # who changes anything brings it up to date
    assert admin("close", "first") == 0
    assert admin("list") == 0


# --- files -------------------------------------------------------------------------------------------------


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


@pytest.fixture
def generous():
    """A process whose files may be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


async def test_nobody_else_can_read_what_is_stored(settings, tmp_path, generous, caplog):
    folder = tmp_path / "new" / "data"
    async with running(replace(settings, data_dir=folder)) as server:
        await server.table(await server.person())
        assert modes(folder) == {
            "data": 0o700,
            DATABASE: 0o600,
            f"{DATABASE}-wal": 0o600,
            f"{DATABASE}-shm": 0o600,
            # whose turn it is to write, and where other processes are told what is new
            f"{DATABASE}-lock": 0o600,
            f"{DATABASE}-news": 0o700,
        }
    assert not caplog.records


async def test_an_old_database_that_others_can_read_is_told(settings, generous, caplog):
    settings.data_dir.chmod(0o755)
    (settings.data_dir / DATABASE).chmod(0o644)
    async with running(settings):
        pass
    (record,) = (record for record in caplog.records if record.levelno == logging.WARNING)
    assert f"Other users of this machine may read {settings.data_dir} and" in record.message
    assert f"chmod go= {settings.data_dir} {settings.data_dir / DATABASE}" in record.message


# --- health ------------------------------------------------------------------------------------------------


@dataclass
class Clock:
    """A clock that stands still unless it is set."""

    moment: float = 100.0

    def __call__(self):
        return self.moment


async def test_health_is_whether_a_move_could_be_stored(settings, caplog):
    clock = Clock()
    async with running(settings) as server:
        server.app.state.store._clock = clock
        client = server.client()
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        with harm(server, "query_only = ON", "query_only = OFF"):
            clock.moment += 1
            ill = await client.get("/healthz")
            assert (ill.status_code, ill.json()) == (503, {"status": "the store cannot be read or written"})
            assert "readonly database" in caplog.text
            # What was found holds for a second.
            clock.moment += 0.5
        assert (await client.get("/healthz")).status_code == 503
        clock.moment += 0.5
        assert (await client.get("/healthz")).status_code == 200


async def test_why_a_page_could_not_be_answered_is_in_the_log(settings, caplog):
    async with running(settings) as server:
        ada = await server.person()
        with harm(server, "query_only = ON", "query_only = OFF"):
            answer = await ada.post("/tables", data={"game": "pebbles", "seats": "2"})
        assert answer.status_code == 503
        assert "readonly" not in answer.text
        assert "the store cannot be read or written (attempt to write a readonly database)" in caplog.text


async def test_whoever_asks_for_health_the_disk_is_asked_once_a_second(store, monkeypatch):
    clock = Clock()
    store._clock = clock
    written = []
    run = store.writer.run
    monkeypatch.setattr(store.writer, "run", lambda work: written.append(clock.moment) or run(work))
    for _ in range(3):
        await asyncio.gather(*(store.check() for _ in range(20)))
        clock.moment += 1
    assert written == [100, 101, 102]


class Line:
    """The way to a database, on which nothing comes through any more once it has fallen silent."""

    def __init__(self, host, port):
        self.silent = False
        self._to = host, port
        self._tasks = []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._begin, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error):
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _begin(self, reader, writer):
        far_reader, far_writer = await asyncio.open_connection(*self._to)
        self._tasks += [
            asyncio.create_task(self._pass_on(*ends)) for ends in ((reader, far_writer), (far_reader, writer))
        ]

    async def _pass_on(self, reader, writer):
        try:
            while some := await reader.read(1 << 16):
                if not self.silent:
                    writer.write(some)
        finally:
            writer.close()


async def test_a_database_that_falls_silent_is_not_waited_for(postgres, monkeypatch):
    url = make_url(postgres)
    async with Line(url.host, url.port or 5432) as line:
        store = Store(url.set(host="127.0.0.1", port=line.port), Clock())
        await store.open()
        await asyncio.gather(*(store.table("any") for _ in range(3)))
        line.silent = True
        monkeypatch.setattr(store_module, "ANSWER", 0.1)
        monkeypatch.setattr(store_module, "HEALTH", 0.1)
        async with asyncio.timeout(30):
            asked = store.table("any"), store.seating("any"), add(store, "late"), store.check()
            for error in await asyncio.gather(*asked, return_exceptions=True):
                assert isinstance(error, Unavailable)
                assert "did not answer" in str(error)
        monkeypatch.undo()
        line.silent = False
        # what had fallen silent is not asked again
        assert await store.table("late") is None
        await add(store, "next")
        assert await store.table("next")
        line.silent = True
        monkeypatch.setattr(store_module, "ANSWER", 0.1)
        async with asyncio.timeout(30):
            await store.close()


FULL = """
import asyncio, resource, sys
from thorp.server.tables.store import Store, Unavailable

async def main():
    store = Store(sys.argv[1], iter(range(100)).__next__)
    await store.open()
    await store.check()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        await store.check()
    except Unavailable as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    await store.check()
    await store.close()

asyncio.run(main())
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of files are POSIX")
async def test_a_disk_that_takes_no_more_is_found_out(tmp_path):
    url = sqlite_url(tmp_path / DATABASE).render_as_string()
    ran = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", FULL, url], capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("disk I/O error\n", "")
