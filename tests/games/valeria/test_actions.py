"""A turn: replenish, lead, follow; the five actions; draws, discards and the hand limit; the end."""

import pytest

from games.valeria.place import Table, seat, table

FIVE = "inn mill market granary smithy"


def followers(game: Table) -> list[int]:
    """The seats that are asked whether they follow, all of them declining."""
    asked = []
    while game.phase == "follow":
        asked.append(game.turn)
        game.play("decline")
    return asked


# --- the turn ---------------------------------------------------------------------------------------------------


def test_replenish_takes_all_coins_from_castle_and_resources_whoever_laid_them() -> None:
    other = seat(resources="food* food wood* wood*", coins=1, castle=True)
    game = table(seat(), other)
    game.play("lead tax", "draw deck", "decline")
    assert (game.turn, game.phase) == (1, "lead")
    assert (game.coins(1), game.resources(1), game.player(1).castle_coin) == (5, "food food wood wood", False)


def test_coins_stay_where_they_lie_until_their_owner_is_active_again() -> None:
    game = table(seat(resources="food*"), seat(), seat(resources="wood*"))
    game.play("lead tax", "draw deck", "decline", "decline")
    assert (game.turn, game.resources(0), game.resources(2)) == (1, "food*", "wood*")


def test_others_may_follow_once_in_clockwise_order_or_decline() -> None:
    game = table(seat(), seat(), seat(), seat(), turn=2)
    game.play("lead harvest", "draw 0", "draw 1", "draw 2")
    assert (game.turn, game.legal()) == (3, ["decline", "follow"])
    game.play("follow", "draw deck")
    assert (game.turn, game.legal()) == (0, ["decline", "follow"])
    game.play("decline")
    assert game.turn == 1
    game.play("follow", "draw 3")
    # all were asked: the next seat leads
    assert (game.turn, game.phase, game.hand_size(3), game.hand_size(0), game.hand_size(1)) == (3, "lead", 1, 0, 1)


def test_the_next_seat_clockwise_leads_the_next_turn() -> None:
    game = table(seat(), seat(), seat(), turn=2)
    game.play("lead tax", "draw deck")
    followers(game)
    assert (game.turn, game.plain.active, game.plain.round) == (0, 0, 10)


# --- Harvest and Tax --------------------------------------------------------------------------------------------


def test_leading_harvest_draws_three_and_following_one() -> None:
    game = table(seat(), seat())
    game.play("lead harvest", "draw deck", "draw deck", "draw deck", "follow", "draw deck")
    assert (game.hand_size(0), game.hand_size(1), game.turn) == (3, 1, 1)


def test_leading_tax_takes_a_coin_and_draws_one_and_following_draws_one() -> None:
    game = table(seat(), seat(), bank=2)
    game.play("lead tax", "draw deck", "follow", "draw deck")
    assert (game.coins(0), game.coins(1), game.bank) == (4, 3, 1)
    assert (game.hand_size(0), game.hand_size(1)) == (1, 1)


def test_tax_with_an_empty_bank_takes_no_coin_and_can_be_led() -> None:
    game = table(seat(), seat(), bank=0)
    game.play("lead tax", "draw deck")
    assert (game.coins(0), game.bank, game.hand_size(0)) == (3, 0, 1)
    assert game.legal() == ["decline", "follow"]


def test_harvest_and_tax_can_always_be_led() -> None:
    assert table(seat(coins=0), seat(), bank=0).legal() == ["lead harvest", "lead tax"]


# --- draws and discards -----------------------------------------------------------------------------------------


def test_draws_are_made_one_at_a_time_from_the_deck_or_any_pile() -> None:
    piles = ["inn/wood mill/wood", "market", "granary", "smithy", "farm"]
    game = table(seat(), seat(), piles=piles)
    game.play("lead harvest")
    assert game.legal() == ["draw 0", "draw 1", "draw 2", "draw 3", "draw 4", "draw deck"]
    game.play("draw 0")
    assert (game.hand(), game.pile(0)) == (["inn/wood"], ["mill/wood"])
    game.play("draw 0")
    assert game.hand() == ["inn/wood", "mill/wood"]


