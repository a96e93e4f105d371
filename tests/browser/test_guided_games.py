"""Guided first games in the browser: begun on the first page, played to their ends, left and taken up again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Server

from browser.conftest import unpainted
from browser.resting import TWO_FRAMES
from thorp import Match
from thorp.checks.guides import Moment, obedient, play_guided
from thorp.core.guide import guide_of
from thorp.core.registry import game as find_game

GAMES = ("tiny-towns", "villagers", "valeria")

#: Whether the slip lies over what it asks to be clicked, or over what it speaks of.
_COVERS = """() => {
  const slip = document.getElementById('guide'), about = document.querySelector('[data-ui-guided]');
  if (slip.hidden || !about) return false;
  const [one, other] = [slip.getBoundingClientRect(), about.getBoundingClientRect()];
  return Math.min(one.right, other.right) > Math.max(one.left, other.left) + 1
    && Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top) + 1;
}"""
_MASKED = """() => [...document.querySelectorAll('[data-ui-guided]')]
  .filter((each) => getComputedStyle(each).maskImage !== 'none').map(({ id }) => id)"""
#: Whether all of the slip lies in the window, where its sentence can be read.
_READABLE = """() => {
  const { top, bottom } = document.getElementById('guide').getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""
#: Whether the slip lies over this.
_IS_OVER = """(selector) => {
  const [one, other] = ['#guide', selector].map((each) => document.querySelector(each).getBoundingClientRect());
  return Math.min(one.right, other.right) > Math.max(one.left, other.left)
    && Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top);
}"""
#: Whether all of this lies below the bar, and in the window.
_IS_IN_SIGHT = """(selector) => {
  const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
  return top >= document.querySelector('.bar').getBoundingClientRect().bottom && bottom <= innerHeight;
}"""
#: Whether what the slip speaks of begins below the bar, and the slip ends above what is asked; or the guide is quiet.
_HAS_ROOM = """() => {
  const guide = document.getElementById('guide');
  if (!document.querySelector('[data-ui-guided]')) return guide.hidden;
  const [bar, about, slip, ask] = ['.bar', '[data-ui-guided]', '#guide', '#ask']
    .map((each) => document.querySelector(each).getBoundingClientRect());
  return about.top >= bar.bottom && slip.bottom <= ask.top;
}"""
_SHOWN = """([stage, step]) => {
  const { stageOfGuide, guideStep } = document.getElementById('guide')?.dataset ?? {};
  return stageOfGuide === stage && guideStep === step;
}"""


def _begin(server: Server, page: Page, game: str) -> None:
    page.goto(server.address)
    page.wait_for_selector(f"form.learn[action='/games/{game}/learn']", timeout=120_000)
    page.click(f"form.learn[action='/games/{game}/learn'] button")
    page.wait_for_selector("#guide")
    # or keys are pressed before the script hears them
    page.wait_for_load_state()


def _moments(game: str) -> Iterator[Moment]:
    """What happens in the guided game where the person does as it is told: the same here and at the table."""
    guide = guide_of(find_game(game))
    assert guide is not None
    return play_guided(find_game(game), guide, obedient(guide))


def _wait_for(page: Page, moment: Moment) -> None:
    """Until the guide says what it has to say at a moment, beside what it speaks of."""
    now = moment.now
    stage = "closing" if now.step is None else "says" if now.saying else "quiet"
    page.wait_for_function(_SHOWN, arg=[stage, str(now.index)])
    if stage == "says":
        page.evaluate(TWO_FRAMES)
        # a mask would cut the frame off
        assert page.evaluate(_MASKED) == []
        # what the slip stands beside may still be growing
        page.wait_for_function(f"() => !({_COVERS})()")


def _click_through(page: Page, moment: Moment, asked: bool = True) -> None:
    """Make the move of a moment: by clicking its steps, as far as they have to be clicked.

    `asked`: whether the guide speaks of it; where it still speaks of something else its slip may lie over them.
    """
    match, move = moment.match, moment.move
    assert move is not None
    guide = guide_of(match.game)
    assert guide is not None
    counter = page.locator("#moves-form input[name='counter']")
    before = counter.get_attribute("value")
    for step in match.game.face.steps(match.state, guide.seat, move):
        live = page.locator(f"[data-step~='{step}'][data-ui-live]:visible")
        if asked and moment.now.saying and step in moment.now.saying.do:
            assert live.count() or page.locator(f"[data-step~='{step}'][data-ui-chosen]").count()
            if live.count():
                # also after a first or a second click: the mark shows where to go on
                expect(page.locator(f"[data-step~='{step}'][data-ui-guided='do']")).not_to_have_count(0)
                expect(page.locator("#guide")).to_be_visible()
        if live.count() and counter.count() and counter.get_attribute("value") == before:
            if asked:
                live.first.click()
            else:
                live.first.dispatch_event("click")
    page.wait_for_function(
        "(before) => document.querySelector('#moves-form input[name=counter]')?.value !== before", arg=before
    )


def _play(page: Page, moments: Iterator[Moment], until: str = "") -> Moment:
    """Do as the guide says until it says a step, or to the end; the last moment."""
    said = None
    for moment in moments:
        if moment.now.step and moment.now.saying and moment.now.step.id == until:
            return moment
        _wait_for(page, moment)
        # a sentence that has been read moves the page no more
        if moment.now.saying and moment.now.index != said:
            page.wait_for_function(_READABLE)
            said = moment.now.index
        if moment.move is not None:
            _click_through(page, moment)
        elif moment.now.step is not None:
            page.click("#guide-read")
        else:
            return moment
    raise AssertionError("the guide does not come to its end")


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_guided_game_is_played_to_its_end_by_clicking(server: Server, page: Page, game: str) -> None:
    _begin(server, page, game)
    moments = _moments(game)
    score = _play(page, moments, until="score")
    # on a phone it leaves the names of the sheet free, which it speaks of
    page.set_viewport_size({"width": 360, "height": 740})
    _wait_for(page, score)
    # what stands above may still change its height
    page.wait_for_function(f"(selector) => !({_IS_OVER})(selector) && ({_IS_IN_SIGHT})(selector)", arg=".end thead")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.click("#guide-read")
    last = _play(page, moments)
    assert last.match.over
    match = Match.load(page.request.get(page.url + "/export.json").body())
    assert match.scores == last.match.scores
    leads = page.locator("#guide a").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    assert leads == [f"/games/{game}", f"/games/{game}/rules"]
    page.click("#guide-rest")
    page.wait_for_selector("#guide", state="detached")


@pytest.mark.parametrize(("game", "language"), [*zip(GAMES, ("es", "ja", "pt"), strict=True)])
def test_on_a_phone_nothing_that_is_to_be_clicked_is_covered(
    server: Server, browser: Browser, game: str, language: str
) -> None:
    """Nor does the slip lie where nobody can read it: on a short phone, where most sentences take more lines."""
    size = {"width": 360, "height": 640}
    context = unpainted(browser.new_context(viewport=size, reduced_motion="reduce", has_touch=True, locale=language))
    page = context.new_page()
    _begin(server, page, game)
    _play(page, _moments(game), until="on-your-own")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    size = {"width": 360, "height": 740}
    context = unpainted(browser.new_context(viewport=size, reduced_motion="reduce", has_touch=True))
    yield context.new_page()
    context.close()


def test_on_a_phone_the_slip_keeps_clear_though_nobody_goes_on(server: Server, phone: Page) -> None:
    """Of the bar and of what is asked. And what comes too late is not said any more."""
    _begin(server, phone, "tiny-towns")
    phone.wait_for_function(f"() => document.querySelector('[data-ui-guided]') && ({_HAS_ROOM})()")
    for moment in _moments("tiny-towns"):
        if moment.move is None:
            continue
        _click_through(phone, moment, asked=False)
        phone.evaluate(TWO_FRAMES)
        if moment.now.step and moment.now.step.id == "build-well":
            break
        phone.wait_for_function(_HAS_ROOM)
    # the cards, and how the Well is built, are behind; the number of which it speaks can be read
    phone.wait_for_function(_SHOWN, arg=["says", "7"])
    phone.wait_for_selector("#town-points[data-ui-guided]")
    phone.wait_for_function(_IS_IN_SIGHT, arg="#town-points b")


def test_on_a_phone_the_mark_is_on_what_the_sentence_names(server: Server, phone: Page) -> None:
    """And the names of the squares are free, by which it calls one of them."""
    _begin(server, phone, "tiny-towns")
    moments = _moments("tiny-towns")
    place = _play(phone, moments, until="place-stone")
    _wait_for(phone, place)
    phone.wait_for_function(f"(selector) => !({_IS_OVER})(selector)", arg=".columns")
    # a finger has more room than is seen
    above = phone.evaluate(
        """() => {
          const { left, right, top } = document.getElementById('guide-rest').getBoundingClientRect();
          return document.elementFromPoint((left + right) / 2, top - 4)?.id;
        }"""
    )
    assert above == ("guide-rest" if phone.evaluate("matchMedia('(pointer: coarse)').matches") else "")
    _click_through(phone, place)
    build = _play(phone, moments, until="build-well")
    _wait_for(phone, build)
    assert phone.locator("[data-ui-guided='do']").get_attribute("id") == "card-2"
    phone.wait_for_function(f"(selector) => !({_IS_OVER})(selector)", arg="#pick-card-2")


def test_after_a_wrong_turn_the_guide_shows_the_way_back(server: Server, phone: Page) -> None:
    """It does not say again what cannot be done from there. And two rows that look alike are told apart."""
    _begin(server, phone, "villagers")
    build = _play(phone, _moments("villagers"), until="build-carpenter")
    _wait_for(phone, build)
    phone.click("#hand-19")
    assert phone.locator(".vi-quick-name:visible").all_inner_texts() == ["In your village", "Give it up for"]
    phone.locator("#pick-basic-1").dispatch_event("click")
    phone.wait_for_selector("#step-back[data-ui-guided='do']")
    assert not phone.is_visible("#guide")
    phone.click("#step-back")
    phone.wait_for_selector("#guide", state="visible")


def test_it_is_led_by_keys_through_a_reload_and_ended_while_it_is_quiet(server: Server, page: Page) -> None:
    _begin(server, page, "tiny-towns")
    moments = _moments("tiny-towns")
    for _ in range(3):
        _wait_for(page, next(moments))
        page.keyboard.press("o")
    naming = next(moments)
    _wait_for(page, naming)
    assert page.locator("[data-ui-guided='do']").get_attribute("data-step") == "resource-4"
    page.reload()
    _wait_for(page, naming)
    page.keyboard.press("s")
    _wait_for(page, next(moments))
    # Another square than the guide has said: it goes on from there.
    page.click("#square-0")
    page.wait_for_function(_SHOWN, arg=["says", "5"])
    page.evaluate(TWO_FRAMES)
    assert "beside your stone" in page.inner_text("#guide-words")
    assert page.get_attribute("#guide-words", "role") == "status"
    page.click("#guide-end button")
    page.wait_for_selector("#guide[data-stage-of-guide='rests']")
    # The mark goes with the next frame.
    page.wait_for_selector("[data-ui-guided]", state="detached")
    page.click("#square-5")
    page.wait_for_function("() => document.querySelectorAll('.squares use[href^=\"#r-\"]').length >= 2")
    page.click("#guide-speak")
    page.wait_for_function(_SHOWN, arg=["says", "7"])


def test_a_press_counts_though_the_slip_moves_away_under_it(server: Server, page: Page) -> None:
    """What others do makes what is asked higher, beside which it lies."""
    _begin(server, page, "tiny-towns")
    moments = _moments("tiny-towns")
    _wait_for(page, next(moments))
    page.hover("#guide-read")
    page.mouse.down()
    page.evaluate("document.getElementById('guide').style.translate = '0 300px'")
    page.mouse.up()
    _wait_for(page, next(moments))


def test_without_script_it_stands_above_the_table(server: Server, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    _begin(server, page, "tiny-towns")
    assert "sixteen squares" in page.inner_text("#guide-words")
    page.click("#guide-read")
    expect(page.locator("#guide-words")).to_contain_text("seven cards")
    slip, town = page.locator("#guide").bounding_box(), page.locator("#town").bounding_box()
    assert slip is not None
    assert town is not None
    assert slip["y"] + slip["height"] <= town["y"]
    context.close()
