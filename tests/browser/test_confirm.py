"""What cannot be taken back waits until it is confirmed, at tables with people: by mouse, by keys and from the list."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from browser.conftest import Server, to_be_answered
from browser.table_page import TablePage, open_for_people, sit, wait_for_news, wait_until_begun


def _begun(server: Server, two: list[Page]) -> list[TablePage]:
    """A table of Tiny Towns with two people; who names first, then the other."""
    ada, eve = map(to_be_answered, two)
    sit(eve, open_for_people(server, ada, 2), "Eve", 1)
    for page in two:
        wait_until_begun(page)
        page.evaluate("document.getElementById('moves')?.setAttribute('open', '')")
    players = [TablePage(page, seed) for seed, page in enumerate(two)]
    return sorted(players, key=lambda player: not player.live())


def test_the_last_click_waits(server: Server, two: list[Page]) -> None:
    player, other = _begun(server, two)
    page, version = player.page, player.version
    page.click("#pick-0")
    expect(page.locator("#confirm")).to_be_visible()
    # it says what cannot be taken back, and who goes on by keys confirms it
    held = page.locator("#held").inner_text()
    assert held == f"{page.locator('#moves button').first.inner_text()}. This cannot be taken back."
    expect(page.locator("#confirm")).to_be_focused()
    expect(page.locator("#pick-0[data-ui-chosen]")).to_have_count(1)
    # the line around it is that of what waits
    expect(page.locator("#pick-0")).to_have_css("outline-style", "solid")
    # and for who does not see it
    expect(page.locator("#pick-0")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#pick-1")).to_have_attribute("aria-disabled", "true")
    page.click("#step-back")
    expect(page.locator("#pick-0")).to_be_focused()
    expect(page.locator("#held")).to_be_hidden()
    expect(page.locator("#pick-1:not([aria-disabled])")).to_have_count(1)
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.locator("#table [aria-pressed]")).to_have_count(0)
    # another one, by keys
    page.focus("#pick-1")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.locator("#pick-1")).to_be_focused()
    # once more by the mouse, and back by a key
    page.click("#pick-2")
    page.keyboard.press("Escape")
    expect(page.locator("#pick-2")).to_be_focused()
    page.click("#pick-0")
    expect(page.locator("#confirm")).to_be_focused()
    # what comes from others leaves it as it is
    other.page.evaluate("document.getElementById('company').open = true")
    other.page.get_by_role("button", name="Let a bot play for me").click()
    expect(page.locator("#place-1, #place-0").filter(has_text="away")).to_have_count(1)
    expect(page.locator("#confirm")).to_be_visible()
    assert player.version == version
    told = f"A bot plays for {'Eve' if page is two[0] else 'Ada'} until they are back."
    expect(page.locator("#said > :last-child")).to_have_text(told)
    # while it is on its way what was asked before the choice is not asked again
    on_its_way: list[Route] = []
    page.route("**/moves", lambda route: on_its_way.append(route))
    with page.expect_request("**/moves"):
        page.keyboard.press("Enter")
    page.evaluate("new Promise((done) => setTimeout(done))")
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.locator("#said > :last-child")).to_have_text(told)
    # where no answer comes it is said that it was pressed
    expect(page.locator("#sending")).to_be_visible()
    on_its_way.pop().continue_()
    wait_for_news(page, version)
    expect(page.locator("#sending")).to_be_hidden()
    expect(page.locator("#confirm")).to_be_hidden()
    # the bot may have gone on by now, and that be said after it
    name = "Ada" if page is two[0] else "Eve"
    expect(page.locator("#said > p").filter(has_text=f"{name} names")).to_have_count(1)


def test_a_move_of_the_list_waits_too(server: Server, two: list[Page]) -> None:
    player, _ = _begun(server, two)
    page, version = player.page, player.version
    button = page.locator("#moves button[name='move']")
    button.nth(0).click()
    expect(page.locator("#confirm")).to_be_visible()
    button.nth(1).click()
    assert player.version == version
    page.keyboard.press("Escape")
    expect(button.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    words = button.nth(1).inner_text()
    page.click("#confirm")
    wait_for_news(page, version)
    named = re.sub(r"\W.*", "", words.split()[-1])
    expect(page.locator("#log")).to_contain_text(named)


def test_who_does_not_want_it_plays_at_once(server: Server, two: list[Page]) -> None:
    player, _ = _begun(server, two)
    page = player.page
    table = page.url
    page.goto(f"{server.address}/me")
    with page.expect_response("**/me/settings"):
        page.click("label:has(input[name='confirm'][value='never'])")
    page.goto(table)
    version = player.version
    page.click("#pick-0")
    wait_for_news(page, version)
    assert page.locator("#own[data-confirm]").count() == 0


def test_a_table_with_bots_does_not_wait(server: Server, page: Page) -> None:
    player = TablePage(page, 1)
    player.open_new(server.address, 2)
    assert page.locator("#own").count() == 1
    assert page.locator("#own[data-confirm]").count() == 0