def test_a_pile_that_is_emptied_gets_the_top_card_of_the_deck_at_once() -> None:
    game = table(seat(), seat(), piles=["inn"] * 2 + ["mill"] * 2 + ["farm"])
    deck = game.view().deck
    game.play("lead harvest", "draw 4")
    assert (len(game.pile(4)), game.view().deck) == (1, deck - 1)
    assert game.pile(4)[0].split("/")[0] not in ("inn", "mill")


def test_discards_go_face_up_on_any_pile_card_by_card() -> None:
    game = table(seat(hand="inn/wood mill/wood market/food"), seat(hand="farm/food keep/food oracle/wood"))
    game.play("lead develop")
    assert len(game.legal("discard")) == 3 * 5
    game.play("discard mill 3", "develop inn", "follow", "discard keep 1")
    assert len(game.legal("discard")) == 2 * 5
    game.play("discard oracle 4")
    assert (game.pile(3)[0], game.pile(1)[0], game.pile(4)[0]) == ("mill/wood", "keep/food", "oracle/wood")
    assert len(game.pile(3)) == 2


def test_cards_of_one_name_with_other_lower_halves_are_told_apart() -> None:
    two = seat(hand="inn/wood inn/magic mill", resources="food food", coins=3)
    game = table(two, seat())
    assert game.copy().play("lead build").legal()[:2] == ["build inn/magic", "build inn/wood"]
    game.play("lead develop")
    assert game.legal("discard inn/wood 0", "discard inn/magic 0") == ["discard inn/magic 0", "discard inn/wood 0"]
    game.play("discard mill 0")
    assert game.legal() == ["develop inn/magic", "develop inn/wood"]
    # to play one says nothing of the other
    game = table(seat(hand="inn/wood mill", known="inn/magic"), seat()).play("lead develop", "discard inn/wood 0")
    assert [own.card.resource for own in game.view(1).players[0].hand] == ["magic"]


# --- Develop ----------------------------------------------------------------------------------------------------


def test_leading_develop_discards_one_and_turns_a_card_into_its_resource() -> None:
    game = table(seat(hand="inn/wood mill/magic"), seat())
    game.play("lead develop", "discard inn 0")
    assert game.legal() == ["develop mill/magic"]
    game.play("develop mill")
    assert (game.resources(), game.hand(), game.village()) == ("magic", [], "")


def test_following_develop_discards_two() -> None:
    game = table(seat(hand=FIVE), seat(hand="farm keep oracle abbey"))
    game.play("lead develop", "discard inn 0", "develop mill", "follow", "discard farm 0", "discard keep 0")
    assert game.phase == "develop"
    game.play("develop oracle")
    assert (game.hand_size(1), len(game.resources(1).split())) == (1, 1)


@pytest.mark.parametrize("cards", range(5))
def test_who_has_too_few_cards_can_neither_lead_nor_follow_develop(cards: int) -> None:
    hand = " ".join(FIVE.split()[:cards])
    assert bool(table(seat(hand=hand), seat()).legal("lead develop")) == (cards >= 2)
    game = table(seat(hand="farm keep oracle"), seat(hand=hand))
    game.play("lead develop", "discard farm 0", "develop keep")
    # who has cards is asked
    assert (game.phase == "follow") == (cards >= 1)
    assert ("follow" in game.legal()) == (cards >= 3)


def test_a_developed_card_is_a_resource_only() -> None:
    game = table(seat(hand="keep inn"), seat(), phase="lead")
    game.play("lead develop", "discard inn 0", "develop keep")
    assert (game.village(), game.player().size) == ("", 0)


# --- Build ------------------------------------------------------------------------------------------------------


