"""How good learned weights are: solo points, and how often the learned player wins against greedy ones."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import thorp
from thorp.core.errors import GameError
from thorp.core.weights import read_weights
from thorp.training.contest import contests


def main() -> None:
    """Print points of solo games, or the share of wins over paired seeds: each seed once for every seat."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--weights", type=Path, help="a file of weights (default: those of the package)")
    parser.add_argument("--seats", type=int, default=1)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--preset", help="a set of options of the game, such as 'First game'")
    given = parser.parse_args()
    try:
        game = thorp.game(given.game)
        game.options_for(given.seats)
        learned, told = read_weights(game, given.weights)
    except GameError as error:
        raise SystemExit(str(error)) from error
    if given.games < given.seats:
        raise SystemExit(f"the number of games is {given.seats} or more, one from each seat, not {given.games}")
    options = dict(game.presets[given.preset]) if given.preset else None
    print(f"weights after {told.get('games')} games")
    for who in range(given.seats):
        mask = 1 << who
        began = time.process_time()
        seeds = range(1, 1 + given.games // given.seats)
        scores, standings = contests(game, learned, given.seats, mask, seeds, options)
        took = time.process_time() - began
        shares = (standings[:, who] == 1) / (standings == 1).sum(axis=1).clip(1)
        _say(f"learned in seat {who + 1} of {given.seats}", scores[:, who], shares, took)
    if given.seats == 1:
        began = time.process_time()
        scores, standings = contests(game, learned, 1, 0, range(1, 1 + given.games), options)
        _say("greedy", scores[:, 0], standings[:, 0] == 1, time.process_time() - began)


def _say(who: str, points: np.ndarray, wins: np.ndarray, took: float) -> None:
    error = points.std() / points.size**0.5
    print(
        f"{who}: {points.size} games, points {points.mean():.2f} +- {error:.2f}, "
        f"wins {wins.mean():.1%}, {points.size / took:.0f} games a CPU second"
    )


if __name__ == "__main__":
    main()
