"""What cards do besides scoring: when they are built, when a cube is placed, and for later building."""

import pytest

from games.tiny_towns.town import FIRST_GAME, Table, drawn, table, town
from thorp.games.tiny_towns.rules import state
from thorp.games.tiny_towns.rules.cards import RESOURCES

NAMES = [f"name {resource}" for resource in RESOURCES]
MARKS = [f"mark {resource}" for resource in RESOURCES]
#: Cubes in the shape of five cards.
FACTORY = "W . . . / B S S B"
BANK = "T T . . / W G B"
OBELISK = "T . . . / B G B"
GUILD = ". . G . / . T S . / W B . ."
UNIVERSITY = ". B . . / S G S"
WATCH = "W . . . / B G T T / S"
SHRINE = "B T S . / W G W"


def named(picture: str, resource: str, monument: str = "", cards: str = "") -> Table:
    """Seat 0 has to place a cube that seat 1, the Master Builder, named."""
    return table(town(picture, monument=monument, hand=resource), town("", hand=resource), cards=cards, builder=1)


def families(game: Table, seat: int = 0) -> set[str]:
    """What a seat may do, without where and with what."""
    return {move.split()[0] for move in game.legal(seat)}


# --- Factory --------------------------------------------------------------------------------------------------


def test_factory_gets_a_cube_of_any_resource_when_it_is_built() -> None:
    game = table(FACTORY).play(0, "build factory A1 from A1 A2 B2 C2 D2")
    assert game.legal() == MARKS
    game.play(0, "mark glass")
    assert game.picture() == drawn("Fac:G")
    assert game.legal() == ["done"]


def test_factory_lets_another_resource_be_placed_for_the_one_on_it() -> None:
    game = named("Fac:W", "wood")
    assert len(game.legal(0, "substitute")) == 4 * 15
    game.play(0, "substitute stone B1")
    assert game.picture() == drawn("Fac:W S")
    assert game.town().hand == 0
    assert game.legal() == ["done"]


def test_factory_is_optional_each_time() -> None:
    game = named("Fac:W", "wood")
    assert len(game.legal(0, "place")) == 15
    game.play(0, "place B1")
    assert game.picture() == drawn("Fac:W W")


def test_factory_gives_a_different_resource() -> None:
    assert [move for move in named("Fac:W", "wood").legal() if "substitute wood" in move] == []


def test_factory_works_for_the_resource_on_it_only() -> None:
    assert families(named("Fac:W", "glass")) == {"place"}


def test_factory_does_not_work_for_what_its_owner_named() -> None:
    game = table(town("Fac:W", hand="wood"), town("", hand="wood"), builder=0)
    assert families(game) == {"place"}


def test_factory_and_another_with_the_same_resource_do_no_more_than_one() -> None:
    assert len(named("Fac:W Fac:W", "wood").legal(0, "substitute")) == 4 * 14


def test_factory_and_another_with_another_resource_work_for_both() -> None:
    assert named("Fac:W Fac:G", "wood").legal(0, "substitute")
    assert named("Fac:W Fac:G", "glass").legal(0, "substitute")
    assert not named("Fac:W Fac:G", "brick").legal(0, "substitute")


def test_factory_works_for_its_owner_only() -> None:
    game = table(town("Fac:W", hand="wood"), town("", hand="wood"), town("", hand="wood"), builder=2)
    assert families(game, 0) == {"place", "substitute"}
    assert families(game, 1) == {"place"}


# --- Bank -----------------------------------------------------------------------------------------------------


def test_bank_gets_a_cube_of_any_resource_when_it_is_built() -> None:
    game = table(BANK, "", cards="bank").play(0, "build bank A1 from A1 B1 A2 B2 C2")
    assert game.legal() == MARKS
    game.play(0, "mark wood")
    assert game.picture() == drawn("Ban:W")


def test_bank_gets_no_resource_that_is_on_another_bank_of_its_owner() -> None:
    game = table(BANK + " / Ban:W Ban:G", "Ban:S").play(0, "build bank A1 from A1 B1 A2 B2 C2")
    assert game.legal() == ["mark wheat", "mark brick", "mark stone"]


def test_bank_keeps_its_owner_from_naming_its_resource() -> None:
    game = table(town("Ban:W Ban:G", task=state.NAME), town("", task=state.WAIT))
    assert game.legal(0) == ["name wheat", "name brick", "name stone"]


