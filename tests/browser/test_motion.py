"""A move is seen by all as a move: a piece travels from where it was to where it lands, on the pages of all others."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from browser.conftest import Server
from browser.table_page import TablePage, open_match

MATCH = Path(__file__).parent.parent / "matches/tiny_towns/six-seats.json"

#: Note every piece that flies above the page, with its way; and every move that the page tells of.
_WATCH = """() => {
  window.flown = [];
  window.told = {};
  new MutationObserver((changes) => {
    for (const ghost of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      const [move] = ghost.getAnimations();
      const frames = move ? move.effect.getKeyframes() : [];
      const timing = move ? move.effect.getTiming() : {};
      window.flown.push({ kind: ghost.dataset.kind, ways: frames.map(({ transform }) => transform), ...timing });
    }
  }).observe(document.getElementById('motion'), { childList: true });
  const seen = (selector) => selector.split(', ').some((part) =>
    [...document.querySelectorAll(part)].some((each) => each.getBoundingClientRect().width > 0));
  const note = () => {
    const before = new Set(Object.keys(window.told));
    const ways = [...document.querySelectorAll('[data-flight]')];
    // What has come together may be over already: a cube that was built with lies nowhere.
    const overtaken = (one) => ways.some((other) => Number(other.dataset.flight) > Number(one.dataset.flight));
    for (const way of ways) {
      const { flight, from = '', to = '' } = way.dataset;
      // It is shown when it is first told; later what it brought may have gone on.
      if (before.has(flight)) continue;
      const known = from.startsWith('@') || !from || seen(from);
      const [there, past] = [known && seen(to), known && overtaken(way)];
      const lost = there || past ? undefined : { way: way.outerHTML, known, page: document.body.outerHTML };
      (window.told[flight] ??= []).push({ there, lost });
    }
  };
  document.addEventListener('htmx:after:swap', note);
}"""


def _watcher(browser: Browser, address: str, **context: Any) -> tuple[BrowserContext, Page]:
    """Somebody who looks on, and whose page is noted."""
    contexted = browser.new_context(viewport={"width": 1280, "height": 900}, **context)
    page = contexted.new_page()
    page.goto(address)
    page.wait_for_selector("#table")
    page.evaluate(_WATCH)
    return contexted, page


def _play(me: TablePage, moves: int, seed: int) -> None:
    """Choose so many moves at random from the list of all."""
    rng = random.Random(seed)
    for _ in range(moves):
        # Seen and clicked at once, before what others do brings other buttons.
        version = me.page.wait_for_function(
            """(n) => {
              if (document.querySelector('#table.over')) return 'over';
              const buttons = document.querySelectorAll('#moves button[name=move]');
              if (!buttons.length) return null;
              buttons[n % buttons.length].click();
              return document.getElementById('table').dataset.version;
            }""",
            arg=rng.randrange(1 << 16),
        ).json_value()
        if version == "over":
            return
        me.page.wait_for_function(
            "(old) => Number(document.getElementById('table').dataset.version) > Number(old)", arg=version
        )


def _catch_up(passer: Page, me: TablePage) -> None:
    """Until a page has been told all that another one shows."""
    passer.wait_for_function(
        "(version) => Number(document.getElementById('table').dataset.version) >= version", arg=me.version
    )


#: What must have been seen to fly at least, after some moves of each game.
_KINDS = {
    "tiny-towns": ("r-",),
    "villagers": ("v-c-", "v-"),
    "valeria": ("va-",),
}


@pytest.mark.parametrize("game", _KINDS)
def test_moves_of_others_are_seen_as_moves(server: Server, browser: Browser, game: str) -> None:
    mine = browser.new_context(viewport={"width": 1280, "height": 900})
    me = TablePage(mine.new_page(), 1)
    me.open_new(server.address, 3, game)
    me.page.evaluate(_WATCH)
    context, passer = _watcher(browser, me.page.url)
    _play(me, 12, 3)
    _catch_up(passer, me)
    for page in (me.page, passer):
        told = page.evaluate("window.told")
        ways = [way for each in told.values() for way in each]
        lost = [way["lost"] for way in ways if way.get("lost")]
        assert len(told) > 8
        assert not lost, lost[0]
        # few of them are over before anybody sees them
        assert sum(way["there"] for way in ways) > 0.8 * len(ways)
        flown = page.evaluate("window.flown")
        for kind in _KINDS[game]:
            assert any(each["kind"].startswith(kind) for each in flown), (kind, {each["kind"] for each in flown})
        for each in flown:
            # from one place to another, in a time that can be followed
            assert len(each["ways"]) == 2
            assert each["ways"][0] != each["ways"][1]
            assert 200 <= each["duration"] <= 1000
            assert each["delay"] <= 2500
        # What has flown is gone, and nothing of the page waits for it.
        page.wait_for_function("() => !document.getElementById('motion').children.length")
    assert me.page.evaluate("getComputedStyle(document.getElementById('motion')).pointerEvents") == "none"
    context.close()
    mine.close()


#: Note whether what is asked was ever not to be seen.
_WATCH_ASKED = """() => {
  window.unseen = 0;
  const look = () => {
    const asked = document.getElementById('asked');
    if (asked.hasAttribute('data-ui-untold') || getComputedStyle(asked).opacity !== '1') window.unseen += 1;
    requestAnimationFrame(look);
  };
  look();
}"""


def test_on_a_phone_what_is_asked_stays_while_others_name(server: Server, browser: Browser) -> None:
    """Nothing else on it stands for what was named: the cube goes there, and the words stay."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    me = TablePage(context.new_page(), 1)
    me.open_new(server.address, 4)
    me.page.evaluate(_WATCH)
    me.page.evaluate(_WATCH_ASKED)
    _play(me, 8, 3)
    me.page.wait_for_function("() => !document.getElementById('motion').children.length")
    assert any(each["kind"].startswith("r-") for each in me.page.evaluate("window.flown"))
    assert me.page.evaluate("window.unseen") == 0
    context.close()