def test_leading_build_pays_and_puts_the_card_into_the_village_then_draws_one() -> None:
    game = table(seat(hand="granary", resources="wood wood", coins=2), seat())
    game.play("lead build", "build granary", "pay_own wood", "pay_own wood")
    assert (game.village(), game.phase) == ("granary", "draw")
    game.play("draw deck")
    assert (game.hand_size(), game.coins(), game.resources()) == (1, 0, "wood* wood*")


def test_following_build_draws_nothing() -> None:
    one = seat(hand="hideout", resources="wood", coins=1)
    game = table(one, one)
    game.play("lead build", "build hideout", "pay_own wood", "draw deck", "follow", "build hideout", "pay_own wood")
    assert (game.village(1), game.hand_size(1), game.turn) == ("hideout", 0, 1)


def test_no_two_buildings_of_one_name_in_a_village() -> None:
    game = table(seat("hideout", "hideout", "wood"), seat())
    assert "lead build" not in game.legal()
    # the same name in another village does not matter
    game = table(seat("hideout"), seat(hand="hideout", resources="wood"), turn=1)
    game.play("lead build", "build hideout", "pay_own wood")
    assert game.village(1) == "hideout"


def test_build_can_only_be_led_or_followed_by_who_can_pay_all_of_something() -> None:
    assert table(seat(hand="armory", resources="wood stone", coins=2), seat()).legal("lead build") == []
    assert table(seat(hand="armory", resources="wood stone", coins=3), seat()).legal("lead build")
    assert table(seat(hand="armory", resources="wood", coins=3), seat()).legal("lead build") == []
    game = table(seat(hand="hideout", resources="wood"), seat(hand="armory"))
    game.play("lead build", "build hideout", "pay_own wood", "draw deck")
    assert (game.turn, game.legal()) == (1, ["decline"])


# --- Recruit ----------------------------------------------------------------------------------------------------

TWO_TYPES = "armory oracle"


def test_leading_recruit_pays_one_coin() -> None:
    game = table(seat(TWO_TYPES), seat(), pool="paladin champion archmage cleric bard", bank=0)
    game.play("lead recruit", "recruit paladin")
    assert (game.coins(0), game.bank, game.village()) == (2, 1, f"{TWO_TYPES} paladin")
    assert game.phase == "lead"


def test_following_recruit_pays_two_coins() -> None:
    game = table(seat("barracks chapel mill"), seat(TWO_TYPES), pool="bard paladin", bank=0)
    game.play("lead recruit", "recruit bard", "follow", "recruit paladin")
    assert (game.coins(0), game.coins(1), game.bank) == (2, 1, 3)
    assert game.village(1) == "armory oracle paladin"


def test_who_cannot_pay_can_neither_lead_nor_follow_recruit() -> None:
    assert table(seat(TWO_TYPES, coins=0), seat(), pool="paladin").legal("lead recruit") == []
    follower, poor = seat("guard-tower chapel", coins=2), seat("keep abbey", coins=1)
    game = table(seat("barracks chapel mill"), poor, follower, pool="bard paladin")
    game.play("lead recruit", "recruit bard")
    # the poor one is not asked
    assert (game.turn, game.legal()) == (2, ["decline", "follow"])


def test_requirements_are_looked_at_and_not_spent() -> None:
    game = table(seat("armory guard-tower hideout", coins=3), seat(), pool="warlord squire", unseen=False)
    game.play("lead recruit", "recruit warlord")
    assert game.village() == "armory guard-tower hideout warlord"
    game = table(seat("armory guard-tower hideout warlord"), seat(), pool="assassin", unseen=False)
    game.play("lead recruit", "recruit assassin")
    assert game.village() == "armory guard-tower hideout warlord assassin"


