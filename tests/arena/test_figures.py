"""The figures of a report: against sums done by hand, against the textbook, and on a game whose balance is known."""

from dataclasses import replace
from itertools import pairwise
from math import isnan, sqrt

import numpy as np
import pytest

from arena.lots import BLANK, CARDS, COMMON, GIFT, NEVER, exact_effect_of_gift
from arena.lots import GAME as LOTS
from thorp import GameError
from thorp.arena import figures
from thorp.arena.figures import (
    Estimate,
    Spread,
    adjusted_effects,
    figures_of,
    least_error,
    mean_of,
    mean_share,
    plain_effects,
    share_of,
    win_shares,
)
from thorp.arena.many import play_many
from thorp.compiling.mode import COMPILED

MANY = 4000 if COMPILED else 400


def having(*rows: tuple[int, ...]) -> np.ndarray:
    """[game, seat, card] of one card."""
    return np.array(rows, np.int16)[:, :, None]


def test_a_tie_shares_the_win() -> None:
    shares = win_shares(np.array([[1, 2, 3], [1, 1, 3], [1, 1, 1]]))
    assert shares.tolist() == [[1, 0, 0], [0.5, 0.5, 0], [pytest.approx(1 / 3)] * 3]


def test_a_mean_by_hand() -> None:
    """30 ones and 10 zeros: 0.75, with a variance of 7.5 / 39."""
    mean = mean_of(np.array([1.0] * 30 + [0.0] * 10))
    assert mean.value == 0.75
    assert mean.error == pytest.approx(sqrt(7.5 / 39 / 40))
    assert mean.low == pytest.approx(0.75 - 1.959964 * mean.error)
    assert isnan(mean_of(np.ones(29)).error)


def test_the_plain_figure_by_hand() -> None:
    """One owner of two wins 30 of 40 games: +0.25. Each game lies 0.25 or 0.75 off that: 30 / 16 + 90 / 16 = 7.5."""
    shares = np.array([[1.0, 0.0]] * 30 + [[0.0, 1.0]] * 10)
    (effect,) = plain_effects(shares, having(*[(1, 0)] * 40))
    assert effect.value == pytest.approx(0.25)
    assert effect.error == pytest.approx(sqrt(7.5 * 40 / 39) / 40)


def test_how_many_of_a_card_does_not_matter() -> None:
    shares = np.array([[1.0, 0.0]] * 30 + [[0.0, 1.0]] * 10)
    assert plain_effects(shares, having(*[(1, 0)] * 40)) == plain_effects(shares, having(*[(3, 0)] * 40))


def test_games_in_which_all_or_none_have_it_do_not_count() -> None:
    shares = np.array([[1.0, 0.0]] * 30 + [[0.0, 1.0]] * 10)
    silent = np.array([[1.0, 0.0]] * 100)
    more = np.concatenate([shares, silent])
    telling = having(*[(1, 0)] * 40)
    for row in ((1, 1), (0, 0)):
        (effect,) = plain_effects(more, np.concatenate([telling, having(*[row] * 100)]))
        assert effect == plain_effects(shares, telling)[0]


def test_two_owners_of_three() -> None:
    """They win a share of 2 / 3 between them where the card is worth nothing."""
    shares = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]] * 20)
    (effect,) = plain_effects(shares, having(*[(1, 1, 0)] * 60))
    assert effect.value == pytest.approx(0)
    (effect,) = plain_effects(np.array([[1.0, 0, 0]] * 60), having(*[(1, 1, 0)] * 60))
    assert effect.value == pytest.approx(1 / 2 - 1 / 3)


def test_too_few_games_give_no_figure() -> None:
    (effect,) = plain_effects(np.array([[1.0, 0.0]] * 29), having(*[(1, 0)] * 29))
    assert not effect.known
    assert not effect.beyond(0)


@pytest.mark.parametrize("wins", [0, 1])
def test_where_none_of_the_owners_won_the_figure_is_not_certain(wins: int) -> None:
    """Nor where all did: it is as unsure as a share with one win more, or one less."""
    shares = np.tile([float(wins), 1.0 - wins], (60, 1))
    (effect,) = plain_effects(shares, having(*[(1, 0)] * 60).reshape(60, 2, 1))
    assert effect.value == wins - 0.5
    assert effect.error == pytest.approx(sqrt(1 / 62 * 61 / 62 / 60))


def test_a_share_of_games_and_deals_by_hand() -> None:
    """30 deals of which 2 games of 4 were won, and 30 with 2 of 2: 120 of 180. Each lies 2 / 3 of a game off that."""
    share = share_of(np.full(60, 2.0), np.array([4.0] * 30 + [2.0] * 30))
    assert share.value == pytest.approx(2 / 3)
    assert share.error == pytest.approx(sqrt(60 * 4 / 9 * 60 / 59) / 180)
    assert isnan(share_of(np.ones(29), np.full(29, 2.0)).error)
    even = np.array([1.0] * 30 + [0.0] * 10)
    assert mean_share(even).error == pytest.approx(mean_of(even).error)


