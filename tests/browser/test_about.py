"""The text of a card opens where a pointer is rested on it, and not where the card comes to lie under the pointer."""

from playwright.sync_api import Page, expect
from serving import Server

from browser.table_page import TablePage, wait_for_news

#: Longer than a pointer rests until the text opens, in milliseconds.
RESTED = 1300

#: A card lies elsewhere from now on.
_SHIFT = """([x, y]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`#card-0 { translate: ${x}px ${y}px; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
_IS_UNDER = "() => document.getElementById('card-0').matches(':hover')"


def test_only_a_pointer_that_was_moved_there_opens_the_text_of_a_card(server: Server, page: Page) -> None:
    page.clock.install()
    TablePage(page, seed=5).open_new(server.address, seats=1, monuments="no")
    leaf = page.locator(".leaf:popover-open")
    card = page.locator("#card-0").bounding_box()
    board = page.locator(".board").bounding_box()
    assert card is not None
    assert board is not None
    x, y = board["x"] + 60, board["y"] + 60
    page.mouse.move(x, y)
    page.evaluate(_SHIFT, [x - card["x"] - 40, y - card["y"] - 40])
    version = int(page.get_attribute("#table", "data-version") or -1)
    page.evaluate("document.querySelector('[id^=open-][data-ui-live]').click()")
    wait_for_news(page, version)
    page.wait_for_function(_IS_UNDER)
    page.clock.run_for(RESTED)
    expect(leaf).to_have_count(0)
    # a hand that trembles moves nothing
    page.mouse.move(x + 3, y)
    page.clock.run_for(RESTED)
    expect(leaf).to_have_count(0)
    page.mouse.move(x + 20, y)
    expect(leaf).to_have_count(1)
    # a move that is sent closes it
    page.evaluate("document.querySelector('.square[data-ui-live]').click()")
    expect(leaf).to_have_count(0)
    page.clock.run_for(RESTED)
    expect(leaf).to_have_count(0)
