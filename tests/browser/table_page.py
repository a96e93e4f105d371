"""A table in the browser as a person uses it: what is live there, and acting on it by mouse or by keys alone."""

from __future__ import annotations

import random
from pathlib import Path

from playwright.sync_api import Page, expect
from serving import Server

#: What can be seen of the table's state: whatever somebody does, this changes.
_LOOK = """() => {
  const table = document.getElementById('table');
  const marked = (name) => [...document.querySelectorAll(`[${name}]`)].map((each) => each.id).join(' ');
  const focus = document.activeElement?.id ?? '';
  return [table.dataset.version, marked('data-ui-live'), marked('data-ui-chosen'),
          table.classList.contains('over'), focus].join('|');
}"""

_LIVE = """() => [...document.querySelectorAll('[data-ui-live]')]
  .filter((each) => each.checkVisibility() && !each.matches(':disabled')).map((each) => each.id)"""

#: My turn with something live, or the end.
_MINE = """() => document.getElementById('table').classList.contains('over')
  || [...document.querySelectorAll('[data-ui-live]')].some((each) => each.checkVisibility())"""

#: All that is laid out now is set in its fonts; what is laid out first asks for them.
_SET = "() => document.body.offsetHeight && document.fonts.status === 'loaded'"


class TablePage:
    """A page that shows a table."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.rng = random.Random(seed)

    def open_new(
        self, address: str, seats: int, game: str = "tiny-towns", level: str = "casual", **options: str
    ) -> None:
        """Choose a game on the home page, choose its options, and sit down; cards are left to chance."""
        page = self.page
        page.goto(address)
        page.wait_for_selector("a[href^='/games/']", timeout=120_000)
        page.click(f"a[href='/games/{game}']")
        page.click(f"label:has(input[name='seats'][value='{seats}'])")
        # all of the form has come
        page.wait_for_load_state("domcontentloaded")
        for seat in range(1, seats):
            page.select_option(f"select[name='seat.{seat}']", level)
        if page.locator("input[data-sets='*']").count():
            page.click("label:has(input[data-sets='*'])")
        for option, value in options.items():
            page.click(f"label:has(input[name='option.{option}'][value='{value}'])")
        page.click("form.setup button.main")
        page.wait_for_selector("#table")
        # what comes last decides where the first things lie, and so does the font that their words are set in
        page.wait_for_load_state("domcontentloaded")
        page.wait_for_function(_MINE)
        page.wait_for_function(_SET)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.page.evaluate("document.getElementById('table').classList.contains('over')"))

    @property
    def version(self) -> int:
        """Of the fragment shown."""
        return int(self.page.get_attribute("#table", "data-version") or -1)

    def live(self) -> list[str]:
        """The ids of what can be chosen now."""
        found: list[str] = self.page.evaluate(_LIVE)
        return found

    def wait_for_my_turn(self) -> None:
        """Until something can be chosen, or the game is over."""
        self.page.wait_for_function(_MINE)

    def look(self) -> str:
        """All that changes when somebody does something."""
        return str(self.page.evaluate(_LOOK))

    def wait_for_change(self, before: str) -> None:
        """Until the table looks otherwise than before."""
        self.page.wait_for_function(f"(before) => ({_LOOK})() !== before", arg=before)

    def click_something(self) -> str:
        """Click one of the live things, and wait until that has had its effect; its id."""
        chosen = self.rng.choice(self.live())
        before = self.look()
        self.page.click(f"[id='{chosen}']")
        self.confirm()
        self.wait_for_change(before)
        self.wait_for_my_turn()
        return chosen

    def confirm(self) -> None:
        """Confirm what is held back until that is done, if anything is."""
        if self.page.is_visible("#confirm"):
            self.page.click("#confirm")

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)

    @property
    def focus(self) -> str:
        """The id of what is in focus."""
        return str(self.page.evaluate("document.activeElement?.id ?? ''"))

    def choose_by_keys(self) -> str:
        """Go to something live by Tab and arrows, and choose it by Enter; its id."""
        for _ in range(200):
            if self.focus in self.live():
                break
            self.press(self.rng.choice(("Tab", "Tab", "ArrowRight", "ArrowDown")))
        else:
            raise AssertionError(f"nothing live can be reached by keys: {self.live()}")
        for _ in range(self.rng.randrange(4)):
            here = self.focus
            self.press(self.rng.choice(("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown")))
            if self.focus not in self.live():
                self.page.locator(f"[id='{here}']").focus()
        chosen, before = self.focus, self.look()
        self.press("Enter")
        self.wait_for_change(before)
        self.wait_for_my_turn()
        return chosen


def wait_for_news(page: Page, version: int) -> None:
    """Until the table that a page shows has gone on from a version."""
    page.wait_for_function("(old) => Number(document.getElementById('table').dataset.version) > old", arg=version)


def wait_until_begun(page: Page) -> None:
    """Until a page shows a match that has begun, and its script has marked what can be chosen and hears keys."""
    page.wait_for_selector("#table[data-stage='playing']")
    page.wait_for_load_state("domcontentloaded")


def open_for_people(server: Server, page: Page, seats: int) -> str:
    """A new table for people, opened as a person does; the link that it offers."""
    page.goto(server.address)
    page.wait_for_selector("a[href='/games/tiny-towns']", timeout=120_000)
    page.click("a[href='/games/tiny-towns']")
    page.wait_for_selector("#setup", timeout=120_000)
    page.click(f"label:has(input[name='seats'][value='{seats}'])")
    expect(page.get_by_text("Who may look on")).to_be_hidden()
    for seat in range(1, seats):
        page.select_option(f"select[name='seat.{seat}']", "link")
    page.fill("input[name='name']", "Ada")
    page.click("form.setup button.main")
    page.wait_for_selector("#table.gathering")
    expect(page.locator(".share-code svg")).to_be_visible()
    return page.input_value("#table-link")


def open_match(server: Server, page: Page, file: Path) -> None:
    """Open the file of a match that is over, as a person does."""
    page.goto(server.address)
    # its game is ready when all three are
    page.wait_for_selector("form.learn >> nth=2", timeout=120_000)
    page.set_input_files("input[type='file']", file)
    page.locator("form:has(input[type='file']) button").click()
    page.wait_for_selector("#table.over")
    page.wait_for_load_state("domcontentloaded")


def sit(page: Page, link: str, name: str, seat: int) -> None:
    """Follow the link of a table, and sit down there."""
    page.goto(link)
    page.fill("#sit input", name)
    page.click(f"#place-{seat} button[form='sit']")
