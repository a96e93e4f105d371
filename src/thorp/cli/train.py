"""`thorp train GAME`: learn an evaluation by self-play, stop, and go on; or learn for one table."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thorp.cli.alone import alone
from thorp.cli.extras import missing
from thorp.cli.interrupts import quietly_interruptible
from thorp.cli.options import read_options
from thorp.cli.replay import load
from thorp.compiling.preparing import show_progress
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match, checked_seed
from thorp.core.net import Net
from thorp.core.ntuples import NTuples
from thorp.core.registry import game as find_game
from thorp.core.weights import WeightsError, read_weights, write_weights
from thorp.players.lessons import Lesson, beginning_of, keep, known

if TYPE_CHECKING:
    from thorp.training import Progress, Training

#: What a run plays where nothing is said, and where it is kept.
DEFAULT_GAMES = 100_000
DEFAULT_SEED = 1
DEFAULT_FOLDER = Path("learned")
#: Seconds between two lines about a lesson.
TELL = 2.0


def learn(
    id: str,
    games: int | None,
    seed: int | None,
    folder: Path | None,
    seats: int | None,
    options: Sequence[str],
    expect: bool = False,
    threads: int | None = None,
    file: Path | None = None,
) -> int:
    """Learn, or go on with the run in the folder; it gets the run, its curve and the weights.

    A game that is learned table by table is learned for these seats and options, or for the table of the match in
    `file`, and kept where players find it.
    `expect`: of a game whose net has learned to choose another one learns what games come to that are played by it.
    """
    game = find_game(id)
    if game.net is None:
        raise GameError(f"{game.name} has nothing to be learned: its rules have no value")
    if expect and not (isinstance(game.net, Net) and game.net.judged):
        raise GameError(f"{game.name} asks no net what games come to: leave out --expect")
    if isinstance(game.net, NTuples):
        if games is not None or folder is not None or threads is not None:
            raise GameError(
                f"{game.name} is learned for one table: say --seats and --option, or --match, "
                "not --games, --threads or --out"
            )
        return _learn_table(
            _table(game, seats, options, seed, file), DEFAULT_SEED if seed is None else checked_seed(seed)
        )
    if seats is not None or options or file is not None:
        raise GameError(f"{game.name} is learned for all tables at once: say neither --seats, --option nor --match")
    try:
        with quietly_interruptible():
            from thorp.training import Training
    except ImportError as error:
        raise missing("learning a net needs", "training", error) from error
    folder = folder or DEFAULT_FOLDER
    called, weights = f"{id}.expects" if expect else id, folder / f"{id}.weights"
    kept, curve = folder / f"{called}.run.npz", folder / f"{called}.curve.csv"

    with ExitStack() as held:
        if there := folder.is_dir():
            held.enter_context(_alone(game, folder))
        # who is refused makes no folder
        chooses, told = _chooses(game, weights) if expect else (None, {})
        if kept.exists():
            run = _resumed(game, kept, weights, games, seed, chooses, threads)
        else:
            _see_that_nothing_is_lost(game, folder, weights, expect)
            wanted, begun = DEFAULT_GAMES if games is None else games, DEFAULT_SEED if seed is None else seed
            run = Training(game, wanted, begun, chooses, threads)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GameError(f"{folder} cannot be made: {error.strerror}; name another folder by --out") from error
        if not there:
            held.enter_context(_alone(game, folder))
        return _learn(run, told, folder, kept, curve, weights, expect)


def _resumed(
    game: AnyGame, kept: Path, weights: Path, games: int | None, seed: int | None, chooses: Any, threads: int | None
) -> Training:
    """The run of that file. Raises GameError where it is damaged, or another one than is meant."""
    from thorp.training import Training

    try:
        run = Training.resume(game, kept, games, threads)
    except WeightsError as error:
        away = f"{kept} and {weights}" if chooses is None and weights.exists() else str(kept)
        raise GameError(f"{error}: name another folder by --out, or take {away} away") from error
    if seed not in (None, run.seed):
        raise GameError(f"{kept} is a run of seed {run.seed}: name another folder by --out for one of seed {seed}")
    if chooses is not None and not np.array_equal(run.plays, chooses):
        raise GameError(
            f"{kept} is about another player than that of {weights if weights.exists() else game.name}: "
            "name another folder by --out, or take that file away"
        )
    if run.done > run.games:
        raise GameError(f"{kept} has learned from {run.done} games already: say as many or more by --games")
    print(f"Going on after {run.done} of {run.games} games ({kept}).")
    return run


def _see_that_nothing_is_lost(game: AnyGame, folder: Path, weights: Path, expect: bool) -> None:
    """Raise GameError where a new run would write over what was learned, and no run beside it has that too."""
    try:
        learned, told = read_weights(game, weights)
    except WeightsError:
        # there are none, or none of the game as it is now
        return
    if expect:
        assert isinstance(game.net, Net)
        if game.net.expects(learned) is None:
            return
        what, told = "what was learned to expect", told.get("expects", {})
        again = ", and write what has learned to choose anew by this command without --expect"
    else:
        if (folder / f"{game.id}.expects.run.npz").exists():
            # which has learned about this player, and keeps it
            return
        what, again = "what was learned", ""
    games = f" from {told['games']} games" if "games" in told else ""
    raise GameError(
        f"{weights} has {what}{games}, and its run is not beside it: a new one would write over it; "
        f"name another folder by --out, or take that file away{again}"
    )


def _alone(game: AnyGame, folder: Path) -> AbstractContextManager[None]:
    """While this lasts nobody else learns for a game in a folder. Raises GameError where somebody does already."""
    said = f"another thorp train of {game.name} is at work in {folder}: name another folder by --out"
    return alone(folder / f".{game.id}.lock", said)


def _learn(
    run: Training, told: dict[str, Any], folder: Path, kept: Path, curve: Path, weights: Path, expect: bool
) -> int:
    """Learn to the end, and keep what was learned after each point of the curve. `told`: of the player that chooses."""
    from thorp.training import train

    game = run.game
    print(f"Steps of learning are taken on: {run.device}.{_why_not(run.unused)}")
    game.prepare(show_progress)
    began, first = time.monotonic(), run.done

    def keep() -> None:
        run.save(kept)
        own = {"seed": run.seed, "games": run.done}
        if expect:
            write_weights(weights, game, np.concatenate((run.plays, run.learned)), {**told, "expects": own})
        else:
            _write_learned(weights, run, own)
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
        if run.done == first:
            keep()
    except KeyboardInterrupt:
        # what was learned since the last point of the curve is learned again
        goes_on = (
            f"The same command goes on from the last line above ({kept})." if kept.exists() else "Nothing is kept."
        )
        print(f"\nStopped. {goes_on}", file=sys.stderr)
        return 130
    except OSError as error:
        raise GameError(f"what was learned cannot be written to {folder}: {error.strerror}") from error
    print(f"Written: {weights}")
    return 0


def _why_not(unused: str) -> str:
    """Why what steps could be taken on is not used: who has paid for it would think that it was not found."""
    if not unused:
        return ""
    return f" There is a {unused}, but to send it what was read of every move takes longer than the steps."


def _chooses(game: AnyGame, weights: Path) -> tuple[Any, dict[str, Any]]:
    """What has learned to choose, and what is told about it: these weights, or where they are not those of the game."""
    learned, told = read_weights(game, weights if weights.exists() else None)
    assert isinstance(game.net, Net)
    return learned[: game.net.learned], {name: told[name] for name in ("seed", "games") if name in told}


def _write_learned(weights: Path, run: Training, told: dict[str, Any]) -> None:
    """Write what a run has learned. What was learned to expect stays behind it, where it is about just that."""
    try:
        there, _ = read_weights(run.game, weights)
    except WeightsError:
        # there are none, or none of the game as it is now
        there = run.learned
    if run.net.expects(there) is not None:
        if np.array_equal(there[: run.net.learned], run.learned):
            return
        print(f"What was learned to expect is dropped from {weights}: it is about another player.")
    write_weights(weights, run.game, run.learned, told)


def _table(game: AnyGame, seats: int | None, options: Sequence[str], seed: int | None, file: Path | None) -> AnyMatch:
    """A match at the table that is meant."""
    if file is None:
        # what is left to chance is dealt, as for a match of that seed
        at_table = game.seats[0] if seats is None else seats
        return Match(game, at_table, read_options(game, options), DEFAULT_SEED if seed is None else seed)
    if seats is not None or options:
        raise GameError(
            "a match says itself how many seats there are, and which options: leave out --seats and --option"
        )
    match = load(file)
    if match.game is not game:
        raise GameError(f"{file} is a match of {match.game.name}, not of {game.name}")
    return match


def _learn_table(match: AnyMatch, seed: int) -> int:
    game, seats, beginning = match.game, match.seats, beginning_of(match)
    game.prepare(show_progress)
    print(
        f"{game.name}, {seats} {'seat' if seats == 1 else 'seats'}:\n\n{game.face.text(beginning, None)}\n", flush=True
    )
    if known(game, beginning, seats) is not None:
        print(
            "This table has learned already, and all players go by that: what is learned now takes its place.",
            flush=True,
        )
    lesson = Lesson(game, beginning, seats, seed)
    said = time.monotonic()

    def tell() -> None:
        nonlocal said
        if time.monotonic() - said > TELL:
            said = time.monotonic()
            print(f"{lesson.done:>9} of {lesson.games} games", flush=True)

    try:
        learned = lesson.learn(tell)
    except KeyboardInterrupt:
        print("\nStopped: nothing is kept.", file=sys.stderr)
        return 130
    keep(game, beginning, seats, learned)
    tried = ", ".join(f"{points:.1f}" for points in lesson.tried)
    print(f"Ways to learn came to {tried} points a seat; the best went on, to {lesson.points:.1f}.")
    return 0
