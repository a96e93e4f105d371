"""What keys open, and that the focus comes back from it; and letters, digits and signs as keys, which may be off."""

from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.table_page import TablePage, wait_for_news
from browser.test_rules import open_rules


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


def test_keys_reach_what_is_folded_away(server: Server, page: Page) -> None:
    TablePage(page, seed=1).open_new(server.address, seats=2, game="villagers")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#letters")).to_be_hidden()
    page.keyboard.press("l")
    expect(page.locator("#letters[aria-pressed='true']")).to_have_count(1)
    with page.context.expect_page() as opened:
        page.keyboard.press("k")
    opened.value.wait_for_url("**/rules*")
    opened.value.close()
    page.keyboard.press(",")
    page.wait_for_url("**/at/*")


def test_the_text_of_a_card_keeps_no_place_of_a_wider_window(server: Server, page: Page) -> None:
    """It lies beside its card where there is room; where a tablet is turned, in the middle, as if it always had."""
    page.set_viewport_size({"width": 820, "height": 1180})
    TablePage(page, seed=1).open_new(server.address, seats=2, game="villagers")
    leaf = page.locator(".leaf:popover-open")

    def open_it() -> None:
        page.focus("#basic-0")
        page.keyboard.press("i")
        # the server says why it cannot be chosen, which makes it higher
        expect(leaf.locator(".leaf-why")).to_be_visible()

    open_it()
    upright = leaf.bounding_box()
    page.set_viewport_size({"width": 1180, "height": 820})
    expect(leaf).not_to_have_css("inset-inline-start", "0px")
    beside = leaf.bounding_box()
    assert upright
    assert beside
    assert beside["x"] != upright["x"]
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(leaf).to_have_css("inset-inline-start", "0px")
    assert leaf.bounding_box() == upright
    # also where it was closed meanwhile
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1180, "height": 820})
    open_it()
    assert leaf.bounding_box() == beside
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 820, "height": 1180})
    open_it()
    assert leaf.bounding_box() == upright


def test_the_text_of_a_card_has_the_focus_until_it_is_closed(server: Server, page: Page) -> None:
    TablePage(page, seed=1).open_new(server.address, seats=1, monuments="no")
    card = page.locator("#card-0")
    leaf = page.locator(".leaf:popover-open")
    for opens, closes in (("i", "Escape"), ("I", "i"), ("Enter", "Escape")):
        card.focus()
        page.keyboard.press(opens)
        expect(leaf).to_be_focused()
        assert leaf.get_attribute("id") == card.get_attribute("data-about")
        page.keyboard.press(closes)
        expect(leaf).to_have_count(0)
        expect(card).to_be_focused()
    # what is in the text comes next
    page.keyboard.press("i")
    page.keyboard.press("Tab")
    expect(leaf.locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(card).to_be_focused()
    # by a click the focus stays where it is
    card.click(force=True)
    expect(leaf).to_be_visible()
    expect(card).to_be_focused()


def test_who_reads_the_text_of_a_card_is_left_there(server: Server, page: Page) -> None:
    table = TablePage(page, seed=1)
    table.open_new(server.address, seats=1, monuments="no")
    page.locator("#card-0").focus()
    page.keyboard.press("i")
    before = table.version
    page.evaluate("document.querySelector('[id^=open-][data-ui-live]').click()")
    wait_for_news(page, before)
    expect(page.locator(".leaf:popover-open")).to_be_focused()


def test_letters_digits_and_signs_may_mean_nothing(server: Server, page: Page) -> None:
    TablePage(page, seed=1).open_new(server.address, seats=1, monuments="no")
    card, leaf, list_of_keys = page.locator("#card-0"), page.locator(".leaf:popover-open"), page.locator("#keys[open]")
    shown = page.locator(":is([data-key], [data-opens]) kbd:visible")
    expect(shown).not_to_have_count(0)
    page.keyboard.press("?")
    with page.expect_response("**/me/settings"):
        page.uncheck("#single-keys")
    page.keyboard.press("Escape")
    for _ in range(2):
        expect(list_of_keys).to_have_count(0)
        expect(shown).to_have_count(0)
        card.focus()
        for key in ("?", "i", "1", "u", "l"):
            page.keyboard.press(key)
        expect(card).to_be_focused()
        assert page.locator(":popover-open, dialog[open]").count() == 0
        expect(page.locator("#letters[aria-pressed='false']")).to_have_count(1)
        # all other keys do what they did
        page.keyboard.press("ArrowRight")
        expect(page.locator("#card-1")).to_be_focused()
        page.keyboard.press("Enter")
        expect(leaf).to_be_focused()
        page.keyboard.press("Escape")
        expect(leaf).to_have_count(0)
        # it is the person's, on every page
        page.reload()
        page.wait_for_selector("[data-ui-live]")
    page.click("[data-opens='keys']")
    page.check("#single-keys")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(list_of_keys).to_be_visible()


def test_in_the_rules_the_sign_of_the_search_may_mean_nothing(server: Server, page: Page) -> None:
    open_rules(page, server, "villagers")
    page.keyboard.press("/")
    expect(page.locator("#rules-words")).to_be_focused()
    page.goto(f"{server.address}/me")
    with page.expect_response("**/me/settings"):
        page.click("label:has(input[name='keys'][value='off'])")
    open_rules(page, server, "villagers")
    page.keyboard.press("/")
    expect(page.locator("#rules-words")).not_to_be_focused()
