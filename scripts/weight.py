"""What pages weigh on their way, and how soon the first of it is seen: a real server, and Chromium without a cache.

`python scripts/weight.py` prints for the first page, the page of a game and a table of each game what comes over the
wire, file by file, and when something was painted first: as fast as this machine is, and as on a slow telephone
(1.6 Mbit/s, 150 ms there and back). Then what one move brings: the fragment of a table in the middle of a match, as
it is and compressed as the server does it.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
import zlib
from dataclasses import dataclass
from typing import Any

import chromium
import httpx2
from playwright.sync_api import Browser, sync_playwright

from thorp.server.app import COMPRESSION

GAMES = ("tiny-towns", "villagers", "valeria")
ARGUMENTS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
#: A slow telephone: bytes a second, and milliseconds.
SLOW = {"offline": False, "downloadThroughput": 200_000, "uploadThroughput": 90_000, "latency": 150}
#: Moves of mine until the middle of a match.
MIDDLE = 25
_PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.name === 'first-contentful-paint') done(entry.startTime);
}).observe({ type: 'paint', buffered: true }))"""


@dataclass(frozen=True)
class Loaded:
    """What came for a page: bytes by file, and after how many milliseconds something was painted."""

    files: dict[str, int]
    painted: float

    @property
    def bytes(self) -> int:
        """All that came."""
        return sum(self.files.values())


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "thorp", "serve", "--port", "0", "--data", folder, "--post-rate", "100"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                address = re.search(r"http://\S+", server.stdout.readline())
                assert address
                _measure(address[0].rstrip("/"))
            finally:
                server.terminate()


def _measure(address: str) -> None:
    with httpx2.Client(base_url=address, follow_redirects=True, timeout=120) as person:
        for game in GAMES:
            while person.get(f"/games/{game}").status_code != 200:
                time.sleep(0.2)
        tables = {game: _table(person, game) for game in GAMES}
        pages = {"first page": "/", "a game": "/games/tiny-towns", **{f"table, {game}": tables[game] for game in GAMES}}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(chromium.find()), args=ARGUMENTS.split())
            for name, path in pages.items():
                _load(browser, address + path, slow=False)
                quick, slow = (_load(browser, address + path, slow=slow) for slow in (False, True))
                print(
                    f"{name}: {quick.bytes / 1000:.1f} kB over the wire; first paint after {quick.painted:.0f} ms, "
                    f"on a slow telephone after {slow.painted:.0f} ms"
                )
                for file, size in sorted(quick.files.items(), key=lambda each: -each[1]):
                    print(f"    {size / 1000:6.1f} kB  {file}")
            browser.close()
        for game, path in tables.items():
            text = _middle(person, path)
            packed = zlib.compressobj(COMPRESSION, zlib.DEFLATED, 31)
            size = len(packed.compress(text.encode()) + packed.flush())
            print(f"a move, {game}: {len(text.encode()) / 1000:.1f} kB, compressed {size / 1000:.1f} kB")


def _table(person: httpx2.Client, game: str) -> str:
    """A new table against two greedy bots."""
    form = {"game": game, "seats": "3", "seat.1": "greedy", "seat.2": "greedy"}
    return str(person.post("/tables", data=form).raise_for_status().url.path)


def _middle(person: httpx2.Client, path: str) -> str:
    """The fragment of a table after some moves."""
    rng = random.Random(1)
    text = ""
    for _ in range(MIDDLE):
        for _ in range(200):
            text = person.get(f"{path}/fragment").text
            if moves := re.findall(r'<button name="move" value="(\d+)"', text):
                break
            time.sleep(0.05)
        else:
            return text
        counter = re.search(r'name="counter" value="(\d+)"', text)
        assert counter
        person.post(
            f"{path}/moves", data={"counter": counter[1], "move": rng.choice(moves)}, headers={"HX-Request": "true"}
        )
        time.sleep(0.05)
    return person.get(f"{path}/fragment").text


def _load(browser: Browser, address: str, *, slow: bool) -> Loaded:
    """Load a page as somebody who has never been here."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    if slow:
        wire.send("Network.emulateNetworkConditions", SLOW)
    names: dict[str, str] = {}
    files: dict[str, int] = {}

    def asked(event: dict[str, Any]) -> None:
        names[event["requestId"]] = event["request"]["url"].removeprefix(address.split("/", 3)[0]).split("/", 3)[-1]

    def came(event: dict[str, Any]) -> None:
        files[names.get(event["requestId"], "?") or "/"] = int(event["encodedDataLength"])

    wire.on("Network.requestWillBeSent", asked)
    wire.on("Network.loadingFinished", came)
    page.goto(address, wait_until="load")
    painted = float(page.evaluate(_PAINT))
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(500)
    context.close()
    return Loaded(files, painted)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
