"""Totals: the printed example, empty squares, negative scores, and ties."""

import pytest

from games.tiny_towns.town import Drawing, table, town

EXAMPLE = """
    Bak  Tav  Cot  Tav
    Far  Cha  Cot  War:WTB
    Tav  .    Wel  Cot
    Cot  Wel  Cot  .
"""


@pytest.mark.parametrize(
    ("source", "scored"),
    [
        ("well", 5),
        ("cottage", 12),
        ("chapel", 4),
        ("tavern", 9),
        ("bakery", 3),
        ("warehouse", -3),
        ("squares", -2),
    ],
)
def test_the_printed_example_by_its_parts(source: str, scored: int) -> None:
    assert table(EXAMPLE).points(source) == scored


def test_the_printed_example_scores_28() -> None:
    assert table(EXAMPLE).scores() == (28,)


def test_the_printed_example_feeds_4_of_its_5_cottages() -> None:
    assert len(table(EXAMPLE).fed().split()) == 4


def test_each_square_without_a_building_costs_a_point() -> None:
    assert table("").points("squares") == -16
    # cubes are removed at the end
    assert table("Cot W T . / B").points("squares") == -15


def test_a_total_may_be_below_zero() -> None:
    assert table("War:WWW").scores() == (-18,)


def test_a_monument_that_was_not_built_scores_nothing() -> None:
    assert table(town("Cot", monument="the_sky_baths")).points("monument") == 0


def test_a_total_is_the_sum_of_its_parts() -> None:
    game = table(town("Cot Far She Inn / Mon Ban:W . W", monument="silva_forum"), "")
    parts = [game.points(card) for card in game.cards] + [game.points("monument"), game.points("squares")]
    assert parts == [3, 0, 1, 0, 3, 0, 4, 2, -10]
    assert game.scores()[0] == sum(parts) == 3


# --- ties -----------------------------------------------------------------------------------------------------

# Towns of -15 points each, by the empty squares and Cottages that they have at the end.
EMPTY_15 = "Far"
EMPTY_15_COTTAGE_1 = "Cot"
EMPTY_14 = "Far War:W"
EMPTY_14_COTTAGE_1 = "Cot War:T"
EMPTY_13 = "Wel Far War:WW"


def standings(*towns: Drawing | str, naming: str = "master_builder") -> tuple[int, ...]:
    game = table(*towns, naming=naming)
    assert len(set(game.scores())) == 1
    return game.standings()


def test_the_most_points_win() -> None:
    assert table("Tav", "Tav Tav", "", "She").standings() == (2, 1, 4, 3)


def test_points_come_before_all_tie_breaks() -> None:
    # more turns, more empty squares, fewer Cottages: still the most points
    game = table(town("Tav", turns=9), town("Cot", turns=0))
    assert game.scores() == (-13, -15)
    assert game.standings() == (1, 2)


def test_a_tie_is_won_by_the_fewest_turns_as_master_builder() -> None:
    assert standings(town("Cot", turns=5), town("Cot", turns=3), town("Cot", turns=4)) == (3, 1, 2)


@pytest.mark.parametrize("turns", [15, 16, 17, 31, 32, 63, 64, 127, 200])
def test_many_turns_are_counted_to_the_last_one(turns: int) -> None:
    assert standings(town("Cot", turns=turns + 1), town("Cot", turns=turns)) == (2, 1)
    # and one turn more outweighs fewer empty squares and more Cottages
    assert standings(town(EMPTY_13, turns=turns + 1), town(EMPTY_15, turns=turns)) == (2, 1)


def test_one_point_more_outweighs_any_number_of_turns() -> None:
    game = table(town("Tav", turns=200), town("Wel Far", turns=0))
    assert game.scores() == (-13, -14)
    assert game.standings() == (1, 2)


def test_then_by_the_fewest_empty_squares() -> None:
    assert standings(EMPTY_15, EMPTY_14, EMPTY_13) == (3, 2, 1)


def test_squares_with_cubes_are_empty_squares_at_the_end() -> None:
    assert standings("Cot W W W", "Cot", EMPTY_14) == (2, 2, 1)


def test_then_by_the_most_cottages_fed_or_unfed() -> None:
    assert standings(EMPTY_15, EMPTY_15_COTTAGE_1) == (2, 1)
    assert standings(EMPTY_14_COTTAGE_1, EMPTY_14) == (1, 2)


def test_turns_come_before_empty_squares() -> None:
    assert standings(town(EMPTY_15, turns=3), town(EMPTY_13, turns=4)) == (1, 2)


def test_empty_squares_come_before_cottages() -> None:
    assert standings(EMPTY_15_COTTAGE_1, EMPTY_14) == (2, 1)


def test_who_ties_in_everything_shares_the_place() -> None:
    assert standings(town("Cot", turns=3), town("Cot", turns=3), town("Cot", turns=4)) == (1, 1, 3)
    assert standings(town("Cot", turns=4), town("Cot", turns=3), town("Cot", turns=4)) == (2, 1, 2)
