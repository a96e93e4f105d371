"""The four cards of the Well type."""

from games.tiny_towns.town import points

# --- Well -----------------------------------------------------------------------------------------------------


def test_well_scores_1_for_each_cottage_next_to_it() -> None:
    assert points("Cot Wel", "well") == 1
    assert points(". Cot . / Cot Wel Cot / . Cot", "well") == 4


def test_well_counts_cottages_fed_or_unfed() -> None:
    assert points("Cot Wel Cot", "well") == 2
    assert points("Cot Wel Cot Far", "well") == 2


def test_well_does_not_count_diagonals() -> None:
    assert points("Cot . Cot / . Wel . / Cot . Cot", "well") == 0


def test_well_does_not_count_round_the_edge() -> None:
    assert points(". . . Wel / Cot", "well") == 0


def test_well_counts_barrett_castle_as_2_cottages() -> None:
    assert points("Mon Wel", "well", "barrett_castle") == 2
    assert points("Mon Wel Cot", "well", "barrett_castle") == 3
    assert points("Mon Wel", "well", "silva_forum") == 0


def test_well_and_another_both_count_the_cottage_between_them() -> None:
    assert points("Wel Cot Wel", "well") == 2


# --- Fountain -------------------------------------------------------------------------------------------------


def test_fountain_scores_2_next_to_another_fountain() -> None:
    assert points("Fou Fou", "fountain") == 4


def test_fountain_scores_nothing_alone() -> None:
    assert points("Fou Cot", "fountain") == 0
    assert points("Fou . Fou", "fountain") == 0


def test_fountain_never_scores_more_than_2() -> None:
    assert points(". Fou . / Fou Fou Fou / . Fou", "fountain") == 10


def test_fountain_does_not_count_diagonals() -> None:
    assert points("Fou . / . Fou", "fountain") == 0


# --- Millstone ------------------------------------------------------------------------------------------------


def test_millstone_scores_2_next_to_a_farm_or_theater() -> None:
    assert points("Mil Far", "millstone") == 2
    assert points("Mil / The", "millstone") == 2
    assert points("Mil Orc", "millstone") == 2
    assert points("Mil Mar", "millstone") == 2


def test_millstone_scores_nothing_next_to_other_types() -> None:
    assert points("Cot Mil Tav / Cha Mil Mil / Fac", "millstone") == 0
    assert points("Mil Mon", "millstone", "barrett_castle") == 0


def test_millstone_never_scores_more_than_2() -> None:
    assert points(". Far . / The Mil Far / . The", "millstone") == 2


def test_millstone_does_not_count_diagonals() -> None:
    assert points("Far . The / . Mil . / The . Far", "millstone") == 0


# --- Shed -----------------------------------------------------------------------------------------------------


def test_shed_scores_1() -> None:
    assert points("She", "shed") == 1
    assert points("She She . She", "shed") == 3
