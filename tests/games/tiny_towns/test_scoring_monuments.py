"""The points of the 15 monuments."""

import pytest

from games.tiny_towns.town import points, table, town

#: One building of each of the seven types.
SEVEN = "Cot Far Wel Cha / Tav The Fac ."


def scored(picture: str, monument: str) -> int:
    """The points of the monument."""
    return points(picture, "monument", monument)


# --- Architect's Guild ----------------------------------------------------------------------------------------


def test_architects_guild_scores_1() -> None:
    assert scored("Mon Cot Cot", "architects_guild") == 1


# --- Archive of the Second Age --------------------------------------------------------------------------------


def test_archive_of_the_second_age_scores_1_for_each_type_in_the_town() -> None:
    assert scored("Mon", "archive_of_the_second_age") == 0
    assert scored("Mon . . Cot / . . . . / . . . . / Wel", "archive_of_the_second_age") == 2


def test_archive_of_the_second_age_counts_a_type_once() -> None:
    assert scored("Mon Cot Cot Wel / Wel", "archive_of_the_second_age") == 2


def test_archive_of_the_second_age_scores_at_most_7_without_itself() -> None:
    assert scored(SEVEN + "/ Mon", "archive_of_the_second_age") == 7


# --- Barrett Castle -------------------------------------------------------------------------------------------


def test_barrett_castle_scores_5_if_it_is_fed() -> None:
    assert scored("Mon Far", "barrett_castle") == 5


def test_barrett_castle_scores_nothing_if_it_is_not_fed() -> None:
    assert scored("Mon Cot", "barrett_castle") == 0


def test_barrett_castle_does_not_count_as_a_building_of_the_cottage_card() -> None:
    assert points("Mon Far", "cottage", "barrett_castle") == 0


# --- Cathedral of Caterina ------------------------------------------------------------------------------------


def test_cathedral_of_caterina_scores_2_and_its_owners_empty_squares_cost_nothing() -> None:
    assert scored("Mon", "cathedral_of_caterina") == 2
    assert points("Mon Cot W", "squares", "cathedral_of_caterina") == 0


def test_cathedral_of_caterina_is_for_its_owner_only() -> None:
    game = table(town("Mon", monument="cathedral_of_caterina"), "Cot")
    assert [game.points("squares", seat) for seat in (0, 1)] == [0, -15]


def test_cathedral_of_caterina_does_nothing_before_it_is_built() -> None:
    assert points("Cot", "squares", "cathedral_of_caterina") == -15


# --- Fort Ironweed --------------------------------------------------------------------------------------------


def test_fort_ironweed_scores_7() -> None:
    assert table(town("Mon", monument="fort_ironweed"), "").points("monument") == 7


# --- Grand Mausoleum of the Rodina ----------------------------------------------------------------------------


def test_grand_mausoleum_of_the_rodina_scores_3_for_each_unfed_cottage() -> None:
    assert scored("Mon Cot Cot", "grand_mausoleum_of_the_rodina") == 6


def test_grand_mausoleum_of_the_rodina_scores_nothing_for_fed_cottages_nor_itself() -> None:
    assert scored("Mon", "grand_mausoleum_of_the_rodina") == 0
    assert scored("Mon Cot Cot Gra", "grand_mausoleum_of_the_rodina") == 3
    assert points("Mon Cot Cot Gra", "cottage", "grand_mausoleum_of_the_rodina") == 3


def test_grand_mausoleum_of_the_rodina_does_not_feed_for_a_chapel_or_temple() -> None:
    assert points("Mon Cot Cha Cot", "chapel", "grand_mausoleum_of_the_rodina") == 0
    assert points("Mon Cot Tem Cot", "temple", "grand_mausoleum_of_the_rodina") == 0


# --- Grove University -----------------------------------------------------------------------------------------


def test_grove_university_scores_3() -> None:
    assert scored("Mon", "grove_university") == 3


# --- Mandras Palace -------------------------------------------------------------------------------------------


def test_mandras_palace_scores_2_for_each_type_next_to_it() -> None:
    assert scored("Mon Cot", "mandras_palace") == 2
    assert scored("Mon Cot / Wel", "mandras_palace") == 4


def test_mandras_palace_counts_a_type_once() -> None:
    assert scored(". Cot . / Cot Mon Wel", "mandras_palace") == 4


