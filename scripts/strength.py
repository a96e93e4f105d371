"""How well the simple players build: the average of many solo games and of games at four seats."""

from __future__ import annotations

import argparse

import numpy as np

import thorp
from thorp import players
from thorp.arena import play_games


def main() -> None:
    """Print mean, spread and quartiles for every player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="tiny-towns")
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    game = thorp.game(given.game)
    for seats in (1, 4):
        for name in players.names():
            scores = np.asarray(play_games(game, [name] * seats, {}, range(given.games)))
            low, middle, high = np.percentile(scores, (25, 50, 75))
            print(
                f"{given.games} games, {seats} seats, {name:7} mean {scores.mean():6.2f}, sd {scores.std():5.2f}, "
                f"quartiles {low:.0f} {middle:.0f} {high:.0f}"
            )


if __name__ == "__main__":
    main()
