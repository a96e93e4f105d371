"""Two people at one device: what one of them was shown comes back by no button of the browser."""

from collections.abc import Iterator

import chromium
import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from browser.conftest import ARGUMENTS, Server
from browser.table_page import TablePage

#: The lines of the log, and what is asked, as they are said.
_WORDS = """(place) => [...document.querySelectorAll(place)].map((line) => {
  const copy = line.cloneNode(true);
  copy.querySelector('a.ply')?.remove();
  return copy.textContent.replace(/\\s+/g, ' ').trim();
})"""
#: Somebody has something to choose, or is to be passed the device.
_GOES_ON = """() => document.querySelector('.curtain')
  || [...document.querySelectorAll('[data-ui-live]')].some((each) => each.checkVisibility())"""
_LOG = "#log li[id^='ply-']"


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
    # who does not see it is told, and begins at what lifts it
    expect(page.locator("#said")).to_have_text("Pass the device to Ada")
    expect(page.locator("#lift-curtain")).to_be_focused()
    # but not with the key that is still held from before
    page.evaluate("document.addEventListener('submit', () => document.body.dataset.lifted = 'yes')")
    page.locator("#table").focus()
    page.keyboard.down("Enter")
    page.locator("#lift-curtain").focus()
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    assert page.get_attribute("body", "data-lifted") is None
    page.keyboard.press("Enter")
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
    # or its script has not run yet
    page.wait_for_load_state("domcontentloaded")
    page.evaluate("for (const id of ['said', 'why', 'why-said']) document.getElementById(id).textContent = 'A secret'")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    expect(page.locator("#table > *")).to_have_count(0)
    assert "A secret" not in page.content()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(page.locator(".va-hand")).not_to_have_count(0)


def test_a_curtain_that_falls_by_itself_leaves_nothing_said(server: Server, page: Page) -> None:
    """Who listens hears behind the curtain what stands on it, and no more."""
    _sit_down(page, server.address, "villagers")
    table = TablePage(page, seed=3)
    curtain = page.locator(".curtain")
    told: list[str] = []
    secret: list[str] = []
    for _ in range(200):
        page.wait_for_function(_GOES_ON)
        if curtain.count():
            public = page.evaluate(_WORDS, _LOG)
            secret = [line for line in told if line not in public]
            if secret:
                break
            page.click("#lift-curtain")
            page.wait_for_selector("#device:not(.curtain)")
            page.wait_for_function(_GOES_ON)
            told = []
        before = table.look()
        page.locator(f"[id='{table.rng.choice(table.live())}']").click()
        table.confirm()
        table.wait_for_change(before)
        # a move is said once it is answered
        page.wait_for_function(_GOES_ON)
        if not curtain.count():
            said = page.locator("#said").inner_text()
            told = [line for line in page.evaluate(_WORDS, _LOG) if line in said]
    assert secret, "nothing was said that is for one of them only"
    expect(page.locator("#lift-curtain")).to_be_focused()
    said = page.locator("#said").inner_text()
    assert said.count(page.locator("#device h2").inner_text()) == 1
    for line in page.evaluate(_WORDS, f"{_LOG}, #asked > *, #device h2"):
        said = said.replace(line, "")
    assert not said.strip(), f"still said behind the curtain: {said}"
    for place in ("#why", "#why-said"):
        expect(page.locator(place)).to_be_empty()


def test_where_nothing_is_secret_there_is_no_curtain(server: Server, page: Page) -> None:
    _sit_down(page, server.address, "tiny-towns", monuments="no")
    expect(page.locator(".curtain")).to_have_count(0)
    # the page has turned to whoever begins; the other one is a click away
    first = page.inner_text("#device strong")
    other = {"Ada": "Bo", "Bo": "Ada"}[first]
    page.get_by_role("button", name=other, exact=True).click()
    expect(page.locator("#device strong")).to_have_text(other)
    expect(page.locator(".curtain")).to_have_count(0)
