"""What a person chooses once: light or dark, on every page from its first byte on; and the form of a new table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Server
from browser.table_page import TablePage

#: How light what lies behind the page is, and a piece of paper on it: from 0 to 255.
_LIGHT = """() => {
  const light = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map(Number);
    return 0.3 * red + 0.6 * green + 0.1 * blue;
  };
  return light(getComputedStyle(document.documentElement).backgroundColor);
}"""
#: A colour of a game's own style sheet, as it is by now.
_OWN = """(name) => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(${name})`;
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}"""


def _choose(page: Page, address: str, theme: str) -> None:
    page.goto(address)
    page.goto(f"{address}/me")
    if page.locator(f"input[name='theme'][value='{theme}']").is_checked():
        return
    with page.expect_response("**/me/settings"):
        page.click(f"label:has(input[name='theme'][value='{theme}'])")


@pytest.mark.parametrize("device", ["light", "dark"])
def test_the_theme_is_the_persons_on_every_page(server: Server, browser: Browser, device: str) -> None:
    context = browser.new_context(color_scheme=device)
    page = context.new_page()
    own: dict[tuple[str, str], str] = {}
    for theme in ("system", "light", "dark"):
        _choose(page, server.address, theme)
        is_light = (device if theme == "system" else theme) == "light"
        table = TablePage(page, 1)
        table.open_new(server.address, 2, "villagers")
        for path in ("", "/games/valeria", "/me", "/me/notices", "/credits", "/nowhere", page.url, f"{page.url}/at/0"):
            address = path if path.startswith("http") else server.address + path
            # in what the server sends, so that nothing is painted before it
            text = page.request.get(address).text()
            assert (f'<html lang="en" data-theme="{theme}">' in text) == (theme != "system"), path
            page.goto(address)
            assert (page.evaluate(_LIGHT) > 128) == is_light, (path, theme)
            assert page.evaluate("getComputedStyle(document.body).colorScheme") == (
                "light dark" if theme == "system" else theme
            )
        own[theme, "grain"] = page.evaluate(_OWN, "--v-grain")
    assert own["light", "grain"] != own["dark", "grain"]
    assert own["system", "grain"] == own[device, "grain"]
    context.close()


def test_it_is_nobody_elses(server: Server, browser: Browser, page: Page) -> None:
    _choose(page, server.address, "dark")
    other = browser.new_context(color_scheme="light")
    theirs = other.new_page()
    theirs.goto(server.address)
    assert theirs.evaluate(_LIGHT) > 128
    assert page.goto(server.address)
    assert page.evaluate(_LIGHT) < 128
    other.close()


def test_what_is_chosen_is_kept_and_shown_at_once(server: Server, browser: Browser) -> None:
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    # Requests are held up from the first page on: of one that is there already, one may slip through.
    page.route("**/me/settings", lambda route: route.continue_())
    page.goto(server.address)
    page.goto(f"{server.address}/me")
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    for theme, is_light in (("dark", False), ("light", True), ("system", True), ("dark", False)):
        # one after the other: each says in the end that it was saved, also where another one was chosen meanwhile
        with page.expect_response("**/me/settings"):
            page.click(f"label:has(input[name='theme'][value='{theme}'])")
            assert (page.evaluate(_LIGHT) > 128) == is_light
    mark = page.locator("fieldset", has=page.locator("input[name='theme']")).get_by_role("status")
    expect(mark).to_have_text("Saved")
    page.click("label:has(input[name='pace'][value='once'])")
    expect(mark).to_be_empty()
    expect(page.locator("fieldset", has=page.locator("input[name='pace']")).get_by_role("status")).to_have_text("Saved")
    page.reload()
    assert page.evaluate(_LIGHT) < 128
    expect(page.locator("input[name='pace'][value='once']")).to_be_checked()
    # where that fails it is said, and the button comes back
    page.route("**/me/settings", lambda route: route.abort())
    page.click("label:has(input[name='theme'][value='light'])")
    expect(mark).to_have_text("This could not be saved. Try again.")
    page.unroute("**/me/settings")
    with page.expect_navigation():
        page.get_by_role("button", name="Save").click()
    assert page.evaluate(_LIGHT) > 128
    context.close()


def test_by_keys_nothing_is_left(server: Server, page: Page) -> None:
    """Neither a choice, by Enter on it, nor the name, once it is changed: that says who one is now."""
    page.goto(server.address)
    page.goto(f"{server.address}/me")
    loaded: list[str] = []
    page.on("load", lambda: loaded.append(page.url))
    quick = page.locator("input[name='pace'][value='quick']")
    page.locator("input[name='pace']:checked").focus()
    while not quick.evaluate("(each) => each === document.activeElement"):
        page.keyboard.press("ArrowDown")
    page.evaluate("addEventListener('submit', (event) => { document.body.dataset.kept = event.defaultPrevented; })")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-kept", "true")
    expect(quick).to_be_focused()
    assert loaded == []
    page.get_by_label("Your name").fill("Ada")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="You are Ada")).to_be_focused()


def test_without_a_script_a_button_keeps_what_is_chosen(server: Server, browser: Browser) -> None:
    context = browser.new_context(color_scheme="light", java_script_enabled=False)
    page = context.new_page()
    page.goto(server.address)
    page.goto(f"{server.address}/me")
    page.click("label:has(input[name='theme'][value='dark'])")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    context.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740)])
@pytest.mark.parametrize("scripted", [True, False])
def test_start_is_in_sight(server: Server, browser: Browser, width: int, height: int, scripted: bool) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=scripted)
    page = context.new_page()
    page.goto(server.address)
    for game in ("tiny-towns", "villagers", "valeria"):
        page.goto(f"{server.address}/games/{game}")
        page.wait_for_selector("#setup", timeout=120_000)
        page.wait_for_load_state()
        box = page.get_by_role("button", name="Start").bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        # no cards one by one, unless they are asked for
        assert not page.locator(".more .option-list").is_visible()
        if scripted:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.locator("select[name^='option.']:visible").count() == 0
            page.click(f"label:has(input[name='seats'][value='{5 if game != 'tiny-towns' else 6}'])")
            expect(page.get_by_role("button", name="Start")).to_be_in_viewport(ratio=1)
            page.get_by_text("More rules").click()
            expect(page.get_by_text("When only one move is left")).to_be_visible()
    context.close()


def test_the_first_game_and_the_next(server: Server, page: Page) -> None:
    def open_form() -> None:
        page.goto(f"{server.address}/games/tiny-towns")
        page.wait_for_selector("#setup", timeout=120_000)
        page.wait_for_load_state()

    page.goto(server.address)
    open_form()
    expect(page.get_by_label("First game")).to_be_checked()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#table[data-stage='playing']")
    expect(page.locator("#card-1")).to_contain_text("Farm")
    open_form()
    expect(page.get_by_label("First game")).to_be_checked()
    # what is picked is picked again
    page.click("label:has(input[name='seats'][value='3'])")
    page.click("label:has(input[name='preset'][data-sets=''])")
    page.select_option("select[name='option.farm']", "granary")
    page.select_option("select[name='seat.2']", label="Bot: Friendly")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#table[data-stage='playing']")
    expect(page.locator("#card-1")).to_contain_text("Granary")
    open_form()
    expect(page.get_by_label("Pick", exact=True)).to_be_checked()
    assert page.input_value("select[name='option.farm']") == "granary"
    assert page.input_value("select[name='seat.2']") == "friendly"
    expect(page.locator("input[name='seats'][value='3']")).to_be_checked()


def test_another_language_forgets_nothing_of_the_form(server: Server, page: Page) -> None:
    page.goto(f"{server.address}/games/tiny-towns")
    page.wait_for_selector("#setup", timeout=120_000)
    page.wait_for_load_state()
    nobody = page.input_value("input[name='name']")
    page.click("label:has(input[name='seats'][value='3'])")
    page.click("label:has(input[name='preset'][data-sets=''])")
    page.select_option("select[name='option.farm']", "granary")
    page.select_option("select[name='seat.1']", "link")
    page.select_option("select[name='seat.2']", "here")
    page.fill("input[name='name.2']", "Bea")
    page.get_by_text("More rules").click()
    page.click("label:has(input[name='hints'][value='no'])")
    page.get_by_role("button", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.locator("input[name='seats'][value='3']")).to_be_checked()
    expect(page.locator("input[name='preset'][data-sets='']")).to_be_checked()
    expect(page.locator("select[name='option.farm']")).to_have_value("granary")
    expect(page.locator("select[name='seat.1']")).to_have_value("link")
    expect(page.locator("select[name='seat.2']")).to_have_value("here")
    expect(page.locator("input[name='name.2']")).to_be_visible()
    expect(page.locator("input[name='name.2']")).to_have_value("Bea")
    expect(page.locator("details.more")).to_have_attribute("open", "")
    expect(page.locator("input[name='hints'][value='no']")).to_be_checked()
    # what has not been written is said in the language that is chosen
    assert page.input_value("input[name='name']") != nobody
    # and it is forgotten once the page is asked for again
    page.goto(page.url)
    expect(page.locator("input[name='preset'][data-sets='']")).not_to_be_checked()


def test_the_sound_goes_with_the_person(server: Server, page: Page) -> None:
    TablePage(page, 1).open_new(server.address, 2, "villagers")
    page.keyboard.press("?")
    expect(page.locator("#sound")).not_to_be_checked()
    with page.expect_response("**/me/settings"):
        page.check("#sound")
    table = page.url
    page.goto(f"{server.address}/me")
    expect(page.locator("input[name='sound'][value='on']")).to_be_checked()
    with page.expect_response("**/me/settings"):
        page.click("label:has(input[name='sound'][value='off'])")
    page.goto(table)
    page.keyboard.press("?")
    expect(page.locator("#sound")).not_to_be_checked()


@pytest.mark.parametrize(
    ("width", "height", "letters"),
    [(1280, 800, 16), (1920, 950, 16), (1920, 1080, 18), (1366, 1080, 16), (2560, 1440, 24)],
)
def test_in_a_large_window_all_is_larger(server: Server, page: Page, width: int, height: int, letters: int) -> None:
    """Where there is room for it both ways."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(server.address)
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == letters
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
