"""Makes pictures of the same matches at the same moments, to be laid beside each other: docs/looks.md shows them.

`python scripts/looks.py FOLDER` puts them there: of each game the first decision, the middle, late, and the end, and
the decisions that it is about, at a desk and on a phone, by day and by night. `python scripts/looks.py FOLDER --sights`
shows the middle of each game as people see it who tell colours apart less well, by Chromium's own simulation.

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
from typing import Any, Literal

import chromium
from playwright.sync_api import Browser, sync_playwright
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
#: And the decision nearest to the middle for which a move of such a family was chosen, by how its name begins.
ABOUT = {"tiny-towns": ("place",), "villagers": ("build",), "valeria": ("lead", "follow", "pay")}
#: How large a page is, and how much smaller its picture; a small one is under fingers.
SIZES = {"1280": (1280, 800, 0.7), "360": (360, 740, 1.0)}
FINGERS = ("360",)
#: Kinds of sight, as Chromium knows them.
SIGHTS = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
QUALITY = 40
#: Milliseconds.
PATIENCE = 180_000


#: The colours of another scheme are there a moment later; what fades by how far it is scrolled never ends.
_SETTLED = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const running = document.getAnimations().filter((each) => each.timeline === document.timeline);
  await Promise.allSettled(running.map((each) => each.finished));
}"""
#: Images that are in sight have come.
_LOADED = """() => [...document.images].every((image) => image.complete || !image.checkVisibility()
  || image.getBoundingClientRect().top > innerHeight)"""


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


def moments(game: str) -> dict[str, int]:
    """How many decisions of the first seat are over at each moment, in the order in which they come."""
    match, (chosen, *_others) = written(game)
    found = {name: round(part * len(chosen)) for name, part in MOMENTS.items()}
    families = [match.game.moves.decode(move).family for move in chosen]
    for name in ABOUT[game]:
        of_it = [at for at, family in enumerate(families) if family.startswith(name)]
        found[name] = min(of_it, key=lambda at: abs(at - found["middle"]))
    return dict(sorted(found.items(), key=lambda moment: moment[1]))


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
    """A table with one of these matches, and who has these cookies in its first seat."""

    def __init__(self, app: Running, cookies: Sequence[Any], game: str) -> None:
        self.app = app
        match, self.chosen = written(game)
        person = app.app.state.cookies.visitor({each["name"]: each["value"] for each in cookies}).id
        seats = [Player("Ada", person=person), *(Player(name, bot=LEVEL) for name in ("Alder", "Birch"))]
        self.tables = app.app.state.tables
        made = self.tables.create(match.game, match.options, seats, seed=match.seed, forced=match.forced)
        self.id = app.do(made)
        self.address = f"{app.address}/tables/{self.id}"

        async def begin() -> None:
            app.app.state.bots.begin(self.id)

        app.do(begin())

    def play_to(self, until: int) -> None:
        """Play what is written until so many of the first seat's decisions are over, and until it is asked again."""
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


class Eyes:
    """A page of a size, of the person who has the first seat."""

    def __init__(self, app: Running, browser: Browser, size: str, cookies: Sequence[Any]) -> None:
        width, height, scale = SIZES[size]
        self.clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
        # which styles are for fingers follows from the device, not from the width of its page
        touched = size in FINGERS
        context = browser.new_context(
            reduced_motion="reduce",
            viewport={"width": width, "height": height},
            has_touch=touched,
            is_mobile=touched,
        )
        # machines that make pictures may have much else to do
        context.set_default_timeout(PATIENCE)
        context.add_cookies(cookies)
        self.page = context.new_page()
        self.session = context.new_cdp_session(self.page)
        self.page.goto(app.address)
        self.cookies = context.cookies()

    def open(self, address: str) -> None:
        """Show the table as it is now."""
        self.page.goto(address)
        self.page.wait_for_selector("[data-ui-live], #table.over", state="attached")
        self.page.evaluate("document.fonts.ready")

    def take(self, path: Path, scheme: Literal["light", "dark"]) -> None:
        """Take a picture of the page as it is."""
        self.page.emulate_media(color_scheme=scheme)
        self.page.evaluate("scrollTo(0, 0)")
        self.page.evaluate(_SETTLED)
        self.page.wait_for_function(_LOADED)
        asked = {"format": "webp", "quality": QUALITY, "clip": self.clip}
        path.write_bytes(base64.b64decode(self.session.send("Page.captureScreenshot", asked)["data"]))


def picture(app: Running, browser: Browser, folder: Path, games: Sequence[str], *, sights: bool) -> None:
    """All pictures of some games."""
    for game in games:
        desk = Eyes(app, browser, "1280", ())
        shown = Shown(app, desk.cookies, game)
        if sights:
            shown.play_to(moments(game)["middle"])
            desk.open(shown.address)
            for sight in SIGHTS:
                desk.session.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
                desk.take(folder / f"{game}-{sight}.webp", "light")
        else:
            eyes = {size: desk if size == "1280" else Eyes(app, browser, size, desk.cookies) for size in SIZES}
            for moment, until in moments(game).items():
                shown.play_to(until)
                for size, each in eyes.items():
                    each.open(shown.address)
                    for scheme in SCHEMES:
                        each.take(folder / f"{game}-{moment}-{size}-{scheme}.webp", scheme)
                # a page that stays open would go along with every move until the next moment
                for each in eyes.values():
                    each.page.goto("about:blank")
        for context in browser.contexts:
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
