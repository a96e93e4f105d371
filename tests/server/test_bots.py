"""Bots at work: they answer by themselves, together, and their failures stay their own."""

import logging

import pytest

from .conftest import page_open

pytestmark = pytest.mark.anyio


async def test_bots_answer_at_once_and_together(server):
    server.bots.free.clear()
    ada = await server.person()
    path = await server.table(ada, 4)
    async with page_open(server, ada, f"{path}?since=0") as page:
        await page.block()
        server.bots.free.set()
        await server.quiet()
        event = await page.event()
        assert event.id == "3"
        assert (await server.at(path)).match.waiting == (0,)


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
