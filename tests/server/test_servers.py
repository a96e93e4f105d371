"""Several servers on one database: races, restarts, and a store that fails."""

import asyncio
import contextlib
import logging
from datetime import UTC, datetime
from functools import partial

import pytest
from postgres import database
from sqlalchemy import event, select, text

from thorp.server import admin
from thorp.server.tables import schema
from thorp.server.tables.store import MoveRow, Store, Taken, Unavailable, _migrate, sqlite_url
from thorp.server.tables.table import Player

from .conftest import GAME, HTMX, Leashed, replace, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def both_read_first(monkeypatch):
    """Two servers that both want to write have both read before."""

    def delay(server, barrier):
        store = server.app.state.store
        add_move = store.add_move

        async def late(*args, **kwargs):
            monkeypatch.setattr(store, "add_move", add_move)
            await barrier.wait()
            return await add_move(*args, **kwargs)

        monkeypatch.setattr(store, "add_move", late)

    def arrange(*servers):
        barrier = asyncio.Barrier(len(servers))
        for server in servers:
            delay(server, barrier)

    return arrange


@pytest.mark.any_store
async def test_of_two_writers_of_one_ply_one_wins(settings, both_read_first):
    async with running(settings) as one, running(settings) as two:
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        both_read_first(one, two)
        posts = [
            server.client(one.cookie_of(ada)).post(
                f"{path}/moves", data={"counter": "0", "move": str(move)}, headers=HTMX
            )
            for move, server in enumerate((one, two))
        ]
        answers = await asyncio.gather(*posts)
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        winner = next(move for move, answer in enumerate(answers) if answer.status_code == 200)
        tables = [await server.at(path) for server in (one, two)]
        assert [[entry.move for entry in table.match.log()] for table in tables] == [[winner], [winner]]
        assert tables[0].counters == tables[1].counters == [1, 0]


@pytest.mark.any_store
async def test_two_seats_that_write_at_the_same_time_both_succeed(settings, both_read_first):
    async with running(settings) as one, running(settings) as two:
        people = [await one.person("Ada"), await one.person("Eve"), await one.person("Kim")]
        path = await one.shared_table(*people)
        both_read_first(one, two)
        posts = [
            server.client(one.cookie_of(person)).post(f"{path}/moves", data={"counter": "0", "move": "1"}, headers=HTMX)
            for person, server in zip(people, (one, two), strict=False)
        ]
        assert [answer.status_code for answer in await asyncio.gather(*posts)] == [200, 200]
        tables = [await server.at(path) for server in (one, two)]
        assert tables[0].match.digest() == tables[1].match.digest()
        assert tables[0].counters == [1, 1, 0]


@pytest.mark.any_store
async def test_a_rematch_is_one_table_over_two_servers(settings):
    async with running(settings) as one, running(settings) as two:
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        await one.play_out(path, ada, eve)
        posts = [server.client(one.cookie_of(ada)).post(f"{path}/again") for server in (one, two)]
        answers = await asyncio.gather(*posts)
        assert len({answer.headers["location"] for answer in answers}) == 1
        for server in (one, two):
            assert (await server.at(path)).row.next_table in answers[0].headers["location"]


@pytest.mark.any_store
async def test_a_rematch_is_not_forgotten_by_who_looked_before_it_was_there(server, monkeypatch):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play_out(path, ada, eve)
    store = server.app.state.store
    looked, go_on = asyncio.Event(), asyncio.Event()
    latest = store.latest

    async def slow(id):
        monkeypatch.undo()
        found = await latest(id)
        looked.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(store, "latest", slow)
    looking = asyncio.create_task(server.at(path))
    await looked.wait()
    id = path.rpartition("/")[2]
    table = await server.app.state.tables.glance(id)
    row, seats = server.app.state.tables._new_table(GAME, {}, [Player("Ada", person="ada")] * 2, None, True)
    table.furnish(replace(table.row, next_table=await store.add_rematch(id, row, seats)), table.seats)
    go_on.set()
    assert (await looking).row.next_table == row.id


