"""Makes pictures of all games, of which docs/images holds some: real tables at a real server, played by greedy players.

`python scripts/screenshots.py FOLDER` puts them there.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import chromium
import uvicorn
from playwright.sync_api import BrowserContext, Page, sync_playwright

import thorp
from thorp import players
from thorp.server.app import create_app
from thorp.server.settings import Players, Settings
from thorp.server.tables.table import Player

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
#: Of each game a match that looks well in the middle, and the round that is the middle.
PICTURES = {"tiny-towns": (20, 24), "villagers": (20, 6), "valeria": (7, 30)}
ARGUMENTS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"


#: Press a button; false where the page does not show it (yet).
_SUBMIT = """(selector) => {
  const button = document.querySelector(selector);
  button?.form.requestSubmit(button);
  return button !== null;
}"""


class Running:
    """The application in a thread, and what it knows."""

    def __init__(self, folder: Path, bots: Players) -> None:
        self.app = create_app(
            Settings(folder, compile_apart=False, players=bots, pace=0.0, look_rate=1e6, look_burst=10**6)
        )
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.loop = asyncio.new_event_loop()
        self.server = uvicorn.Server(uvicorn.Config(self.app, log_level="warning", loop="asyncio"))
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server.serve([self.socket]))

    def do(self, work: Any) -> Any:
        """The result of a coroutine of the application."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)


@contextmanager
def running(bots: Players = players) -> Iterator[Running]:
    """The application on an empty database, with these bots."""
    with tempfile.TemporaryDirectory() as folder:
        app = Running(Path(folder), bots)
        app.thread.start()
        try:
            yield app
        finally:
            app.server.should_exit = True
            app.thread.join()
            app.socket.close()
            app.loop.close()


def sit_down(app: Running, context: BrowserContext, game_id: str, seed: int) -> Page:
    """A table for four at which the browser's person has the first seat."""
    page = context.new_page()
    page.goto(app.address)
    page.wait_for_selector(".game-card:not(:has(.getting-ready))", timeout=120_000)
    app.do(app.app.state.readiness.all_ready.wait())
    cookies = {each.get("name", ""): each.get("value", "") for each in context.cookies()}
    person = app.app.state.cookies.visitor(cookies).id
    seats = [Player("Ada", person=person), *(Player(name, bot="greedy") for name in ("Alder", "Birch", "Cedar"))]
    game = thorp.game(game_id)
    id = app.do(app.app.state.tables.create(game, game.options_for(len(seats)), seats, seed=seed))
    page.goto(f"{app.address}/tables/{id}")
    page.wait_for_selector("#table")
    return page


def play(app: Running, page: Page, until: int) -> bool:
    """Play greedily through the page's own buttons, up to a round; False at the end of the game."""
    id = page.url.rpartition("/")[2]
    while True:
        page.wait_for_selector("#moves-form, #table.over", state="attached")
        table = app.do(app.app.state.tables.open(id))
        if table.match.over:
            page.wait_for_selector("#table.over")
            return False
        seat = table.seat_of(table.seats[0].person)
        if seat not in table.match.waiting:
            continue
        if table.match.plain.round >= until and len(table.match.legal(seat)) > 1:
            page.wait_for_selector("[data-ui-live]")
            return True
        move = players.choose("greedy", table.match, seat, table.version)
        button = f"#moves-form button[value='{move}']"
        version = page.get_attribute("#table", "data-version")
        if page.evaluate(_SUBMIT, button):
            page.wait_for_function("(old) => document.getElementById('table').dataset.version !== old", arg=version)


def main(folder: Path) -> None:
    """Make all pictures: every game at a desk and on a phone, by day and by night."""
    folder.mkdir(parents=True, exist_ok=True)
    with running() as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=ARGUMENTS.split())
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        for game, (seed, middle) in PICTURES.items():
            page = sit_down(app, context, game, seed)
            play(app, page, middle)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                for width, height, where in ((1280, 800, "table"), (360, 740, "phone")):
                    page.set_viewport_size({"width": width, "height": height})
                    page.screenshot(path=folder / f"{game}-{where}-{scheme}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(description=__doc__)
    _parser.add_argument("folder", nargs="?", type=Path, default=IMAGES, help="where they go (default: docs/images)")
    main(_parser.parse_args().folder)
