"""A real server with a real database, and a real browser."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect, sync_playwright
from serving import Forked, Server

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server on an empty database."""
    running = Forked(tmp_path / "data")
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """For the tests of this folder: while Playwright runs, its event loop is in the way of other tests'."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium."""
    browser = playwright.chromium.launch(executable_path=str(chromium.find()), args=list(ARGUMENTS))
    yield browser
    browser.close()


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium with all that it has: the headless shell has no notifications."""
    browser = playwright.chromium.launch(executable_path=str(chromium.find(whole=True)), args=list(ARGUMENTS))
    yield browser
    browser.close()


#: On a slow machine what has to be there, or gone, is so later.
expect.set_options(timeout=20_000)

#: Until something reaches the server, or nothing does any more; not from a cache.
_REACHES = """async (wanted) => {
  const reaches = () => fetch('/', { method: 'HEAD', cache: 'no-store' }).then(() => true, () => false);
  while (await reaches() !== wanted) await new Promise((later) => setTimeout(later, 50));
}"""


@contextlib.contextmanager
def cut_off(page: Page) -> Iterator[None]:
    """While nothing of a page's browser reaches the server.

    Chromium says that it is offline before all of its processes are, which has let a click through on a slow machine.
    """
    page.context.set_offline(True)
    page.evaluate(_REACHES, False)
    yield
    page.context.set_offline(False)
    page.evaluate(_REACHES, True)


def to_be_answered(page: Page) -> Page:
    """A page of which a test answers requests later on: it has to be known before the first page is there.

    Chromium tells pages that are there already in its own time, which has let a request through.
    """
    page.route("**/nothing-is-called-so", lambda route: route.continue_())
    return page


_STYLED = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("STYLE");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
#: To paint a page takes about half of what it takes the browser to play on it. What is wholly transparent is not
#: painted, and for whoever asks and clicks all is where it was, and visible, unless its opacity is asked for as well.
_UNPAINTED = "html { opacity: 0 !important }"


def styled(context: BrowserContext, style: str) -> BrowserContext:
    """A browser whose pages are given this style before anything else, where there are scripts."""
    context.add_init_script(_STYLED.replace("STYLE", style))
    return context


def unpainted(context: BrowserContext) -> BrowserContext:
    """A browser whose pages nobody looks at: they are used, and asked what is where."""
    return styled(context, _UNPAINTED)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person: a browser with no cookies."""
    context = unpainted(browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce"))
    yield context
    context.close()


#: Chromium says so where Playwright's wish for less motion reaches a new page after its style sheet: a transition
#: between pages was begun, and is not shown.
_LATE = "ViewTransition opt-in disabled"


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab whose errors fail the test."""
    page = context.new_page()

    def told(error: Error) -> None:
        if _LATE not in str(error):
            pytest.fail(f"an error on the page: {error}")

    page.on("pageerror", told)
    return page


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone, held upright."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"an error on the page: {error}"))
    yield page
    context.close()


@contextlib.contextmanager
def people_at(browser: Browser, *widths: int) -> Iterator[list[Page]]:
    """People with browsers of their own, on screens of these widths; an error on any of their pages fails the test."""
    contexts = [
        unpainted(browser.new_context(reduced_motion="reduce", viewport={"width": width, "height": 800}))
        for width in widths
    ]
    errors: list[str] = []
    pages = [context.new_page() for context in contexts]
    for page in pages:
        page.on("pageerror", lambda error: errors.append(str(error)))
    yield pages
    for context in contexts:
        context.close()
    assert not [error for error in errors if _LATE not in error]


@pytest.fixture
def two(browser: Browser) -> Iterator[list[Page]]:
    """Two people, on a large screen and on a phone."""
    with people_at(browser, 1280, 360) as pages:
        yield pages
