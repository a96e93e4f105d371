"""The form of a new table in the browser: I keep a seat whatever is chosen, and two clicks make one table."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect
from serving import Server

from browser.table_page import open_match

MATCH = Path(__file__).parent.parent / "matches/tiny_towns/six-seats.json"

#: As a hand that is used to double clicks does it: the first answer is not there yet.
_TWICE = "(button) => { button.click(); setTimeout(() => button.click(), 30); }"


def _open_form(server: Server, page: Page, game: str = "tiny-towns") -> None:
    page.goto(f"{server.address}/games/{game}")
    page.wait_for_selector("#setup", timeout=120_000)
    # with its script: while a game is got ready its page loads itself anew
    page.wait_for_load_state()


def test_who_loses_the_seat_gets_another(server: Server, page: Page) -> None:
    _open_form(server, page)
    page.click("label:has(input[name='seats'][value='4'])")
    page.select_option("select[name='seat.3']", "me")
    assert page.input_value("select[name='seat.0']") == "link"
    page.click("label:has(input[name='seats'][value='2'])")
    assert page.input_value("select[name='seat.0']") == "me"
    # nor am I at two seats, where there are more again
    page.click("label:has(input[name='seats'][value='4'])")
    assert [page.input_value(f"select[name='seat.{n}']") for n in range(4)].count("me") == 1
    page.click("label:has(input[name='seats'][value='2'])")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#table[data-stage='playing']")


def test_who_gives_the_seat_away_gets_none(server: Server, page: Page) -> None:
    """Who opens a table for others is not put back."""
    _open_form(server, page)
    page.click("label:has(input[name='seats'][value='4'])")
    for seat in range(4):
        page.select_option(f"select[name='seat.{seat}']", "link")
    page.click("label:has(input[name='seats'][value='2'])")
    assert [page.input_value(f"select[name='seat.{n}']") for n in range(2)] == ["link", "link"]


def test_all_others_are_seated_at_once(server: Server, page: Page) -> None:
    _open_form(server, page)
    page.click("label:has(input[name='seats'][value='3'])")
    page.select_option("select[name='seat.2']", "casual")
    bots, link, here = (page.locator(f"[data-all='{who}']") for who in ("bots", "link", "here"))
    expect(bots).to_have_attribute("aria-pressed", "true")
    link.click()
    assert [page.input_value(f"select[name='seat.{n}']") for n in range(3)] == ["me", "link", "link"]
    expect(page.get_by_text("Who may look on")).to_be_visible()
    expect(link).to_have_attribute("aria-pressed", "true")
    expect(bots).to_have_attribute("aria-pressed", "false")
    # the lists stay what holds
    page.select_option("select[name='seat.1']", "strong")
    expect(link).to_have_attribute("aria-pressed", "false")
    bots.click()
    assert [page.input_value(f"select[name='seat.{n}']") for n in range(3)] == ["me", "strong", "skilled"]
    here.click()
    expect(page.locator("input[name='name.1']")).to_be_visible()
    page.click("label:has(input[name='seats'][value='1'])")
    expect(here).to_be_hidden()


def test_only_bots_play_and_i_watch(server: Server, page: Page) -> None:
    _open_form(server, page)
    watch, bots = page.locator("[data-all='watch']"), page.locator("[data-all='bots']")
    page.select_option("select[name='seat.1']", "casual")
    watch.click()
    assert [page.input_value(f"select[name='seat.{n}']") for n in range(2)] == ["skilled", "casual"]
    expect(watch).to_have_attribute("aria-pressed", "true")
    expect(bots).to_have_attribute("aria-pressed", "false")
    # and back
    bots.click()
    assert [page.input_value(f"select[name='seat.{n}']") for n in range(2)] == ["me", "casual"]
    expect(watch).to_have_attribute("aria-pressed", "false")
    expect(bots).to_have_attribute("aria-pressed", "true")
    watch.click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#table[data-stage='playing']")
    expect(page.get_by_text("You are watching.")).to_be_visible()
    # they play while somebody looks
    expect(page.locator(".log li").first).to_be_visible()


def test_how_long_bots_think_is_told(server: Server, page: Page) -> None:
    _open_form(server, page)
    expect(page.locator(".bot-levels")).to_contain_text("Skilled, up to 0.05 s")
    expect(page.locator(".bot-levels")).to_contain_text("Master, up to 1.8 s")


def test_two_clicks_make_one_table(server: Server, page: Page) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    _open_form(server, page)
    page.get_by_role("button", name="Start").evaluate(_TWICE)
    page.wait_for_selector("#table[data-stage='playing']")
    assert sent == [f"{server.address}/tables"]
    # the guided first game, too
    page.goto(server.address)
    page.locator("form.learn button").first.evaluate(_TWICE)
    page.wait_for_selector("#guide")
    assert len(sent) == 2
    page.goto(server.address)
    expect(page.locator("a.visit")).to_have_count(2)


def test_two_clicks_play_on_once(server: Server, page: Page) -> None:
    open_match(server, page, MATCH)
    page.goto(f"{page.url}/at/4")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.click("#play-on summary")
    page.get_by_role("button", name="Play on", exact=True).evaluate(_TWICE)
    page.wait_for_selector("#table[data-stage='playing']:not(.past)")
    assert len(sent) == 1


def test_who_comes_back_can_start_again(server: Server, page: Page) -> None:
    """A browser may keep the page as it was left."""
    _open_form(server, page)
    stays = "(event) => { submitted.push(event.defaultPrevented); event.preventDefault(); }"
    page.evaluate(f"window.submitted = []; addEventListener('submit', {stays})")
    start = page.get_by_role("button", name="Start")
    start.click()
    start.click()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    start.click()
    assert page.evaluate("submitted") == [False, True, False]
