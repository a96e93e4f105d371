"""The table of Tiny Towns: the town is whole, what can be had is offered first, and a pattern answers."""

import pytest
from playwright.sync_api import Page, expect
from serving import Server

from browser.table_page import TablePage, wait_for_news

#: The windows of tablets, laptops and large screens.
WINDOWS = ((1024, 768), (1100, 800), (1280, 800), (1366, 768), (1920, 1080))

#: Where the board and what is asked end, from the top of the page.
_ENDS = """() => ['.board', '#ask'].map(
  (each) => document.querySelector(each).getBoundingClientRect().bottom + scrollY)"""
#: The squares of the pattern of which there is but one, and a square of it.
_ONE_PATTERN = """() => {
  const built = [...document.querySelectorAll('#moves button[name=move]')].map((each) => each.dataset.steps.split(' '))
    .filter((steps) => steps.length === 3);
  const patterns = new Set(built.map(([card, foot]) => card + foot));
  return patterns.size === 1 ? [built[0][0], built.map((steps) => steps[2])] : null;
}"""


@pytest.mark.parametrize("options", [{"monuments": "no"}, {}])
def test_the_town_is_whole(server: Server, page: Page, options: dict[str, str]) -> None:
    table = TablePage(page, seed=3)
    table.open_new(server.address, seats=3, **options)
    for _ in range(3):
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            ends = page.evaluate(_ENDS)
            assert max(ends) <= height, (width, height, ends)
        table.click_something()


def test_the_only_pattern_is_built_from_its_squares(server: Server, page: Page) -> None:
    """A click on one asks for the square, as the button does, and not for a card where there is but one."""
    table = TablePage(page, seed=3)
    table.open_new(server.address, seats=1, monuments="no")
    while not (found := page.evaluate(_ONE_PATTERN)):
        assert not table.over
        table.click_something()
    card, squares = found
    # what can be had is offered first
    expect(page.locator(f"#pick-{card}")).to_have_class("button main extra")
    expect(page.locator("#done")).to_have_class("button")
    page.click(f"#{squares[0]}")
    expect(page.locator("[data-hint='square']")).to_be_visible()
    expect(page.locator(f"#{card}[data-ui-chosen]")).to_have_count(1)
    assert sorted(each for each in table.live() if each.startswith("square-")) == sorted(squares)
    page.keyboard.press("Escape")
    expect(page.locator("#table[data-ui-halfway]")).to_have_count(0)
    version = table.version
    page.click(f"#{squares[0]}")
    page.click(f"#{squares[-1]}")
    wait_for_news(page, version)
    expect(page.locator(f"#{squares[-1]} > .drawing[data-at]")).to_have_count(1)
