"""The rulings of docs/tiny-towns.md: what Thorp does where the printed rules leave a doubt."""

import re
from itertools import permutations
from pathlib import Path

import pytest

from games.tiny_towns.printed import CARDS
from games.tiny_towns.town import FIRST_GAME, Drawing, Table, dealt, drawn, points, table, town
from thorp.core.errors import OptionError
from thorp.core.words import say
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.face.view import view
from thorp.games.tiny_towns.rules import state
from thorp.games.tiny_towns.rules.cards import RESOURCES

RULES = Path(__file__).parents[3] / "docs" / "tiny-towns.md"

BARRETT = "barrett_castle"
FORT = "fort_ironweed"
FIVE_BANKS = "Ban:W Ban:T Ban:B Ban:G / Ban:S"
#: 15 Cottages and a cube: a full town.
FULL = "Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot W"
FACTORY = "W . . . / B S S B"
UNIVERSITY = ". B . . / S G S"
GUILD = ". . G . / . T S . / W B . ."


def university(others: str, cards: str = "", neighbour: Drawing | str = "") -> Table:
    """Grove University was just built, beside other buildings in the rows below."""
    game = table(town(f"{UNIVERSITY} / {others}", monument="grove_university"), neighbour, cards=cards)
    return game.play(0, "build grove_university B1 from B1 A2 B2 C2")


def guild(others: str, cards: str = "", neighbour: Drawing | str = "") -> Table:
    """Architect's Guild was just built on C1, beside other buildings in the last row."""
    game = table(town(f"{GUILD} / {others}", monument="architects_guild"), neighbour, cards=cards)
    return game.play(0, "build architects_guild C1 from C1 B2 C2 A3 B3")


def test_every_ruling_has_a_test_named_after_it() -> None:
    section = RULES.read_text(encoding="utf-8").split("## Rulings")[1].split("\n## ")[0]
    rulings = [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]
    named = [int(name.split("_")[2]) for name in globals() if name.startswith("test_ruling_")]
    assert rulings == sorted(set(named)) == list(range(1, 31))


# --- 1: solo play -----------------------------------------------------------------------------------------------


def test_ruling_01_solo_play_leaves_out_inn_bank_fort_ironweed_and_opaleyes_watch() -> None:
    for seed in range(200):
        game = dealt(1, seed)
        assert not {"inn", "bank"} & set(game.cards)
        assert not {FORT, "opaleyes_watch"} & {CARDS[card].id for card in game.town().dealt}


def test_ruling_01_a_feast_hall_is_compared_with_0_in_solo_play() -> None:
    assert points("Fea", "feast_hall") == 3
    assert points("Fea Fea Fea", "feast_hall") == 9


# --- 2: feeding, and Barrett Castle -----------------------------------------------------------------------------


def test_ruling_02_feeding_is_arranged_for_the_highest_total() -> None:
    # four Cottages are 12 points, three with a Temple beside two of them 13
    assert table("Cot Cot . Gre / Cot Tem . . / . . . . / Cot Cot Cot Cot").fed() == "A1 B1 A2"
    assert table("Cot Cot . Gre / Cot . . . / . . . . / Cot Cot Cot Cot").fed() == "A4 B4 C4 D4"
    # four of five Cottages, those beside the Temple among them
    assert points("Cot Cot Cot Far / . . . . / . Cot Tem Cot", "temple") == 4


def test_ruling_02_barrett_castle_takes_one_place_when_feeding() -> None:
    game = table(town("Far Mon Cot Cot / Cot Cot", monument=BARRETT))
    assert len(game.fed().split()) == 4
    assert (game.points("monument"), game.points("cottage")) == (5, 9)


def test_ruling_02_barrett_castle_counts_as_two_cottages_wherever_cottages_are_counted() -> None:
    assert points("Wel Mon", "well", BARRETT) == 2
    assert points("Cha Mon Far", "chapel", BARRETT) == 2
    assert points("Tem Mon Far", "temple", BARRETT) == 4


def test_ruling_02_barrett_castle_counts_as_fed_cottages_only_when_it_is_fed() -> None:
    assert points("Cha Mon", "chapel", BARRETT) == 0
    assert points("Tem Mon", "temple", BARRETT) == 0


