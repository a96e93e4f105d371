"""The list of keys: it opens at its top, however high it is, and the focus comes back when it is closed."""

from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.table_page import TablePage


def test_the_list_opens_at_its_top(server: Server, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 500})
    TablePage(page, seed=1).open_new(server.address, seats=2, game="villagers")
    page.keyboard.press("?")
    expect(page.locator("#keys-title")).to_be_focused()
    expect(page.locator("#keys-title")).to_be_in_viewport()
    assert page.evaluate("document.getElementById('keys').scrollHeight > innerHeight")
    # what holds alone only is no rule of this table
    expect(page.locator("#keys")).not_to_contain_text("Countess")


def test_on_a_phone_the_focus_comes_back_to_the_menu(server: Server, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    TablePage(page, seed=1).open_new(server.address, seats=2, game="valeria")
    page.tap(".bar-opens-more")
    page.tap("[data-opens='keys']")
    expect(page.locator("#keys-title")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator(".bar-opens-more")).to_be_focused()
    context.close()
