"""The text of a card opens where a pointer is rested on it, and not where the card comes to lie under the pointer."""

import re

from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.conftest import people_at
from browser.table_page import TablePage, open_for_people, sit, wait_for_news, wait_until_begun

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


def test_why_a_card_cannot_be_chosen_goes_on_with_the_table(server: Server, browser: Browser) -> None:
    """Who reads it while somebody else is asked is not told so any more when that one has chosen."""
    with people_at(browser, 1280, 1280) as (ada, eve):
        link = open_for_people(server, ada, 2)
        sit(eve, link, "Eve", 1)
        for page in (ada, eve):
            wait_until_begun(page)
        # one of the two names what both are to place
        names, waits = (ada, eve) if TablePage(ada, seed=1).live() else (eve, ada)
        waits.locator("#card-0").focus()
        waits.keyboard.press("i")
        reason = waits.locator(".leaf:popover-open .leaf-why")
        expect(reason).to_have_text(re.compile("^It is not your turn. (Ada|Eve) names a resource.$"))
        version = TablePage(waits, seed=1).version
        TablePage(names, seed=1).click_something()
        wait_for_news(waits, version)
        expect(reason).to_have_text(re.compile("^Place the .* first; then you may build.$"))
