"""Monk, Apprentice, Tinner and Smuggler."""

from games.villagers.place import seat, table

# --- Monk -------------------------------------------------------------------------------------------------------


def test_a_monk_is_built_with_the_villager_on_it_for_two_actions() -> None:
    game = table(seat(hand="monk thatcher"), seat(), limit=2)
    assert game.legal("build") == ["build thatcher monk+new"]
    game.play("build thatcher monk+new")
    assert game.village() == "founders; monk=hayer > thatcher"
    assert (game.player().built, game.hand()) == (2, [])


def test_a_monk_that_nothing_could_be_built_on_is_not_offered() -> None:
    assert table(seat(hand="monk hunter"), seat()).legal("build") == ["build hunter new"]
    # one action is too few
    assert table(seat(hand="monk thatcher"), seat(), limit=1).legal("build") == []
    # a padlock that cannot be paid
    assert table(seat(hand="monk bed_builder", gold=1), seat()).legal("build") == []


def test_a_monk_stands_for_a_villager_in_the_middle_of_a_chain() -> None:
    game = table(seat("hayer", "monk milk_maid"), seat())
    game.play("build milk_maid monk+fresh")
    assert game.village() == "hayer > monk=grazier > milk_maid"


def test_a_monk_at_the_bottom_bears_two_branches_of_one_suit() -> None:
    game = table(seat("monk=hayer > thatcher", "horse_trader mason grazier"), seat())
    assert game.legal("build") == ["build grazier monk", "build horse_trader monk"]
    game.play("build grazier monk")
    assert game.village() == "monk=hayer > thatcher | grazier"
    assert game.legal("build") == []


def test_one_branch_is_enough() -> None:
    game = table(seat(hand="monk thatcher"), seat()).play("build thatcher monk+new")
    assert "done" in game.legal()


def test_a_monk_at_the_bottom_bears_first_level_villagers_only() -> None:
    # a Milk Maid is built on a Grazier, which is built on a Hayer
    assert table(seat(hand="monk milk_maid"), seat()).legal("build") == []


def test_two_monks_may_stand_in_one_chain() -> None:
    game = table(seat(hand="monk monk milk_maid"), seat(), limit=3)
    assert game.legal("build") == ["build milk_maid monk+monk+new"]
    game.play("build milk_maid monk+monk+new")
    assert game.village() == "founders; monk=hayer > monk=grazier > milk_maid"
    assert game.player().built == 3
    assert table(seat(hand="monk monk milk_maid"), seat(), limit=2).legal("build") == []


def test_two_monks_may_stand_on_a_chain_begun() -> None:
    game = table(seat("hayer > thatcher", "monk monk fromager"), seat())
    game.play("build fromager monk+monk+second")
    assert game.village() == "hayer > thatcher | monk=grazier > monk=milk_maid > fromager"


def test_a_monk_may_be_used_where_the_villager_itself_would_do() -> None:
    game = table(seat("hayer", "monk thatcher"), seat())
    assert game.legal("build") == ["build thatcher fresh", "build thatcher monk+new"]


def test_a_monk_has_the_special_symbol_only() -> None:
    game = table(seat("monk=graper > vintner; monk=miner > locksmith", ""), seat())
    shown = game.player()
    # one padlock each of Vintner and Locksmith
    assert shown.income.silver == 4
    assert shown.food == 0
    ore = table(seat("monk=miner > mason; hayer > ore_muler"), seat()).player()
    assert ore.income.silver == 0


def test_a_monk_in_the_middle_of_a_chain_bears_one() -> None:
    game = table(seat("hayer > monk=grazier > milk_maid", "milk_maid", gold=9), seat())
    assert game.legal("build") == []


def test_a_monk_may_be_the_second_branch_of_a_monk() -> None:
    game = table(seat("monk=hayer > thatcher", "monk milk_maid"), seat())
    assert game.legal("build milk_maid") == ["build milk_maid monk+monk"]
    game.play("build milk_maid monk+monk")
    assert game.village() == "monk=hayer > thatcher | monk=grazier > milk_maid"


