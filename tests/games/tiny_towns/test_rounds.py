"""Setup, rounds, completed towns and the end, with a Master Builder."""

import pytest

from games.tiny_towns.printed import CARDS, cards_of
from games.tiny_towns.town import FIRST_GAME, dealt, drawn, table, tokens, town
from thorp.core.errors import OptionError
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.rules import state
from thorp.games.tiny_towns.rules.cards import LETTERS, MONUMENT, RESOURCES, TYPES

FULL = "Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot"
NAMES = [f"name {resource}" for resource in RESOURCES]


# --- setup ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(1, 7))
def test_1_to_6_players_begin_with_an_empty_town_of_16_squares(seats: int) -> None:
    game = dealt(seats, monuments="no")
    assert game.plain.seats == seats
    assert all(game.picture(seat) == drawn("") for seat in range(seats))
    assert len(tokens(game.picture())) == 16


@pytest.mark.parametrize("seats", [0, 7])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match="1 to 6 seats"):
        GAME.options_for(seats)


def test_the_cottage_and_a_random_card_of_each_other_type_lie_open() -> None:
    games = [dealt(4, seed).plain.cards for seed in range(200)]
    for type in range(len(TYPES) - 1):
        assert {cards[type] for cards in games} == {card.number for card in cards_of(type)}


def test_cards_that_are_picked_lie_open() -> None:
    picked = {"farm": "orchard", "well": "shed", "chapel": "abbey", "tavern": "inn", "theater": "market"}
    game = dealt(3, factory="bank", **picked)
    assert game.cards == ("cottage", "orchard", "shed", "abbey", "inn", "market", "bank")


def test_a_first_game_has_the_cards_that_types_are_named_after_and_no_monuments() -> None:
    game = dealt(2, **GAME.presets["First game"])
    assert game.cards == FIRST_GAME
    assert game.legal(game.plain.builder) == NAMES


@pytest.mark.parametrize("seats", range(1, 7))
def test_everybody_is_dealt_two_monuments_all_of_them_different(seats: int) -> None:
    for seed in range(20):
        towns = dealt(seats, seed).plain.towns[:seats]
        cards = {card for each in towns for card in each.dealt}
        assert len(cards) == 2 * seats
        assert {CARDS[card].type for card in cards} == {MONUMENT}


def test_every_monument_may_be_dealt() -> None:
    seen = {card for seed in range(100) for card in dealt(2, seed).town().dealt}
    assert seen == {card.number for card in cards_of(MONUMENT)}


def test_one_of_the_two_monuments_is_kept_and_the_other_goes_back() -> None:
    for choice in (0, 1):
        game = dealt(2)
        first, second = (CARDS[card] for card in game.town().dealt)
        assert game.legal() == [f"keep {first.id}", f"keep {second.id}"]
        game.play(0, game.legal()[choice])
        kept, returned = (first, second) if choice == 0 else (second, first)
        assert (game.town().monument, game.town().returned) == (kept.number, returned.number)
        assert game.town().dealt == [0, 0]


def test_the_first_round_begins_when_everybody_has_kept_a_monument() -> None:
    game = dealt(3)
    for seat in (2, 0, 1):
        assert game.plain.round == 0
        assert seat in game.waiting
        game.play(seat, game.legal(seat)[0])
        assert game.legal(seat, "keep") == []
    assert game.plain.round == 1
    assert game.waiting == (game.plain.builder,)


def test_without_monuments_nobody_has_one_to_build() -> None:
    game = dealt(3, monuments="no")
    assert game.plain.round == 1
    assert all(game.town(seat).monument == 0 for seat in range(3))


def test_the_first_master_builder_is_drawn_at_random() -> None:
    first = [dealt(5, seed).plain.builder for seed in range(100)]
    assert set(first) == {0, 1, 2, 3, 4}


# --- naming ---------------------------------------------------------------------------------------------------


def test_the_master_builder_names_one_of_the_five_resources() -> None:
    game = table(town("", task=state.NAME), town("", task=state.WAIT))
    assert game.waiting == (0,)
    assert game.legal(0) == NAMES


