"""Answers given beforehand: played through the same door as a person's, while they hold, seen by nobody else."""

import asyncio
import re

import pytest

import thorp
from thorp.core.match import Match
from thorp.core.words import say
from thorp.server.tables.store import Unavailable

from .conftest import GAME, HTMX, replace, running

pytestmark = pytest.mark.anyio

TAKE = GAME.moves["take"].first


async def settled(server):
    """Wait until nothing that was answered beforehand is being played."""
    while tasks := list(server.app.state.beforehand._at_work.values()):
        await asyncio.wait(tasks)


async def give(person, path, answer, hold="always", **headers):
    return await person.post(f"{path}/beforehand", data={"answer": answer, "hold": hold}, headers=headers)


def given(page):
    """What a page says was answered beforehand."""
    return re.findall(r'<li class="given">.*?name="answer" value="([^"]+)"', page.text, re.S)


async def pick(server, path, *people):
    """Everybody chooses a stone."""
    for person in people:
        assert (await server.play(person, path)).status_code == 200
        await settled(server)


async def taking(server, seed=7):
    """A table of two with a heap, and whose turn it is: Ada's."""
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben, seed=seed)
    return path, ada, ben


@pytest.mark.any_store
async def test_it_is_played_where_it_is_asked(server):
    path, ada, ben = await taking(server)
    assert (await give(ben, path, "take-0")).status_code == 303
    assert given(await ben.get(path)) == ["take-0"]
    await pick(server, path, ada, ben)
    assert (await server.at(path)).match.waiting == (0,)
    await server.play(ada, path)
    await settled(server)
    table = await server.at(path)
    # Ben has taken nothing, and all choose again
    assert [(entry.seat, entry.move) for entry in table.match.log()][-1] == (1, TAKE)
    assert not table.match.log()[-1].forced
    assert table.match.waiting == (0, 1)
    rows = await server.app.state.store.moves(table.id)
    assert (rows[-1].seat, rows[-1].counter) == (1, 1)
    # and always: in the next round again
    await pick(server, path, ada, ben)
    await server.play(ada, path)
    await settled(server)
    assert (await server.at(path)).match.waiting == (0, 1)


async def test_it_ends_by_itself(server):
    path, ada, ben = await taking(server)
    await give(ben, path, "take-0", "span")
    assert "until the end of this round" in (await ben.get(path)).text
    for round_ends in (True, False):
        await pick(server, path, ada, ben)
        await server.play(ada, path)
        await settled(server)
        assert ((await server.at(path)).match.waiting == (0, 1)) is round_ends
        assert given(await ben.get(path)) == []


async def test_what_is_asked_now_is_answered_at_once(server):
    path, ada, ben = await taking(server)
    await pick(server, path, ada, ben)
    answer = await give(ada, path, "take-0", **HTMX)
    assert answer.status_code == 200
    assert '<details class="panel beforehand"' in answer.text
    await settled(server)
    assert (await server.at(path)).match.waiting == (1,)


async def test_one_is_asked_again_where_one_likes(server):
    path, ada, ben = await taking(server)
    await give(ben, path, "take-0")
    await give(ben, path, "take-0", "no")
    assert given(await ben.get(path)) == []
    await pick(server, path, ada, ben)
    await server.play(ada, path)
    await settled(server)
    assert (await server.at(path)).match.waiting == (1,)


async def test_to_take_back_ends_it(server):
    path, _, ben = await taking(server)
    await give(ben, path, "take-0")
    await give(ben, path, "take-1", "span")
    await server.play(ben, path)
    table = await server.at(path)
    answer = await ben.post(f"{path}/take-back", data={"counter": str(table.counters[1])}, headers=HTMX)
    assert answer.status_code == 200
    assert given(await ben.get(path)) == []


async def test_to_go_back_ends_it_too(server):
    path, ada, ben = await taking(server)
    await give(ada, path, "take-0")
    await give(ben, path, "take-1", "span")
    await pick(server, path, ada, ben)
    table = await server.at(path)
    # Ada's answer was played, and so was Ben's
    assert [entry.seat for entry in table.match.log() if not entry.forced] == [0, 1, 0, 1]
    form = {"counter": str(table.counters[0])}
    assert (await ada.post(f"{path}/go-back", data=form, headers=HTMX)).status_code == 200
    assert (await ben.post(f"{path}/go-back/answer", data={"answer": "yes"}, headers=HTMX)).status_code == 200
    await settled(server)
    assert (await server.at(path)).match.waiting == (0,)
    assert given(await ada.get(path)) == []
    assert given(await ben.get(path)) == ["take-1"]


