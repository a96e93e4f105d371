"""What is shown of the reviews of a match that is over: courses, balances, and the decisions that cost most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from markupsafe import Markup

from thorp.players import Analysis, Balance, Expected, balance
from thorp.players.analysis import TOLD
from thorp.server.tables.reviews import Review
from thorp.server.tables.table import Table
from thorp.server.web import markup
from thorp.server.web.naming import names_at
from thorp.server.web.shown import eyes_query


@dataclass(frozen=True)
class MoveJudged:
    """A move in words, and what it was worth: in percent to win or in points."""

    words: Markup
    worth: float


@dataclass(frozen=True)
class DecisionShown:
    """A decision that cost something."""

    ply: int
    #: Where it can be looked at, with the eyes of who decided.
    address: str
    round: int | None
    played: MoveJudged
    better: MoveJudged
    cost: float
    #: One standard error of that.
    error: float
    by_points: bool


@dataclass(frozen=True)
class ReviewShown:
    """The review of a seat: how far it is, or what came of it."""

    seat: int
    name: str
    judged: int
    total: int
    done: bool
    #: Whether it begins only when its table is learned for.
    waits: bool = False
    #: What is below is of reviews that are done: in percent to win, or in points.
    by_points: bool = False
    begin: float = 0.0
    luck: float = 0.0
    cost: float = 0.0
    result: float = 0.0
    dearest: tuple[DecisionShown, ...] = ()
    #: The worth at each decision, and at the end: after how many moves, and how much.
    course: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Scale:
    """What a chart of courses spans: values, moves, and where rounds begin."""

    low: float
    high: float
    last: int
    #: (round, ply)
    rounds: tuple[tuple[int, int], ...]
    #: What each would have where all won as often.
    even: float = 50.0


def show_reviews(table: Table, reviews: Sequence[Review], mine: int | None, taken: Mapping[int, int]) -> dict[str, Any]:
    """The context of the reviews of a table; that of the viewer's own seat comes first.

    `taken`: about how many decisions each seat was given a hint.
    """
    order = sorted(reviews, key=lambda each: (each.seat != mine, each.seat))
    shown = [_review(table, review) for review in order if not review.failed]
    done = [review for review in shown if review.done and review.course]
    reviewed = {review.seat for review in shown}
    return {
        "table": {"id": table.id, "game": {"name": table.game.name}, "seats": len(table.seats)},
        "mine": mine,
        "reviews": shown,
        "failed": [names_at(table)[review.seat] for review in order if review.failed],
        "scale": _scale(table, done),
        "round_word": table.game.round_word,
        "others": [(seat, name) for seat, name in enumerate(names_at(table)) if seat not in reviewed],
        "taken": [(names_at(table)[seat], count) for seat, count in sorted(taken.items())],
        "works": any(not review.done for review in shown),
    }


def show_decision(table: Table, reviews: Sequence[Review], seat: int | None, ply: int) -> DecisionShown | None:
    """What is told of a decision where a review of its seat found that it cost something."""
    for review in reviews:
        if review.seat == seat and review.decisions is not None:
            whole = balance(table.match, seat, review.decisions)
            costly = (each for each in whole.decisions if each.ply == ply and each.cost > 0)
            return next((_decision(table, whole, each) for each in costly), None)
    return None


def _review(table: Table, review: Review) -> ReviewShown:
    name = names_at(table)[review.seat]
    if review.decisions is None:
        return ReviewShown(review.seat, name, review.judged, review.total, done=False, waits=review.waits)
    match = table.match
    whole = balance(match, review.seat, review.decisions)
    unit = _unit(whole)
    begin, luck, cost, result = whole.told
    return ReviewShown(
        *(review.seat, name, review.judged, review.total),
        done=True,
        by_points=whole.by_points,
        begin=unit * begin,
        luck=unit * luck,
        cost=unit * cost,
        result=unit * result,
        dearest=tuple(_decision(table, whole, each) for each in whole.dearest(TOLD)),
        course=(*((each.ply, unit * each.worth_before) for each in whole.decisions), (match.ply, unit * whole.result)),
    )


def _unit(whole: Balance) -> float:
    """What a worth is told in: points, or percent to win."""
    return 1.0 if whole.by_points else 100.0


def _decision(table: Table, whole: Balance, judged: Analysis) -> DecisionShown:
    assert judged.played
    unit = _unit(whole)
    past = table.match.at(judged.ply)

    def move(expected: Expected) -> MoveJudged:
        words = markup.html(past.game.face.offer(past.state, whole.seat, expected.move), names_at(table))
        return MoveJudged(words, unit * judged.worth(expected))

    played, better = move(judged.played), move(judged.best)
    # what is told of both is rounded, and what it cost is told to be what lies between
    digits = 1 if whole.by_points else 0
    between = round(better.worth, digits) - round(played.worth, digits)
    begun = [line.round for line in table.story.lines[: judged.ply + 1] if line.round is not None]
    return DecisionShown(
        ply=judged.ply,
        address=f"/tables/{table.id}/at/{judged.ply}{eyes_query(whole.seat)}",
        round=begun[-1] if begun else None,
        played=played,
        better=better,
        cost=between if between > 0 else unit * judged.cost,
        error=unit * judged.cost_error,
        by_points=whole.by_points,
    )


def _scale(table: Table, done: Sequence[ReviewShown]) -> Scale | None:
    """What the courses of these reviews span; None where there is nothing to be drawn."""
    if not done:
        return None
    rounds = tuple((line.round, line.ply) for line in table.story.lines if line.round)
    if not done[0].by_points:
        # alone there is a rival
        return Scale(0.0, 100.0, table.match.ply, rounds, 100 / max(2, len(table.seats)))
    values = [value for review in done for _, value in review.course]
    # whole fives, so that a change of a point is not drawn as a fall
    low, high = 5 * floor(min(values) / 5), 5 * ceil(max(values) / 5)
    return Scale(float(low), float(max(high, low + 5)), table.match.ply, rounds)
