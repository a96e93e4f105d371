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
#: So many deviations and means stand for all that may be, in even steps of how likely they are.
_DEVIATIONS, _MEANS = 25, 15
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

    #: How many are truly beyond: with 95 percent no fewer and no more.
    fewest: int
    most: int

    @property
    def beyond(self) -> tuple[float, int, int]:
        """How many are truly beyond: what is expected, the fewest and the most."""
        return self.likeliest.beyond, self.fewest, self.most


def heterogeneity(
    estimates: Sequence[Estimate], limit: float, errors: Sequence[float] | None = None
) -> Heterogeneity | None:
    """How far the known ones of these lie apart; None where they are too few.

    `errors` are standard errors that do not go with the figures, where theirs do (`figures.even_errors`). The deviation
    is that of Paule and Mandel, with the interval by the profile of Q (Viechtbauer, Confidence intervals for the amount
    of heterogeneity in meta-analysis, 2007). How many lie beyond is what is expected of all, each drawn towards the
    mean by how little is known of it; and the ends of the interval are those of their number, which is
    Poisson-binomial, over all deviations and means that may be.
    """
    given = zip(estimates, [each.error for each in estimates] if errors is None else errors, strict=True)
    known = [(each, error) for each, error in given if each.known and error > 0]
    if len(known) < FEWEST_FIGURES:
        return None
    values, apart = np.array([each.value for each, _ in known]), np.array([error for _, error in known])
    free = len(known) - 1

    def between(q: float) -> Between:
        deviation = deviation_at(q)
        return Between(deviation, float(_chances(values, apart, deviation, limit).sum()))

    def deviation_at(q: float) -> float:
        return sqrt(_root(lambda variance: _q(values, apart, variance) - q, float(np.var(values)) * 100))

    likely = [_NORMAL.inv_cdf((nth + 0.5) / _DEVIATIONS) for nth in range(_DEVIATIONS)]
    deviations = [deviation_at(chi_square_quantile(free, deviates)) for deviates in likely]
    fewest, most = _ends(values, apart, deviations, limit)
    return Heterogeneity(
        q=_q(values, apart, 0.0),
        figures=len(known),
        limit=limit,
        likeliest=between(free),
        low=between(chi_square_quantile(free, NORMAL_95)),
        high=between(chi_square_quantile(free, -NORMAL_95)),
        seen=sum(each.beyond(limit) for each, _ in known),
        by_chance=float(sum(2 * _NORMAL.cdf(-limit / error) for error in apart)),
        fewest=fewest,
        most=most,
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


def _chances(values: Floats, errors: Floats, deviation: float, limit: float, means: Floats | None = None) -> Floats:
    """How likely each true figure is farther from 0 than `limit`, by all that is known of it.

    A row of them; or several, each where the mean is that one of `means`, in standard errors from what it seems to be.
    """
    variance = deviation**2
    weights = 1 / (errors**2 + variance)
    mean = float((weights * values).sum() / weights.sum())
    # how much of a figure is not chance; the rest is drawn to a mean that is not known for certain either
    told = variance / (errors**2 + variance)
    centers, spreads = mean + told * (values - mean), told * errors**2
    of_mean = (1 - told) / sqrt(weights.sum())
    if means is None:
        spreads = spreads + of_mean**2
    else:
        centers, spreads = centers + means[:, None] * of_mean, np.broadcast_to(spreads, (len(means), len(values)))
    # all alike: they are beyond, or they are not
    spreads = np.sqrt(np.maximum(spreads, 1e-24))
    chances: Floats = _below((-limit - centers) / spreads) + _below((centers - limit) / spreads)
    return chances


#: How likely a normal number is below.
_below = np.vectorize(_NORMAL.cdf, otypes=[np.float64])


def _ends(values: Floats, errors: Floats, deviations: Sequence[float], limit: float) -> tuple[int, int]:
    """How many are beyond at the fewest and at the most, with 95 percent; each deviation is as likely."""
    means = np.array([_NORMAL.inv_cdf((nth + 0.5) / _MEANS) for nth in range(_MEANS)])
    chances = np.concatenate([_chances(values, errors, deviation, limit, means) for deviation in deviations])
    # how likely so many are beyond, of figures one after the other
    likely = np.zeros((len(chances), len(values) + 1))
    likely[:, 0] = 1
    for chance in chances.T:
        likely[:, 1:] = likely[:, 1:] * (1 - chance[:, None]) + likely[:, :-1] * chance[:, None]
        likely[:, 0] *= 1 - chance
    fewest, most = np.searchsorted(likely.mean(0).cumsum(), [0.025, 0.975])
    return int(fewest), int(most)
