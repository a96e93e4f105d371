"""Hints and the review in the browser: asked for, pointed at, taken; the review leads to the positions."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect
from serving import Forked

from browser.conftest import Server, to_be_answered
from browser.table_page import TablePage, open_match, wait_for_news
from browser.test_axe import look

MATCHES = Path(__file__).parent.parent / "matches"

#: A thought waits for its turn where the machine is busy, and what it needs may have to be compiled first.
PATIENCE = 240_000

#: A phone held sideways, a low one, and a small window at twice its size.
_LOW: tuple[ViewportSize, ...] = (
    {"width": 667, "height": 375},
    {"width": 640, "height": 360},
    {"width": 640, "height": 400},
)
#: Whether any step of the first move is on the board.
_IS_ON_BOARD = """() => (document.querySelector('#moves-form button[data-steps]')?.dataset.steps ?? '').split(' ')
  .some((step) => step && document.querySelector(`[data-step~="${step}"]:not(#ask *)`))"""
#: Whether the first of these steps that has anything on the board is seen there, beside what is asked.
_SEEN_ON_BOARD = """(steps) => {
  const ask = document.getElementById('ask');
  const onBoard = (step) => [...document.querySelectorAll(`[data-step~="${step}"]`)]
    .find((each) => !ask.contains(each) && each.checkVisibility());
  const { left, top, right, bottom, width, height } = steps.map(onBoard).find(Boolean).getBoundingClientRect();
  const isFree = document.elementFromPoint(left + width / 2, top + height / 2)?.closest('#ask') === null;
  return isFree && top >= -1 && bottom <= innerHeight + 1 && left >= -1 && right <= innerWidth + 1;
}"""


#: Whether what is asked has a column of its own beside the town, as on a phone that lies in Tiny Towns.
_IS_BESIDE = """() => {
  const [ask, town] = ['ask', 'town'].map((each) => document.getElementById(each)?.getBoundingClientRect());
  return town !== undefined && ask.left >= town.right;
}"""


def _solo(server: Server, page: Page) -> TablePage:
    table = TablePage(to_be_answered(page), 3)
    table.open_new(server.address, 1, "villagers")
    return table


def _hint_at_once(page: Page, steps: list[str], lines: int = 1) -> None:
    """A hint that advises this move: what would be thought is of no matter, and would take its time."""
    line = (
        f'<li><button type="button" class="told-move" data-told="{" ".join(steps)}" aria-pressed="false">This</button>'
        '<span class="told-worth">43 points</span><form><button class="button">Choose</button></form></li>'
    )
    told = f'<p class="told-words">This one looks best.</p><ol class="told-moves">{lines * line}</ol>'
    page.route("**/hint", lambda route: route.fulfill(body=told, content_type="text/html"))
    page.click("#hint-button")
    page.wait_for_selector(".told-move")


def test_a_hint_is_pointed_at_and_taken(server: Server, page: Page) -> None:
    table = _solo(server, page)
    expect(page.locator("#told")).to_be_empty()
    # its thought may take less time than to look here
    asked: list[Route] = []
    page.route("**/hint", lambda route: asked.append(route), times=1)
    with page.expect_request("**/hint"):
        page.click("#hint-button")
    expect(page.locator("#told")).to_contain_text("Thinking about your moves")
    # the page is as usable as before
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("who has to decide can ask for them")
    page.keyboard.press("Escape")
    asked.pop().continue_()
    first = page.locator(".told-move").first
    expect(first).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#told")).to_contain_text(re.compile(r"Each was tried in \d+ games"))
    # pointed at, it is seen where; once more, and it is not
    steps = (first.get_attribute("data-told") or "").split()
    assert steps
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    advised = page.locator("[data-ui-advised]")
    expect(advised.first).to_be_attached()
    shown = advised.evaluate_all("(all) => all.flatMap((each) => each.dataset.step.split(' '))")
    assert set(shown) & set(steps)
    look(page)
    # wherever the page is scrolled to
    page.set_viewport_size({"width": 360, "height": 640})
    first.click()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    first.click()
    assert page.evaluate(_SEEN_ON_BOARD, steps)
    page.set_viewport_size({"width": 1280, "height": 800})
    first.click()
    expect(advised).to_have_count(0)
    # closed, and asked for again: what was told is told at once
    words = page.locator(".told-move").all_inner_texts()
    page.click(".told-close")
    expect(page.locator("#told")).to_be_empty()
    page.keyboard.press("!")
    expect(page.locator(".told-move")).to_have_text(words)
    # it stays where the page is loaded anew, until it is closed
    page.reload()
    expect(page.locator(".told-move")).to_have_text(words)
    page.click(".told-close")
    page.reload()
    expect(page.locator("#told")).to_be_empty()
    page.keyboard.press("!")
    expect(page.locator(".told-move")).to_have_text(words)
    before = table.version
    page.locator(".told-moves form button").first.click()
    table.confirm()
    wait_for_news(page, before)
    expect(page.locator("#ask")).not_to_contain_text("Each was tried")
    expect(page.locator("[data-ui-advised]")).to_have_count(0)


def test_what_is_pointed_at_is_shown_where_the_tray_offers_it_too(server: Server, page: Page) -> None:
    """On a phone: the last step of giving up a villager is also in the tray, which is in sight anyway."""
    table = _solo(server, page)
    page.set_viewport_size({"width": 360, "height": 640})
    given_up = page.locator('#moves-form button[data-steps*="basic-"][data-steps*="stack-"]')
    while not given_up.count():
        assert not table.over
        table.click_something()
    steps = (given_up.first.get_attribute("data-steps") or "").split()
    _hint_at_once(page, steps)
    for end in ("0", "document.body.scrollHeight"):
        page.evaluate(f"scrollTo(0, {end})")
        page.click(".told-move")
        assert page.evaluate(_SEEN_ON_BOARD, steps)
        page.click(".told-move")


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_in_a_low_window_a_hint_leaves_room_for_the_board(server: Server, page: Page, game: str) -> None:
    """All of the window is the board's while it is shown where there a move is made, or the board lies beside it."""
    table = TablePage(to_be_answered(page), 3)
    page.set_viewport_size(_LOW[0])
    table.open_new(server.address, 1, game)
    # a resource is named in the tray only
    while not page.evaluate(_IS_ON_BOARD):
        table.click_something()
    asked = page.locator("#moves-form button[data-steps]").first.get_attribute("data-steps") or ""
    _hint_at_once(page, asked.split(), lines=5)
    ask, move = page.locator("#ask"), page.locator(".told-move").first
    for size in _LOW:
        page.set_viewport_size(size)
        expect(move).to_be_in_viewport()
        beside = page.evaluate(_IS_BESIDE)
        share = 1 if beside else 0.7
        assert ask.evaluate("(ask, share) => ask.getBoundingClientRect().height <= share * innerHeight", share)
        move.click()
        assert beside or ask.evaluate("(ask) => getComputedStyle(ask).position") == "static"
        assert page.evaluate(_SEEN_ON_BOARD, asked.split())
        move.click()


