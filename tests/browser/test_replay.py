"""Replay in the browser: by slider, keys, the log and the address; with a script and without one."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, Route, expect

from browser.conftest import Server, cut_off
from browser.resting import wait_for_rest
from browser.table_page import TablePage, open_match

MATCH = Path(__file__).parent.parent / "matches/tiny_towns/six-seats.json"
MARK = re.compile(r"/at/(\d+)")


def _ply(page: Page) -> int:
    """Where the address says that we are; the page has to agree."""
    found = MARK.search(page.url)
    assert found
    ply = int(found[1])
    expect(page.locator("#table")).to_have_attribute("data-mark", f"at-{ply}")
    expect(page.locator("#replay-slider")).to_have_js_property("value", str(ply))
    expect(page.locator("#replay-ply")).to_have_js_property("value", str(ply))
    expect(page).to_have_title(re.compile(rf"^Position {ply} "))
    return ply


def _a_running_match(server: Server, page: Page) -> str:
    table = TablePage(page, 3)
    table.open_new(server.address, 2, "villagers")
    for _ in range(12):
        if table.version < 14:
            table.click_something()
    # what others do meanwhile would be the last position
    wait_for_rest(page)
    return page.url


def test_who_is_too_fast_gets_there_all_the_same(server: Server, page: Page) -> None:
    address = _a_running_match(server, page)
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        headers = {"Retry-After": "1", "HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
        route.fulfill(status=429, content_type="text/html", headers=headers, body="Too fast.")

    # Before the page is there: of one that is, a request may still slip through.
    page.route("**/at/4", refuse)
    page.goto(f"{address}/at/3")
    page.keyboard.press(".")
    # Refused for as long as it takes to see it: once would be over in a second.
    expect(page.locator("#notice")).to_have_text("Too fast.")
    page.unroute("**/at/4", refuse)
    expect(page.locator("#table")).to_have_attribute("data-mark", "at-4")
    assert _ply(page) == 4
    expect(page.locator("#notice")).to_be_empty()
    assert set(refused) == {f"{address}/at/4"}


def test_positions_are_gone_through(server: Server, page: Page) -> None:
    address = _a_running_match(server, page)
    last = int(page.locator("#log .ply[id]").first.inner_text())
    assert last > 8
    page.keyboard.press(",")
    page.wait_for_url(f"{address}/at/{last}")
    assert _ply(page) == last
    loaded: list[str] = []
    page.on("load", lambda: loaded.append(page.url))

    # steps, by keys and by buttons
    page.keyboard.press(",")
    page.wait_for_url(f"{address}/at/{last - 1}")
    page.keyboard.press(",")
    page.wait_for_url(f"{address}/at/{last - 2}")
    assert _ply(page) == last - 2
    expect(page.locator("#log .ply[id]").first).to_have_text(str(last - 2))
    page.keyboard.press(".")
    page.wait_for_url(f"{address}/at/{last - 1}")
    page.click("#replay-on")
    assert _ply(page) == last
    page.keyboard.press("<")
    assert _ply(page) == 0
    expect(page.locator("#log")).to_contain_text("Nothing yet.")
    page.keyboard.press(">")
    assert _ply(page) == last

    # a line of the log, and back by the browser's button
    page.click("#at-4")
    assert _ply(page) == 4
    page.go_back()
    page.wait_for_url(f"{address}/at/{last}")
    assert _ply(page) == last
    page.go_forward()
    page.wait_for_url(f"{address}/at/4")
    assert _ply(page) == 4

    # the slider, by its own keys
    page.locator("#replay-slider").focus()
    page.keyboard.press("ArrowRight")
    assert _ply(page) == 5
    page.locator("#replay-slider").fill("2")
    page.wait_for_url(f"{address}/at/2")
    assert _ply(page) == 2

    # the number
    page.click("#replay-more > summary")
    page.fill("#replay-ply", "7")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/at/7")
    assert _ply(page) == 7
    assert not loaded

    page.reload()
    assert _ply(page) == 7
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("one move back, one move on")
    page.keyboard.press("Escape")
    # the browser closes a dialog in its own time; keys pressed before that are the dialog's
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("t")
    page.wait_for_url(address)
    expect(page.locator("#ask")).to_be_visible()


def test_the_slider_stays_in_hand(server: Server, page: Page) -> None:
    """A position that comes takes neither the focus from it nor the pointer, and it tells where it stands."""
    open_match(server, page, MATCH)
    address = page.url.split("#")[0]
    last = int(page.locator("#log .ply[id]").first.inner_text())
    page.goto(f"{address}/at/3")
    slider = page.locator("#replay-slider")
    expect(slider).to_have_attribute("aria-valuetext", f"Position 3 of {last}")
    slider.focus()
    for ply in (4, 5, 6):
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"{address}/at/{ply}")
        assert _ply(page) == ply
        expect(slider).to_be_focused()
        expect(slider).to_have_attribute("aria-valuetext", f"Position {ply} of {last}")
    box = slider.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    seen = [6]
    for part in (0.5, 0.6, 0.7, 0.8):
        page.mouse.move(box["x"] + box["width"] * part, middle)
        page.mouse.down()
        page.wait_for_function("(before) => !location.pathname.endsWith(`/at/${before}`)", arg=seen[-1])
        # what was gone to has come before the pointer goes on
        seen.append(_ply(page))
    page.mouse.up()
    assert seen == sorted(set(seen))
    assert seen[-1] > 0.7 * last
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", f"Position {seen[-1]} of {last}")


def test_what_is_typed_at_once_stays(server: Server, page: Page) -> None:
    """A browser tells that something was opened only after that; by then somebody may have typed."""
    open_match(server, page, MATCH)
    page.goto(f"{page.url}/at/4")
    expect(page.locator("#replay-slider")).to_be_visible()
    page.evaluate("""() => new Promise((resolve) => {
        const more = document.getElementById("replay-more");
        document.addEventListener("toggle", resolve, { capture: true, once: true });
        more.open = true;
        document.getElementById("replay-ply").value = "7";
    })""")
    expect(page.locator("#replay-ply")).to_have_js_property("value", "7")
    page.press("#replay-ply", "Enter")
    expect(page).to_have_url(re.compile("/at/7$"))
    assert _ply(page) == 7


def test_a_jump_within_the_page_loads_nothing(server: Server, page: Page) -> None:
    open_match(server, page, MATCH)
    address = page.url
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{address}/at/4")
    branch = page.locator("#play-on")
    expect(branch).not_to_have_attribute("open", "")
    page.click("#play-on summary")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/at/" in request.url else None)
    for part in ("log", "town"):
        page.click(f".table-places a[href='#{part}']")
        page.wait_for_url(f"{address}/at/4#{part}")
    page.go_back()
    page.wait_for_url(f"{address}/at/4#log")
    expect(branch).to_have_attribute("open", "")
    # to another position and back to the jump: that is shown
    page.keyboard.press(".")
    page.wait_for_url(f"{address}/at/5")
    assert _ply(page) == 5
    page.go_back()
    page.wait_for_url(f"{address}/at/4#log")
    assert _ply(page) == 4
    assert [MARK.findall(each) for each in asked] == [["5"], ["4"]]


def test_where_nothing_is_reached_nothing_moves(server: Server, page: Page) -> None:
    open_match(server, page, MATCH)
    page.goto(f"{page.url}/at/10")
    address = page.url
    with cut_off(page):
        for go_on in (
            lambda: page.click("#replay-on"),
            lambda: page.keyboard.press("."),
            lambda: page.keyboard.press(">"),
        ):
            go_on()
            expect(page.locator("#notice")).to_contain_text("That did not reach the table.")
            # asked of the page itself: that it has gone on, and back, Playwright may not have been told yet
            page.wait_for_function("(address) => location.href === address", arg=address)
            assert _ply(page) == 10
    page.keyboard.press(".")
    page.wait_for_url(re.compile("/at/11$"))
    assert _ply(page) == 11
    expect(page.locator("#notice")).to_be_empty()


#: How much of the board is in the window, and where the round that is shown lies in the strip of rounds.
_IN_SIGHT = """() => {
  const { top, bottom, height } = document.querySelector('.board').getBoundingClientRect();
  const strip = document.getElementById('replay-marks').getBoundingClientRect();
  const mark = document.querySelector('#replay-marks [aria-current]').getBoundingClientRect();
  const isSeen = mark.left >= strip.left && mark.right <= strip.right;
  return [(Math.min(bottom, innerHeight) - top) / height, isSeen, scrollY];
}"""


def test_the_board_and_the_round_are_in_sight(server: Server, page: Page) -> None:
    open_match(server, page, MATCH)
    last = page.locator("#log .ply[id]").first.inner_text()
    page.goto(f"{page.url}/at/{last}")
    for width, height in ((1280, 800), (768, 1024), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        # the rounds are folded away: in a wide window all of the bar is one row
        assert page.evaluate(_IN_SIGHT)[0] >= 0.9
        expect(page.locator("#replay-marks")).to_be_hidden()
        if width == 1280:
            assert page.evaluate("document.getElementById('replay').offsetHeight") < 80
        page.click("#replay-more > summary")
        # a browser tells in its own time that something was opened
        page.wait_for_function(f"() => ({_IN_SIGHT})()[1]")
        assert page.evaluate(_IN_SIGHT)[1:] == [True, 0]
    page.keyboard.press("<")
    assert _ply(page) == 0
    page.keyboard.press(">")
    assert _ply(page) == int(last)
    page.wait_for_function(f"() => ({_IN_SIGHT})()[1]")
    assert page.evaluate(_IN_SIGHT)[1:] == [True, 0]
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_nothing_past_looks_as_if_it_could_be_pressed(server: Server, page: Page) -> None:
    open_match(server, page, MATCH.parent.parent / "valeria/two-seats.json")
    path = page.url.split("#")[0]
    pays = next(n for n in range(1, 300) if 'id="pay-all"' in page.request.get(f"{path}/at/{n}?as=1").text())
    page.goto(f"{path}/at/{pays}?as=1")
    button = page.locator("#pay-all")
    expect(button).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(button.locator("kbd")).to_be_hidden()


def test_positions_are_gone_through_without_script(server: Server, page: Page, browser: Browser) -> None:
    address = _a_running_match(server, page)
    other = browser.new_context(java_script_enabled=False)
    plain = other.new_page()
    plain.goto(f"{address}/at/0")
    expect(plain.locator("#replay-slider")).to_be_hidden()
    plain.click("#replay-on")
    plain.wait_for_url(f"{address}/at/1")
    plain.click("#replay-more > summary")
    plain.fill("#replay-ply", "5")
    plain.get_by_role("button", name="Go", exact=True).click()
    plain.wait_for_url(f"{address}/at/5")
    plain.click("#at-3")
    plain.wait_for_url(f"{address}/at/3")
    plain.click("#replay-first")
    plain.wait_for_url(f"{address}/at/0")
    plain.click("#replay-table")
    plain.wait_for_url(address)
    other.close()
