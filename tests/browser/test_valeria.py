"""Villages of Valeria in a browser: the hand leaves the village free, several cards go at once, no card bursts."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from browser.conftest import Server

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


def _open(server: Server, page: Page, ply: int = PLY, seat: int = SEAT) -> None:
    """A table that goes on from a position of the match; else where the person has too many cards in hand."""
    page.set_default_timeout(120_000)
    page.goto(server.address)
    # the first page loads itself anew while games are got ready
    page.wait_for_selector("a[href='/games/valeria']")
    page.wait_for_function("() => !document.querySelector('.getting-ready')")
    page.goto(page.evaluate(_PLAY_ON, {"match": MATCH.read_text(), "ply": str(ply), "seat": str(seat)}))
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
        words = page.locator("#valeria-market .va-words")
        # on a phone piles have signs, and their words one tap away
        assert page.locator("#valeria-market .va-words:visible").count() == (words.count() if width == 1280 else 0)


def test_who_presses_enter_time_and_again_is_not_done_before_a_power_was_used(server: Server, page: Page) -> None:
    _open(server, page, DRAWS, DRAWER)
    page.set_viewport_size({"width": 360, "height": 740})
    # this button is gone when it was pressed, and nothing is in focus then
    page.locator("#pick-pile-2[data-ui-live]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#done[data-ui-live]")).to_be_visible()
    expect(page.locator(".va-use:focus")).to_have_count(1)
