"""Who does not see the page hears what is said in the chat while its drawer is closed, as it is when the page opens."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from serving import Server

from browser.table_page import open_for_people, sit, wait_until_begun


def test_lines_are_said_while_the_drawer_is_closed(server: Server, two: list[Page]) -> None:
    ada, eve = two
    sit(eve, open_for_people(server, ada, 2), "Eve", 1)
    for page in two:
        wait_until_begun(page)
    ada.click("#chat-open")

    def say(words: str) -> None:
        ada.fill("#chat-say input", words)
        ada.keyboard.press("Enter")
        expect(eve.locator("#chat-lines li").last).to_contain_text(words)

    say("Hello <i>Eve</i>")
    expect(eve.locator("#said p").last).to_have_text("Ada: Hello <i>Eve</i>")
    # one's own line is not said, nor is what the open drawer shows: that says it by itself
    expect(ada.locator("#chat-lines li").last).to_contain_text("Hello")
    expect(ada.locator("#said")).not_to_contain_text("Hello")
    eve.click("#chat-open")
    say("Now I see you")
    expect(eve.locator("#said")).not_to_contain_text("Now I see you")
    # who has heard enough hears nothing more
    eve.reload()
    eve.click("#chat-open")
    eve.get_by_text("Who is heard").click()
    eve.get_by_role("button", name="Hear no more of Ada").click()
    eve.wait_for_selector("#chat-lines li", state="detached")
    eve.click("#chat-close")
    ada.fill("#chat-say input", "Are you there?")
    ada.keyboard.press("Enter")
    expect(ada.locator("#chat-lines li").last).to_contain_text("Are you there?")
    # lines come in their order: with one's own the one before would have come
    eve.click("#chat-open")
    eve.fill("#chat-say input", "Nobody here")
    eve.keyboard.press("Enter")
    expect(eve.locator("#chat-lines li")).to_have_count(1)
    expect(eve.locator("#said")).not_to_contain_text("Are you there?")
