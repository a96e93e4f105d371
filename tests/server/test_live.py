"""Live pages: the right fragment for the right viewer, nothing of anybody's secrets, and a clean end."""

import asyncio
import contextlib
import html
import itertools
import re

import httpx2
import pytest
import uvicorn

from thorp.server.app import _Server
from thorp.server.tables.store import Unavailable
from thorp.server.web import table_pages
from thorp.server.web.regions import ANY_NONCE

from .conftest import page_open, replace, running

pytestmark = [pytest.mark.anyio, pytest.mark.any_store]


async def test_a_move_is_pushed_to_everybody(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    shown = await server.shown(path)
    async with (
        page_open(server, ada, shown) as hers,
        page_open(server, eve, shown) as his,
        page_open(server, None, shown) as watching,
    ):
        await server.play(ada, path, 2)
        for page, stone in ((hers, True), (his, False), (watching, False)):
            event = await page.event()
            assert page.status == 200
            assert page.headers[b"content-type"].startswith(b"text/event-stream")
            assert event.told == 1
            assert 'data-version="1"' in event.data
            assert ("Marble" in event.data.partition('class="pebbles"')[2].partition("</div>")[0]) is stone


async def test_who_moves_gets_the_table_in_the_answer_and_not_once_more(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    shown = await server.shown(path)
    async with (
        page_open(server, ada, f"{shown}&nonce={'a' * 22}") as hers,
        page_open(server, ada, f"{shown}&nonce={'b' * 22}") as her_other,
        page_open(server, eve, f"{shown}&nonce={'a' * 22}") as his,
    ):
        for page in (hers, her_other, his):
            await page.block()
        ada.headers["Thorp-Page"] = "a" * 22
        assert 'data-version="1"' in (await server.play(ada, path, 2)).text
        for page in (her_other, his):
            assert (await page.event()).told == 1
        # refused: the answer brings the table all the same
        assert (await server.play(ada, path, 2, counter="0")).status_code == 409
        await server.play(eve, path)
        assert (await hers.event()).told == 2
        assert "id: 1." not in hers.received


async def test_who_is_at_the_table_is_told_to_the_others(server):
    """Players by name at once, those who look on by number, and nobody twice or to itself."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    shown = await server.shown(path)
    async with page_open(server, ada, shown) as hers:
        assert [await hers.block(), await hers.block()] == ["retry: 1000", ":"]
        async with page_open(server, eve, shown) as his, page_open(server, None, shown) as watching:
            for page in (his, watching):
                assert await page.block() == "retry: 1000"
            # At once, and so before anything is played; who looks on may have been counted by then.
            while not (await hers.block()).startswith("event: present"):
                pass
            assert hers.present["names"] == ["Person 1"]
            await server.play(ada, path, 2)
            for page in (hers, his, watching):
                assert (await page.event()).told == 1
            assert hers.present == {"names": ["Person 1"], "watching": 1}
            assert his.present == {"names": ["Person 0"], "watching": 1}
            assert watching.present == {"names": ["Person 0", "Person 1"], "watching": 0}
            async with page_open(server, eve, shown) as second:
                assert (await second.event()).told == 1
        # gone again, which nobody has to ask for
        while hers.present["names"]:
            await hers.block()
    assert server.app.state.live.visitors(path.rpartition("/")[2]) == {}


async def test_the_title_tells_whose_turn_it_is(server):
    """With the fragment, so that a tab that nobody looks at tells it too."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    mine, idle = 'data-title="● Your turn · Pebbles · Thorp"', 'data-title="Pebbles · Thorp"'
    assert "<title>● Your turn · Pebbles · Thorp</title>" in (await ada.get(path)).text
    assert "<title>Pebbles · Thorp</title>" in (await server.client().get(path)).text
    answer = (await server.play(ada, path)).text
    assert idle in answer
    assert " data-asked" not in answer
    assert " data-asked" in (await eve.get(path)).text
    assert mine in (await eve.get(f"{path}/fragment")).text
    await server.play_out(path, ada, eve)
    assert "<title>Pebbles is over · Thorp</title>" in (await ada.get(path)).text


async def test_a_pushed_fragment_is_the_same_as_a_fetched_one(server):
    ada = await server.person()
    path = await server.table(ada, 1)
    nonce = "n" * 22
    async with page_open(server, ada, f"{path}?nonce={nonce}") as page:
        pushed = (await page.event()).data
        fetched = (await ada.get(f"{path}/fragment")).text
        assert f"'nonce-{nonce}'".encode() in page.headers[b"content-security-policy"]
        assert pushed.splitlines() == re.sub(r'nonce="[^"]+"', f'nonce="{nonce}"', fetched).splitlines()


@pytest.mark.parametrize("nonce", ["x", "'; script-src *", "n" * 80])
async def test_a_nonce_that_is_none_is_not_taken_over(server, nonce):
    path = await server.table(await server.person(), 1)
    async with page_open(server, None, f"{path}?nonce={nonce}") as page:
        await page.event()
        assert f"'nonce-{nonce}'".encode() not in page.headers[b"content-security-policy"]


async def test_a_page_that_is_up_to_date_gets_nothing_and_a_late_one_the_present(server):
    ada = await server.person()
    path = await server.table(ada, 1)
    await server.play(ada, path)
    async with page_open(server, ada, path, **{"Last-Event-ID": (await server.at(path)).mark}) as page:
        assert await page.block() == "retry: 1000"
        assert await page.block() == ":"
    async with page_open(server, ada, f"{path}?since=1", **{"Last-Event-ID": "0"}) as page:
        # the move, and one that was forced
        assert (await page.event()).told == 2


async def test_the_latest_wins(server):
    ada = await server.person()
    path = await server.table(ada, 1)
    shown = await server.shown(path)
    async with page_open(server, ada, shown) as page:
        await page.block()
        await page.block()
        while not (await server.at(path)).match.over:
            # No stream gets a turn between these moves.
            table = await server.at(path)
            await server.app.state.tables.play(table.id, 0, table.counters[0], table.match.legal(0)[0], quiet=True)
        server.app.state.tables.tell(table)
        event = await page.event()
        assert event.id == (await server.at(path)).mark


async def test_signs_of_life_also_look_for_moves_of_other_servers(settings):
    async with running(replace(settings, heartbeat=0.01)) as one, running(settings) as two:
        ada = await one.person()
        path = await one.table(ada, 1)
        shown = await one.shown(path)
        async with page_open(one, ada, shown) as page:
            await two.play(two.client(one.cookie_of(ada)), path)
            assert (await page.event()).id == (await two.at(path)).mark
            assert await page.block() == ":"


async def test_names_and_rematches_are_pushed(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    shown = await server.shown(path)
    async with page_open(server, eve, shown) as page:
        await page.block()
        await page.block()
        await ada.post("/me", data={"name": "Grace"})
        assert "Grace" in (await page.event()).data
    await server.play_out(path, ada, eve)
    async with page_open(server, eve, await server.shown(path)) as page:
        following = (await ada.post(f"{path}/again")).headers["location"]
        assert following in (await page.event()).data


async def test_nobody_waits_after_leaving(server):
    path = await server.table(await server.person(), 1)
    async with page_open(server, None, path) as page:
        await page.event()
        assert server.app.state.live.is_watched(path.rpartition("/")[2])
    assert not server.app.state.live.is_watched(path.rpartition("/")[2])


async def test_streams_end_when_the_server_stops(server):
    path = await server.table(await server.person(), 1)
    async with page_open(server, None, path) as page:
        await page.event()
        server.app.state.live.close()
        with pytest.raises(EOFError):
            await page.event()


async def test_the_server_stops_although_pages_are_open(server):
    path = await server.table(await server.person(), 1)
    # the application runs already; uvicorn only serves it
    config = uvicorn.Config(server.app, port=0, lifespan="off", log_level="error", timeout_graceful_shutdown=60)
    web = _Server(config, server.app)
    serving = asyncio.create_task(web.serve())
    while not web.started:
        await asyncio.sleep(0)
    port = web.servers[0].sockets[0].getsockname()[1]
    async with (
        httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client,
        client.stream("GET", f"{path}/events") as stream,
    ):
        lines = stream.aiter_lines()
        assert await anext(lines) == "retry: 1000"
        web.should_exit = True
        rest = [line async for line in lines]
        assert any("pebbles" in line for line in rest)
    await asyncio.wait_for(serving, 30)


# --- many who watch ----------------------------------------------------------------------------------------


@pytest.fixture
def readings(server, monkeypatch):
    """The looks into the store for something new."""
    return count_calls(monkeypatch, server.app.state.store, "latest")


def count_calls(monkeypatch, thing, name):
    calls = []
    original = getattr(thing, name)

    def called(*args, **kwargs):
        calls.append(args)
        return original(*args, **kwargs)

    monkeypatch.setattr(thing, name, called)
    return calls


async def test_all_who_watch_share_one_reading_and_one_rendering(server, readings, monkeypatch):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    shown = await server.shown(path)
    async with contextlib.AsyncExitStack() as stack:
        pages = [
            await stack.enter_async_context(page_open(server, viewer, f"{shown}&nonce={viewer_number:022}"))
            for viewer_number, viewer in enumerate([None] * 20 + [eve] * 5)
        ]
        for page in pages:
            # a sign of life: it waits for news
            while await page.block() != ":":
                pass
        readings.clear()
        rendered = count_calls(monkeypatch, table_pages, "render")
        await server.play(ada, path, 2)
        before = len(readings)
        events = [await page.event() for page in pages]
        assert len(readings) == before
        # for who moved, for who watches, and for who sits at the other seat
        assert len(rendered) == 3
        assert {event.id for event in events} == {(await server.at(path)).mark}
        assert len({event.data for event in events[:20]}) == 1
        # and every page of a seat has its own nonce
        for number in range(20, 25):
            assert ANY_NONCE not in events[number].data
            assert set(re.findall(r'hx-nonce="([^"]*)"', events[number].data)) <= {f"{number:022}"}
        # where it is not known what a page has, it is brought all of it, with forms
        async with page_open(server, eve, f"{shown.partition('?')[0]}?nonce={99:022}") as page:
            assert set(re.findall(r'hx-nonce="([^"]*)"', (await page.event()).data)) == {f"{99:022}"}


async def test_all_who_watch_share_their_heartbeats(settings, monkeypatch):
    async with running(replace(settings, heartbeat=0.01)) as server:
        path = await server.shared_table(await server.person(), await server.person())
        shown = await server.shown(path)
        async with contextlib.AsyncExitStack() as stack:
            pages = [await stack.enter_async_context(page_open(server, None, shown)) for _ in range(30)]
            for page in pages:
                await page.block()
            readings = count_calls(monkeypatch, server.app.state.store, "latest")
            beats = 0
            while len(readings) < 4:
                await pages[0].block()
                beats += 1
            # thirty pages with a heartbeat of their own would have read thirty times as often
            assert len(readings) <= beats + 4
        while server.app.state.live._keeping:
            await asyncio.sleep(0)


async def test_who_asks_at_the_same_time_shares_one_reading(server, readings):
    path = await server.shared_table(await server.person(), await server.person())
    id = (await server.at(path)).id
    readings.clear()
    await asyncio.gather(*(server.app.state.tables.open(id) for _ in range(50)))
    # one for the first, and one that began after all the others had asked
    assert len(readings) == 2


async def test_a_reading_that_fails_is_nobody_else_s(server, monkeypatch):
    path = await server.shared_table(await server.person(), await server.person())
    table = await server.at(path)
    original, tries = server.app.state.store.latest, []

    async def latest(*args):
        tries.append(args)
        await asyncio.sleep(0)
        if len(tries) == 1:
            raise Unavailable("not now")
        return await original(*args)

    monkeypatch.setattr(server.app.state.store, "latest", latest)
    found = await asyncio.gather(*(server.app.state.tables.open(table.id) for _ in range(3)), return_exceptions=True)
    assert isinstance(found[0], Unavailable)
    assert found[1:] == [table, table]


async def test_what_another_server_stored_wakes_all_as_soon_as_one_has_read_it(settings):
    async with running(settings) as one, running(settings) as two:
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await one.shared_table(ada, eve)
        shown = await one.shown(path)
        async with page_open(one, None, shown) as page:
            assert [await page.block(), await page.block()] == ["retry: 1000", ":"]
            await two.play(two.client(one.cookie_of(ada)), path)
            # long before the heartbeat: somebody else opens the table
            await one.client().get(path)
            assert (await page.event()).id == (await two.at(path)).mark


# --- secrecy -----------------------------------------------------------------------------------------------


async def test_no_byte_tells_anybody_the_secrets_of_another(server):
    people = [await server.person(f"Person {seat}") for seat in range(3)]
    path = await server.shared_table(*people, rounds="6")
    start = await server.at(path)
    secrets = [str(start.match.plain.secret[seat]) for seat in range(3)]
    seed, salt = str(start.row.seed + 10**17), start.row.salt
    path = await server.shared_table(*people, seed=int(seed), rounds="6")
    start = await server.at(path)
    secrets = [str(start.match.plain.secret[seat]) for seat in range(3)]
    salt = start.row.salt
    watcher = server.client()
    async with (
        page_open(server, people[0], path) as one,
        page_open(server, people[1], path) as two,
        page_open(server, people[2], path) as three,
        page_open(server, None, path) as nobody,
    ):
        pages = [one, two, three, nobody]
        for _ in itertools.count():
            table = await server.at(path)
            texts = []
            for page, client in zip(pages, [*people, watcher], strict=True):
                await page.event()
                parts = [page.received]
                for part in ("", "/fragment", "/export.json"):
                    answer = await client.get(path + part)
                    parts.append(answer.text + str(answer.headers))
                texts.append("".join(parts))
            if table.match.over:
                break
            for viewer, text in enumerate(texts):
                assert seed not in text
                assert salt not in text
                for seat, secret in enumerate(secrets):
                    assert (secret in text) is (viewer == seat)
            seat = table.match.waiting[-1]
            refused = await server.play(people[seat], path, 99)
            assert seed not in refused.text
            await server.play(people[seat], path)
        assert all(seed in text for text in texts)


async def test_what_another_chose_in_secret_changes_no_byte(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    seen = []
    for stone in range(3):
        path = await server.shared_table(ada, eve)
        await server.play(eve, path, stone)
        table = await server.at(path)
        for client in (ada, server.client()):
            text = (await client.get(f"{path}/fragment")).text
            text = text.replace(table.id, "ID").replace(table.row.commitment, "COMMITMENT")
            seen.append(re.sub(r'nonce="[^"]+"', "", html.unescape(text)))
    assert seen[0::2] == [seen[0]] * 3
    assert seen[1::2] == [seen[1]] * 3
