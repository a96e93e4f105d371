"""Bots at work: they answer by themselves, together, and their failures stay their own."""

import asyncio
import contextlib
import logging
import sqlite3

import pytest

from thorp.core.errors import IllegalMove
from thorp.server.app import DATABASE
from thorp.server.tables.store import MoveRow, Unavailable

from .conftest import page_open, running
from .test_servers import harm

pytestmark = pytest.mark.anyio


async def test_bots_answer_at_once_and_together(server):
    server.bots.free.clear()
    ada = await server.person()
    path = await server.table(ada, 4)
    async with page_open(server, ada, await server.shown(path)) as page:
        await page.block()
        server.bots.free.set()
        await server.quiet()
        event = await page.event()
        assert event.told == 3
        assert (await server.at(path)).match.waiting == (0,)


async def left(server, ada):
    """A table that its only person leaves while its bot thinks."""
    server.bots.free.clear()
    path = await server.table(ada)
    assert server.app.state.bots._at_work
    assert (await ada.post(f"{path}/leave")).status_code == 303
    async with asyncio.timeout(10):
        await server.quiet()
    server.bots.free.set()
    return path


async def test_bots_rest_where_all_have_left_until_somebody_is_back(server):
    ada = await server.person()
    path = await left(server, ada)
    # nor are they woken by a look that does not last, or a start
    assert (await ada.get(path)).status_code == 200
    await server.app.state.bots.wake_all()
    await server.quiet()
    assert (await server.at(path)).counters == [0, 0]
    assert (await ada.post(f"{path}/come-back")).status_code == 303
    await server.quiet()
    assert (await server.at(path)).counters == [0, 1]


