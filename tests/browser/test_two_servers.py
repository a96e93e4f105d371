"""Players of one table at different processes: each sees the other's moves at once, whatever happens to their lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from postgres import database
from serving import Forked, Server

from browser.conftest import cut_off
from browser.table_page import TablePage

#: In seconds: a process looks by itself only after so long. What comes sooner, in milliseconds, was told.
HEARTBEAT = 600
SOON = 30_000


@pytest.fixture(params=["sqlite", "postgresql"])
def servers(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Server, Server]]:
    """Two processes on one store."""
    if request.param == "postgresql":
        with database() as address:
            yield from _two(tmp_path, f"database={address}")
    else:
        yield from _two(tmp_path)


def _two(folder: Path, *more: str) -> Iterator[tuple[Server, Server]]:
    more = (f"heartbeat={HEARTBEAT}", *more)
    one, two = (Forked(folder / "data", chance=chance, more=more) for chance in (1, 2))
    one.start()
    two.start()
    yield one, two
    for server in (one, two):
        if server.runs:
            server.kill()


@pytest.fixture
def players(browser: Browser) -> Iterator[tuple[Page, Page]]:
    """A person at a desk, and one with a phone; an error on their pages fails the test."""
    sizes = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})
    contexts = [browser.new_context(viewport=size, reduced_motion="reduce") for size in sizes]  # type: ignore[arg-type]
    errors: list[str] = []
    desk, phone = (context.new_page() for context in contexts)
    for page in (desk, phone):
        page.on("pageerror", lambda error: errors.append(str(error)))
    yield desk, phone
    for context in contexts:
        context.close()
    assert not errors


def _sit_down(servers: tuple[Server, Server], ada: Page, eve: Page) -> None:
    """Ada opens a table at one process; Eve follows its link at the other one, and sits down."""
    for server, page in zip(servers, (ada, eve), strict=True):
        page.goto(server.address)
        page.wait_for_selector("a[href='/games/tiny-towns']", timeout=120_000)
    ada.click("a[href='/games/tiny-towns']")
    ada.wait_for_selector("#setup", timeout=120_000)
    ada.click("label:has(input[name='seats'][value='2'])")
    ada.select_option("select[name='seat.1']", "link")
    ada.fill("input[name='name']", "Ada")
    ada.click("form.setup button.main")
    ada.wait_for_selector("#table.gathering")
    # in one go: Playwright does not wait for what a function answers later
    eve.evaluate("""async () => {
      while (!(await fetch('/readyz')).ok) await new Promise((later) => setTimeout(later, 50));
    }""")
    # until then the first page loads itself again, and might just when she goes on
    eve.wait_for_function("() => !document.querySelector('meta[http-equiv=refresh]')")
    eve.goto(ada.input_value("#table-link").replace(servers[0].address, servers[1].address))
    eve.fill("#sit input", "Eve")
    eve.click("#place-1 button[form='sit']")
    for page in (ada, eve):
        page.wait_for_selector("#table[data-stage='playing']", timeout=SOON)


def _move(mover: TablePage) -> int:
    """Make the first of the moves that are offered; the version that the page of the mover shows then."""
    version = mover.version
    mover.page.evaluate("document.getElementById('moves').open = true")
    mover.page.locator("#moves button[name='move']").first.click()
    mover.confirm()
    mover.page.wait_for_function(
        "(old) => Number(document.getElementById('table').dataset.version) > old", arg=version, timeout=SOON
    )
    return mover.version


def _shows(page: Page, version: int) -> None:
    page.wait_for_function(
        "(version) => Number(document.getElementById('table').dataset.version) >= version", arg=version, timeout=SOON
    )


def test_two_players_at_two_processes(servers: tuple[Server, Server], players: tuple[Page, Page]) -> None:
    ada, eve = players
    _sit_down(servers, ada, eve)
    tables = TablePage(ada, 1), TablePage(eve, 2)

    def one_moves(*seeing: Page) -> int:
        mover = next(table for table in tables if table.live())
        version = _move(mover)
        for page in seeing:
            _shows(page, version)
        return version

    expect(ada.locator("#present")).to_have_text("At the table now: Eve", timeout=SOON)
    expect(eve.locator("#present")).to_have_text("At the table now: Ada", timeout=SOON)
    for _ in range(4):
        one_moves(ada, eve)

    # Eve loads her page again, and is where she was.
    version = tables[1].version
    eve.reload()
    assert tables[1].version == version
    one_moves(ada, eve)

    # Nobody moves for another seat: whose turn it is not says what the other one's page would say.
    mover = next(table for table in tables if table.live())
    other = ada if mover.page is eve else eve
    form = mover.page.evaluate("""() => {
        const button = document.querySelector('#moves button[name="move"]');
        return {counter: new FormData(button.form).get('counter'), move: button.value, action: button.form.action};
    }""")
    path = form.pop("action").partition("/tables/")[2]
    for seat in ("0", "1"):
        status = other.evaluate(
            "async ([path, form]) => (await fetch(path, {method: 'POST', body: new URLSearchParams(form)})).status",
            [f"/tables/{path}", {**form, "seat": seat}],
        )
        assert status in (409, 422)
    assert tables[0].version == tables[1].version

    # Eve is cut off, others move where they can, and she comes back to the present by herself.
    while not tables[0].live():
        one_moves(ada, eve)
    with cut_off(eve):
        while ada in [table.page for table in tables if table.live()]:
            version = _move(tables[0])
    eve.wait_for_function(
        "(version) => Number(document.getElementById('table').dataset.version) >= version", arg=version, timeout=30_000
    )
    one_moves(ada, eve)


def test_a_process_that_is_killed_and_comes_back(servers: tuple[Server, Server], players: tuple[Page, Page]) -> None:
    ada, eve = players
    _sit_down(servers, ada, eve)
    tables = TablePage(ada, 1), TablePage(eve, 2)
    expect(ada.locator("#present")).to_have_text("At the table now: Eve", timeout=SOON)
    servers[1].kill()
    # Who was there is missed, though nobody could take leave.
    expect(ada.locator("#present")).to_be_hidden(timeout=20_000)
    version = _move(tables[0]) if tables[0].live() else tables[0].version
    servers[1].start()
    eve.wait_for_function(
        "(version) => Number(document.getElementById('table').dataset.version) >= version", arg=version, timeout=60_000
    )
    expect(ada.locator("#present")).to_have_text("At the table now: Eve", timeout=20_000)
    mover = next(table for table in tables if table.live())
    version = _move(mover)
    for page in players:
        _shows(page, version)
