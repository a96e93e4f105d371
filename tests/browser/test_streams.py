"""A page whose live stream the server refuses, since too many are open: it says so, and looks for news by itself."""

import re

from playwright.sync_api import Browser, Page, Route, expect

from browser.conftest import Server
from browser.table_page import TablePage

REFUSED = "You have 20 tables open"
EVENTS = re.compile(r"/events\?")
FRAGMENT = re.compile(r"/fragment$")


def test_a_hidden_tab_stays_at_the_table(server: Server, page: Page) -> None:
    """Its stream brings the moves, and its title tells that one has to decide."""
    TablePage(page, seed=1).open_new(server.address, seats=1, monuments="no")
    expect(page).to_have_title(re.compile("Your turn"))
    page.evaluate("""() => {
      Object.defineProperty(document, 'hidden', {value: true});
      Object.defineProperty(document, 'visibilityState', {value: 'hidden'});
      document.dispatchEvent(new Event('visibilitychange'));
      document.title = 'before';
    }""")
    # the same person plays from another tab
    other = page.context.new_page()
    other.goto(page.url)
    elsewhere = TablePage(other, seed=2)
    elsewhere.wait_for_my_turn()
    before = elsewhere.version
    while elsewhere.version == before:
        elsewhere.click_something()
    expect(page.locator("#table")).to_have_attribute("data-version", str(elsewhere.version))
    expect(page).to_have_title(re.compile("Tiny Towns"))
    other.close()


def test_who_looks_on_sees_who_plays(server: Server, page: Page, browser: Browser) -> None:
    TablePage(page, seed=1).open_new(server.address, seats=1)
    other = browser.new_context()
    looking_on = other.new_page()
    looking_on.goto(page.url)
    present = looking_on.locator("#present")
    expect(present).to_have_text("At the table now: Guest")
    expect(page.locator("#present")).to_be_hidden()
    # gone for long enough that it is not only a page that is loaded again: three seconds
    page.goto(server.address)
    expect(present).to_be_hidden()
    other.close()


def test_a_sound_is_made_only_where_it_is_wanted(server: Server, page: Page) -> None:
    page.add_init_script("""
      window.tones = 0;
      window.OscillatorNode = class extends OscillatorNode { start(when) { window.tones += 1; super.start(when); } };
    """)
    table = TablePage(page, seed=1)
    table.open_new(server.address, seats=2, game="villagers")
    turn = "() => document.getElementById('table').hasAttribute('data-asked')"

    def until_asked_again() -> None:
        version = table.version
        while table.version == version or not page.evaluate(turn):
            table.click_something()

    until_asked_again()
    assert page.evaluate("tones") == 0
    page.keyboard.press("?")
    with page.expect_response("**/me/settings"):
        page.check("#sound")
    assert page.evaluate("tones") == 2
    page.reload()
    page.keyboard.press("?")
    expect(page.locator("#sound")).to_be_checked()
    page.keyboard.press("Escape")
    table.wait_for_my_turn()
    while page.evaluate("tones") == 0:
        until_asked_again()


def test_a_page_without_a_stream_looks_for_news(server: Server, page: Page) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=429, headers={"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}, body=REFUSED)

    page.route(EVENTS, refuse)
    page.clock.install()
    TablePage(page, seed=1).open_new(server.address, seats=1)
    notice = page.locator("#notice")
    for _ in range(2):
        expect(notice).to_have_text(REFUSED)
        with page.expect_response(FRAGMENT) as fragment, page.expect_response(EVENTS) as events:
            page.clock.run_for(15_000)
        assert (fragment.value.status, events.value.status) == (200, 429)
    # there is room again: the stream begins, and nothing is said any more
    page.unroute(EVENTS, refuse)
    expect(notice).to_have_text(REFUSED)
    with page.expect_response(FRAGMENT), page.expect_response(EVENTS) as events:
        page.clock.run_for(15_000)
    assert events.value.status == 200
    expect(notice).to_have_text("")


def test_a_page_that_looks_too_fast_looks_again(server: Server, page: Page) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=429, headers={"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}, body=REFUSED)

    for address in (EVENTS, FRAGMENT):
        page.route(address, refuse)
    page.clock.install()
    TablePage(page, seed=1).open_new(server.address, seats=1)
    # also what the stream is answered then: it would be said after what comes next
    with page.expect_response(FRAGMENT) as fragment, page.expect_response(EVENTS):
        page.clock.run_for(15_000)
    assert fragment.value.status == 429
    page.unroute(FRAGMENT, refuse)
    with page.expect_response(FRAGMENT) as fragment:
        page.clock.run_for(5_000)
    assert fragment.value.status == 200
    expect(page.locator("#notice")).to_have_text("")
