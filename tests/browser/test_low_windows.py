"""Laptops and tablets that lie have low windows: what a decision is about is in them all the same."""

from pathlib import Path

import pytest
from playwright.sync_api import Page
from serving import Server

from browser.table_page import TablePage, open_match

#: A laptop below the bars of its browser, and two tablets. The others are below the hand on the smaller one, where what
#: can be chosen besides cards moves it down by so much.
WINDOWS = ((1366, 650, 0), (1180, 720, 0), (1080, 720, 52))

#: What of these does not lie in the window, as it is before anything is scrolled.
_OUTSIDE = """([things, slack]) => things.filter((each) => {
  const { top, bottom } = document.querySelector(each).getBoundingClientRect();
  return top < document.querySelector('.bar').getBoundingClientRect().bottom - 1 || bottom > innerHeight + slack + 1;
})"""


@pytest.mark.parametrize(
    ("game", "seats", "things"),
    [
        ("villagers", 2, ["#ask", ".vi-road", ".vi-hand"]),
        ("valeria", 3, ["#ask", "#valeria-market", ".va-hand"]),
    ],
)
def test_market_and_hand_are_in_the_window(
    server: Server, page: Page, game: str, seats: int, things: list[str]
) -> None:
    table = TablePage(page, seed=5)
    table.open_new(server.address, seats=seats, game=game)
    for _ in range(12):
        for width, height, slack in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            assert page.evaluate(_OUTSIDE, [things, slack]) == [], (width, height, page.inner_text("#asked"))
        table.click_something()
    assert not table.over


def test_all_cards_of_tiny_towns_are_in_the_window(server: Server, page: Page) -> None:
    """Seven buildings in four rows; a monument has its place in the last."""
    open_match(server, page, Path(__file__).parents[2] / "scripts/looks/tiny-towns.json")
    page.goto(f"{page.url}/at/9")
    for width, height, _slack in WINDOWS[:2]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator("#cards .card").count() == 7
        assert page.evaluate("document.querySelector('.card-row').getBoundingClientRect().height") < height - 52