@pytest.mark.any_store
async def test_the_mark_is_the_same_in_every_process(settings):
    """So a page that comes back to another server is brought nothing that it shows, and all that it does not."""
    async with running(settings) as one, running(settings) as two:
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve, seed=5)
        marks = []
        for person in (ada, eve, ada, eve, ada):
            assert (await one.play(person, path)).status_code == 200
            marks.append((await one.at(path)).mark)
            assert (await two.at(path)).mark == marks[-1]
        assert (await ada.post(f"{path}/take-back", data={"counter": "3"})).status_code == 303
        marks.append((await one.at(path)).mark)
        assert (await two.at(path)).mark == marks[-1]
        assert (await ada.post("/me", data={"name": "Grace"})).status_code == 303
        marks.append((await one.at(path)).mark)
        two.app.state.tables._cache.clear()
        assert (await two.at(path)).mark == marks[-1]
        assert len(set(marks)) == len(marks)
        versions = [int(mark.partition(".")[0]) for mark in marks]
        assert versions == sorted(versions)


@pytest.mark.any_store
async def test_a_restart_loses_nothing(settings):
    async with running(settings) as server:
        ada = await server.person("Ada")
        path = await server.table(ada, 3)
        for _ in range(3):
            await server.quiet()
            assert (await server.play(ada, path)).status_code == 200
        await server.quiet()
        before = await server.at(path)
        shown = (await ada.get(f"{path}/fragment")).text.replace(before.id, "")
        cookie = server.cookie_of(ada)
    async with running(settings) as server:
        ada = server.client(cookie)
        after = await server.at(path)
        assert after is not before
        assert after.match.digest() == before.match.digest()
        assert (after.version, after.counters) == (before.version, before.counters)
        assert len((await ada.get(f"{path}/fragment")).text.replace(before.id, "")) == len(shown)
        await server.play_out(path, ada)
        loaded = (await ada.get(f"{path}/export.json")).status_code
        assert loaded == 200


@pytest.mark.any_store
async def test_bots_go_on_after_a_restart(settings):
    async with running(settings) as server:
        server.bots.free.clear()
        ada = await server.person("Ada")
        path = await server.table(ada, 4)
        assert len(server.app.state.bots._at_work) == 1
        assert (await server.play(ada, path)).status_code == 200
        assert (await server.at(path)).version == 1
        # the server stops while the bots think
        await server.app.state.bots.close()
    async with running(settings) as server:
        while not server.app.state.bots._at_work and (await server.at(path)).version < 4:
            await asyncio.sleep(0)
        await server.quiet()
        table = await server.at(path)
        assert table.counters[1:] == [1, 1, 1]
        assert table.match.waiting == (0,)


@pytest.mark.any_store
async def test_bots_go_on_when_a_table_is_opened(server):
    players = [Player("Ada", person="ada"), Player("Alder", bot="quick")]
    id = await server.app.state.tables.create(GAME, {}, players)
    assert not server.app.state.bots._at_work
    await server.client().get(f"/tables/{id}")
    await server.quiet()
    assert (await server.at(id)).counters == [0, 1]


@pytest.mark.any_store
async def test_who_sits_down_at_one_server_plays_at_another(settings):
    async with running(settings) as one, running(settings) as two:
        ada, ben = await two.person("Ada"), await one.person("Ben")
        path = await two.table(ada, 2, **{"seat.1": "link"})
        await two.at(path)
        assert (await ben.post(f"{path}/sit", data={"seat": "1"})).status_code == 303
        by_two = two.client(one.cookie_of(ben))
        answer = await by_two.post(f"{path}/moves", data={"counter": "0", "move": "0"}, headers=HTMX)
        assert answer.status_code == 200
        assert (await one.at(path)).counters == [0, 1]


async def test_what_a_bot_thought_of_a_position_that_is_gone_is_not_played(settings):
    """Its seat is asked as if nothing had happened, and what it had chosen is legal: but of another position."""
    thought_about = []

    class Noting(Leashed):
        def choose(self, name, match, seat, seed):
            thought_about.append([entry.move for entry in match.log()])
            return super().choose(name, match, seat, seed)

    bots, take = Noting(), GAME.moves["take"].first
    async with running(replace(settings, players=bots)) as one, running(settings) as two:
        ada = await one.person("Ada")
        players = [Player("Ada", person=one.id_of(ada)), Player("Alder", bot="quick")]
        path = "/tables/" + await one.app.state.tables.create(GAME, {}, players, seed=7, forced=False)
        await one.play(ada, path)
        await one.quiet()
        # no bot answers while they are held, at either server
        bots.free.clear()
        two.bots.free.clear()
        await one.play(ada, path, take)
        by_two = two.client(one.cookie_of(ada))
        for what, form in (("go-back", {}), ("moves", {"move": str(take + 1)})):
            form["counter"] = str((await two.at(path)).counters[0])
            assert (await by_two.post(f"{path}/{what}", data=form, headers=HTMX)).status_code == 200
        bots.free.set()
        await one.quiet()
        played = [entry.move for entry in (await one.at(path)).match.log()]
        # what was played before the bot chose, and its choice
        assert played[2] == take + 1
        assert played[:3] in thought_about