def test_a_monk_and_an_apprentice_for_one_villager_are_two_places() -> None:
    game = table(seat("monk=hayer > thatcher; apprentice=hayer > peddler; hayer > ore_muler", "horse_trader"), seat())
    assert game.legal("build") == [f"build horse_trader {base}" for base in ("apprentice", "monk", "second")]
    assert game.copy().play("build horse_trader monk").village().startswith("monk=hayer > thatcher | horse_trader;")
    assert "apprentice=hayer > peddler | horse_trader" in game.play("build horse_trader apprentice").village()


def test_a_monk_that_stands_for_another_villager_does_not_bear_it() -> None:
    assert table(seat("monk=miner > mason; apprentice=lumberjack > cooper", "thatcher"), seat()).legal("build") == []


def test_solitary_villagers_and_beginnings_of_chains_stand_on_no_monk() -> None:
    middle = "founders > swineherd; shepherd > spinner; hayer > grazier; lumberjack > wheeler; graper > vintner"
    game = table(seat(middle, "monk monk hunter tanner graper"), seat(), seat(), seat())
    assert game.legal("build") == ["build graper new", "build hunter new", "build tanner new"]


def test_the_padlock_of_the_card_on_a_monk_is_opened() -> None:
    game = table(seat(hand="monk bed_builder", gold=2), seat()).play("build bed_builder monk+new")
    assert game.gold() == 0


def test_monks_of_the_hand_are_used_up() -> None:
    game = table(seat(hand="monk monk thatcher mason"), seat())
    game.play("build thatcher monk+new", "build mason monk+new")
    assert game.village() == "founders; monk=hayer > thatcher; monk=miner > mason"
    assert (game.player().built, game.hand()) == (4, [])


def test_the_founders_can_be_stood_for() -> None:
    game = table(seat(hand="monk swineherd"), seat())
    assert game.legal("build") == ["build swineherd fresh", "build swineherd monk+new"]


# --- Apprentice -------------------------------------------------------------------------------------------------


def test_an_apprentice_takes_a_covered_villager_of_another_village() -> None:
    game = table(seat("lumberjack", "apprentice"), seat("lumberjack > wheeler > cartwright:2"), limit=1)
    assert game.legal("swap") == ["swap 1 lumberjack 0", "swap 1 wheeler 0"]
    game.play("swap 1 wheeler 0")
    assert game.village(1) == "lumberjack > apprentice=wheeler > cartwright:2"
    assert game.legal() == ["place fresh"]
    game.play("place fresh")
    assert game.village(0) == "lumberjack > wheeler"
    # both together are one build action
    assert game.player().built == 1
    assert game.legal("build") == []


def test_an_apprentice_takes_a_covered_villager_of_the_own_village() -> None:
    game = table(seat("miner > seeker > spelunker", "apprentice"), seat())
    game.play("swap 0 seeker 0")
    assert game.legal() == ["place second"]
    game.play("place second")
    assert game.village() == "miner > apprentice=seeker > spelunker | seeker"


def test_villagers_on_top_cannot_be_taken() -> None:
    assert table(seat(hand="apprentice"), seat("hunter; hayer; miner > mason")).legal("swap") == ["swap 1 miner 0"]


def test_the_founders_of_others_cannot_be_taken() -> None:
    assert table(seat(hand="apprentice"), seat("founders > swineherd")).legal("swap") == []
    # a Swineherd can, by who has Founders with room
    game = table(seat("founders", "apprentice"), seat("founders > swineherd > truffler"))
    assert game.legal("swap") == ["swap 1 swineherd 0"]


def test_the_own_founders_show_the_side_that_is_chosen() -> None:
    for side, face in (("new", "founders"), ("food", "founders_food")):
        game = table(seat("founders_food > swineherd", "apprentice"), seat())
        game.play("swap 0 founders_food 0")
        assert game.legal() == ["place food", "place new"]
        game.play(f"place {side}")
        assert game.village() == f"apprentice=founders > swineherd; {face}"


