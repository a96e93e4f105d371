"""Where the focus is when the page changes under it: who has gone elsewhere by keys is left there."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from serving import Server

from browser.table_page import TablePage, open_match, wait_for_news

MATCH = Path(__file__).parent.parent / "matches/tiny_towns/six-seats.json"

_IS_ASKED_HIGH = "() => parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--asked')) >= 272"


@pytest.fixture
def two_tabs(server: Server, page: Page) -> tuple[TablePage, TablePage]:
    """A table of Villagers in two tabs of one person: what is played in the second is news to the first."""
    first = TablePage(page, seed=3)
    first.open_new(server.address, seats=2, game="villagers")
    second = TablePage(page.context.new_page(), seed=3)
    second.page.goto(page.url)
    second.wait_for_my_turn()
    return first, second


def _play_in_the_other(first: TablePage, second: TablePage) -> None:
    before = first.version
    while second.version <= before:
        second.click_something()
    wait_for_news(first.page, before)
    first.wait_for_my_turn()


def test_who_reads_elsewhere_is_left_there(two_tabs: tuple[TablePage, TablePage]) -> None:
    first, second = two_tabs
    page = first.page
    _play_in_the_other(first, second)
    # the log, a fold, what opens the village of another
    for place in ("#log a.ply", "#log > summary", ".vi-mini"):
        page.locator(place).first.focus()
        page.keyboard.press("Shift")
        _play_in_the_other(first, second)
        expect(page.locator(place).first).to_be_focused()
    # and that village itself
    page.keyboard.press("Enter")
    village = page.locator(".leaf-large:popover-open")
    expect(village).to_be_visible()
    page.keyboard.press("Tab")
    expect(village.locator(":focus")).to_have_count(1)
    _play_in_the_other(first, second)
    expect(village.locator(":focus")).to_have_count(1)


def test_who_waits_where_a_move_was_made_goes_on_from_there(two_tabs: tuple[TablePage, TablePage]) -> None:
    first, second = two_tabs
    first.choose_by_keys()
    assert first.focus in first.live()
    # at the table, too, wherever it was brought to
    first.page.locator("#table").focus()
    _play_in_the_other(first, second)
    assert first.focus in first.live()


def test_who_reads_a_guide_by_keys_plays_nothing(server: Server, page: Page) -> None:
    """Enter upon Enter on "Go on", as long as there is one."""
    page.goto(server.address)
    page.wait_for_selector("a[href='/games/tiny-towns']", timeout=120_000)
    page.locator("form[action='/games/tiny-towns/learn'] button").click()
    page.wait_for_selector("#guide-read")
    # or Enter loads the page anew
    page.wait_for_load_state("domcontentloaded")
    page.locator("#guide-read").focus()
    for step in (1, 2):
        expect(page.locator("#guide")).to_have_attribute("data-guide-step", str(step - 1))
        page.keyboard.press("Enter")
        expect(page.locator("#guide")).to_have_attribute("data-guide-step", str(step))
        if step == 1:
            expect(page.locator("#guide-read")).to_be_focused()
    expect(page.locator("#log .ply[id]")).to_have_count(0)


def test_the_text_of_a_card_closes_where_the_focus_leaves_it(server: Server, page: Page) -> None:
    """Else it hides what is in focus."""
    TablePage(page, seed=1).open_new(server.address, seats=1, monuments="no")
    leaf = page.locator(".leaf:popover-open")
    page.locator(".about-button").first.focus()
    page.keyboard.press("Enter")
    expect(leaf).to_be_visible()
    # out of it again, behind all that is in it
    for _ in range(6):
        if page.locator(".leaf:popover-open").count() == 0:
            break
        page.keyboard.press("Tab")
    expect(leaf).to_have_count(0)
    expect(page.locator(":focus")).to_have_count(1)


def test_at_either_end_of_a_match_the_focus_stays(server: Server, page: Page) -> None:
    open_match(server, page, MATCH)
    address = page.url
    page.goto(f"{address}/at/1")
    for way, other in (("back", "on"), ("first", "on"), ("last", "back"), ("on", "back")):
        link = page.locator(f"#replay-{way}")
        link.focus()
        page.keyboard.press("Enter")
        expect(link).to_have_attribute("aria-disabled", "true")
        expect(link).to_be_focused()
        # there it leads nowhere
        before = page.url
        page.keyboard.press("Enter")
        assert page.url == before
        page.locator(f"#replay-{other}").click()
        expect(link).not_to_have_attribute("aria-disabled", "true")


def test_a_log_is_one_stop_of_the_tab_key(server: Server, page: Page) -> None:
    """Its many links are gone through by arrows: behind it lies what else is on the page."""
    table = TablePage(page, seed=2)
    table.open_new(server.address, seats=2, game="villagers")
    while page.locator("#log a.ply").count() < 5:
        table.click_something()
    page.locator("#log > summary").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#log a.ply").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#log :focus")).to_have_count(1)
    expect(page.locator("#log a.ply").first).not_to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#log :focus")).to_have_count(0)


def test_what_was_refused_is_read_at_once(server: Server, page: Page) -> None:
    """A page that comes with a sentence for the person puts the focus there."""
    page.goto(f"{server.address}/games/tiny-towns")
    page.wait_for_selector("#setup", timeout=120_000)
    page.select_option("select[name='seat.1']", "here")
    # two of one name cannot be told apart
    page.fill("input[name='name.1']", page.input_value("input[name='name']"))
    page.locator("form.setup button.main").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_be_focused()
    expect(page.locator("#notice")).not_to_be_empty()


def test_what_is_gone_to_is_not_hidden_by_what_is_asked(server: Server, page: Page) -> None:
    """On a small phone what sticks to the edge of the window may be high."""
    page.set_viewport_size({"width": 320, "height": 640})
    table = TablePage(page, seed=5)
    table.open_new(server.address, seats=2, game="valeria")
    while page.locator("#log a.ply").count() < 8:
        table.click_something()
    page.evaluate("document.getElementById('ask').style.minBlockSize = '17rem'")
    page.wait_for_function(_IS_ASKED_HIGH)
    hidden = page.evaluate("""() => [...document.querySelectorAll('#log a.ply')].filter((each) => {
      each.focus();
      const ask = document.getElementById('ask').getBoundingClientRect();
      const {top, bottom} = each.getBoundingClientRect();
      return Math.min(bottom, ask.bottom) > Math.max(top, ask.top);
    }).map((each) => each.id)""")
    assert hidden == []
