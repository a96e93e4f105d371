"""The sequential test, against fishtest's own figures, against closed forms, and in simulation."""

import random
from fractions import Fraction
from math import isfinite, log

import pytest

from thorp import GameError
from thorp.arena.sequential import LEAST_DEALS, MOST_POINTS, NEVER, Tally, Trial, log_ratio, share_at


# What `LLR_logistic(low, high, results)` of Stockfish's fishtest (server/fishtest/stats/LLRcalc.py) gives.
@pytest.mark.parametrize(
    ("low", "high", "results", "ratio"),
    [
        (0, 5, [10, 200, 600, 250, 15], 2.5098326721583355),
        (0, 100, [0, 1, 3, 5, 9], 4.444120062580662),
        (-25, 25, [4, 6, 20, 3, 7], 0.6593432840703284),
        (-3, 1, [100, 4000, 9000, 4100, 110], 9.790215899454815),
        (0, 100, [0, 0, 0, 0, 12], 2.9639515388238125),
    ],
    ids=str,
)
def test_the_pentanomial_ratio_is_that_of_fishtest(low: int, high: int, results: list[int], ratio: float) -> None:
    scores = [Fraction(n, 4) for n, times in enumerate(results) for _ in range(times)]
    assert Tally(2, scores).ratio(Trial(low, high)) == pytest.approx(ratio, rel=1e-9)


def test_of_two_scores_the_ratio_is_that_of_a_coin() -> None:
    """Where a deal is won or lost, nothing is left to fit: each has its probability."""
    counts = {Fraction(0): 30, Fraction(1): 50}
    wanted = 50 * log(0.64 / 0.5) + 30 * log(0.36 / 0.5)
    assert log_ratio(counts, 0.5, 0.64) == pytest.approx(wanted, rel=1e-12)


def test_of_three_scores_the_ratio_is_that_of_the_best_by_hand() -> None:
    """With the middle probability m, the others follow from the mean: the best m is searched on a grid."""
    losses, draws, wins = 30, 25, 45

    def best(mean: float) -> float:
        likely = []
        for step in range(1, 20_000):
            m = step / 20_000
            won = mean - m / 2
            lost = 1 - m - won
            if won > 0 and lost > 0:
                likely.append(losses * log(lost) + draws * log(m) + wins * log(won))
        return max(likely)

    counts = {Fraction(0): losses, Fraction(1, 2): draws, Fraction(1): wins}
    assert log_ratio(counts, 0.5, 0.6) == pytest.approx(best(0.6) - best(0.5), abs=1e-5)


def test_what_never_came_weighs_next_to_nothing() -> None:
    with_all = log_ratio({Fraction(0): 30, Fraction(1, 2): 0, Fraction(1): 50}, 0.5, 0.64)
    without = log_ratio({Fraction(0): 30, Fraction(1): 50}, 0.5, 0.64)
    assert with_all == pytest.approx(without, abs=float(NEVER))


def test_100_points_are_64_percent_between_two_and_luce_s_share_among_more() -> None:
    assert share_at(100, 2) == pytest.approx(0.64, abs=0.0002)
    assert [share_at(0, seats) for seats in (2, 3, 4)] == [1 / 2, 1 / 3, 1 / 4]
    strong = 10 ** (100 / 400)
    assert share_at(100, 4) == pytest.approx(strong / (strong + 3))


def test_a_test_ends_where_the_odds_are_those_of_its_error() -> None:
    """19 to 1 for a test that may be wrong once in twenty, either way: there, and no later."""
    trial = Trial(0, 1)
    assert trial.bound == pytest.approx(log(19))
    assert Trial(0, 1, error=0.1).bound == pytest.approx(log(9))
    found = [trial.verdict(ratio, LEAST_DEALS) for ratio in (-2.95, -2.94, 0, 2.94, 2.95)]
    assert found == [False, None, None, None, True]


def test_of_few_deals_there_is_no_verdict() -> None:
    """Nine that are a win each would have been enough, which is nothing rare where 100 points are true."""
    trial, alike = Trial(0, 100), [Fraction(1, 2)] * LEAST_DEALS
    assert Tally(2, alike[:9]).ratio(trial) < -trial.bound
    found = [trial.verdict(Tally(2, alike[:deals]).ratio(trial), deals) for deals in (9, LEAST_DEALS - 1, LEAST_DEALS)]
    assert found == [None, None, False]


def test_it_errs_seldom_where_most_deals_are_a_win_each() -> None:
    """As between two that win from the same seat: the others of 28 in 100 are all the stronger one's."""
    trial, rng, wrong = Trial(0, 100), random.Random(3), 0
    for _ in range(300):
        tally, verdict = Tally(2), None
        while verdict is None:
            tally.add(Fraction(1) if rng.random() < 2 * share_at(100, 2) - 1 else Fraction(1, 2))
            verdict = trial.verdict(tally.ratio(trial), tally.deals)
        wrong += not verdict
    # one or two are to be expected; as many as the error says would be 15
    assert wrong <= 6


@pytest.mark.parametrize(("truth", "seats", "accepted"), [(0, 2, False), (100, 2, True), (0, 4, False), (100, 4, True)])
def test_it_errs_no_more_often_than_it_says(truth: float, seats: int, accepted: bool) -> None:
    """Of 50 tests at the edge of either side few go wrong, and all end."""
    trial, rng, wrong = Trial(0, 100), random.Random(7), 0
    for _ in range(50):
        tally, verdict = Tally(seats), None
        while verdict is None:
            tally.add(_deal(share_at(truth, seats), seats, rng))
            verdict = trial.verdict(tally.ratio(trial), tally.deals)
        wrong += verdict != accepted
    assert wrong <= 50 * 0.05 + 4.6  # three standard errors besides


def _deal(share: float, seats: int, rng: random.Random) -> Fraction:
    """A deal whose games go together: half of them are won or lost as the first was."""
    first = rng.random() < share
    won = [first] + [first if rng.random() < 0.5 else rng.random() < share for _ in range(seats - 1)]
    return Fraction(sum(won), seats)


@pytest.mark.parametrize("wrong", [(5, 5), (5, 0), (0, 6500), (-4001, 0), (0, 5, 0), (0, 5, 0.5)])
def test_impossible_tests_are_refused(wrong: tuple[float, ...]) -> None:
    with pytest.raises(GameError):
        Trial(*wrong)


@pytest.mark.parametrize("seats", [2, 4, 32])
@pytest.mark.parametrize("wins", [0, 9, 10])
def test_the_farthest_bounds_can_be_reckoned_with(seats: int, wins: int) -> None:
    scores = [Fraction(1)] * wins + [Fraction(0)] * (10 - wins)
    for low, high in ((-MOST_POINTS, MOST_POINTS), (0, MOST_POINTS), (-MOST_POINTS, 0)):
        assert isfinite(Tally(seats, scores).ratio(Trial(low, high)))


def test_a_score_is_a_share() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Tally(2).add(Fraction(3, 2))
