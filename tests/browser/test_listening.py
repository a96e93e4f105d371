"""Who does not see the page: what happens is said once, in one place, and the focus is never lost while one plays."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page
from serving import Server

from browser.table_page import TablePage

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


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_moves_are_said_once_and_the_focus_stays(server: Server, page: Page, game: str) -> None:
    table = TablePage(page, seed=5)
    table.open_new(server.address, seats=3, game=game)
    page.evaluate(_LISTEN)
    before = page.evaluate(_LOG)
    # the page shows the last moves only: not so many that some are gone
    for _ in range(7):
        if table.over:
            break
        table.choose_by_keys()
    # what others do after it may come any time: it is said a moment after it stands there
    page.wait_for_function(f"said.some(([, words]) => words.includes(({_LOG})().at(-1)))")
    said, log = page.evaluate(f"[said, ({_LOG})()]")
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
    asked = page.evaluate(_ASKED)
    assert any(words.endswith(asked) for _, words in said)
    assert all(one != other for (_, one), (_, other) in pairwise(said))
    assert page.evaluate("lost") == []
    # by a mouse, too
    for _ in range(4):
        if not table.over:
            table.click_something()
    assert page.evaluate("lost") == []
    assert not re.search(r"<p[^>]*aria-live", page.content())
