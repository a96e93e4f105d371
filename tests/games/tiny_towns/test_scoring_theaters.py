"""The four cards of the Theater type."""

from games.tiny_towns.town import points

BARRETT = "barrett_castle"

# --- Theater --------------------------------------------------------------------------------------------------


def test_theater_scores_1_for_each_other_type_in_its_row_and_column() -> None:
    assert points("The Cot . Far / . . . . / . . . . / Wel", "theater") == 3


def test_theater_counts_a_type_once_even_in_both_lines() -> None:
    assert points("The Cot Cot . / Cot", "theater") == 1


def test_theater_does_not_count_its_own_type() -> None:
    assert points("The The", "theater") == 0


def test_theater_does_not_count_what_stands_outside_its_lines_nor_cubes() -> None:
    assert points("The . . . / . Cot Far Wel", "theater") == 0
    assert points("The W T B / G", "theater") == 0


def test_theater_scores_at_most_6() -> None:
    assert points("The Cot Far Wel / Cha / Tav / Fac", "theater") == 6


def test_theater_counts_the_monument_as_a_type() -> None:
    assert points("The Cot . Mon", "theater", "silva_forum") == 2
    # there are no more than 6 other squares in its lines
    assert points("The Far Wel Mon / Cha / Tav / Fac", "theater", "silva_forum") == 6


def test_theater_counts_barrett_castle_as_a_cottage() -> None:
    assert points("The . . Mon", "theater", BARRETT) == 1
    assert points("The Cot . Mon", "theater", BARRETT) == 1
    assert points("The Cot Far . / Mon", "theater", BARRETT) == 2


# --- Bakery ---------------------------------------------------------------------------------------------------


def test_bakery_scores_3_next_to_a_farm_or_factory() -> None:
    assert points("Bak Far", "bakery") == 3
    assert points("Bak / Ban", "bakery") == 3
    assert points("Orc Bak", "bakery") == 3


def test_bakery_scores_nothing_next_to_other_types() -> None:
    assert points(". Cot . / Wel Bak Tav / . Cha", "bakery") == 0
    assert points("Bak Bak Mon", "bakery", BARRETT) == 0


def test_bakery_never_scores_more_than_3() -> None:
    assert points(". Far . / Fac Bak Far / . Fac", "bakery") == 3


def test_bakery_does_not_count_diagonals() -> None:
    assert points("Far . Fac / . Bak . / Fac . Far", "bakery") == 0


# --- Market ---------------------------------------------------------------------------------------------------


def test_market_scores_1_for_each_market_in_its_row_or_column_itself_included() -> None:
    assert points("Mar", "market") == 1
    assert points("Mar . . Mar", "market") == 4
    assert points("Mar / . / . / Mar", "market") == 4


def test_market_takes_the_better_line_and_does_not_add_them_up() -> None:
    # the one in the corner has three in its row and two in its column
    assert points("Mar Mar Mar . / Mar", "market") == 3 + 3 + 3 + 2


def test_market_scores_at_most_4() -> None:
    assert points("Mar Mar Mar Mar / Mar / Mar / Mar", "market") == 28


def test_market_does_not_count_diagonals() -> None:
    assert points("Mar . / . Mar", "market") == 2


# --- Tailor ---------------------------------------------------------------------------------------------------


def test_tailor_scores_1_outside_the_centre() -> None:
    assert points("Tai", "tailor") == 1
    assert points("Tai Tai . Tai", "tailor") == 3


def test_tailor_scores_1_more_for_each_in_the_centre_itself_included() -> None:
    assert points(". . . . / . Tai", "tailor") == 2
    assert points(". . . . / . Tai Tai", "tailor") == 6


def test_tailor_outside_the_centre_scores_for_those_inside() -> None:
    assert points("Tai . . . / . Tai", "tailor") == 4


def test_tailor_scores_at_most_5() -> None:
    assert points("Tai . . . / . Tai Tai . / . Tai Tai .", "tailor") == 25