def test_the_padlock_of_a_freed_card_is_paid_again() -> None:
    others = seat("shepherd > spinner > weaver > tailor")
    game = table(seat("shepherd > spinner", "apprentice", gold=2), others, seat(), seat())
    game.play("swap 1 weaver 0", "place fresh")
    assert game.gold() == 0
    poor = table(seat("shepherd > spinner", "apprentice", gold=1), others, seat(), seat())
    assert "swap 1 weaver 0" not in poor.legal("swap")


def test_a_freed_card_needs_a_place() -> None:
    game = table(seat(hand="apprentice"), seat("miner > seeker > spelunker"))
    assert game.legal("swap") == ["swap 1 miner 0"]
    # or a Monk below it
    game = table(seat(hand="apprentice monk"), seat("miner > seeker > spelunker"), limit=2)
    assert game.legal("swap") == ["swap 1 miner 0", "swap 1 seeker 0"]
    game.play("swap 1 seeker 0")
    assert game.play("place monk+new").village() == "founders; monk=miner > seeker"
    assert game.player().built == 2


def test_a_freed_card_may_stand_on_two_monks() -> None:
    others = seat("hayer > grazier > milk_maid > fromager")
    game = table(seat(hand="apprentice monk monk"), others, limit=3)
    game.play("swap 1 milk_maid 0", "place monk+monk+new")
    assert game.village() == "founders; monk=hayer > monk=grazier > milk_maid"
    assert (game.player().built, game.gold()) == (3, 6)
    assert "swap 1 milk_maid 0" not in table(seat(hand="apprentice monk monk"), others, limit=2).legal("swap")


def test_the_padlock_of_a_freed_card_is_paid_as_any_other() -> None:
    taken = "shepherd > spinner > weaver > tailor"
    mine = seat("shepherd > spinner; lumberjack > carpenter", "apprentice", gold=0)
    own = table(mine, seat(taken), seat(), seat()).play("swap 1 weaver 0", "place fresh")
    assert (own.gold(), own.player().income.coins) == (0, 2)
    mine = seat("shepherd > spinner", "apprentice", gold=2)
    other = table(mine, seat(f"{taken}; lumberjack > carpenter"), seat(), seat()).play("swap 1 weaver 0", "place fresh")
    assert (other.gold(), other.player(1).income.coins) == (0, 2)
    mine = seat("shepherd > spinner; lumberjack > carpenter", "apprentice", gold=0, tinner=1)
    tinner = table(mine, seat(taken), seat(), seat()).play("swap 1 weaver 0", "place fresh")
    assert tinner.legal() == ["free", "pay 0"]


def test_both_branches_stay_on_the_apprentice() -> None:
    game = table(seat(hand="apprentice"), seat("hayer > grazier > milk_maid | thatcher")).play("swap 1 hayer 0")
    assert game.village(1) == "apprentice=hayer > grazier > milk_maid | thatcher"
    assert game.play("place new").player(1).cards == 4
    # there is no room for a third one
    full = table(seat("hayer > thatcher | peddler", "apprentice ore_muler"), seat()).play("swap 0 hayer 0", "place new")
    assert full.legal("build") == ["build ore_muler fresh"]


def test_of_two_copies_that_bear_the_same_it_is_one_choice() -> None:
    alike = table(seat(hand="apprentice"), seat("hayer > thatcher; hayer > thatcher"))
    assert alike.legal("swap") == ["swap 1 hayer 0"]
    # a third one that nothing stands on is none of them
    more = table(seat(hand="apprentice"), seat("hayer > thatcher; hayer > grazier | peddler; hayer"))
    assert more.legal("swap") == ["swap 1 hayer 0", "swap 1 hayer 1"]
    differ = table(seat(hand="apprentice"), seat("hayer > thatcher; hayer > grazier | peddler"))
    assert differ.legal("swap") == ["swap 1 hayer 0", "swap 1 hayer 1"]
    for move, left in (
        ("swap 1 hayer 0", "hayer > thatcher; apprentice=hayer > grazier | peddler"),
        ("swap 1 hayer 1", "apprentice=hayer > thatcher; hayer > grazier | peddler"),
    ):
        assert sorted(differ.copy().play(move).village(1).split("; ")) == sorted(left.split("; "))
    monks = table(seat(hand="apprentice mason"), seat("monk=hayer > thatcher; monk=miner > mason"))
    assert monks.legal("swap") == ["swap 1 monk 0", "swap 1 monk 1"]


