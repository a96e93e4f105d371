"""What changes time and again in a page of a table gives few of its elements their styles anew.

A rule below a `:has` whose last part can be anything or is a mere tag, or a length that is handed down from the root,
has Chromium style all of those, of which there are some thousands: on a phone that is felt.
"""

import json

import pytest
from playwright.sync_api import Browser, Page
from serving import Server

from browser.resting import TWO_FRAMES, wait_for_rest
from browser.table_page import TablePage

#: Changes that come with each move, or more often.
_CHANGES = {
    "a sentence is said": """() => {
      const sentence = document.createElement('p');
      sentence.textContent = 'It is your turn.';
      document.getElementById('said').append(sentence);
    }""",
    "a move is on its way": "() => document.getElementById('sending').toggleAttribute('hidden')",
    "something else is asked": "() => document.getElementById('prompt').toggleAttribute('hidden')",
    "a choice is half made": "() => document.getElementById('table').toggleAttribute('data-ui-halfway')",
    "something more can be chosen": """() =>
      document.querySelector('[data-step]:not([data-ui-live])').toggleAttribute('data-ui-live')""",
    "what is asked is higher": "() => document.getElementById('ask').style.setProperty('min-block-size', '20rem')",
}
_STYLED = "() => { document.body.offsetTop; }"
#: A size that is observed is told within the next frame, and has its effect before the one after that.


def _restyled(browser: Browser, page: Page, change: str) -> int:
    """How many elements were given their styles at once, at most."""
    page.evaluate(_STYLED)
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(change)
    page.evaluate(_STYLED)
    page.evaluate(TWO_FRAMES)
    page.evaluate(_STYLED)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return max((each["args"]["elementCount"] for each in events if "elementCount" in each.get("args", ())), default=0)


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_what_changes_often_restyles_a_part_of_the_page(
    server: Server, browser: Browser, page: Page, game: str
) -> None:
    table = TablePage(page, seed=3)
    table.open_new(server.address, seats=3, game=game)
    for _ in range(8):
        table.click_something()
    # what others do would style the page anew, too
    wait_for_rest(page)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        page.evaluate(TWO_FRAMES)
        elements = page.locator("#table *").count()
        found = {name: _restyled(browser, page, change) for name, change in _CHANGES.items()}
        assert found["something more can be chosen"] > 0
        assert {name: count for name, count in found.items() if count > elements / 8} == {}, elements
