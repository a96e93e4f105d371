"""Every page and a whole match of each game, in every language: no English is left, and nothing is cut or overflows."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import looks
import pytest
from playwright.sync_api import Browser, CDPSession, Page
from screenshots import Running, running
from wrapped import NAMES, TAG, bare, wrapped

from browser.conftest import styled
from browser.test_axe import AXE
from thorp.core.language import ENGLISH, language, translated
from thorp.core.registry import game as find_game
from thorp.core.registry import game_ids
from thorp.server.web import languages

MEASURE = Path(__file__).with_name("cut.js").read_text("utf-8")
LANGUAGES = deque(translated())
#: Sizes that are measured, and whether they are under fingers.
SIZES = ((1280, 800, False), (360, 740, True), (768, 1024, True))
#: What a page loads of the Japanese font, at most, for what Thorp says; and of each slice with signs of names.
MOST = 300_000
MOST_OF_A_SLICE = 30_000

#: Given to a page before anything of it. Nobody sees these pages but who measures them, and to paint them takes as long
#: as to lay them out; clipped in this way, nothing is painted, and for whoever asks all is where it was, and visible.
_UNPAINTED = "html { clip-path: polygon(0 0, 0 0, 0 0) !important }"
#: Of these only the words are read, those too that scripts put there.
_UNDISPLAYED = "html { display: none !important }"
#: What is cut, once all is set in its fonts.
_MEASURED = f"async () => {{ await document.fonts.ready; return ({MEASURE.rstrip().removesuffix(';')})(); }}"
#: Colours, which take most of the time, are the same in every language.
_AXE = """async (only) => {
  const rules = {
    'color-contrast': { enabled: false },
    'label-content-name-mismatch': { enabled: !document.getElementById('table') },
  };
  const known = only.length ? only.filter((id) => rules[id]?.enabled ?? true) : [];
  const run = known.length ? { runOnly: { type: 'rule', values: known } } : { rules };
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...run });
  return violations.map((each) => `${each.id}: ${each.nodes.slice(0, 4).map((node) => node.html).join('  ')}`);
}"""
#: Rules that depend on words: names, what two things are called, what has to scroll, and the language itself.
_OF_WORDS = [
    *("aria-command-name", "aria-dialog-name", "aria-input-field-name", "aria-toggle-field-name", "button-name"),
    *("document-title", "empty-heading", "html-has-lang", "html-lang-valid", "image-alt", "image-redundant-alt"),
    *("input-button-name", "label", "label-content-name-mismatch", "landmark-unique", "link-name", "role-img-alt"),
    *("scrollable-region-focusable", "select-name", "summary-name", "svg-img-alt", "valid-lang"),
]
_LOADED = """() => Object.fromEntries(performance.getEntriesByType('resource')
  .filter((each) => /static[/](japanese|names)-.*woff2$/.test(each.name))
  .map((each) => [each.name, each.encodedBodySize]))"""
#: Elements are marked by how many Japanese signs they show.
_MARK = """() => {
  const count = (text) => (text.match(/[\\u3000-\\u30ff\\u3400-\\u9fff\\uff01-\\uff9f]/g) ?? []).length;
  for (const each of document.body.querySelectorAll('*')) {
    const own = [...each.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE);
    const signs = count(own.map((one) => one.data).join(''));
    if (signs && each.checkVisibility() && each.getBoundingClientRect().width > 1) each.dataset.signs = signs;
  }
}"""


@pytest.fixture(scope="module")
def app() -> Iterator[Running]:
    """The application in all languages, complete or not, with bots that play what is written."""
    offered = (ENGLISH, *(language(tag) for tag in LANGUAGES), wrapped())
    with pytest.MonkeyPatch.context() as patch, running(looks.Script()) as app:
        patch.setattr(languages, "_complete", lambda games: offered)
        app.do(app.app.state.readiness.all_ready.wait())
        yield app


class Eyes:
    """A person at a desk and on a phone, who looks at pages in one language after the other, and then reads them."""

    def __init__(self, app: Running, browser: Browser) -> None:
        self.app = app
        self.pages: list[Page] = []
        self.found: dict[str, list[str]] = {}
        # also those that other tests have made known
        games = [find_game(id) for id in game_ids()]
        self.known = (*NAMES, *(each for game in games for each in (game.name, game.credit)))
        self.desk = self._come(browser, _UNPAINTED)
        # who has none is a guest, at tables that are over in the language of then
        self.post("/me", name="Ada")
        self.reader = self._come(browser, _UNDISPLAYED)
        self.wire = self.desk.context.new_cdp_session(self.desk)
        self.sizes = deque(SIZES)
        self._resize()

    def _come(self, browser: Browser, style: str) -> Page:
        """A page that has this style, of the person."""
        context = browser.new_context(no_viewport=True, reduced_motion="reduce")
        # machines that test may have much else to do
        context.set_default_timeout(looks.PATIENCE)
        styled(context, style)
        if self.pages:
            context.add_cookies(self.cookies)
        page = context.new_page()
        page.goto(f"{self.app.address}/me")
        self.pages.append(page)
        return page

    @property
    def cookies(self) -> list[Any]:
        """By which the person is known."""
        return [each for each in self.desk.context.cookies() if each.get("name") != languages.COOKIE]

    def post(self, path: str, **form: str) -> str:
        """Send a form; the path that it leads to."""
        answer = self.desk.request.post(self.app.address + path, form=form)
        assert answer.ok
        return answer.url.removeprefix(self.app.address)

    def look(self, path: str, *, again: bool = False) -> None:
        """Look at a page in all languages and sizes; what is wrong with it is noted.

        It is opened once in each language, at one size after the other in turn, and then given the other sizes, which
        takes a fraction of the time. Axe looks at it by all rules in one language after the other, and in the others
        by those that depend on words; not there at a page that is looked at `again` and again.
        """
        for tag in LANGUAGES:
            self._open(self.desk, path, tag)
            self._measure()
            for _ in SIZES[1:]:
                self._resize()
                self._measure()
            if tag == LANGUAGES[-1] or not again:
                self.desk.evaluate(AXE.read_text("utf-8"))
                self._note(self.desk, self.desk.evaluate(_AXE, [] if tag == LANGUAGES[-1] else _OF_WORDS))
        LANGUAGES.rotate()
        self._open(self.reader, path, TAG)
        # what was kept of a match says itself that it is English
        self.reader.evaluate("document.querySelectorAll('[lang=en]:not(button)').forEach((each) => each.remove())")
        self._note(self.reader, bare(self.reader.content(), *self.known))

    @property
    def size(self) -> tuple[int, int, bool]:
        return self.sizes[0]

    def _resize(self) -> None:
        """Give the page the next size."""
        self.sizes.rotate()
        width, height, touched = self.size
        device = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touched}
        self.wire.send("Emulation.setDeviceMetricsOverride", device)
        self.wire.send("Emulation.setTouchEmulationEnabled", {"enabled": touched})

    def _measure(self) -> None:
        assert self.desk.evaluate("[innerWidth, matchMedia('(pointer: coarse)').matches]") == [
            self.size[0],
            self.size[2],
        ]
        self._note(self.desk, self.desk.evaluate(_MEASURED))

    def rest(self) -> None:
        """Look away: a page of a table would go along with every move."""
        for page in self.pages:
            page.goto("about:blank")

    def _open(self, page: Page, path: str, tag: str) -> None:
        page.context.add_cookies([{"name": languages.COOKIE, "value": tag, "url": self.app.address}])
        page.goto(self.app.address + path)
        assert page.get_attribute("html", "lang") == tag

    def _note(self, page: Page, faults: list[str]) -> None:
        if faults:
            where = f"{page.get_attribute('html', 'lang')} at {self.size[0]}: {page.url}"
            self.found.setdefault(where, []).extend(faults)


@contextmanager
def eyes(app: Running, browser: Browser) -> Iterator[Eyes]:
    """Somebody who looks, and who has found nothing in the end."""
    who = Eyes(app, browser)
    try:
        yield who
    finally:
        # or the application waits for their streams when it ends
        for page in who.pages:
            page.context.close()
    assert not who.found, "\n".join(f"{where}\n    " + "\n    ".join(what) for where, what in who.found.items())


@contextmanager
def newer_rules(app: Running, name: str) -> Iterator[None]:
    """Of matches that are over only their records can be read."""
    game = find_game(name)
    before = game.rules_version
    app.do(app.app.state.records.make_up_all())
    app.do(_forget(app))
    object.__setattr__(game, "rules_version", before + 1)
    try:
        yield
    finally:
        object.__setattr__(game, "rules_version", before)


async def _forget(app: Running) -> None:
    """The tables that are kept at hand."""
    app.app.state.tables._cache.clear()


def test_pages_besides_tables(app: Running, browser: Browser) -> None:
    with eyes(app, browser) as who:
        gathering = who.post("/tables", game="tiny-towns", seats="3", **{"seat.1": "link", "seat.2": "casual"})
        for path in ("/", "/credits", "/me", "/me/statistics", "/me/notices", "/no/such/page", gathering):
            who.look(path)


@pytest.mark.long
@pytest.mark.parametrize("game", looks.GAMES)
def test_a_whole_match(app: Running, browser: Browser, game: str) -> None:
    """From the form of its table to the end of the match, and what can be seen of it then; its guide, and its rules."""
    with eyes(app, browser) as who:
        who.look(f"/games/{game}")
        who.look(f"/games/{game}/rules")
        who.look(who.post(f"/games/{game}/learn"))
        shown = looks.Shown(app, who.cookies, game)
        path = shown.address.removeprefix(app.address)
        for until in sorted(set(looks.moments(game).values())):
            shown.play_to(until)
            who.look(path, again=True)
            who.rest()
        who.look(f"{path}/at/3")
        who.look(f"{path}/points")
        who.look(f"{path}/review")
        with newer_rules(app, game):
            who.look(path)


def test_japanese_is_set_in_its_own_font(app: Running, browser: Browser) -> None:
    """No sign is left to the system, which may have none; and what is said takes little."""
    with eyes(app, browser) as who:
        who.post("/me", name="髙橋")
        for game in looks.GAMES:
            shown = looks.Shown(app, who.cookies, game)
            shown.play_to(looks.moments(game)["middle"])
            who.desk.goto(f"{shown.address}?language=ja")
            who.desk.evaluate("document.fonts.ready")
            assert _strange(who.desk.context.new_cdp_session(who.desk), who.desk) == []
            loaded: dict[str, int] = who.desk.evaluate(_LOADED)
            said = [size for file, size in loaded.items() if "/japanese-" in file]
            assert said
            assert sum(said) < MOST
            # the name above has two signs of its own, and the switch of languages one
            slices = [size for file, size in loaded.items() if "/names-" in file]
            assert len(slices) <= 4
            assert max(slices) < MOST_OF_A_SLICE


def _strange(wire: CDPSession, page: Page) -> list[str]:
    """Words whose Japanese signs are set in fonts that are not ours."""
    page.evaluate(_MARK)
    wire.send("DOM.enable")
    wire.send("CSS.enable")
    root = wire.send("DOM.getDocument")["root"]["nodeId"]
    found = wire.send("DOM.querySelectorAll", {"nodeId": root, "selector": "[data-signs]"})["nodeIds"]
    strange = []
    for node, element in zip(found, page.query_selector_all("[data-signs]"), strict=True):
        fonts = wire.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        ours = sum(font["glyphCount"] for font in fonts if font["familyName"].startswith("Noto Sans JP"))
        if ours < int(element.get_attribute("data-signs") or 0) or not all(
            font["isCustomFont"] for font in fonts if font["familyName"].startswith("Noto")
        ):
            strange.append(f"{element.text_content()}: {fonts}")
    assert found
    return strange
