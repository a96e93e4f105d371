"""Hints for fingers: what can be touched is large enough, closing one moves nothing; and cards show what they say."""

import itertools
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.conftest import Server, to_be_answered, unpainted
from browser.table_page import TablePage
from browser.test_hints import _hint_at_once

#: As large as a thing to be touched has to be, in pixels.
LEAST = 24

#: The boxes of these elements.
_BOXES = """(selector) => [...document.querySelectorAll(selector)].map((each) => {
  const {left, right, top, bottom} = each.getBoundingClientRect();
  return {left, right, top, bottom};
})"""
#: Where the longest line of the words of a hint ends.
_LONGEST = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('.told-words'));
  return Math.max(...[...range.getClientRects()].map(({right}) => right));
}"""
#: The texts on cards of which not all is seen.
_CUT = """() => [...document.querySelectorAll('.vi-place .vi-does')]
  .filter((each) => each.checkVisibility() && each.scrollHeight > each.clientHeight + 1)
  .map((each) => each.textContent)"""


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A phone in somebody's hand."""
    context = unpainted(
        browser.new_context(
            viewport={"width": 360, "height": 740}, reduced_motion="reduce", has_touch=True, is_mobile=True
        )
    )
    yield context
    context.close()


def test_a_hint_is_large_enough_for_fingers_and_closing_it_moves_nothing(server: Server, phone: BrowserContext) -> None:
    page = to_be_answered(phone.new_page())
    table = TablePage(page, 3)
    table.open_new(server.address, 1, "villagers")
    for _ in range(3):
        table.click_something()
    steps = (page.locator("#moves-form button[data-steps]").first.get_attribute("data-steps") or "").split()
    _hint_at_once(page, steps, lines=3)
    # (as a server has it)
    page.evaluate(
        "document.getElementById('told').insertAdjacentHTML('beforeend', '<button class=told-close>×</button>')"
    )
    page.evaluate("document.querySelector('.told-words').textContent = 'Each was tried in some games. '.repeat(6)")
    moves, buttons = page.evaluate(_BOXES, ".told-move"), page.evaluate(_BOXES, ".told-moves .button")
    for boxes in (moves, buttons):
        assert all(each["bottom"] - each["top"] >= LEAST for each in boxes)
        assert all(below["top"] - above["bottom"] >= 4 for above, below in itertools.pairwise(boxes))
    (close,) = page.evaluate(_BOXES, ".told-close")
    assert page.evaluate(_LONGEST) <= close["left"]
    page.evaluate("scrollTo(0, 150)")
    before = page.evaluate("scrollY")
    page.tap(".told-close")
    expect(page.locator("#told")).to_be_empty()
    assert page.evaluate("scrollY") == before
    expect(page.locator("#hint-button")).to_be_focused()


def test_the_whole_card_that_is_pointed_at_is_seen(server: Server, phone: BrowserContext) -> None:
    """In rows that are scrolled sideways too."""
    page = to_be_answered(phone.new_page())
    table = TablePage(page, 3)
    table.open_new(server.address, 1, "valeria")
    page.wait_for_selector("[id^='hand-']")
    for card in page.locator("#valeria-hand [id^='hand-']").all():
        step = card.get_attribute("data-step") or ""
        _hint_at_once(page, [step])
        page.tap(".told-move")
        # a tap becomes a click in its own time
        expect(page.locator(".told-move")).to_have_attribute("aria-pressed", "true")
        box = card.evaluate("(each) => { const {left, right} = each.getBoundingClientRect(); return [left, right]; }")
        assert box[0] >= 0, (step, box)
        assert box[1] <= 360, (step, box)
        page.unroute("**/hint")
        page.tap(".told-move")
        page.evaluate("sessionStorage.clear()")
        page.reload()


@pytest.mark.parametrize("language", ["en", "es", "ja"])
def test_cards_of_villagers_show_all_that_they_say(server: Server, page: Page, language: str) -> None:
    table = TablePage(page, 3)
    table.open_new(server.address, 2, "villagers")
    page.request.post(f"{server.address}/me/language", form={"language": language}, headers={"Origin": server.address})
    page.reload()
    for _ in range(8):
        assert page.evaluate(_CUT) == []
        table.click_something()
