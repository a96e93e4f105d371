"""The figures of a contest, from games that are written down here."""

from collections.abc import Iterable
from dataclasses import replace
from math import sqrt

import pytest

from thorp.arena.contest import Course
from thorp.arena.lineups import Lineup
from thorp.arena.results import Deal
from thorp.arena.strength import PlayerFigures, Strength, strength_of
from thorp.arena.tables import Outcome


def met(one: str, other: str, deals: Iterable[int], *, lost: bool = False) -> Course:
    """Two that met, or one with itself: the one wins all, with a point more, or since the other could not go on."""
    course = Course(Lineup((one, other)), None)
    for seed in deals:
        games = []
        for seating in course.lineup.seatings:
            places = [1, 2] if seating[0] == one else [2, 1]
            games.append(
                Outcome(
                    scores=[8 - place for place in places],
                    standings=places,
                    choices=9,
                    leader=0,
                    rounds=None,
                    lost=(places.index(2), "it ended") if lost else None,
                )
            )
        course.count(Deal(course.lineup, seed, tuple(games)))
    return course


def of(found: Strength, name: str) -> PlayerFigures:
    return next(player for player in found.players if player.name == name)


def test_wins_are_those_of_all_games_where_tables_have_more_deals_than_others() -> None:
    """As where a test ended one of them. 2 games of each of 60 deals were won, and 2 of each of 30 lost."""
    found = strength_of([met("a", "b", range(60)), met("c", "a", range(30))], ["a", "b", "c"])
    share = of(found, "a").share
    assert share.value == pytest.approx(120 / 180)
    assert share.error == pytest.approx(sqrt(60 * 4 / 9 * 60 / 59) / 180)


def test_who_won_all_may_lose_the_next() -> None:
    found = strength_of([met("a", "b", range(40))], ["a", "b"])
    error = pytest.approx(sqrt(1 / 42 * 41 / 42 / 40))
    for one, other, share in (("a", "b", 1.0), ("b", "a", 0.0)):
        meeting = found.meeting(one, other)
        assert meeting
        assert (meeting.share.value, meeting.share.error) == (share, error)
        assert (of(found, one).share.value, of(found, one).share.error) == (share, error)
        # it won as much from the second place
        assert (of(found, one).first.value, of(found, one).first.error) == (0.0, error)
    # and so the first place won half of every deal
    assert (found.first.value, found.first.error) == (0.0, error)


def test_who_goes_first_and_won_all_may_lose_the_next() -> None:
    found = strength_of([met("a", "a", range(40))], ["a"])
    assert (found.first.value, found.first.error) == (0.5, pytest.approx(sqrt(1 / 42 * 41 / 42 / 40)))


def test_the_first_place_is_that_of_who_had_to_decide_first() -> None:
    """It is not always the first seat; and where all always decide at once there is none."""
    course = met("a", "a", range(40))
    second = Course(course.lineup, None)
    nobody = Course(course.lineup, None)
    for deal in course.counted:
        for other, leader in ((second, 1), (nobody, -1)):
            other.count(replace(deal, games=tuple(replace(game, leader=leader) for game in deal.games)))
    assert strength_of([second], ["a"]).first.value == -0.5
    assert not strength_of([nobody], ["a"]).first.known


def test_games_with_itself_say_nothing_of_what_a_player_wins() -> None:
    found = strength_of([met("a", "b", range(40)), met("a", "a", range(40, 80))], ["a", "b"])
    assert (of(found, "a").share.value, of(found, "a").games) == (1.0, 160)


def test_points_are_above_the_first_that_met_another_in_games_that_count() -> None:
    courses = [met("late", "a", ()), met("alone", "alone", range(40)), met("a", "b", range(40))]
    found = strength_of(courses, ["late", "alone", "b", "a"])
    assert found.anchor == "b"
    assert [player.name for player in found.players] == ["a", "b", "alone"]
    assert of(found, "b").rating.value == 0
    assert of(found, "a").rating.known
    assert strength_of([met("late", "a", ())], ["late", "a"]).anchor is None


def test_how_far_the_strongest_is_above_others_is_told_of_each_of_them() -> None:
    """Not by intervals of the distance to the first named, who may have met others little."""
    courses = [met("a", "b", range(60)), met("b", "a", range(60, 90)), met("b", "last", range(90, 120))]
    found = strength_of([*courses, met("apart", "apart", range(30))], ["last", "a", "b", "apart"])
    assert [player.name for player in found.players] == ["a", "b", "last", "apart"]
    a, b, last = (of(found, name).rating for name in ("a", "b", "last"))
    assert set(found.ahead) == {"b", "last"}
    assert found.ahead["b"].value == pytest.approx(a.value - b.value, abs=0.01)
    assert found.ahead["b"].low > 0
    assert a.low < b.high
    assert (found.ahead["last"].value, found.ahead["last"].error) == pytest.approx((a.value, a.error), abs=0.01)
    assert last.value == 0


def test_scores_of_games_that_broke_off_do_not_count() -> None:
    """Neither those of whoever could go on."""
    found = strength_of([met("a", "bad", range(3), lost=True), met("a", "b", range(3, 5))], ["a", "bad", "b"])
    score = of(found, "a").score
    assert score
    assert (score.values, score.times) == ((7,), (4,))
    # nor by how much they were won, and how long they were
    assert {name: sum(spread.times) for name, spread in found.spreads.items()} == {"choices": 4, "margin": 4}
    assert of(found, "bad").score is None
    assert of(found, "bad").lost == 6
    assert [of(found, name).all_lost for name in ("a", "bad", "b")] == [False, True, False]