async def test_a_take_back_that_is_refused_ends_nothing(server):
    path, _, ben = await taking(server)
    await give(ben, path, "take-0")
    await server.play(ben, path)
    answer = await ben.post(f"{path}/take-back", data={"counter": "0"}, headers=HTMX)
    assert answer.status_code == 409
    assert given(await ben.get(path)) == ["take-0"]


@pytest.mark.any_store
async def test_it_survives_restarts_and_is_true_at_every_server(settings):
    async with running(settings) as one, running(settings) as two:
        path, ada, ben = await taking(one)
        await two.at(path)
        await give(ben, path, "take-0")
        await pick(two, path, *(two.client(one.cookie_of(each)) for each in (ada, ben)))
        await two.play(two.client(one.cookie_of(ada)), path)
        await settled(two)
        assert (await two.at(path)).match.waiting == (0, 1)
        await pick(one, path, ada, ben)
        # stored by a server that did not come to answer it
        for each in (one, two):
            each.app.state.beforehand._closing.set()
        await one.play(ada, path)
        assert (await one.at(path)).match.waiting == (1,)
    async with running(settings) as again:
        await asyncio.gather(again.app.state.readiness.all_ready.wait())
        for _ in range(1000):
            if (await again.at(path)).match.waiting == (0, 1):
                break
            await settled(again)
            await asyncio.sleep(0)
        assert (await again.at(path)).match.waiting == (0, 1)
        assert given(await again.client(one.cookie_of(ben)).get(path)) == ["take-0"]


@pytest.mark.any_store
async def test_who_is_left_answers_where_another_server_has_ended(settings, monkeypatch):
    async with running(settings) as one:
        async with running(replace(settings)) as two:
            path, ada, ben = await taking(one)
            await give(ben, path, "take-0")
            await pick(one, path, ada, ben)
            for each, other in ((one, two), (two, one)):
                while other.app.state.store.news.process not in each.app.state.store.news.others:
                    await asyncio.sleep(0.001)
            # it ends before it comes to answer
            monkeypatch.setattr(two.app.state.beforehand, "wake", lambda table: None)
            two.app.state.tables.on_move.clear()
            table = await two.at(path)
            await two.app.state.tables.play(table.id, 0, table.counters[0], table.match.legal(0)[0])
            assert table.match.waiting == (1,)
        for _ in range(2000):
            if len(await one.app.state.store.moves(table.id)) > table.version:
                break
            await asyncio.sleep(0.005)
        assert (await one.at(path)).match.waiting == (0, 1)


@pytest.mark.parametrize("fails", ["given", "play"])
async def test_a_store_that_fails_for_a_while_is_asked_again(server, monkeypatch, fails):
    path, ada, ben = await taking(server)
    await give(ben, path, "take-0")
    await pick(server, path, ada, ben)
    answers, failures = server.app.state.beforehand, [Unavailable("gone")] * 3
    where = answers if fails == "given" else server.app.state.tables
    works = getattr(where, fails)

    async def failing(*arguments, **more):
        # what Ada plays below is stored; what is answered for Ben is not
        if failures and (fails == "given" or (more.get("by") and arguments[1] == 1)):
            raise failures.pop()
        return await works(*arguments, **more)

    monkeypatch.setattr(where, fails, failing)
    await server.play(ada, path)
    await settled(server)
    assert failures == []
    assert (await server.at(path)).match.waiting == (0, 1)


async def test_a_server_that_stops_does_not_wait_for_a_store_that_fails(settings, monkeypatch):
    async with running(replace(settings, bot_retry=3600.0)) as server:
        path, ada, ben = await taking(server)
        await pick(server, path, ada, ben)
        failed = asyncio.Event()

        async def failing(id):
            failed.set()
            raise Unavailable("gone")

        monkeypatch.setattr(server.app.state.beforehand, "given", failing)
        await server.play(ada, path)
        await asyncio.wait_for(failed.wait(), 10)
        await asyncio.wait_for(server.app.state.beforehand.close(), 10)
        assert server.app.state.beforehand._at_work == {}


