"""What lies below the prompt lies where it lay, whatever is asked; what is folded below the table lies alike."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page
from serving import Server

from browser.resting import wait_for_rest
from browser.table_page import TablePage

#: Where that begins which lies below what is asked, from the top of the page; and whether something is to be chosen
#: within what is asked itself.
_BELOW = "document.querySelector('#ask').nextElementSibling.getBoundingClientRect().top + scrollY"
_CHOICE = "document.querySelector('#tray [data-ui-live]')?.checkVisibility() ?? false"
#: Of what is folded below the table: where each part begins and ends, from the left and from the top.
_FOLDED = """() => ['moves', 'company', 'beforehand'].map((id) => {
  const { left, right, top, bottom } = document.getElementById(id).getBoundingClientRect();
  return [left, right, top, bottom];
})"""


@pytest.mark.parametrize(
    ("game", "seats", "options", "width", "apart"),
    # The first card of Valeria is chosen below words of its own; where the bar has no room for it, what the game is
    # about stands above until something has been chosen. A scroll bar leaves 1265 of 1280 points.
    [
        ("tiny-towns", 2, {"monuments": "no"}, 1280, 0),
        ("tiny-towns", 2, {"monuments": "no"}, 1265, 1),
        ("tiny-towns", 2, {"monuments": "no"}, 1180, 1),
        ("tiny-towns", 1, {"monuments": "no"}, 1280, 0),
        ("villagers", 2, {}, 1280, 0),
        ("villagers", 2, {}, 1265, 1),
        ("villagers", 2, {}, 1180, 1),
        ("valeria", 2, {}, 1280, 1),
        ("valeria", 2, {}, 1265, 1),
    ],
)
@pytest.mark.parametrize("height", [940, 720])
def test_nothing_moves_from_step_to_step(
    server: Server, page: Page, game: str, seats: int, options: dict[str, str], width: int, apart: int, height: int
) -> None:
    """Over the first steps, with and without a choice that stands in the prompt."""
    page.set_viewport_size({"width": width, "height": height})
    table = TablePage(page, seed=1)
    table.open_new(server.address, seats=seats, game=game, **options)
    # with its letters
    page.wait_for_load_state()
    tops: list[float] = []
    choices: set[bool] = set()
    while len(choices) < 2:
        if apart > 0:
            apart -= 1
        else:
            tops.append(page.evaluate(_BELOW))
            choices.add(page.evaluate(_CHOICE))
        table.click_something()
    assert max(tops) - min(tops) < 1, tops


#: Where the cubes of a Cottage belong, and how they are named.
_COTTAGE = {"wheat": ("square-1", "pick-1"), "brick": ("square-4", "pick-2"), "glass": ("square-5", "pick-3")}


@pytest.mark.parametrize("width", [1280, 1265, 1180])
def test_the_town_stays_where_it_is_when_a_building_is_placed(server: Server, page: Page, width: int) -> None:
    """Else the square that one is about to click would go away from below the pointer."""
    page.set_viewport_size({"width": width, "height": 720})
    table = TablePage(page, seed=1)
    table.open_new(server.address, seats=2, monuments="no")
    lacking, spare = dict(_COTTAGE), [f"square-{n}" for n in range(15, 7, -1)]
    while not page.is_visible("#card-0[data-ui-live]"):
        before = table.look()
        if page.is_visible(".cubes [data-ui-live]"):
            page.click(f"#{next(iter(lacking.values()))[1]}")
        else:
            cube = page.inner_text("#prompt").removeprefix("Place the ").removesuffix(".")
            square, _ = lacking.pop(cube, (spare[-1], ""))
            if square in spare:
                spare.pop()
            page.click(f"#{square}")
        table.wait_for_change(before)
        table.wait_for_my_turn()
    wait_for_rest(page)
    tops = [page.evaluate(_BELOW)]
    for step in ("#card-0", "#square-4"):
        page.click(step)
        wait_for_rest(page)
        tops.append(page.evaluate(_BELOW))
    assert max(tops) - min(tops) < 1, tops


def test_a_sentence_beside_all_buttons_moves_no_town(server: Server, page: Page) -> None:
    """On a low screen: with cubes to choose from, and the way back to before one's last choice."""
    table = TablePage(page, seed=1)
    table.open_new(server.address, seats=2, monuments="no")
    tops: dict[bool, float] = {}
    while len(tops) < 2:
        # the way back is there once others have moved
        wait_for_rest(page)
        if page.is_visible("#go-back"):
            tops[page.is_visible(".cubes")] = page.evaluate(_BELOW)
        table.click_something()
    assert abs(tops[True] - tops[False]) < 1, tops


@pytest.mark.parametrize("width", [1280, 768, 360])
def test_what_is_folded_below_the_table_lies_alike(server: Server, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 940})
    TablePage(page, seed=1).open_new(server.address, seats=2, game="villagers")
    parts = page.evaluate(_FOLDED)
    assert len({(left, right) for left, right, _, _ in parts}) == 1, parts
    gaps = [below[2] - above[3] for above, below in pairwise(parts)]
    assert min(gaps) > 8, parts
    assert max(gaps) - min(gaps) < 1, parts
