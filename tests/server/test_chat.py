"""The chat of a table: who reads and talks, what is let through, how much of it, and where it goes."""

import asyncio
import html
import json
import re

import pytest

from thorp.server import admin
from thorp.server.tables.chat import KEPT, MAX_LINE, clean_line
from thorp.server.tables.refusals import Illegal
from thorp.server.web.chat_pages import Pace

from .conftest import HTMX, page_open, replace, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def hurry(monkeypatch):
    """Let everybody write as fast as they like."""
    monkeypatch.setattr(Pace, "take", lambda *_: None)


async def say(person, path, line, *, htmx=True):
    return await person.post(f"{path}/chat", data={"line": line}, headers=HTMX if htmx else {})


def lines(page):
    """The lines that a page shows: who and what."""
    found = re.findall(r'<li id="chat-\d+".*?<strong[^>]*>(.*?)</strong>.*?<span dir="auto">(.*?)</span>', page.text)
    return [(html.unescape(who), html.unescape(words)) for who, words in found]


def events(page):
    """The chat events that a page received."""
    return [json.loads(data) for data in re.findall(r"event: chat\ndata: (.*)\n", page.received)]


async def opened(server, *people):
    """A table that the first of these has opened, with all of them."""
    from thorp.server.tables.table import Player

    from .conftest import GAME

    players = [Player(server.visitor(each).name, person=server.id_of(each)) for each in people]
    return "/tables/" + await server.app.state.tables.create(GAME, {}, players, opener=server.id_of(people[0]), seed=7)