@pytest.mark.parametrize("wins", [0, 1])
def test_a_share_of_all_or_none_is_not_certain(wins: int) -> None:
    """By the number of deals, since the games of one go together."""
    error = pytest.approx(sqrt(1 / 42 * 41 / 42 / 40))
    for games in (1.0, 4.0):
        share = share_of(np.full(40, wins * games), np.full(40, games))
        assert (share.value, share.error) == (wins, error)
    first = np.array([[1, 2] if wins else [2, 1]] * 40)
    found = figures_of(replace(play_many(LOTS, 2, games=40), standings=first, leaders=np.zeros(40, np.int64)))
    assert (found.first.value, found.first.error) == (wins - 0.5, error)
    assert (found.shared.value, found.shared.error) == (0, error)


def test_a_share_is_not_certain_where_every_deal_was_split_evenly() -> None:
    """Nor where one of them was not: as unsure as where all were won."""
    certain = mean_share(np.ones(40)).error
    for shares in (np.full(40, 0.5), np.array([1.0] + [0.5] * 39)):
        share = mean_share(shares)
        assert share.error == pytest.approx(certain)
        assert share.high > share.value > share.low
    # and two owners of three who share a win in every game
    (effect,) = plain_effects(np.array([[0.5, 0.5, 0.0]] * 60), having(*[(1, 1, 0)] * 60))
    assert effect.error == pytest.approx(least_error(120))