def test_bank_does_not_keep_others_from_naming_it_and_its_owner_takes_it_as_usual() -> None:
    game = table("Ban:W", "").done()
    assert game.legal(1) == NAMES
    game.play(1, "name wood").play(0, "place B1")
    assert game.picture() == drawn("Ban:W W")


# --- Trading Post ---------------------------------------------------------------------------------------------


def test_trading_post_stands_in_for_any_resource_and_stays() -> None:
    for cube in "WS":
        game = table(f"{cube} Tra")
        assert game.legal(0) == ["build well A1 from A1 B1", "done"]
        game.play(0, "build well A1 from A1 B1")
        assert game.picture() == drawn("Wel Tra")


def test_trading_post_gets_no_new_building_on_its_square() -> None:
    assert all(move.split()[2] != "B1" for move in table("W Tra S").legal(0, "build"))


def test_trading_post_may_be_used_again_and_again() -> None:
    game = table("W Tra S")
    game.play(0, "build well A1 from A1 B1", "build well C1 from B1 C1")
    assert game.picture() == drawn("Wel Tra Wel")


def test_trading_post_and_others_may_stand_in_for_several_cubes_of_one_pattern() -> None:
    game = table(". T / Tra Tra")
    game.play(0, "build cottage B1 from B1 A2 B2")
    assert game.picture() == drawn(". Cot / Tra Tra")


def test_trading_post_needs_at_least_one_real_cube_beside_it() -> None:
    assert table("Tra Tra . / Tra Tra").legal(0) == ["done"]
    # and a far cube is of no use
    assert table("Tra Tra . / Tra Tra . . / . . . . / . . . W").legal(0) == ["done"]


def test_trading_post_stands_in_for_one_cube_of_a_pattern_only() -> None:
    # a Tavern wants two bricks and a glass
    assert [move for move in table("B Tra").legal(0) if "tavern" in move] == []
    assert [move for move in table("B Tra G").legal(0) if "tavern" in move] == [
        "build tavern A1 from A1 B1 C1",
        "build tavern C1 from A1 B1 C1",
    ]


def test_trading_post_helps_to_build_a_monument() -> None:
    game = table(town(". Tra / S G", monument="cathedral_of_caterina"))
    game.play(0, "build cathedral_of_caterina A2 from B1 A2 B2")
    assert game.picture() == drawn(". Tra / Mon .")


def test_trading_post_helps_to_build_another_trading_post() -> None:
    game = table("S Tra . / S W B")
    game.play(0, "build trading_post A1 from A1 B1 A2 B2 C2")
    assert game.picture() == drawn("Tra Tra")


def test_trading_post_of_another_player_is_of_no_use() -> None:
    assert table("W", "Tra").legal(0) == ["done"]


# --- Warehouse ------------------------------------------------------------------------------------------------


def test_warehouse_stores_a_cube_that_another_named() -> None:
    game = named("War", "wood")
    assert game.legal(0, "store") == ["store A1"]
    game.play(0, "store A1")
    assert game.picture() == drawn("War:W")
    # and its owner may build in that round
    assert game.legal() == ["done"]


def test_warehouse_holds_up_to_3_cubes() -> None:
    assert named("War:WT", "wood").legal(0, "store") == ["store A1"]
    assert named("War:WTB", "wood").legal(0, "store") == []
    assert named("War:WWW War:W", "wood").legal(0, "store") == ["store B1"]
    assert named("War:WW", "wood").play(0, "store A1").picture() == drawn("War:WWW")


def test_warehouse_swaps_the_named_cube_for_one_that_goes_on_an_empty_square() -> None:
    game = named("War:TG W", "wood")
    assert len(game.legal(0, "swap")) == 2 * 14
    game.play(0, "swap A1 glass D4")
    assert game.picture() == drawn("War:WT W / . / . / . . . G")


def test_warehouse_swaps_even_when_it_is_full() -> None:
    game = named("War:TTB", "wood").play(0, "swap A1 wheat B1")
    assert game.picture() == drawn("War:WTB T")


def test_warehouse_loses_cubes_by_a_swap_only_so_that_their_number_never_falls() -> None:
    # a cube on it can never be placed but for the named one
    game = table("War:TTT", "")
    for _ in range(6):
        game.done().play(game.plain.builder, "name wood")
        for move in game.legal(0, "swap")[:1]:
            game.play(0, move)
        game.place_anywhere()
        assert len(game.picture().split()[0]) == len("War:TTT")


