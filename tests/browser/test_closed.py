"""A page that is open while whoever runs the server closes or deletes its table: it says so, and asks no more."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from serving import Forked, Server

from browser.table_page import TablePage

#: The next look of the server at the store comes within a heartbeat.
SOON = 40_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Forked(tmp_path / "data", more=("heartbeat=1",))
    running.start()
    yield running
    running.kill()


def test_a_page_tells_that_its_table_is_no_more(server: Server, page: Page) -> None:
    deleted = page.context.new_page()
    for each in (page, deleted):
        TablePage(each, seed=1).open_new(server.address, seats=1, monuments="no")
    ids = [each.url.rpartition("/")[2] for each in (page, deleted)]
    for words in (("close", ids[0]), ("delete", ids[1], "--yes")):
        # as whoever runs the server does it, beside the server
        subprocess.run([sys.executable, "-m", "thorp", "admin", "--data", str(server.data), *words], check=True)
    for each in (page, deleted):
        expect(each.locator("#gone")).to_be_visible(timeout=SOON)
    expect(page.get_by_text("This table is closed")).to_be_visible()
    expect(deleted.get_by_text("no longer there")).to_be_visible()
    for each in (page, deleted):
        expect(each.locator("#link")).to_be_hidden()
        expect(each.locator("#live")).to_have_count(0)
        expect(each.locator("#gone a[href='/']")).to_be_visible()
    expect(deleted.get_by_text("See what is left of it")).to_be_hidden()
    page.get_by_text("See what is left of it").click()
    expect(page.get_by_text("closed without a winner by whoever runs this server")).to_be_visible()
    # On the record, which has no script, a card opens its text.
    about = page.locator("button[popovertarget^='about-']").first
    about.click()
    expect(page.locator(f"#{about.get_attribute('popovertarget')}")).to_be_visible()
