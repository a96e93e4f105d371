"""Cottages, and the four farms that feed them."""

from games.tiny_towns.town import points, table, town

BARRETT = "barrett_castle"


def fed(picture: str, monument: str = "") -> str:
    """The squares that are fed."""
    return table(town(picture, monument=monument)).fed()


# --- Cottage --------------------------------------------------------------------------------------------------


def test_cottage_scores_3_if_it_is_fed() -> None:
    assert points("Far Cot", "cottage") == 3
    assert points("Far Cot Cot Cot", "cottage") == 9


def test_cottage_scores_nothing_if_it_is_not_fed() -> None:
    assert points("Cot Cot Cot", "cottage") == 0
    # and its square is not empty
    assert points("Cot Cot Cot", "squares") == -13


def test_cottage_may_be_built_before_what_feeds_it() -> None:
    game = table("Cot . T T / . . W W")
    assert game.points("cottage") == 0
    game.play(0, "build farm C1 from C1 D1 C2 D2")
    assert game.points("cottage") == 3


# --- Farm -----------------------------------------------------------------------------------------------------


def test_farm_feeds_4_anywhere_in_the_town() -> None:
    assert fed("Far . . Cot / . . . . / . . . . / Cot Cot . Cot") == "D1 A4 B4 D4"


def test_farm_feeds_no_more_than_4() -> None:
    assert points("Far Cot Cot Cot / Cot Cot Cot", "cottage") == 12


def test_farm_and_another_feed_8() -> None:
    town_of_nine = "Far Far Cot Cot / Cot Cot Cot Cot / Cot Cot Cot"
    assert points(town_of_nine, "cottage") == 24


def test_farm_scores_nothing_itself() -> None:
    assert points("Far Far", "farm") == 0


def test_farm_feeds_barrett_castle_rather_than_a_fourth_cottage() -> None:
    picture = "Far Cot Cot Cot / Cot Mon"
    assert points(picture, "monument", BARRETT) == 5
    assert points(picture, "cottage", BARRETT) == 9


def test_farm_feeds_the_cottages_next_to_a_temple() -> None:
    # the two on the right
    assert fed("Cot Cot Cot Far / . . Cot Tem / Cot . . Cot") == "A1 B1 C2 D3"
    assert points("Cot Cot Cot Far / . . Cot Tem / Cot . . Cot", "temple") == 4


def test_farm_feeds_two_temples_from_the_cottages_between_them() -> None:
    picture = "Cot Tem Cot Cot / Cot Cot Tem Far / Cot"
    # B1 has A1, C1 and B2 beside it; C2 has C1 and B2
    assert points(picture, "temple") == 8


def test_farm_feeds_a_castle_that_satisfies_a_temple_alone() -> None:
    picture = "Far Cot Cot Cot / Cot . Tem Mon"
    assert points(picture, "temple", BARRETT) == 4


# --- Granary --------------------------------------------------------------------------------------------------


def test_granary_feeds_the_8_squares_around_it() -> None:
    assert fed("Cot Cot Cot Cot / Cot Gra Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot") == "A1 B1 C1 A2 C2 A3 B3 C3"


def test_granary_feeds_nothing_farther_away_nor_round_the_edge() -> None:
    assert fed("Gra . . Cot / . . . Cot / Cot . . . / Cot") == ""
    assert fed(". . . Gra / Cot . . . / Cot") == ""


def test_granary_and_another_feed_a_cottage_between_them_once() -> None:
    assert points("Gra Cot Gra", "cottage") == 3


def test_granary_feeds_barrett_castle_beside_it() -> None:
    assert points("Gra . / . Mon", "monument", BARRETT) == 5
    assert points("Gra . Mon", "monument", BARRETT) == 0


def test_granary_scores_nothing_itself() -> None:
    assert points("Gra Gra", "granary") == 0


# --- Greenhouse -----------------------------------------------------------------------------------------------


def test_greenhouse_feeds_one_group_anywhere() -> None:
    assert fed("Gre . . . / . . . . / . . Cot Cot / . . . Cot") == "C3 D3 D4"


def test_greenhouse_feeds_the_largest_of_several_groups() -> None:
    assert fed("Gre Cot . Cot / . . . Cot / Cot . . Cot / Cot") == "D1 D2 D3"


def test_greenhouse_group_is_not_connected_by_a_corner() -> None:
    assert points("Gre Cot . / . . Cot / . . Cot", "cottage") == 6
    assert points("Gre . Cot / . Cot", "cottage") == 3


def test_greenhouse_group_is_not_connected_round_the_edge() -> None:
    assert points("Gre . . Cot / Cot", "cottage") == 3


def test_greenhouse_feeds_a_lone_cottage() -> None:
    assert fed("Gre . . Cot") == "D1"


def test_greenhouse_and_a_second_one_feed_two_groups() -> None:
    assert fed("Gre Gre . Cot / Cot . . Cot / Cot . . . / . . Cot") == "D1 A2 D2 A3"


def test_greenhouse_and_a_second_one_feed_a_single_group_once() -> None:
    assert points("Gre Gre Cot Cot", "cottage") == 6


def test_greenhouse_group_may_hold_barrett_castle() -> None:
    # a Cottage on both sides of the Castle
    assert fed("Gre . . . / Cot Mon Cot", BARRETT) == "A2 B2 C2"
    # the Castle alone is worth more than one Cottage, and less than two
    assert fed("Gre Cot . Mon", BARRETT) == "D1"
    assert fed("Gre Cot Cot . / . . . Mon", BARRETT) == "B1 C1"


def test_greenhouse_feeds_the_smaller_group_where_a_temple_makes_it_worth_more() -> None:
    assert fed("Cot Cot . Gre / Cot . . . / . . . . / Cot Cot Cot Cot") == "A4 B4 C4 D4"
    assert fed("Cot Cot . Gre / Cot Tem . . / . . . . / Cot Cot Cot Cot") == "A1 B1 A2"


def test_greenhouse_scores_nothing_itself() -> None:
    assert points("Gre Gre", "greenhouse") == 0


# --- Orchard --------------------------------------------------------------------------------------------------


def test_orchard_feeds_its_row_and_its_column() -> None:
    assert fed("Cot Cot Cot Cot / Cot Orc Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot") == "B1 A2 C2 D2 B3 B4"


def test_orchard_feeds_over_other_buildings_and_cubes() -> None:
    assert fed("Orc Wel G Cot / Wel / W / Cot") == "D1 A4"


def test_orchard_and_another_feed_a_cottage_at_their_crossing_once() -> None:
    assert points("Orc . . Cot / . . . . / . . . Orc", "cottage") == 3


def test_orchard_feeds_barrett_castle_in_its_row() -> None:
    assert points("Orc . . Mon", "monument", BARRETT) == 5
    assert points("Orc . . . / . Mon", "monument", BARRETT) == 0


def test_orchard_scores_nothing_itself() -> None:
    assert points("Orc Orc", "orchard") == 0