def test_warehouse_is_optional_each_time() -> None:
    assert len(named("War:TG", "wood").legal(0, "place")) == 15


def test_warehouse_does_not_work_for_what_its_owner_named() -> None:
    game = table(town("War:T", hand="wood"), town("", hand="wood"), builder=0)
    assert families(game) == {"place"}


def test_warehouse_and_another_hold_3_cubes_each() -> None:
    game = named("War:TTT War:GG", "wood")
    assert game.legal(0, "store") == ["store B1"]
    assert {move.rpartition(" ")[0] for move in game.legal(0, "swap")} == {"swap A1 wheat", "swap B1 glass"}


def test_warehouse_cubes_do_not_help_to_build() -> None:
    assert table("War:W S").legal(0) == ["done"]


# --- Shed -----------------------------------------------------------------------------------------------------


def test_shed_may_go_on_any_empty_square() -> None:
    game = table("W S Cot T", cards="shed")
    free = ["A1", "B1", *(f"{column}{row}" for row in (2, 3, 4) for column in "ABCD")]
    assert game.legal(0, "build") == [f"build shed {square} from A1 B1" for square in free]
    game.play(0, "build shed D4 from A1 B1")
    assert game.picture() == drawn(". . Cot T / . / . / . . . She")


def test_shed_may_go_on_the_squares_that_its_cubes_have_left() -> None:
    game = table("W S", cards="shed").play(0, "build shed B1 from A1 B1")
    assert game.picture() == drawn(". She")


def test_shed_costs_its_cubes_like_any_building() -> None:
    assert table("W", cards="shed").legal(0) == ["done"]


def test_shed_alone_goes_anywhere_and_a_well_does_not() -> None:
    assert len(table("W S").legal(0, "build")) == 2


# --- Obelisk of the Crescent ----------------------------------------------------------------------------------


def test_obelisk_of_the_crescent_lets_every_later_building_go_on_any_empty_square() -> None:
    game = table(town("Mon W S T / Cot", monument="obelisk_of_the_crescent"))
    free = ["B1", "C1", "B2", "C2", "D2", *(f"{column}{row}" for row in (3, 4) for column in "ABCD")]
    assert game.legal(0, "build") == [f"build well {square} from B1 C1" for square in free]
    game.play(0, "build well D4 from B1 C1")
    assert game.picture() == drawn("Mon . . T / Cot / . / . . . Wel")


def test_obelisk_of_the_crescent_itself_goes_on_a_square_of_its_cubes() -> None:
    game = table(town(OBELISK, monument="obelisk_of_the_crescent"))
    assert [move.split()[2] for move in game.legal(0, "build")] == ["A1", "A2", "B2", "C2"]


def test_obelisk_of_the_crescent_is_for_its_owner_only() -> None:
    game = table(town("Mon", monument="obelisk_of_the_crescent"), town("W S", monument="obelisk_of_the_crescent"))
    assert len(game.legal(1, "build")) == 2


def test_obelisk_of_the_crescent_does_not_put_a_building_on_a_trading_post() -> None:
    game = table(town("Mon Tra W", monument="obelisk_of_the_crescent"))
    wells = [move.split()[2] for move in game.legal(0) if "well" in move]
    assert len(wells) == 14
    assert "B1" not in wells


# --- Grove University -----------------------------------------------------------------------------------------


def test_grove_university_puts_any_building_on_an_empty_square_for_free() -> None:
    game = table(town(UNIVERSITY + " . / W", monument="grove_university"))
    game.play(0, "build grove_university B1 from B1 A2 B2 C2")
    # every card in play, on every square but those of the University and of the cube; no monument
    assert len(game.legal()) == 7 * 14
    assert {move.split()[1] for move in game.legal()} == set(FIRST_GAME)
    game.play(0, "put tavern D4")
    assert game.picture() == drawn(". Mon / . / W / . . . Tav")
    assert game.legal() == ["done"]


def test_grove_university_puts_it_down_at_once_and_once() -> None:
    game = table(town(UNIVERSITY, monument="grove_university"))
    game.play(0, "build grove_university B1 from B1 A2 B2 C2")
    assert families(game) == {"put"}
    game.play(0, "put well A1", "done")
    for _ in range(3):
        game.whole_round()
    assert game.picture().count("Wel") == 1


