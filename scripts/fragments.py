"""What the fragment of a table weighs, and how long it takes to render, in each language.

`python scripts/fragments.py` goes through the matches in scripts/looks, and prints of each game and language: kilobytes
of a fragment as the server compresses it, and milliseconds of the processor until it is rendered, with nothing of it
kept from before: the best of some times, as machines have much else to do.
"""

from __future__ import annotations

import argparse
import statistics
import time
import zlib

import looks

from thorp.checks.pages import Pages
from thorp.core.language import ENGLISH, language, speaking, translated
from thorp.server.app import COMPRESSION
from thorp.server.tables.table import Table

#: So many positions of a match, and so often each is rendered.
POSITIONS, TIMES = 10, 9


def main() -> None:
    """Measure, and print."""
    pages = Pages()
    languages = [ENGLISH, *map(language, translated())]
    for game in looks.GAMES:
        match, _ = looks.written(game)
        weights: dict[str, list[int]] = {each.tag: [] for each in languages}
        times: dict[str, list[float]] = {each.tag: [] for each in languages}
        for n in range(POSITIONS):
            table = pages.table(match.at(match.ply * n // POSITIONS))
            seat = table.match.waiting[0]
            for each in languages:
                with speaking(each.within(match.game.words)):
                    taken = [_took(pages, table, seat) for _ in range(TIMES)]
                    weights[each.tag].append(_packed(pages.fragment(table, seat)))
                times[each.tag].append(min(taken))
        for tag in times:
            size, took = statistics.mean(weights[tag]), statistics.mean(times[tag])
            print(f"{game}, {tag}: {size / 1000:.2f} kB, {1000 * took:.1f} ms")


def _took(pages: Pages, table: Table, seat: int) -> float:
    began = time.process_time()
    pages.fragment(table, seat)
    return time.process_time() - began


def _packed(text: str) -> int:
    packed = zlib.compressobj(COMPRESSION, zlib.DEFLATED, 31)
    return len(packed.compress(text.encode()) + packed.flush())


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
