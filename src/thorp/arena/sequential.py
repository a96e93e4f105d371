"""A sequential test over the scores of deals: when it is clear who is stronger, and by how much at least.

The generalised sequential probability ratio test of Li, Liu and Ying ("Generalized Sequential Probability Ratio Test
for Separate Families of Hypotheses", Sequential Analysis 33, 2014), as Stockfish's fishtest tests chess programs: the
unit is the deal, played once with each seat exchanged, and not the game, since the games of one deal are no witnesses
independent of each other. With two seats a deal has one of five scores (pentanomial); with more seats there are more
values, and the reckoning is the same. Nothing is assumed of how the scores are distributed but that they have a mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import log

from thorp.core.errors import GameError

#: 400 points are odds of ten to one; so 100 points are 64 %.
POINTS_OF_TEN = 400.0
#: Bounds of a test lie so far from even, at most: odds of ten thousand million to one. Shares farther out round to 0 or
#: 1, with which nothing can be reckoned.
MOST_POINTS = 4000.0
#: A score that never came counts as if it had come so often (fishtest's number): or it would be held impossible.
NEVER = Fraction(1, 1000)
#: Of fewer deals there is no verdict: they may all be alike by chance, as where most are a win each, and what has not
#: come yet is held to be next to impossible.
LEAST_DEALS = 30
#: Steps that settle a root by far.
_STEPS = 100


def share_at(points: float, seats: int) -> float:
    """The share of wins of a player that is `points` stronger than all others of its table, who are equal.

    1 / (1 + 10 ** (-points / 400)) with two seats; with more, that of Luce's choice axiom.
    """
    return 1 / (1 + (seats - 1) * float(10.0 ** (-points / POINTS_OF_TEN)))


@dataclass(frozen=True)
class Trial:
    """What is to be told apart: at most `low` points stronger (refused), or at least `high` (accepted)."""

    low: float
    high: float
    #: How often it may be wrong, either way.
    error: float = 0.05

    def __post_init__(self) -> None:
        if not -MOST_POINTS <= self.low < self.high <= MOST_POINTS:
            raise GameError(
                f"a test tells a lower strength from a higher one, both from {-MOST_POINTS:g} to {MOST_POINTS:g}, "
                f"not {self.low:g} from {self.high:g}"
            )
        if not 0 < self.error < 0.5:
            raise GameError(f"a test may be wrong with a probability between 0 and 0.5, not {self.error:g}")

    @property
    def bound(self) -> float:
        """How far the logarithm of the likelihood ratio has to go, up or down (Wald)."""
        return log((1 - self.error) / self.error)

    def verdict(self, ratio: float, deals: int) -> bool | None:
        """True where the higher strength is accepted, False where the lower one is, None where it is not yet clear."""
        if deals < LEAST_DEALS or abs(ratio) < self.bound:
            return None
        return ratio > 0


class Tally:
    """How often a deal came to which score, and what that says.

    A score is the mean share of wins, from 0 to 1, over the games of one deal.
    """

    def __init__(self, seats: int, scores: Iterable[Fraction] = ()) -> None:
        self.seats = seats
        #: All that can come of shared wins and games of two; what else comes is added as it comes.
        self.counts: Counter[Fraction] = Counter({Fraction(n, 2 * seats): 0 for n in range(2 * seats + 1)})
        for score in scores:
            self.add(score)

    def add(self, score: Fraction) -> None:
        """Count a deal."""
        if not 0 <= score <= 1:
            raise ValueError(f"a share of wins lies between 0 and 1, and {score} does not")
        self.counts[score] += 1

    @property
    def deals(self) -> int:
        """How many were counted."""
        return sum(self.counts.values())

    def ratio(self, trial: Trial) -> float:
        """The logarithm of the likelihood ratio, of `trial.high` to `trial.low`."""
        return log_ratio(self.counts, share_at(trial.low, self.seats), share_at(trial.high, self.seats))


def log_ratio(counts: Mapping[Fraction, int], low: float, high: float) -> float:
    """The logarithm of how much likelier the scores are, at best, where their mean is `high` than where it is `low`.

    0 where nothing was counted. Both means lie between 0 and 1.
    """
    if not sum(counts.values()):
        return 0.0
    scores = [float(score) for score in sorted(counts)]
    times = [float(counts[score] or NEVER) for score in sorted(counts)]
    at_low, at_high = (_tilt(scores, times, mean) for mean in (low, high))
    return sum(
        n * log((1 + at_low * (score - low)) / (1 + at_high * (score - high))) for score, n in zip(scores, times)
    )


def _tilt(scores: list[float], times: list[float], mean: float) -> float:
    """The x with which the probabilities p / (1 + x (score - mean)) have that mean: those are the likeliest that do.

    Source: M. Van den Bergh, support_MLE_multinomial.pdf, proposition 1.1 (a document of fishtest). Between its two
    poles the sum below falls as x grows, so that there is one root: by Newton's steps, halved where they would leave
    the piece in which it lies.
    """
    apart = [(n, score - mean) for score, n in zip(scores, times)]
    left, right = -1 / apart[-1][1], -1 / apart[0][1]
    x = 0.0
    for _ in range(_STEPS):
        total = sum(n * a / (1 + x * a) for n, a in apart)
        slope = sum(n * (a / (1 + x * a)) ** 2 for n, a in apart)
        left, right = (x, right) if total > 0 else (left, x)
        step = x + total / slope
        if not left < step < right:
            step = (left + right) / 2
        if abs(step - x) <= 1e-13 * abs(x):
            break
        x = step
    return x