# --- Architect's Guild ----------------------------------------------------------------------------------------


def guild(others: str, cards: str = "") -> Table:
    """The Guild was just built, beside other buildings in the last row."""
    game = table(town(f"{GUILD} / {others}", monument="architects_guild"), cards=cards)
    return game.play(0, "build architects_guild C1 from C1 B2 C2 A3 B3")


def test_architects_guild_replaces_up_to_2_buildings_by_other_types() -> None:
    game = guild("Cot Cot Far")
    game.play(0, "replace A4 by tavern", "replace C4 by theater")
    assert game.picture() == drawn(". . Mon / . / . / Tav Cot The")
    assert game.legal() == ["done"]


def test_architects_guild_may_put_down_two_of_the_same_type() -> None:
    game = guild("Cot Cot").play(0, "replace A4 by tavern", "replace B4 by tavern")
    assert game.picture() == drawn(". . Mon / . / . / Tav Tav")


def test_architects_guild_may_replace_one_or_none() -> None:
    game = guild("Cot Cot").play(0, "done")
    assert game.picture() == drawn(". . Mon / . / . / Cot Cot")
    assert game.legal() == ["done"]
    game = guild("Cot Cot").play(0, "replace A4 by tavern", "done")
    assert game.picture() == drawn(". . Mon / . / . / Tav Cot")


def test_architects_guild_is_used_now_or_never() -> None:
    game = guild("Cot Cot").play(0, "done", "done")
    for _ in range(3):
        assert not game.legal(0, "replace")
        game.whole_round()
        assert not game.legal(0, "replace")


def test_architects_guild_goes_on_with_building_in_the_same_round() -> None:
    game = table(town(f"{GUILD} / W S Cot", monument="architects_guild"))
    game.play(0, "build architects_guild C1 from C1 B2 C2 A3 B3", "done", "build well A4 from A4 B4", "done")
    assert game.plain.round == 10


# --- Opaleye's Watch ------------------------------------------------------------------------------------------


def watch(neighbour: str, *, own: str = "Mon", on: str = "well tavern cottage", since: int = 3) -> Table:
    """Seat 0 has the Watch, with three types on it; seats 1, 2 and 3 follow."""
    owner = town(own, monument="opaleyes_watch", watch=on, watch_since=since)
    return table(owner, neighbour, neighbour, neighbour)


def test_opaleyes_watch_gets_3_different_types_of_the_supply_when_it_is_built() -> None:
    game = table(town(WATCH, monument="opaleyes_watch"), "")
    game.play(0, "build opaleyes_watch A1 from A1 A2 B2 C2 D2 A3")
    assert game.legal() == [f"stock {card}" for card in FIRST_GAME]
    game.play(0, "stock farm")
    assert "stock farm" not in game.legal()
    game.play(0, "stock tavern", "stock well")
    assert game.legal() == ["done"]
    assert game.town().watch.bit_count() == 3


def test_opaleyes_watch_brings_what_a_neighbour_built() -> None:
    game = watch("W S").play(1, "build well A1 from A1 B1").done()
    assert game.waiting == (0,)
    # on any empty square
    assert len(game.legal()) == 15
    assert {move.split()[1] for move in game.legal()} == {"well"}
    game.play(0, "put well C3")
    assert game.picture() == drawn("Mon / . / . . Wel")
    # and the next round begins
    assert game.plain.round == 10


def test_opaleyes_watch_looks_at_the_neighbours_on_both_sides_and_no_others() -> None:
    for neighbour, brings in ((1, True), (2, False), (3, True)):
        game = watch("W S").play(neighbour, "build well A1 from A1 B1").done()
        assert bool(game.legal(0, "put")) == brings


def test_opaleyes_watch_does_not_look_at_what_its_owner_builds() -> None:
    game = watch("", own="Mon W S").play(0, "build well B1 from B1 C1").done()
    assert game.legal(0, "put") == []


def test_opaleyes_watch_brings_only_types_that_lie_on_it() -> None:
    game = watch("T T . . / W W").play(1, "build farm A1 from A1 B1 A2 B2").done()
    assert game.legal(0, "put") == []


