"""The page of a contest on a phone and on paper, in a real browser."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from arena.lots import GAME as LOTS
from playwright.sync_api import Browser, Page

from thorp.arena.contest import courses_of
from thorp.arena.contest_report import write_contest
from thorp.arena.lineups import Lineup
from thorp.arena.results import Deal, Results
from thorp.arena.strength import strength_of
from thorp.arena.tables import Outcome

#: The last of them never goes on.
NAMES = ("random", "skilled@0.001", "My own one that thinks for very long too", "a" * 40, "greedy", "learned", "bad")
ABOUT = {"game": "lots", "rules": 1, "thorp": "1", "seats": 2, "options": {}, "seed": 1}


def contest(folder: Path) -> Path:
    """A contest of players with long names: who is named first wins nearly all, and its page."""
    results = Results(folder)
    results.agree(ABOUT, {name: name for name in NAMES})
    for one, other in combinations(NAMES, 2):
        lost = "it took longer than 10 s" if other == "bad" else ""
        games = [
            Outcome(
                [1234, 5], standings, 9, 0, None, (standings.index(2), lost) if lost else None, [9, 9], [1, 1], [1, 1]
            )
            for standings in ([1, 2], [2, 1])
        ]
        results.add(Deal(Lineup((one, other)), seed, tuple(games)) for seed in range(1, 41))
    courses = courses_of(results)
    found = strength_of(courses, NAMES)
    return write_contest(folder, {**ABOUT, "anchor": found.anchor}, LOTS, courses, found)


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """As wide as a narrow phone."""
    shown = browser.new_page(viewport={"width": 360, "height": 800})
    shown.goto(contest(tmp_path).as_uri())
    yield shown
    shown.close()


#: The texts of a row of the ladder, as rectangles: those that overlap, and those beyond the row.
_COLLIDE = """() => [...document.querySelectorAll(".ladder tbody tr")].flatMap((row) => {
  const texts = [...row.querySelectorAll("th, .figure")].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect();
  });
  const apart = (a, b) => a.right + 4 <= b.left || b.right + 4 <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const within = row.getBoundingClientRect();
  return texts.filter((a, nth) =>
    a.right > within.right + 1 || a.left < within.left - 1 || texts.slice(nth + 1).some((b) => !apart(a, b)));
}).length"""
#: How far beyond its own edge what is in a cell of the matrix reaches, at most; and the matrix beyond the page.
_CUT = """() => {
  const cells = [...document.querySelectorAll(".matrix th, .matrix tbody td")];
  const wide = document.querySelector(".wide-table");
  return Math.max(wide.scrollWidth - wide.clientWidth, ...cells.map((cell) => cell.scrollWidth - cell.clientWidth));
}"""
_NAMES_AT = """() => [...document.querySelectorAll(".matrix tr > :first-child")].map((cell) =>
  Math.round(cell.getBoundingClientRect().left - document.querySelector(".wide-table").getBoundingClientRect().left))"""


def test_a_page_of_long_names_is_read_on_a_phone_and_on_paper(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.locator(".ladder tbody tr").count() == len(NAMES)
    assert page.evaluate(_COLLIDE) == 0
    # names stay where the matrix is scrolled sideways
    assert page.evaluate(_CUT) > 200
    page.evaluate("document.querySelector('.wide-table').scrollLeft = 200")
    assert page.evaluate("document.querySelector('.wide-table').scrollLeft") == 200
    assert set(page.evaluate(_NAMES_AT)) == {0}
    # paper is not scrolled; A4 is some 700 pixels wide within its margins
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 1000})
    assert page.evaluate(_CUT) <= 0
    assert page.evaluate("document.documentElement.scrollWidth") == 700
