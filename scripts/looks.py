"""Makes pictures of the same matches at the same moments, to be laid beside each other: docs/looks.md shows them.

`python scripts/looks.py FOLDER` puts them there: of each game the first decision, the middle, late, and the end, at a
desk and on a phone, by day and by night. `python scripts/looks.py FOLDER --sights` shows the middle of each game as
people see it who tell colours apart less well, by Chromium's own simulation.

The matches are those in scripts/looks: greedy players have played them at three seats, with fixed seeds
(`python scripts/looks.py --play` plays them again). All seats play what is written there, so the pictures show the
same whatever becomes of the players, as long as the rules allow these moves.
"""

from __future__ import annotations

import argparse
import base64
import json
import time
from collections.abc import Sequence
from pathlib import Path

import chromium
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from screenshots import ARGUMENTS, SCHEMES, Running, running

import thorp
from thorp import players
from thorp.core.match import AnyMatch, Match
from thorp.server.tables.table import Player

MATCHES = Path(__file__).parent / "looks"
GAMES = ("tiny-towns", "villagers", "valeria")
SEATS, SEED, LEVEL = 3, 11, "greedy"
#: What part of the first seat's decisions is over then.
MOMENTS = {"first": 0.0, "middle": 0.5, "late": 0.85, "end": 1.0}
#: How large a page is, and how much smaller its picture.
SIZES = {"1280": (1280, 800, 0.7), "360": (360, 740, 1.0)}
#: Kinds of sight, as Chromium knows them.
SIGHTS = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
QUALITY = 40
#: Milliseconds.
PATIENCE = 180_000


class Script:
    """Bots that play what is written in matches."""

    def __init__(self) -> None:
        self.matches = {game: written(game)[1] for game in GAMES}

    def names(self) -> tuple[str, ...]:
        """The players that there are."""
        return players.names()

    def levels(self) -> tuple[str, ...]:
        """Those that tables offer."""
        return players.levels()

    def usual(self) -> str:
        """The level that sits there unless one chooses otherwise."""
        return players.usual()

    def seconds(self, name: str) -> float:
        """What is written needs no thought."""
        return 0.0

    def choose(self, name: str, match: AnyMatch, seat: int, seed: int) -> int:
        """What the seat did then; anything where the server only tries whether a game can be played."""
        if match.seats != SEATS:
            return match.legal(seat)[0]
        return self.matches[match.game.id][seat][_chosen(match, seat)]


def _chosen(match: AnyMatch, seat: int) -> int:
    return sum(entry.seat == seat and not entry.forced for entry in match.log())


def written(game: str) -> tuple[AnyMatch, list[list[int]]]:
    """A match, and what each seat chose in it."""
    match = Match.load((MATCHES / f"{game}.json").read_text("utf-8"))
    chosen: list[list[int]] = [[] for _ in range(match.seats)]
    for entry in match.log():
        if not entry.forced:
            chosen[entry.seat].append(entry.move)
    return match, chosen


def play_them() -> None:
    """Play the matches, and write them down."""
    MATCHES.mkdir(exist_ok=True)
    for id in GAMES:
        game = thorp.game(id)
        match: AnyMatch = Match(game, SEATS, game.options_for(SEATS), SEED)
        while not match.over:
            seat = match.waiting[0]
            match.play(seat, players.choose(LEVEL, match, seat, SEED + match.ply))
        text = json.dumps(json.loads(match.export()), separators=(",", ":"))
        (MATCHES / f"{id}.json").write_text(text + "\n", "utf-8")


class Shown:
    """A table with one of these matches, and a page at it."""

    def __init__(self, app: Running, page: Page, game: str) -> None:
        self.app, self.page, self.game = app, page, game
        match, self.chosen = written(game)
        cookies = {each.get("name", ""): each.get("value", "") for each in page.context.cookies()}
        person = app.app.state.cookies.visitor(cookies).id
        seats = [Player("Ada", person=person), *(Player(name, bot=LEVEL) for name in ("Alder", "Birch"))]
        self.tables = app.app.state.tables
        made = self.tables.create(match.game, match.options, seats, seed=match.seed, forced=match.forced)
        self.id = app.do(made)

        async def begin() -> None:
            app.app.state.bots.begin(self.id)

        app.do(begin())

    def play_to(self, part: float) -> None:
        """Play what is written until that part of the first seat's decisions is over, and until it is asked again."""
        until = round(part * len(self.chosen[0]))
        while True:
            table = self.app.do(self.tables.open(self.id))
            done = _chosen(table.match, 0)
            if table.match.over:
                return
            if 0 not in table.match.waiting:
                time.sleep(0.02)
            elif done < until:
                self.app.do(self.tables.play(self.id, 0, table.counters[0], self.chosen[0][done]))
            elif len(table.match.waiting) == 1:
                return
            else:
                # the others choose at the same time
                time.sleep(0.02)

    def open(self) -> None:
        """Show the table as it is now."""
        self.page.goto(f"{self.app.address}/tables/{self.id}")
        self.page.wait_for_selector("[data-ui-live], #table.over")
        self.page.evaluate("document.fonts.ready")


def take(page: Page, session: CDPSession, path: Path, size: str) -> None:
    """Take a picture of the page as it is at a size."""
    width, height, scale = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("scrollTo(0, 0)")
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
    asked = {"format": "webp", "quality": QUALITY, "clip": clip}
    path.write_bytes(base64.b64decode(session.send("Page.captureScreenshot", asked)["data"]))


def picture(app: Running, browser: Browser, folder: Path, games: Sequence[str], *, sights: bool) -> None:
    """All pictures of some games."""
    for game in games:
        context = browser.new_context(reduced_motion="reduce")
        # machines that make pictures may have much else to do
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        session = context.new_cdp_session(page)
        page.goto(app.address)
        shown = Shown(app, page, game)
        for moment, part in {"middle": MOMENTS["middle"]}.items() if sights else MOMENTS.items():
            shown.play_to(part)
            shown.open()
            for sight in SIGHTS if sights else ("none",):
                session.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
                for scheme in SCHEMES if not sights else SCHEMES[:1]:
                    page.emulate_media(color_scheme=scheme)
                    for size in SIZES if not sights else ("1280",):
                        name = f"{game}-{sight}" if sights else f"{game}-{moment}-{size}-{scheme}"
                        take(page, session, folder / f"{name}.webp", size)
        context.close()


def main() -> None:
    """Play the matches, or make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="where the pictures are put")
    parser.add_argument("--game", action="append", choices=GAMES, help="only of this game")
    parser.add_argument("--sights", action="store_true", help="the middle of each game as others see colours")
    parser.add_argument("--play", action="store_true", help="play the matches anew, and write them down")
    given = parser.parse_args()
    if given.play:
        play_them()
    if given.folder is None:
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    with running(Script()) as app, sync_playwright() as playwright:
        app.do(app.app.state.readiness.all_ready.wait())
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=ARGUMENTS.split())
        picture(app, browser, given.folder, given.game or GAMES, sights=given.sights)
        browser.close()


if __name__ == "__main__":
    main()
