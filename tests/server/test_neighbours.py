"""Several processes on one store: each hears at once what the others have stored, and who is at a table there."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time

import pytest

from thorp.server.tables import bots, news_postgres, sqlite
from thorp.server.tables.live import Page
from thorp.server.tables.news import Listener, Present
from thorp.server.tables.news_local import LocalNews
from thorp.server.tables.store import MoveRow, Store, Taken, sqlite_url
from thorp.server.tables.table import Player

from .conftest import GAME, HTMX, page_open, replace, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(settings):
    """Servers that look by themselves so seldom that no test sees it: what is told in time was heard."""
    return replace(settings, heartbeat=3600.0)


@contextlib.asynccontextmanager
async def both(settings):
    """Two servers on one store that know of each other."""
    async with running(settings) as one, running(settings) as two:
        for here, there in ((one, two), (two, one)):
            while there.app.state.store.news.process not in here.app.state.store.news.others:
                await asyncio.sleep(0.001)
        yield one, two


async def _waits(page):
    """Read until a page has said that it waits for news."""
    while await page.block() != ":":
        pass


# --- what is stored ----------------------------------------------------------------------------------------


@pytest.mark.any_store
async def test_players_of_one_table_at_different_processes(settings):
    async with both(settings) as (one, two):
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        shown = await one.shown(path)
        eve = two.client(one.cookie_of(eve))
        async with page_open(one, ada, shown) as hers, page_open(two, eve, shown) as his:
            for server, person in ((one, ada), (two, eve), (one, ada), (two, eve)):
                answer = await server.play(person, path)
                assert answer.status_code == 200, answer.text
                events = [await page.event() for page in (hers, his)]
                marks = {(await each.at(path)).mark for each in (one, two)}
                assert {event.id for event in events} == marks
            # nobody moves for another seat, wherever it asks
            table = await two.at(path)
            form = {"counter": str(table.counters[0]), "move": str(table.match.legal(0)[0])}
            assert (await two.client().post(f"{path}/moves", data=form, headers=HTMX)).status_code == 403


@pytest.mark.any_store
async def test_what_is_told_between_loading_a_page_and_its_stream_is_not_lost(settings):
    async with both(settings) as (one, two):
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        loaded = await two.at(path)
        page = Page("", "somebody", loaded.mark)
        await one.play(ada, path)
        while loaded.id not in two.app.state.neighbours._behind:
            await asyncio.sleep(0.001)
        with two.app.state.live.watch(loaded.id, page, asyncio.Event().wait):
            await page.news.wait()
        assert loaded.mark == (await one.at(path)).mark


@pytest.mark.any_store
async def test_all_that_can_be_stored_about_a_table_is_told(settings):
    async with both(settings) as (one, two):
        ada, eve = await one.person("Ada"), await one.person("Eve")
        players = [Player("Ada", person=one.id_of(ada)), Player("Birch", person=one.id_of(ada)), Player("?")]
        path = "/tables/" + await one.app.state.tables.create(GAME, {}, players, seed=7, opener=one.id_of(ada))
        async with page_open(two, two.client(one.cookie_of(ada)), await two.shown(path)) as page:
            await _waits(page)
            # a seat is taken, with which the match begins
            assert (await eve.post(f"{path}/sit", data={"seat": "2", "name": "Eve"})).status_code == 303
            assert "Eve" in (await page.event()).data
            assert (await eve.post("/me", data={"name": "Grace"})).status_code == 303
            assert "Grace" in (await page.event()).data
            before = (await two.at(path)).hands
            assert (await ada.post(f"{path}/hand", data={"seat": "1"})).status_code == 303
            await page.event()
            assert (await two.at(path)).hands != before
    async with both(settings) as (one, two):
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        await one.play_out(path, ada, eve)
        async with page_open(two, None, await two.shown(path)) as page:
            await _waits(page)
            following = (await ada.post(f"{path}/again")).headers["location"]
            assert following in (await page.event()).data


@pytest.mark.any_store
async def test_what_was_not_stored_is_not_told(settings):
    async with both(settings) as (one, two):
        told = []
        two.app.state.store.news.listener = heard = Listener()
        heard.changed = told.append
        ada = await one.person("Ada")
        table = await one.at(await one.shared_table(ada, ada))
        store = one.app.state.store
        await store.add_move(table.id, MoveRow(0, 0, 0, 0))
        with pytest.raises(Taken):
            await store.add_move(table.id, MoveRow(0, 1, 0, 0))
        await store.add_move(table.id, MoveRow(1, 1, 0, 0))
        while len(told) < 2:
            await asyncio.sleep(0.001)
        # one more, so that whatever the one that failed might have told would have come before
        await store.change_seats(table.id, lambda company: replace(company, table=replace(company.table, listed=True)))
        while len(told) < 3:
            await asyncio.sleep(0.001)
        assert told == [table.id] * 3


# --- who is there ------------------------------------------------------------------------------------------


@pytest.mark.any_store
async def test_players_at_another_process_are_seen(settings):
    async with both(settings) as (one, two):
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        id, shown = path.rpartition("/")[2], await one.shown(path)
        await two.shown(path)
        async with page_open(one, ada, shown) as hers:
            await _waits(hers)
            eve = two.client(one.cookie_of(eve))
            async with page_open(two, eve, shown) as his, page_open(two, None, shown):
                assert "Person 1" in await hers.block()
                assert one.app.state.live.is_present(id, two.id_of(eve))
                await two.play(eve, path)
                await hers.event()
                await his.event()
                assert his.present["names"] == ["Person 0"]
            while hers.present["names"]:
                await hers.block()
            # who comes to a process that ends has gone with it
            async with page_open(two, eve, shown):
                while not one.app.state.live.is_present(id, two.id_of(eve)):
                    await hers.block()
                await two.app.state.neighbours.close()
                while one.app.state.live.is_present(id, two.id_of(eve)):
                    await hers.block()


@pytest.mark.any_store
async def test_who_looks_on_elsewhere_is_counted(settings, monkeypatch):
    monkeypatch.setattr("thorp.server.tables.neighbours._UNHURRIED", 0.001)
    async with both(settings) as (one, two):
        path = await one.shared_table(await one.person(), await one.person())
        id, shown = path.rpartition("/")[2], await one.shown(path)
        kim = await two.person("Kim")
        async with page_open(two, kim, shown), page_open(two, kim, shown), page_open(two, None, shown):
            while one.app.state.live.watching_elsewhere(id) != 2:
                await asyncio.sleep(0.001)
        while one.app.state.live.watching_elsewhere(id):
            await asyncio.sleep(0.001)


@pytest.mark.any_store
async def test_a_process_that_comes_later_is_told_who_is_there(settings):
    async with running(settings) as one:
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        async with page_open(one, ada, await one.shown(path)) as hers:
            await _waits(hers)
            async with running(settings) as two:
                while not two.app.state.live.is_present(path.rpartition("/")[2], one.id_of(ada)):
                    await asyncio.sleep(0.001)


# --- a listener that dies ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind_of_store", ["postgresql"])
@pytest.mark.parametrize("moves_before_it_is_back", [False, True])
async def test_a_listener_whose_connection_is_ended_comes_back(settings, moves_before_it_is_back):
    async with both(settings) as (one, two):
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        news = one.app.state.store.news
        async with page_open(one, eve, await one.shown(path)) as page:
            await _waits(page)
            listening = news._connection
            await _end(two, listening.get_server_pid())
            while listening is news._connection:
                await asyncio.sleep(0.001)
            if not moves_before_it_is_back:
                while news._connection is None:
                    await asyncio.sleep(0.001)
            began = time.monotonic()
            await two.play(two.client(one.cookie_of(ada)), path)
            assert (await page.event()).id == (await two.at(path)).mark
            assert time.monotonic() - began < 5


async def _end(server, backend):
    from sqlalchemy import func, select

    await server.app.state.store.read(lambda connection: connection.execute(select(func.pg_terminate_backend(backend))))


@pytest.mark.parametrize("kind_of_store", ["postgresql"])
async def test_a_listener_that_hears_nothing_is_noticed(settings, monkeypatch):
    """As where a network has swallowed the connection: it hears not even itself."""
    monkeypatch.setattr(news_postgres, "BEAT", 0.2)
    monkeypatch.setattr(news_postgres, "PATIENCE", 2.0)
    async with both(settings) as (one, two):
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        news = one.app.state.store.news
        async with page_open(one, eve, await one.shown(path)) as page:
            await _waits(page)
            while (deaf := news._connection) is None:
                await asyncio.sleep(0.001)
            async with news._turn:
                await deaf.execute("UNLISTEN *")
            await two.play(two.client(one.cookie_of(ada)), path)
            assert (await page.event()).id == (await two.at(path)).mark
            assert news._connection is not deaf
            # and while it was deaf nobody was taken to be gone for good
            await one.play(eve, path)


async def test_a_process_that_is_cut_off_looks_at_everything_when_it_is_back(settings, monkeypatch):
    monkeypatch.setattr("thorp.server.tables.news_local.AGAIN", 0.01)
    async with both(settings) as (one, two):
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        async with page_open(one, eve, await one.shown(path)) as page:
            await _waits(page)
            for writer in two.app.state.store.news._reached.values():
                writer.transport.abort()
            two.app.state.store.news._reached.clear()
            await two.play(two.client(one.cookie_of(ada)), path)
            assert (await page.event()).id == (await two.at(path)).mark


async def test_what_a_process_left_that_was_killed_is_swept_away(tmp_path):
    import socket

    folder = tmp_path / "news"
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(folder / "dead"))
    news = LocalNews(folder)
    await news.open()
    assert {path.name for path in folder.iterdir()} == {news.process, "bots"}
    await news.close()
    assert {path.name for path in folder.iterdir()} == {"bots"}


async def test_paths_that_are_too_long_for_sockets(tmp_path):
    folder = tmp_path / ("long" * 30)
    one, two = LocalNews(folder), LocalNews(folder)
    await one.open()
    await two.open()
    while not (one.others and two.others):
        await asyncio.sleep(0.001)
    heard = []
    two.listener = listener = Listener()
    listener.changed = heard.append
    one.after(["a"])
    while not heard:
        await asyncio.sleep(0.001)
    await one.close()
    await two.close()


def test_messages_of_another_version_are_passed_over():
    news = LocalNews.__new__(LocalNews)
    LocalNews.__init__(news, None)
    heard = []
    news.listener.changed = heard.append
    for text in (b"", b"{", b"[]", b"1", b'{"table": "x"}', b'{"from": "a", "here": "t", "people": 3}'):
        assert news.hear(text) == {}
    assert news.hear('{"from": "a", "table": "t", "news": "of tomorrow"}')
    assert heard == ["t"]
    assert not Present()
    assert Present(frozenset("a"))


# --- bots --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind_of_store", ["postgresql"])
async def test_one_process_at_a_time_asks_the_bots_of_a_table(settings):
    async with both(settings) as (one, two):
        asked = []
        choose = settings.players.choose
        settings.players.free.clear()
        settings.players.choose = lambda *arguments: asked.append(arguments) or choose(*arguments)
        players = [Player("Ada", person="ada"), Player("Alder", bot="quick")]
        id = await one.app.state.tables.create(GAME, {}, players)
        for server in (one, two):
            await server.client().get(f"/tables/{id}")
        while not asked:
            await asyncio.sleep(0.001)
        assert id in two.app.state.bots._at_work
        settings.players.free.set()
        for server in (one, two):
            await server.quiet()
        assert (await two.at(f"/tables/{id}")).counters == [0, 1]
        assert len(asked) == 1


@pytest.mark.parametrize("kind_of_store", ["postgresql"])
async def test_bots_of_a_process_that_has_ended_are_taken_over(settings, monkeypatch):
    """It holds the lock, and dies: the lock goes with its connection, and the other process asks."""
    monkeypatch.setattr(bots, "STAND_BY", 0.05)
    async with both(settings) as (one, two):
        players = [Player("Ada", person="ada"), Player("Alder", bot="quick")]
        id = await one.app.state.tables.create(GAME, {}, players)
        dying = one.app.state.store.news
        assert await dying.claim(id)
        async with page_open(two, None, await two.shown(f"/tables/{id}")) as page:
            await two.client().get(f"/tables/{id}")
            await _waits(page)
            assert (await two.at(f"/tables/{id}")).counters == [0, 0]
            await dying.close()
            await page.event()
            assert (await two.at(f"/tables/{id}")).counters == [0, 1]


@pytest.mark.any_store
async def test_bots_nobody_asks_are_asked_by_who_stands_by(settings, monkeypatch):
    """A person moves at a process that ends before its bots have answered."""
    monkeypatch.setattr(bots, "STAND_BY", 0.01)
    async with both(settings) as (one, two):
        ada = await one.person("Ada")
        players = [Player("Ada", person=one.id_of(ada)), Player("Alder", bot="quick")]
        id = await one.app.state.tables.create(GAME, {}, players, seed=7)
        path = f"/tables/{id}"
        monkeypatch.setattr(one.app.state.bots, "begin", lambda id: None)
        with monkeypatch.context() as asleep:
            # who opens a page wakes bots: what they answered meanwhile would come instead of the wait
            asleep.setattr(two.app.state.bots, "begin", lambda id: None)
            async with page_open(two, None, await two.shown(path)) as page:
                await _waits(page)
                assert two.app.state.tables.seen(id).counters == [0, 0]
                asleep.undo()
                await one.play(ada, path)
                while two.app.state.tables.seen(id).counters[1] < 1:
                    await page.event()


# --- writers of one file -----------------------------------------------------------------------------------


@pytest.mark.skipif(not sqlite.CAN_LOCK, reason="no locks that end with their process")
def test_writers_of_several_processes_take_turns(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT", 0.02)
    one, two = (sqlite.Turns(tmp_path / "lock", tmp_path / "thorp.db") for _ in range(2))
    with one, pytest.raises(TimeoutError), two:
        pytest.fail("two turns at the same time")
    with two:
        pass
    assert (tmp_path / "lock").stat().st_mode & 0o077 == 0
    one.close()
    two.close()


@pytest.mark.skipif(not sqlite.CAN_LOCK, reason="no locks that end with their process")
async def test_a_transaction_is_a_turn(tmp_path):
    """As SQLite before 3.51.3 may lose what is stored while another process checkpoints."""
    fcntl = pytest.importorskip("fcntl")
    store = Store(sqlite_url(tmp_path / "thorp.db"))
    await store.open()
    other = sqlite.Turns(tmp_path / "thorp.db-lock", tmp_path / "thorp.db")

    def work(connection):
        file = os.open(other.path, os.O_RDWR)
        with pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(file)

    await store.write(work)
    with other:
        pass
    other.close()
    await store.close()
