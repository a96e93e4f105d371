"""How long moves wait for the database while many tables play: the whole application, without a network."""

from __future__ import annotations

import argparse
import asyncio
import html
import random
import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2

from thorp.server.app import create_app
from thorp.server.settings import Settings

GAME = "tiny-towns"


class Times:
    """What has been measured: seconds until a move was committed, seconds until it was answered, and refusals."""

    def __init__(self) -> None:
        self.commits: list[float] = []
        self.answers: list[float] = []
        self.refused = 0


def main() -> None:
    """Let people play random moves at tables of their own, and print how long they wait."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10, help="how many tables play (default: 10)")
    parser.add_argument("--seconds", type=float, default=20, help="how long is measured (default: 20)")
    parser.add_argument("--pause", type=float, default=0, help="seconds between an answer and a move (default: 0)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = asyncio.run(_measure(Path(folder), given.tables, given.seconds, given.pause))
    print(f"{given.tables} tables, {len(times.answers)} moves in {given.seconds:g} s, {times.refused} refused (503)")
    print(f"committed after: {_told(times.commits)}")
    print(f"answered after:  {_told(times.answers)}")


def _told(seconds: Sequence[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    return f"p50 {1000 * cuts[49]:.1f} ms, p99 {1000 * cuts[98]:.1f} ms, longest {1000 * max(seconds):.1f} ms"


async def _measure(folder: Path, tables: int, seconds: float, pause: float) -> Times:
    times = Times()
    app = create_app(Settings(folder, post_rate=1e6, post_burst=10**6, look_rate=1e6, look_burst=10**6))
    async with app.router.lifespan_context(app):
        await app.state.readiness.all_ready.wait()
        _time_commits(app.state.store, times)
        end = time.perf_counter() + seconds
        await asyncio.gather(*(_play(app, random.Random(number), pause, end, times) for number in range(tables)))
    return times


def _time_commits(store: Any, times: Times) -> None:
    """Let a store note how long each of its moves takes."""
    add_move = store.add_move

    async def timed(*args: Any, **kwargs: Any) -> None:
        began = time.perf_counter()
        await add_move(*args, **kwargs)
        times.commits.append(time.perf_counter() - began)

    store.add_move = timed


async def _play(app: Any, rng: random.Random, pause: float, end: float, times: Times) -> None:
    """One person at one solo table after the other."""
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://thorp", follow_redirects=True) as client:
        while time.perf_counter() < end:
            page = await client.post("/tables", data={"game": GAME, "seats": "1"})
            if page.status_code == 503:
                times.refused += 1
                continue
            table, text = page.url.path, page.text
            while moves := re.findall(r'<button name="move" value="(\d+)"', html.unescape(text)):
                counter = re.search(r'name="counter" value="(\d+)"', text)
                if counter is None or time.perf_counter() >= end:
                    return
                await asyncio.sleep(pause)
                form = {"counter": counter[1], "move": rng.choice(moves)}
                began = time.perf_counter()
                answer = await client.post(f"{table}/moves", data=form, headers={"HX-Request": "true"})
                if answer.status_code == 503:
                    times.refused += 1
                    continue
                times.answers.append(time.perf_counter() - began)
                text = answer.text


if __name__ == "__main__":
    main()
