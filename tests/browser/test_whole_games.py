"""Whole games in the browser: by clicking, by keyboard alone, on a phone, and through a restart of the server."""

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.conftest import unpainted
from browser.table_page import TablePage
from thorp import Match

#: What is shown in a grid whose places have names, and has a place there that the grid does not name: the browser puts
#: it into a row and a column of its own, beside or below everything.
_LOST = """() => {
  const lost = [];
  const look = (each, areas) => {
    const style = getComputedStyle(each);
    if (style.display === 'contents') return [...each.children].forEach((child) => look(child, areas));
    if (!each.checkVisibility() || style.position === 'absolute' || style.position === 'fixed') return;
    if (!areas.includes(style.gridRowStart)) lost.push(`${each.className} in ${style.gridRowStart}`);
  };
  for (const grid of document.querySelectorAll('#table *')) {
    const {display, gridTemplateAreas} = getComputedStyle(grid);
    if (display !== 'grid' || gridTemplateAreas === 'none' || !grid.checkVisibility()) continue;
    for (const child of grid.children) look(child, ['auto', ...gridTemplateAreas.match(/[\\w-]+/g)]);
  }
  return lost;
}"""


def _check_the_end(page: Page) -> None:
    """The totals of the score sheet are those of the match, whose export is sound; who has won comes after them."""
    assert page.evaluate(_LOST) == []
    # the ways to the parts of the table lead to what is there
    ways = page.locator(".table-places a")
    assert ways.count() > 1
    assert not ways.evaluate_all("(all) => all.filter((way) => !document.querySelector(way.hash)?.checkVisibility())")
    answer = page.request.get(page.url.split("?")[0] + "/export.json")
    assert answer.ok
    match = Match.load(answer.body())
    assert match.over
    totals = [cell.replace("−", "-") for cell in page.locator(".num.total").all_inner_texts()]
    rival = match.game.face.rival(match.state)
    assert sorted(int(total) for total in totals) == sorted([*match.scores, *([rival.total] if rival else [])])
    # there is nothing more to answer
    assert not page.locator("#beforehand").is_visible()
    # both at the same moment: the page may still be on its way to its end
    below = """() => {
      const [sheet, verdict] = [".sheet-scroll", ".verdict"].map((each) => document.querySelector(each));
      return verdict.getBoundingClientRect().top - sheet.getBoundingClientRect().bottom;
    }"""
    assert page.evaluate(below) >= 0
    boards = page.locator(".end-boards a").evaluate_all("(links) => links.map((link) => link.href)")
    assert len(boards) == (match.seats if match.seats > 1 else 0)
    for address in boards:
        assert page.request.get(address).ok
    picture = page.request.get(page.locator("#share").evaluate("(link) => link.href"))
    assert picture.headers["content-type"] == "image/png"
    # its person is told what it was among its own
    expect(page.locator("#my-best")).to_contain_text("Your first result")


def _squares(page: Page) -> list[str | None]:
    """What stands on the squares of my town, in words."""
    return [square.get_attribute("aria-label") for square in page.locator(".board .square").all()]


def test_a_whole_game_by_clicking_through_a_restart(server: Server, page: Page) -> None:
    """Everything that is done is a click on something live; in the middle the server is killed and started again."""
    table = TablePage(page, seed=1)
    table.open_new(server.address, seats=2)
    clicks, killed = 0, False
    while not table.over:
        table.click_something()
        clicks += 1
        if clicks == 12:
            page.wait_for_load_state()
            version, shown = table.version, _squares(page)
            assert len(shown) == 16
            assert any("empty" not in (square or "") for square in shown)
            server.kill()
            server.start()
            page.goto(page.url, timeout=120_000)
            page.wait_for_selector("#table", timeout=120_000)
            assert table.version >= version
            assert _squares(page) == shown
            table.wait_for_my_turn()
            killed = True
    assert killed
    assert clicks > 15
    _check_the_end(page)


def test_a_whole_game_by_keyboard_alone(server: Server, page: Page) -> None:
    table = TablePage(page, seed=2)
    table.open_new(server.address, seats=2, monuments="no")
    presses = 0
    while not table.over:
        if "done" in table.live() and table.rng.random() < 0.5:
            before = table.look()
            table.press("d")
            table.wait_for_change(before)
            table.wait_for_my_turn()
        else:
            table.choose_by_keys()
        presses += 1
    assert presses > 15
    _check_the_end(page)


def test_a_solo_game_on_a_phone(server: Server, browser: Browser) -> None:
    """At 360 px, by touch; the page never scrolls sideways."""
    context = unpainted(browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True))
    page = context.new_page()
    table = TablePage(page, seed=3)
    table.open_new(server.address, seats=1)
    while not table.over:
        table.click_something()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    _check_the_end(page)
    context.close()


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2])
def test_a_whole_game_of_valeria(server: Server, page: Page, seats: int) -> None:
    """Leading, following, paying and powers, by clicking what is live; also alone. A suggested payment is accepted."""
    table = TablePage(page, seed=seats)
    table.open_new(server.address, seats=seats, game="valeria")
    accepted = 0
    while not table.over:
        if "pay-all" in table.live() and not accepted:
            assert page.locator(".va-suggested").count() > 0
            before = table.look()
            page.click("#pay-all")
            table.wait_for_change(before)
            table.wait_for_my_turn()
            accepted += 1
        else:
            table.click_something()
    assert accepted
    _check_the_end(page)


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 3])
def test_a_whole_game_of_villagers(server: Server, page: Page, seats: int) -> None:
    """Drafting, building and both markets, by clicking what is live; alone, against the Countess."""
    table = TablePage(page, seed=seats)
    table.open_new(server.address, seats=seats, game="villagers")
    while not table.over:
        table.click_something()
    _check_the_end(page)