def test_opaleyes_watch_moves_a_building_from_the_card_so_that_each_comes_once() -> None:
    game = watch("W S W S").play(1, "build well A1 from A1 B1").done().play(0, "put well D4")
    assert game.town().watch.bit_count() == 2
    game.play(1, "name wood").place_anywhere().play(1, "build well C1 from C1 D1").done()
    assert game.legal(0, "put") == []


def test_opaleyes_watch_brings_several_types_in_one_round_one_of_each() -> None:
    game = watch("W S W S / B B G")
    game.play(1, "build well A1 from A1 B1", "build well C1 from C1 D1").play(3, "build tavern A2 from A2 B2 C2")
    game.play(3, "build well A1 from A1 B1").done()
    assert {move.split()[1] for move in game.legal(0)} == {"well", "tavern"}
    game.play(0, "put tavern B1")
    assert {move.split()[1] for move in game.legal(0)} == {"well"}
    game.play(0, "put well C1")
    assert game.picture() == drawn("Mon Tav Wel")
    assert game.plain.round == 10


def test_opaleyes_watch_has_two_players_be_neighbours_on_both_sides() -> None:
    owner = town("Mon", monument="opaleyes_watch", watch="well tavern farm", watch_since=3)
    game = table(owner, "W S").play(1, "build well A1 from A1 B1").done()
    game.play(0, "put well B1")
    assert game.picture() == drawn("Mon Wel")
    assert game.plain.round == 10


def test_opaleyes_watch_looks_at_one_round_only() -> None:
    # built too early, the well is never made up for
    game = watch("W S W S", since=9).play(1, "build well A1 from A1 B1").done()
    assert game.plain.round == 10
    game.whole_round()
    assert game.plain.round == 11
    assert game.picture().split()[1:] == drawn("Mon W").split()[1:]


def test_opaleyes_watch_from_its_building_to_its_last_type() -> None:
    neighbour = "W S . B / W S . B / . . . G / S W ."
    game = table(town(WATCH, monument="opaleyes_watch"), neighbour, builder=1)
    game.play(0, "build opaleyes_watch A1 from A1 A2 B2 C2 D2 A3", "stock well", "stock tavern", "stock factory")
    game.done().play(0, "name glass", "place D4").play(1, "place C3", "build well A1 from A1 B1").done()
    game.play(0, "put well B1")
    assert game.picture() == drawn("Mon Wel / . / . / . . . G")
    game.play(1, "name brick", "place C1", "build tavern D1 from D1 D2 D3").play(0, "place C4").done()
    game.play(0, "put tavern C1")
    assert game.picture() == drawn("Mon Wel Tav / . / . / . . B G")
    assert game.town().watch.bit_count() == 1


def test_opaleyes_watch_may_complete_a_town() -> None:
    game = watch("W S", own="Mon Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot W W .")
    game.play(1, "build well A1 from A1 B1").done()
    assert game.legal(0) == ["put well D4"]
    game.play(0, "put well D4")
    assert game.town(0).completed == 9


# --- Statue of the Bondmaker ----------------------------------------------------------------------------------


def statue(picture: str, resource: str = "wood") -> Table:
    return named(picture, resource, "statue_of_the_bondmaker")


def test_statue_of_the_bondmaker_lets_a_cube_go_on_a_cottage() -> None:
    game = statue("Mon Cot Wel Cot")
    assert game.legal(0, "shelter") == ["shelter B1", "shelter D1"]
    game.play(0, "shelter B1")
    assert game.picture() == drawn("Mon Cot:W Wel Cot")
    assert game.legal() == ["done"]


def test_statue_of_the_bondmaker_holds_1_cube_on_each_cottage() -> None:
    assert statue("Mon Cot:G Cot", "wood").legal(0, "shelter") == ["shelter C1"]
    assert statue("Mon Cot:G", "wood").legal(0, "shelter") == []


def test_statue_of_the_bondmaker_is_optional_each_time() -> None:
    assert len(statue("Mon Cot").legal(0, "place")) == 14


def test_statue_of_the_bondmaker_does_not_work_for_what_its_owner_named() -> None:
    owner = town("Mon Cot", monument="statue_of_the_bondmaker", hand="wood")
    assert families(table(owner, town("", hand="wood"), builder=0)) == {"place"}


def test_statue_of_the_bondmaker_does_nothing_before_it_is_built_nor_for_others() -> None:
    assert families(named("Cot", "wood", "statue_of_the_bondmaker")) == {"place"}
    assert families(named("Mon Cot", "wood", "silva_forum")) == {"place"}