def test_who_wants_no_motion_sees_none(server: Server, browser: Browser, page: Page) -> None:
    me = TablePage(page, 1)
    me.open_new(server.address, 2, "valeria")
    context, passer = _watcher(browser, page.url, reduced_motion="reduce")
    _play(me, 4, 3)
    _catch_up(passer, me)
    assert passer.evaluate("Object.keys(window.told).length") > 0
    assert passer.evaluate("window.flown") == []
    context.close()


#: What tells who has won, at a moment of the count (in ms; without one, when it is over).
_TOLD = r"""(at) => {
  const end = document.querySelector('.end');
  for (const each of end.getAnimations({ subtree: true })) {
    each.pause();
    if (at === null) each.finish();
    else each.currentTime = at;
  }
  const style = (selector) => getComputedStyle(end.querySelector(selector));
  const isTinted = (selector) => !/ 0\)$/.test(style(selector).backgroundColor);
  return {
    counted: style('tbody tr:nth-last-child(1) .num').opacity,
    heading: isTinted('th.winner'),
    total: isTinted('td.winner'),
    best: style('.my-best').opacity,
    course: style('.course').opacity,
    lines: style('.seat-line').strokeDasharray.startsWith('0') ? '0' : '1',
  };
}"""


def test_nobody_has_won_before_all_is_counted(server: Server, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    open_match(server, page, MATCH)
    # whoever was there at the last move sees it so
    page.evaluate("""() => {
      document.querySelector('.verdict').insertAdjacentHTML('beforeend', '<p class="my-best">Your best result.</p>');
      document.body.classList.remove('counted');
    }""")
    rows = page.locator(".score-sheet tbody tr").count()
    before = {"heading": False, "total": False, "best": "0", "course": "0", "lines": "0"}
    assert page.evaluate(_TOLD, 300) == {"counted": "0", **before}
    assert page.evaluate(_TOLD, 600 + (rows - 1) * 350 + 300) == {"counted": ANY, **before}
    after = {"heading": True, "total": True, "best": "1", "course": "1", "lines": "1"}
    assert page.evaluate(_TOLD, None) == {"counted": "1", **after}
    context.close()


def test_a_position_shows_the_move_that_led_to_it(server: Server, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    me = TablePage(context.new_page(), 1)
    me.open_new(server.address, 2, "villagers")
    _play(me, 3, 3)
    me.page.goto(f"{me.page.url}/at/0")
    me.page.evaluate(_WATCH)
    me.page.keyboard.press(".")
    me.page.wait_for_function("() => window.flown.length > 0")
    # A leap is none.
    me.page.evaluate("window.flown.length = 0")
    context.close()
