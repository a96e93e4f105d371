"""The build turn: actions, chains, giving cards up, and padlocks."""

import pytest

from games.villagers.place import seat, table

# --- actions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("village", "limit"),
    [
        ("founders", 2),
        ("founders; wattler", 3),
        ("founders > brewer; wattler; lumberjack > carpenter", 5),
        ("founders > brewer; wattler; wattler; lumberjack > carpenter | shipwright", 5),
    ],
)
def test_the_limit_is_two_and_the_builders_that_show_at_most_five(village: str, limit: int) -> None:
    game = table(seat(village, drafted=2), seat(drafted=1), seat(drafted=2), phase="draft", turn=1)
    game.play("blind 0")
    assert game.player(0).build_limit == limit


def test_builders_built_now_count_from_the_next_round() -> None:
    game = table(seat(hand="wattler wattler hunter"), seat(), limit=2)
    game.play("build wattler new", "build wattler new")
    assert game.legal("build") == []
    assert game.player(0).build_limit == 2


def test_building_is_optional() -> None:
    game = table(seat(hand="hunter"), seat())
    assert "done" in game.legal()
    assert game.play("done").turn == 1


def test_each_seat_finishes_its_turn_before_the_next() -> None:
    game = table(seat(), seat(), seat(), turn=1)
    turns = []
    while game.phase == "build":
        turns.append(game.turn)
        assert [bool(game.legal(seat=each)) for each in range(3)] == [each == game.turn for each in range(3)]
        game.play("done")
    assert turns == [1, 2, 0]


def test_a_predecessor_and_its_successor_may_be_built_in_one_turn() -> None:
    game = table(seat(hand="grazier milk_maid"), seat(), limit=2)
    assert game.legal("build") == []
    game = table(seat("hayer", hand="grazier milk_maid"), seat(), limit=2)
    game.play("build grazier fresh", "build milk_maid fresh")
    assert game.village() == "hayer > grazier > milk_maid"


def test_duplicates_are_allowed() -> None:
    game = table(seat("hunter", hand="hunter"), seat())
    assert game.play("build hunter new").village() == "hunter; hunter"


def test_starters_bear_two_branches_and_no_third() -> None:
    game = table(seat("hayer > thatcher", hand="horse_trader ore_muler"), seat())
    game.play("build ore_muler second")
    assert game.village() == "hayer > thatcher | ore_muler"
    assert game.legal("build") == []


def test_other_cards_bear_one() -> None:
    game = table(seat("miner > seeker > spelunker", hand="spelunker", gold=9), seat())
    assert game.legal("build") == []


def test_covered_villagers_in_the_middle_are_places_for_nothing() -> None:
    middle = "founders > swineherd > truffler; hayer > grazier > milk_maid; miner > seeker > spelunker"
    middle += "; lumberjack > wheeler > cartwright; graper > vintner > wine_trader; shepherd > spinner > weaver"
    hand = "truffler milk_maid spelunker cartwright wine_trader weaver saddler"
    assert table(seat(middle, hand, gold=99), seat(), seat(), seat()).legal("build") == []
    # what begins their chains bears a second branch
    first = "brewer thatcher mason cooper vintner spinner saddler"
    bears = [f"build {id} second" for id in sorted(first.split()[:-1])]
    assert table(seat(middle, first, gold=99), seat(), seat(), seat()).legal("build") == bears


def test_a_monk_with_one_branch_is_no_place_for_another_suit() -> None:
    village = "monk=graper > vintner; apprentice=tanner > saddler; founders > swineherd > truffler"
    assert table(seat(village, "truffler spinner mason", gold=99), seat(), seat(), seat()).legal("build") == []


def test_a_fresh_starter_and_one_with_a_branch_are_two_places() -> None:
    game = table(seat("graper > vintner; graper", hand="vintner"), seat())
    assert game.legal("build") == ["build vintner fresh", "build vintner second"]
    one = game.copy().play("build vintner fresh")
    assert one.village() == "graper > vintner; graper > vintner"
    assert game.play("build vintner second").village() == "graper > vintner | vintner; graper"


def test_cards_in_hand_of_one_face_are_offered_once() -> None:
    assert table(seat(hand="hunter hunter"), seat()).legal("build") == ["build hunter new"]


# --- giving cards up --------------------------------------------------------------------------------------------


def test_a_card_is_given_up_onto_any_stack_that_has_cards() -> None:
    game = table(seat(hand="peddler"), seat(), stacks=[0, 2, 0, 1, 0, 0])
    assert game.legal("exchange") == sorted(
        f"exchange peddler {basic} {pile}" for basic in ("hayer", "lumberjack", "miner") for pile in (1, 3)
    )
    below = game.pile(3)
    game.play("exchange peddler miner 3")
    assert game.village() == "founders; miner"
    assert game.pile(3) == ["peddler", *below]
    assert game.plain.heights[3] == 2
    assert {card.id: left for card, left in game.view().basics} == {"hayer": 10, "lumberjack": 10, "miner": 9}
    assert game.player().built == 0


