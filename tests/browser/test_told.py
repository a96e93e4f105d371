"""What a table says to who hears it: hands, markets, and the villages of others chain by chain."""

import re

from playwright.sync_api import Page, expect
from serving import Server

from browser.table_page import TablePage


def test_hands_markets_and_villages_of_others(server: Server, page: Page) -> None:
    TablePage(page, seed=1).open_new(server.address, seats=3, game="villagers")
    hands = page.locator("#others").get_by_role("img", name=re.compile(r"^Hand, \d cards?; \d [a-z]+"))
    expect(hands).to_have_count(2)
    market = "The First Market is held when stacks 1 and 2 are empty."
    expect(page.locator("#vi-road").get_by_role("button", name=market)).to_have_text("1")
    page.get_by_role("button", name=re.compile("^Village of ")).first.click()
    village = page.locator(".leaf-large:popover-open")
    chain = village.get_by_role("group", name="Chain: grain, 1 villager", exact=True)
    expect(chain.get_by_role("button")).to_have_accessible_name("Founders, grain. 2 gold at each market.")
