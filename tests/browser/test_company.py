"""Two people at one table, at a desk and with a phone: what they say to each other, and going back by consent."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from browser.conftest import Server, cut_off
from browser.table_page import TablePage, open_for_people, sit, wait_for_news, wait_until_begun

#: Milliseconds until a line that was lost is there again: it is looked for every second or two.
BACK = 30_000
QUICK = """async () => {
  const {action} = document.getElementById('chat-say');
  const say = (n) => fetch(action, {method: 'POST', body: new URLSearchParams({line: `Quick ${n}`})});
  await Promise.all([...Array(20).keys()].map(say));
}"""


def _sat_down(server: Server, two: list[Page]) -> None:
    ada, eve = two
    sit(eve, open_for_people(server, ada, 2), "Eve", 1)
    for page in two:
        wait_until_begun(page)


def _is_beside(page: Page) -> None:
    """The drawer lies within the window, and does not cover the town of who talks."""
    drawer, town = (page.locator(id).bounding_box() for id in ("#chat", "#town"))
    assert drawer
    assert town
    size = page.viewport_size
    assert size
    assert drawer["y"] + drawer["height"] <= size["height"] + 1
    assert drawer["x"] + drawer["width"] <= size["width"]
    assert drawer["x"] >= town["x"] + town["width"]


def test_a_chat_between_a_desk_and_a_phone(server: Server, two: list[Page]) -> None:
    ada, eve = two
    _sat_down(server, two)
    # so that it is for Ada to move, later
    phone = TablePage(eve, 2)
    if phone.live():
        phone.click_something()
    # the drawer is closed; what comes is counted
    expect(eve.locator("#chat")).to_be_hidden()
    expect(ada.locator("#chat")).to_be_hidden()
    ada.click("#chat-open")
    _is_beside(ada)
    ada.fill("#chat-say input", "Hello <i>Eve</i>")
    ada.keyboard.press("Enter")
    expect(ada.locator("#chat-lines li")).to_have_text(re.compile(r"Ada\s+Hello <i>Eve</i>"))
    assert ada.input_value("#chat-say input") == ""
    expect(eve.locator("#chat-unread")).to_have_text("1")
    ada.fill("#chat-say input", "Are you there?")
    ada.keyboard.press("Enter")
    expect(eve.locator("#chat-unread")).to_have_text("2")
    eve.click("#chat-open")
    expect(eve.locator("#chat-lines li")).to_have_count(2)
    expect(eve.locator("#chat-unread")).to_be_hidden()
    box = eve.locator("#chat").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    expect(eve.locator("#chat-say input")).to_be_focused()
    eve.keyboard.type("Yes, d u l")
    eve.keyboard.press("Enter")
    expect(ada.locator("#chat-lines li")).to_have_count(3)
    expect(ada.locator("#chat-lines li").last).to_contain_text("Yes, d u l")
    # typing is no shortcut, and no news takes the focus away
    eve.keyboard.type("half a")
    version = TablePage(eve, 1).version
    TablePage(ada, 1).wait_for_my_turn()
    TablePage(ada, 1).click_something()
    wait_for_news(eve, version)
    expect(eve.locator("#chat-say input")).to_be_focused()
    assert eve.input_value("#chat-say input") == "half a"
    eve.keyboard.press("Escape")
    expect(eve.locator("#chat")).to_be_hidden()
    # all of it is there again, and comes once, when the line comes back
    eve.reload()
    eve.click("#chat-open")
    expect(eve.locator("#chat-lines li")).to_have_count(3)
    with cut_off(eve):
        ada.fill("#chat-say input", "While you were away")
        ada.keyboard.press("Enter")
        expect(ada.locator("#chat-lines li")).to_have_count(4)
    expect(eve.locator("#chat-lines li")).to_have_count(4, timeout=BACK)
    # who writes too fast keeps what was written
    refused = ada.get_by_text("You write faster than others can read.")
    while not refused.is_visible():
        # many at once, so that it is too fast on a slow machine, too
        ada.evaluate(QUICK)
        ada.fill("#chat-say input", "Quick")
        ada.keyboard.press("Enter")
        ada.wait_for_function("() => !document.getElementById('chat-say').hasAttribute('aria-busy')")
    assert ada.input_value("#chat-say input") == "Quick"


def test_the_chat_without_a_script(server: Server, browser: Browser, two: list[Page]) -> None:
    _sat_down(server, two)
    ada, eve = two
    context = browser.new_context(java_script_enabled=False, storage_state=eve.context.storage_state())
    plain = context.new_page()
    plain.goto(ada.url)
    plain.fill("#chat-say input", "Without a script")
    plain.click("#chat-say button")
    expect(plain.locator("#chat-lines li")).to_contain_text("Without a script")
    expect(ada.locator("#chat-lines li")).to_contain_text("Without a script")
    context.close()


def test_going_back_by_consent(server: Server, two: list[Page]) -> None:
    _sat_down(server, two)
    first, second = sorted((TablePage(page, n) for n, page in enumerate(two)), key=lambda player: not player.live())
    asker, other = first.page, second.page
    asker.click("#pick-0")
    asker.click("#confirm")
    asker.wait_for_selector("#go-back-button")
    log = asker.locator("#log ol > li[id^='ply-']")
    before = log.count()
    assert before
    desk, top = two[0], "document.getElementById('ask').getBoundingClientRect().top"
    was = desk.evaluate(top)
    # what it costs is asked about
    asker.on("dialog", lambda dialog: dialog.accept())
    asker.click("#go-back-button")
    expect(asker.locator("#asked-back")).to_contain_text("You have asked to go back.")
    expect(other.locator("#asked-back")).to_contain_text("what has been shown since stays known")
    expect(other.locator("#asked-back")).to_contain_text("not counted in your results")
    # at a desk nothing moves by that
    expect(desk.locator("#asked-back")).to_be_visible()
    assert desk.evaluate(top) == was
    other.locator("#asked-back").get_by_role("button", name="No").click()
    expect(asker.locator("#asked-back")).to_contain_text("would rather not")
    # more happens, and it can be asked again
    second.wait_for_my_turn()
    second.click_something()
    asker.reload()
    asker.click("#go-back-button")
    other.locator("#asked-back").get_by_role("button", name="Go back").click()
    for page in two:
        expect(page.locator("#log")).to_contain_text("went back to here; what comes now was drawn anew.")
        expect(page.locator("#asked-back")).to_have_count(0)
    expect(asker.locator("#pick-0[data-ui-live]")).to_have_count(1)
