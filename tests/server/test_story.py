"""The story of a table is told to whoever looks, and to nobody else; a long one beside the loop. What tables keep."""

from __future__ import annotations

import asyncio
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from thorp.checks.pages import Pages
from thorp.core.match import AnyMatch, Match
from thorp.server.tables import rooms
from thorp.server.tables.story import Story
from thorp.server.tables.table import Table
from thorp.server.web import shown
from thorp.server.web.shown import show, show_position, tell

from .conftest import page_open

RECORDED = Path(__file__).parents[1] / "matches" / "tiny_towns" / "factory.json"
LOG = re.compile(r'<details class="panel log".*?</details>', re.DOTALL)

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def recorded() -> AnyMatch:
    return Match.load(RECORDED.read_text(encoding="utf-8"))


def played(recorded: AnyMatch, choices: int | None = None) -> AnyMatch:
    """The recorded match after so many choices."""
    match = Match(recorded.game, recorded.seats, recorded.options, recorded.seed, forced=recorded.forced)
    for entry in [entry for entry in recorded.log() if not entry.forced][:choices]:
        match.replay(entry.seat, entry.move)
    return match


def go_on(table: Table, seat: int, move: int) -> None:
    match = table.match.copy()
    table.advance(match, [seat], [match.play(seat, move)], [match.waiting])


def go_back(table: Table, seat: int, seed: int) -> None:
    match = table.match.copy()
    match.go_back(seat, seed)
    table.advance(match, [seat], [None], [match.waiting])


def words(story: Story, reader: int | None) -> list[Any]:
    return [(told.line.ply, told.text, told.followed, told.is_open) for told in story.told(reader)]


class Overheard:
    """A match whose game notes for which readers it is told, and in which threads."""

    def __init__(self, match: AnyMatch) -> None:
        self.readers: list[int | None] = []
        self.threads: set[int] = set()
        self.match = match.copy()
        face = replace(match.game.face, follows=self._follows, tell=self._tell)
        self.match.game = replace(match.game, face=face)
        self._face = match.game.face

    def _tell(self, state: Any, seat: int, move: int, reader: int | None) -> Any:
        self.threads.add(threading.get_ident())
        # what the player itself is told shows whether a reader may know the move
        if reader != seat:
            self.readers.append(reader)
        return self._face.tell(state, seat, move, reader)

    def _follows(self, before: Any, after: Any, reader: int | None) -> Any:
        self.readers.append(reader)
        return self._face.follows(before, after, reader)


@pytest.mark.parametrize("reader", [None, 1])
def test_it_is_told_to_who_looks_and_to_nobody_else(recorded: AnyMatch, reader: int | None) -> None:
    overheard = Overheard(played(recorded, 60))
    table = Pages().table(overheard.match)
    assert not overheard.readers
    show(table, reader)
    assert {*overheard.readers} == {reader}
    # and once only
    overheard.readers.clear()
    table.look_again()
    show(table, reader)
    assert not overheard.readers
    seat = table.match.waiting[0]
    before = table.match.ply
    go_on(table, seat, table.match.legal(seat)[0])
    show(table, reader)
    assert {*overheard.readers} == {reader}
    assert len(overheard.readers) <= 2 * (table.match.ply - before)


async def test_a_long_one_is_told_beside_the_loop(recorded: AnyMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    overheard = Overheard(played(recorded, 60))
    table, other = Pages().table(overheard.match), Pages().table(played(recorded, 60))
    said, in_words = set(), shown.markup.html
    monkeypatch.setattr(shown.markup, "html", lambda *each: said.add(threading.get_ident()) or in_words(*each))
    # all who come at once share what is told
    await asyncio.gather(tell(table, 0), tell(table, 0), tell(table, 0))
    assert overheard.threads
    assert said
    assert threading.get_ident() not in overheard.threads | said
    assert len(overheard.readers) <= 2 * table.match.ply
    overheard.readers.clear()
    log = show(table, 0)["log"]
    assert not overheard.readers
    assert log == show(other, 0)["log"]


async def test_a_short_one_is_told_at_once(recorded: AnyMatch) -> None:
    overheard = Overheard(played(recorded, 10))
    table = Pages().table(overheard.match)
    assert table.match.ply <= shown.AT_ONCE
    await tell(table, 0)
    assert not overheard.threads


async def test_the_page_of_a_table_is_told_beside_the_loop(server, monkeypatch):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve, rounds="6")
    match = await server.play_out(path, ada, eve)
    pages = (ada, path), (eve, f"{path}/at/{match.ply}?as=watch")
    logs = [LOG.findall((await person.get(page)).text) for person, page in pages]
    server.app.state.tables._cache.clear()
    monkeypatch.setattr(shown, "AT_ONCE", 2)
    told: list[tuple[int | None, int]] = []
    to = Story._tell
    monkeypatch.setattr(Story, "_tell", lambda *each: told.append((each[-1], threading.get_ident())) or to(*each))
    assert [LOG.findall((await person.get(page)).text) for person, page in pages] == logs
    assert all(logs)
    # nobody asked for the eyes of more than these: Ada's, Eve's as she opens the table, and those of who watches
    assert {reader for reader, _ in told} == {0, 1, None}
    assert threading.get_ident() not in {thread for _, thread in told}