@pytest.mark.parametrize("resource", RESOURCES)
def test_everybody_places_what_was_named_the_master_builder_too(resource: str) -> None:
    game = table(town("", task=state.NAME), town("", task=state.WAIT), town("", task=state.WAIT))
    game.play(0, f"name {resource}")
    assert game.waiting == (0, 1, 2)
    for seat in range(3):
        game.play(seat, "place B1")
        assert game.picture(seat) == drawn(f". {LETTERS[RESOURCES.index(resource)]}")


def test_naming_counts_as_a_turn_as_master_builder() -> None:
    game = dealt(2, monuments="no")
    first = game.plain.builder
    for _ in range(5):
        game.whole_round()
    assert game.town(first).turns == 3
    assert game.town(1 - first).turns == 2


# --- placing --------------------------------------------------------------------------------------------------


def test_the_cube_has_to_be_placed_on_an_empty_square() -> None:
    game = table(town("W Cot . . / T Wel B G", hand="stone"), "", builder=1)
    free = ["C1", "D1", *(f"{column}{row}" for row in (3, 4) for column in "ABCD")]
    # there is nothing else to do with it
    assert game.legal(0) == [f"place {square}" for square in free]


def test_a_square_holds_one_thing() -> None:
    game = table(town("W W W W / W W W W / W W W W / Cot Cot Cot", hand="stone"), "")
    assert game.legal(0) == ["place D4"]


def test_nobody_builds_before_having_placed_the_cube() -> None:
    game = table(town("W S", hand="glass"), "")
    assert game.legal(0, "build") == []
    game.play(0, "place D4")
    assert game.legal(0, "build") == ["build well A1 from A1 B1", "build well B1 from A1 B1"]


def test_who_has_placed_may_build_while_others_still_place() -> None:
    game = table(town("W S", hand="glass"), town("", hand="glass"))
    game.play(0, "place D4", "build well A1 from A1 B1")
    assert game.waiting == (0, 1)


def test_nobody_builds_between_done_and_the_next_cube() -> None:
    game = table("W S", "")
    game.play(0, "done")
    assert game.legal(0) == []
    game.play(1, "done", "name wood")
    assert game.legal(0, "build") == []


# --- building -------------------------------------------------------------------------------------------------


def test_building_removes_the_cubes_and_puts_the_building_on_one_of_their_squares() -> None:
    game = table("W S T . / Cot T B")
    assert game.legal(0, "build") == ["build well A1 from A1 B1", "build well B1 from A1 B1"]
    game.play(0, "build well B1 from A1 B1")
    assert game.picture() == drawn(". Wel T . / Cot T B")


def test_several_buildings_may_be_built_in_one_round() -> None:
    game = table("W S . T / . . B G")
    game.play(0, "build well A1 from A1 B1", "build cottage D1 from D1 C2 D2", "done")
    assert game.picture() == drawn("Wel . . Cot")


def test_a_building_may_be_delayed_to_any_later_round() -> None:
    game = table("W S", "")
    for _ in range(3):
        game.done().play(game.plain.builder, "name glass").place_anywhere()
        assert "build well A1 from A1 B1" in game.legal(0)


def test_a_cube_serves_one_building_only() -> None:
    game = table("S W S")
    assert len(game.legal(0, "build")) == 4
    game.play(0, "build well A1 from A1 B1")
    assert game.picture() == drawn("Wel . S")
    assert game.legal(0) == ["done"]


def test_a_cube_that_was_left_may_serve_another_building() -> None:
    game = table("W S W / . . S")
    game.play(0, "build well A1 from A1 B1", "build well C1 from C1 C2")
    assert game.picture() == drawn("Wel . Wel")


def test_a_card_may_be_built_any_number_of_times_by_anyone() -> None:
    eight = "W S W S / W S W S / W S W S / W S W S"
    game = table(eight, eight)
    for seat in (0, 1):
        for row in "1234":
            game.play(seat, f"build well A{row} from A{row} B{row}", f"build well D{row} from C{row} D{row}")
        assert game.picture(seat) == drawn("Wel . . Wel / Wel . . Wel / Wel . . Wel / Wel . . Wel")


def test_a_pattern_is_not_found_round_the_edge() -> None:
    assert table(". . . W / S").legal(0) == ["done"]
    assert table("S / . / . / W").legal(0) == ["done"]
    assert table(". . . T / . . . . / G . . B").legal(0) == ["done"]