def test_villages_of_all_others_are_open_to_an_apprentice() -> None:
    game = table(seat("hayer > thatcher"), seat("miner > mason", "apprentice"), seat("lumberjack > cooper"), turn=1)
    assert game.legal("swap") == ["swap 0 hayer 0", "swap 1 miner 0", "swap 2 lumberjack 0"]


def test_an_apprentice_takes_an_action() -> None:
    assert table(seat(hand="apprentice", built=2), seat("miner > mason"), limit=2).legal("swap") == []


def test_founders_on_top_cannot_be_taken() -> None:
    assert table(seat("founders", "apprentice"), seat()).legal("swap") == []
    # under a Monk they are covered, and others may not take them either
    game = table(seat("founders > monk=swineherd > truffler", "apprentice"), seat())
    assert game.legal("swap") == ["swap 0 founders 0"]


def test_a_basic_villager_taken_begins_a_chain() -> None:
    game = table(seat(hand="apprentice"), seat("hayer > thatcher")).play("swap 1 hayer 0", "place new")
    assert (game.village(0), game.village(1)) == ("founders; hayer", "apprentice=hayer > thatcher")


def test_a_freed_monk_is_built_below_a_card_of_the_hand() -> None:
    game = table(seat(hand="apprentice mason hunter"), seat("monk=hayer > thatcher"), limit=2)
    assert game.legal("swap") == ["swap 1 monk 0"]
    game.play("swap 1 monk 0")
    assert game.legal() == ["build mason monk+new"]
    game.play("build mason monk+new")
    assert (game.village(0), game.village(1)) == ("founders; monk=miner > mason", "apprentice=hayer > thatcher")
    assert game.player().built == 2
    # with nothing to build on it, it cannot be taken
    assert table(seat(hand="apprentice hunter"), seat("monk=hayer > thatcher")).legal("swap") == []


def test_a_freed_monk_and_one_of_the_hand_may_stand_in_one_chain() -> None:
    mine = seat(hand="apprentice monk milk_maid")
    game = table(mine, seat("monk=hayer > thatcher"), limit=3)
    game.play("swap 1 monk 0", "build milk_maid monk+monk+new")
    assert game.village() == "founders; monk=hayer > monk=grazier > milk_maid"
    # the Apprentice, the Monk of the hand, and the Milk Maid
    assert (game.player().built, game.hand()) == (3, [])
    assert table(mine, seat("monk=hayer > thatcher"), limit=2).legal("swap") == []


def test_a_freed_monk_needs_gold_for_the_padlock_of_the_card_on_it() -> None:
    mine = seat(hand="apprentice bed_builder", gold=1)
    assert table(mine, seat("monk=hayer > thatcher")).legal("swap") == []


def test_an_own_monk_may_be_freed() -> None:
    game = table(seat("monk=hayer > thatcher", "apprentice mason"), seat()).play("swap 0 monk 0")
    assert game.legal() == ["build mason monk+new"]
    game.play("build mason monk+new")
    assert game.village() == "apprentice=hayer > thatcher; monk=miner > mason"


# A Monk that the first Apprentice frees, and a villager that the second one frees for it.
_MONK = seat("founders; monk=hayer > thatcher")
_GRAZIER = seat("hayer > grazier > milk_maid")