async def test_what_is_given_while_the_store_is_read_is_not_overlooked(server, monkeypatch):
    path, ada, ben = await taking(server)
    await pick(server, path, ada, ben)
    answers = server.app.state.beforehand
    read, go_on, works = asyncio.Event(), asyncio.Event(), answers.given

    async def slow(id):
        found = await works(id)
        read.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(answers, "given", slow)
    await server.play(ada, path)
    await read.wait()
    table = await server.at(path)
    await answers.give(table, 1, "take-0", always=True)
    go_on.set()
    await settled(server)
    assert table.match.waiting == (0, 1)
    assert answers._again == set()


async def test_nobody_else_sees_it_or_gives_it(server):
    path, ada, ben = await taking(server)
    eve = await server.person("Eve")
    await give(ben, path, "take-0")
    for other in (ada, eve):
        page = await other.get(path)
        assert given(page) == []
        assert "Ask me again" not in page.text
    mark = (await server.at(path)).mark
    await give(ben, path, "take-1")
    assert (await server.at(path)).mark == mark
    assert (await give(eve, path, "take-0")).status_code == 403
    assert (await eve.get(f"{path}/beforehand")).status_code == 403
    assert 'id="beforehand"' not in (await eve.get(path)).text
    assert (await give(ada, path, "take-9")).status_code == 422
    assert (await give(ada, path, "take-0", "ever")).status_code == 400


async def test_it_is_the_person_s_and_not_the_seat_s(server):
    path, _, ben = await taking(server)
    await give(ben, path, "take-0")
    await ben.post(f"{path}/leave", data={"seat": "1"})
    await server.quiet()
    await ben.post(f"{path}/come-back")
    assert given(await ben.get(path)) == ["take-0"]
    # another person at that seat is asked
    from thorp.server.tables.store import SeatRow

    eve = await server.person("Eve")

    def other(company):
        from dataclasses import replace

        return replace(company, seats=(company.seats[0], SeatRow(1, server.id_of(eve), None, "Eve")))

    await server.app.state.tables.reseat(path.rpartition("/")[2], other)
    assert given(await eve.get(path)) == []


async def test_at_one_device_nothing_is_answered_beforehand(server):
    ada = await server.person("Ada")
    path = await server.shared_table(ada, ada)
    assert 'id="beforehand"' not in (await ada.get(path)).text
    assert (await give(ada, path, "take-0")).status_code == 403


# --- the questions of the games ----------------------------------------------------------------------------


def answered(match, seat):
    """Which answer answers now what a seat is asked, by its words."""
    return [say(each.words) for each in match.game.face.beforehand(match.state, seat) if each.move is not None]


def test_valeria_asks_no_more_to_follow():
    match = Match(thorp.game("valeria"), 3, {}, 5)
    lead = match.game.moves["lead"].first + 4
    while lead not in match.legal(match.waiting[0]):
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    leader = match.waiting[0]
    spans = [match.game.face.beforehand(match.state, seat)[0].span for seat in range(3)]
    while not answered(match, match.waiting[0]):
        seat = match.waiting[0]
        match.play(seat, lead if lead in match.legal(seat) else match.legal(seat)[0])
    seat = match.waiting[0]
    assert seat != leader
    assert answered(match, seat) == ["Do not ask me to follow Tax"]
    (answer,) = [each for each in match.game.face.beforehand(match.state, seat) if each.move is not None]
    assert match.words(seat, answer.move) == "Do not follow"
    # it holds until the seat's own next turn: nobody has begun one since
    assert [match.game.face.beforehand(match.state, each)[0].span for each in range(3)] == spans
    while match.plain.active != seat:
        match.play(match.waiting[0], match.legal(match.waiting[0])[-1])
    for each in range(3):
        changed = match.game.face.beforehand(match.state, each)[0].span != spans[each]
        assert changed == (each == seat)
    assert match.game.face.beforehand(Match(match.game, 1, {}, 5).state, 0) == ()


def test_villagers_asks_no_more_about_coins_and_building():
    match = Match(thorp.game("villagers"), 2, {}, 5)
    seen = set()
    while not match.over and len(seen) < 2:
        seat = match.waiting[0]
        for words in answered(match, seat):
            seen.add(words)
        match.play(seat, match.legal(seat)[0])
    assert seen == {"Lay no coin on the Road", "End my build turn at once"}
    three = Match(thorp.game("villagers"), 3, {}, 5)
    assert [each.id for each in three.game.face.beforehand(three.state, 0)] == ["build"]