async def test_bots_play_for_the_others_where_not_all_have_left(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    assert (await eve.post(f"{path}/leave")).status_code == 303
    await server.quiet()
    assert (await server.at(path)).counters == [0, 1]


async def test_bots_play_by_themselves_while_somebody_looks_on(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await left(server, ada)
    server.bots.free.clear()
    async with page_open(server, eve, await server.shown(path)) as page:
        await page.block()
        assert server.app.state.bots._at_work
    # who looked on is gone
    async with asyncio.timeout(10):
        await server.quiet()
    server.bots.free.set()
    assert (await server.at(path)).counters == [0, 0]
    async with page_open(server, eve, await server.shown(path)) as page:
        await page.block()
        await server.quiet()
    assert (await server.at(path)).match.over


@pytest.mark.any_store
async def test_the_server_at_which_somebody_looks_on_asks_the_bots(settings):
    async with running(settings) as one, running(settings) as two:
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await left(one, ada)
        async with page_open(two, two.client(one.cookie_of(eve)), await two.shown(path)) as page:
            await page.block()
            await two.quiet()
            assert (await two.at(path)).match.over
        assert not one.app.state.bots._at_work


async def test_who_opens_a_table_for_bots_watches_them_and_has_them_play_again(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.table(ada, 2, **{"seat.0": "slow", "seat.1": "quick"})
    await server.quiet()
    assert [(seat.bot, seat.name) for seat in (await server.at(path)).seats] == [("slow", "Yew"), ("quick", "Alder")]
    assert (await server.at(path)).counters == [0, 0]
    assert path in (await ada.get("/")).text
    async with page_open(server, ada, await server.shown(path)) as page:
        await page.block()
        await server.quiet()
    assert (await server.at(path)).match.over
    assert 'id="again"' in (await ada.get(path)).text
    assert 'id="again"' not in (await eve.get(path)).text
    assert (await eve.post(f"{path}/again")).status_code == 403
    following = (await ada.post(f"{path}/again")).headers["location"]
    assert [seat.bot for seat in (await server.at(following)).seats] == ["quick", "slow"]


async def test_a_match_from_a_file_is_none_that_bots_play_again(server):
    ada = await server.person()
    path = await server.table(ada)
    await server.play_out(path, ada)
    saved = (await ada.get(f"{path}/export.json")).text
    copy = "/tables/" + await server.app.state.tables.take_in(saved, server.id_of(ada))
    assert 'id="again"' not in (await ada.get(copy)).text
    assert (await ada.post(f"{copy}/again")).status_code == 403


async def test_a_crash_is_logged_and_the_bot_asked_again(server, caplog):
    ada = await server.person()
    server.bots.mischief = [RuntimeError("a bad day"), ValueError("another one")]
    with caplog.at_level(logging.ERROR):
        path = await server.table(ada)
        await server.quiet()
    assert (await server.at(path)).counters == [0, 1]
    assert "a bad day" in caplog.text
    assert "another one" in caplog.text
    assert (await ada.get(path)).status_code == 200


async def test_one_bot_that_crashes_does_not_hold_up_the_others(server, caplog):
    ada = await server.person()
    server.bots.mischief = [RuntimeError("a bad day")]
    with caplog.at_level(logging.CRITICAL):
        path = await server.table(ada, 4)
        await server.quiet()
    assert (await server.at(path)).counters == [0, 1, 1, 1]


async def test_an_illegal_answer_of_a_bot_changes_nothing(server, caplog):
    ada = await server.person()
    server.bots.mischief = [99]
    with caplog.at_level(logging.ERROR):
        path = await server.table(ada)
        await server.quiet()
    assert "failed" in caplog.text
    assert [entry.move for entry in (await server.at(path)).match.log()] == [0]


async def test_a_bot_that_is_overtaken_thinks_again(server):
    server.bots.free.clear()
    ada = await server.person()
    path = await server.table(ada)
    table = await server.at(path)
    # another server answers for the bot
    from thorp.server.tables.store import MoveRow

    await server.app.state.store.add_move(table.id, MoveRow(0, 1, 2, 0))
    server.bots.free.set()
    await server.quiet()
    table = await server.at(path)
    assert [(entry.seat, entry.move) for entry in table.match.log()] == [(1, 2)]
    assert table.match.waiting == (0,)


async def test_no_line_of_the_log_says_which_move_a_bot_chose(server, caplog):
    """Whoever runs the server may sit at the table."""
    server.bots.mischief = [77_123, IllegalMove("move 77123 is not legal for seat 1 now")]
    with caplog.at_level(logging.WARNING):
        server.bots.free.clear()
        path = await server.table(await server.person())
        with harm(server, "query_only = ON", "query_only = OFF"):
            server.bots.free.set()
            while "the store fails bots" not in caplog.text:
                await asyncio.sleep(0)
        await server.quiet()
    assert (await server.at(path)).counters == [0, 1]
    assert caplog.text.count("a move that cannot be") == 2
    assert "77123" not in caplog.text


async def test_what_the_store_says_names_no_move(server):
    with contextlib.closing(sqlite3.connect(server.settings.data_dir / DATABASE)) as database:
        database.execute("ALTER TABLE move RENAME TO gone")
    with pytest.raises(Unavailable) as caught:
        await server.app.state.store.add_move("table", MoveRow(0, 1, 77_123, 0))
    assert "move" in str(caught.value)
    assert "77123" not in str(caught.value)


async def test_a_table_that_is_stored_is_never_told_as_if_it_were_not(server, monkeypatch):
    """The store may fail between the two: the person goes to its table, and the bots are asked when it can be read."""
    ada = await server.person()
    store = server.app.state.store

    async def fail(*arguments):
        raise Unavailable("not now")

    with monkeypatch.context() as patch:
        patch.setattr(store, "table", fail)
        patch.setattr(store, "latest", fail)
        path = await server.table(ada)
    await server.quiet()
    assert (await server.at(path)).counters == [0, 1]


async def test_ids_that_were_never_drawn_reach_no_database(server, monkeypatch):
    ada = await server.person()

    async def fail(*arguments):
        raise AssertionError("the store was asked")

    monkeypatch.setattr(server.app.state.store, "table", fail)
    for id in ("%00", "a%00b", "x" * 33, "a.b", "%F0%9F%8C%B3"):
        assert (await ada.get(f"/tables/{id}")).status_code == 404


async def test_the_page_shows_that_only_bots_are_waited_for(server):
    ada = await server.person("Ada")
    server.bots.free.clear()
    path = await server.table(ada, 2, game="villagers")
    seen = set()
    for _ in range(40):
        table = await server.at(path)
        asked = table.seat_of(server.id_of(ada)) in table.match.waiting
        assert ('class="prompt thinks"' in (await ada.get(path)).text) == (not asked)
        seen.add(asked)
        if len(seen) == 2:
            break
        if asked:
            await server.play(ada, path)
        else:
            server.bots.free.set()
            await server.quiet()
            server.bots.free.clear()
    assert len(seen) == 2
    server.bots.free.set()
    await server.quiet()