def test_a_monument_is_built_like_any_building() -> None:
    game = table(town(". T / S G", monument="cathedral_of_caterina"))
    game.play(0, "build cathedral_of_caterina B2 from B1 A2 B2")
    assert game.picture() == drawn(". . / . Mon")


def test_a_monument_is_built_once() -> None:
    twice = ". T . T / S G S G"
    game = table(town(twice, monument="cathedral_of_caterina"))
    game.play(0, "build cathedral_of_caterina B2 from B1 A2 B2")
    assert game.legal(0) == ["done"]


def test_a_monument_is_built_by_its_owner_only() -> None:
    own = town(". T / S G", monument="cathedral_of_caterina")
    game = table(own, town(". T / S G", monument="silva_forum"), town(". T / S G"))
    assert len(game.legal(0, "build")) == 3
    assert game.legal(1, "build") == []
    assert game.legal(2, "build") == []


def test_at_most_15_squares_get_a_building() -> None:
    # each takes two cubes at least, and so leaves a square that a cube must fill
    game = table(town("Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot W .", hand="stone"))
    game.play(0, "place D4", "build well C4 from C4 D4")
    assert game.picture() == drawn("Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Wel .")
    game.play(0, "done", "name wheat", "place D4", "done")
    assert game.over
    assert game.points("squares") == -1


# --- the hammer -----------------------------------------------------------------------------------------------


def test_the_hammer_goes_left_when_all_have_said_done() -> None:
    game = table("", "", "", builder=1)
    game.play(2, "done").play(0, "done")
    assert game.plain.builder == 1
    game.play(1, "done")
    assert game.plain.builder == 2
    assert game.waiting == (2,)
    game.play(2, "name wood").place_anywhere().done()
    assert game.plain.builder == 0


def test_the_hammer_passes_over_completed_towns() -> None:
    game = table("", town(FULL + " W", completed=8), town(FULL + " W", completed=8), "", builder=0)
    game.done()
    assert game.plain.builder == 3
    game.whole_round()
    assert game.plain.builder == 0


# --- completing a town, and the end -----------------------------------------------------------------------------


def test_a_town_with_no_empty_square_after_building_is_completed() -> None:
    game = table(FULL + " W", "")
    game.done()
    assert game.town(0).completed == 9
    assert game.town(1).completed == 0


def test_a_town_that_was_full_before_building_goes_on() -> None:
    game = table("W S Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot", "")
    game.play(0, "build well A1 from A1 B1").done()
    assert game.town(0).completed == 0


def test_who_may_build_in_a_full_town_may_leave_it_and_be_completed() -> None:
    game = table("W S Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot", "")
    game.done()
    assert game.town(0).completed == 9


def test_a_completed_town_takes_no_more_cubes() -> None:
    game = table(town(FULL + " W", completed=8), "", "", builder=2)
    game.done().play(1, "name wood")
    assert game.waiting == (1, 2)
    assert game.town(0).hand == 0


def test_with_an_empty_square_one_goes_on_even_with_nothing_to_build() -> None:
    hopeless = "W W W W / W W W W / W W W W / W W W ."
    game = table(hopeless, "", builder=1)
    game.done()
    # names, places and says done, as always: there is no way to stop
    assert game.legal(0) == NAMES
    game.play(0, "name wood")
    assert game.legal(0) == ["place D4"]
    game.play(0, "place D4")
    assert game.legal(0) == ["done"]


def test_the_last_player_goes_on_alone_as_the_only_master_builder() -> None:
    game = table(town(FULL + " W", completed=8), "", town(FULL + " W", completed=8), builder=0)
    game.done()
    for round in range(1, 17):
        assert game.waiting == (1,)
        assert game.legal(1) == NAMES
        game.whole_round()
        assert game.town(1).turns == round
    assert game.over


def test_the_game_ends_at_once_when_all_towns_are_completed() -> None:
    game = table(FULL + " W", FULL + " T", town(FULL + " W", completed=8))
    game.play(0, "done")
    assert not game.over
    game.play(1, "done")
    assert game.over
    assert game.waiting == ()
    assert all(game.legal(seat) == [] for seat in range(3))
    assert [game.town(seat).completed for seat in range(3)] == [9, 9, 8]


