"""`thorp train GAME`: learn an evaluation by self-play, stop, and go on where one stopped."""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

from thorp.compiling.preparing import show_progress
from thorp.core.errors import GameError
from thorp.core.registry import game as find_game
from thorp.core.weights import write_weights
from thorp.training import Progress, Training, train

#: What a run plays where nothing is said.
DEFAULT_GAMES = 100_000


def learn(id: str, games: int | None, seed: int, folder: Path) -> int:
    """Learn, or go on with the run in the folder; it gets the run, its curve and the weights."""
    game = find_game(id)
    if game.net is None:
        raise GameError(f"{game.name} has nothing to be learned: its rules have no value")
    folder.mkdir(parents=True, exist_ok=True)
    kept, curve, weights = folder / f"{id}.run.npz", folder / f"{id}.curve.csv", folder / f"{id}.weights"
    if kept.exists():
        run = Training.resume(game, kept, games)
        print(f"Going on after {run.done} of {run.games} games ({kept}).")
    else:
        run = Training(game, games or DEFAULT_GAMES, seed)
    game.prepare(show_progress)
    began, first = time.monotonic(), run.done

    def keep() -> None:
        run.save(kept)
        write_weights(weights, game, run.learned, {"seed": run.seed, "games": run.done})
        with curve.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(("games", "error", "points"))
            rows.writerows((each.games, f"{each.error:.4f}", f"{each.points:.3f}") for each in run.curve)

    def tell(point: Progress) -> None:
        keep()
        rate = (run.done - first) / (time.monotonic() - began)
        left = (run.games - run.done) / rate if rate else 0
        print(
            f"{point.games:>9} games  error {point.error:5.2f}  points {point.points:6.2f}  "
            f"{rate:6.1f} games a second, {left / 60:.0f} minutes left",
            flush=True,
        )

    try:
        train(run, tell)
    except KeyboardInterrupt:
        # what was learned since the last point of the curve is learned again
        print(f"\nStopped. The same command goes on from the last line above ({kept}).", file=sys.stderr)
        return 130
    print(f"Written: {weights}")
    return 0
