"""Names as long as the form lets them be, without a space, on a phone: nothing of a page lies outside of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page
from serving import Server

from browser.table_page import TablePage, open_match

MATCHES = Path(__file__).parent.parent / "matches"
#: The widest letter as often as the form allows; two names that are told apart at their first letter.
ADA, BO = "A" + 39 * "W", "B" + 39 * "W"
#: So many decisions are measured: they are told in the line below what is asked, and in the log.
DECISIONS = 5

#: What can be seen of words and targets beyond an edge of the window; not what is scrolled or cut short on purpose.
_OUTSIDE = """() => {
  const clips = (each) => getComputedStyle(each).overflowX !== 'visible';
  const isCut = (each) => {
    for (let at = each; at && at !== document.documentElement; at = at.parentElement) if (clips(at)) return true;
    return false;
  };
  const shown = (each) => each.checkVisibility({ visibilityProperty: true })
    && !each.closest('.visually-hidden, .skip, svg');
  const isBeyond = ({ left, right, width }) => width > 0 && (left < -1 || right > innerWidth + 1);
  const found = [];
  const tell = ({ tagName, id, className, textContent }) =>
    found.push(`${tagName}#${id}.${className}: ${textContent.trim().slice(0, 30)}`);
  for (const each of document.querySelectorAll('body *')) {
    if (shown(each) && !isCut(each) && isBeyond(each.getBoundingClientRect())) tell(each);
  }
  // Words may lie outside of the box that they are in.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const each = text.parentElement;
    if (!text.data.trim() || !shown(each) || isCut(each)) continue;
    range.selectNodeContents(text);
    if ([...range.getClientRects()].some(isBeyond)) tell(each);
  }
  return found;
}"""

#: Words that are broken within, of elements that hold no name. Each of their words lies in one line.
BROKEN = """(selector) => [...document.querySelectorAll(selector)].flatMap((each) => {
  const found = [];
  const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (!text.parentElement.checkVisibility() || text.parentElement.closest('.visually-hidden')) continue;
    for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  }
  return found;
})"""
_PLATES = ":is(.plate, .vi-plate, .va-head) > :not(h2)"


def _nothing_is_outside(page: Page) -> None:
    assert page.evaluate(_OUTSIDE) == []


def _sit_down(page: Page, address: str, game: str, *, other: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address)
    page.wait_for_selector("a[href^='/games/']", timeout=120_000)
    page.click(f"a[href='/games/{game}']")
    page.fill("input[name='name']", ADA)
    page.select_option("select[name='seat.1']", "here" if other else "casual")
    if other:
        page.fill("input[name='name.1']", other)
    page.click("form.setup button.main")
    page.wait_for_selector("#table")
    # with its letters
    page.wait_for_load_state()


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_at_a_table(server: Server, page: Page, game: str) -> None:
    table = TablePage(page, seed=3)
    _sit_down(page, server.address, game, other="")
    table.wait_for_my_turn()
    for _ in range(DECISIONS):
        _nothing_is_outside(page)
        assert page.evaluate(BROKEN, _PLATES) == []
        table.click_something()


#: The curtain has fallen, something can be chosen, or it is over.
_GOES_ON = """() => document.querySelector('#lift-curtain, #table.over')
  || [...document.querySelectorAll('[data-ui-live]')].some((each) => each.checkVisibility())"""


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_at_a_shared_device(server: Server, page: Page, game: str) -> None:
    table = TablePage(page, seed=3)
    _sit_down(page, server.address, game, other=BO)
    for _ in range(DECISIONS):
        # what was chosen has been answered
        page.wait_for_function(_GOES_ON)
        _nothing_is_outside(page)
        if page.locator("#lift-curtain").count():
            page.click("#lift-curtain")
            page.wait_for_selector("#draw-curtain")
            _nothing_is_outside(page)
        if not table.live():
            break
        before = table.look()
        page.click(f"[id='{table.live()[0]}']")
        table.confirm()
        table.wait_for_change(before)


#: What of the words of covered Monks lies beyond their strips.
_BEYOND = """() => [...document.querySelectorAll('.vi-strip:has(small)')].flatMap((strip) => {
  const room = strip.getBoundingClientRect();
  return [...strip.querySelectorAll('b, small')].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left < room.left || right > room.right || top < room.top - 1 || bottom > room.bottom + 1;
  }).map((each) => each.textContent);
})"""


def test_whom_a_covered_monk_stands_for(server: Server, page: Page) -> None:
    open_match(server, page, MATCHES / "villagers/two-monks.json")
    last = page.locator("#log .ply[id]").first.inner_text()
    page.goto(f"{page.url}/at/{last}?as=2")
    for language in ("en", "es", "pt", "ja"):
        page.set_extra_http_headers({"Accept-Language": language})
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            page.reload()
            assert page.locator(".vi-strip:has(small)").first.is_visible()
            assert page.evaluate(_BEYOND) == []
            assert page.evaluate(BROKEN, ".vi-strip:has(small)") == []


def test_on_the_page_about_oneself(server: Server, page: Page) -> None:
    _sit_down(page, server.address, "tiny-towns", other="")
    page.goto(f"{server.address}/me")
    assert ADA in page.inner_text("main h1")
    _nothing_is_outside(page)


#: Sizes at which the columns of the Road are narrowest.
_NARROW = ((1180, 820), (768, 1024), (360, 740), (320, 640))


def test_names_on_the_road_are_in_one_piece(server: Server, page: Page) -> None:
    """Those of stacks and of basic villagers, where the names are longest; and nothing is wider than the page."""
    open_match(server, page, MATCHES / "villagers/four-seats.json")
    address = page.url
    for language in ("en", "es", "pt"):
        page.set_extra_http_headers({"Accept-Language": language})
        page.goto(f"{address}/at/20")
        for width, height in _NARROW:
            page.set_viewport_size({"width": width, "height": height})
            # on the narrowest phones the head of a card has no room for the longest: there it is hyphenated
            heads = ", .vi-band > b" if width > 320 else ""
            assert page.evaluate(BROKEN, f":is(.vi-stack-name, .vi-basic{heads})") == [], (language, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


_CUT = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"


def test_whose_turn_it_is_can_be_read(server: Server, page: Page) -> None:
    """Beside a name stand the hammer, and that somebody is thinking: the name is not cut for that."""
    open_match(server, page, MATCHES / "tiny_towns/six-seats.json")
    page.goto(f"{page.url}/at/7?as=1")
    assert page.locator(".other header:has(.hammer) .thinking").is_visible()
    for width in (1280, 768, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator(".other header:has(.hammer) h3").evaluate_all(_CUT) == []