def test_ruling_02_barrett_castle_counts_as_two_cottages_in_the_tie_break() -> None:
    game = table(town("Mon", monument=BARRETT), "Cot", town("Mon", monument="obelisk_of_the_crescent"))
    assert game.scores() == (-15, -15, -15)
    assert game.standings() == (1, 2, 3)


def test_ruling_02_barrett_castle_is_of_the_cottage_type_for_a_theater() -> None:
    assert points("The Mon", "theater", BARRETT) == 1
    assert points("The Mon Cot", "theater", BARRETT) == 1


# --- 3: The Starloom --------------------------------------------------------------------------------------------


def test_ruling_03_two_who_are_first_in_the_same_round_are_1st_and_the_next_is_3rd() -> None:
    first = town("Mon", monument="the_starloom", completed=8)
    assert table(first, town(completed=8), town(completed=9)).points("monument") == 6
    third = town("Mon", monument="the_starloom", completed=9)
    assert table(third, town(completed=8), town(completed=8)).points("monument") == 2


# --- 4: buildings that an effect puts down ----------------------------------------------------------------------


@pytest.mark.parametrize("card", ["factory", "bank"])
def test_ruling_04_a_factory_or_bank_that_an_effect_puts_down_gets_its_cube(card: str) -> None:
    for game, put in ((university("", card), f"put {card} A3"), (guild("Cot", card), f"replace A4 by {card}")):
        game.play(0, put)
        assert game.legal() == [f"mark {resource}" for resource in RESOURCES]
        game.play(0, "mark stone")
        assert "Fac:S" in game.picture() or "Ban:S" in game.picture()


def test_ruling_04_a_factory_from_opaleyes_watch_gets_its_cube() -> None:
    owner = town("Mon", monument="opaleyes_watch", watch="factory well farm", watch_since=2)
    game = table(owner, FACTORY).play(1, "build factory A1 from A1 A2 B2 C2 D2", "mark wood").done()
    game.play(0, "put factory D4", "mark glass")
    assert game.picture() == drawn("Mon / . / . / . . . Fac:G")
    assert game.plain.round == 10


def test_ruling_04_a_shed_that_an_effect_puts_down_may_go_on_any_empty_square() -> None:
    game = university("", "shed")
    assert len([move for move in game.legal() if "shed" in move]) == 15
    game = guild("Cot", "shed").play(0, "replace A4 by shed")
    assert len(game.legal(0, "move_shed")) == 15


def test_ruling_04_it_counts_as_built_by_its_owner_for_a_neighbours_watch() -> None:
    watcher = town("Mon", monument="opaleyes_watch", watch="tavern well farm", watch_since=2)
    for game in (university("", neighbour=watcher), guild("Cot", neighbour=watcher).play(0, "replace A4 by tavern")):
        if game.legal(0, "put"):
            game.play(0, "put tavern D4", "done")
        else:
            game.play(0, "done", "done")
        game.play(1, "done", "put tavern B1")
        assert game.picture(1) == drawn("Mon Tav")


# --- 5: Opaleye's Watch -----------------------------------------------------------------------------------------


def watch(own: str, since: int) -> Table:
    """Seat 0 has the Watch, built in round `since`; it is round 9, and the neighbour may build a Well."""
    return table(town(own, monument="opaleyes_watch", watch="well tavern farm", watch_since=since), "W S")


def test_ruling_05_opaleyes_watch_works_from_the_round_after_it_is_built() -> None:
    game = watch("Mon", since=9).play(1, "build well A1 from A1 B1").done()
    assert (game.legal(0, "put"), game.plain.round) == ([], 10)
    game = watch("Mon", since=8).play(1, "build well A1 from A1 B1").done()
    assert game.legal(0, "put")


def test_ruling_05_what_it_brings_is_put_down_at_the_end_of_the_round() -> None:
    game = watch("Mon", since=1).play(1, "build well A1 from A1 B1", "done")
    # its owner still builds
    assert game.legal(0) == ["done"]
    game.play(0, "done")
    assert game.legal(0, "put")
    game.play(0, "put well A2")
    assert game.plain.round == 10