#: Whether all of the own board is seen, below the bar and above what is asked; how far the page is scrolled; and
#: whether what others did stands there besides.
_WHOLE_BOARD = """() => {
  const board = document.querySelector('#town .board').getBoundingClientRect();
  const ask = document.getElementById('ask');
  const sticks = getComputedStyle(ask).position === 'sticky';
  const bar = document.querySelector('.bar').getBoundingClientRect().bottom;
  const isSeen = board.top >= bar && board.bottom <= (sticks ? ask.getBoundingClientRect().top : innerHeight);
  return [isSeen, scrollY, document.getElementById('recap').checkVisibility()];
}"""


def test_with_a_hint_all_of_the_own_town_is_seen(server: Server, page: Page) -> None:
    """On the desk and on phones, also while there is something to be named; and nothing moves when it is shown."""
    table = TablePage(to_be_answered(page), 3)
    table.open_new(server.address, 2, "tiny-towns")
    # so far others have done something
    while not page.locator("#recap-told").count() or not page.evaluate(_IS_ON_BOARD):
        table.click_something()
    last = page.locator("#moves-form button[data-steps^='square-']").last.get_attribute("data-steps") or ""
    _hint_at_once(page, last.split(), lines=3)
    for width, height in ((1280, 800), (1440, 900), (800, 1000), (360, 740), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        whole = [True, 0, width > 360]
        assert page.evaluate(_WHOLE_BOARD) == whole, (width, height)
        page.locator(".told-move").first.dispatch_event("click")
        expect(page.locator("#town [data-ui-advised]")).to_have_count(1)
        assert page.evaluate(_WHOLE_BOARD) == whole, (width, height)
        page.locator(".told-move").first.dispatch_event("click")
    # also while there is a resource to be named
    page.set_viewport_size({"width": 1280, "height": 800})
    while not page.locator("#moves-form button[data-steps^='resource-']").count():
        table.click_something()
    _hint_at_once(page, ["resource-0"], lines=3)
    for width, height in ((1280, 800), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        page.locator(".told-move").first.dispatch_event("click")
        assert page.evaluate(_WHOLE_BOARD) == [True, 0, width > 360], (width, height)
        page.locator(".told-move").first.dispatch_event("click")


#: How many rows the moves of a hint take, and how high all of it is.
_ROWS = "(all) => new Set(all.map((each) => Math.round(each.getBoundingClientRect().top))).size"
_HEIGHT = "document.getElementById('told').offsetHeight"
#: How much of one's own first chain is seen above the hand.
_SEEN_OF_CHAIN = """() => document.querySelector('.vi-middle').getBoundingClientRect().bottom
  - document.querySelector('#vi-village .vi-chain').getBoundingClientRect().top"""


def test_with_a_hint_the_own_village_is_seen(server: Server, page: Page) -> None:
    """The moves lie beside one another where there is room, and below one another on a phone."""
    table = TablePage(to_be_answered(page), 3)
    table.open_new(server.address, 2, "villagers")
    _hint_at_once(page, table.live()[:1], lines=3)
    assert page.locator(".told-moves > li").evaluate_all(_ROWS) == 1
    assert page.evaluate(_HEIGHT) <= 90
    assert page.evaluate(_SEEN_OF_CHAIN) >= 24
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.locator(".told-moves > li").evaluate_all(_ROWS) == 3


def test_a_hint_without_script(server: Server, page: Page, browser: Browser) -> None:
    _solo(server, page)
    plain_context = browser.new_context(java_script_enabled=False, storage_state=page.context.storage_state())
    plain = plain_context.new_page()
    plain.goto(page.url)
    plain.click("#hint-button")
    plain.wait_for_url(f"{page.url}/hint")
    choose = plain.locator(".told-moves form button").first
    expect(choose).to_be_visible(timeout=PATIENCE)
    choose.click()
    plain.wait_for_url(page.url)
    expect(plain.locator("#table")).to_have_attribute("data-ply", re.compile(r"[1-9]"))
    plain_context.close()


@pytest.fixture
def brief(tmp_path: Path) -> Iterator[Server]:
    """A server that reviews a match in a thirtieth of the time."""
    running = Forked(tmp_path / "data", more=("review=2",))
    running.start()
    yield running
    running.kill()


@pytest.mark.long
def test_the_review_leads_to_the_positions(brief: Server, page: Page) -> None:
    table = TablePage(page, 5)
    table.open_new(brief.address, 1, "tiny-towns")
    while not table.over:
        table.click_something()
    address = page.url
    ask = page.get_by_role("button", name="Look through my decisions")
    expect(ask).to_be_visible()
    ask.click()
    expect(page.locator("#review .review-going")).to_be_visible()
    # a reload loses nothing
    page.reload()
    expect(page.locator("#review .balance")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#review figcaption")).to_have_text("Points expected, decision by decision")
    # who plays at random has lost something by it
    links = page.locator("#review .dearest a")
    expect(links.first).to_be_visible()
    marks = page.locator("#review .course a")
    assert marks.count() == links.count()
    assert marks.first.get_attribute("href") == links.first.get_attribute("href")
    look(page)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    links.first.click()
    page.wait_for_url(re.compile(rf"{address}/at/\d+\?as=1"))
    expect(page.locator("#judged")).to_contain_text("Better:")
    assert page.locator("#judged a").get_attribute("href") == f"{urlsplit(address).path}#review"
    look(page)
    # the room is the board's until the form is wanted
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.reload()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.get_by_text("Play on from here")).to_be_visible()
        expect(page.get_by_role("button", name="Play on", exact=True)).not_to_be_visible()
    page.get_by_text("Play on from here").click()
    page.get_by_role("button", name="Play on", exact=True).click()
    page.wait_for_url(re.compile(r"/tables/[^/]+$"))
    assert page.url != address
    expect(page.locator("#ask")).to_be_visible()


def test_who_listens_hears_how_far_the_review_is(brief: Server, page: Page) -> None:
    open_match(brief, page, MATCHES / "villagers/two-seats.json")
    ask = page.get_by_role("button", name=re.compile("Look through the decisions of")).first
    name = ask.inner_text().removeprefix("Look through the decisions of ")
    ask.click()
    end = f"The decisions of {name} have been looked through."
    expect(page.locator("#said")).to_contain_text(end, timeout=PATIENCE)
    said = page.locator("#said p").all_inner_texts()
    going = re.compile(f"Looking through the decisions of {name}: ([0-9]+) of ([0-9]+)")
    assert going.fullmatch(said[0])
    # at each quarter at most, and not whenever the page looks
    quarters = [4 * int(found[1]) // int(found[2]) for words in said if (found := going.fullmatch(words))]
    assert quarters == sorted(set(quarters))
    assert said.count(end) == 1
    assert said[-1] == end
    # what the page puts there anew is not said as well
    expect(page.locator("#review [role='status']")).to_have_count(0)
    # nor again once it is there to be read
    page.reload()
    expect(page.locator("#review .balance")).to_be_visible()
    expect(page.locator("#said")).to_be_empty()


def test_whoever_looks_at_the_end_sees_what_others_have_looked_through(brief: Server, page: Page, phone: Page) -> None:
    open_match(brief, page, MATCHES / "villagers/two-seats.json")
    phone.clock.install()
    phone.goto(page.url)
    expect(phone.locator("#review")).to_contain_text("Nobody has had this match looked through yet.")
    ask = page.get_by_role("button", name=re.compile("Look through the decisions of")).first
    name = ask.inner_text().removeprefix("Look through the decisions of ")
    ask.click()
    expect(page.locator("#review .review-going")).to_be_visible()
    phone.clock.run_for(15_000)
    expect(phone.locator("#review :is(.review-going, .review-of)")).to_contain_text(name)
    expect(phone.locator("#review .balance")).to_be_visible(timeout=PATIENCE)
    expect(phone.locator("#said")).to_contain_text(f"The decisions of {name} have been looked through.")
    # what is as it was stays, with what somebody has unfolded in it
    phone.evaluate("document.querySelector('#review .review').dataset.kept = 'yes'")
    for _ in range(2):
        with phone.expect_response("**/review"):
            phone.clock.run_for(15_000)
    assert phone.locator("#review .review[data-kept]").count() == 1
