"""A clock at a table that ticks, the form that sets it, and the page of notices, in a real browser."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Forked, Server

#: Where pictures go, if anybody wants to look.
PICTURES = os.environ.get("THORP_TEST_PICTURES", "")
SIZES = {"desktop": (1280, 800), "phone": (360, 740)}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that can tell people in their browsers."""
    running = Forked(tmp_path / "data", more=("telling",))
    running.start()
    yield running
    running.kill()


@pytest.fixture(params=SIZES)
def sized(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    width, height = SIZES[request.param]
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce", has_touch=request.param == "phone"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"an error on the page: {error}"))
    yield page
    context.close()


def look(page: Page, name: str) -> None:
    """Nothing is wider than the page; and pictures, where they are asked for."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is too wide"
    if PICTURES:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=f"{PICTURES}/{name}-{page.viewport_size['width']}-{scheme}.png", full_page=True)
        page.emulate_media(color_scheme="light")


def set_up(server: Server, page: Page) -> None:
    """Go to the form of a new table; the rules may still be prepared."""
    page.goto(server.address)
    page.wait_for_selector("a[href='/games/tiny-towns']", timeout=120_000)
    page.click("a[href='/games/tiny-towns']")
    page.wait_for_selector("#setup", timeout=120_000)


def test_a_live_clock_ticks(server: Server, sized: Page) -> None:
    page = sized
    set_up(server, page)
    late = page.locator("[data-for-clock]")
    expect(late).to_be_hidden()
    page.get_by_label("Time to think").select_option("live-10")
    expect(late).to_be_visible()
    page.get_by_label("The seat waits").check(force=True)
    look(page, "setup")
    page.get_by_role("button", name="Start").click()
    time = page.locator("#clock-0 time")
    # a busy machine need not show every second
    expect(time).to_have_text(re.compile(r"^9:[0-5]\d$"), timeout=20_000)
    first = time.inner_text()
    expect(time).not_to_have_text(first)
    assert "9:00" <= time.inner_text() < first
    expect(page.locator("#clock-0")).not_to_have_attribute("data-ui-low", "")
    look(page, "live")


def test_days_are_told_as_a_date(server: Server, sized: Page) -> None:
    page = sized
    set_up(server, page)
    page.get_by_label("Time to think").select_option("day-3")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#clock-0 time")).to_contain_text("in 71 hours")
    look(page, "days")


def test_the_page_of_notices(server: Server, sized: Page) -> None:
    page = sized
    page.goto(server.address)
    page.goto(f"{server.address}/me")
    page.get_by_role("link", name="How you are told when it is your turn").click()
    page.get_by_label("Your address").fill("ada@example.org")
    page.get_by_role("button", name="Add").first.click()
    # no mail server listens there
    expect(page.get_by_text("It could not be sent just now.")).to_be_visible()
    page.get_by_role("button", name="Send the letter again").click()
    expect(page.get_by_text("It could not be sent just now.")).to_be_visible()
    expect(page.get_by_role("button", name="Tell me in this browser")).to_be_visible()
    assert (
        page.evaluate("navigator.serviceWorker.register('/worker.js').then((found) => new URL(found.scope).pathname)")
        == "/"
    )
    look(page, "notices")