@pytest.mark.parametrize("reader", [None, 0, 2])
def test_what_comes_meanwhile_is_told_too(recorded: AnyMatch, reader: int | None) -> None:
    table = Pages().table(played(recorded, 60))
    ahead = table.story.ahead(reader)
    ahead.told(reader)
    seat = table.match.waiting[0]
    go_on(table, seat, table.match.legal(seat)[0])
    table.story.catch_up(ahead)
    assert table.story.untold(reader) == table.match.ply - len(ahead.told(reader)) > 0
    assert words(table.story, reader) == words(Story(table.match), reader)
    assert [line.round for line in table.story.lines] == [line.round for line in Story(table.match).lines]


@pytest.mark.parametrize("reader", [None, 0, 2])
def test_what_was_taken_back_meanwhile_is_not_told(recorded: AnyMatch, reader: int | None) -> None:
    table = Pages().table(played(recorded, 60))
    words(table.story, reader)
    ahead, seat = table.story.ahead(reader), table.match.waiting[0]
    go_back(table, seat, 5)
    for _ in range(3):
        seat = table.match.waiting[0]
        go_on(table, seat, table.match.legal(seat)[-1])
    ahead.told(reader)
    table.story.catch_up(ahead)
    assert words(table.story, reader) == words(Story(table.match), reader)


# --- at rest -----------------------------------------------------------------------------------------------


def rests(table: Table) -> bool:
    """Whether a table keeps nothing that can be worked out again."""
    story = table.story
    kept = (table.shown, table.rendered, table.parts, table.said, story._lines, story._told, story._latest)
    return not any(kept)


def test_all_is_the_same_after_a_rest(recorded: AnyMatch) -> None:
    """Of a match that went back, too."""
    table = Pages().table(played(recorded, 40))
    go_back(table, 0, 5)
    go_on(table, 0, table.match.legal(0)[0])
    readers, ply = (None, *range(table.row.seats)), table.match.ply // 2

    def looks() -> list[Any]:
        return [(show(table, reader), show_position(table, ply, reader, "")) for reader in readers]

    before, mark, meanwhile = looks(), table.mark, table.story.ahead(1)
    assert not rests(table)
    table.rest()
    assert rests(table)
    # what a thread had told before is of no use any more
    meanwhile.told(1)
    table.story.catch_up(meanwhile)
    assert rests(table)
    assert (looks(), table.mark) == (before, mark)
    assert not rests(table)


async def test_words_last_as_long_as_names(recorded: AnyMatch) -> None:
    table = Pages().table(played(recorded, 10))
    show(table, 0)
    said = table.said
    table.furnish(replace(table.row, seating=1), table.seats)
    assert table.said is said
    table.furnish(table.row, [replace(table.seats[0], name="Ada"), *table.seats[1:]])
    assert "Ada" in str(show(table, 0)["log"])


async def test_stepping_through_positions_keeps_no_more_words(recorded: AnyMatch) -> None:
    table = Pages().table(played(recorded, 20))
    for ply in range(table.match.ply + 1):
        show_position(table, ply, 0, "")
    assert [len(lines) for lines in table.said.values()] == [table.match.ply]


async def test_tables_rest_where_nobody_looks(server, monkeypatch):
    monkeypatch.setattr(rooms, "READY", 1)
    monkeypatch.setattr(rooms, "LATELY", 0)
    ada = await server.person("Ada")
    paths = [await server.shared_table(ada, await server.person("Eve")) for _ in range(2)]
    tables = [await server.at(path) for path in paths]
    for path in paths:
        assert (await server.play(ada, path)).status_code == 200

    async def look(path: str) -> list[str]:
        return LOG.findall((await ada.get(path)).text)

    log = await look(paths[0])
    assert len(log) == 1
    assert not rests(tables[0])
    # who asks for another one lets it rest
    await look(paths[1])
    assert rests(tables[0])
    assert await look(paths[0]) == log
    assert rests(tables[1])
    assert await server.at(paths[0]) is tables[0]
    # not while somebody watches it
    async with page_open(server, ada, await server.shown(paths[0])):
        await look(paths[0])
        await look(paths[1])
        assert not any(map(rests, tables))
    await look(paths[1])
    assert rests(tables[0])


async def test_tables_that_were_asked_for_lately_do_not_rest(server, monkeypatch):
    """However many: between the reading of a table and its page, others are read."""
    monkeypatch.setattr(rooms, "READY", 1)
    monkeypatch.setattr(rooms, "LATELY", float("inf"))
    ada = await server.person("Ada")
    paths = [await server.shared_table(ada, await server.person("Eve")) for _ in range(3)]
    for path in paths:
        await ada.get(path)
    assert not any([rests(await server.at(path)) for path in paths])
