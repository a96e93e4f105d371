"""Who does not see the page: what happens is said once, in one place, and the focus is never lost while one plays."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.conftest import people_at
from browser.resting import TWO_FRAMES, wait_for_rest
from browser.table_page import TablePage, sit, wait_for_news, wait_until_begun

#: Notes all that is added to places that are said, and every change of the table after which nothing is in focus.
_LISTEN = """() => {
  window.said = [];
  window.lost = [];
  new MutationObserver((records) => {
    for (const { addedNodes, target } of records) {
      const place = target instanceof Element && target.closest("[aria-live], [role=status], [role=log]");
      for (const node of place ? addedNodes : []) {
        if (node.textContent.trim()) said.push([place.id, node.textContent.trim()]);
      }
    }
  }).observe(document.body, { childList: true, subtree: true });
  document.addEventListener('htmx:after:swap', () => requestAnimationFrame(() => requestAnimationFrame(() => {
    if (document.activeElement === document.body) lost.push(document.getElementById('prompt')?.textContent ?? '');
  })));
}"""
#: The moves of the log with what followed, oldest first, as they are said.
_LOG = """() => [...document.querySelectorAll("#log li[id^='ply-']")].reverse().map((line) => {
  const copy = line.cloneNode(true);
  copy.querySelector('a.ply')?.remove();
  return copy.textContent.replace(/\\s+/g, ' ').trim();
})"""
_ASKED = """() => [...document.querySelectorAll('#asked > *')].filter((each) => each.checkVisibility())
  .map((each) => each.textContent.replace(/\\s+/g, ' ').trim()).join(' ').trim()"""
#: What was said until then, the log and what is asked, at a moment when the latest of these has been said.
_SAID = f"""() => {{
  const [log, asked] = [({_LOG})(), ({_ASKED})()];
  const isTold = said.some(([, words]) => words.includes(log.at(-1)));
  return isTold && said.some(([, words]) => words.endsWith(asked)) && [[...said], log, asked];
}}"""


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_moves_are_said_once_and_the_focus_stays(server: Server, page: Page, game: str) -> None:
    table = TablePage(page, seed=5)
    table.open_new(server.address, seats=3, game=game)
    # what stands there by now is said by the time of the next frames
    wait_for_rest(page)
    page.evaluate(TWO_FRAMES)
    before = page.evaluate(f"() => {{ ({_LISTEN})(); return ({_LOG})(); }}")
    # the page shows the last moves only: not so many that some are gone
    for _ in range(7):
        if table.over:
            break
        table.choose_by_keys()
    # what others do after it may come any time: it is said a moment after it stands there
    said, log, asked = page.wait_for_function(_SAID).json_value()
    assert {place for place, _ in said} == {"said"}
    told = " ".join(words for _, words in said)
    happened = log[len(before) :]
    assert len(happened) > 4
    # in their order, each once, whoever did it
    at, besides = 0, ""
    for line in happened:
        found = told.find(line, at)
        assert found >= 0, f"not said: {line}"
        besides += told[at:found]
        at = found + len(line)
    besides += told[at:]
    assert not [line for line in happened if line in besides]
    # and what is asked, and nothing twice on end
    assert any(words.endswith(asked) for _, words in said)
    assert all(one != other for (_, one), (_, other) in pairwise(said))
    assert page.evaluate("lost") == []
    # by a mouse, too
    for _ in range(4):
        if not table.over:
            table.click_something()
    assert page.evaluate("lost") == []
    assert not re.search(r"<p[^>]*aria-live", page.content())


def _open(server: Server, page: Page, game: str, *others: str) -> str:
    """A new table for Ada and others; its address."""
    page.goto(f"{server.address}/games/{game}")
    page.wait_for_selector("#setup", timeout=120_000)
    page.click(f"label:has(input[name='seats'][value='{1 + len(others)}'])")
    for seat, who in enumerate(others, 1):
        page.select_option(f"select[name='seat.{seat}']", who)
    page.fill("input[name='name']", "Ada")
    page.click("form.setup button.main")
    page.wait_for_selector("#table.gathering")
    return page.input_value("#table-link")


def _is_said_once(page: Page, words: str) -> None:
    said = page.locator("#said")
    expect(said).to_contain_text(words)
    assert said.inner_text().count(words) == 1


def test_who_asks_for_a_seat_is_said_to_the_opener(server: Server, browser: Browser) -> None:
    with people_at(browser, 1280, 1280, 1280) as (ada, eve, bob):
        link = _open(server, ada, "tiny-towns", "link", "casual")
        sit(eve, link, "Eve", 1)
        for page in (ada, eve):
            page.wait_for_selector("#table[data-stage='playing']")
        bob.goto(link)
        bob.evaluate("document.getElementById('company').open = true")
        bob.get_by_role("button", name="Ask to play this seat").click()
        _is_said_once(ada, "and would see what that seat sees.")
        # that it waits is not said again with what happens meanwhile
        bob.reload()
        _is_said_once(ada, "and would see what that seat sees.")


def test_asking_to_go_back_is_said_and_in_sight(server: Server, browser: Browser) -> None:
    """Wherever who is asked has scrolled to, on a phone, too."""
    with people_at(browser, 1280, 360) as (ada, eve):
        eve.set_viewport_size({"width": 360, "height": 740})
        sit(eve, _open(server, ada, "valeria", "link"), "Eve", 1)
        for page in (ada, eve):
            wait_until_begun(page)
        players = [TablePage(page, 1) for page in (ada, eve)]

        def play() -> None:
            player = next(each for each in players if each.live())
            player.page.evaluate("document.getElementById('moves').open = true")
            version = player.version
            player.page.locator("#moves button[name='move']").first.click()
            player.confirm()
            for page in (ada, eve):
                wait_for_news(page, version)

        ada.on("dialog", lambda dialog: dialog.accept())
        while not ada.locator("#go-back-button").count():
            play()
        eve.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        ada.click("#go-back-button")
        _is_said_once(ada, "You have asked to go back.")
        _is_said_once(eve, "Ada asks to go back to their last choice.")
        asked = eve.locator("#asked-back")
        expect(asked).to_be_in_viewport(ratio=1)
        box, bar, ask = (eve.locator(each).bounding_box() for each in ("#asked-back", ".bar", "#ask"))
        assert box
        assert bar
        assert ask
        assert bar["y"] + bar["height"] <= box["y"]
        assert box["y"] + box["height"] <= ask["y"]
        asked.get_by_role("button", name="No").click()
        _is_said_once(ada, "Eve would rather not go back.")
        # what was asked goes with the next move, and it can be asked again
        play()
        while not ada.locator("#go-back-button").count():
            play()
        ada.click("#go-back-button")
        asked.get_by_role("button", name="Go back").click()
        for page in (ada, eve):
            _is_said_once(page, "Ada went back to here; what comes now was drawn anew.")