@pytest.mark.parametrize(
    ("adventurer", "village", "comes"),
    [
        ("paladin", "armory oracle", True),
        ("paladin", "armory guard-tower", False),
        ("warlord", "armory guard-tower hideout", True),
        ("warlord", "armory hideout oracle", False),
        ("merchant", "inn", False),
        ("merchant", "inn mill", True),
        ("champion", "armory hideout oracle", True),
        ("champion", "armory hideout knight", False),
    ],
)
def test_an_adventurer_comes_only_where_its_types_of_buildings_stand(
    adventurer: str, village: str, comes: bool
) -> None:
    assert bool(table(seat(village), seat(), pool=adventurer).legal("lead recruit")) == comes


def test_the_pool_is_refilled_at_once() -> None:
    game = table(seat(TWO_TYPES), seat(), pool="paladin thief cleric bard squire")
    left = game.view().adventurer_deck
    game.play("lead recruit", "recruit paladin")
    pool = game.pool()
    assert pool[1:] == ["thief", "cleric", "bard", "squire"]
    assert pool[0] not in ("", "paladin", *pool[1:])
    assert game.view().adventurer_deck == left - 1


def test_with_an_empty_adventurer_deck_the_pool_shrinks() -> None:
    game = table(seat(TWO_TYPES), seat(), pool="paladin thief", unseen=False)
    game.play("lead recruit", "recruit paladin")
    assert game.pool() == ["", "thief", "", "", ""]


# --- the hand limit ---------------------------------------------------------------------------------------------


def test_after_leading_or_following_a_hand_is_discarded_down_to_eight() -> None:
    seven = "inn/wood mill/wood market/food granary/stone smithy/food farm/food keep/food"
    game = table(seat(hand=seven), seat(hand="inn/magic"))
    game.play("lead harvest", "draw deck", "draw deck", "draw deck")
    assert (game.hand_size(), game.phase) == (10, "limit")
    assert len(game.legal("discard")) == 10 * 5
    game.play("discard inn/wood 0")
    assert game.phase == "limit"
    game.play("discard mill/wood 0")
    assert (game.hand_size(), game.turn, game.phase) == (8, 1, "follow")


def test_who_declines_keeps_the_hand() -> None:
    eight = "inn/wood mill/wood market/food granary/stone smithy/food farm/food keep/food oracle/wood"
    game = table(seat(), seat(hand=eight))
    game.play("lead tax", "draw deck", "decline")
    assert game.hand_size(1) == 8


# --- the end ----------------------------------------------------------------------------------------------------

NAMES = "bakery mill granary inn market palisade guard-tower armory hideout chapel oracle abbey"


@pytest.mark.parametrize(("seats", "limit"), [(2, 12), (3, 12), (4, 10), (5, 10)])
def test_a_village_of_so_many_buildings_and_adventurers_ends_the_game(seats: int, limit: int) -> None:
    for size in (limit - 2, limit - 1):
        village = " ".join(NAMES.split()[: size - 1]) + " thief"
        builder = seat(village, "sawmill", "food stone magic")
        game = table(builder, *[seat()] * (seats - 1))
        game.play("lead build", "build sawmill", "pay_all", "draw deck")
        if game.phase == "powers":
            game.play("done")
        assert game.player().size == size + 1
        assert game.over == (size + 1 == limit)


def test_the_game_ends_when_a_follower_fills_its_village() -> None:
    village = " ".join(NAMES.split()[:11])
    game = table(seat(hand="sawmill", resources="food stone magic"), seat(village, "sawmill", "food stone magic"))
    game.play("lead build", "build sawmill", "pay_all", "draw deck", "follow", "build sawmill", "pay_all")
    if game.phase == "powers":
        game.play("done")
    assert game.over


def test_developed_resources_do_not_count_for_the_end() -> None:
    game = table(seat(resources=" ".join(["wood"] * 14)), seat())
    game.play("lead tax", "draw deck", "decline")
    assert not game.over


def test_nobody_has_anything_to_do_when_the_game_is_over() -> None:
    game = table(seat(), seat(), phase="over")
    assert game.over
    assert [game.numbers(each) for each in range(2)] == [[], []]
