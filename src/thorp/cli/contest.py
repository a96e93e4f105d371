"""`thorp arena play`, `report` and `match`: contests between any players, the report of one, and a game of one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thorp.arena.contest import Contest, Course, courses_of, play_contest
from thorp.arena.entrants import entrants
from thorp.arena.lineups import Lineup, lineups
from thorp.arena.recorded import match_of
from thorp.arena.results import Deal, Results
from thorp.arena.sequential import LEAST_DEALS, Trial
from thorp.arena.work import is_compiled
from thorp.arena.workers import Many, Workers
from thorp.cli.alone import alone
from thorp.cli.arena import Progress, report_folder
from thorp.cli.extras import missing
from thorp.cli.interrupts import quietly_interruptible
from thorp.cli.options import read_options
from thorp.compiling.preparing import show_progress
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.registry import game as find_game

#: In the folder of a contest: held by who plays there.
LOCK = ".arena.lock"


def play(given: argparse.Namespace) -> int:
    """Play what is missing, write the report, and say what came out."""
    game = find_game(given.game)
    options = game.options_for(given.seats, read_options(game, given.option))
    who = entrants(given.player)
    contest = Contest(
        game=game,
        options=options,
        entrants=who,
        lineups=lineups(
            [each.name for each in who], given.seats, against=given.against, mixed=given.mixed, mirror=given.mirror
        ),
        first=given.seed,
        deals=given.deals,
        trial=_trial(given.test, given.error),
        seconds=given.seconds,
    )
    workers = _workers(given, contest)
    folder, made = report_folder(given.out or Path(f"arena-{game.id}-{given.seats}"))
    lock = folder / LOCK
    try:
        with alone(lock, f"another thorp arena play is at work in {folder}: name another folder by --out"):
            results = Results(folder)
            game.prepare(show_progress)
            progress = Progress("deals")

            def tell(done: int, deals: int, played: list[Deal]) -> None:
                _say_losses(played)
                progress.tell(done, deals)

            try:
                courses = play_contest(contest, results, workers, tell)
            except KeyboardInterrupt:
                if results.lineups:
                    goes_on = f"the same command goes on from here, and thorp arena report {folder} tells what there is"
                    print(f"\nStopped: {goes_on}.", end="", file=sys.stderr)
                raise
            return _report(folder, game, results, courses, [each.name for each in who])
    finally:
        if made and {*folder.iterdir()} <= {lock}:
            lock.unlink(missing_ok=True)
            folder.rmdir()


def report(folder: Path, test: Sequence[float] | None, error: float | None) -> int:
    """Write the report of what has been played so far, without playing."""
    results, game = _played(folder)
    if unknown := sorted({name for lineup in results.lineups for name in lineup.players} - results.players.keys()):
        raise GameError(f"{results.path} does not say what player {unknown[0]} is; run thorp arena play again")
    courses = courses_of(results, _trial(test, error))
    return _report(folder, game, results, courses, list(results.players))


def match(folder: Path, names: Sequence[str], seed: int, nth: int, out: Path | None) -> int:
    """Write one game of a contest as a match."""
    results, game = _played(folder)
    found = match_of(game, results, _lineup(results, names), seed, nth)
    if out is None:
        print(found.export())
        return 0
    try:
        out.write_text(found.export() + "\n", "utf-8")
    except OSError as error:
        raise GameError(f"{out} cannot be written: {error.strerror}") from error
    return 0


def _lineup(results: Results, names: Sequence[str]) -> Lineup:
    """The table of some players, whose games are counted in this order; without names the only one there is."""
    if not names and len(results.lineups) == 1:
        return results.lineups[0]
    if names and Lineup(tuple(names)).turned in {lineup.turned for lineup in results.lineups}:
        return Lineup(tuple(names))
    tables = "; ".join(" ".join(f"--player {name}" for name in lineup.players) for lineup in results.lineups)
    raise GameError(f"{results.path} has the tables {tables}: name who sits at one of them, in this order")


def _played(folder: Path) -> tuple[Results, AnyGame]:
    """What has been played of a contest, and its game. Raises GameError where that is nothing, or another one today."""
    results = Results(folder)
    if results.about is None or not results.lineups:
        raise GameError(
            f"{folder} holds no results of a contest" if folder.is_dir() else f"there is no folder {folder}"
        )
    game = find_game(results.about["game"])
    if results.about["rules"] != game.rules_version:
        raise GameError(
            f"{results.path} is of version {results.about['rules']} of the rules of {game.name}, not "
            f"{game.rules_version}; report it with the Thorp that played it, {results.about['thorp']}"
        )
    try:
        game.options_for(results.about["seats"], results.about["options"])
    except GameError as wrong:
        raise GameError(
            f"{results.path} is of options that {game.name} does not have: {wrong}; report it with the Thorp that "
            f"played it, {results.about['thorp']}"
        ) from wrong
    return results, game


def _trial(test: Sequence[float] | None, error: float | None) -> Trial | None:
    if test:
        low, high = test
        return Trial(low, high) if error is None else Trial(low, high, error)
    if error is not None:
        raise GameError("--error says how often a test may be wrong: name the test, --test LOW HIGH")
    return None


def _workers(given: argparse.Namespace, contest: Contest) -> Workers:
    if given.ray is None:
        return Many(given.workers, compiled=all(is_compiled(contest.game, each) for each in contest.lineups))
    try:
        with quietly_interruptible():
            from thorp.arena.cluster import Cluster
    except ImportError as error:
        raise missing("a cluster needs", "cluster", error) from error
    return Cluster(given.ray)


def _say_losses(deals: Sequence[Deal]) -> None:
    """A line for every game that a player lost because it could not go on."""
    for deal in deals:
        for seating, game in zip(deal.lineup.seatings, deal.games):
            if game.lost:
                print(f"{seating[game.lost[0]]} lost deal {deal.seed}: {game.lost[1]}", file=sys.stderr)


def _report(folder: Path, game: AnyGame, results: Results, courses: list[Course], names: list[str]) -> int:
    try:
        from thorp.arena.contest_report import write_contest
        from thorp.arena.report import count
        from thorp.arena.strength import strength_of
    except ImportError as error:
        raise missing(f"the results are in {results.path}; reports need", "arena", error) from error
    found = strength_of(courses, names)
    about: dict[str, Any] = {**(results.about or {}), "anchor": found.anchor}
    try:
        page = write_contest(folder, about, game, courses, found)
    except OSError as error:
        raise GameError(f"the report cannot be written to {folder}: {error.strerror}") from error
    for player in found.players:
        # the anchor is 0 by definition, and not for what was played
        known = player.rating.known and player.name != found.anchor
        span = f" ± {player.rating.high - player.rating.value:.0f}" if known else ""
        rating = "unknown" if player.rating.value != player.rating.value else f"{player.rating.value:+.0f}{span}"
        wins = _wins(player.share.value, found.seats)
        score = f", mean score {player.score.mean:.1f}" if player.score else ""
        print(f"{player.name}: {rating} points{wins}{score}")
    for course in courses:
        if course.trial:
            said = {None: "not clear yet", True: "stronger", False: "not stronger"}[course.verdict]
            deals = len(course.counted)
            least = f", of {LEAST_DEALS} at least" if deals < LEAST_DEALS else ""
            print(f"{course.lineup.words}: {said} after {count(deals, 'deal')}{least} ({course.ratio:+.2f})")
    print(page)
    return 0


def _wins(share: float, seats: int) -> str:
    """The share of wins, and what it is of where that is not plain; nothing alone, where nobody is beaten."""
    if seats == 1:
        return ""
    even = f" a seat (even is {100 / seats:.1f} %)" if seats > 2 else ""
    return f", {100 * share:.1f} % of wins{even}"
