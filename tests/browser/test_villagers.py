"""Villagers on a phone: what is asked can be chosen in the window, and says what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.villagers.place import Table, seat, table
from playwright.sync_api import Page, Route, expect
from serving import Server

from browser.table_page import TablePage
from thorp import Match
from thorp.checks.pages import Pages
from thorp.core.match import AnyMatch
from thorp.games.villagers import GAME

_TABLE = re.compile(r'<main id="table".*</main>', re.DOTALL)
#: What can be chosen within what is asked, as it is read.
_CHOICES = """() => [...document.querySelectorAll('#tray [data-ui-live]')].filter((each) => each.checkVisibility())
  .map((each) => each.innerText.replace(/\\s+/g, ' ').trim())"""

#: Each group within what is asked that is seen: its heading, and what can be chosen in it.
_GROUPS = """() => [...document.querySelectorAll('#tray > [role=group]')].filter((each) => each.checkVisibility())
  .map((each) => [...each.querySelectorAll('.vi-quick-name, [data-ui-live]')].filter((one) => one.checkVisibility())
    .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
    .map((one) => one.innerText.replace(/\\s+/g, ' ').trim()))"""


def _show(server: Server, page: Page, *games: Table) -> Iterator[None]:
    """Show positions to their first seat, one after the other, on the page of a table."""
    TablePage(page, seed=1).open_new(server.address, seats=1, game="villagers")
    shown: list[str] = []

    def instead(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=_TABLE.sub(lambda _: shown[-1], answer.text()))

    page.route(page.url, instead)
    page.route("**/events*", lambda route: route.abort())
    pages = Pages()
    for game in games:
        match: AnyMatch = Match(GAME, game.plain.seats, seed=1)
        match.state = game.state
        shown.append(pages.fragment(pages.table(match), 0))
        page.goto(page.url)
        page.wait_for_selector("#table[data-table='check'] [data-ui-live]", state="attached")
        yield


def test_what_an_apprentice_frees_finds_its_place_in_the_window(server: Server, phone: Page) -> None:
    game = table(seat("founders; hayer; hayer > grazier", "apprentice"), seat("founders; miner > mason"))
    game.play("swap 1 miner 0")
    for _ in _show(server, phone, game):
        assert phone.evaluate(_CHOICES) == ["A place of its own"]
        phone.locator("#pick-new").tap(trial=True)


def test_whom_an_event_asks_for_is_chosen_in_the_window(server: Server, phone: Page) -> None:
    """Villagers of one's own, which lie further down."""
    game = table(seat("founders; priest; hunter"), events="arrest", jester=False).play("done")
    for _ in _show(server, phone, game):
        assert sorted(phone.evaluate(_CHOICES)) == ["Hunter", "Priest"]


def test_villagers_of_others_are_no_price_of_what_is_given_up(server: Server, phone: Page) -> None:
    """Whom an Apprentice may free stands under headings of its own, before what the card can be given up for."""
    game = table(seat("founders; hayer > grazier", "apprentice"), seat("founders; lumberjack > wheeler; miner > mason"))
    for _ in _show(server, phone, game):
        phone.locator("#vi-hand [data-step]").tap()
        # a tap becomes a click in its own time
        expect(phone.locator("#table[data-ui-halfway]")).to_have_count(1)
        assert phone.evaluate(_GROUPS) == [
            ["In your village", "Hayer"],
            ["In other villages", "Lumberjack Person 1", "Miner Person 1"],
            ["Give it up for", "Hayer", "Lumberjack", "Miner"],
        ]
        name = phone.get_attribute(".vi-elsewhere", "aria-label")
        assert name == "In other villages"


def test_a_stack_says_how_high_it_is_where_a_card_is_put_onto_it(server: Server, phone: Page) -> None:
    """For eyes, with all stacks in the window, and for who listens; and what is got stays in sight."""
    heights = (2, 12, 3, 1, 10, 4)
    game = table(seat("founders", "peddler mason"), seat(), stacks=heights)
    for _ in _show(server, phone, game):
        phone.locator("#vi-hand [data-step]").first.tap()
        phone.locator("#pick-basic-1").tap()
        expect(phone.locator("#pick-basic-1[data-ui-chosen]")).to_be_visible()
        told = [f"Stack {n} {height} card{'s' * (height > 1)}" for n, height in enumerate(heights, 1)]
        assert phone.evaluate(_CHOICES) == told
        for n, height in enumerate(heights):
            choice = phone.locator(f"#pick-stack-{n}")
            words = f"Stack {n + 1}, {height} card{'s' * (height > 1)}, on top: "
            assert (choice.get_attribute("aria-label") or "").startswith(words)
            box = choice.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360
            assert box["y"] + box["height"] <= 740
            # all that it says is in it
            assert choice.evaluate("(each) => each.scrollWidth <= each.clientWidth")


