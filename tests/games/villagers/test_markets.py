"""The two markets, every silver formula, the end of a round and of the game."""

import pytest

from games.villagers.place import seat, table


def silver(village: str) -> int:
    """What the silver of a village gives at the Second Market."""
    return table(seat(village), *[seat("")] * 3).player().income.silver


@pytest.mark.parametrize(
    ("village", "points"),
    [
        # gold symbols on top, not their values: 3 for every 2
        ("hayer > peddler", 0),
        ("hayer > peddler; chandler", 0),
        ("hayer > peddler; chandler; beekeeper", 3),
        ("hayer > peddler; chandler; beekeeper; fisher", 3),
        ("hayer > peddler; miner > seeker > spelunker > jeweler; miner > seeker > spelunker > jeweler", 3),
        # hay symbols, covered ones and itself too
        ("hayer > horse_trader", 3),
        ("hayer > horse_trader; hayer", 3),
        ("hayer > horse_trader | bed_builder", 6),
        ("hayer > horse_trader | grazier > milk_maid > fromager", 6),
        # ore symbols
        ("hayer > ore_muler", 0),
        ("hayer > ore_muler; miner > mason", 3),
        ("hayer > ore_muler; miner > glass_blower | mason", 6),
        # padlocks, its own too, covered ones too
        ("miner > locksmith", 2),
        ("miner > locksmith; graper > vintner > wine_trader", 6),
        # wood symbols, its own two
        ("lumberjack > log_rafter", 3),
        ("lumberjack > log_rafter; lumberjack > wheeler > cartwright", 6),
        # gold on top wood: 9 of the Cartwright and 4 of the Cooper, and nothing of the covered Wheeler
        ("lumberjack > wheeler > cartwright | cooper; lumberjack > wood_carver", 13),
        ("lumberjack > wood_carver; chandler", 0),
        # food on top
        ("grocer", 0),
        ("grocer; hunter; hayer > grazier > milk_maid", 9),
        ("grocer; graper > vintner", 0),
        # builders on top
        ("freemason; wattler; founders > brewer", 6),
        # solitary symbols, its own, the Chandler's two
        ("priest", 0),
        ("priest; chandler", 3),
        ("priest; chandler; agent", 6),
        # the gold on one villager
        ("agent", 0),
        ("agent; chandler:4; hunter:6", 6),
    ],
)
def test_silver(village: str, points: int) -> None:
    assert silver(village) == points


def test_two_copies_of_a_silver_villager_are_both_paid() -> None:
    assert silver("hayer > horse_trader | horse_trader") == 6
    assert silver("agent; agent; hunter:6") == 12


def test_own_village_only() -> None:
    game = table(seat("grocer"), seat("hunter; harvester"))
    assert game.player().income.silver == 0


# --- when -------------------------------------------------------------------------------------------------------


def test_the_first_market_is_held_when_stacks_1_and_2_are_empty_and_pays_gold_and_coins_that_stay() -> None:
    one, two = seat("founders; chandler:6; lumberjack > carpenter:2; grocer; hunter", gold=1), seat(gold=3)
    game = table(one, two, stacks=[0, 0, 2, 2, 2, 2]).play("done")
    assert game.gold(0) == 1
    game.play("done")
    # 2 + 3 gold, 8 on villagers; no silver
    assert game.gold(0) == 14
    assert game.gold(1) == 3
    assert game.village(0).count("chandler:6") == 1
    assert game.view().first_market_held
    assert game.player(0).first_income == 13


def test_the_first_market_comes_after_the_founders_are_turned() -> None:
    game = table(seat(), seat("founders; hunter"), stacks=[0, 0, 2, 2, 2, 2]).play("done", "done")
    assert (game.gold(0), game.gold(1)) == (8, 10)


@pytest.mark.parametrize("stacks", [[0, 1, 0, 0, 0, 0], [1, 0, 2, 2, 2, 2], [2, 0, 0, 0, 0, 0]])
def test_the_first_market_needs_both_stacks_empty(stacks: list[int]) -> None:
    game = table(seat(), seat(), stacks=stacks).play("done", "done")
    assert not game.view().first_market_held
    assert not game.over


def test_the_first_market_is_held_once() -> None:
    game = table(seat("founders; hunter", gold=0), seat(), stacks=[0, 0, 2, 2, 2, 2], market=True).play("done", "done")
    assert game.gold() == 0


