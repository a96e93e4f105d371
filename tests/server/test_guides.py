"""Guided first games at tables: begun, read, left and taken up again; told to their person alone."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest

from .conftest import GAME, HTMX

pytestmark = pytest.mark.anyio

LEARN = "/games/pebbles/learn"


async def begin(person) -> str:
    """The path of the visitor's guided game."""
    answer = await person.post(LEARN)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def tell(person, path, what, step=0, **headers):
    return await person.post(f"{path}/guide", data={"guide": what, "step": str(step)}, headers=headers)


def said(html: str) -> tuple[str, str] | None:
    """How the guide on a page is, and what it says; None where there is none."""
    found = re.search(r'id="guide" data-stage-of-guide="(\w+)".*?id="guide-words"[^>]*>(.*?)</div>', html, re.S)
    return found and (found[1], re.sub(r"<[^>]*>", "", found[2]).strip())


HEAP, CHOOSE = ("says", "Whoever has most pebbles wins."), ("says", "Choose a stone. Alder chooses one, too.")
CHOSEN, CLOSING = ("says", "That was all there is to it."), ("closing", "That was Pebbles.")


async def test_both_pages_offer_it_and_it_is_led_step_by_step(server):
    ada = await server.person("Ada")
    assert LEARN in (await ada.get("/")).text
    assert LEARN in (await ada.get("/games/pebbles")).text
    path = await begin(ada)
    # among my tables it is told as what it is, and not by a level that nobody is offered
    home = (await ada.get("/")).text
    assert "a guided first game" in home
    assert "bots:" not in home
    assert said((await ada.get(path)).text) == HEAP
    answer = await tell(ada, path, "read", **HTMX)
    assert answer.status_code == 200
    assert said(answer.text) == CHOOSE
    assert said((await server.play(ada, path)).text) == CHOSEN
    assert (await tell(ada, path, "read", 2)).status_code == 303
    assert said((await ada.get(path)).text) == CLOSING


@pytest.mark.any_store
async def test_it_is_left_and_taken_up_again_elsewhere(server):
    ada = await server.person("Ada")
    path = await begin(ada)
    await tell(ada, path, "read")
    phone = server.client(server.cookie_of(ada))
    # What this process knew of it is gone.
    server.app.state.tables._cache.clear()
    assert said((await phone.get(path)).text) == CHOOSE
    assert await begin(phone) == path
    assert said((await server.play(phone, path)).text) == CHOSEN
    assert said((await ada.get(path)).text) == CHOSEN


async def test_what_is_read_twice_or_late_changes_nothing(server):
    ada = await server.person("Ada")
    path = await begin(ada)
    await tell(ada, path, "read")
    await tell(ada, path, "read")
    assert said((await ada.get(path)).text) == CHOOSE
    await server.play(ada, path)
    await tell(ada, path, "read", 2)
    await tell(ada, path, "read")
    assert said((await ada.get(path)).text) == CLOSING


async def test_a_move_that_is_taken_back_is_asked_for_again(server):
    server.bots.free.clear()
    ada = await server.person("Ada")
    path = await begin(ada)
    await tell(ada, path, "read")
    await server.play(ada, path)
    table = await server.at(path)
    answer = await ada.post(f"{path}/take-back", data={"counter": str(table.counters[0])}, headers=HTMX)
    assert answer.status_code == 200, answer.text
    assert said(answer.text) == CHOOSE


async def test_one_plays_on_without_it_and_takes_it_up_again(server):
    ada = await server.person("Ada")
    path = await begin(ada)
    await tell(ada, path, "rest")
    page = (await ada.get(path)).text
    assert said(page) == ("rests", "You play without the guide.")
    assert (await server.play(ada, path)).status_code == 200
    # Who learns by playing once more begins a new game.
    assert await begin(ada) != path
    await tell(ada, path, "speak")
    # What came before the stone is behind.
    assert said((await ada.get(path)).text) == CHOSEN


