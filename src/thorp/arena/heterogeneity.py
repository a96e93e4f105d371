"""How far figures truly lie apart, which all differ by chance as well: the random-effects model of meta-analysis.

Each figure is taken for a true one with a normal error that is known, and true ones for drawn from a normal
distribution. How far those lie apart is told by Cochran's Q, the sum of the squares of the distances from the mean in
standard errors: what is beyond as many as there are figures less one is no chance. Figures of one table of cards are
taken to be independent, which they nearly are: that in a game one wins what others lose ties them a little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from thorp.arena.figures import NORMAL_95, Estimate, Figures

Floats = NDArray[np.float64]

#: From fewer figures than this nothing is said.
FEWEST_FIGURES = 5
_NORMAL = NormalDist()
#: Halvings until a root is found; each is a bit.
_HALVINGS = 60


@dataclass(frozen=True)
class Between:
    """How far true figures lie apart: one standard deviation, and how many are then expected beyond a limit."""

    deviation: float
    beyond: float


@dataclass(frozen=True)
class Heterogeneity:
    """What figures truly differ by; by the likeliest, and by the ends of an interval of 95 percent."""

    #: Cochran's Q.
    q: float
    #: How many figures there are, and what they are told to be beyond.
    figures: int
    limit: float
    likeliest: Between
    low: Between
    high: Between
    #: How many look beyond the limit, and how many would by chance, if all were truly 0.
    seen: int
    by_chance: float

    @property
    def beyond(self) -> tuple[float, float, float]:
        """How many are truly beyond: the likeliest, the fewest and the most.

        Where their mean is beyond there are the fewer of them, the farther they lie apart.
        """
        each = [between.beyond for between in (self.likeliest, self.low, self.high)]
        return each[0], min(each), max(each)


def heterogeneity(
    estimates: Sequence[Estimate], limit: float, errors: Sequence[float] | None = None
) -> Heterogeneity | None:
    """How far the known ones of these lie apart; None where they are too few.

    `errors` are standard errors that do not go with the figures, where theirs do (`figures.even_errors`). The deviation
    is that of Paule and Mandel, with the interval by the profile of Q (Viechtbauer, Confidence intervals for the amount
    of heterogeneity in meta-analysis, 2007). How many lie beyond is what is expected of all, each drawn towards the
    mean by how little is known of it.
    """
    given = zip(estimates, [each.error for each in estimates] if errors is None else errors, strict=True)
    known = [(each, error) for each, error in given if each.known and error > 0]
    if len(known) < FEWEST_FIGURES:
        return None
    values, apart = np.array([each.value for each, _ in known]), np.array([error for _, error in known])
    free = len(known) - 1

    def between(q: float) -> Between:
        deviation = sqrt(_root(lambda variance: _q(values, apart, variance) - q, float(np.var(values)) * 100))
        return Between(deviation, _beyond(values, apart, deviation, limit))

    return Heterogeneity(
        q=_q(values, apart, 0.0),
        figures=len(known),
        limit=limit,
        likeliest=between(free),
        low=between(chi_square_quantile(free, NORMAL_95)),
        high=between(chi_square_quantile(free, -NORMAL_95)),
        seen=sum(each.beyond(limit) for each, _ in known),
        by_chance=float(sum(2 * _NORMAL.cdf(-limit / error) for error in apart)),
    )


def figures_apart(figures: Figures) -> Heterogeneity | None:
    """How far the cards of a report truly lie apart."""
    return heterogeneity(
        [card.plain for card in figures.cards], figures.card_limit, [card.even_error for card in figures.cards]
    )


def chi_square_quantile(free: int, deviates: float) -> float:
    """What chi-square stays below as often as a normal number stays below so many deviations (Wilson and Hilferty)."""
    part = 2 / (9 * free)
    return float(free * max(0.0, 1 - part + deviates * sqrt(part)) ** 3)


def _q(values: Floats, errors: Floats, variance: float) -> float:
    """Cochran's Q where true figures have this variance."""
    weights = 1 / (errors**2 + variance)
    mean = (weights * values).sum() / weights.sum()
    return float((weights * (values - mean) ** 2).sum())


def _root(falling: Callable[[float], float], high: float) -> float:
    """Where a function that falls comes to 0, between 0 and `high`; 0 where it begins below."""
    low = 0.0
    if falling(low) <= 0:
        return 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return high


def _beyond(values: Floats, errors: Floats, deviation: float, limit: float) -> float:
    """How many true figures are expected to be farther from 0 than `limit`, by all that is known of each."""
    variance = deviation**2
    weights = 1 / (errors**2 + variance)
    mean = float((weights * values).sum() / weights.sum())
    # how much of a figure is not chance; the rest is drawn to a mean that is not known for certain either
    told = variance / (errors**2 + variance)
    centers = mean + told * (values - mean)
    spreads = np.sqrt(told * errors**2 + (1 - told) ** 2 / weights.sum())
    return float(
        sum(
            _NORMAL.cdf((-limit - center) / spread) + _NORMAL.cdf((center - limit) / spread)
            for center, spread in zip(centers, spreads, strict=True)
        )
    )