def test_the_second_market_ends_the_game() -> None:
    game = table(seat("chandler:4; priest", gold=1), seat(), stacks=[0] * 6, market=True)
    assert game.view().second_market_due
    game.play("done", "done")
    assert game.over
    assert game.legal(seat=0) == game.legal(seat=1) == []
    # 1 + 3 gold + 3 silver + 4 coins
    assert game.scores()[0] == 11


def test_stacks_may_be_emptied_in_any_order() -> None:
    for last in range(6):
        game = table(seat(), seat(), stacks=[int(stack == last) for stack in range(6)]).play("done", "done")
        assert not game.over
    game = table(seat(), seat(), stacks=[0, 0, 0, 0, 0, 0]).play("done", "done")
    assert game.over


def test_both_markets_due_at_once_are_both_held() -> None:
    game = table(seat("chandler:4", gold=1), seat(), stacks=[0] * 6).play("done", "done")
    # coins laid before the First Market pay twice in all
    assert game.scores()[0] == 1 + (3 + 4) + (3 + 4)


def test_markets_pay_only_after_the_build_phase() -> None:
    game = table(seat(drafted=1), seat(drafted=2), phase="draft", stacks=[0, 1, 1, 1, 1, 1])
    game.play("blind 1", "leave", "leave")
    assert game.view().first_market_due
    assert not game.view().first_market_held


# --- the end of a round -----------------------------------------------------------------------------------------


def test_who_shows_no_food_turns_the_founders() -> None:
    game = table(seat(), seat("founders; hunter"), seat("founders_food")).play("done", "done", "done")
    assert [game.village(each) for each in range(3)] == ["founders_food", "founders; hunter", "founders_food"]


def test_covered_founders_show_neither_side() -> None:
    for founders in ("founders", "founders_food"):
        game = table(seat(f"{founders} > brewer"), seat())
        assert (game.player().food, game.player().income.gold) == (1, 0)
        # 1 food of the Brewer, none of the Founders: nothing turns
        assert game.play("done", "done").village() == f"{founders} > brewer"


def test_founders_never_turn_back() -> None:
    game = table(seat("founders_food", "hunter"), seat()).play("build hunter new", "done", "done")
    assert game.village(0) == "founders_food; hunter"


def test_all_seats_turn_their_founders_at_the_end_of_the_round_not_of_their_turn() -> None:
    game = table(seat(), seat()).play("done")
    assert game.village(0) == "founders"
    game.play("done")
    assert (game.village(0), game.village(1)) == ("founders_food", "founders_food")


def test_the_second_market_comes_after_the_founders_are_turned() -> None:
    game = table(seat(), seat("founders; hunter"), stacks=[0] * 6, market=True).play("done", "done")
    assert game.scores() == (8, 10)


def test_the_first_turn_passes_clockwise() -> None:
    game = table(seat(), seat(), seat(), turn=2).play("done", "done", "done")
    assert (game.plain.first, game.turn, game.phase) == (0, 0, "draft")


def test_a_market_may_fall_due_while_cards_are_drafted_blind() -> None:
    game = table(seat(drafted=1), seat(drafted=2), phase="draft", stacks=[0, 1, 0, 0, 0, 0], reserve=6)
    game.play("blind 1", "leave", "leave", "done")
    assert not game.over
    assert game.view().second_market_due
    game.play("done")
    assert game.over
    assert game.view().first_market_held


# --- who wins ---------------------------------------------------------------------------------------------------


def test_most_gold_wins() -> None:
    game = table(seat(gold=9), seat(gold=12), seat(gold=10), phase="over")
    assert (game.scores(), game.standings()) == ((11, 14, 12), (3, 1, 2))


def test_a_tie_goes_to_the_smaller_village() -> None:
    game = table(seat("founders; hayer", gold=8), seat("founders", gold=8), phase="over")
    assert (game.scores(), game.standings()) == ((10, 10), (2, 1))


def test_a_further_tie_is_shared() -> None:
    game = table(seat(), seat(), seat(gold=0), phase="over")
    assert game.standings() == (1, 1, 3)


def test_cards_in_hand_are_worth_nothing() -> None:
    assert table(seat(hand="jeweler tailor"), seat(), seat(), seat(), phase="over").scores()[0] == 10


def test_the_village_is_counted_with_its_covered_cards() -> None:
    one, two = seat("founders_food > swineherd; hayer", gold=8), seat("founders_food; hunter", gold=10)
    game = table(one, two, phase="over")
    assert (game.scores(), game.standings()) == ((10, 10), (2, 1))


def test_fewer_cards_do_not_make_up_for_less_gold() -> None:
    game = table(seat("founders; hayer", gold=9), seat("founders", gold=8), phase="over")
    assert game.standings() == (1, 2)
