"""Villages of Valeria in a browser: nothing moves, the hand leaves the village free, several cards go at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Server
from browser.resting import wait_for_rest
from browser.table_page import TablePage

MATCH = Path(__file__).parents[1] / "matches" / "valeria" / "five-seats.json"
#: After so many moves the fourth seat has eleven cards in hand, and has to discard three.
PLY, SEAT = 577, 4
#: After so many the first one draws a card, and then may use a power of its village.
DRAWS, DRAWER = 315, 1

_PLAY_ON = """async ({match, ply, seat}) => {
  const form = (fields) => ({method: 'POST', body: new URLSearchParams(fields)});
  // a server that is busy says so, and is asked again
  let taken;
  do taken = await fetch('/matches', form({match})); while (taken.status === 503);
  const begun = await fetch(`${taken.url}/at/${ply}/play-on`, form({seat, bot: 'random'}));
  return begun.url;
}"""

#: By how many pixels the hand lies over what can be seen of the village; -1 where nothing of the village can be seen.
_COVERED = """(cards) => {
  const hand = document.querySelector('.va-cards');
  while (hand.children.length < cards) hand.append(hand.firstElementChild.cloneNode(true));
  const box = document.getElementById('valeria-hand').getBoundingClientRect();
  const parts = [...document.querySelectorAll('#valeria-village .va-head, #valeria-village .va-column')];
  const middle = document.querySelector('.va-middle');
  const clips = getComputedStyle(middle).overflowY !== 'visible' && middle.getClientRects().length;
  const edge = clips ? middle.getBoundingClientRect().bottom : innerHeight * 99;
  const seen = parts.map((each) => each.getBoundingClientRect()).filter(({top}) => top < Math.min(edge, innerHeight));
  if (seen.length < 2) return -1;
  return Math.max(0, ...seen.map(({top, bottom}) => Math.min(bottom, edge, box.bottom) - Math.max(top, box.top)));
}"""

#: How high a hand of so many cards is, and how much the village has, where any card of the deck is among them.
_HIGHEST = """async (count) => {
  const text = await (await fetch('/games/valeria/rules')).text();
  const book = new DOMParser().parseFromString(text, 'text/html');
  const cards = document.querySelector('.va-cards');
  while (cards.children.length > count) cards.lastElementChild.remove();
  const place = cards.querySelector('.va-held');
  const found = {hand: 0, village: Infinity};
  for (const face of book.querySelectorAll('.va-one > .va-card:not(.va-person)')) {
    place.innerHTML = face.innerHTML;
    found.hand = Math.max(found.hand, cards.getBoundingClientRect().height);
    const {top} = document.getElementById('valeria-village').getBoundingClientRect();
    found.village = Math.min(found.village, document.querySelector('.va-middle').getBoundingClientRect().bottom - top);
  }
  return found;
}"""

#: By how many pixels the hand lies below the window.
_BELOW = "() => document.getElementById('valeria-hand').getBoundingClientRect().bottom - innerHeight"

#: What of a card stands out of it: of all cards on the page, and of every card of the deck in the place of a pile and
#: of a card in hand.
_BURST = """async () => {
  const text = await (await fetch('/games/valeria/rules')).text();
  const book = new DOMParser().parseFromString(text, 'text/html');
  const faces = [...book.querySelectorAll('.va-one > .va-card')];
  const places = ['#pile-0', '.va-cards .va-card'].map((each) => document.querySelector(each));
  const burst = [];
  // badges sit on the corner of a card
  for (const badge of document.querySelectorAll('.va-tag, .va-times')) badge.remove();
  const look = (card, name) => {
    const {left, right} = card.getBoundingClientRect();
    if (card.scrollWidth > card.clientWidth + 1 || card.scrollHeight > card.clientHeight + 1) burst.push(name);
    for (const part of card.querySelectorAll('span, b, i, svg, small')) {
      const box = part.getBoundingClientRect();
      if (box.width && (box.left < left - 1 || box.right > right + 1)) burst.push(`${name}: ${part.textContent}`);
    }
  };
  for (const card of document.querySelectorAll('.va-place > .va-card:not(.va-bank)')) look(card, card.id);
  for (const place of places) {
    const {innerHTML, className} = place;
    place.classList.remove('va-empty');
    for (const face of faces) {
      place.classList.toggle('va-person', face.classList.contains('va-person'));
      place.innerHTML = face.innerHTML;
      look(place, `${place.id} ${face.querySelector('.va-name').textContent}`);
    }
    place.className = className;
    place.innerHTML = innerHTML;
  }
  return [faces.length, burst];
}"""


_SMALL = """() => [...document.querySelectorAll('.va-words, .va-lines, .va-gains, .va-name, .va-lower span')]
  .filter((each) => each.checkVisibility() && parseFloat(getComputedStyle(each).fontSize) < 12)
  .map((each) => each.textContent)"""


def _open(server: Server, page: Page, ply: int = PLY, seat: int = SEAT, match: Path = MATCH) -> None:
    """A table that goes on from a position of the match; else where the person has too many cards in hand."""
    page.set_default_timeout(120_000)
    page.goto(server.address)
    # the first page loads itself anew while games are got ready
    page.wait_for_selector("a[href='/games/valeria']")
    page.wait_for_function("() => !document.querySelector('.getting-ready')")
    page.goto(page.evaluate(_PLAY_ON, {"match": match.read_text(), "ply": str(ply), "seat": str(seat)}))
    page.wait_for_load_state()


def test_cards_have_their_room_and_several_are_discarded_at_once(server: Server, page: Page) -> None:
    _open(server, page)
    page.wait_for_selector("#several")
    for width, height in ((1280, 800), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        for cards in (1, 18):
            assert page.evaluate(_COVERED, cards) == 0, (width, cards)
            # also where a line above says that the table goes on from another match
            assert width < 1280 or page.evaluate(_BELOW) <= 0, cards
        page.reload()
        page.wait_for_selector("#several")
    count, burst = page.evaluate(_BURST)
    assert (count, burst) == (58, []), burst
    # on the phone piles can be chosen beside what is asked
    marked = page.locator("[data-marked]")
    held = page.locator(".va-held[data-ui-live]")
    held.first.click()
    page.locator(".va-held[data-ui-chosen]").first.click()
    expect(marked).to_have_text("0")
    for n in (1, 2, 3):
        held.first.click()
        expect(marked).to_have_text(str(n))
    # what is marked is so for those who do not see it, too
    expect(page.locator(".va-held[aria-pressed='true']")).to_have_count(3)
    expect(page.locator("#table [aria-pressed]:not([data-ui-chosen])")).to_have_count(0)
    # three are all that are asked for
    expect(held).to_have_count(0)
    page.keyboard.press("Escape")
    expect(marked).to_have_text("2")
    held.last.focus()
    page.keyboard.press("Enter")
    expect(marked).to_have_text("3")
    version = int(page.get_attribute("#table", "data-version") or 0)
    page.click("#pick-pile-2")
    page.wait_for_function("(old) => Number(document.getElementById('table').dataset.version) >= old + 3", arg=version)
    expect(page.locator("#several")).to_have_count(0)
    discarded = page.locator("#log li", has_text="onto pile 3.")
    assert discarded.count() >= 3


def test_the_focus_comes_back_to_a_pile_that_is_looked_through(server: Server, page: Page) -> None:
    _open(server, page)
    page.locator("[popovertarget^='under-']").first.focus()
    page.keyboard.press("Enter")
    link = page.locator("[id^='under-']:popover-open .card-link").first
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".leaf:popover-open")).to_be_focused()
    page.keyboard.press("Escape")
    expect(link).to_be_focused()


def test_powers_and_actions_read_as_words(server: Server, page: Page) -> None:
    _open(server, page)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(_SMALL) == []
        assert page.locator(".va-hand .va-words:visible").count() > 0
        assert page.locator("#valeria-village .va-words:visible").count() > 0
        # where a card has two, and on a phone, piles have signs, and their words one tap away
        words = page.locator("#valeria-market .va-power:only-child > .va-words")
        seen = page.locator("#valeria-market .va-words:visible")
        assert seen.count() == (words.count() if width == 1280 else 0)


def test_who_presses_enter_time_and_again_is_not_done_before_a_power_was_used(server: Server, page: Page) -> None:
    _open(server, page, DRAWS, DRAWER)
    page.set_viewport_size({"width": 360, "height": 740})
    # this button is gone when it was pressed, and nothing is in focus then
    page.locator("#pick-pile-2[data-ui-live]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#done[data-ui-live]")).to_be_visible()
    expect(page.locator(".va-use:focus")).to_have_count(1)


#: Buildings of the own village of which not all is seen, since the village goes on below its edge or the window.
_CUT = """() => {
  const edge = Math.min(innerHeight, document.getElementById('valeria-village').getBoundingClientRect().bottom);
  return [...document.querySelectorAll('#valeria-village .va-built')]
    .filter((each) => each.getBoundingClientRect().bottom > edge).map((each) => each.textContent.trim());
}"""
#: What of a name stands out of its plate.
_NAMES = """() => [...document.querySelectorAll('#valeria-village .va-name')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"""
#: Positions with four or five buildings in a column of the village of a seat, by the phase that it is asked in.
_CROWDED = {
    "powers": ("four-seats.json", 563, 3),
    "pay": ("five-seats.json", 630, 2),
    "develop": ("tie-settled.json", 607, 3),
}


@pytest.mark.parametrize("phase", _CROWDED)
def test_a_village_with_four_in_a_column_is_all_in_sight(server: Server, page: Page, phase: str) -> None:
    name, ply, seat = _CROWDED[phase]
    _open(server, page, ply, seat, MATCH.parent / name)
    page.wait_for_selector("#valeria-village .va-built ~ .va-built ~ .va-built ~ .va-built")
    assert page.evaluate(_CUT) == []
    assert page.evaluate(_NAMES) == []
    assert page.evaluate(_BELOW) <= 0
    # nothing of the piles was taken for it
    expect(page.locator("#pile-0 .va-powers")).to_be_visible()


#: Where the piles begin and end below the top of what is asked, and in which phase.
_PILES = """() => {
  const box = (id) => document.getElementById(id).getBoundingClientRect();
  const {top, bottom} = box('valeria-market');
  return [top - box('ask').top, bottom - box('ask').top, document.getElementById('va').dataset.phase];
}"""

#: How wide what others did is told, in pixels, and by how many it lies below what is asked; -1 where nothing is told.
_TOLD = """() => {
  const words = document.getElementById('recap-words');
  if (!words?.checkVisibility()) return [-1, 0];
  const below = document.getElementById('recap').getBoundingClientRect().bottom;
  const parts = [...document.querySelectorAll('#recap *')].map((each) => each.getBoundingClientRect().bottom);
  return [words.clientWidth, Math.max(below, ...parts) - document.getElementById('ask').getBoundingClientRect().bottom];
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768)])
def test_nothing_moves_from_decision_to_decision(server: Server, page: Page, width: int, height: int) -> None:
    """On a low screen: with and without what others did, among actions, follow or not, cards, and payments."""
    page.set_viewport_size({"width": width, "height": height})
    table = TablePage(page, seed=4)
    table.open_new(server.address, seats=3, game="valeria")
    where: dict[tuple[int, int], str] = {}
    phases: set[str] = set()
    told_in: set[str] = set()
    decisions = 0
    while decisions < 20 or len(phases) < 7:
        # what others did is told once they have
        wait_for_rest(page)
        top, bottom, phase = page.evaluate(_PILES)
        phases.add(phase)
        where.setdefault((round(top), round(bottom)), phase)
        told, below = page.evaluate(_TOLD)
        assert told == -1 or told > 100, (phase, told)
        assert below <= 0, phase
        if told > 0:
            told_in.add(phase)
        assert not table.over
        table.click_something()
        decisions += 1
    assert len(where) == 1, where
    assert {"setup", "lead"} < told_in


