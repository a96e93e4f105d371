"""Notices: told once a turn, to those who do not look, by mail, browser and chat; bounded, gathered, and secret."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import re
import socket
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from unittest import mock

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from posting import Browser, Mailbox
from py_vapid import Vapid02
from sqlalchemy import insert, select

from thorp.core.language import language
from thorp.server.notices import hooks, mail, outside, rows
from thorp.server.notices.post import Post
from thorp.server.settings import Settings
from thorp.server.tables import schema
from thorp.server.tables.clocks import Clock
from thorp.server.tables.table import Player
from thorp.server.web.addresses import networks

from .conftest import GAME, HTMX, Server, page_open, replace, running

pytestmark = pytest.mark.anyio

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)


#: By which the server knows a page.
NONCE = 16 * "a"

#: An open page that asks for the server by its name.
open_page = partial(page_open, Host="thorp.test")


class Time:
    """What time it is."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def goes(self, **by: float) -> None:
        """Some time passes."""
        self.now += timedelta(**by)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def mailbox() -> AsyncIterator[tuple[Mailbox, int]]:
    box = Mailbox()
    server = await asyncio.start_server(box.serve, "127.0.0.1", 0)
    yield box, server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    found = Browser()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    yield found
    server.close()


@contextlib.asynccontextmanager
async def by_hand(settings: Settings) -> AsyncIterator[Server]:
    """A server whose post and timer look only when a test says so."""

    async def idle(post: Post) -> None:
        """What is sent just when it is cancelled would wait for its next attempt."""

    with mock.patch.object(Post, "_run", idle):
        async with running(settings) as server:
            await server.app.state.timer.close()
            yield server


@pytest.fixture
def telling(settings, mailbox, time, monkeypatch) -> Settings:
    return replace(
        settings,
        clock=time,
        hosts=("thorp.test",),
        contact="host@example.org",
        smtp_host="127.0.0.1",
        smtp_port=mailbox[1],
        smtp_tls="none",
        smtp_from="thorp@example.org",
        notice_networks=("127.0.0.0/8",),
    )


@pytest.fixture
async def server(telling) -> AsyncIterator[Server]:
    async with by_hand(telling) as server:
        yield server


async def look(server: Server, time: Time, **by: float) -> None:
    """Look, let the patience pass, and look again."""
    post: Post = server.app.state.post
    await post.tick()
    time.goes(**(by or {"seconds": 31}))
    await post.tick()


async def with_mail(client, box: Mailbox, address: str = "ben@example.org") -> None:
    """Let a person be told by mail."""
    before = len(box.letters)
    assert (await client.post("/me/notices/mail", data={"address": address})).status_code == 200
    link = re.search(r"http://thorp.test(/me/notices/link/\S+)", box.letters[before].get_content())[1]
    assert "Do you want notices here?" in (await client.get(link)).text
    assert "You will be told" in (await client.post(link, data={"answer": "yes"})).text


async def with_push(client, browser: Browser) -> None:
    """Let a person be told in a browser."""
    answer = await client.post("/me/notices/push", data=browser.subscription)
    assert answer.status_code == 303, answer.text


async def ways(server: Server, client) -> list[rows.Way]:
    id = server.id_of(client)
    return await server.app.state.store.read(lambda connection: rows.ways_of(connection, id))


async def stored(server: Server, client, kind: str, address: str) -> None:
    """Store a way that nobody has looked at."""
    add = partial(rows.add_way, person=server.id_of(client), kind=kind, address=address, base="http://thorp.test/")
    await server.app.state.store.write(partial(add, moment=BEGIN, confirmed=True))


