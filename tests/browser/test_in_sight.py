"""On a phone something of what is asked for next is in the window, wherever one has scrolled to before one's move."""

import pytest
from playwright.sync_api import Page
from serving import Server

from browser.table_page import TablePage
from browser.test_hints import PATIENCE

#: What can be chosen and is worth more than to be given up, and by how much it is in the window and in its row: within
#: what is asked, or at least by half between the bar and what is asked.
_IN_SIGHT = """() => {
  const all = [...document.querySelectorAll('[data-ui-live]:not(#done)')].filter((each) => each.checkVisibility());
  const kept = all.filter((each) => !each.matches(`[data-spare='']`));
  const [bar, ask] = ['.bar', '#ask'].map((each) => document.querySelector(each).getBoundingClientRect());
  return (kept.length ? kept : all).map((each) => {
    const { left, right, top, bottom, height } = each.getBoundingClientRect();
    const row = each.closest('[data-hand]')?.getBoundingClientRect() ?? { left: 0, right: innerWidth };
    const seen = Math.min(bottom, ask.top) - Math.max(top, bar.bottom);
    return [each.closest('#ask') !== null || seen >= height / 2 - 1, left >= row.left - 1 && right <= row.right + 1];
  });
}"""
#: Everything is scrolled as far away as it goes; a hand to its end.
_AWAY = """(top) => {
  document.querySelectorAll('[data-hand]').forEach((each) => each.scrollTo({ left: 99999 }));
  scrollTo(0, top);
}"""


@pytest.mark.parametrize(("game", "seats"), [("villagers", 1), ("villagers", 2), ("valeria", 2)])
def test_what_is_asked_next_is_in_sight(server: Server, phone: Page, game: str, seats: int) -> None:
    table = TablePage(phone, seed=2)
    table.open_new(server.address, seats=seats, game=game)
    brought = 0
    for turn in range(30):
        id = table.rng.choice(table.live())
        thing = phone.locator(f"[id='{id}']")
        thing.scroll_into_view_if_needed()
        before, version = table.look(), table.version
        # a tap, after which the page lies where the finger has left it
        phone.evaluate(_AWAY, 0 if turn % 2 else 99999)
        thing.dispatch_event("click")
        table.wait_for_change(before)
        table.wait_for_my_turn()
        if table.over:
            break
        if table.version == version:
            continue
        seen = phone.evaluate(_IN_SIGHT)
        if seen:
            assert any(high for high, _ in seen), (turn, id, table.live())
            assert any(high and wide for high, wide in seen), (turn, id, table.live())
            brought += 1
    assert brought > 5


#: How much of each place in the village that can be chosen is seen, of one.
_PLACES = """() => [...document.querySelectorAll('#vi-village [data-ui-live]')].map((each) => {
  const [at, room] = [each, each.closest('.vi-middle')].map((one) => one.getBoundingClientRect());
  return (Math.min(at.bottom, room.bottom) - Math.max(at.top, room.top)) / at.height;
})"""
#: The column as it is without anybody's help.
_UP = "() => document.querySelector('.vi-middle').scrollTo(0, 0)"


def test_where_a_villager_is_built_is_in_sight_in_a_low_window(server: Server, page: Page) -> None:
    """The Road and the village share a column there, which is scrolled by itself."""
    page.set_viewport_size({"width": 1366, "height": 650})
    table = TablePage(page, seed=7)
    table.open_new(server.address, seats=1, game="villagers")
    brought = 0
    while brought < 2:
        assert not table.over
        hand = [id for id in table.live() if id.startswith("hand-")]
        before, version = table.look(), table.version
        page.evaluate(_UP)
        page.click(f"[id='{table.rng.choice(hand or table.live())}']")
        table.wait_for_change(before)
        table.wait_for_my_turn()
        places = page.evaluate(_PLACES)
        if table.version > version or not places:
            continue
        assert max(places) >= 0.49
        page.evaluate(_UP)
        brought += max(page.evaluate(_PLACES)) < 0.49


#: Whether what is unfolded in a hint begins below the upper edge of the hint, and more of it is seen there than its
#: heading and a line.
_NOTE = """() => {
  const [told, note] = ['#told', '.told-note'].map((each) => document.querySelector(each).getBoundingClientRect());
  const seen = Math.min(told.bottom, note.bottom) - note.top;
  return note.top - told.top >= -1 && seen > Math.min(90, told.height - 2);
}"""


def test_what_is_unfolded_in_a_hint_is_seen(server: Server, phone: Page) -> None:
    """A hint is scrolled by itself there, and this is the last of it."""
    TablePage(phone, seed=2).open_new(server.address, seats=2, game="villagers")
    phone.locator("#hint-button").tap()
    phone.locator(".told-note > summary").wait_for(timeout=PATIENCE)
    phone.locator(".told-note > summary").tap()
    phone.wait_for_function(f"() => document.querySelector('.told-note').open && ({_NOTE})()")