def test_ruling_05_its_owner_picks_the_empty_square() -> None:
    game = watch("Mon W T . / . . . . / G G G G / B B B B", since=1).play(1, "build well A1 from A1 B1").done()
    assert game.legal(0) == [f"put well {square}" for square in ("D1", "A2", "B2", "C2", "D2")]


def test_ruling_05_with_no_empty_square_the_building_stays_on_the_card() -> None:
    game = watch("Mon G G G / G G G G / G G G G / G G G G", since=1).play(1, "build well A1 from A1 B1").done()
    assert game.town(0).watch.bit_count() == 3
    assert game.town(0).completed == 9


def two_watches(naming: str, builder: int = 0) -> Table:
    """A round in which both have something due: seats 0 and 2 have a Watch (as only cards of one's own allow)."""
    owner = town("Mon", monument="opaleyes_watch", watch="well tavern farm", watch_since=2)
    game = table(owner, "W S", owner, "", naming=naming, builder=builder)
    return game.play(1, "build well A1 from A1 B1").done()


@pytest.mark.parametrize(("builder", "order"), [(0, (0, 2)), (1, (2, 0)), (2, (2, 0)), (3, (0, 2))])
def test_ruling_05_several_watches_are_resolved_clockwise_from_the_master_builder(
    builder: int, order: tuple[int, int]
) -> None:
    game = two_watches("master_builder", builder)
    for seat in order:
        assert game.waiting == (seat,)
        game.play(seat, "put well B1")
    assert game.plain.round == 10


def test_ruling_05_several_watches_are_resolved_from_the_first_seat_in_town_hall() -> None:
    game = two_watches("town_hall")
    for seat in (0, 2):
        assert game.waiting == (seat,)
        game.play(seat, "put well B1")
    assert game.plain.round == 10


# --- 6: Architect's Guild ---------------------------------------------------------------------------------------


def test_ruling_06_architects_guild_replaces_two_others_not_itself_by_other_types_but_no_monument() -> None:
    game = guild("Cot Wel")
    by = [f"replace A4 by {card}" for card in FIRST_GAME if card != "cottage"]
    by += [f"replace B4 by {card}" for card in FIRST_GAME if card != "well"]
    assert game.legal() == [*by, "done"]
    game.play(0, "replace A4 by tavern", "replace B4 by tavern")
    assert game.legal(0, "replace") == []


# --- 7 to 10 ----------------------------------------------------------------------------------------------------


def test_ruling_07_a_full_town_is_completed_even_with_room_on_a_warehouse_or_a_cottage() -> None:
    game = table(FULL.replace("Cot", "War", 1), "").done()
    assert game.town(0).completed == 9
    game = table(town(FULL.replace("Cot", "Mon", 1), monument="statue_of_the_bondmaker"), "").done()
    assert game.town(0).completed == 9


def test_ruling_08_five_banks_name_nothing_and_the_hammer_goes_left() -> None:
    game = table("", FIVE_BANKS, "", builder=0).done()
    assert game.waiting == (2,)
    assert game.plain.builder == 2
    assert game.town(1).turns == 0


def test_ruling_08_four_banks_name_the_fifth_resource() -> None:
    assert table("", "Ban:W Ban:T Ban:B Ban:G", builder=0).done().legal(1) == ["name stone"]


def test_ruling_09_a_factorys_other_cube_goes_on_an_empty_square_not_on_a_cottage() -> None:
    owner = town("Mon Cot Cot Fac:W", monument="statue_of_the_bondmaker", hand="wood")
    game = table(owner, "", builder=1)
    assert not [move for move in game.legal(0, "substitute") if move.split()[2] in ("B1", "C1")]
    # only the cube that was named goes there
    game.play(0, "shelter B1")
    assert game.picture() == drawn("Mon Cot:W Cot Fac:W")


def test_ruling_10_the_sky_baths_count_seven_types_for_at_most_14_points() -> None:
    assert points("Mon", "monument", "the_sky_baths") == 14
    assert points("Mon Cot Far Wel / Cha Tav The Fac", "monument", "the_sky_baths") == 0


def test_ruling_10_a_market_counts_row_or_column_for_at_most_4_points() -> None:
    assert points("Mar . Mar . / Mar", "market") == 2 + 2 + 2
    assert points("Mar Mar Mar Mar / . Mar", "market") == 4 * 4 + 2