@pytest.mark.parametrize("cards", [5, 7, 8, 9])
def test_no_card_makes_the_hand_higher_than_its_part(server: Server, page: Page, cards: int) -> None:
    """Whichever card is among so many, and also where all are asked for: the village keeps its room."""
    _open(server, page)
    page.wait_for_selector("#several")
    highest = page.evaluate(_HIGHEST, cards)
    assert highest["hand"] <= 190, highest
    assert highest["village"] >= 200, highest
    # all of them can be come to
    page.locator(".va-held").first.focus()
    for _ in range(cards - 1):
        page.keyboard.press("ArrowRight")
    last = page.locator(".va-cards > .va-place:last-child > .va-held")
    expect(last).to_be_focused()
    assert page.evaluate("() => document.activeElement.getBoundingClientRect().right <= innerWidth")


#: A single resource is owed there by the first seat.
OWED = ("three-seats.json", 83, 1)


def test_the_last_resource_is_paid_by_what_is_suggested(server: Server, page: Page) -> None:
    name, ply, seat = OWED
    _open(server, page, ply, seat, MATCH.parent / name)
    expect(page.locator("#pay-all[data-ui-live]")).to_be_visible()
    before = page.locator("#resource-0-magic .va-laid").count()
    page.keyboard.press("p")
    expect(page.locator("#pay-all")).to_have_count(0)
    expect(page.locator("#resource-0-magic .va-laid")).to_have_count(before + 1)


