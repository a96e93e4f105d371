"""The four cards of the Tavern type."""

import pytest

from games.tiny_towns.town import points, table

# --- Tavern ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "scored"), [(0, 0), (1, 2), (2, 5), (3, 9), (4, 14), (5, 20), (6, 20), (15, 20)])
def test_tavern_points_are_for_all_of_them_and_end_at_20(n: int, scored: int) -> None:
    assert points(many("Tav", n), "tavern") == scored


def test_tavern_may_stand_anywhere() -> None:
    assert points("Tav . . Tav / . . . . / . Tav", "tavern") == 9


# --- Almshouse ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "scored"), [(0, 0), (1, -1), (2, 5), (3, -3), (4, 15), (5, -5), (6, 26), (7, 26), (15, 26)]
)
def test_almshouse_points_are_for_all_of_them_and_end_at_26(n: int, scored: int) -> None:
    assert points(many("Alm", n), "almshouse", cards="almshouse") == scored


def test_almshouse_may_stand_anywhere() -> None:
    assert points("Alm . . . / . . . Alm", "almshouse") == 5


# --- Feast Hall -----------------------------------------------------------------------------------------------


def test_feast_hall_scores_3_with_more_of_them_than_the_player_on_the_right() -> None:
    # the player on the right of seat 1 is seat 0: the hammer passes to the left
    assert feast_halls("Fea", "Fea Fea", "") == (3, 6, 0)


def test_feast_hall_scores_2_with_fewer() -> None:
    assert feast_halls("Fea Fea", "Fea", "Fea Fea Fea") == (4, 2, 9)


def test_feast_hall_scores_2_with_as_many() -> None:
    assert feast_halls("Fea Fea", "Fea Fea", "Fea Fea") == (4, 4, 4)


def test_feast_hall_is_not_compared_with_the_player_on_the_left() -> None:
    assert feast_halls("Fea", "Fea Fea Fea", "", "Fea Fea") == (2, 9, 0, 6)


def test_feast_hall_is_compared_with_the_opponent_of_two_players() -> None:
    assert feast_halls("Fea Fea", "Fea") == (6, 2)
    assert feast_halls("Fea", "Fea Fea") == (2, 6)
    assert feast_halls("Fea", "Fea") == (2, 2)


def test_feast_hall_scores_3_in_solo_play() -> None:
    assert feast_halls("Fea Fea") == (6,)


# --- Inn ------------------------------------------------------------------------------------------------------


def test_inn_scores_3_with_no_other_in_its_row_or_column() -> None:
    assert points("Inn", "inn") == 3
    assert points("Inn . / . Inn", "inn") == 6


def test_inn_scores_nothing_with_another_in_its_line_and_neither_does_the_other() -> None:
    assert points("Inn . . Inn", "inn") == 0
    assert points("Inn / . / . / Inn", "inn") == 0
    assert points("Inn . . Inn / . Inn", "inn") == 3


def test_inn_line_is_not_broken_by_what_stands_between() -> None:
    assert points("Inn Cot W Inn", "inn") == 0


def test_inn_scores_for_at_most_4_of_them() -> None:
    assert points("Inn . . . / . . Inn . / . Inn . . / . . . Inn", "inn") == 12


def many(what: str, n: int) -> str:
    """A town with n times the same building."""
    on = [what] * n + ["."] * (16 - n)
    return " / ".join(" ".join(on[row : row + 4]) for row in range(0, 16, 4))


def feast_halls(*towns: str) -> tuple[int, ...]:
    """What the Feast Halls of every seat score."""
    game = table(*towns, cards="feast_hall")
    return tuple(game.points("feast_hall", seat) for seat in range(len(towns)))
