"""How long a move takes over HTTP: a real server, one person, each answer with the fresh table."""

from __future__ import annotations

import argparse
import html
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

import httpx2

WARM_UP, COUNTED = 20, 200


def main() -> None:
    """Play random moves at a solo table, and print the quartiles of the answers."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "thorp", "serve", "--port", "0", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                address = re.search(r"http://\S+", server.stdout.readline())
                assert address
                times = _measure(address[0].rstrip("/"))
            finally:
                server.terminate()
    low, median, high = statistics.quantiles(times, n=4)
    print(f"{len(times)} moves: median {1000 * median:.1f} ms, quartiles {1000 * low:.1f} and {1000 * high:.1f} ms")


def _measure(address: str) -> list[float]:
    rng = random.Random(0)
    times: list[float] = []
    with httpx2.Client(base_url=address, follow_redirects=True, timeout=120) as client:
        while client.get("/games/tiny-towns").status_code != 200:
            time.sleep(0.2)
        while len(times) < WARM_UP + COUNTED:
            page = client.post("/tables", data={"game": "tiny-towns", "seats": "1"})
            table, text = page.url.path, page.text
            while moves := re.findall(r'<button name="move" value="(\d+)"', html.unescape(text)):
                counter = re.search(r'name="counter" value="(\d+)"', text)
                assert counter
                form = {"counter": counter[1], "move": rng.choice(moves)}
                began = time.perf_counter()
                answer = client.post(f"{table}/moves", data=form, headers={"HX-Request": "true"})
                times.append(time.perf_counter() - began)
                text = answer.raise_for_status().text
                # the limit of posts a second is for people
                time.sleep(0.06)
    return times[WARM_UP:]


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
