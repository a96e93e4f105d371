"""Several people at one table, each in a browser of its own: open, share, sit down, start, play, leave, once more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Forked, Server

from browser.conftest import people_at
from browser.table_page import TablePage, open_for_people, sit, wait_for_news, wait_until_begun


@pytest.fixture
def people(browser: Browser) -> Iterator[list[Page]]:
    """Three people."""
    with people_at(browser, 1280, 1280, 1280) as pages:
        yield pages


@pytest.fixture
def hurried(tmp_path: Path) -> Iterator[Server]:
    """A server whose clocks go two hundred times as fast."""
    running = Forked(tmp_path / "data", more=("hurry=200",))
    running.start()
    yield running
    running.kill()


def test_three_people_at_one_table(server: Server, people: list[Page]) -> None:
    ada, eve, bob = people
    link = open_for_people(server, ada, 3)
    bob.goto(link)
    bob.fill("#sit input", "<b>Bob</b>")
    sit(eve, link, "Eve", 1)
    # what comes in disturbs nobody who types
    expect(bob.locator("#place-1")).to_contain_text("Eve")
    assert bob.input_value("#sit input") == "<b>Bob</b>"
    expect(ada.locator("#place-1")).to_contain_text("Eve")
    eve.get_by_role("button", name="Leave this seat").click()
    expect(ada.locator("#place-1")).to_contain_text("free")
    eve.click("#place-2 button[form='sit']")
    bob.click("#place-1 button[form='sit']")
    for page in people:
        wait_until_begun(page)
        assert page.url == link
        assert page.locator("b", has_text="Bob").count() == 0
    players = [TablePage(page, seed) for seed, page in enumerate(people)]
    for _ in range(4):
        player = next(each for each in players if each.live())
        player.page.evaluate("document.getElementById('moves').open = true")
        version = player.version
        player.page.locator("#moves button[name='move']").first.click()
        player.confirm()
        for page in people:
            wait_for_news(page, version)

    eve.evaluate("document.getElementById('company').open = true")
    eve.get_by_label("Which bot plays for me").select_option("casual")
    eve.get_by_role("button", name="Let a bot play for me").click()
    expect(eve.get_by_text("A bot plays for you until you are back.")).to_be_visible()
    expect(eve.get_by_text("You are watching.")).to_have_count(0)
    expect(ada.locator("#place-2 .place-who")).to_contain_text("away: a bot plays, casual")
    # the others are told, and see it
    for page in (ada, bob):
        expect(page.locator("#other-2 .away-mark")).to_have_text("away: a bot plays")
        expect(page.locator("#said")).to_contain_text("A bot plays for Eve until they are back.")
    eve.get_by_role("button", name="Take my seat back").click()
    expect(eve.locator("#come-back")).to_have_count(0)
    expect(ada.locator("#place-2 .place-who")).not_to_contain_text("away")
    for page in (ada, bob):
        expect(page.locator("#other-2 .away-mark")).to_have_count(0)
        expect(page.locator("#said")).to_contain_text("Eve is back.")
        assert page.locator("#said").inner_text().count("A bot plays for Eve until they are back.") == 1
    assert "back" not in eve.locator("#said").inner_text()


def test_the_opener_gives_seats_to_bots_without_a_script(server: Server, browser: Browser, page: Page) -> None:
    link = open_for_people(server, page, 4)
    context = browser.new_context(java_script_enabled=False, storage_state=page.context.storage_state())
    plain = context.new_page()
    plain.goto(link)
    plain.get_by_text("Change the seats").click()
    form = plain.locator("#change-1")
    # the list does not say of the seat what it is not, and nothing is done before a choice
    expect(form.locator("option:checked")).to_have_text("Put here …")
    form.get_by_role("button", name="Change").click()
    expect(plain.locator("#place-1")).to_contain_text("free")
    form.locator("select").select_option("casual")
    form.get_by_role("button", name="Change").click()
    expect(plain.locator("#place-1")).to_contain_text("a bot, casual")
    plain.get_by_text("Change the seats").click()
    expect(form.locator("option:checked")).to_have_text("Put here …")
    expect(form.locator("option[value='casual']")).to_have_count(0)
    form.locator("select").select_option("free")
    form.get_by_role("button", name="Change").click()
    expect(plain.locator("#place-1")).to_contain_text("free")
    context.close()


def test_a_full_table_and_a_seat_that_is_gone(server: Server, people: list[Page]) -> None:
    ada, eve, bob = people
    link = open_for_people(server, ada, 3)
    # Without the stream its page still offers the seat that Eve takes.
    bob.route("**/events*", lambda route: route.abort())
    bob.goto(link)
    sit(eve, link, "Eve", 1)
    expect(eve.locator("#table[data-seated]")).to_have_count(1)
    bob.fill("#sit input", "Bob")
    bob.click("#place-1 button[form='sit']")
    expect(bob.get_by_text("Somebody else has taken this seat by now.")).to_be_visible()
    ada.click("#start")
    ada.wait_for_selector("#table[data-stage='playing']")
    bob.click("#place-2 button[form='sit']")
    expect(bob.get_by_text("The match has begun")).to_be_visible()
    expect(bob.get_by_text("You are watching.")).to_be_visible()


def test_sitting_down_without_a_script(server: Server, browser: Browser, people: list[Page]) -> None:
    link = open_for_people(server, people[0], 2)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(link)
    assert page.input_value("#table-link") == link
    page.fill("#sit input", "Eve")
    page.keyboard.press("Enter")
    expect(page.locator("#table[data-stage='playing']")).to_have_count(1)
    context.close()


def test_who_changes_seats_by_keys_is_left_where_they_are(server: Server, people: list[Page]) -> None:
    ada, _, _ = people
    open_for_people(server, ada, 3)
    ada.click("#change-seats summary")
    form = ada.locator("#change-2")
    form.locator("select").select_option("casual")
    change = form.get_by_role("button", name="Change")
    change.focus()
    ada.keyboard.press("Enter")
    expect(ada.locator("#place-2")).to_contain_text("a bot, casual")
    expect(change).to_be_focused()
    expect(form.locator("select")).to_be_visible()
    # what is chosen now is nothing again
    expect(form.locator("option:checked")).to_have_text("Put here …")
    expect(form.locator("option[value='casual']")).to_have_count(0)


def test_a_seat_is_given_to_a_bot_once_its_person_is_gone(hurried: Server, people: list[Page]) -> None:
    """By keys, and who does so is left where they are. Who only loads the page again is not gone."""
    ada, eve, _ = people
    ada.clock.install()
    link = open_for_people(hurried, ada, 2)
    sit(eve, link, "Eve", 1)
    for page in (ada, eve):
        page.wait_for_selector("#table[data-stage='playing']")
    expect(ada.locator("#present")).to_contain_text("Eve")
    ada.evaluate("document.body.dataset.kept = 'yes'")
    ada.click("#company summary")
    company = ada.locator("#place-1")
    stand_in = company.get_by_role("button", name="Let a bot play while they are away")
    is_here = company.get_by_text("has this table open just now")
    expect(is_here).to_be_visible()
    expect(stand_in).to_be_hidden()
    eve.goto(hurried.address)
    # that somebody is gone is shown after three seconds, and that their seat may be played after a minute
    expect(ada.locator("#present")).not_to_contain_text("Eve")
    expect(is_here).to_be_visible()
    ada.clock.fast_forward(61_000)
    expect(is_here).to_be_hidden()
    stand_in.focus()
    ada.keyboard.press("Enter")
    expect(company).to_contain_text("away: a bot plays")
    assert ada.evaluate("document.body.dataset.kept") == "yes"
    expect(ada.locator("#company")).to_have_attribute("open", "")
    assert ada.evaluate("document.activeElement !== document.body")
    # who takes a seat back has a page anew, and is at the table
    eve.goto(link)
    eve.locator("#come-back button").focus()
    eve.keyboard.press("Enter")
    expect(eve.locator("#come-back")).to_have_count(0)
    eve.wait_for_function("() => document.activeElement.matches('#table, #table *')")
