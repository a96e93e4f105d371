"""Tables on a phone: what is asked and what it acts on are in sight together, targets are large, text can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from serving import Server

from browser.conftest import cut_off
from browser.table_page import TablePage

MEASURE = Path(__file__).with_name("phone.js").read_text("utf-8")
#: So many decisions of a random game are measured.
DECISIONS = 14
GAMES = ("tiny-towns", "villagers", "valeria")


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_of_a_game(server: Server, phone: Page, game: str) -> None:
    table = TablePage(phone, seed=3)
    table.open_new(server.address, seats=2, game=game)
    for _ in range(DECISIONS):
        found = phone.evaluate(MEASURE)
        # "small": targets of less than 44 points; "tiny": words of less than 12
        assert not {each: found[each] for each in ("misfit", "sideways", "places", "small", "tiny") if found[each]}
        table.click_something()


#: Whether the board and what is asked are in the window side by side, below the bar.
_TOGETHER = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [board, ask, bar] = [box('.board'), box('#ask'), box('.bar')];
  const isInSight = ({ top, bottom }) => top >= bar.bottom - 1 && bottom <= innerHeight + 1;
  return board.right <= ask.left && [board, ask].every(isInSight);
}"""


#: What others did stands below all of the sentence that asks.
_BELOW = """() => document.querySelector('#ask .recap').getBoundingClientRect().top
  >= document.querySelector('#ask .prompt').getBoundingClientRect().bottom"""


def test_a_phone_that_lies_shows_the_town_beside_what_is_asked(server: Server, phone: Page) -> None:
    table = TablePage(phone, seed=3)
    table.open_new(server.address, seats=2)
    for _ in range(3):
        for width, height in ((640, 360), (740, 360), (844, 390)):
            phone.set_viewport_size({"width": width, "height": height})
            phone.evaluate("scrollTo(0, 0)")
            assert phone.evaluate(_TOGETHER), (width, height)
            assert phone.evaluate(_BELOW), (width, height)
        table.click_something()


#: The middle of a card that has a text, and can be moved up under a finger.
_CARD = """() => [...document.querySelectorAll('#table [data-about]')].map((each) => each.getBoundingClientRect())
  .filter(({ width, top, bottom }) => width && top > 260 && bottom < innerHeight - 200)
  .map(({ x, y, width, height }) => [x + width / 2, y + height / 2])[0]"""


def test_a_long_press_may_end_in_scrolling(server: Server, phone: Page) -> None:
    """Then the text of the card stays open, and the next tap does what it does else."""
    TablePage(phone, seed=3).open_new(server.address, seats=2, game="villagers")
    wire = phone.context.new_cdp_session(phone)

    def touch(kind: str, *points: dict[str, float]) -> None:
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    phone.evaluate("addEventListener('scrollend', () => (window.isStill = true))")
    x, y = phone.evaluate(_CARD)
    touch("touchStart", {"x": x, "y": y})
    phone.wait_for_selector(".leaf:popover-open")
    for step in range(1, 9):
        touch("touchMove", {"x": x, "y": y - 15 * step})
    touch("touchEnd")
    phone.wait_for_function("() => window.isStill")
    assert phone.evaluate("scrollY") > 0
    expect(phone.locator(".leaf:popover-open")).to_have_count(1)
    phone.locator(".bar-opens-more").tap()
    expect(phone.locator(":popover-open")).to_have_count(1)
    expect(phone.locator("#bar-more")).to_be_visible()


#: Where the notice is, and whether anything below it can still be clicked.
_NOTICE = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const { top, bottom, left, width } = box('#notice');
  const below = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
  return [top >= box('.bar').bottom - 1 && bottom < innerHeight / 2, below.closest('#notice') === null];
}"""


def test_that_nothing_was_reached_is_said_where_one_looks(server: Server, phone: Page) -> None:
    table = TablePage(phone, seed=3)
    # alone: the table has nothing to tell that would show that it is reached again
    table.open_new(server.address, seats=1)
    phone.evaluate("scrollTo(0, 300)")
    with cut_off(phone):
        phone.locator("#square-5").evaluate("(square) => square.click()")
        expect(phone.locator("#notice")).to_contain_text("That did not reach the table.")
        assert phone.evaluate(_NOTICE) == [True, True]


#: Links that stand alone and are no higher than their words.
_LOW = """() => [...document.querySelectorAll('p > a:only-child, .foot > a')]
  .filter((each) => each.checkVisibility())
  .filter((each) => each.matches('.foot > a') || each.parentElement.textContent === each.textContent)
  .filter((each) => each.getBoundingClientRect().height < 43.5).map((each) => each.textContent)"""
#: Links of the bar that are printed over each other.
_OVER = """() => [...document.querySelectorAll('.table-places a')].map((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return range.getBoundingClientRect();
}).filter(({ right }, at, all) => all[at + 1] && right > all[at + 1].left)"""

#: As where the browser is asked for larger letters, in percent.
_LETTERS = "(size) => { document.documentElement.style.fontSize = `${size}%`; }"


def test_pages_around_tables(server: Server, phone: Page) -> None:
    """Links that stand alone are large enough, and larger letters leave all of a page in the window."""
    phone.goto(server.address)
    phone.wait_for_selector("form.learn", timeout=120_000)
    phone.click("a[href='/games/tiny-towns']")
    phone.click("form.setup button.main")
    phone.wait_for_selector("#table")
    phone.evaluate(_LETTERS, 200)
    assert phone.evaluate(_OVER) == []
    for path in ("", "me", *(f"games/{game}" for game in GAMES)):
        phone.goto(f"{server.address}/{path}")
        phone.wait_for_selector("main form", timeout=120_000)
        assert phone.evaluate(_LOW) == []
        for size in (150, 200):
            phone.evaluate(_LETTERS, size)
            assert phone.evaluate("document.documentElement.scrollWidth") <= 360, (path, size)


def test_a_card_shows_its_building_where_it_would_stand(server: Server, page: Page) -> None:
    """At 1280 by 800 the first decision is in sight whole; a card that is pointed at tells what it would add."""
    # before the page is there: of one that is, a request may still slip through
    page.route("**/forecast?*", lambda route: route.fulfill(status=503))
    table = TablePage(page, seed=3)
    table.open_new(server.address, seats=1)
    assert page.locator(".keep").is_visible()
    for part in (".board", "#ask"):
        box = page.locator(part).bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800
    assert page.locator(".card .cell").first.evaluate("(cell) => cell.getBoundingClientRect().width") >= 32
    while not (cards := [each for each in table.live() if each.startswith("card-")]):
        assert not table.over
        table.click_something()
    # what has failed once is asked again, and nothing is made of it
    with page.expect_response("**/forecast?*"):
        page.locator(f"#{cards[0]}").focus()
    page.unroute("**/forecast?*")
    expect(page.locator("#forecast")).to_be_empty()
    page.locator("#square-0").focus()
    page.locator(f"#{cards[0]}").focus()
    expect(page.locator(".ghost[data-ui-lit] .gain").first).to_have_text(re.compile(r"^([+−]\d+|±0)$"))
    expect(page.locator("#forecast")).to_have_text(re.compile(r"([+−]\d+|±0).* now"))
    page.click("a.points")
    expect(page.locator("#points")).to_contain_text("Squares without a building")
    # it stays at its score when the window becomes another
    page.set_viewport_size({"width": 320, "height": 600})
    page.wait_for_function(
        """() => {
          const leaf = document.getElementById("points").getBoundingClientRect();
          return leaf.left >= 0 && leaf.right <= innerWidth && leaf.bottom <= innerHeight;
        }"""
    )
