"""No page breaks a rule of accessibility that a program can find: every page, and every phase of every game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.table_page import TablePage, open_for_people, open_match, sit, wait_until_begun

ROOT = Path(__file__).parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
MATCHES = ROOT / "tests" / "matches"
GAMES = ("tiny-towns", "villagers", "valeria")
#: A match that is over, of each game; solo play and many seats are among them.
ENDS = (
    "tiny_towns/solo.json",
    "tiny_towns/six-seats.json",
    "villagers/two-seats.json",
    "villagers/solo-beginner.json",
    "valeria/five-seats.json",
)
#: Sizes and schemes that are looked at.
EYES = ((1280, 800, "light"), (360, 740, "dark"))

_RUN = """async () => {
  // Pages of tests are wholly transparent, and axe reckons with that where it compares colours.
  document.documentElement.style.setProperty('opacity', '1', 'important');
  // It compares no colours of what is disabled; but such things are read here, and can be clicked.
  const disabled = [...document.querySelectorAll('[data-step][aria-disabled]')];
  for (const each of disabled) each.removeAttribute('aria-disabled');
  const passing = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(passing.map((each) => each.finished));
  // On a table a card's name stands first in its label, and numbers that its drawing bears are put into words there.
  const rules = { 'label-content-name-mismatch': { enabled: !document.getElementById('table') } };
  const { violations } = await axe.run(document, { resultTypes: ['violations'], rules });
  for (const each of disabled) each.setAttribute('aria-disabled', 'true');
  document.documentElement.style.removeProperty('opacity');
  return violations.map((each) => `${each.id}: ${each.nodes.slice(0, 4).map((node) => node.html).join('  ')}`);
}"""


def look(page: Page, eyes: Sequence[tuple[int, int, str]] = EYES) -> None:
    """Nothing is found on the page as it is, on a large screen by day and on a phone by night."""
    if not page.evaluate("typeof axe === 'object'"):
        # not as an element of the page, which its policy forbids
        page.evaluate(AXE.read_text("utf-8"))
    found = {}
    for width, height, scheme in eyes:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        if violations := page.evaluate(_RUN):
            found[f"{page.url} at {width}, {scheme}"] = violations
    assert not found
    width, height, _ = EYES[0]
    page.set_viewport_size({"width": width, "height": height})


def _prompt(page: Page) -> str:
    """What is asked, without what changes from turn to turn."""
    return "".join(sign for sign in page.inner_text("#ask h2, #ask .prompt") if not sign.isdigit())


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_game_from_its_form_through_its_phases(server: Server, page: Page, game: str) -> None:
    table = TablePage(page, seed=4)
    page.goto(server.address)
    page.wait_for_selector(f"a[href='/games/{game}']", timeout=120_000)
    page.goto(f"{server.address}/games/{game}")
    page.wait_for_selector("#setup", timeout=120_000)
    look(page)
    table.open_new(server.address, seats=2, game=game)
    seen: set[str] = set()
    for _ in range(60):
        if table.over or len(seen) == 6:
            break
        if (prompt := _prompt(page)) not in seen:
            # most of a table stays as it is from phase to phase
            look(page, (EYES[len(seen) % 2],))
            seen.add(prompt)
        table.click_something()
    assert len(seen) > 2
    page.goto(page.url.split("?")[0] + "/at/3")
    look(page)


def test_pages_besides_tables(server: Server, page: Page) -> None:
    page.goto(server.address)
    page.wait_for_selector("text=Learn by playing >> nth=2", timeout=120_000)
    look(page)
    for path in (
        "/credits",
        "/me",
        "/me/statistics",
        "/me/notices",
        "/no/such/page",
        *(f"/games/{game}/rules" for game in GAMES),
    ):
        page.goto(server.address + path)
        look(page)


@pytest.mark.parametrize("match", ENDS)
def test_the_end(server: Server, page: Page, match: str) -> None:
    open_match(server, page, MATCHES / match)
    look(page)


def test_company(server: Server, browser: Browser, two: list[Page]) -> None:
    """A table that gathers, for who has opened it and for who comes, a chat, and the help of keys."""
    ada, eve = two
    link = open_for_people(server, ada, 2)
    look(ada)
    eve.goto(link)
    look(eve)
    sit(eve, link, "Eve", 1)
    for page in two:
        wait_until_begun(page)
    ada.click("#chat-open")
    ada.fill("#chat-say input", "Hello")
    ada.keyboard.press("Enter")
    expect(ada.locator("#chat-lines li")).to_have_count(1)
    look(ada)
    eve.keyboard.press("?")
    expect(eve.locator("#keys")).to_be_visible()
    look(eve)
