"""The rules in the browser: opened from the table by a key and from cards, searched, without a script, translated."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from serving import Server

from browser.table_page import TablePage
from thorp.core.language import translated
from thorp.core.offered import complete

GAMES = ("tiny-towns", "villagers", "valeria")
#: What of some elements is wider than a phone.
WIDER = "all => all.filter(e => e.getBoundingClientRect().right > 360.5).map(e => e.outerHTML.slice(0, 99))"


def rules_of(server: Server, game: str) -> str:
    return f"{server.address}/games/{game}/rules"


def open_rules(page: Page, server: Server, game: str) -> None:
    """Go to the rules, and wait until the server knows its games."""
    page.goto(rules_of(server, game))
    page.wait_for_selector(".rules-text", timeout=60_000)
    # with its script: it may be another page than that which was gone to
    page.wait_for_load_state()


def test_a_key_opens_the_rules_beside_the_table(server: Server, context: BrowserContext, page: Page) -> None:
    TablePage(page, seed=1).open_new(server.address, seats=2, game="villagers")
    table = page.url
    with context.expect_page() as opened:
        page.keyboard.press("k")
    rules = opened.value
    # they are drawn for the first time, which takes a while
    rules.wait_for_url(rules_of(server, "villagers"))
    expect(rules.get_by_role("heading", level=1)).to_have_text("Villagers")
    assert page.url == table

    # with the text of a card open, at that card, and in the same tab
    page.evaluate("document.getElementById('about-brewer').showPopover()")
    page.keyboard.press("k")
    expect(rules).to_have_url(f"{rules_of(server, 'villagers')}#card-brewer")
    expect(rules.locator("#card-brewer")).to_be_in_viewport()
    assert len(context.pages) == 2
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_text("the rules, in a tab of their own")).to_be_visible()


def test_search_finds_cards_and_words(server: Server, page: Page) -> None:
    for game in GAMES:
        open_rules(page, server, game)
        card = page.locator(".rule-card").nth(5)
        name, anchor = card.locator("h4").inner_text(), card.get_attribute("id")
        page.keyboard.press("/")
        page.keyboard.type(name.upper())
        expect(page.locator("#rules-found a").first).to_have_attribute("href", f"#{anchor}")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"#{anchor}$"))
        expect(card).to_be_in_viewport()

        page.fill("#rules-words", "printed rules doubt")
        expect(page.locator("#rules-found a").first).to_have_attribute("href", "#rulings")
        page.fill("#rules-words", "ruling 12")
        expect(page.locator("#rules-found a").first).to_have_attribute("href", "#ruling-12")
        page.fill("#rules-words", "zeppelin")
        expect(page.locator("#rules-count")).to_have_text("Nothing of that is in the rules.")
        expect(page.locator("#rules-found a")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(page.locator("#rules-words")).to_have_value("")
        expect(page.locator("#rules-count")).to_have_text("")

        page.fill("#rules-words", "card")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.locator("#rules-found a").nth(1)).to_be_focused()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        expect(page.locator("#rules-words")).to_be_focused()


def test_the_page_is_whole_without_a_script_and_fits_a_phone(server: Server, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    for game in GAMES:
        open_rules(page, server, game)
        expect(page.locator("#rules-search")).to_be_hidden()
        page.get_by_role("link", name="Rulings", exact=True).click()
        expect(page.locator("#rulings")).to_be_in_viewport()
        expect(page.locator("#ruling-1")).to_be_visible()
        for each in (*page.locator(".rule-card").all()[:9], *page.locator(".rules-figure").all()):
            box = each.bounding_box()
            assert box
            assert (box["x"] >= 0, box["x"] + box["width"] <= 360) == (True, True)
        # a drawing is there, and none bursts its card
        for each in page.locator(".rule-card-drawn svg:visible").all()[:20]:
            box = each.bounding_box()
            assert box
            assert 4 < box["width"] < 200
    context.close()


@pytest.mark.parametrize("tag", translated())
def test_in_every_language_addresses_lead_there_and_a_phone_is_wide_enough(
    server: Server, browser: Browser, tag: str
) -> None:
    assert tag in {each.tag for each in complete(GAMES)}
    context = browser.new_context(locale=tag, viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    for game in GAMES:
        open_rules(page, server, game)
        assert page.locator("html").get_attribute("lang") == tag
        page.goto(f"{rules_of(server, game)}#ruling-12")
        expect(page.locator("#ruling-12")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        wide = page.locator(".rules-text > *, .rule-card, .rules-figure").evaluate_all(WIDER)
        assert wide == []
        card = page.locator(".rule-card").nth(5)
        name, anchor = card.locator("h4").inner_text(), card.get_attribute("id")
        page.fill("#rules-words", name)
        expect(page.locator("#rules-found a").first).to_have_attribute("href", f"#{anchor}")
        ruling = page.locator("#rules-count").get_attribute("data-ruling")
        assert ruling
        page.fill("#rules-words", ruling.replace("#", "12"))
        expect(page.locator("#rules-found a").first).to_have_attribute("href", "#ruling-12")
    context.close()