# --- 11: simultaneous play --------------------------------------------------------------------------------------


def test_ruling_11_everyone_places_and_builds_at_the_same_time_in_any_order() -> None:
    """Four seats place, build and mark; whatever the order among them, the same state follows."""
    plans = (
        ["place A3", "build factory A1 from A1 A2 B2 C2 D2", "mark wood", "done"],
        ["place C3", "done"],
        ["place D4", "build well C1 from C1 D1", "done"],
    )
    start = table(
        town(FACTORY, hand="glass"), town("", hand="glass"), town("W S W S", hand="glass"), builder=2, cards="factory"
    )
    ends = set()
    for order in permutations([0, 0, 1, 1, 2, 2]):
        game = start.copy()
        for part, seat in enumerate(order):
            half = len(plans[seat]) // 2
            first = seat not in order[:part]
            game.play(seat, *(plans[seat][:half] if first else plans[seat][half:]))
        ends.add(game.bytes)
    assert len(ends) == 1


def test_ruling_11_nobody_has_to_wait_for_another() -> None:
    game = table(town("", hand="wood"), town("", hand="wood"), town("", hand="wood"))
    game.play(1, "place A1", "done")
    assert game.waiting == (0, 2)
    assert game.legal(0, "place")
    assert game.legal(2, "place")


def test_ruling_11_a_round_ends_when_everyone_has_said_done() -> None:
    game = table("", "", "")
    for seat in (2, 0, 1):
        assert game.plain.round == 9
        game.play(seat, "done")
    assert game.plain.round == 10


# --- 12: Town Hall ----------------------------------------------------------------------------------------------


def test_ruling_12_town_hall_passes_over_turns_as_master_builder_in_a_tie() -> None:
    towns = town("Cot", turns=5), town("Cot", turns=3)
    assert table(*towns, naming="town_hall").standings() == (1, 1)
    assert table(*towns, naming="master_builder").standings() == (2, 1)


def test_ruling_12_a_turned_card_counts_as_named_by_another_and_the_free_pick_does_not() -> None:
    card = table(town("Fac:W", hand="wood"), town(hand="wood"), naming="town_hall")
    assert card.legal(0, "substitute")
    free = table("Fac:W", "", naming="town_hall", round=2).done().play(0, "pick wood")
    assert not free.legal(0, "substitute")


# --- 13: secret monuments ---------------------------------------------------------------------------------------


def test_ruling_13_everyone_sees_both_own_monuments_before_choosing_and_nobody_elses() -> None:
    game = dealt(3)
    for reader in range(3):
        for seat, shown in enumerate(view(game.state, reader).towns):
            assert [card.number for card in shown.dealt] == (game.town(seat).dealt if seat == reader else [])


def test_ruling_13_a_monument_is_secret_until_it_is_built() -> None:
    game = table(town(UNIVERSITY, monument="grove_university"), town("", monument="silva_forum"))
    known = [[shown.monument and shown.monument.id for shown in view(game.state, who).towns] for who in (0, 1, None)]
    assert known == [["grove_university", None], [None, "silva_forum"], [None, None]]
    game.play(0, "build grove_university B1 from B1 A2 B2 C2")
    known = [[shown.monument and shown.monument.id for shown in view(game.state, who).towns] for who in (0, 1, None)]
    assert known == [["grove_university", None], ["grove_university", "silva_forum"], ["grove_university", None]]


def test_ruling_13_the_card_that_was_not_kept_is_never_shown() -> None:
    game = dealt(2)
    for seat in (0, 1):
        returned = CARDS[game.town(seat).dealt[1]]
        game.play(seat, game.legal(seat)[0])
        for reader in (0, 1, None):
            assert returned not in {shown.monument for shown in view(game.state, reader).towns}
            assert not view(game.state, reader).towns[seat].dealt


# --- 14: the options of a table ---------------------------------------------------------------------------------


