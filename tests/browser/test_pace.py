"""Moves of others come one after the other, at the pace of the person; whoever does something has seen enough."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.conftest import Server
from browser.resting import wait_for_rest
from browser.table_page import TablePage, wait_for_news

#: Note what is told and when, what is hidden meanwhile, and which pieces fly.
_WATCH = """() => {
  window.told = [];
  window.hidden = 0;
  window.flown = 0;
  const look = () => {
    const words = document.querySelector('#recap[data-ui-telling] #telling')?.textContent.trim() ?? '';
    if (words && words !== window.told.at(-1)?.words) window.told.push({ words, at: performance.now() });
    window.hidden = Math.max(window.hidden, document.querySelectorAll('#log [data-ui-untold]').length);
  };
  new MutationObserver(look).observe(document.getElementById('table'), {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  new MutationObserver((changes) => {
    window.flown += changes.flatMap(({ addedNodes }) => [...addedNodes]).length;
  }).observe(document.getElementById('motion'), { childList: true });
}"""

#: From now on each move that is told stays until it is skipped, or somebody acts.
_STAY = """() => document.documentElement.style.setProperty('--beat-slow', '600s')"""

#: One is told, and more are to come.
_STAYING = """Boolean(document.querySelector('#recap[data-ui-telling-more]'))"""

_GO_ON = """() => document.documentElement.style.removeProperty('--beat-slow')"""

#: Choose the first of the moves in the list; which version was shown then.
_CLICK = """() => {
  document.querySelector('#moves button[name=move]').click();
  return Number(document.getElementById('table').dataset.version);
}"""

_ALL_IS_THERE = """() => !document.querySelector('[data-ui-untold], [data-ui-telling]')"""


#: From now on as who looks on: moves may come at any time.
_LOOK_ON = """() => {
  delete document.getElementById('table').dataset.asked;
  window.heard = new Set();
  const look = () => window.heard.add(document.getElementById('telling').textContent);
  new MutationObserver(look).observe(document.getElementById('telling'), { childList: true });
}"""

#: A move comes as the stream brings it, with a line of its own in a round of its own; how many are not told, and how
#: many of the rounds that can be seen have no line that can be.
_COMES = """() => {
  const table = document.getElementById('table');
  const detail = { ctx: { text: '' } };
  const swap = (kind) => document.dispatchEvent(new CustomEvent(`htmx:${kind}:swap`, { detail }));
  swap('before');
  const ply = Number(table.dataset.ply);
  table.dataset.ply = ply + 1;
  for (const way of table.querySelectorAll('[data-flight]')) way.remove();
  const line = `<li class="round">Round</li><li id="ply-${ply}">Move ${ply}</li>`;
  document.querySelector('#log ol').insertAdjacentHTML('afterbegin', line);
  table.insertAdjacentHTML('beforeend', `<i hidden data-flight="${ply}"></i>`);
  swap('after');
  const [untold, empty] = ['[id^="ply-"][data-ui-untold]', '.round:not([data-ui-untold]):has(+ [data-ui-untold])'];
  return [untold, empty].map((each) => document.querySelectorAll(`#log li${each}`).length);
}"""


@pytest.fixture
def moving(browser: Browser) -> Iterator[Page]:
    """The tab of a person who has nothing against motion."""
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"an error on the page: {error}"))
    yield page
    context.close()


def _prefer(page: Page, address: str, setting: str, value: str) -> None:
    # whoever has not been here has chosen nothing
    page.goto(address)
    page.goto(f"{address}/me")
    chosen = page.locator(f"input[name='{setting}'][value='{value}']")
    if not chosen.is_checked():
        with page.expect_response("**/me/settings"):
            chosen.check(force=True)


def _at_rest(page: Page) -> None:
    """Until nothing more comes, and all is told."""
    wait_for_rest(page)
    page.wait_for_function(_ALL_IS_THERE)


def _act(page: Page, until: str = "window.told.length") -> list[dict[str, Any]]:
    """Play the first of the moves in the list, and all that are one's own, until bots have moved."""
    _at_rest(page)
    page.evaluate(_WATCH)
    if until == _STAYING:
        page.evaluate(_STAY)
    for _ in range(20):
        version = page.evaluate(_CLICK)
        wait_for_news(page, version)
        # all that bots do has come: the next click would skip it
        wait_for_rest(page)
        if page.evaluate(until):
            break
    told: list[dict[str, Any]] = page.evaluate("window.told")
    return told


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_moves_of_bots_come_one_after_the_other(server: Server, moving: Page, game: str) -> None:
    page = moving
    TablePage(page, 1).open_new(server.address, 4, game)
    # The page is as it is to be: what is asked can be answered. And what is still to come is not seen.
    for _ in range(6):
        _act(page)
        page.wait_for_function(_ALL_IS_THERE)
        told = page.evaluate("window.told")
        # some moves of others come alone, and where bots are slow one after the other
        if len(told) >= 3 and page.evaluate("window.hidden"):
            break
    assert len(told) >= 3, told
    assert len({each["words"] for each in told}) == len(told)
    assert page.evaluate("window.hidden") > 0
    assert page.evaluate("window.flown") > 0
    gaps = [after["at"] - before["at"] for before, after in pairwise(told)]
    # where bots are slow more than four may wait, and are told faster; not so the last, behind which fewer do
    assert sum(gap >= 80 for gap in gaps) >= len(gaps) - 1, gaps
    assert sum(gap >= 400 for gap in gaps[-4:]) >= len(gaps[-4:]) - 1, gaps
    # then it stands in words, and in full where one asks for it
    recap = page.locator("#recap .recap-told")
    expect(recap).to_be_visible()
    expect(recap).to_contain_text(told[-1]["words"])
    low = recap.evaluate("each => each.getBoundingClientRect().height")
    page.focus("#recap-told")
    assert recap.evaluate("each => each.getBoundingClientRect().height") > low


def test_a_key_skips(server: Server, moving: Page) -> None:
    page = moving
    _prefer(page, server.address, "pace", "slow")
    TablePage(page, 1).open_new(server.address, 4, "tiny-towns")
    _at_rest(page)
    for skip in (lambda: page.keyboard.press("x"), lambda: page.click(".recap-skip"), lambda: page.click(".plate")):
        _act(page, _STAYING)
        expect(page.locator("#recap[data-ui-telling-more]")).to_have_count(1)
        assert page.locator("#log [data-ui-untold]").count() > 0
        # what is no act of its own skips nothing
        page.keyboard.press("Shift")
        expect(page.locator("#recap[data-ui-telling]")).to_have_count(1)
        skip()
        page.evaluate(_GO_ON)
        assert page.evaluate(_ALL_IS_THERE)
        assert page.locator("#motion > *").count() == 0
        _at_rest(page)


def test_who_acts_is_not_kept_waiting(server: Server, moving: Page) -> None:
    """What is asked can be answered while moves of others are still told."""
    page = moving
    _prefer(page, server.address, "pace", "slow")
    table = TablePage(page, 1)
    table.open_new(server.address, 4, "tiny-towns")
    for _ in range(3):
        _act(page)
        page.wait_for_function("() => document.querySelector('#moves button[name=move]')")
        if page.locator("#recap[data-ui-telling-more]").count() and table.live():
            break
    version = table.version
    page.click(f"[id='{table.live()[0]}']")
    table.confirm()
    if table.version == version and (live := table.live()):
        page.click(f"[id='{live[0]}']")
    wait_for_news(page, version)


@pytest.mark.parametrize(("gap", "behind"), [(1000, 0), (333, 8), (100, 12), (20, 12)])
def test_who_looks_on_is_told_as_fast_as_bots_play(server: Server, moving: Page, gap: int, behind: int) -> None:
    """What is told is never many moves behind; and only where nobody could follow are some of them not told."""
    page = moving
    _prefer(page, server.address, "pace", "slow")
    page.clock.install()
    TablePage(page, 1).open_new(server.address, 2, "tiny-towns")
    _at_rest(page)
    page.evaluate(_LOOK_ON)
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    for _ in range(60):
        untold, empty = page.evaluate(_COMES)
        assert untold <= behind
        assert not empty
        page.clock.run_for(gap)
    page.clock.run_for(10_000)
    assert page.evaluate(_ALL_IS_THERE)
    assert page.evaluate("[...window.heard].filter((words) => /^Move/.test(words)).length") == 60 or gap < 333


def test_all_at_once(server: Server, moving: Page) -> None:
    page = moving
    _prefer(page, server.address, "pace", "once")
    TablePage(page, 1).open_new(server.address, 4, "tiny-towns")
    assert _act_once(page) == []
    assert page.evaluate("window.hidden") == 0
    expect(page.locator("#recap .recap-told")).to_be_visible()


def test_under_reduced_motion_it_is_told_in_words(server: Server, page: Page) -> None:
    TablePage(page, 1).open_new(server.address, 4, "villagers")
    assert _act_once(page) == []
    assert page.evaluate("window.flown") == 0
    expect(page.locator("#recap .recap-told")).to_contain_text("Alder")


def _act_once(page: Page) -> list[dict[str, Any]]:
    """One move of one's own, and what bots do then; what was told of it."""
    _at_rest(page)
    page.evaluate(_WATCH)
    for _ in range(5):
        version = page.evaluate(_CLICK)
        wait_for_news(page, version)
        _at_rest(page)
        if page.locator("#recap .recap-told").count():
            break
    told: list[dict[str, Any]] = page.evaluate("window.told")
    return told
