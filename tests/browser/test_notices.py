"""What is said in a browser that could not be done: it moves nothing, and goes by itself."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from browser.conftest import Server
from browser.table_page import TablePage

#: Where the town and the cards stand in the page, wherever it is scrolled to.
_PLACES = """() => ['town', 'cards'].map((id) => document.getElementById(id).getBoundingClientRect().top + scrollY)"""


def _late(table: TablePage) -> None:
    """Choose what is offered no more where it arrives."""
    table.page.locator("#moves-form input[name='counter']").evaluate("(counter) => { counter.value = '0'; }")
    table.page.locator("[data-ui-live]:visible").first.click()


def test_a_notice_in_the_table_moves_nothing_and_goes_by_itself(server: Server, page: Page) -> None:
    page.clock.install()
    table = TablePage(page, 3)
    table.open_new(server.address, 1, "tiny-towns")
    # what goes after seconds goes when it is told to, however slow the machine is
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    notice = page.locator("#table > .notice")
    for size in ({"width": 1280, "height": 800}, {"width": 360, "height": 740}):
        page.set_viewport_size(size)
        table.click_something()
        before = page.evaluate(_PLACES)
        _late(table)
        expect(notice).to_contain_text("The table had moved on")
        expect(notice).to_have_attribute("role", "alert")
        assert page.evaluate(_PLACES) == before
        box = notice.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        # it lets clicks through, and a click has read it
        assert notice.evaluate("(notice) => getComputedStyle(notice).pointerEvents") == "none"
        page.clock.fast_forward(5_000)
        expect(notice).to_be_visible()
        page.clock.fast_forward(2_000)
        expect(notice).to_have_count(0)
        assert page.evaluate(_PLACES) == before
    _late(table)
    expect(notice).to_be_visible()
    page.locator("#town-name").click()
    expect(notice).to_have_count(0)