def test_a_freed_monk_may_bear_what_the_second_apprentice_frees() -> None:
    game = table(seat(hand="apprentice apprentice"), _MONK, _GRAZIER, limit=2)
    assert "swap 1 monk 0" in game.legal("swap")
    game.play("swap 1 monk 0")
    # a villager that stands on nothing would leave the Monk uncovered
    assert game.legal() == ["swap 2 grazier 0"]
    game.play("swap 2 grazier 0")
    assert game.legal() == ["place monk+new"]
    game.play("place monk+new")
    assert game.village(0) == "founders; monk=hayer > grazier"
    assert game.village(1) == "founders; apprentice=hayer > thatcher"
    assert game.village(2) == "hayer > apprentice=grazier > milk_maid"
    assert (game.player().built, game.hand(), game.plain.freed) == (2, [], 0)


def test_a_freed_monk_with_nothing_to_bear_is_not_offered() -> None:
    mine = seat(hand="apprentice apprentice")
    # one action too few; only a starter to free; no gold for the padlock of what could be freed
    assert "swap 1 monk 0" not in table(mine, _MONK, _GRAZIER, limit=1).legal("swap")
    assert "swap 1 monk 0" not in table(mine, _MONK, seat("hayer > thatcher")).legal("swap")
    poor = seat(hand="apprentice apprentice", gold=1)
    maid = seat("monk=grazier > milk_maid > fromager")
    assert "swap 1 monk 0" not in table(poor, _MONK, maid).legal("swap")


def test_both_monks_may_be_freed_for_one_card_of_the_hand() -> None:
    mine = seat(hand="apprentice apprentice milk_maid")
    one, other = seat("monk=hayer > thatcher"), seat("monk=miner > mason")
    game = table(mine, one, other, limit=3)
    game.play("swap 1 monk 0", "swap 2 monk 0")
    assert game.legal() == ["build milk_maid monk+monk+new"]
    game.play("build milk_maid monk+monk+new")
    assert game.village(0) == "founders; monk=hayer > monk=grazier > milk_maid"
    assert game.player().built == 3
    assert table(mine, one, other, limit=2).legal("swap") == []


def test_a_monk_of_the_hand_may_go_between_a_freed_one_and_what_the_second_apprentice_frees() -> None:
    mine = seat(hand="apprentice apprentice monk", gold=2)
    maid = seat("hayer > grazier > milk_maid > fromager")
    game = table(mine, seat("monk=hayer > thatcher"), maid, limit=3).play("swap 1 monk 0", "swap 2 milk_maid 0")
    assert game.legal() == ["place monk+monk+new"]
    assert game.play("place monk+monk+new").village(0) == "founders; monk=hayer > monk=grazier > milk_maid"
    assert game.player().built == 3


def test_an_apprentice_bears_a_second_branch_like_the_starter_it_stands_for() -> None:
    game = table(seat("apprentice=hayer > thatcher", "horse_trader mason"), seat())
    assert game.legal("build") == ["build horse_trader apprentice"]


def test_an_apprentice_cannot_take_an_apprentice() -> None:
    assert table(seat(hand="apprentice"), seat("apprentice=hayer > thatcher")).legal("swap") == []


def test_an_apprentice_counts_as_special_only() -> None:
    shown = table(seat("apprentice=hayer > horse_trader"), seat()).player()
    assert shown.income.silver == 0


# --- Tinner -----------------------------------------------------------------------------------------------------


def test_a_tinner_is_no_action_and_is_discarded() -> None:
    game = table(seat(hand="tinner beekeeper fisher", gold=0), seat(), limit=2)
    assert game.legal("build") == []
    game.play("tinner")
    assert game.discards()[-1:] == ["tinner"]
    game.play("build beekeeper new", "build fisher new")
    assert game.gold() == 0


def test_with_a_tinner_nobody_else_is_paid() -> None:
    game = table(seat(hand="tinner beekeeper"), seat("lumberjack > carpenter")).play("tinner", "build beekeeper new")
    assert (game.gold(), game.village(1)) == (8, "lumberjack > carpenter")