def random_games(games: int, seats: int, cards: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares, counts and places in which having cards, many cards, and a place all help to win."""
    rng = np.random.default_rng(7)
    counts = rng.integers(0, 3, (games, seats, cards)).astype(np.int16)
    places = rng.permuted(np.tile(np.arange(seats), (games, 1)), axis=1)
    strength = rng.normal(size=(games, seats)) + 0.5 * (counts[:, :, 0] > 0) + 0.2 * counts.sum(2) - 0.3 * places
    return (strength == strength.max(1, keepdims=True)).astype(float), counts, places


def test_the_adjusted_figure_is_least_squares_with_clustered_errors() -> None:
    """Against the textbook: a column for every game, and the sandwich of White (1984) over games."""
    games, seats, cards = 60, 3, 4
    shares, counts, places = random_games(games, seats, cards)
    total = counts.sum(2, dtype=float)
    shared = [np.repeat(np.eye(games), seats, axis=0)]
    shared += [(places == place).astype(float).reshape(-1, 1) for place in range(1, seats)]
    shared += [total.reshape(-1, 1), total.reshape(-1, 1) ** 2]
    found = adjusted_effects(shares, counts, places)
    for card in range(cards):
        x = np.hstack([*shared, (counts[:, :, card] > 0).astype(float).reshape(-1, 1)])
        fitted = np.linalg.lstsq(x, shares.ravel(), rcond=None)[0]
        residual = shares.ravel() - x @ fitted
        scores = (x * residual[:, None]).reshape(games, seats, -1).sum(1)
        bread = np.linalg.pinv(x.T @ x)
        variance = (bread @ (scores.T @ scores) @ bread)[-1, -1] * games / (games - 1)
        assert found[card].value == pytest.approx(fitted[-1], abs=1e-9)
        assert found[card].error == pytest.approx(sqrt(variance), rel=1e-6)


def test_blocks_do_not_change_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    shares, counts, places = random_games(100, 4, 3)
    whole = plain_effects(shares, counts) + adjusted_effects(shares, counts, places)
    monkeypatch.setattr(figures, "_BLOCK", 7)
    parts = plain_effects(shares, counts) + adjusted_effects(shares, counts, places)
    for one, other in zip(whole, parts, strict=True):
        assert (one.value, one.error) == pytest.approx((other.value, other.error))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_card_that_gives_points_is_found_and_a_blank_is_not(seats: int) -> None:
    found = figures_of(play_many(LOTS, seats, games=MANY, seed=1))
    cards = {card.id: card for card in found.cards}
    assert set(cards) == {card.id for card in CARDS}
    gift, blank, common, never = (cards[CARDS[at].id] for at in (GIFT, BLANK, COMMON, NEVER))
    assert abs(gift.plain.value - exact_effect_of_gift(seats)) < 3 * gift.plain.error
    assert gift.plain.low > 0.05
    assert gift.adjusted.low > 0.05
    assert blank.plain.low < 0 < blank.plain.high
    assert found.cards[0] == gift
    assert gift in found.cards_beyond
    assert blank not in found.cards_beyond
    assert (common.seats, common.games, common.telling, common.plain.known) == (1.0, 1.0, 0, False)
    assert (never.seats, never.games, never.each) == (0.0, 0.0, 0.0)
    assert gift.seats == pytest.approx(0.5, abs=0.06)
    assert (gift.each, blank.each) == (1.0, 2.0)


def test_places_of_a_fair_game_are_even() -> None:
    found = figures_of(play_many(LOTS, 4, games=MANY, seed=1))
    assert found.turns is not None
    assert sum(place.share.value for place in found.turns) == pytest.approx(1)
    assert found.first.value == found.turns[0].share.value - 0.25
    for places in (found.turns, found.by_seat):
        for place in places:
            assert abs(place.share.value - 0.25) < 3.5 * place.share.error


def test_intervals_hold_the_truth_nineteen_times_of_twenty() -> None:
    """100 small reports of the same game."""
    games, truth, held = 200, exact_effect_of_gift(4), 0
    reports = 100 if COMPILED else 10
    played = play_many(LOTS, 4, games=games * reports, seed=1000)
    shares = win_shares(played.standings)
    for first in range(0, games * reports, games):
        gift = plain_effects(shares[first : first + games], played.counts[first : first + games])[GIFT]
        held += gift.low < truth < gift.high
    assert 0.88 * reports <= held <= reports - reports // 100


def test_where_all_always_decide_at_once_there_is_no_first_place() -> None:
    played = play_many(LOTS, 3, games=40)
    found = figures_of(replace(played, leaders=np.full(40, -1)))
    assert found.turns is None
    assert found.places == found.by_seat
    assert not found.first.known


def test_games_in_which_all_always_decide_at_once_say_nothing_of_places() -> None:
    """The first place wins where there is one, and has a point more; elsewhere the second seat does."""
    led = np.arange(80) < 40
    places = np.where(led[:, None], [1, 2], [2, 1])
    played = replace(play_many(LOTS, 2, games=80), standings=places, scores=3 - places, leaders=np.where(led, 0, -1))
    found = figures_of(played)
    assert found.turns is not None
    assert [(place.share.value, place.score.value) for place in found.turns] == [(1, 2), (0, 1)]
    assert [place.share.value for place in found.by_seat] == [0.5, 0.5]


def test_who_wins_and_by_how_much_by_hand() -> None:
    scores, places = np.array([[5, 9, 7], [4, 4, 1]]), np.array([[3, 1, 2], [1, 1, 3]])
    spreads = figures_of(replace(play_many(LOTS, 3, games=2), scores=scores, standings=places)).spreads
    assert (spreads["winning score"].values, spreads["winning score"].times) == ((4, 9), (2, 1))
    assert (spreads["margin"].values, spreads["margin"].times) == ((0, 2), (1, 1))


def test_one_seat_has_nobody_to_be_compared_with() -> None:
    with pytest.raises(GameError, match="2 or more"):
        figures_of(play_many(LOTS, 1, games=2))


def test_spreads_by_hand() -> None:
    found = figures_of(play_many(LOTS, 2, games=200, seed=3))
    score = found.spreads["score"]
    assert sum(score.times) == 400
    assert score.mean == pytest.approx(sum(v * n for v, n in zip(score.values, score.times)) / 400)
    assert set(score.values) == {0, 1, 2, 3}
    assert found.spreads["choices"] == Spread((1,), (200,), 1.0, 0.0)
    assert "rounds" not in found.spreads
    spread = Spread((1, 2, 10), (1, 2, 1), 3.75, 3.6)
    assert [spread.quantile(share) for share in (0.05, 0.25, 0.26, 0.75, 0.76, 1)] == [1, 1, 2, 2, 10, 10]


def test_the_most_helpful_cards_come_first() -> None:
    found = figures_of(play_many(LOTS, 4, games=MANY, seed=1))
    known = [card for card in found.cards if card.plain.known]
    assert all(one.plain.value >= other.plain.value for one, other in pairwise(known))
    assert not any(card.plain.known for card in found.cards[len(known) :])


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (0.0, 0.014, "within"),
        (-0.007, 0.025, "unclear"),
        (-0.037, 0.0235, "unclear"),
        (0.05, 0.009, "beyond"),
        (-0.05, 0.009, "beyond"),
        (0.0, float("nan"), "unclear"),
    ],
)
def test_what_is_known_of_a_limit_is_about_the_whole_interval(value: float, error: float, said: str) -> None:
    assert Estimate(value, error).against(0.03) == said


def test_beyond_is_about_the_figure_and_not_its_interval() -> None:
    assert Estimate(-0.09, 0.05).beyond(0.08)
    assert not Estimate(0.07, 0.05).beyond(0.08)