def test_mandras_palace_scores_at_most_8() -> None:
    assert scored(". Cot . / Wel Mon Tav / . Far", "mandras_palace") == 8


def test_mandras_palace_does_not_count_diagonals() -> None:
    assert scored("Cot . Wel / . Mon . / Tav . Far", "mandras_palace") == 0


# --- Obelisk of the Crescent ----------------------------------------------------------------------------------


def test_obelisk_of_the_crescent_scores_nothing() -> None:
    assert scored("Mon Cot", "obelisk_of_the_crescent") == 0


# --- Opaleye's Watch ------------------------------------------------------------------------------------------


def test_opaleyes_watch_scores_nothing_nor_does_what_lies_on_it() -> None:
    game = table(town("Mon", monument="opaleyes_watch", watch="cottage tavern farm"), "")
    assert game.points("monument") == 0
    assert game.scores() == (-15, -16)


# --- Shrine of the Elder Tree ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "worth"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 8), (7, 8), (16, 8)])
def test_shrine_of_the_elder_tree_scores_for_the_buildings_when_it_was_built(n: int, worth: int) -> None:
    game = table(town("Mon Cot", monument="shrine_of_the_elder_tree", shrine=n))
    assert game.points("monument") == worth


# --- Silva Forum ----------------------------------------------------------------------------------------------


def test_silva_forum_scores_1_and_1_for_each_building_of_the_largest_group() -> None:
    assert scored("Mon Cot Cot . / . Cot . Cot", "silva_forum") == 4
    assert scored("Mon Cot Cot . / Wel Wel Wel Wel", "silva_forum") == 5


def test_silva_forum_scores_at_least_2() -> None:
    assert scored("Mon", "silva_forum") == 2
    assert scored("Mon Cot", "silva_forum") == 2


def test_silva_forum_group_is_of_one_type_and_not_connected_by_corners() -> None:
    assert scored("Mon Cot Wel Far / Tav", "silva_forum") == 2
    assert scored("Mon Cot . / . . Cot", "silva_forum") == 2
    assert scored("Mon . . Cot / Cot", "silva_forum") == 2


def test_silva_forum_may_count_a_group_that_winds_about() -> None:
    assert scored("Cot Cot Cot Cot / . . . Cot / Cot Cot Cot Cot / Cot . . Mon", "silva_forum") == 11


# --- The Sky Baths --------------------------------------------------------------------------------------------


def test_the_sky_baths_score_2_for_each_type_missing() -> None:
    assert scored("Mon Cot Cot Wel", "the_sky_baths") == 10


def test_the_sky_baths_score_at_most_14() -> None:
    assert scored("Mon", "the_sky_baths") == 14


def test_the_sky_baths_score_nothing_where_no_type_is_missing() -> None:
    assert scored(SEVEN + "/ Mon", "the_sky_baths") == 0


# --- The Starloom ---------------------------------------------------------------------------------------------


def starloom(*completed: int) -> int:
    """What the Starloom of seat 0 scores when the towns were completed in these rounds."""
    towns = [town("Mon", monument="the_starloom", completed=completed[0])]
    return table(*towns, *(town("Cot", completed=when) for when in completed[1:])).points("monument")


def test_the_starloom_scores_6_3_2_for_the_first_three_places() -> None:
    assert starloom(16, 17, 18, 19) == 6
    assert starloom(17, 16, 18, 19) == 3
    assert starloom(18, 17, 16, 19) == 2


def test_the_starloom_scores_nothing_from_the_fourth_place_on() -> None:
    assert starloom(19, 17, 16, 18) == 0
    assert starloom(21, 17, 16, 18, 20, 19) == 0


def test_the_starloom_scores_the_shared_place_in_full() -> None:
    assert starloom(16, 16, 17) == 6
    assert starloom(17, 16, 17) == 3


def test_the_starloom_counts_a_tie_before_it_as_two_places() -> None:
    assert starloom(17, 16, 16) == 2
    assert starloom(17, 16, 16, 16) == 0


# --- Statue of the Bondmaker ----------------------------------------------------------------------------------


def test_statue_of_the_bondmaker_scores_nothing_and_its_cubes_cost_nothing() -> None:
    game = table(town("Mon Cot:W Cot:G", monument="statue_of_the_bondmaker"))
    assert game.points("monument") == 0
    assert game.scores() == (-13,)
