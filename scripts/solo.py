"""How good players that learn at the table are alone: `python scripts/solo.py GAME --games 40 --seconds 0.5`.

Each seed deals a game of its own, with cards at random. It is learned for (unless that was kept), then played one move
ahead by what was learned, and by search.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import mean, stdev
from typing import Any

import thorp
from thorp.cli.options import read_options
from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError
from thorp.core.match import AnyMatch
from thorp.players import Plan, Thought, Way, choose
from thorp.players.lessons import beginning_of, known_or_learned

CANDIDATES = 12


def main() -> None:
    """Print a line for each game, and what they come to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="the seed of the first game (default: 1)")
    parser.add_argument("--seconds", type=float, default=0.5, help="processor time a decision (default: 0.5)")
    parser.add_argument("--lines", type=int, default=Way().lines, help=f"lines in a game (default: {Way().lines})")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--marks", type=int, nargs="*", default=[32, 38], help="how many games reach so many points")
    given = parser.parse_args()
    if given.games < 1:
        raise SystemExit(f"the number of games is 1 or more, not {given.games}")
    try:
        game = thorp.game(given.game)
        options = game.options_for(1, read_options(game, given.option))
    except GameError as wrong:
        raise SystemExit(str(wrong)) from wrong
    ahead, searched, spent = [], [], 0.0
    for seed in range(given.first, given.first + given.games):
        match: AnyMatch = thorp.Match(game, 1, options, seed)
        began = time.process_time()
        learned = known_or_learned(game, beginning_of(match), 1)
        spent += time.process_time() - began
        ahead.append(_play(match.copy(), _one_ahead))
        searched.append(_play(match.copy(), _Thinker(learned, given.seconds, given.lines)))
        print(f"{seed:>6}  one move ahead {ahead[-1].scores[0]:>3}  search {searched[-1].scores[0]:>3}", flush=True)
    for name, matches in (("one move ahead", ahead), ("search", searched)):
        points = [match.scores[0] for match in matches]
        error = stdev(points) / len(points) ** 0.5 if len(points) > 1 else 0.0
        reach = ", ".join(f"{mark} or more {mean(each >= mark for each in points):.0%}" for mark in given.marks)
        wins = mean(match.standings[0] == 1 for match in matches)
        rival = f", beats who plays against it {wins:.0%}" if game.face.rival(matches[0].state) else ""
        print(f"{name}: {len(points)} games, {mean(points):.1f} +- {error:.1f} points, {reach}{rival}")
    print(f"learned in {spent / given.games:.1f} s of processor time a game")


def _play(match: AnyMatch, chosen: Callable[[AnyMatch, int], int]) -> AnyMatch:
    while not match.over:
        legal = match.legal(0)
        match.play(0, legal[0] if len(legal) == 1 else chosen(match, match.seed * 1000 + match.ply))
    return match


def _one_ahead(match: AnyMatch, number: int) -> int:
    return choose("learned", match, 0, number)


class _Thinker:
    """Chooses by search, and keeps in mind what it has planned."""

    def __init__(self, learned: Any, seconds: float, lines: int) -> None:
        self._learned, self._seconds, self._way = learned, seconds, Way(CANDIDATES, lines=lines)
        self._plan = Plan()

    def __call__(self, match: AnyMatch, number: int) -> int:
        where = match.game, match.state, 1, 0, number % (1 << SEED_BITS), self._way
        thought = Thought(*where, self._learned, plan=self._plan)
        return thought.think(seconds=self._seconds)[0].move


if __name__ == "__main__":
    main()