def test_statue_of_the_bondmaker_cubes_are_never_used_to_build() -> None:
    assert table(town("Mon Cot:W S", monument="statue_of_the_bondmaker")).legal(0) == ["done"]


def test_statue_of_the_bondmaker_cottages_with_cubes_are_cottages_still() -> None:
    assert table(town("Mon Cot:W Wel Far", monument="statue_of_the_bondmaker")).points("well") == 1
    assert table(town("Mon Cot:W Wel Far", monument="statue_of_the_bondmaker")).points("cottage") == 3


# --- Fort Ironweed --------------------------------------------------------------------------------------------


def test_fort_ironweed_has_the_hammer_pass_its_owner_by_to_the_left() -> None:
    game = table("", town("Mon", monument="fort_ironweed"), "", builder=0)
    for builder in (2, 0, 2, 0):
        game.whole_round()
        assert game.plain.builder == builder
    assert game.town(1).turns == 0


def test_fort_ironweed_owner_still_takes_cubes() -> None:
    game = table("", town("Mon", monument="fort_ironweed"), builder=1).done().play(0, "name wood")
    assert game.waiting == (0, 1)


def test_fort_ironweed_owner_names_as_the_last_player_in_the_game() -> None:
    full = town("Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot W", completed=7)
    game = table(full, town("Mon", monument="fort_ironweed"), builder=0).done()
    assert game.legal(1) == NAMES
    game.play(1, "name wood")
    assert game.town(1).turns == 1


def test_fort_ironweed_owner_is_master_builder_as_usual_before_it_is_built() -> None:
    game = table("", town("", monument="fort_ironweed"), builder=0).done()
    assert game.legal(1) == NAMES


# --- Shrine of the Elder Tree ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "worth"),
    [
        ("", 1),
        ("Cot", 2),
        ("Cot Cot", 3),
        ("Cot Cot Wel", 4),
        ("Cot Cot Wel Wel", 5),
        ("Cot Cot Wel Wel / Far", 8),
        ("Cot Cot Wel Wel / Far Far", 8),
    ],
)
def test_shrine_of_the_elder_tree_counts_the_buildings_when_it_is_built_itself_too(others: str, worth: int) -> None:
    game = table(town(f"{SHRINE} / {others}", monument="shrine_of_the_elder_tree"))
    game.play(0, "build shrine_of_the_elder_tree A1 from A1 B1 C1 A2 B2 C2")
    assert game.points("monument") == worth


def test_shrine_of_the_elder_tree_does_not_count_what_is_built_later() -> None:
    game = table(town(f"{SHRINE} / W S", monument="shrine_of_the_elder_tree"))
    game.play(0, "build shrine_of_the_elder_tree A1 from A1 B1 C1 A2 B2 C2", "build well A3 from A3 B3")
    assert game.points("monument") == 1


# --- The Starloom ---------------------------------------------------------------------------------------------


def test_the_starloom_scores_for_the_round_in_which_its_town_was_completed() -> None:
    full = "Mon Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot W"
    almost = full.replace("W", ".")
    game = table(town(full, monument="the_starloom"), full.replace("Mon", "Cot"), almost.replace("Mon", "Cot"))
    game.done()
    assert game.points("monument", 0) == 6
    game = table(town(almost, monument="the_starloom"), full.replace("Mon", "Cot"), full.replace("Mon", "Cot"))
    game.done().whole_round()
    assert game.over
    assert game.points("monument", 0) == 2


def test_the_starloom_before_its_town_is_completed_counts_as_the_next_place() -> None:
    own = town("Mon", monument="the_starloom")
    done = town("Cot", completed=4)
    assert [table(own, *[done] * n, *[""] * (3 - n)).points("monument") for n in range(4)] == [6, 3, 2, 0]
    # whoever is completed in the same round takes no place away: that is seen at its end
    assert table(own, town("Cot", completed=8), town("Cot", completed=8), round=9).points("monument") == 2
    # unbuilt, it gives nothing
    assert table(town("", monument="the_starloom"), done).points("monument") == 0


def test_the_starloom_in_solo_play_is_always_first() -> None:
    assert table(town("Mon", monument="the_starloom")).points("monument") == 6
    assert table(town("Mon", monument="the_starloom", completed=20)).points("monument") == 6