def test_with_a_tinner_the_own_unlocker_can_still_be_paid_card_by_card() -> None:
    game = table(seat("lumberjack > carpenter", "tinner beekeeper beekeeper"), seat()).play("tinner")
    game.play("build beekeeper new")
    assert game.legal() == ["free", "pay 0"]
    game.play("pay 0", "build beekeeper new", "free")
    assert game.village() == "lumberjack > carpenter:2; beekeeper; beekeeper"


def test_with_a_tinner_the_owner_of_two_unlockers_chooses_or_leaves_it() -> None:
    game = table(seat("lumberjack > carpenter:2 | carpenter", "tinner beekeeper", gold=0), seat())
    assert game.play("tinner", "build beekeeper new").legal() == ["free", "pay 0", "pay 1"]
    # no gold is laid anywhere
    assert sum(card.coins for card in game.play("free").plain.cards) == 2


def test_a_second_tinner_is_not_played_in_one_turn() -> None:
    assert "tinner" not in table(seat(hand="tinner tinner"), seat()).play("tinner").legal()


def test_a_tinner_is_for_its_owner_only() -> None:
    game = table(seat(hand="tinner"), seat(hand="beekeeper", gold=1)).play("tinner", "done")
    assert game.legal("build") == []


def test_a_tinner_works_for_its_turn_only() -> None:
    game = table(seat(hand="tinner"), seat(), first=0).play("tinner", "done", "done")
    assert not game.player().tinner


# --- Smuggler ---------------------------------------------------------------------------------------------------


def test_a_smuggler_gives_half_the_best_gold_rounded_up() -> None:
    game = table(seat("hayer > thatcher; graper > vintner", "smuggler", gold=2), seat()).play("smuggler")
    # 5 of the Vintner: 3
    assert (game.gold(), game.player().built, game.discards()[-1:]) == (3, 0, ["smuggler"])


def test_a_smuggler_does_not_count_coins() -> None:
    game = table(seat("chandler:20", "smuggler", gold=2), seat()).play("smuggler")
    assert game.gold() == 2


def test_the_padlock_of_a_smuggler_is_opened_first() -> None:
    assert "smuggler" not in table(seat("chandler", "smuggler", gold=1), seat()).legal()
    own = table(seat("lumberjack > shipwright; chandler", "smuggler", gold=0), seat()).play("smuggler")
    assert (own.gold(), own.village()) == (2, "lumberjack > shipwright:2; chandler")
    other = table(seat("chandler", "smuggler", gold=2), seat("lumberjack > shipwright")).play("smuggler")
    assert (other.gold(), other.village(1)) == (2, "lumberjack > shipwright:2")
    assert "smuggler" in table(seat("chandler", "smuggler", gold=0, tinner=1), seat()).legal()


def test_two_smugglers_may_be_played_in_a_turn() -> None:
    game = table(seat("chandler", "smuggler smuggler", gold=4), seat(), limit=2)
    game.play("smuggler", "smuggler")
    assert (game.gold(), game.player().built) == (4, 0)


def test_a_smuggler_looks_at_what_is_printed_in_the_own_village() -> None:
    game = table(
        seat("graper > vintner > wine_trader", "smuggler", gold=2), seat("miner > seeker > spelunker > jeweler")
    )
    assert game.play("smuggler").gold() == 7
    covered = table(seat("founders > brewer", "smuggler", gold=2), seat())
    assert covered.player().best_gold == 2
    assert covered.play("smuggler").gold() == 1


def test_of_several_the_player_of_a_smuggler_chooses_whom_to_pay() -> None:
    one, other = seat("lumberjack > shipwright"), seat("lumberjack > shipwright")
    game = table(seat("chandler", "smuggler", gold=2), one, other).play("smuggler")
    assert game.legal() == ["pay 0", "pay 1"]
    assert (game.play("pay 0").gold(), game.village(1)) == (2, "lumberjack > shipwright:2")
