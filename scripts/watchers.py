"""What a move costs while many watch: the application in this process, one person who plays, and pages that look on.

`python scripts/watchers.py 1000` prints the medians over some moves: the processor's time of a move with all that the
pages are sent, the wait for the answer, and the wait until every page has been sent the move.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
from starlette.applications import Starlette

from thorp.server.app import create_app
from thorp.server.settings import Settings

GAME, MOVES, BEATS = "tiny-towns", 5, 3


class Watcher:
    """A page that only looks on."""

    def __init__(self, app: Starlette, path: str, number: int) -> None:
        self.events = 0
        self.gone = asyncio.Event()
        scope = {
            "type": "http",
            "method": "GET",
            "path": f"{path}/events",
            "raw_path": f"{path}/events".encode(),
            "query_string": f"nonce={number:022}".encode(),
            "scheme": "http",
            "headers": [],
            "client": (f"127.0.{number // 250}.{number % 250}", 1),
            "server": ("thorp.test", 80),
            "root_path": "",
        }
        self.task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.events += message.get("body", b"").startswith(b"id: ")


async def _all_have(watchers: list[Watcher], events: int) -> None:
    async with asyncio.timeout(600):
        while any(watcher.events < events for watcher in watchers):
            await asyncio.sleep(0.002)


async def measure(app: Starlette, count: int, heartbeat: float) -> None:
    """Play some moves while so many watch, and then let all their heartbeats pass."""
    await app.state.readiness.all_ready.wait()
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://thorp.test") as client:
        answer = await client.post("/tables", data={"game": GAME, "seats": "1", "forced": "no"})
        path = answer.headers["location"]
        watchers = [Watcher(app, path, number) for number in range(count)]
        await _all_have(watchers, 1)
        costs, answers, waits = [], [], []
        for number in range(MOVES):
            text = html.unescape((await client.get(f"{path}/fragment")).text)
            form = {name: re.findall(pattern, text)[0] for name, pattern in _FIELDS.items()}
            # streams rest after a push
            await asyncio.sleep(0.2)
            before, began = time.process_time(), time.perf_counter()
            answer = await client.post(f"{path}/moves", data=form, headers={"HX-Request": "true"})
            answers.append(time.perf_counter() - began)
            assert answer.status_code == 200, answer.text
            await _all_have(watchers, 2 + number)
            waits.append(time.perf_counter() - began)
            costs.append(time.process_time() - before)
        before = time.process_time()
        await asyncio.sleep(BEATS * heartbeat)
        beat = (time.process_time() - before) / BEATS
        for watcher in watchers:
            watcher.gone.set()
        await asyncio.gather(*(watcher.task for watcher in watchers))
    cost, answered, waited = (1000 * statistics.median(times) for times in (costs, answers, waits))
    print(
        f"{count} watchers: a move costs {cost:.0f} ms of the processor, is answered after {answered:.0f} ms, and has "
        f"been sent to all after {waited:.0f} ms; a heartbeat of all costs {1000 * beat:.0f} ms"
    )


_FIELDS = {"move": r'<button name="move" value="(\d+)"', "counter": r'name="counter" value="(\d+)"'}


async def main(count: int, heartbeat: float = 5.0) -> None:
    """Measure an application on an empty database."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder), compile_apart=False, heartbeat=heartbeat, look_rate=1e6, look_burst=10**6)
        app = create_app(settings)
        async with app.router.lifespan_context(app):
            await measure(app, count, heartbeat)


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(description=__doc__)
    _parser.add_argument("pages", nargs="?", type=int, default=1000, help="how many look on (default: 1000)")
    asyncio.run(main(_parser.parse_args().pages))
