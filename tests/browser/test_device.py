"""Two people at one device: what one of them was shown comes back by no button of the browser."""

from collections.abc import Iterator

import chromium
import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from browser.conftest import ARGUMENTS, Server


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium that keeps pages for its back button, as people's browsers do."""
    browser = playwright.chromium.launch(
        executable_path=str(chromium.find()),
        args=list(ARGUMENTS),
        ignore_default_args=["--disable-back-forward-cache"],
    )
    yield browser
    browser.close()


def _sit_down(page: Page, address: str, game: str, **options: str) -> None:
    page.goto(address)
    page.wait_for_selector("a[href^='/games/']", timeout=120_000)
    page.click(f"a[href='/games/{game}']")
    page.fill("input[name='name']", "Ada")
    expect(page.locator("input[name='name.1']")).to_be_hidden()
    page.select_option("select[name='seat.1']", "here")
    page.fill("input[name='name.1']", "Bo")
    if options and page.locator("input[data-sets='*']").count():
        page.click("label:has(input[data-sets='*'])")
    for option, value in options.items():
        page.click(f"label:has(input[name='option.{option}'][value='{value}'])")
    page.click("form.setup button.main")
    page.wait_for_selector("#table")


def test_a_hand_does_not_come_back(server: Server, page: Page) -> None:
    _sit_down(page, server.address, "valeria")
    table = page.url
    hand = page.locator(".va-hand")
    curtain = page.get_by_role("heading", name="Pass the device to Ada")
    expect(curtain).to_be_visible()
    expect(hand).to_have_count(0)
    page.click("#lift-curtain")
    expect(hand).not_to_have_count(0)
    page.reload()
    expect(hand).not_to_have_count(0)
    page.click("#draw-curtain")
    expect(curtain).to_be_visible()
    for _ in range(4):
        page.go_back()
        if page.url == table:
            expect(curtain).to_be_visible()
            expect(hand).to_have_count(0)
    page.goto(table)
    page.get_by_role("button", name="I am Bo").click()
    expect(hand).not_to_have_count(0)
    page.click(".mark")
    page.wait_for_selector(".home")
    page.go_back()
    expect(hand).not_to_have_count(0)
    expect(page.locator("#device strong")).to_have_text("Bo")


def test_a_page_that_the_browser_kept_holds_nothing(server: Server, page: Page) -> None:
    """Whatever the browser keeps of a page that is left: the table is not in it, and the present is asked for."""
    _sit_down(page, server.address, "valeria")
    page.click("#lift-curtain")
    expect(page.locator(".va-hand")).not_to_have_count(0)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    expect(page.locator("#table > *")).to_have_count(0)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(page.locator(".va-hand")).not_to_have_count(0)


def test_where_nothing_is_secret_there_is_no_curtain(server: Server, page: Page) -> None:
    _sit_down(page, server.address, "tiny-towns", monuments="no")
    expect(page.locator(".curtain")).to_have_count(0)
    # the page has turned to whoever begins; the other one is a click away
    first = page.inner_text("#device strong")
    other = {"Ada": "Bo", "Bo": "Ada"}[first]
    page.get_by_role("button", name=other, exact=True).click()
    expect(page.locator("#device strong")).to_have_text(other)
    expect(page.locator(".curtain")).to_have_count(0)