async def test_the_rival_chooses_as_the_guide_has_it_and_then_thinks(server, monkeypatch):
    from thorp.core.guide import guide_of

    guide = guide_of(GAME)
    assert guide
    for number in (0, 2):
        led = replace(guide, course=((f"pick-{number}",),))
        monkeypatch.setattr("thorp.server.tables.guiding.guide_of", lambda game, led=led: led)
        ada = await server.person("Ada")
        path = await begin(ada)
        await server.play_out(path, ada)
        match = (await server.at(path)).match
        entry = next(entry for entry in match.log() if entry.seat == 1 and not entry.forced)
        assert GAME.face.steps(match.state, 1, entry.move) == (f"pick-{number}",)
        assert match.over
    monkeypatch.setattr("thorp.server.tables.guiding.guide_of", _broken)
    path = await begin(ada := await server.person("Ben"))
    await server.play_out(path, ada)
    assert (await server.at(path)).match.over


async def test_nobody_else_is_guided(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await begin(ada)
    assert said((await ben.get(path)).text) is None
    answer = await tell(ben, path, "read")
    assert answer.status_code == 403
    other = await server.table(ben)
    assert said((await ben.get(other)).text) is None
    assert (await tell(ben, other, "read")).status_code == 403
    assert said((await ada.get(path)).text) == HEAP


async def test_the_deal_is_the_same_for_all_and_its_seed_can_be_proved(server):
    ada, ben = await server.person("Ada"), await server.person("Alder")
    tables = [await server.at(await begin(person)) for person in (ada, ben)]
    rows = [table.row for table in tables]
    assert rows[0].seed == rows[1].seed == 7
    assert rows[0].salt == rows[1].salt
    assert rows[0].commitment == hashlib.sha256(f"{rows[0].salt}7".encode()).hexdigest()
    # The bot has another name than its guest.
    assert [len(set(table.names)) for table in tables] == [2, 2]


async def test_another_game_at_the_same_table_is_not_guided(server):
    ada = await server.person("Ada")
    path = await begin(ada)
    await server.play_out(path, ada)
    following = (await ada.post(f"{path}/again")).headers["location"]
    table = await server.at(following)
    assert table.row.guide is None
    assert table.row.seed != 7
    assert said((await ada.get(following)).text) is None
    # The old one has come to its end: the next one is new.
    assert await begin(ada) not in (path, following)


async def test_broken_forms_are_refused_in_words(server):
    ada = await server.person("Ada")
    path = await begin(ada)
    for data in ({}, {"guide": "sing"}, {"guide": "read"}, {"guide": "read", "step": "-1"}):
        answer = await ada.post(f"{path}/guide", data=data)
        assert answer.status_code == 400, data
    assert said((await ada.get(path)).text) == HEAP
    assert (await ada.post("/games/chess/learn")).status_code == 404
    assert (await ada.post("/tables/none/guide", data={"guide": "rest"})).status_code == 404


async def test_a_guide_that_fails_leaves_the_table_as_it_is(server, monkeypatch):
    ada = await server.person("Ada")
    path = await begin(ada)
    monkeypatch.setattr("thorp.server.web.guide_shown.guide_of", _broken)
    page = await ada.get(path)
    assert page.status_code == 200
    assert said(page.text) is None
    assert LEARN not in (await ada.get("/")).text
    assert (await ada.post(LEARN)).status_code == 404


def _broken(game):
    from thorp.core.guide import GuideError

    raise GuideError([f"the guide of {game.id} is broken"])


async def test_its_page_alone_brings_script_and_style(server):
    ada = await server.person("Ada")
    guided, plain = await begin(ada), await server.table(ada)
    assert len(re.findall(r'="/static/guide-\w+\.(?:js|css)"', (await ada.get(guided)).text)) == 2
    assert "/static/guide-" not in (await ada.get(plain)).text


def test_the_game_for_tests_has_a_guide():
    from thorp.core.guide import guide_of

    assert guide_of(GAME)
