"""Ratings: known strengths are found again, and their intervals hold."""

import random
from math import log, log10, sqrt

import numpy as np
import pytest

from thorp.arena.ratings import Ranked, rate


def won(deal: int, *players: str) -> Ranked:
    return Ranked(deal, players, tuple(range(1, len(players) + 1)))


def test_two_players_differ_by_the_odds_of_their_games() -> None:
    """32 of 50 games and half of one each besides: odds of 32.5 to 18.5."""
    games = [won(n, "a", "b") if n < 32 else won(n, "b", "a") for n in range(50)]
    found = rate(["b", "a"], games)
    assert found["b"].value == 0
    assert found["b"].error == 0
    assert found["a"].value == pytest.approx(400 * log10(32.5 / 18.5), abs=0.01)


def test_a_shared_win_is_half_a_win_each() -> None:
    ties = [Ranked(n, ("a", "b"), (1, 1)) for n in range(40)]
    assert rate(["a", "b"], ties)["b"].value == pytest.approx(0, abs=1e-6)
    halves = rate(["b", "a"], [*ties[:20], *(won(n, "a", "b") for n in range(20, 40))])
    assert halves["a"].value == pytest.approx(400 * log10(30.5 / 10.5), abs=0.01)


def test_who_never_lost_has_a_rating_and_no_narrow_interval() -> None:
    found = rate(["b", "a"], [won(n, "a", "b") for n in range(100)])
    assert found["a"].value == pytest.approx(400 * log10(100.5 / 0.5), abs=0.1)
    assert found["a"].high - found["a"].low > 300


def test_who_met_nobody_of_the_others_is_unknown() -> None:
    games = [won(n, "a", "b") for n in range(40)] + [won(n, "c", "d") for n in range(40)]
    found = rate(["a", "b", "c", "d"], games)
    assert found["b"].known
    assert np.isnan(found["c"].value)
    assert np.isnan(found["d"].value)


def test_of_few_deals_no_interval_is_made() -> None:
    assert not rate(["a", "b"], [won(n, "a", "b") for n in range(5)])["b"].known


STRENGTHS = {"a": 0.0, "b": 100.0, "c": 250.0, "d": -80.0}


def test_few_deals_of_one_are_few_whatever_others_play() -> None:
    games = [won(n, *(("a", "b") if n % 2 else ("b", "a"))) for n in range(60)] + [won(n, "a", "c") for n in range(4)]
    found = rate(["a", "b", "c"], games)
    assert found["b"].known
    assert not found["c"].known
    assert found["c"].value < 0
    # where they are those of the first, nobody's distance to it is known better
    assert [name for name, rating in rate(["c", "a", "b"], games).items() if rating.known] == ["c"]


def drawn(deal: int, players: tuple[str, ...], rng: random.Random) -> Ranked:
    """A game by Luce's axiom: the best of those who are left, each as likely as it is strong."""
    left, places, place = list(range(len(players))), [0] * len(players), 1
    while left:
        best = rng.choices(left, [10 ** (STRENGTHS[players[seat]] / 400) for seat in left])[0]
        places[best] = place
        left.remove(best)
        place += 1
    return Ranked(deal, players, tuple(places))


@pytest.mark.parametrize(
    "tables",
    [
        [("a", "b"), ("b", "c"), ("c", "d")],
        [("a", "b", "c", "d")],
        [("b", "a", "a", "a"), ("c", "b", "b"), ("d", "a", "a")],
    ],
    ids=["two", "four", "one of many"],
)
def test_strengths_are_found_again_within_their_intervals(tables: list[tuple[str, ...]]) -> None:
    """Of 3 x 20 intervals 57 hold on an average; 51 are three standard errors fewer."""
    held = 0
    for seed in range(20):
        rng = random.Random(seed)
        games = [drawn(deal, table, rng) for deal in range(60) for table in tables]
        found = rate(list(STRENGTHS), games)
        held += sum(found[name].low <= STRENGTHS[name] <= found[name].high for name in "bcd")
    assert held >= 51


@pytest.mark.parametrize(("apart", "bias"), [(450, 15), (600, 25), (800, 80)])
def test_intervals_hold_also_where_one_is_far_ahead(apart: int, bias: int) -> None:
    """At 800 points one wins all of 80 games as often as not."""
    share, times, held, values = 1 / (1 + 10 ** (-apart / 400)), 400, 0, []
    for seed in range(times):
        rng = random.Random(seed)
        games = [won(n // 2, *(("a", "b") if rng.random() < share else ("b", "a"))) for n in range(80)]
        found = rate(["b", "a"], games)["a"]
        held += found.low <= apart <= found.high
        values.append(found.value)
    # 95 of 100, less two standard errors
    assert held >= 0.928 * times
    assert abs(np.mean(values) - apart) < bias


def test_the_fit_of_larger_tables_is_the_likeliest() -> None:
    """No step away from it, in any direction, makes the games likelier (with half a win each besides)."""
    rng = random.Random(1)
    games = [drawn(deal, ("b", "a", "a", "d"), rng) for deal in range(40)]
    found = rate(["a", "b", "d"], games)
    fitted = {name: found[name].value for name in "abd"}

    def likely(points: dict[str, float]) -> float:
        strong = {name: 10 ** (value / 400) for name, value in points.items()}
        total = sum(
            0.5 * log10(strong[one] / (strong[one] + strong[other]))
            for one in strong
            for other in strong
            if one != other
        )
        for game in games:
            left = sorted(range(4), key=lambda seat: game.places[seat])
            while len(left) > 1:
                total += log10(strong[game.players[left[0]]] / sum(strong[game.players[seat]] for seat in left))
                left = left[1:]
        return total

    best = likely(fitted)
    for name in "bd":
        for step in (-2.0, 2.0):
            assert likely({**fitted, name: fitted[name] + step}) < best


def test_the_interval_of_two_is_that_of_the_odds_of_their_games() -> None:
    """Each of 40 games, and the one won besides between the two, tells p (1 - p), where p is what was fitted."""
    found = rate(["b", "a"], [won(n, "a", "b") if n < 25 else won(n, "b", "a") for n in range(40)])["a"]
    share = 25.5 / 41
    assert found.value == pytest.approx(400 * log10(share / (1 - share)), abs=0.01)
    assert found.error == pytest.approx(400 / log(10) / sqrt(41 * share * (1 - share)), rel=1e-4)


def test_games_of_one_deal_that_go_together_tell_no_more_than_one_of_them() -> None:
    deals = [("a", "b") if n % 5 < 3 else ("b", "a") for n in range(60)]
    once, four = ([won(n, *who) for n, who in enumerate(deals) for _ in range(times)] for times in (1, 4))
    one, other = (rate(["b", "a"], games)["a"] for games in (once, four))
    assert other.error == pytest.approx(one.error, rel=0.03)
    # as games of deals of their own they would tell twice as much
    apart = [won(n, *game.players) for n, game in enumerate(four)]
    assert rate(["b", "a"], apart)["a"].error == pytest.approx(one.error / 2, rel=0.03)


def test_the_interval_does_not_depend_on_who_else_takes_part() -> None:
    """All met the second only: two that came out alike have the same interval, and a narrow one."""
    games = [
        Ranked(n, (name, "middle"), (1, 2) if n % 10 < better else (2, 1))
        for n in range(80)
        for name, better in (("weak", 2), ("strong", 8), ("alike", 8))
    ]
    found = rate(("weak", "middle", "strong", "alike"), games)
    assert found["strong"].error == pytest.approx(found["alike"].error)
    assert found["middle"].error < found["strong"].error < 100
