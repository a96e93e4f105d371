"""A match over days between two browsers that are not open at the same time: notices lead each to its turn."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import posting
import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Forked, Server

from browser.table_page import TablePage, sit

T = TypeVar("T")

#: A browser asks the company that has made it for an address; here the test is that company.
SUBSCRIBE = """([endpoint, p256dh, auth]) => {
  PushManager.prototype.subscribe = async () => ({ toJSON: () => ({ endpoint, keys: { p256dh, auth } }) });
}"""
SHOWN = """async () => {
  const shown = await (await navigator.serviceWorker.ready).getNotifications();
  return shown.map((each) => [each.title, each.body, each.data]);
}"""

#: A click has chosen something, of which there is more to choose; or the table has gone on from that version.
_ANSWERED = """(version) => Number(document.getElementById('table').dataset.version) > version
  || [...document.querySelectorAll('[data-ui-live]')].some((each) => each.checkVisibility())"""


class Services:
    """A mail server and a push service, in a thread of their own."""

    def __init__(self) -> None:
        self.mail = posting.Mailbox()
        self.push = posting.Browser()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._servers: list[asyncio.Server] = []
        self.mail_port = self._listen(self.mail.serve)
        self.push.port = self._listen(self.push.serve)

    def _listen(self, serve: Callable[..., object]) -> int:
        async def listen() -> int:
            server = await asyncio.start_server(serve, "127.0.0.1", 0)  # type: ignore[arg-type]
            self._servers.append(server)
            return int(server.sockets[0].getsockname()[1])

        return asyncio.run_coroutine_threadsafe(listen(), self._loop).result(10)

    def close(self) -> None:
        async def end() -> None:
            for server in self._servers:
                server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture
def services() -> Iterator[Services]:
    found = Services()
    yield found
    found.close()


@pytest.fixture
def server(tmp_path: Path, services: Services) -> Iterator[Server]:
    """A server that tells people, and whose clocks go two hundred times as fast."""
    running = Forked(tmp_path / "data", more=("telling", f"smtp={services.mail_port}", "hurry=200"))
    running.start()
    yield running
    running.kill()


def _arrives(page: Page, found: list[T], since: int) -> T:
    """The first of what comes after so much."""
    for _ in range(600):
        if len(found) > since:
            return found[since]
        page.wait_for_timeout(50)
    raise AssertionError("nothing has come")


def _told_by_mail(server: Server, page: Page, services: Services) -> None:
    page.goto(f"{server.address}/me/notices")
    page.get_by_label("Your address").fill("ada@example.org")
    page.get_by_role("button", name="Add").first.click()
    letter = _arrives(page, services.mail.letters, 0)
    link = re.search(r"http://\S+/me/notices/link/\S+", letter.get_content())
    assert link
    page.goto(link[0])
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_text("You will be told")).to_be_visible()
    # a test of it arrives, too
    page.goto(f"{server.address}/me/notices")
    page.get_by_role("button", name="Send me a test").click()
    subjects: list[str] = []
    while "A test from Thorp" not in subjects:
        subjects.append(_arrives(page, services.mail.letters, 1 + len(subjects))["Subject"])


def _told_in_the_browser(server: Server, page: Page, services: Services) -> None:
    page.goto(f"{server.address}/me/notices")
    subscription = services.push.subscription
    page.evaluate(SUBSCRIBE, [subscription[name] for name in ("endpoint", "p256dh", "auth")])
    page.get_by_role("button", name="Tell me in this browser").click()
    page.get_by_role("button", name="Send me a test").click()
    # That it is Ben's turn may be told before it.
    titles: list[str] = []
    while "A test from Thorp" not in titles:
        titles.append(services.push.read(_arrives(page, services.push.bodies, len(titles)))["title"])


def _pushed(page: Page, server: Server, message: dict[str, str]) -> None:
    """Hand a message to the browser's worker as its push service would, and wait until the worker has shown it.

    Nothing may ask what is shown before that: Chromium forgets what it has written down but not shown yet when asked.
    """
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    events: list[str] = []
    session.on(
        "BackgroundService.backgroundServiceEventReceived",
        lambda event: events.append(event["backgroundServiceEvent"]["eventName"]),
    )
    session.send("BackgroundService.startObserving", {"service": "pushMessaging"})
    session.send("BackgroundService.setRecording", {"shouldRecord": True, "service": "pushMessaging"})
    session.send("ServiceWorker.enable")
    registration = _arrives(page, found, 0)
    data = json.dumps({"notification": message})
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": server.address, "registrationId": registration, "data": data},
    )
    while "Push event completed" not in events:
        _arrives(page, events, len(events))


def _next_notice(page: Page, server: Server, services: Services, read: dict[str, int]) -> tuple[str, str, str]:
    """By which way the next notice comes, its title, and where it leads."""
    for _ in range(600):
        if len(services.mail.letters) > read["mail"]:
            letter = services.mail.letters[read["mail"]]
            read["mail"] += 1
            link = re.search(rf"{re.escape(server.address)}/\S+", letter.get_content())
            assert link
            return "mail", letter["Subject"], link[0]
        if len(services.push.bodies) > read["push"]:
            message = services.push.read(services.push.bodies[read["push"]])
            read["push"] += 1
            return "push", message["title"], message["navigate"]
        page.wait_for_timeout(50)
    raise AssertionError("no notice has come")


def test_notices_lead_each_to_its_turn(server: Server, whole_browser: Browser, services: Services) -> None:
    ada, ben = (
        whole_browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce")
        for width in (1280, 360)
    )
    ben.grant_permissions(["notifications"], origin=server.address)
    errors: list[str] = []
    for context in (ada, ben):
        context.on("page", lambda page: page.on("pageerror", lambda error: errors.append(str(error))))
    desk, phone = ada.new_page(), ben.new_page()
    desk.goto(server.address)
    desk.wait_for_selector("a[href='/games/villagers']", timeout=120_000)
    desk.click("a[href='/games/villagers']")
    desk.click("label:has(input[name='seats'][value='2'])")
    desk.select_option("select[name='seat.1']", "link")
    desk.fill("input[name='name']", "Ada")
    desk.get_by_label("Time to think").select_option("day-3")
    desk.click("form.setup button.main")
    desk.wait_for_selector("#table.gathering")
    address = desk.input_value("#table-link")
    sit(phone, address, "Ben", 1)
    for page in (desk, phone):
        page.wait_for_selector("#table[data-stage='playing']")
    expect(desk.locator("#clock-0 time, #clock-1 time").first).to_be_visible()
    _told_by_mail(server, desk, services)
    _told_in_the_browser(server, phone, services)
    # Both go away. Whoever is asked is told, once a turn, comes by the notice, plays, and goes away again.
    for page in (desk, phone):
        page.goto("about:blank")
    read, turns = {"mail": 0, "push": 0}, {"mail": 0, "push": 0}
    while min(turns.values()) < 2:
        way, title, leads = _next_notice(desk, server, services, read)
        if title != "It is your turn in Villagers":
            continue
        page = desk if way == "mail" else phone
        if way == "push" and not turns["push"]:
            message = services.push.read(services.push.bodies[read["push"] - 1])
            phone.goto(f"{server.address}/me")
            _pushed(phone, server, message)
            assert phone.evaluate(SHOWN) == [[title, message["body"], leads]]
        assert leads == address
        page.goto(leads)
        player = TablePage(page, turns[way])
        player.wait_for_my_turn()
        expect(page).to_have_title(re.compile("Your turn"))
        # of three days, which take so little here that hours have passed until the page is there
        expect(page.locator("#clock-0 time, #clock-1 time").first).to_contain_text(re.compile(r"in [67]\d hours"))
        turns[way] += 1
        while player.live():
            before, version = player.look(), player.version
            page.click(f"[id='{player.rng.choice(player.live())}']")
            player.confirm()
            player.wait_for_change(before)
            # what is on its way would be lost with the page
            page.wait_for_function(_ANSWERED, arg=version)
        page.goto("about:blank")
    assert not errors
    ada.close()
    ben.close()
