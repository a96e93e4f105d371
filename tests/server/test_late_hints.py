"""Hints that come too late: nothing is told, nor kept, about a decision that was made by way of another server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from connect_four import GAME
from judges import Judge
from sqlalchemy import select

from thorp.core.registry import register
from thorp.server.settings import Settings
from thorp.server.tables import bots, hints, ratings, schema
from thorp.server.tables.refusals import Stale
from thorp.server.tables.table import Player, Table

from .conftest import Server, running

pytestmark = [pytest.mark.anyio, pytest.mark.any_store]


@contextlib.asynccontextmanager
async def _thinking(settings: Settings, *, last: bool) -> AsyncIterator[tuple[Server, str, int, asyncio.Task, Judge]]:
    """A server, a table there, whose decision is thought about at another server, the thought, and who thinks it.

    `last`: it is the last decision of the match.
    """
    register(GAME)
    async with running(settings) as one, running(replace(settings)) as other:
        people = [Player(name, person=one.id_of(await one.person(name))) for name in ("Ada", "Ben")]
        path = "/tables/" + await one.app.state.tables.create(GAME, {}, people, seed=7, hints=True)
        table = await one.at(path)
        await _play(one, table)
        while last and not _is_last(table):
            await _play(one, table)
        seat = table.match.waiting[0]
        judge = other.app.state.hints.thinkers = Judge()
        judge.free.clear()
        there = await other.at(path)
        asking = asyncio.create_task(other.app.state.hints.ask(there, seat, ("", ""), 60.0, lambda: None))
        while not judge.asked:
            await asyncio.sleep(0.001)
        yield one, path, seat, asking, judge


async def _play(server: Server, table: Table) -> None:
    seat = table.match.waiting[0]
    await server.app.state.tables.play(table.id, seat, table.counters[seat], table.match.legal(seat)[0])


def _is_last(table: Table) -> bool:
    match = table.match.copy()
    match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    return match.over


async def _stored(server: Server, what) -> list[tuple]:
    return await server.app.state.store.read(lambda connection: list(map(tuple, connection.execute(select(what)))))


@pytest.mark.parametrize("last", [False, True])
async def test_a_decision_that_is_made_elsewhere_meanwhile_is_told_no_hint(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, last: bool
) -> None:
    monkeypatch.setattr(hints, "SECONDS", 0.05)
    async with _thinking(settings, last=last) as (one, path, _, asking, judge):
        await _play(one, await one.at(path))
        assert (await one.at(path)).match.over == last
        judge.free.set()
        with pytest.raises(Stale):
            await asking
        assert await _stored(one, schema.hints) == []
        # and so the match stays in the ratings, however they are reckoned
        rated = await _stored(one, schema.ratings)
        assert len(rated) == (2 if last else 0)
        await one.app.state.store.write(lambda connection: ratings.reckon(connection, GAME.id))
        assert sorted(await _stored(one, schema.ratings)) == sorted(rated)


async def test_what_another_seat_takes_back_makes_it_another_decision(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "SECONDS", 0.05)
    async with _thinking(settings, last=False) as (one, path, seat, asking, judge):
        table = await one.at(path)
        # the seat decides nothing, and has to decide the same again when it is done
        await one.app.state.tables.go_back(table.id, 1 - seat, (table.version, table.row.seating))
        await _play(one, table)
        assert table.match.waiting == (seat,)
        judge.free.set()
        with pytest.raises(Stale):
            await asking
        assert await _stored(one, schema.hints) == []


async def test_a_decision_that_is_still_open_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "SECONDS", 0.05)
    async with _thinking(settings, last=False) as (one, path, seat, asking, judge):
        judge.free.set()
        assert await asking
        table = await one.at(path)
        assert [row[:4] for row in await _stored(one, schema.hints)] == [
            (table.id, seat, table.counters[seat], table.undone)
        ]


async def test_of_tables_that_nobody_comes_back_to_little_is_kept(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_done(id: str, patience: float) -> bool:
        return False

    asked = server.app.state.hints
    monkeypatch.setattr(asked.studies, "is_done", is_done)
    monkeypatch.setattr(hints, "LEARNED", 0.0)
    monkeypatch.setattr(bots, "REMEMBERED", 3)
    for number in range(5):
        await asked._learn(hints._Decision(str(number), 0, 0, 0))
    assert list(asked._until) == ["2", "3", "4"]
