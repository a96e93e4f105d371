"""How far figures truly lie apart: against a printed example, and against figures whose truth is known."""

from math import sqrt

import numpy as np
import pytest

from thorp.arena.figures import UNKNOWN, Estimate, even_errors, plain_effects
from thorp.arena.heterogeneity import FEWEST_FIGURES, chi_square_quantile, heterogeneity

#: Thirteen trials of a vaccine: the log of the risk ratio and its variance (Colditz and others, 1994; from metafor).
BCG = (
    *((-0.8893, 0.3256), (-1.5854, 0.1946), (-1.3481, 0.4154), (-1.4416, 0.0200), (-0.2175, 0.0512)),
    *((-0.7861, 0.0069), (-1.6209, 0.2230), (0.0120, 0.0040), (-0.4694, 0.0564), (-1.3713, 0.0730)),
    *((-0.3394, 0.0124), (0.4459, 0.5325), (-0.0173, 0.0714)),
)


def test_a_printed_example() -> None:
    """Q, the estimate of Paule and Mandel, and the Q profile, as metafor prints them."""
    found = heterogeneity([Estimate(value, sqrt(variance)) for value, variance in BCG], 1.0)
    assert found
    assert found.q == pytest.approx(152.23, abs=0.5)
    assert found.likeliest.deviation**2 == pytest.approx(0.3181, abs=0.002)
    assert found.low.deviation**2 == pytest.approx(0.1197, abs=0.002)
    assert found.high.deviation**2 == pytest.approx(1.1115, abs=0.01)
    assert (found.figures, found.seen) == (13, 5)


@pytest.mark.parametrize(
    ("free", "deviates", "table"),
    [(5, 1.959964, 12.833), (12, -1.959964, 4.404), (57, 1.959964, 79.752), (57, -1.959964, 38.027)],
)
def test_chi_square_by_the_table(free: int, deviates: float, table: float) -> None:
    assert chi_square_quantile(free, deviates) == pytest.approx(table, rel=0.006)


def _drawn(deviation: float, dice: np.random.Generator) -> tuple[np.ndarray, list[Estimate]]:
    """Sixty true figures about 0.02, and what was measured of each."""
    true = dice.normal(0.02, deviation, 60)
    errors = dice.uniform(0.01, 0.06, 60)
    return true, [Estimate(value, error) for value, error in zip(dice.normal(true, errors), errors, strict=True)]


def test_it_finds_how_far_true_figures_lie_apart() -> None:
    dice, held, told, truly = np.random.default_rng(1), 0, [], []
    for _ in range(120):
        true, measured = _drawn(0.05, dice)
        found = heterogeneity(measured, 0.06)
        assert found
        assert found.low.deviation <= found.likeliest.deviation <= found.high.deviation
        held += found.low.deviation < 0.05 < found.high.deviation
        told.append((found.likeliest.deviation, found.beyond[0]))
        truly.append(int((abs(true) > 0.06).sum()))
        assert found.seen == sum(abs(each.value) > 0.06 for each in measured)
    deviation, beyond = np.mean(told, 0)
    assert deviation == pytest.approx(0.05, rel=0.04)
    assert beyond == pytest.approx(np.mean(truly), rel=0.05)
    assert 0.9 * 120 < held < 120


def test_what_only_chance_tells_apart_is_said_to_be_alike() -> None:
    dice, seen, chance, beyond = np.random.default_rng(2), 0, 0.0, 0.0
    for _ in range(100):
        errors = dice.uniform(0.01, 0.06, 60)
        found = heterogeneity([Estimate(dice.normal(0, error), error) for error in errors], 0.06)
        assert found
        seen, chance, beyond = seen + found.seen, chance + found.by_chance, beyond + found.likeliest.beyond
        assert found.low.deviation < 0.02
    assert seen == pytest.approx(chance, rel=0.1)
    assert beyond < seen / 20


def test_all_alike_and_all_beyond() -> None:
    found = heterogeneity([Estimate(0.1, 0.01)] * 10, 0.06)
    assert found
    assert (found.likeliest.deviation, found.seen) == (0, 10)
    assert found.beyond == pytest.approx((10, 10, 10), abs=0.01)
    near = heterogeneity([Estimate(0.01, 0.01)] * 10, 0.06)
    assert near
    assert near.likeliest.deviation == 0
    assert near.beyond == pytest.approx((0, 0, 0), abs=0.01)


def test_a_mean_that_is_hardly_beyond_puts_not_all_there() -> None:
    """All alike, as far as it is told, and their mean at the limit: it may be to either side of it."""
    values = (0.06, 0.07, 0.075, 0.08, 0.085, 0.09, 0.095, 0.10, 0.11, 0.12)
    found = heterogeneity([Estimate(value, 0.02) for value in values], 0.0885)
    assert found
    likeliest, fewest, most = found.beyond
    assert likeliest == pytest.approx(5, abs=0.1)
    assert fewest <= likeliest <= most


@pytest.mark.parametrize(
    ("cards", "deviation", "errors", "limit"), [(58, 0.045, (0.008, 0.02), 0.06), (24, 0.1, (0.01, 0.04), 0.08)]
)
def test_how_many_are_beyond_lies_within_what_is_told(
    cards: int, deviation: float, errors: tuple[float, float], limit: float
) -> None:
    """In 95 of 100: also where the deviation is known well, and which figures are beyond is not."""
    dice, held, times = np.random.default_rng(4), 0, 80
    for _ in range(times):
        true, apart = dice.normal(0.01, deviation, cards), dice.uniform(*errors, cards)
        found = heterogeneity([Estimate(*each) for each in zip(dice.normal(true, apart), apart, strict=True)], limit)
        assert found
        likeliest, fewest, most = found.beyond
        assert fewest - 0.5 <= likeliest <= most + 0.5
        held += fewest <= int((abs(true) > limit).sum()) <= most
    assert held >= 0.9 * times


def test_where_all_are_alike_all_are_beyond_or_none() -> None:
    """Their mean is at the limit: which of the two it is, is not known."""
    found = heterogeneity([Estimate(0.06, 0.02)] * 10, 0.06)
    assert found
    assert found.likeliest.beyond == pytest.approx(5, abs=0.1)
    assert (found.fewest, found.most) == (0, 10)


@pytest.mark.parametrize(("seats", "games", "had"), [(4, 200, 0.05), (4, 200, 0.3), (2, 200, 0.1)])
def test_rare_cards_that_are_worth_nothing_are_said_to_be_alike(seats: int, games: int, had: float) -> None:
    """Whoever has a rare card and never wins is told a small error by its own figure, and would seem beyond chance."""
    dice, apart, qs = np.random.default_rng(3), 0, []
    for _ in range(100):
        shares = np.zeros((games, seats))
        shares[np.arange(games), dice.integers(seats, size=games)] = 1
        counts = (dice.random((games, seats, 55)) < had).astype(np.int16)
        found = heterogeneity(plain_effects(shares, counts), 0.06, even_errors(counts))
        if not found:
            continue
        apart += found.low.deviation > 0
        qs.append(found.q / (found.figures - 1))
    assert len(qs) > 50
    assert apart <= 0.06 * len(qs)
    assert np.mean(qs) == pytest.approx(1, abs=0.06)


def test_of_few_figures_nothing_is_said() -> None:
    few = [Estimate(0.1 * nth, 0.01) for nth in range(FEWEST_FIGURES - 1)]
    assert heterogeneity([*few, UNKNOWN, Estimate(1.0, 0.0)], 0.06) is None
    assert heterogeneity([*few, Estimate(0.2, 0.01)], 0.06)