def test_ruling_14_a_table_has_these_options() -> None:
    values = {option.id: option.values for option in GAME.options}
    assert list(GAME.seats) == [1, 2, 3, 4, 5, 6]
    assert values == {
        "farm": ("random", "farm", "granary", "greenhouse", "orchard"),
        "well": ("random", "well", "fountain", "millstone", "shed"),
        "chapel": ("random", "chapel", "abbey", "cloister", "temple"),
        "tavern": ("random", "tavern", "almshouse", "feast_hall", "inn"),
        "theater": ("random", "theater", "bakery", "market", "tailor"),
        "factory": ("random", "factory", "bank", "trading_post", "warehouse"),
        "monuments": ("yes", "no"),
        "cavern": ("no", "yes"),
        "naming": ("master_builder", "town_hall"),
        "cards": ("printed",),
    }


def test_ruling_14_the_first_game_is_one_choice() -> None:
    game = dealt(4, **GAME.presets["First game"])
    assert game.cards == ("cottage", "farm", "well", "chapel", "tavern", "theater", "factory")


def test_ruling_14_other_values_are_refused() -> None:
    with pytest.raises(OptionError, match="Farm cannot be 'inn'"):
        GAME.options_for(3, {"farm": "inn"})
    with pytest.raises(OptionError, match="no option 'mayor'"):
        GAME.options_for(3, {"mayor": "yes"})


# --- 15: nobody can name ----------------------------------------------------------------------------------------


def test_ruling_15_the_game_ends_if_the_banks_of_the_last_player_hold_all_resources() -> None:
    game = table(FIVE_BANKS + " W", town(FULL, completed=7), builder=1).done()
    assert game.over
    assert game.waiting == ()
    assert game.town(0).completed == 10


def test_ruling_15_the_game_ends_if_neither_fort_ironweed_nor_five_banks_can_name() -> None:
    game = table(town("Mon", monument=FORT), FIVE_BANKS, town(FULL, completed=7), FIVE_BANKS, builder=3).done()
    assert game.over
    assert [game.town(seat).completed for seat in range(4)] == [10, 10, 7, 10]
    # the squares that stayed empty cost a point each, and an earlier town was earlier for the Starloom
    assert game.points("squares", 0) == -15
    assert [GAME.face.view(game.state, None).towns[seat].completed for seat in range(4)] == [2, 2, 1, 2]


def test_ruling_15_a_single_player_who_can_name_keeps_the_game_going() -> None:
    game = table(town("Mon", monument=FORT), FIVE_BANKS, "", builder=2).done()
    assert game.waiting == (2,)
    assert not game.over


def test_ruling_15_town_hall_goes_on_with_cards() -> None:
    game = table(FIVE_BANKS, FIVE_BANKS, naming="town_hall", round=2).done()
    assert [game.legal(0), game.legal(1)] == [["done"], ["done"]]
    game.done()
    assert game.legal(0, "place")


# --- 16 to 19: Warehouse, University, Guild, Bank ---------------------------------------------------------------


def test_ruling_16_a_cube_that_a_swap_takes_off_goes_on_an_empty_square() -> None:
    game = table(town("War:T War:G W Cot", hand="wood"), "", builder=1)
    empty = [f"{column}{row}" for row in (2, 3, 4) for column in "ABCD"]
    assert game.legal(0, "swap") == [f"swap A1 wheat {s}" for s in empty] + [f"swap B1 glass {s}" for s in empty]


def test_ruling_16_a_swap_for_the_resource_that_was_named_is_not_offered() -> None:
    game = table(town("War:WT", hand="wood"), "", builder=1)
    assert {move.split()[2] for move in game.legal(0, "swap")} == {"wheat"}


def test_ruling_17_the_building_of_grove_university_has_to_be_put_down() -> None:
    game = university("")
    assert {move.split()[0] for move in game.legal()} == {"put"}


def test_ruling_17_without_an_empty_square_grove_university_puts_nothing_down() -> None:
    # Trading Posts stand in for all cubes but one, and the University takes its square
    picture = "Cot S Cot Cot / Tra Tra Tra Cot / Cot Cot Cot Cot / Cot Cot Cot Cot"
    game = table(town(picture.replace("S", "B"), monument="grove_university"), "")
    game.play(0, "build grove_university B1 from B1 A2 B2 C2")
    assert game.legal() == ["done"]
    game.done()
    assert game.town().completed == 9


