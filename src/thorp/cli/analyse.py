"""`thorp analyse FILE`: the decisions of a match that cost most, and what of each result was luck; or one decision."""

from __future__ import annotations

import sys
from math import ceil
from pathlib import Path

from thorp.cli.lessons import learn_first
from thorp.cli.replay import load
from thorp.compiling.preparing import show_progress
from thorp.core.errors import GameError
from thorp.core.match import AnyMatch
from thorp.core.words import say
from thorp.players import Analysis, Effort, Expected, analyse, get_ready, look_through


def print_analysis(file: Path, seat: int | None, most: int, effort: Effort) -> int:
    """Judge and print; 0 where it could be done. `seat` counts from 1; None: all seats."""
    match = load(file)
    if not match.over:
        raise GameError(
            f"{file}: this match is not over; what its decisions cost is said at its end, and --ply N judges one now"
        )
    _check_seat(match, seat)
    if most < 0:
        raise GameError(f"as many decisions as that cannot be printed: {most}")
    _get_ready(match)
    for number in range(match.seats) if seat is None else [seat - 1]:
        _print_seat(match, number, most, effort)
    return 0


def print_decision(file: Path, seat: int | None, ply: int, effort: Effort) -> int:
    """Judge one decision after `ply` moves, also of a match that runs, and print all moves that were tried.

    `seat` counts from 1; None: of who moved next, or of the first who has to.
    """
    match = load(file)
    last = match.ply - match.over
    if not 0 <= ply <= last:
        raise GameError(f"a decision of this match is judged after 0 to {last} moves, not {ply}")
    _check_seat(match, seat)
    past, moves = match.at(ply), f"{ply} move" if ply == 1 else f"{ply} moves"
    if seat is None:
        number = match.log()[ply].seat if ply < match.ply else past.waiting[0]
    else:
        number = seat - 1
    if number not in past.waiting:
        raise GameError(f"seat {seat} has nothing to decide after {moves}")
    _get_ready(match)
    judged = analyse(match, number, ply, effort)
    print(f"Seat {number + 1} after {moves}: {say(past.prompt(number))}")
    told = False
    most = max(each.games for each in judged.moves)
    # the best, and what was played, are compared in the same games, and lie apart as they are told
    for expected in sorted(judged.moves, key=lambda each: each.games < most):
        if expected.games < most and not told:
            told = True
            print("  Looked at in fewer games, and not to be compared with these:")
        mark = "*" if judged.played and expected.move == judged.played.move else " "
        print(f"  {mark} {past.words(number, expected.move)} ({_figures(match, expected, judged.by_points)})")
    if judged.played:
        print(f"  * was played, and cost {_cost(match, judged)}.")
    return 0


def _cost(match: AnyMatch, judged: Analysis) -> str:
    """What a move has cost, and how sure that is."""
    told = so_many(match, judged.cost) if judged.by_points else f"{round(100 * judged.cost)} %"
    if not judged.cost:
        return "nothing"
    if not round(judged.cost, 1 if judged.by_points else 2):
        return "nothing that could be told"
    if judged.noticed:
        return told
    # what was found by lines is no chance, but not all of them were tried
    return f"{told} by the lines that were found" if judged.line else f"{told}, which may be chance"


def _check_seat(match: AnyMatch, seat: int | None) -> None:
    if seat is not None and not 1 <= seat <= match.seats:
        raise GameError(f"this match has seats 1 to {match.seats}, not {seat}")


def _get_ready(match: AnyMatch) -> None:
    match.game.prepare(show_progress)
    get_ready(match.game)
    learn_first(match)


def _print_seat(match: AnyMatch, seat: int, most: int, effort: Effort) -> None:
    def tell(judged: int, of: int, again: int) -> None:
        if sys.stderr.isatty():
            so_far = f"{judged} of {of} decisions judged"
            once_more = f", {again} of those that seem to have cost most once more" if again else ""
            print(f"\rSeat {seat + 1}: {so_far}{once_more}", end="", file=sys.stderr, flush=True)

    whole = look_through(match, seat, effort, tell)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)

    def told(worth: float, sign: str = "") -> str:
        return so_many(match, worth, sign) if whole.by_points else f"{round(100 * worth):{sign}} %"

    begin, luck, cost, result = whole.told
    first = f"{told(begin)} at first" if whole.by_points else f"Chance to win at first {told(begin)}"
    print(f"Seat {seat + 1}: {len(whole.decisions)} decisions. {first}, luck {told(luck, '+')}, ", end="")
    print(f"cost of decisions {told(-cost, '+')}, at the end {told(result)}.")
    if most and not whole.dearest(1):
        print("       No decision cost anything that could be noticed.")
    for decision in whole.dearest(most):
        assert decision.played
        past = match.at(decision.ply)
        error = so_many(match, _up(decision.cost_error)) if whole.by_points else f"{ceil(100 * decision.cost_error)} %"
        print(f"{decision.ply:5}  cost {told(decision.cost)} (+- {error})")
        for said, expected in (("played", decision.played), ("better", decision.best)):
            print(f"       {said}: {past.words(seat, expected.move)} ({_figures(match, expected, whole.by_points)})")
    print()


def so_many(match: AnyMatch, worth: float, sign: str = "") -> str:
    """A number of what the game counts, with a sign where `sign` is "+"."""
    # no -0.0
    rounded = round(worth, 1) + 0.0
    return (sign if rounded >= 0 else "") + say(match.sheet().so_many(rounded))


def _up(error: float) -> float:
    """An error of points as it is told: nothing is told to be surer than it is."""
    return ceil(10 * error) / 10


def _figures(match: AnyMatch, expected: Expected, by_points: bool) -> str:
    points = f"{expected.points:.1f} +- {so_many(match, _up(expected.points_error))}"
    games = f"{expected.games} game{'' if expected.games == 1 else 's'}"
    if by_points:
        return f"{points}, {games}"
    return f"{100 * expected.chance:.0f} +- {ceil(100 * expected.chance_error)} % to win, {points}, {games}"