def test_with_all_stacks_empty_it_goes_onto_the_reserve() -> None:
    game = table(seat(hand="peddler"), seat(), stacks=[0] * 6)
    assert {move.split()[-1] for move in game.legal("exchange")} == {"reserve"}
    assert game.play("exchange peddler hayer reserve").pile(6)[0] == "peddler"


def test_there_is_no_limit_to_giving_up_but_the_table_may_set_three() -> None:
    hand = "hunter hunter peddler peddler agent"
    game = table(seat(hand=hand), seat())
    for card in hand.split():
        game.play(f"exchange {card} hayer 0")
    assert game.player().cards == 6
    game = table(seat(hand=hand), seat(), exchange_limit=3)
    for card in hand.split()[:3]:
        game.play(f"exchange {card} hayer 0")
    assert game.legal("exchange") == []


def test_an_empty_pile_gives_nothing() -> None:
    game = table(seat("; ".join(["hayer"] * 10), "hunter"), seat())
    assert {move.split()[2] for move in game.legal("exchange")} == {"lumberjack", "miner"}


def test_a_basic_villager_may_stay_uncovered_and_bear_at_once() -> None:
    game = table(seat(hand="hunter thatcher"), seat())
    game.play("exchange hunter hayer 0")
    assert "done" in game.legal()
    assert game.play("build thatcher fresh").village() == "founders; hayer > thatcher"


def test_the_given_card_is_the_next_one_drawn_and_only_its_giver_knows_it() -> None:
    game = table(seat(hand="peddler hunter"), seat(), seat(), stacks=[3] * 6)
    game.play("exchange peddler hayer 2")
    known = [game.view(reader).stacks[2].known for reader in (0, 1, 2, None)]
    assert [card and card.id for card in known] == ["peddler", None, None, None]
    assert {game.view(reader).stacks[2].suit for reader in (0, 1, None)} == {"hay"}


def test_any_card_of_the_hand_can_be_given_up() -> None:
    game = table(seat(hand="monk apprentice tinner smuggler jeweler"), seat())
    assert {move.split()[1] for move in game.legal("exchange")} == {
        *("monk", "apprentice", "tinner", "smuggler", "jeweler"),
    }


def test_stacks_that_are_empty_stay_empty() -> None:
    game = table(seat(hand="peddler"), seat(), stacks=[0, 0, 0, 0, 0, 1])
    assert {move.split()[-1] for move in game.legal("exchange")} == {"5"}


def test_every_round_begins_with_no_action_used() -> None:
    game = table(seat(hand="wattler hunter"), seat(), limit=2).play("build wattler new", "build hunter new")
    assert (game.player().built, game.player().drafted) == (2, 0)
    game.play("done", "done")
    assert [game.player(each).built for each in (0, 1)] == [0, 0]
    # until the build phase, the limit is told as it would be now
    assert [game.player(each).build_limit for each in (0, 1)] == [3, 2]
    while game.phase == "draft":
        game.play("draft 0")
    # both Founders show food now
    assert [game.player(each).drafted for each in (0, 1)] == [3, 3]
    game.play("leave", "leave", "done", "done")
    assert [game.player(each).drafted for each in (0, 1)] == [0, 0]


def test_giving_up_is_counted_by_the_turn() -> None:
    game = table(seat(hand="hunter", exchanged=3), seat(), exchange_limit=3)
    assert game.legal("exchange") == []
    game.play("done", "done")
    assert game.player().exchanged == 0
    assert [game.player(each).built for each in (0, 1)] == [0, 0]


# --- padlocks ---------------------------------------------------------------------------------------------------


def test_a_padlock_without_an_unlocker_is_paid_to_the_bank() -> None:
    game = table(seat(hand="beekeeper", gold=2), seat())
    assert game.play("build beekeeper new").gold() == 0


def test_the_own_unlocker_is_paid_by_the_bank() -> None:
    game = table(seat("lumberjack > carpenter", "beekeeper", gold=0), seat())
    game.play("build beekeeper new")
    assert (game.gold(), game.village()) == (0, "lumberjack > carpenter:2; beekeeper")


def test_anothers_unlocker_is_paid_from_the_supply() -> None:
    game = table(seat(hand="beekeeper", gold=5), seat("lumberjack > carpenter:2"))
    game.play("build beekeeper new")
    assert (game.gold(0), game.gold(1), game.village(1)) == (3, 8, "lumberjack > carpenter:4")


def test_of_several_others_the_payer_chooses() -> None:
    others = [seat("lumberjack > carpenter"), seat("lumberjack > carpenter")]
    game = table(seat(hand="beekeeper", gold=2), *others).play("build beekeeper new")
    assert game.legal() == ["pay 0", "pay 1"]
    assert game.play("pay 1").village(2) == "lumberjack > carpenter:2"
    assert (game.gold(0), game.village(1)) == (0, "lumberjack > carpenter")