def test_ruling_18_a_shed_from_architects_guild_may_go_on_the_square_just_emptied() -> None:
    game = guild("Cot Far", "shed").play(0, "replace A4 by shed")
    assert "move_shed A4" in game.legal()
    assert "move_shed B4" not in game.legal()
    game.play(0, "move_shed D1")
    assert game.picture() == drawn(". . Mon She / . / . / . Far")
    # and the second replacement is still to come
    assert game.legal(0, "replace")


@pytest.mark.parametrize(("replaced", "cards"), [("Fac:W", ""), ("Ban:W", ""), ("War:WTB", ""), ("Cot:W", "")])
def test_ruling_18_cubes_on_a_replaced_building_go_back_to_the_supply(replaced: str, cards: str) -> None:
    game = guild(replaced, cards).play(0, "replace A4 by tavern", "done")
    assert game.picture() == drawn(". . Mon / . / . / Tav")
    assert game.town().held == [0] * 16


def test_ruling_18_a_resource_on_a_replaced_bank_may_be_named_again() -> None:
    game = guild("Ban:W Ban:G").play(0, "replace A4 by tavern", "done").done()
    game.whole_round()
    assert "name wood" in game.legal(0)
    assert "name glass" not in game.legal(0)


def test_ruling_19_a_sixth_bank_cannot_be_built() -> None:
    pattern = "T T . . / W G B"
    four = table(f"{pattern} / Ban:W Ban:T Ban:B Ban:G", "")
    assert [move for move in four.legal(0) if "bank" in move]
    five = table(f"{pattern} / Ban:W Ban:T Ban:B Ban:G / Ban:S", "")
    assert not [move for move in five.legal(0) if "bank" in move]


def test_ruling_19_a_sixth_bank_cannot_be_put_down_by_an_effect() -> None:
    game = university("Ban:W Ban:T Ban:B Ban:G / Ban:S")
    assert {move.split()[1] for move in game.legal()} == set(FIRST_GAME) - {"factory"}
    owner = town(f"{FIVE_BANKS} Mon Cot", monument="architects_guild", task=state.REPLACE, replacements=2)
    by = {move.split()[3] for move in table(owner, "").legal(0, "replace")}
    assert by == set(FIRST_GAME) - {"factory"}


def test_ruling_19_a_sixth_bank_stays_on_opaleyes_watch() -> None:
    owner = town(f"{FIVE_BANKS} Mon", monument="opaleyes_watch", watch="bank well farm", watch_since=2)
    game = table(owner, "T T . . / W G B").play(1, "build bank A1 from A1 B1 A2 B2 C2", "mark wood").done()
    assert game.plain.round == 10
    assert game.town().watch.bit_count() == 3


# --- 20, 21: what counts as named by another ----------------------------------------------------------------------


def test_ruling_20_the_cavern_rule_holds_for_solo_cards_and_turned_cards_and_not_for_the_free_pick() -> None:
    assert table(town("", hand="wood"), cavern=True).legal(0, "set_aside")
    hall = table(town("", hand="wood"), town("", hand="wood"), naming="town_hall", cavern=True)
    assert hall.legal(0, "set_aside")
    free = table("", "", naming="town_hall", cavern=True, round=2).done().play(0, "pick wood")
    assert not free.legal(0, "set_aside")


@pytest.mark.parametrize(("picture", "monument"), [("W S / Mon", FORT), ("W S . . / " + FIVE_BANKS, "")])
def test_ruling_21_who_may_take_nothing_as_the_free_pick_may_still_build(picture: str, monument: str) -> None:
    game = table(town(picture, monument=monument), "", naming="town_hall", round=2).done()
    before = game.picture()
    assert game.legal(0) == ["build well A1 from A1 B1", "build well B1 from A1 B1", "done"]
    game.play(0, "build well A1 from A1 B1", "done")
    assert game.picture() == before.replace("W S", "Wel .")


# --- 22 to 26 -----------------------------------------------------------------------------------------------------


def test_ruling_22_ways_to_build_that_remove_the_same_cubes_are_offered_once() -> None:
    # a Trading Post on both sides of the wood
    assert table("Tra W Tra").legal(0) == ["build well B1 from A1 B1", "done"]
    # removing the wood or the stone is not the same
    assert table("Tra W Tra S").legal(0, "build") == ["build well B1 from A1 B1", "build well D1 from C1 D1"]