#: The middle of an element as it is seen.
_MIDDLE = """(each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def test_the_sign_of_a_market_says_what_it_means_and_takes_no_card(server: Server, phone: Page) -> None:
    page = TablePage(phone, seed=1)
    page.open_new(server.address, seats=2, game="villagers")
    before = page.version, page.live()
    told = ("The First Market is held when", "The Second Market is held when")
    for stack, words in zip((1, 5), told, strict=True):
        sign = phone.locator(f".vi-stack-place:has(#stack-{stack}) .vi-market")
        phone.touchscreen.tap(*sign.locator("svg").evaluate(_MIDDLE))
        expect(phone.locator("#why")).to_contain_text(words)
        box = sign.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 43.5
        # the stack has its own middle, and all to the left of it
        x, y = phone.locator(f"#stack-{stack}").evaluate(_MIDDLE)
        for at in (x, x - 40):
            found = phone.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[id]').id", [at, y])
            assert found == f"stack-{stack}"
    assert (page.version, page.live()) == before


def test_that_a_market_is_next_is_explained(server: Server, phone: Page) -> None:
    game = table(seat(), seat(), phase="draft", stacks=(0, 0, 2, 2, 2, 2))
    for _ in _show(server, phone, game):
        with phone.expect_request("**/why?*") as asked:
            phone.locator(".vi-due").tap()
        assert "thing=market-due" in asked.value.url


#: Nothing is on its way to how it will look; what fades by how far it is scrolled never ends.
_STILL = """() => !document.getAnimations().some((each) => each.timeline === document.timeline
  && each.playState === 'running')"""


def test_nothing_stands_out_where_a_finger_was(server: Server, phone: Page) -> None:
    """Chromium leaves the pointer there: what comes to that place would look as if it was advised."""
    page = TablePage(phone, seed=1)
    page.open_new(server.address, seats=2, game="villagers")
    looks = "(each) => [getComputedStyle(each).transform, getComputedStyle(each).boxShadow]"
    for here, other in (("#road-1", "#road-2"), ("#stack-1", "#stack-2")):
        phone.locator(here).hover()
        expect(phone.locator(f"{here}:hover[data-ui-live]")).to_have_count(1)
        phone.wait_for_function(_STILL)
        assert phone.locator(here).evaluate(looks) == phone.locator(other).evaluate(looks)


#: Where the places of the stacks, of the cards and of the basic villagers are that can be seen, by their steps.
_PLACES = """() => Object.fromEntries([...document.querySelectorAll('#vi-road [data-step]')]
  .filter((each) => each.checkVisibility()).map((each) => {
    const { x, y } = each.getBoundingClientRect();
    return [each.id, [x, y + scrollY]];
  }))"""


def test_stacks_keep_their_places_and_coins_move_nothing(server: Server, phone: Page) -> None:
    """Only when all stacks of a row are empty it goes, and what is below it moves up."""
    stacks = ((2, 2, 2, 2, 2, 2), (0, 2, 2, 2, 0, 2), (0, 0, 2, 2, 2, 0), (0, 0, 0, 2, 0, 2))
    road = "mason brewer hunter seeker wheeler agent"
    games = [table(seat(), seat(), phase="draft", road=road, stacks=each) for each in stacks]
    games.append(table(seat(), seat(), phase="draft", road=road, road_coins=(0, 1, 0, 0, 0, 3)))
    shown = [phone.evaluate(_PLACES) for _ in _show(server, phone, *games)]
    full, *others, bare, coins = shown
    assert len(full) == 7 + 6 + 3
    assert all(each == full for each in (*others, coins))
    gone = {"stack-0", "stack-1", "stack-2"}
    assert set(bare) == set(full) - gone
    moved = {(full[each][0] - bare[each][0], full[each][1] - bare[each][1]) for each in bare}
    assert len(moved) == 1
    ((sideways, up),) = moved
    assert sideways == 0
    assert 44 <= up <= 60


#: How high the first box of the others is with a long name, before its player thinks and while it does.
_HEIGHTS = """() => {
  const box = document.querySelector('.vi-other');
  const name = box.querySelector('h3');
  name.textContent = 'Benedict-Alexander';
  const before = box.getBoundingClientRect().height;
  name.insertAdjacentHTML('afterend', '<span class="vi-thinking">thinking</span>');
  const thinking = box.querySelector('.vi-thinking').getBoundingClientRect();
  const did = box.querySelector('.vi-did').getBoundingClientRect();
  const after = box.getBoundingClientRect();
  return [before, after.height, thinking.right <= did.left, did.right <= after.right, name.clientWidth > 0];
}"""


def test_the_box_of_another_is_as_high_while_its_player_thinks(server: Server, page: Page) -> None:
    """Else all that lies below it moves each time."""
    games = [table(seat(), seat(), seat(), phase="draft", road="brewer mason hayer miner cooper thatcher")] * 3
    for width, _ in zip((1280, 1024, 360), _show(server, page, *games), strict=True):
        page.set_viewport_size({"width": width, "height": 740})
        before, after, *fits = page.evaluate(_HEIGHTS)
        assert before == after
        assert fits == [True, True, True]
