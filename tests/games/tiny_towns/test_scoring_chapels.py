"""The four cards of the Chapel type."""

from games.tiny_towns.town import points

BARRETT = "barrett_castle"

# --- Chapel ---------------------------------------------------------------------------------------------------


def test_chapel_scores_1_for_each_fed_cottage_in_the_town() -> None:
    assert points("Cha Far . Cot / . . . . / Cot . . . / . . Cot", "chapel") == 3


def test_chapel_does_not_count_unfed_cottages() -> None:
    assert points("Cha Cot Cot", "chapel") == 0
    assert points("Cha Gra Cot Cot", "chapel") == 1


def test_chapel_and_another_score_separately() -> None:
    assert points("Cha Far Cha / Cot Cot", "chapel") == 4


def test_chapel_counts_a_fed_barrett_castle_as_2() -> None:
    assert points("Cha Far Mon", "chapel", BARRETT) == 2
    assert points("Cha Far Mon Cot", "chapel", BARRETT) == 3


def test_chapel_does_not_count_an_unfed_barrett_castle() -> None:
    assert points("Cha . Mon", "chapel", BARRETT) == 0


# --- Abbey ----------------------------------------------------------------------------------------------------


def test_abbey_scores_3_next_to_no_tavern_theater_or_factory() -> None:
    assert points("Abb", "abbey") == 3
    assert points(". Cot . / Far Abb Wel / . Abb", "abbey") == 6
    assert points("Abb Mon", "abbey", BARRETT) == 3


def test_abbey_scores_nothing_next_to_one_of_them() -> None:
    assert points("Abb Tav", "abbey") == 0
    assert points("Abb / The", "abbey") == 0
    assert points("Ban Abb", "abbey") == 0


def test_abbey_does_not_mind_diagonals() -> None:
    assert points("Tav . The / . Abb . / Fac . Tav", "abbey") == 3


# --- Cloister -------------------------------------------------------------------------------------------------


def test_cloister_scores_1_for_each_cloister_in_a_corner() -> None:
    assert points("Clo", "cloister") == 1
    assert points("Clo . . Clo", "cloister") == 4


def test_cloister_outside_the_corners_scores_for_those_inside() -> None:
    assert points(". Clo", "cloister") == 0
    assert points("Clo Clo", "cloister") == 2
    assert points("Clo . . Clo / . Clo . . / . . . . / Clo", "cloister") == 12


def test_cloister_scores_at_most_4() -> None:
    assert points("Clo . . Clo / . Clo . . / . . . . / Clo . . Clo", "cloister") == 20


# --- Temple ---------------------------------------------------------------------------------------------------


def test_temple_scores_4_next_to_2_fed_cottages() -> None:
    assert points("Cot Tem Cot Far", "temple") == 4


def test_temple_scores_nothing_next_to_fewer() -> None:
    assert points("Cot Tem . Far", "temple") == 0
    # one of the two is not fed
    assert points("Cot Tem Cot Gra", "temple") == 0
    assert points("Cot Tem Cot", "temple") == 0


def test_temple_never_scores_more_than_4() -> None:
    assert points(". Cot . Far / Cot Tem Cot . / . Cot", "temple") == 4


def test_temple_does_not_count_diagonals() -> None:
    assert points("Cot Cot . Far / . . Tem . / . . . Cot", "temple") == 0


def test_temple_is_satisfied_by_a_fed_barrett_castle_alone() -> None:
    assert points("Mon Tem . Far", "temple", BARRETT) == 4


def test_temple_does_not_count_an_unfed_barrett_castle() -> None:
    assert points("Mon Tem . .", "temple", BARRETT) == 0
    assert points("Mon Tem . . / . Cot . . / . Gra", "temple", BARRETT) == 0