async def test_bots_are_asked_after_a_start_however_many_wait_for_people(server, monkeypatch):
    store, tables = server.app.state.store, server.app.state.tables
    ada, ben = await server.person("Ada"), await server.person("Ben")
    players = [Player("Ada", person=server.id_of(ada)), Player("Alder", bot="quick")]
    asked = await tables.create(GAME, {}, players)
    for _ in range(3):
        path = await server.table(ada)
        await server.quiet()
        assert (await server.at(path)).match.waiting == (0,)
    await server.shared_table(ada, ben)
    # bots rest where all have left, and nobody comes to let them go on
    left = await server.table(ada)
    await server.play(ada, left)
    assert (await ada.post(f"{left}/leave")).status_code == 303
    assert (await server.at(left)).match.waiting
    assert await store.running_with_bots(2) == [asked]

    async def with_one_that_is_gone(limit):
        return ["deleted", asked]

    monkeypatch.setattr(store, "running_with_bots", with_one_that_is_gone)
    await server.app.state.bots.wake_all()
    await server.quiet()
    assert (await server.at(asked)).counters == [0, 1]


# --- a store that fails ------------------------------------------------------------------------------------


@contextlib.contextmanager
def harm(server, pragma, healthy):
    """The connection of a server that writes has a setting that makes it fail."""
    engine = server.app.state.store.writer.engine
    present = pragma

    @event.listens_for(engine, "checkout")
    def checkout(connection, record, proxy):
        connection.execute(f"PRAGMA {present}")

    yield
    present = healthy


@pytest.mark.parametrize(
    ("pragma", "healthy"),
    [("query_only = ON", "query_only = OFF"), ("max_page_count = 1", "max_page_count = 100000")],
)
async def test_a_disk_that_is_full_or_read_only(settings, pragma, healthy, caplog):
    caplog.set_level(logging.WARNING)
    async with running(settings) as server:
        ada = await server.person("Ada")
        path = await server.shared_table(ada, await server.person("Eve"))
        await server.play(ada, path, 0)
        before = await server.rows()
        with harm(server, pragma, healthy):
            # A full database has some room left in its pages.
            for _ in range(200):
                failed = await ada.post("/tables", data={"game": "pebbles", "seats": "4"})
                if failed.status_code != 303:
                    break
            assert failed.status_code == 503
            assert "nothing was changed" in failed.text
            assert failed.headers["retry-after"] == "5"
            if "query_only" in pragma:
                assert await server.rows() == before
                refused = await ada.post(f"{path}/take-back", data={"counter": "1"}, headers=HTMX)
                assert refused.status_code == 503
                assert refused.headers["hx-retarget"] == "#notice"
            # What was there can still be seen, and goes on as soon as the disk lets it.
            assert (await ada.get(path)).status_code == 200
            assert (await server.at(path)).counters == [1, 0]
        assert (await ada.post(f"{path}/take-back", data={"counter": "1"}, headers=HTMX)).status_code == 200
        assert (await server.at(path)).counters == [2, 0]
        # Bots whose moves could not be stored try again.
        await server.quiet()
        assert all("store" in record.message for record in caplog.records)


async def test_a_store_that_cannot_be_reached(server, monkeypatch, tmp_path):
    ada = await server.person()
    path = await server.table(ada)
    await server.quiet()
    nowhere = Store(sqlite_url(tmp_path / "nowhere" / "thorp.db"))
    with monkeypatch.context() as patch:
        patch.setattr(server.app.state.store, "reader", nowhere.reader)
        patch.setattr(server.app.state.store, "writer", nowhere.writer)
        for answer in (await ada.get(path), await ada.get("/"), await ada.post("/me", data={"name": "Eve"})):
            assert answer.status_code == 503
            assert "nothing is lost" in answer.text
        assert (await ada.get("/healthz")).status_code == 503
    assert (await ada.get(path)).status_code == 200


