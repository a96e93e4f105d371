"""The end of a match on a phone: whoever was there at the last move sees the score, and sees it counted."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.table_page import open_match, wait_until_begun
from browser.test_long_names import BROKEN

MATCHES = Path(__file__).parent.parent / "matches/villagers"

#: Where the score is to begin: below the bar, which stays, in the upper half of the window.
_IS_IN_SIGHT = """() => {
  const { top } = document.querySelector('.end').getBoundingClientRect();
  return top >= document.querySelector('.bar').getBoundingClientRect().bottom - 1 && top < innerHeight / 2;
}"""
#: Play one move of the list of all after the other, as far down as the page goes, until the match is over.
_TO_THE_END = """async () => {
  const table = () => document.getElementById('table');
  while (!table().matches('.over')) {
    const button = document.querySelector('#moves button[name=move]');
    const { version } = table().dataset;
    if (button) {
      scrollTo(0, document.documentElement.scrollHeight);
      button.click();
    }
    while (table().dataset.version === version) await new Promise(requestAnimationFrame);
  }
  return document.querySelector('.end').getAnimations({ subtree: true })
    .every(({ currentTime }) => Number(currentTime) < 600);
}"""

#: Whether the sheet has no columns beyond its edge.
_IS_WHOLE = """() => {
  const { scrollWidth, clientWidth } = document.querySelector('.sheet-scroll');
  return scrollWidth <= clientWidth;
}"""


def _play_on(page: Page, server: Server, match: str) -> None:
    """Sit down at a match before its last move, in the place of whoever makes that."""
    open_match(server, page, MATCHES / match)
    line = page.locator("#log li:has(.ply[id])").first
    last, who = re.findall(r"(\d+)\s*(Seat \d)", line.text_content() or "")[0]
    page.goto(f"{page.url}/at/{int(last) - 1}")
    page.click("#play-on summary")
    page.select_option("#play-on select[name='seat']", label=who)
    page.locator("#play-on button").first.click()
    wait_until_begun(page)


def _end_as(page: Page, server: Server, name: str, match: str) -> None:
    """The end of a match, at which a seat has that name."""
    page.goto(server.address)
    page.request.post(f"{server.address}/me", form={"name": name})
    _play_on(page, server, match)
    expect(page.locator("#table")).to_contain_text(name)
    page.evaluate(_TO_THE_END)


def test_the_score_comes_into_sight(server: Server, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    _play_on(page, server, "two-seats.json")
    page.wait_for_selector("#moves button[name=move]", state="attached")
    # who writes something goes on with it
    page.click("#chat-open")
    page.keyboard.type("Well pl")
    # nothing has been counted before it is seen
    assert page.evaluate(_TO_THE_END)
    assert page.evaluate(_IS_IN_SIGHT)
    # who listens is told at once
    expect(page.locator("#said > :last-child")).to_contain_text(re.compile(r"\. Guest wins with \d+ gold\.$"))
    page.keyboard.type("ayed")
    expect(page.locator("#chat input[name='line']")).to_have_value("Well played")
    page.click("#chat-close")
    # whoever comes to it later begins at the top of the page, and whoever looks back is left there
    page.goto(f"{page.url.split('#')[0]}/at/3")
    page.evaluate("scrollTo(0, 400)")
    page.keyboard.press(">")
    expect(page.locator("#replay-on")).to_have_attribute("aria-disabled", "true")
    assert page.evaluate("scrollY") > 0
    page.keyboard.press("t")
    page.wait_for_selector("#table.over")
    assert page.evaluate("scrollY") == 0
    # what can be looked through stands below all of it, and is one click away
    page.click(".end-buttons a[href='#review']")
    expect(page.locator("#review h2")).to_be_in_viewport()
    context.close()


#: Whether what can be done next can be seen, and be reached.
_STANDS = "() => document.querySelector('.end-buttons').checkVisibility({ visibilityProperty: true })"
#: The heights at which these things stand.
_TOPS = "(all) => [...new Set(all.map((each) => each.offsetTop))]"


def test_nothing_to_press_tells_who_has_won_before_it_is_counted(server: Server, browser: Browser, page: Page) -> None:
    """Whatever is pressed ends the count; who comes later, or wants no motion, has all at once."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    moving = context.new_page()
    for each in (moving, page):
        _play_on(each, server, "two-seats.json")
        each.wait_for_selector("#moves button[name=move]", state="attached")
        # in the same moment: on a slow machine all might have been counted
        assert each.evaluate(f"async () => {{ await ({_TO_THE_END})(); return ({_STANDS})(); }}") == (each is page)
    moving.keyboard.press("Tab")
    assert moving.evaluate(_STANDS)
    moving.reload()
    assert moving.evaluate(_STANDS)
    context.close()
    # what is wanted seldom stands below the buttons, in one line
    for width, rows in ((1280, 1), (360, 2)):
        page.set_viewport_size({"width": width, "height": 740})
        buttons = page.locator(".end-buttons .button").evaluate_all(_TOPS)
        assert len(buttons) <= rows, width
        (links,) = page.locator(".end-links a").evaluate_all(_TOPS)
        assert links > max(buttons), width


def test_the_names_of_the_score_are_in_one_piece(server: Server, page: Page) -> None:
    """Also of four on a phone, where one of them is marked as oneself; and all columns are in sight."""
    _end_as(page, server, "Convidada", "four-seats.json")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        for language in ("en", "pt"):
            page.set_extra_http_headers({"Accept-Language": language})
            page.reload()
            assert page.evaluate(BROKEN, ".score-sheet thead") == []
            assert page.evaluate(_IS_WHOLE)


#: What of the words of the courses lies beyond the drawing that they stand in.
_BEYOND = """() => [...document.querySelectorAll('.course text')].filter((text) => {
  const { right } = text.closest('.course').getBoundingClientRect();
  return text.checkVisibility() && text.getBoundingClientRect().right > right;
}).map((text) => text.textContent)"""


def test_a_long_name_among_five_fits_a_phone(server: Server, page: Page) -> None:
    _end_as(page, server, "Wilhelmina-Charlotte", "../valeria/five-seats.json")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(_IS_WHOLE), width
        assert page.evaluate(_BEYOND) == [], width
        assert page.locator(".course .seat-name").evaluate_all("(all) => all.length") == 5
    # cut, it can still be had
    assert page.locator(".course .seat-name title").all_text_contents() == ["Wilhelmina-Charlotte"]
    assert page.locator(".sheet-name[title='Wilhelmina-Charlotte']").count() == 1


def test_the_picture_of_the_end_is_that_of_the_time_of_day(server: Server, page: Page) -> None:
    """On a narrow page none is asked for."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "picture.png" in request.url else None)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="dark")
    open_match(server, page, MATCHES / "two-seats.json")
    evening = page.locator(".end-picture .by-evening")
    expect(evening).to_be_visible()
    page.wait_for_function("() => document.querySelector('.end-picture .by-evening').naturalWidth === 1200")
    expect(page.locator(".end-picture .by-day")).to_be_hidden()
    assert all("look=evening" in url for url in asked)
    page.emulate_media(color_scheme="light")
    expect(evening).to_be_hidden()
    page.wait_for_function("() => document.querySelector('.end-picture .by-day').naturalWidth === 1200")
