"""Whether what analysis tells comes true: `python scripts/calibration.py GAME SEATS --games 100 --level strong@0.05`.

Each seed deals a game that a level plays at all seats. Some of its decisions, spread evenly from the first to the last,
are judged as hints and reviews judge them, from what the seat knew then; what was told of the move that was played is
held against what the seat had of the first place at the end. Of moves told to win 30 % three in ten should have won.

What was told and what came is printed by how likely it was told to be and by how far the game had gone, with one
standard error that has in it that decisions of one game end alike. Against players of another strength other chances
are true: this asks only whether they are for equals that play as the level does.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from math import log, sqrt
from pathlib import Path
from typing import Any

import thorp
from thorp.cli.options import read_options
from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError
from thorp.core.match import AnyMatch
from thorp.players import Effort, choose, goes_by_lessons, is_player, learn_for
from thorp.players.analysis import is_by_points

#: What is told is put together up to these chances.
BINS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
#: And these parts of a game.
PARTS = ((1 / 3, "first third"), (2 / 3, "second third"), (1.0, "last third"))
#: A chance of nothing that comes true would cost without end.
LEAST = 0.001


@dataclass(frozen=True)
class Told:
    """What was told of one decision, and what came of it."""

    seed: int
    ply: int
    seat: int
    #: How much of the game had been played.
    gone: float
    chance: float
    error: float
    came: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, judge, and print what was told and what came."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("seats", type=int)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="the seed of the first game (default: 1)")
    parser.add_argument("--level", default="strong@0.05", help="who plays (default: strong@0.05)")
    parser.add_argument("--decisions", type=int, default=8, help="so many of each game (default: 8)")
    parser.add_argument("--seconds", type=float, default=0.3, help="processor time for each (default: 0.3, as reviews)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--csv", type=Path, help="where all that was told is written")
    given = parser.parse_args(arguments)
    if given.games < 1 or given.decisions < 1:
        raise SystemExit("the numbers of games and of decisions are 1 or more")
    if not is_player(given.level):
        raise SystemExit(f"{given.level} is no player")
    try:
        game = thorp.game(given.game)
        options = game.options_for(given.seats, read_options(game, given.option))
        effort = Effort(seconds=given.seconds)
    except GameError as wrong:
        raise SystemExit(str(wrong)) from wrong
    if is_by_points(game, thorp.Match(game, given.seats, options, given.first).state, given.seats):
        raise SystemExit(f"alone {game.name} is played for points: there is no chance to win to hold against anything")
    found: list[Told] = []
    for seed in range(given.first, given.first + given.games):
        match: AnyMatch = thorp.Match(game, given.seats, options, seed)
        play(match, given.level)
        found += judged(match, given.decisions, effort)
        if given.csv:
            write(given.csv, found)
    print_told(found)


def play(match: AnyMatch, level: str) -> None:
    """Play a match to its end, the same level at all seats."""
    if goes_by_lessons(level):
        learn_for(match)
    number = 0
    while not match.over:
        seat, number = match.waiting[0], number + 1
        match.play(seat, choose(level, match, seat, (match.seed << 16 | number) % (1 << SEED_BITS)))


def judged(match: AnyMatch, count: int, effort: Effort) -> Iterable[Told]:
    """What is told of so many decisions of a match, from the first to the last."""
    learn_for(match)
    plies = [
        (ply, step.seat)
        for ply, step in enumerate(match.steps())
        if len(match.game.legal_moves(step.before, step.seat)) > 1
    ]
    first = match.standings.count(1)
    for nth in range(count):
        ply, seat = plies[int((nth + 0.5) / count * len(plies))]
        played = thorp.analyse(match, seat, ply, effort).played
        assert played is not None
        came = (match.standings[seat] == 1) / max(1, first)
        yield Told(match.seed, ply, seat, ply / match.ply, played.chance, played.chance_error, came)


def print_told(found: Sequence[Told]) -> None:
    """Print what was told and what came, by chances and by parts of a game."""
    ranges = [(low, high) for low, high in zip((0.0, *BINS), BINS, strict=False)]
    for part, name in ((1.0, "all"), *PARTS):
        gone = [each for each in found if name == "all" or part - 1 / 3 <= each.gone < part]
        print(f"{name}: {len(gone)} decisions{scores(gone)}")
        for low, high in ranges:
            row = [each for each in gone if low <= each.chance < high or each.chance == high == 1]
            if row:
                print(f"  told {100 * low:3.0f} to {100 * high:3.0f} %: {line(row)}")


def line(row: Sequence[Told]) -> str:
    """What was told of some decisions, what came, and how far these lie apart."""
    told, came = (sum(each) / len(row) for each in zip(*((one.chance, one.came) for one in row), strict=True))
    error = clustered(row, lambda each: each.came - each.chance)
    return f"{100 * told:5.1f} %, came {100 * came:5.1f} ± {100 * error:.1f} %, {len(row)} decisions"


def scores(row: Sequence[Told]) -> str:
    """How far what was told was from what came: Brier's score, and bits for each decision; less is better."""
    if not row:
        return ""
    brier = sum((each.came - each.chance) ** 2 for each in row) / len(row)
    bits = -sum(each.came * log(_held(each.chance)) + (1 - each.came) * log(_held(1 - each.chance)) for each in row)
    return f", Brier {brier:.4f}, {bits / len(row) / log(2):.4f} bits"


def clustered(row: Sequence[Told], value: Callable[[Told], float]) -> float:
    """One standard error of the mean of a value, where decisions of one game belong together."""
    middle = sum(map(value, row)) / len(row)
    games: dict[int, float] = defaultdict(float)
    for each in row:
        games[each.seed] += value(each) - middle
    return sqrt(sum(apart**2 for apart in games.values())) / len(row)


def write(path: Path, found: Sequence[Told]) -> None:
    """Write all that was told, a decision a line."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows: Any = csv.DictWriter(file, [*Told.__dataclass_fields__])
        rows.writeheader()
        rows.writerows(asdict(each) for each in found)


def _held(chance: float) -> float:
    return min(1 - LEAST, max(LEAST, chance))


if __name__ == "__main__":
    main()
