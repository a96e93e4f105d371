"""All decisions of a seat in a match that is over: what was luck, and what they cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from thorp.core.errors import GameError
from thorp.core.match import AnyMatch
from thorp.players.analysis import (
    MOST_PLAYOUTS,
    MOST_SECONDS,
    Analysis,
    Balance,
    Effort,
    analyse,
    balance,
    carry_back,
    decisions,
    doubtful,
    review,
)

#: So many times as much goes into a decision that seems to have cost much, and is judged once more.
LONGER = 5
_USUAL = Effort()


def look_through(
    match: AnyMatch,
    seat: int,
    effort: Effort = _USUAL,
    tell: Callable[[int, int, int], None] = lambda judged, of, again: None,
) -> Balance:
    """What became of the decisions of a seat (from 0), as `thorp analyse` prints it.

    Each is judged; those that seem to have cost most (`doubtful`) once more, with five times the effort and by other
    chances; what later ones tell of earlier ones is carried back (`carry_back`); and a cost counts only where it is
    more than chance (`Analysis.settled`). `tell(judged, of, again)` is called after each look: how many decisions are
    judged, of how many, and how many of them once more. Where a game is learned table by table, learn first
    (`learn_for`). Raises IllegalMove for a seat that is not there, GameError for a match that is not over, or where
    `effort` is none.
    """
    if not match.over:
        raise GameError("luck and skill are told apart when a match is over")
    judged: list[Analysis] = []
    found = review(match, seat, effort)
    total = sum(1 for _ in decisions(match, seat))
    for each in found:
        judged.append(each)
        tell(len(judged), total, 0)
    again: set[int] = set()
    while doubted := doubtful(carry_back(match, seat, judged), again):
        for number in doubted:
            judged[number] = analyse(match, seat, judged[number].ply, _longer(effort))
            again.add(number)
            tell(len(judged), total, len(again))
    return balance(match, seat, tuple(each.settled() for each in carry_back(match, seat, judged)))


def _longer(effort: Effort) -> Effort:
    """What goes into a decision that is judged once more."""
    playouts = None if effort.playouts is None else min(MOST_PLAYOUTS, effort.playouts * LONGER)
    return replace(effort, seconds=min(MOST_SECONDS, effort.seconds * LONGER), playouts=playouts, seed=effort.seed ^ 1)