def test_ruling_23_as_many_are_fed_as_can_be() -> None:
    # although the Mausoleum would give as much for them
    game = table(town("Far Cot Cot Cot / Mon", monument="grand_mausoleum_of_the_rodina"))
    assert game.fed() == "B1 C1 D1"
    assert table("Far Cot Cot Cot / Cot Cot Cot").fed().count(" ") == 3


def test_ruling_23_where_there_is_not_enough_for_all_the_best_choice_is_found() -> None:
    # one Farm, seven Cottages: the four around two Temples
    game = table("Cot Cot Cot Far / . . . . / Cot Tem Cot . / Cot Tem Cot")
    assert game.fed() == "A3 C3 A4 C4"


def test_ruling_24_monuments_that_were_not_built_are_not_shown_at_the_end() -> None:
    game = table(town(FULL, monument="silva_forum"), town(FULL, monument="the_starloom")).done()
    assert game.over
    for reader in (0, 1, None):
        for seat in (0, 1):
            assert bool(view(game.state, reader).towns[seat].monument) == (reader == seat)
    words = [note for row in GAME.face.sheet(game.state).rows for note in row.notes if note]
    assert not [note for note in words if "Silva" in say(note) or "Starloom" in say(note)]


def test_ruling_25_everyone_can_read_all_scores_at_any_time() -> None:
    game = table("Cot Far", "Tav", "Cot Cot Cot")
    for reader in (0, 1, 2, None):
        assert tuple(shown.points for shown in view(game.state, reader).towns) == game.scores() == (-11, -13, -13)
    assert GAME.face.sheet(game.state).totals == game.scores()


def test_ruling_25_an_unbuilt_monument_changes_no_score_that_others_read() -> None:
    assert table(town("Cot", monument="the_sky_baths")).scores() == table("Cot").scores()


def test_ruling_26_shrine_of_the_elder_tree_counts_itself_and_a_trading_post_in_its_pattern() -> None:
    for picture, worth in (("B T S . / W G W", 1), ("B T S . / W Tra W", 2), ("B T S Cot / W Tra W Cot", 4)):
        game = table(town(picture, monument="shrine_of_the_elder_tree"))
        game.play(0, "build shrine_of_the_elder_tree A1 from A1 B1 C1 A2 B2 C2")
        assert game.points("monument") == worth


# --- 27 to 30 -----------------------------------------------------------------------------------------------------


def test_ruling_27_a_building_from_opaleyes_watch_on_the_last_square_completes_the_town() -> None:
    game = watch("Mon W S . / G G G G / G G G G / G G G G", since=1).play(1, "build well A1 from A1 B1").done()
    game.play(0, "put well D1")
    # with the Well's cubes still lying there, nothing is built any more
    assert game.town(0).completed == 9
    assert game.plain.round == 10
    assert game.legal(0) == []


def test_ruling_28_the_second_replacement_may_take_what_the_first_one_put_down() -> None:
    game = guild("Cot").play(0, "replace A4 by tavern")
    assert "replace A4 by farm" in game.legal(0)
    game.play(0, "replace A4 by cottage")
    assert game.picture() == drawn(". . Mon / . / . / Cot")


def test_ruling_29_the_row_of_solo_play_is_filled_when_the_next_round_begins() -> None:
    game = GAME.state()
    GAME.deal(game, 1, GAME.option_list(GAME.options_for(1, {"monuments": "no"})), 1)
    GAME.play(game, 0, GAME.legal_moves(game, 0)[0])
    assert len(view(game, 0).row) == 2
    while view(game, 0).round == 1:
        GAME.play(game, 0, GAME.legal_moves(game, 0)[0])
    assert len(view(game, 0).row) == 3
    assert len(view(game, 0).under) == 1


def test_ruling_30_the_free_pick_is_made_by_everyone_at_the_same_time() -> None:
    picking = town("", task=state.PICK)
    game = table(picking, picking, picking, naming="town_hall", round=3)
    assert game.waiting == (0, 1, 2)
    game.play(2, "pick glass")
    assert game.waiting == (0, 1, 2)
    assert view(game.state, 0).towns[2].hand == "glass"