def test_at_the_end_cubes_are_removed_except_those_on_warehouses() -> None:
    game = table("Cot W T B / G S W T / B G S W / T B G War:WT", town(FULL + " W", completed=8))
    game.done()
    assert game.over
    assert game.scores()[0] == -14 - 2


def test_points_before_the_end_are_as_if_it_ended_now() -> None:
    game = dealt(2, monuments="no")
    assert game.scores() == (-16, -16)


# --- two players ------------------------------------------------------------------------------------------------


def test_two_players_pass_the_hammer_to_and_fro() -> None:
    game = dealt(2, monuments="no")
    builders = []
    for _ in range(6):
        builders.append(game.plain.builder)
        game.whole_round()
    assert builders in ([0, 1] * 3, [1, 0] * 3)


# --- the Cavern rule --------------------------------------------------------------------------------------------


def test_without_the_cavern_rule_nothing_is_set_aside() -> None:
    assert table(town("", hand="wood"), "", builder=1).legal(0, "set_aside") == []


def test_the_cavern_rule_lets_a_cube_that_another_named_be_set_aside() -> None:
    game = table(town("W S", hand="wood"), "", builder=1, cavern=True)
    game.play(0, "set_aside")
    assert game.picture() == drawn("W S")
    assert game.town().aside == 1
    # and one may build in that round
    assert len(game.legal(0, "build")) == 2


def test_the_cavern_rule_is_not_for_what_one_named_oneself() -> None:
    game = table(town("", hand="wood"), "", builder=0, cavern=True)
    assert game.legal(0, "set_aside") == []


def test_the_cavern_rule_holds_2_cubes_in_the_whole_game() -> None:
    game = table("", "", builder=0, cavern=True)
    aside = []
    for _ in range(8):
        game.done().play(game.plain.builder, "name wood").place_anywhere(game.plain.builder)
        other = 1 - game.plain.builder
        if game.legal(other, "set_aside"):
            game.play(other, "set_aside")
            aside.append(other)
        game.place_anywhere()
    assert sorted(aside) == [0, 0, 1, 1]
    assert [game.town(seat).aside for seat in (0, 1)] == [2, 2]


def test_the_cavern_rule_scores_nothing_for_cubes_set_aside() -> None:
    assert table(town("Cot", aside=2), cavern=True).scores() == table("Cot").scores()


@pytest.mark.parametrize(
    ("picture", "families"),
    [
        ("Fac:W", {"place", "substitute", "set_aside"}),
        ("Fac:T", {"place", "set_aside"}),
        ("War", {"place", "store", "set_aside"}),
        ("War:WTB", {"place", "swap", "set_aside"}),
        ("Ban:W", {"place", "set_aside"}),
        ("Tra", {"place", "set_aside"}),
    ],
)
def test_the_cavern_rule_stands_beside_what_black_buildings_let_one_do(picture: str, families: set[str]) -> None:
    game = table(town(picture, hand="wood"), "", builder=1, cavern=True)
    assert {move.split()[0] for move in game.legal()} == families
    before = game.picture()
    game.play(0, "set_aside")
    # the cube lies neither in the town nor on a building, and a Factory's resource is not what was set aside
    assert game.picture() == before
    assert (game.town().aside, game.town().hand) == (1, 0)


@pytest.mark.parametrize("picture", ["Fac:W", "War:T"])
def test_with_the_cavern_full_black_buildings_still_take_the_cube(picture: str) -> None:
    game = table(town(picture, hand="wood", aside=2), "", builder=1, cavern=True)
    families = {move.split()[0] for move in game.legal()}
    assert "set_aside" not in families
    assert families & {"substitute", "swap"}


def test_what_a_factory_or_a_warehouse_takes_does_not_count_as_set_aside() -> None:
    game = table(town("War", hand="wood"), "", builder=1, cavern=True)
    game.play(0, "store A1")
    assert game.town().aside == 0
    game = table(town("Fac:W", hand="wood"), "", builder=1, cavern=True)
    game.play(0, "substitute glass B1")
    assert game.town().aside == 0