async def test_a_store_that_cannot_be_made(settings, tmp_path):
    (tmp_path / "file").write_text("")
    store = Store(sqlite_url(tmp_path / "file" / "thorp.db"))
    with pytest.raises(Unavailable):
        await store.open()
    await store.close()
    with pytest.raises(OSError, match="file"):
        async with running(replace(settings, data_dir=tmp_path / "file")):
            pass


# --- the store itself --------------------------------------------------------------------------------------


async def test_the_migrations_make_the_schema(tmp_path):
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    from thorp.server.tables.schema import metadata

    store = Store(sqlite_url(tmp_path / "thorp.db"))
    await store.open()
    differences = await store.read(
        lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)
    )
    assert differences == []
    await store.close()


async def test_what_is_over_is_not_read_to_find_what_is_not(server):
    """The first page asks for what gathers at every visit, and what is over becomes ever more."""
    store, told = server.app.state.store, []
    engine = store.reader.engine

    @event.listens_for(engine, "before_cursor_execute")
    def note(connection, cursor, statement, parameters, context, many):
        told.append((statement, parameters))

    await store.open_tables(datetime.now(UTC))
    await store.running_with_bots(10)
    event.remove(engine, "before_cursor_execute", note)
    # what else the server does meanwhile, such as to look for what is over, is not of interest
    asked = [each for each in told if "finished IS NULL" in each[0] and 'ORDER BY "table".created' in each[0]]
    assert len(asked) >= 2
    for statement, parameters in asked:
        plan = await store.read(partial(_plan, statement=statement, parameters=parameters))
        assert "ix_table_running" in " / ".join(plan)


def _plan(connection, statement, parameters):
    return [row[-1] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]


async def test_servers_that_start_together_share_one_secret(tmp_path):
    stores = [Store(sqlite_url(tmp_path / "thorp.db")) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    secrets = await asyncio.gather(*(store.secret("cookies") for store in stores))
    assert len(set(secrets)) == 1
    assert len(secrets[0]) >= 40
    for store in stores:
        await store.close()


async def waits(store, working):
    """Wait until what was begun waits for somebody else's transaction in PostgreSQL, or has ended."""
    waiting = text("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
    while not working.done():
        async with store.engine.connect() as connection:
            if await connection.scalar(waiting):
                return


async def test_servers_that_start_together_on_postgresql_migrate_it_once():
    with database() as address:
        first, second = Store(address), Store(address)
        async with first.engine.begin() as connection:
            await connection.run_sync(_migrate)
            opening = asyncio.create_task(second.open())
            await waits(first, opening)
        await opening
        assert await second.secret("cookies") == await first.secret("cookies")
        for store in (first, second):
            await store.close()


async def test_a_table_is_deleted_after_the_move_that_is_being_stored(settings, postgres):
    async with running(replace(settings, database=postgres)) as server:
        store, t = server.app.state.store, schema.tables
        path = await server.shared_table(await server.person(), await server.person("Eve"))
        id = path.rpartition("/")[2]
        async with store.engine.begin() as moving:
            await moving.execute(select(t.c.id).where(t.c.id == id).with_for_update())
            removing = asyncio.create_task(store.write(partial(admin.remove, id=id)))
            await waits(store, removing)
            row = {"table": id, "made": store.now(), **vars(MoveRow(0, 0, 0, 0))}
            await moving.execute(schema.moves.insert().values(**row))
        await removing
        assert await store.table(id) is None
        assert await store.moves(id) == []


@pytest.mark.any_store
async def test_a_ply_and_a_counter_are_taken_once(server):
    ada = await server.person()
    table = await server.at(await server.shared_table(ada, ada))
    store = server.app.state.store
    await store.add_move(table.id, MoveRow(0, 0, 0, 0))
    for row in (MoveRow(0, 1, 0, 0), MoveRow(1, 0, 0, 0)):
        with pytest.raises(Taken):
            await store.add_move(table.id, row)
    assert len(await store.moves(table.id)) == 1