def test_of_two_unlockers_of_another_the_payer_chooses_where_it_matters() -> None:
    game = table(seat(hand="beekeeper", gold=2), seat("lumberjack > carpenter:4 | carpenter"))
    game.play("build beekeeper new")
    assert {game.copy().play(move).village(1) for move in game.legal()} == {
        "lumberjack > carpenter:6 | carpenter",
        "lumberjack > carpenter:4 | carpenter:2",
    }
    # two alike are no choice
    game = table(seat(hand="beekeeper", gold=2), seat("lumberjack > carpenter:4 | carpenter:4"))
    assert "done" in game.play("build beekeeper new").legal()
    assert (game.gold(), game.player(1).income.coins) == (0, 10)


def test_the_third_seat_is_paid_like_the_second() -> None:
    game = table(seat(), seat(hand="beekeeper"), seat("lumberjack > carpenter"), turn=1)
    game.play("build beekeeper new")
    assert [game.gold(each) for each in range(3)] == [8, 6, 8]
    assert game.village(2) == "lumberjack > carpenter:2"


def test_opening_takes_no_action() -> None:
    game = table(seat(hand="beekeeper beekeeper"), seat("lumberjack > carpenter")).play("build beekeeper new")
    assert game.player().built == 1


def test_ones_own_comes_before_anothers() -> None:
    game = table(seat("lumberjack > carpenter", "beekeeper"), seat("lumberjack > carpenter"))
    game.play("build beekeeper new")
    assert (game.gold(), game.village(0)) == (8, "lumberjack > carpenter:2; beekeeper")
    assert game.village(1) == "lumberjack > carpenter"


def test_of_several_own_the_owner_chooses_where_it_matters() -> None:
    game = table(seat("lumberjack > carpenter:4 | carpenter", "beekeeper"), seat())
    game.play("build beekeeper new")
    villages = {game.copy().play(move).village() for move in game.legal()}
    assert villages == {
        "lumberjack > carpenter:6 | carpenter; beekeeper",
        "lumberjack > carpenter:4 | carpenter:2; beekeeper",
    }
    # two alike are no choice
    game = table(seat("lumberjack > carpenter | carpenter", "beekeeper"), seat())
    assert "done" in game.play("build beekeeper new").legal()


def test_too_little_gold_forbids_the_card() -> None:
    assert table(seat(hand="beekeeper", gold=1), seat()).legal("build") == []
    assert table(seat(hand="beekeeper", gold=1), seat("lumberjack > carpenter")).legal("build") == []
    assert table(seat("lumberjack > carpenter", "beekeeper", gold=0), seat()).legal("build")


def test_an_unlocker_built_now_works_at_once() -> None:
    game = table(seat("lumberjack", "carpenter beekeeper", gold=0), seat())
    game.play("build carpenter fresh", "build beekeeper new")
    assert game.village() == "lumberjack > carpenter:2; beekeeper"


def test_coins_on_villagers_cannot_be_spent() -> None:
    game = table(seat("lumberjack > carpenter:9", "fisher", gold=1), seat())
    assert game.legal("build") == []


@pytest.mark.parametrize(
    ("card", "below", "unlocker"),
    [
        ("brewer", "founders", "lumberjack > cooper"),
        ("poulterer", "founders", "lumberjack > carpenter"),
        ("truffler", "founders > swineherd", "hunter"),
        ("bed_builder", "hayer", "lumberjack > carpenter"),
        ("milk_maid", "hayer > grazier", "lumberjack > cooper"),
        ("peddler", "hayer", "lumberjack > wheeler > cartwright"),
        ("glass_blower", "miner", "miner > blacksmith"),
        ("spelunker", "miner > seeker", "chandler"),
        ("jeweler", "miner > seeker > spelunker", "miner > blacksmith"),
        ("locksmith", "miner", "miner > blacksmith"),
        ("cooper", "lumberjack", "miner > blacksmith"),
        ("vintner", "graper", "lumberjack > cooper"),
        ("wine_trader", "graper > vintner", "miner > glass_blower"),
        ("cobbler", "tanner", "miner > blacksmith"),
        ("weaver", "shepherd > spinner", "lumberjack > carpenter"),
        ("fisher", "", "lumberjack > shipwright"),
        ("beekeeper", "", "lumberjack > carpenter"),
        ("grocer", "", "harvester"),
        ("freemason", "", "founders > brewer"),
        ("priest", "", "chandler"),
        ("smuggler", "", "lumberjack > shipwright"),
    ],
)
def test_each_padlock_is_opened_by_its_unlocker(card: str, below: str, unlocker: str) -> None:
    game = table(seat(below, card, gold=2), seat(unlocker), seat(), seat())
    move = "smuggler" if card == "smuggler" else game.legal("build")[0]
    game.play(move)
    assert game.village(1).endswith(":2")
    assert game.gold() == 0