#: How many of which cards are in hand.
_HELD = """() => Object.fromEntries([...document.querySelectorAll('.va-cards > [data-held]')]
  .map((each) => [each.querySelector('.va-held').id, Number(each.dataset.held)]))"""
#: Which of them there are more of than before, once there are.
_NEW = f"""(before) => {{
  const more = Object.entries(({_HELD})()).filter(([id, count]) => count > (before[id] ?? 0)).map(([id]) => id);
  return more.length && more;
}}"""
#: Which cards are marked as drawn, from now on: they are so for some seconds only.
_MARKS = """() => {
  window.marked = [];
  new MutationObserver((changes) => marked.push(...changes.map(({target}) => target)
    .filter((each) => each.hasAttribute('data-ui-drawn')).map((each) => each.id)))
    .observe(document.body, {subtree: true, attributeFilter: ['data-ui-drawn']});
}"""


def test_a_card_that_was_drawn_is_in_sight(server: Server, browser: Browser) -> None:
    """On a phone a hand is wider than its room, and sorted: where a new card lies is not to be known else."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    table = TablePage(page, seed=1)
    table.open_new(server.address, seats=2, game="valeria")
    page.evaluate(_MARKS)
    while not (page.locator("#deck[data-ui-live]").is_visible() and len(page.evaluate(_HELD)) > 4):
        table.click_something()
    for edge in ("0", "99999"):
        if not page.locator("#deck[data-ui-live]").is_visible():
            break
        page.evaluate(f"document.querySelector('.va-cards').scrollTo({{left: {edge}}})")
        before = page.evaluate(_HELD)
        page.evaluate("marked.length = 0")
        page.locator("#deck").click()
        # what another one does may come before it
        (new,) = page.wait_for_function(_NEW, arg=before).json_value()
        page.wait_for_function("() => marked.length > 0")
        assert page.evaluate("marked") == [new]
        expect(page.locator(f"#{new}")).to_be_in_viewport(ratio=0.95)
    context.close()
