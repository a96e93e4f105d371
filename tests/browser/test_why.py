"""A click on something dead says why, in a line beside it: in every game, by keys, by touch, in the text of a card."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.conftest import cut_off
from browser.resting import wait_for_rest
from browser.table_page import TablePage, wait_for_news

OCCUPIED = re.compile(r"^B2 is occupied by (wood|wheat|brick|glass|stone)\.$")

#: Elements that can be seen, cannot be chosen now, and open nothing.
_DEAD = """() => [...document.querySelectorAll('#table [data-step]:not([data-ui-live], [data-about])')]
  .filter((each) => each.checkVisibility() && each.id && !each.closest('[popover]')).map((each) => each.id)"""


def _dead(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_DEAD)
    return found


def _line(page: Page, words: str | re.Pattern[str]) -> None:
    """The line is there, within the window, and was said to those who do not see it."""
    line = page.locator("#why")
    expect(line).to_be_visible()
    expect(line).to_have_text(words)
    expect(page.locator("#why-said")).to_have_text(words)
    box = line.bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]


def _no_line(page: Page) -> None:
    """It goes at once: by itself it would stay for longer than is waited here."""
    expect(page.locator("#why")).to_be_hidden(timeout=4_000)


def _begun_towns(server: Server, page: Page) -> TablePage:
    """Tiny Towns alone: a cube lies on B2, and the next one is in hand."""
    table = TablePage(page, seed=5)
    table.open_new(server.address, seats=1, monuments="no")
    _take_a_card(table)
    _choose(table, "square-5")
    _take_a_card(table)
    return table


def _open_cards(table: TablePage) -> list[str]:
    return [id for id in table.live() if id.startswith("open-")]


def _take_a_card(table: TablePage) -> None:
    """Any of those that lie open: where they are alike, one has been taken already."""
    for card in _open_cards(table)[:1]:
        _choose(table, card)


def _choose(table: TablePage, id: str) -> None:
    version = table.version
    table.page.click(f"[id='{id}']")
    wait_for_news(table.page, version)
    table.wait_for_my_turn()


def test_an_occupied_square(server: Server, page: Page) -> None:
    table = _begun_towns(server, page)
    # who does not see it is told, too, what can be chosen
    expect(page.locator("#square-5[aria-disabled='true']")).to_have_count(1)
    expect(page.locator("#table [data-ui-live][aria-disabled]")).to_have_count(0)
    page.click("#square-5", force=True)
    _line(page, OCCUPIED)
    expect(page.locator("#square-5[data-ui-asked]")).to_have_count(1)
    # Escape takes the line away, and nothing else
    page.keyboard.press("Escape")
    _no_line(page)
    expect(page.locator("[data-ui-asked]")).to_have_count(0)
    # the next click, too
    page.click("#square-5", force=True)
    expect(page.locator("#why")).to_be_visible()
    page.mouse.click(5, 500)
    _no_line(page)
    # what is live is played, and says nothing; what was dead is something else then
    _choose(table, "square-6")
    while not _open_cards(table):
        _choose(table, table.live()[-1])
    _no_line(page)
    page.click("#square-7", force=True)
    _line(page, "Not now. Choose one of the open cards.")
    page.evaluate("document.querySelector('[id^=open-][data-ui-live]').click()")
    # the line that stands there is looked at again: the square can be chosen now
    _no_line(page)


def test_by_keys_the_focus_stays(server: Server, page: Page) -> None:
    _begun_towns(server, page)
    page.locator("#square-5").focus()
    for key in ("Enter", " "):
        page.keyboard.press(key)
        _line(page, OCCUPIED)
        assert page.evaluate("document.activeElement.id") == "square-5"
        page.keyboard.press("Escape")
        _no_line(page)
    # a card says it within its text
    page.locator("#card-0").focus()
    page.keyboard.press("Enter")
    leaf = page.locator("[popover].leaf:popover-open")
    expect(leaf.locator(".leaf-why")).to_have_text(re.compile("^Place the .* first; then you may build.$"))
    _no_line(page)
    page.keyboard.press("Escape")
    expect(leaf).to_have_count(0)


def test_what_cannot_be_taken_back(server: Server, page: Page) -> None:
    TablePage(page, seed=5).open_new(server.address, seats=1, monuments="no")
    expect(page.locator("#take-back-button")).to_be_disabled()
    page.keyboard.press("u")
    _line(page, "There is no move of yours that could be taken back.")
    # nothing is seen of the button: there is nothing that looks as if it could be pressed
    box = page.locator("#take-back").bounding_box()
    assert box is not None
    assert max(box["width"], box["height"]) <= 1


def test_its_key_goes_back_where_that_is_what_can_be_done(server: Server, page: Page) -> None:
    """The list of keys promises U, whichever button stands there; what it costs is said before the first time."""
    table = TablePage(page, seed=5)
    table.open_new(server.address, seats=2, game="villagers")
    while not page.locator("#go-back-button").count():
        table.click_something()
        wait_for_rest(page)
    version = table.version
    page.once("dialog", lambda dialog: dialog.dismiss())
    expect(page.locator("#go-back-button")).to_have_attribute("title", re.compile("not counted in your results"))
    with page.expect_event("dialog") as asked:
        page.keyboard.press("u")
    assert "not counted in your results" in asked.value.message
    assert table.version == version
    _no_line(page)
    expect(page.locator("#log")).not_to_contain_text("went back to here")
    # nothing is seen of the button that takes back, and the Tab key passes it by
    box = page.locator("#take-back").bounding_box()
    assert box is not None
    assert max(box["width"], box["height"]) <= 1
    expect(page.locator("#take-back-button")).to_be_disabled()
    page.once("dialog", lambda dialog: dialog.accept())
    page.keyboard.press("u")
    expect(page.locator("#log")).to_contain_text("went back to here")
    # there is no more to lose
    while not page.locator("#go-back-button").count():
        table.click_something()
    assert page.get_attribute("#go-back", "hx-confirm") is None


def test_half_a_move(server: Server, page: Page) -> None:
    """A choice half made: the click steps back, as it did, and says what was wrong with it."""
    table = TablePage(page, seed=7)
    table.open_new(server.address, seats=2, game="villagers")
    while not page.locator(".vi-hand [data-step][data-ui-live]").count():
        table.click_something()
    page.locator(".vi-hand [data-step][data-ui-live]").first.click()
    expect(page.locator("#table[data-ui-halfway]")).to_have_count(1)
    page.locator("#stack-6").click(force=True)
    _line(page, "A card goes onto the Reserve only when all stacks are empty.")
    expect(page.locator("#table[data-ui-halfway]")).to_have_count(0)


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_everything_dead_answers(server: Server, page: Page, game: str) -> None:
    """At some moments of a game every dead thing that opens nothing is clicked."""
    table = TablePage(page, seed=3)
    table.open_new(server.address, seats=2, game=game)
    answered = set()
    for _ in range(3):
        # what is dead by now stays so
        wait_for_rest(page)
        for id in _dead(page):
            page.evaluate("document.getElementById('why').hidePopover()")
            page.evaluate("(id) => document.getElementById(id).click()", id)
            expect(page.locator("#why")).to_be_visible()
            words = page.locator("#why").inner_text()
            assert words.endswith("."), (id, words)
            answered.add(words)
        page.evaluate("document.getElementById('why').hidePopover()")
        if table.over:
            break
        table.click_something()
    assert len(answered) > 1


def test_by_touch_on_a_phone(server: Server, browser: Browser) -> None:
    # where one page passes into the next, taps reach neither for a moment
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    TablePage(page, seed=4).open_new(server.address, seats=2, game="valeria")
    wait_for_rest(page)
    for id in ("#pile-0", "#resource-0-food", "#deck"):
        page.locator(id).scroll_into_view_if_needed()
        page.locator(id).tap(position={"x": 8, "y": 8}, force=True)
        page.locator(".leaf:popover-open, #why:popover-open").first.wait_for()
        if page.locator(".leaf:popover-open").count():
            expect(page.locator(".leaf:popover-open .leaf-why")).to_have_text(re.compile(r"\.$"))
            page.locator(".leaf:popover-open .close").tap()
        else:
            _line(page, re.compile(r"\.$"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_who_only_watches_and_what_is_past(server: Server, page: Page, browser: Browser) -> None:
    table = _begun_towns(server, page)
    watching = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    other = watching.new_page()
    other.goto(page.url)
    expect(other.locator("#table [aria-disabled]")).to_have_count(0)
    other.click("#square-3")
    _line(other, "You are watching: only those who sit at the table choose.")
    watching.close()
    page.click("text=Look back")
    page.wait_for_selector("#position")
    # with its script
    page.wait_for_load_state("domcontentloaded")
    page.click("#square-3")
    _line(page, "This is how it was then: nothing can be chosen here.")
    assert table.live() == []


def test_no_answer_is_said_to_be_none(server: Server, page: Page) -> None:
    _begun_towns(server, page)
    with cut_off(page):
        page.click("#square-5", force=True)
        expect(page.locator("#notice")).to_contain_text("That did not reach the table.")
    page.click("#square-5", force=True)
    _line(page, OCCUPIED)