@pytest.mark.any_store
async def test_who_sits_there_talks_and_reads(settings):
    async with running(replace(settings, heartbeat=0.05)) as one, running(settings) as two:
        ada, ben, eve = [await one.person(name) for name in ("Ada", "Ben", "Eve")]
        path = await opened(one, ada, ben)
        assert lines(await ada.get(path)) == []
        assert (await say(ada, path, "Hello!")).status_code == 204
        answer = await say(ben, path, "Hi <b>Ada</b>", htmx=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{path}#chat")
        expected = [("Ada", "Hello!"), ("Ben", "Hi <b>Ada</b>")]
        assert lines(await ada.get(path)) == expected
        # a reload at another server, and news from there
        there = two.client(one.cookie_of(ben))
        assert lines(await there.get(path)) == expected
        assert "<b>Ada" not in (await there.get(path)).text
        async with page_open(one, ada, f"{await one.shown(path)}&chat=2") as page:
            assert (await say(there, path, "From afar")).status_code == 204
            while not events(page):
                await page.block()
            assert [(each["number"], each["name"], each["text"], each["seat"]) for each in events(page)] == [
                (3, "Ben", "From afar", 1)
            ]
        # who watches is told nothing of it
        assert 'id="chat"' not in (await eve.get(path)).text
        assert (await say(eve, path, "Let me in")).status_code == 403


async def test_for_whom_a_bot_keeps_a_seat_still_talks_and_reads(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await opened(server, ada, eve)
    await say(ada, path, "Hello!")
    server.bots.free.clear()
    assert (await eve.post(f"{path}/leave")).status_code == 303
    assert (await server.at(path)).kept_for(server.id_of(eve)) == 1
    assert lines(await eve.get(path)) == [("Ada", "Hello!")]
    assert (await say(eve, path, "I am back soon", htmx=False)).status_code == 303
    assert lines(await ada.get(path)) == [("Ada", "Hello!"), ("Eve", "I am back soon")]


async def test_pages_are_told_whoever_reads_the_news_first(server):
    ada, ben = [await server.person(name) for name in ("Ada", "Ben")]
    path = await opened(server, ada, ben)
    chats, id = server.app.state.chats, path.rpartition("/")[2]
    async with page_open(server, ben, f"{await server.shown(path)}&chat=0") as page:
        # until the stream waits
        while await page.block() != ":":
            pass
        await chats.say(await server.at(path), server.id_of(ada), 0, "Ada", "Hello!")
        # somebody else's page is opened, and reads the chat before it is said that there is news
        await chats.follow(id)
        while not events(page):
            await page.block()
        assert events(page)[0]["text"] == "Hello!"


async def test_a_slow_reading_never_takes_the_place_of_a_newer_one(server, monkeypatch):
    ada, ben = [await server.person(name) for name in ("Ada", "Ben")]
    path = await opened(server, ada, ben)
    chats, id = server.app.state.chats, path.rpartition("/")[2]
    look, slow = chats.look, asyncio.Event()

    async def slowly(id):
        talk = await look(id)
        await slow.wait()
        return talk

    monkeypatch.setattr(chats, "look", slowly)
    reading = asyncio.create_task(chats.follow(id))
    await asyncio.sleep(0)
    monkeypatch.setattr(chats, "look", look)
    await say(ada, path, "Hello!")
    slow.set()
    await reading
    assert [line.text for line in chats.known(id).lines] == ["Hello!"]


async def test_lines_come_as_events_of_their_own_and_never_in_the_fragment(server):
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    path = await opened(server, ada, ben)
    shown = await server.shown(path)
    async with page_open(server, ben, f"{shown}&chat=0") as page, page_open(server, eve, f"{shown}&chat=0") as other:
        await say(ada, path, "A word\nof two lines")
        while not events(page):
            await page.block()
        assert events(page)[0]["text"] == "A word of two lines"
        assert set(events(page)[0]) == {"number", "name", "seat", "text", "said", "speaker", "mine"}
        await server.play(ada, path)
        assert "A word" not in (await page.event()).data
        await other.event()
        assert "A word" not in other.received
    assert "A word" not in (await ben.get(f"{path}/fragment")).text
    # it begins after what the page had: nothing is lost while the line is down, and nothing comes twice
    await say(ada, path, "Another")
    async with page_open(server, ben, f"{await server.shown(path)}&chat=1") as page:
        while not events(page):
            await page.block()
        assert [each["text"] for each in events(page)] == ["Another"]


async def test_the_opener_lets_who_watches_talk_or_nobody(server):
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    path = await opened(server, ada, ben)
    await say(ada, path, "First")
    assert (await ben.post(f"{path}/chat/switch", data={"whom": "nobody"})).status_code == 403
    assert (await ada.post(f"{path}/chat/switch", data={"whom": "me"})).status_code == 422
    assert (await ada.post(f"{path}/chat/switch", data={"whom": "everybody"})).status_code == 303
    assert lines(await eve.get(path)) == [("Ada", "First")]
    assert (await say(eve, path, "Thank you")).status_code == 204
    assert "watching" in (await ben.get(path)).text.partition('id="chat-lines"')[2].partition("</ol>")[0]
    assert (await ada.post(f"{path}/chat/switch", data={"whom": "nobody"})).status_code == 303
    for person in (ada, ben, eve):
        answer = await say(person, path, "Still here?")
        assert answer.status_code == 403
        assert "no chat at this table" in html.unescape(answer.text)
        assert lines(await person.get(path)) == []
    assert "switched off" in (await ada.get(path)).text
    assert 'id="chat"' not in (await ben.get(path)).text
    await ada.post(f"{path}/chat/switch", data={"whom": "players"})
    assert lines(await ben.get(path)) == [("Ada", "First"), ("Eve", "Thank you")]


async def test_a_person_hides_it_or_hears_no_more_of_somebody(server):
    ada, ben, cleo = [await server.person(name) for name in ("Ada", "Ben", "Cleo")]
    path = await opened(server, ada, ben, cleo)
    await say(ben, path, "Buy now")
    await say(cleo, path, "Hello")
    page = await ada.get(path)
    speaker = re.search(
        r'name="speaker" value="(\w+)"><button class="button" name="mute" value="yes">[^<]*Ben', page.text
    )[1]
    assert server.id_of(ben) not in page.text
    assert (await ada.post(f"{path}/chat/mute", data={"speaker": "x" * 16})).status_code == 422
    # nor oneself
    assert (await ben.post(f"{path}/chat/mute", data={"speaker": speaker})).status_code == 422
    assert len(lines(await ben.get(path))) == 2
    assert (await ada.post(f"{path}/chat/mute", data={"speaker": speaker})).status_code == 303
    assert (await ada.post(f"{path}/chat/mute", data={"speaker": speaker})).status_code == 303
    async with page_open(server, ada, f"{await server.shown(path)}&chat=2") as page:
        await say(ben, path, "Buy more")
        await say(cleo, path, "Well")
        while not events(page):
            await page.block()
        assert [each["text"] for each in events(page)] == ["Well"]
    assert lines(await ada.get(path)) == [("Cleo", "Hello"), ("Cleo", "Well")]
    assert len(lines(await cleo.get(path))) == 4
    assert "Hear Ben again" in (await ada.get(path)).text
    await ada.post(f"{path}/chat/mute", data={"speaker": speaker, "mute": "no"})
    assert len(lines(await ada.get(path))) == 4
    await ada.post("/me/settings", data={"chat": "hidden"})
    page = await ada.get(path)
    assert 'id="chat"' not in page.text
    assert "You have hidden the chat." in page.text
    assert "&amp;chat=" not in page.text
    async with page_open(server, ada, await server.shown(path)) as stream:
        await say(cleo, path, "Are you there?")
        await server.play(ada, path)
        await stream.event()
        assert "Are you there?" not in stream.received


@pytest.mark.any_store
async def test_ten_thousand_lines(server, hurry):
    """Without a limit on how fast it goes: only the last are kept, whoever sends them, in their order."""
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await opened(server, ada, ben)
    chats, table = server.app.state.chats, await server.at(path)
    for start in range(0, 600, 50):
        await asyncio.gather(
            *(
                chats.say(table, server.id_of(each), 0, "Ada", f"{n}")
                for n in range(start, start + 25)
                for each in (ada, ben)
            )
        )
    talk = await chats.look(table.id)
    assert [line.number for line in talk.lines] == list(range(601 - KEPT, 601))
    assert len(lines(await ada.get(path))) == KEPT


async def test_who_writes_too_fast_is_refused_and_nobody_else(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await opened(server, ada, ben)
    answers = [await say(ada, path, f"Line {n}") for n in range(200)]
    refused = [each for each in answers if each.status_code == 429]
    assert 190 <= len(refused) < 200
    assert "faster than others can read" in refused[0].text
    assert int(refused[0].headers["retry-after"]) >= 1
    assert (await say(ben, path, "And I?")).status_code == 204
    assert (await server.play(ada, path)).status_code == 200


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  two   words\t", "two words"),
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("safe\u202egnp.exe\u2066x\u200e", "safegnp.exex"),
        ("\ufeffname\u00ad", "name"),
        ("\U0001f469\u200d\U0001f33e", "\U0001f469\u200d\U0001f33e"),
        ("שלום", "שלום"),
        ("e\u0301", "é"),
        ("z" + "\u0336" * 50, "z" + "\u0336" * 4),
    ],
)
def test_what_has_no_shape_is_taken_out(written, kept):
    assert clean_line(written) == kept


@pytest.mark.parametrize("written", ["", " \n\t", "\u202e\u200d", "\x00", "x" * (MAX_LINE + 1), "a" + "\u0301" * 2000])
def test_what_is_no_line_is_refused(written):
    with pytest.raises(Illegal):
        clean_line(written)


async def test_bad_lines_change_nothing(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await opened(server, ada, ben)
    before = await server.rows()
    for line, status in (("", 422), ("x" * 301, 422), ("\u202e", 422)):
        assert (await say(ada, path, line)).status_code == status
    assert (await ada.post(f"{path}/chat", data={})).status_code == 400
    assert (
        await ada.post(f"{path}/chat", data={"line": "x"}, headers={"Sec-Fetch-Site": "cross-site"})
    ).status_code == 403
    assert (await server.client("damaged").post(f"{path}/chat", data={"line": "x"})).status_code == 403
    assert (await say(ada, "/tables/none", "x")).status_code == 404
    assert await server.rows() == before


async def test_it_goes_with_the_table_and_into_no_record_log_or_figure(server, hurry, caplog):
    server.app.state.settings = replace(server.settings, metrics_token="t")
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await opened(server, ada, ben)
    await say(ada, path, "Xylophone")
    await server.play_out(path, ada, ben)
    await server.quiet()
    # after the end one can still talk
    assert (await say(ben, path, "Xylophone, too", htmx=False)).status_code == 303
    table = await server.at(path)
    record, _, _ = await server.app.state.records.read(table.id)
    assert "Xylophone" not in json.dumps(record)
    assert "Xylophone" not in (await ada.get(f"{path}/export.json")).text
    metrics = await ada.get("/metrics", headers={"Authorization": "Bearer t"})
    assert metrics.status_code == 200
    assert "Xylophone" not in metrics.text
    assert "Xylophone" not in caplog.text
    assert "Xylophone" in str(await server.rows())
    await server.app.state.store.write(lambda connection: admin.remove(connection, table.id))
    assert "Xylophone" not in str(await server.rows())