def written(data: bytes) -> str:
    """Bytes as browsers write them."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


#: As long as a key, and no point on the curve.
NO_POINT = written(b"\4" + 64 * b"a")


@pytest.mark.any_store
async def test_a_match_over_days_with_its_notices(server, mailbox, browser, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ada, box, "ada@example.org")
    await with_push(ben, browser)
    players = [Player("Ada", server.id_of(ada)), Player("Ben", server.id_of(ben))]
    path = "/tables/" + await server.app.state.tables.create(
        GAME, {}, players, seed=7, clock=Clock(86400, 0, each=True), opener=server.id_of(ada)
    )
    box.letters.clear()
    await look(server, time)
    # both choose at the same time
    assert [letter["Subject"] for letter in box.letters] == ["It is your turn in Pebbles"]
    assert [browser.read(body)["title"] for body in browser.bodies] == ["It is your turn in Pebbles"]
    letter, pushed = box.letters[0].get_content(), browser.read(browser.bodies[0])
    assert f"http://thorp.test{path}" in letter
    assert "Ada, Ben" in letter
    assert pushed["navigate"] == f"http://thorp.test{path}"
    assert box.letters[0]["To"] == "ada@example.org"
    # not twice, however long it waits
    for _ in range(3):
        time.goes(hours=2)
        await look(server, time)
    assert (len(box.letters), len(browser.bodies)) == (1, 1)
    while not (await server.at(path)).match.over:
        for client in (ada, ben):
            if (await server.at(path)).seat_of(server.id_of(client)) in (await server.at(path)).match.waiting:
                await server.play(client, path)
                break
        time.goes(hours=1)
        await look(server, time)
    subjects = [letter["Subject"] for letter in box.letters]
    assert subjects[-1] == "Your match of Pebbles is over"
    table = await server.at(path)
    # once for each choice of hers, and for the end: seats choose one after the other here
    assert len(subjects) == table.counters[0] + 1
    assert len(browser.bodies) == table.counters[1] + 1


@pytest.mark.any_store
async def test_of_two_servers_one_tells(server, telling, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    await server.shared_table(ada, ben)
    box.letters.clear()
    async with by_hand(telling) as other:
        posts = [server.app.state.post, other.app.state.post]
        await asyncio.gather(*(post.tick() for post in posts))
        time.goes(seconds=31)
        await asyncio.gather(*(post.tick() for post in posts))
        await asyncio.gather(*(post.tick() for post in posts))
    assert len(box.letters) == 1


async def test_a_restart_loses_nothing(telling, mailbox, time):
    box, _ = mailbox
    async with by_hand(telling) as server:
        ada, ben = await server.person("Ada"), await server.person("Ben")
        await with_mail(ben, box)
        await server.shared_table(ada, ben)
        box.letters.clear()
        await server.app.state.post.tick()
    time.goes(hours=1)
    async with by_hand(telling) as server:
        await server.app.state.post.tick()
        assert len(box.letters) == 1


async def test_who_looks_is_not_told(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    box.letters.clear()
    async with open_page(server, ben, await server.shown(path)) as page:
        await page.block()
        await look(server, time)
    # and not about what it has seen
    await look(server, time, hours=1)
    assert box.letters == []


async def play_to(server: Server, path: str, last, *others) -> None:
    """Play until only `last` is asked."""
    while True:
        waiting = (await server.at(path)).match.waiting
        asked = [client for client in others if (await server.at(path)).seat_of(server.id_of(client)) in waiting]
        if not asked:
            return
        await server.play(asked[0], path)


@pytest.mark.any_store
async def test_whose_device_fell_asleep_before_the_turn_is_told_when_its_stream_has_ended(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    await play_to(server, path, ada, ben)
    box.letters.clear()
    async with open_page(server, ben, await server.shown(path)) as page:
        await page.block()
        # from here on nothing comes of it any more, and the stream is still there
        time.goes(minutes=1)
        await play_to(server, path, ben, ada)
        await look(server, time, minutes=14)
        assert box.letters == []
    await look(server, time)
    assert [letter["Subject"] for letter in box.letters] == ["It is your turn in Pebbles"]
    await look(server, time, hours=2)
    assert len(box.letters) == 1


async def test_whose_page_has_asked_since_the_turn_came_is_not_told_of_it(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    await play_to(server, path, ada, ben)
    box.letters.clear()
    async with open_page(server, ben, f"{await server.shown(path)}&nonce={NONCE}") as page:
        await page.block()
        time.goes(minutes=1)
        await play_to(server, path, ben, ada)
        await look(server, time, minutes=1)
        assert (await ben.get(f"{path}/fragment", headers={**HTMX, "Thorp-Page": NONCE})).status_code == 200
        await server.app.state.post.tick()
    await look(server, time, hours=1)
    assert box.letters == []


async def test_who_leaves_at_the_end_is_not_told_that_it_is_over(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    box.letters.clear()
    async with open_page(server, ben, await server.shown(path)) as page:
        await page.block()
        time.goes(minutes=1)
        await server.play_out(path, ada, ben)
        await server.app.state.post.tick()
    await look(server, time, hours=1)
    assert box.letters == []


async def test_who_has_moved_by_then_is_not_told(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    box.letters.clear()
    await server.app.state.post.tick()
    await server.play(ben, path)
    time.goes(hours=1)
    await server.app.state.post.tick()
    assert box.letters == []


async def test_who_is_asked_once_more_as_the_match_went_back_is_told_once_more(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    for person in (ada, ben, ada):
        await server.play(person, path)
    box.letters.clear()
    await look(server, time)
    assert len(box.letters) == 1
    counter = str((await server.at(path)).counters[0])
    assert (await ada.post(f"{path}/go-back", data={"counter": counter}, headers=HTMX)).status_code == 200
    assert (await ben.post(f"{path}/go-back/answer", data={"answer": "yes"}, headers=HTMX)).status_code == 200
    await look(server, time, hours=1)
    assert len(box.letters) == 1
    await server.play(ada, path)
    await look(server, time, hours=1)
    assert len(box.letters) == 2


async def test_a_turn_that_another_server_took_for_past_is_told(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    store = server.app.state.store
    await server.shared_table(ada, ben)
    found = await store.read(lambda connection: rows.news(connection, time.now))
    for seen in (found, []):
        # the second one had looked before Ben was asked
        await store.write(lambda connection, seen=seen: rows.take_note(connection, seen, {}, time.now))
    box.letters.clear()
    await look(server, time)
    assert len(box.letters) == 1


async def test_what_comes_within_a_short_time_comes_together(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    box.letters.clear()
    for _ in range(3):
        await server.shared_table(ada, ben)
    await look(server, time)
    assert [letter["Subject"] for letter in box.letters] == ["3 of your tables have news"]
    await server.shared_table(ada, ben)
    await look(server, time)
    assert len(box.letters) == 1
    await look(server, time, minutes=6)
    assert len(box.letters) == 2


async def test_who_plays_with_bots_alone_is_not_told_and_several_at_one_device_once(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    await server.table(ben)
    await server.quiet()
    box.letters.clear()
    await look(server, time)
    assert box.letters == []
    await server.shared_table(ben, ben, ada)
    await look(server, time)
    assert [letter["Subject"] for letter in box.letters] == ["It is your turn in Pebbles"]


async def test_a_bot_that_plays_on_and_a_seat_that_is_asked_for_are_told(server, mailbox, time):
    box, _ = mailbox
    ada, ben, cleo = [await server.person(name) for name in ("Ada", "Ben", "Cleo")]
    players = [Player("Ada", server.id_of(ada)), Player("Ben", server.id_of(ben)), Player("Elm", bot="quick")]
    path = "/tables/" + await server.app.state.tables.create(
        GAME, {}, players, seed=7, clock=Clock(60, 0), opener=server.id_of(ada)
    )
    await server.quiet()
    await with_mail(ben, box)
    await with_mail(ada, box, "ada@example.org")
    box.letters.clear()
    await cleo.post(f"{path}/ask", data={"seat": "2"})
    # the bots do not play the match to its end meanwhile
    server.bots.free.clear()
    for _ in range(7):
        await server.app.state.timer.tick()
        time.goes(seconds=10)
    await look(server, time)
    told = {(letter["To"], letter["Subject"]) for letter in box.letters}
    assert ("ben@example.org", "A bot plays for you in Pebbles") in told
    assert any("Somebody asks for a seat" in letter.get_content() for letter in box.letters)


async def test_push_is_signed_and_only_the_browser_can_read_it(server, browser, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_push(ben, browser)
    await server.shared_table(ada, ben)
    await look(server, time)
    head, body = browser.heads[0], browser.bodies[0]
    assert Vapid02.verify(head["authorization"])
    claims = json.loads(base64.urlsafe_b64decode(head["authorization"].split(".")[1] + "=="))
    assert claims["sub"] == "mailto:host@example.org"
    assert claims["aud"] == f"http://127.0.0.1:{browser.port}"
    assert head["content-encoding"] == "aes128gcm"
    assert b"Pebbles" not in body
    key = re.search(r'data-key="([^"]+)"', (await ben.get("/me/notices")).text)[1]
    assert f"k={key}" in head["authorization"].replace("=,", ",").rstrip("=")


async def test_who_asked_for_a_seat_of_a_match_that_is_over_by_then_is_not_told_of(server, mailbox, time):
    box, _ = mailbox
    ada, cleo = await server.person("Ada"), await server.person("Cleo")
    await with_mail(ada, box, "ada@example.org")
    path = await server.table(ada)
    await cleo.post(f"{path}/ask", data={"seat": "1"})
    box.letters.clear()
    await server.app.state.post.tick()
    found = await server.app.state.store.read(partial(rows.news, moment=time.now))
    assert [each.kind for each in found] == [rows.ASKED]
    await server.play_out(path, ada)
    assert (await server.at(path)).seats[1].asker == server.id_of(cleo)
    await look(server, time)
    assert box.letters == []


async def test_what_was_over_before_somebody_wanted_to_be_told_is_no_news(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben)
    await server.play_out(path, ada, ben)
    time.goes(minutes=1)
    await with_mail(ben, box)
    box.letters.clear()
    await look(server, time)
    assert box.letters == []


@pytest.mark.parametrize("status", [404, 410])
async def test_a_subscription_that_has_ended_is_forgotten(server, browser, time, status):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_push(ben, browser)
    await server.shared_table(ada, ben)
    browser.status = status
    await look(server, time)
    assert await ways(server, ben) == []


async def test_a_mail_server_that_is_down_is_tried_again_and_then_told(server, mailbox, time, caplog):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    await server.shared_table(ada, ben)
    box.letters.clear()
    box.refuses = "451 not now"
    await look(server, time)
    assert "It could not be sent just now." in (await ben.get("/me/notices")).text
    box.refuses = ""
    time.goes(minutes=2)
    await server.app.state.post.tick()
    assert len(box.letters) == 1
    assert "Last time:" not in (await ben.get("/me/notices")).text
    # for ever down: it is not tried for ever
    box.refuses = "451 not now"
    await server.shared_table(ada, ben)
    before = caplog.text.count("was not taken")
    await look(server, time, minutes=10)
    for _ in range(2 * rows.ATTEMPTS):
        time.goes(hours=5)
        await server.app.state.post.tick()
    assert caplog.text.count("was not taken") == before + rows.ATTEMPTS
    store = server.app.state.store
    assert not await store.read(lambda connection: rows.is_letter(connection, time.now + timedelta(days=9)))
    assert "ben@example.org" not in caplog.text


@pytest.mark.any_store
async def test_a_letter_says_only_what_still_holds(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    paths = [await server.shared_table(ada, ben) for _ in range(2)]
    for path in paths:
        await play_to(server, path, ben, ada)
    box.letters.clear()
    box.refuses = "451 not now"
    await look(server, time)
    await play_to(server, paths[0], ada, ben)
    box.refuses = ""
    time.goes(minutes=2)
    await server.app.state.post.tick()
    assert [letter["Subject"] for letter in box.letters] == ["It is your turn in Pebbles"]
    assert paths[1] in box.letters[0].get_content()


async def test_a_letter_of_which_nothing_holds_is_not_sent(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    await play_to(server, path, ben, ada)
    box.letters.clear()
    box.refuses = "451 not now"
    await look(server, time)
    box.refuses = ""
    # it is his turn again by then, of which a letter of its own tells
    await play_to(server, path, ada, ben)
    await play_to(server, path, ben, ada)
    time.goes(minutes=2)
    await server.app.state.post.tick()
    assert box.letters == []
    await look(server, time, minutes=6)
    assert len(box.letters) == 1
    assert not await server.app.state.store.read(lambda connection: rows.is_letter(connection, time.now + rows.NEWS))


async def test_letters_from_before_they_had_keys_are_judged_by_their_table(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    way = (await ways(server, ben))[0].id
    id = path.rpartition("/")[2]
    content = [[rows.TURN, GAME.id, "Ada, Ben", id], [rows.OVER, GAME.id, "Ada, Ben", id]]
    letter = insert(schema.letters).values(way=way, content=content, next=time.now)
    await server.app.state.store.write(lambda connection: connection.execute(letter))
    box.letters.clear()
    await server.app.state.post.tick()
    assert [letter["Subject"] for letter in box.letters] == ["It is your turn in Pebbles"]


async def test_a_wrong_password_is_told_to_the_host_by_its_code(telling, mailbox, time, caplog):
    box, _ = mailbox
    async with by_hand(replace(telling, smtp_user="thorp", smtp_password="wrong")) as server:
        ben = await server.person("Ben")
        box.refuses_login = "535 5.7.8 go away, ben@example.org"
        answer = await ben.post("/me/notices/mail", data={"address": "ben@example.org"})
    assert answer.status_code == 502
    assert "It could not be sent just now." in answer.text
    assert "SMTPAuthenticationError 535" in caplog.text
    assert "go away" not in caplog.text
    assert "ben@example.org" not in caplog.text


async def test_a_mail_server_that_nobody_has_started_is_told_to_the_host(telling, time, caplog):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with by_hand(replace(telling, smtp_port=port)) as server:
        ben = await server.person("Ben")
        await ben.post("/me/notices/mail", data={"address": "ben@example.org"})
    assert "SMTPConnectError, by ConnectionRefusedError" in caplog.text


async def test_a_letter_that_is_refused_for_good_is_not_tried_again(server, mailbox, time, caplog):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    await server.shared_table(ada, ben)
    box.refuses_text = "554 5.7.1 spam"
    await look(server, time)
    assert "It was refused. See whether the address is right;" in (await ben.get("/me/notices")).text
    assert "SMTPDataError 554" in caplog.text
    assert "spam" not in caplog.text
    assert not await server.app.state.store.read(lambda connection: rows.is_letter(connection, time.now + rows.NEWS))


async def test_stopping_does_not_wait_for_what_is_being_sent(server, browser, monkeypatch):
    ben = await server.person("Ben")
    await with_push(ben, browser)
    began, ends = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    threads = []

    def hangs(*given):
        threads.append(threading.current_thread())
        loop.call_soon_threadsafe(began.set)
        ends.wait()
        raise OSError

    monkeypatch.setattr(outside, "post", hangs)
    try:
        test = asyncio.create_task(ben.post("/me/notices/test", data={"way": str((await ways(server, ben))[0].id)}))
        await began.wait()
        # as a server does before it waits for the answers that it owes
        server.app.state.live.close()
        assert (await asyncio.wait_for(test, 10)).status_code == 502
        assert [thread.daemon for thread in threads] == [True]
    finally:
        ends.set()


async def test_what_is_given_up_as_the_server_stops_is_tried_after_the_next_start(telling, mailbox, time):
    box, _ = mailbox
    async with by_hand(telling) as server:
        ada, ben = await server.person("Ada"), await server.person("Ben")
        await with_mail(ben, box)
        await server.shared_table(ada, ben)
        box.letters.clear()
        await server.app.state.post.tick()
        time.goes(seconds=31)
        server.app.state.live.close()
        await server.app.state.post.tick()
        assert box.letters == []
        assert (await ways(server, ben))[0].outcome == "sent"
    time.goes(minutes=5)
    async with by_hand(telling) as server:
        await server.app.state.post.tick()
    assert len(box.letters) == 1


async def test_no_thread_that_posts_keeps_the_process_from_ending(server, browser):
    ben = await server.person("Ben")
    posting: list[threading.Thread] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for each in threading.enumerate():
            if isinstance(each, threading.Timer) or each.name.startswith("post"):
                posting.append(each)
        writer.write(b"HTTP/1.1 201 So\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        browser.port = listening.sockets[0].getsockname()[1]
        await with_push(ben, browser)
        answer = await ben.post("/me/notices/test", data={"way": str((await ways(server, ben))[0].id)})
    assert "It has been taken." in answer.text
    # one that sends, and one that ends what takes too long
    assert {isinstance(each, threading.Timer) for each in posting} == {True, False}
    assert all(each.daemon for each in posting)


async def test_a_slow_mail_server_blocks_nobody(server, mailbox, time, monkeypatch):
    box, _ = mailbox
    monkeypatch.setattr(mail, "TIME", 0.2)
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    path = await server.shared_table(ada, ben)
    box.silent = True
    await server.app.state.post.tick()
    time.goes(seconds=31)
    slow = asyncio.create_task(server.app.state.post.tick())
    assert (await server.play(ada, path)).status_code == 200
    assert not slow.done()
    await slow
    assert (await ways(server, ben))[0].outcome == "later"
    answer = await ben.post("/me/notices/test", data={"way": str((await ways(server, ben))[0].id)})
    assert answer.status_code == 502
    assert "It could not be sent just now." in answer.text


async def test_each_way_has_a_test(server, mailbox, browser):
    box, _ = mailbox
    ben = await server.person("Ben")
    await with_mail(ben, box)
    await with_push(ben, browser)
    for way in await ways(server, ben):
        answer = await ben.post("/me/notices/test", data={"way": str(way.id)})
        assert "It has been taken." in answer.text
    assert box.letters[-1]["Subject"] == "A test from Thorp"
    assert browser.read(browser.bodies[-1])["title"] == "A test from Thorp"
    browser.status = 410
    answer = await ben.post("/me/notices/test", data={"way": str((await ways(server, ben))[1].id)})
    assert "Nobody is there any more" in answer.text
    # not those of others, and not for ever
    ada = await server.person("Ada")
    assert (await ada.post("/me/notices/test", data={"way": "1"})).status_code == 404
    answers = [(await ben.post("/me/notices/test", data={"way": "1"})).status_code for _ in range(6)]
    assert answers[-1] == 429


async def test_nothing_goes_to_an_address_that_nobody_has_confirmed(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await ben.post("/me/notices/mail", data={"address": "victim@example.org"})
    await server.shared_table(ada, ben)
    assert len(box.letters) == 1
    await look(server, time)
    assert len(box.letters) == 1
    # only looking at the link says nothing yet
    link = re.search(r"http://thorp.test(/me/notices/link/\S+)", box.letters[0].get_content())[1]
    await ben.get(link)
    await look(server, time)
    assert len(box.letters) == 1
    assert "No more notices" in (await ben.post(link, data={"answer": "no"})).text
    assert await ways(server, ben) == []
    assert (await ben.get(link)).status_code == 404


async def test_an_address_that_is_confirmed_stays_and_speaks_for_no_other_one(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    await ben.post("/me/notices/mail", data={"address": "victim@example.org"})
    assert box.letters[-1]["To"] == "victim@example.org"
    assert len(await ways(server, ben)) == 2
    box.letters.clear()
    await server.shared_table(ada, ben)
    await look(server, time)
    assert [letter["To"] for letter in box.letters] == ["ben@example.org"]
    # what nobody has confirmed by then is forgotten, and nothing else
    time.goes(days=3)
    await server.app.state.post.tick()
    assert [way.address for way in await ways(server, ben)] == ["ben@example.org"]
    await server.shared_table(ada, ben)
    await look(server, time)
    assert [letter["To"] for letter in box.letters] == ["ben@example.org"] * 2


async def test_whoever_gets_letters_can_stop_them(server, mailbox, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await with_mail(ben, box)
    await server.shared_table(ada, ben)
    await look(server, time)
    link = box.letters[-1]["List-Unsubscribe"].strip().strip("<>").removeprefix("http://thorp.test")
    stranger = server.client()
    assert "No more notices?" in (await stranger.get(link)).text
    await stranger.post(link, data={"answer": "no"})
    assert await ways(server, ben) == []


@pytest.mark.parametrize(
    "address",
    ["", "ben", "ben@localhost", "a@b.c\nBcc: x@y.z", "a@b.c\r\nBcc: x@y.z", "<a@b.c>", "a b@c.d", "ä@b.de", "@b.c"],
)
async def test_what_is_no_address_is_refused(server, mailbox, address):
    ben = await server.person("Ben")
    answer = await ben.post("/me/notices/mail", data={"address": address})
    assert answer.status_code == 422, answer.text
    assert mailbox[0].letters == []


async def test_a_name_with_markup_stays_a_name(server, mailbox, browser, time):
    box, _ = mailbox
    ada, ben = await server.person("<b>Ada</b>\r\nBcc: x"), await server.person("Ben")
    await with_mail(ben, box)
    await with_push(ben, browser)
    await server.shared_table(ada, ben)
    name = server.visitor(ada).name
    await server.app.state.tables.rename(server.id_of(ada), name)
    box.letters.clear()
    await look(server, time)
    letter = box.letters[0]
    assert name in letter.get_content()
    assert letter["Bcc"] is None
    assert letter.get_content_type() == "text/plain"
    assert name in browser.read(browser.bodies[0])["body"]


@pytest.fixture
def nobody_connects(monkeypatch):
    """Whatever is asked, no connection is tried from here."""

    def refused(addresses, port):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(outside, "_connected", refused)


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/a",
        "ftp://example.org/",
        "https://",
        "https://user@example.org/",
        "https://example.org:0/",
        "https://example.org/#a",
        "https://[::1/",
    ],
)
def test_push_goes_to_https_only(address):
    with pytest.raises(outside.Inside):
        outside.check(address)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "::1", "fe80::1", "::ffff:127.0.0.1", "0.0.0.0"),
        # of a site, for documents, for all
        *("fec0::1", "fd00::1", "2001:db8::1", "ff02::1", "::"),
        # those that lead to an IPv4 address: by a translator, by tunnels, and in ways that nobody uses any more
        *("64:ff9b::a9fe:a9fe", "64:ff9b::a00:1", "64:ff9b:1::a00:1", "2002:a00:1::1", "2001:0:1::f5ff:fffe"),
        *("::7f00:1", "::ffff:0:a00:1"),
    ],
)
def test_nothing_goes_inside(host, nobody_connects):
    address = f"https://[{host}]/" if ":" in host else f"https://{host}/"
    with pytest.raises(outside.Inside):
        outside.post(address, b"", {})


@pytest.mark.parametrize("host", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_public_hosts_are_reached_also_where_a_translator_leads_to_them(host):
    assert outside.public_addresses(host, 443) == [host]


@pytest.mark.parametrize("host", ["10.0.0.1", "64:ff9b::a00:1", "fd00::1"])
def test_hosts_inside_are_reached_where_the_host_has_named_them(host):
    assert outside.public_addresses(host, 443, networks(["10.0.0.0/8", "fd00::/8"])) == [host]


def test_a_name_that_leads_inside_is_found_out_when_it_is_used(monkeypatch, nobody_connects):
    def leads(host, port, type=0):
        return [(2, 1, 6, "", ("93.184.216.34", port)), (2, 1, 6, "", ("10.0.0.7", port))]

    monkeypatch.setattr(outside.socket, "getaddrinfo", leads)
    with pytest.raises(outside.Inside):
        outside.post("https://push.example.org/a", b"", {}, networks(["127.0.0.0/8"]))


async def test_a_subscription_that_cannot_be_one_is_refused(server, browser):
    ben = await server.person("Ben")
    good = browser.subscription
    endpoint = good["endpoint"]
    compressed = browser.key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    for wrong in (
        *({"endpoint": "ftp://x"}, {"p256dh": "AAAA"}, {"auth": ""}, {"p256dh": "ä"}),
        # what is no sign of base64 would lie in the database for nothing
        *({"p256dh": good["p256dh"] + "!" * 5000}, {"auth": "." * 5000 + good["auth"]}, {"auth": good["auth"] + "\n"}),
        *({"endpoint": endpoint + 1100 * "a"}, {"endpoint": endpoint + 600 * '"'}, {"endpoint": endpoint + 200 * "\1"}),
        *({"p256dh": written(compressed)}, {"p256dh": NO_POINT}, {"p256dh": written(b"\4" + bytes(64))}),
        *({"auth": written(bytes(15))}, {"auth": written(bytes(17))}),
    ):
        assert (await ben.post("/me/notices/push", data={**good, **wrong})).status_code == 422, wrong
    assert await ways(server, ben) == []


async def test_keys_are_stored_in_one_writing_and_no_longer_than_they_are(server, browser):
    ben = await server.person("Ben")
    good = browser.subscription
    for each in (good, {**good, "p256dh": good["p256dh"] + "=", "auth": good["auth"] + "=="}):
        assert (await ben.post("/me/notices/push", data=each)).status_code == 303
    (way,) = await ways(server, ben)
    assert json.loads(way.address) == good


async def test_a_key_from_before_it_was_looked_at_is_forgotten_once_it_is_used(server, browser, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    await stored(server, ben, "push", json.dumps({**browser.subscription, "p256dh": NO_POINT}))
    await server.shared_table(ada, ben)
    await look(server, time)
    assert await ways(server, ben) == []
    assert browser.bodies == []


@pytest.mark.parametrize(
    ("address", "fits"),
    [
        ("discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js", True),
        ("ntfy://my-topic", True),
        ("ntfy://example.org/topic", False),
        ("ntfys://ntfy.home/topic", True),
        ("ntfys://ntfy.home:22/topic", False),
        ("ntfys://10.0.0.1/topic", False),
        ("json://127.0.0.1/", False),
        ("discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js?template=/etc/passwd", False),
        ("file:///etc/passwd", False),
        ("syslog://", False),
        ("dbus://", False),
        ("mailto://a:b@example.org", False),
        ("http://169.254.169.254/", False),
        ("discord://a/b c", False),
        # several at once
        ("discord://a/b,json://127.0.0.1/", False),
        ("discord://a/b;json://127.0.0.1/", False),
        ("discord://a/b%2Cjson://127.0.0.1/", False),
        ("discord://a/b%3bjson://127.0.0.1/", False),
        ("discord://a/b%252Cjson://127.0.0.1/", False),
        ("discord://a/b\njson://127.0.0.1/", False),
        ("json://ntfy.home/chat,json://127.0.0.1/", False),
        ("json://ntfy.home/chat;json://127.0.0.1/", False),
        ("json://ntfy.home,json://127.0.0.1@ntfy.home/", False),
        # what the library takes for another host than a browser does
        ("json://a@127.0.0.1@ntfy.home/", False),
        ("json://127.0.0.1\\@ntfy.home/", False),
        ("json:\\\\127.0.0.1", False),
        ("discord:json://127.0.0.1", False),
        ("rocket://ntfy.home/aaa@127.0.0.1/room", False),
        ("rocket://ntfy/aaa@127.0.0.1/room", False),
        ("json://ntfy.home%2f@127.0.0.1/", False),
        # what climbs
        ("json://ntfy.home/chat/../admin", False),
        ("json://ntfy.home/chat/..", False),
        ("json://ntfy.home/chat/%2e%2E/admin", False),
        ("json://ntfy.home/chat/.%2e/admin", False),
        ("json://ntfy.home/chat%2Fadmin", False),
        ("json://ntfy.home/chat%2fadmin", False),
        ("json://ntfy.home/chat%5cadmin", False),
        ("json://ntfy.home/chat%252e%252e/admin", False),
        ("json://ntfy.home/chat%00", False),
        ("discord://../b", False),
        ("discord://a/..", False),
        # what is written so by those who use it
        ("discord://Bot@4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js", True),
        ("slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/%23general", True),
        ("tgram://123456789:abcdefg_hijklmnop/12315544", True),
        ("rocket://aaa%2Fbbb@ntfy.home/%23room", True),
        ("matrixs://ada:p%40ss@ntfy.home/%23room:ntfy.home", True),
        ("mmosts://ntfy.home/mm/3ccdd113474722377935511fc85d3dd4", True),
    ],
)
def test_chats_are_those_at_hosts_that_are_known(address, fits):
    assert hooks.is_allowed(address, ("ntfy.home", "ntfy")) == fits


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # by the library, in Python 3.11
@pytest.mark.parametrize(
    ("address", "fits"),
    [
        ("json://ntfy.home:8080/chat", True),
        ("json://[fd00::1]:8080/chat", True),
        ("rockets://aaa%2Fbbb@ntfy.home:8080/%23room", True),
        ("matrixs://ada:p%40ss@ntfy.home:8080/%23room:ntfy.home", True),
        ("gotify://ntfy.home:8080/Abcdefghijklmn0", True),
        ("mmosts://ntfy.home:8080/mm/3ccdd113474722377935511fc85d3dd4", True),
        ("ntfys://ntfy.home:8080/topic", True),
        ("ntfy://topic", True),
        ("discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js", True),
        # whatever else is found to mislead: it is asked of what the library has made of it, too
        ("json://a@127.0.0.1@ntfy.home:8080/", False),
        ("rocket://ntfy.home:8080/aaa@127.0.0.1/room", False),
    ],
)
def test_the_library_reads_an_address_as_it_was_read_here(address, fits, monkeypatch):
    named = ("ntfy.home:8080", "[fd00::1]:8080")
    assert hooks.is_allowed(address, named) == fits
    assert hooks.is_known(address, named) == fits
    monkeypatch.setattr(hooks, "is_allowed", lambda *given: True)
    assert hooks.is_known(address, named) == fits


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # by the library, in Python 3.11
@pytest.mark.parametrize("between", [",", ";", ", "])
async def test_several_chats_at_once_are_refused_and_not_sent_where_they_are_stored(telling, browser, time, between):
    inside = Browser()
    async with await asyncio.start_server(inside.serve, "127.0.0.1", 0) as listening:
        inside.port = listening.sockets[0].getsockname()[1]
        named = replace(telling, webhooks=True, webhook_hosts=(f"127.0.0.1:{browser.port}",))
        address = f"json://127.0.0.1:{browser.port}/chat{between}json://root:pw@127.0.0.1:{inside.port}/admin/delete"
        async with by_hand(named) as server:
            ada, ben = await server.person("Ada"), await server.person("Ben")
            assert (await ben.post("/me/notices/hook", data={"address": address})).status_code == 422
            await stored(server, ben, "hook", address)
            await server.shared_table(ada, ben)
            await look(server, time)
            assert (browser.bodies, inside.bodies) == ([], [])
            way = (await ways(server, ben))[0]
            assert way.outcome == "refused"
            answer = await ben.post("/me/notices/test", data={"way": str(way.id)})
            assert "It was refused." in answer.text
            assert (browser.bodies, inside.bodies) == ([], [])


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # by the library, in Python 3.11
async def test_a_chat_leads_nobody_elsewhere(telling, browser, time):
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        there = f"http://127.0.0.1:{browser.port}/admin"
        writer.write(f"HTTP/1.1 307 So\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        host = f"127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        async with by_hand(replace(telling, webhooks=True, webhook_hosts=(host,))) as server:
            ben = await server.person("Ben")
            assert (await ben.post("/me/notices/hook", data={"address": f"json://{host}/"})).status_code == 303
            await ben.post("/me/notices/test", data={"way": str((await ways(server, ben))[0].id)})
    assert browser.bodies == []


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # by the library, in Python 3.11
async def test_who_is_not_known_leaves_no_ways(telling, mailbox, browser):
    named = replace(telling, webhooks=True, webhook_hosts=(f"127.0.0.1:{browser.port}",))
    async with by_hand(named) as server:
        forms = {
            "push": browser.subscription,
            "mail": {"address": "ben@example.org"},
            "hook": {"address": f"json://127.0.0.1:{browser.port}/chat"},
        }
        for kind, form in forms.items():
            answer = await server.client().post(f"/me/notices/{kind}", data=form)
            assert answer.status_code == 403, kind
        assert await server.app.state.store.read(lambda connection: connection.execute(select(schema.ways)).all()) == []
        assert mailbox[0].letters == []
        # whoever has loaded the page is known by then
        ben = server.client()
        await ben.get("/me/notices")
        for kind, form in forms.items():
            assert (await ben.post(f"/me/notices/{kind}", data=form)).status_code in (200, 303), kind
        assert {way.kind for way in await ways(server, ben)} == set(forms)


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # by the library, in Python 3.11
@pytest.mark.parametrize("kind", ["push", "hook"])
async def test_ways_are_asked_for_sparingly(telling, browser, kind):
    named = replace(telling, webhooks=True, webhook_hosts=(f"127.0.0.1:{browser.port}",))
    async with by_hand(named) as server:
        hook = {"address": f"json://127.0.0.1:{browser.port}/chat"}
        form = browser.subscription if kind == "push" else hook

        async def statuses(client, times: int) -> list[int]:
            return [(await client.post(f"/me/notices/{kind}", data=form)).status_code for _ in range(times)]

        ben = await server.person("Ben")
        assert await statuses(ben, 7) == [303] * 6 + [429]
        # a person costs nothing: of one address come so many and no more
        others = [await server.person(f"Person {number}") for number in range(5)]
        answers = [status for other in others for status in await statuses(other, 6)]
        assert answers.count(303) == 23


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # by the library, in Python 3.11
async def test_a_chat_of_the_hosts_own(telling, browser, time):
    named = replace(telling, webhooks=True, webhook_hosts=(f"127.0.0.1:{browser.port}",))
    async with by_hand(named) as server:
        ada, ben = await server.person("Ada"), await server.person("Ben")
        address = f"json://127.0.0.1:{browser.port}/chat"
        assert (await ben.post("/me/notices/hook", data={"address": "json://127.0.0.1:1/"})).status_code == 422
        assert (await ben.post("/me/notices/hook", data={"address": address})).status_code == 303
        await server.shared_table(ada, ben)
        await look(server, time)
        assert json.loads(browser.bodies[0])["title"] == "It is your turn in Pebbles"


async def test_nothing_of_it_where_the_host_has_set_nothing(settings, time):
    async with running(replace(settings, clock=time)) as server:
        assert server.app.state.post.kinds == ()
        ben = await server.person("Ben")
        assert "has set no way to tell you" in (await ben.get("/me/notices")).text
        assert (await ben.post("/me/notices/mail", data={"address": "a@b.org"})).status_code == 422
        assert (await ben.post("/me/notices/push", data={})).status_code == 422
        assert (await ben.post("/me/notices/hook", data={"address": "ntfy://a"})).status_code == 422


async def test_no_more_ways_than_so_many(server, mailbox):
    ben = await server.person("Ben")
    for number in range(rows.MOST_WAYS):
        await server.app.state.store.write(
            lambda connection, number=number: rows.add_way(
                connection, server.id_of(ben), "mail", f"a{number}@b.org", "http://x/", BEGIN, confirmed=True
            )
        )
    assert (await ben.post("/me/notices/mail", data={"address": "one@more.org"})).status_code == 422


async def test_the_worker_is_served_at_the_root(server):
    answer = await server.client().get("/worker.js")
    assert answer.status_code in (200, 404)
    if answer.status_code == 200:
        assert answer.headers["content-type"].startswith("text/javascript")


async def test_each_is_told_in_their_own_language(server, mailbox, browser, time):
    box, _ = mailbox
    ada, ben = await server.person("Ada"), await server.person("Ben")
    # one has chosen a language, and the other reads all pages in that of her browser
    await ben.post("/me/language", data={"language": "pt"})
    ada.headers["Accept-Language"] = "es-AR,es;q=0.9"
    assert (await ada.post("/me/notices/push", data=browser.subscription)).status_code == 303
    await ben.post("/me/notices/mail", data={"address": "ben@example.org"})
    asked = box.letters[0]
    link = re.search(r"http://thorp.test(/me/notices/link/\S+)", asked.get_content())[1]
    assert '<html lang="pt"' in (await ben.get(link)).text
    await ben.post(link, data={"answer": "yes"})
    box.letters.clear()
    players = [Player("Ada", server.id_of(ada)), Player("Ben", server.id_of(ben))]
    await server.app.state.tables.create(GAME, {}, players, seed=7, opener=server.id_of(ada))
    await look(server, time)
    words = "It is your turn in {game}"
    told = {tag: language(tag).text(words).format(game="Pebbles") for tag in ("es", "pt")}
    assert [browser.read(body)["title"] for body in browser.bodies] == [told["es"]]
    assert [letter["Subject"] for letter in box.letters] == [told["pt"]]
