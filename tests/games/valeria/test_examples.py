"""The worked examples of the rules, each as it is told there."""

import pytest

from games.valeria.place import dealt, seat, table


@pytest.mark.parametrize(
    ("seats", "bank", "deck"), [(2, 8, 67), (3, 11, 61), (4, 13, 55), (5, 15, 49)], ids=lambda n: str(n)
)
def test_example_01_coins_and_cards_after_the_deal(seats: int, bank: int, deck: int) -> None:
    seen = dealt(seats).view()
    assert (seen.bank, seen.deck, seen.adventurer_deck) == (bank, deck, 11)
    assert [player.coins for player in seen.players] == [3] * seats


def test_example_02_guard_tower() -> None:
    seven = "inn inn mill mill market/magic market/food granary"
    game = table(seat(), seat("guard-tower", seven), phase="follow", action="harvest", active=0, turn=1)
    game.play("follow", "draw deck")
    assert (game.hand_size(1), game.phase) == (8, "powers")
    game.play("use guard-tower", "draw deck")
    assert (game.hand_size(1), game.phase) == (9, "limit")
    game.play("discard market/food 0")
    assert (game.hand_size(1), game.turn, game.phase) == (8, 1, "lead")


def test_example_03_armory() -> None:
    helen = seat(hand="armory", resources="wood", coins=3)
    game = table(helen, seat(resources="stone", coins=2), phase="build", action="build")
    game.play("build armory")
    game.play("pay_castle stone", "pay_own wood", "pay_other 1 stone")
    assert game.village() == "armory"
    assert (game.coins(0), game.player(0).all_coins) == (0, 2)
    assert (game.player(0).castle_coin, game.resources(0), game.resources(1)) == (True, "wood*", "stone*")
    # nobody can use Rick's stone or Helen's wood until they replenish; then the third coin is Rick's
    game.play("draw deck")
    assert (game.turn, game.phase) == (1, "lead")
    assert (game.coins(1), game.resources(1)) == (3, "stone")


def test_example_04_wizards_tower() -> None:
    rick = seat(hand="wizards-tower mill", resources="stone magic magic food", coins=5)
    game = table(rick, seat(hand="inn"), phase="build", action="build", bank=4)
    game.play("build wizards-tower", "pay_all", "draw deck")
    # no gold from it in this action
    assert (game.phase, game.turn, game.bank) == ("follow", 1, 4)
    game.play("decline", "lead tax", "draw deck", "decline", "lead build", "build mill", "pay_all", "draw deck")
    assert game.legal() == ["done", "use wizards-tower"]
    before = game.coins()
    game.play("use wizards-tower")
    assert game.coins() == before + 1


def test_example_04_wizards_tower_when_following() -> None:
    rick = seat("wizards-tower", "mill", "food stone", 2)
    game = table(seat(), rick, phase="follow", action="build", active=0, turn=1, bank=4)
    game.play("follow", "build mill", "pay_all", "use wizards-tower")
    assert game.bank == 3


def test_example_05_cathedral_and_oracle() -> None:
    both = "cathedral oracle"
    game = table(seat(both), seat(both), phase="lead", bank=9)
    game.play("lead tax", "draw deck", "use cathedral", "draw 0", "use cathedral 1", "use oracle", "draw deck")
    assert (game.hand_size(0), game.coins(0)) == (3, 3 + 2)
    game.play("follow", "draw deck", "use oracle", "draw deck", "use cathedral", "draw deck", "use cathedral 1")
    assert (game.hand_size(1), game.coins(1)) == (3, 3 + 1)


def test_example_06_farm_helps_to_build_the_tannery() -> None:
    helen = seat("farm", "tannery", "wood", coins=1)
    game = table(helen, seat(), phase="build", action="build")
    game.play("build tannery")
    assert "pay_own wood" in game.legal()
    game.play("pay_free farm food", "pay_own wood")
    assert game.village() == "farm tannery"
    assert (game.player().all_coins, game.player().castle_coin) == (1, False)


def test_example_07_barracks_cannot_help_to_pay_for_develop() -> None:
    game = table(seat("barracks", "inn"), seat())
    assert game.legal("lead develop") == []
    # following takes three cards: two that pay, one that becomes a resource
    game = table(seat(hand="mill market"), seat("barracks", "inn granary"), phase="lead")
    game.play("lead develop", "discard mill 0", "develop market")
    assert (game.turn, game.legal(), game.hand_size(1)) == (1, ["decline"], 2)
    # with three it can be, and its draw comes when all is paid
    game = table(seat(hand="mill market"), seat("barracks", "inn granary smithy"), phase="lead")
    game.play("lead develop", "discard mill 0", "develop market", "follow", "discard inn 0", "discard granary 1")
    assert game.phase == "develop"
    game.play("develop smithy", "use barracks", "draw deck")
    assert game.hand_size(1) == 1


def test_example_08_witchs_hut_after_the_card_of_the_armory() -> None:
    helen = seat("armory", "witchs-hut", "food magic", 2)
    game = table(seat(), helen, phase="follow", action="build", active=0, turn=1, piles=["inn/wood"], bank=5)
    game.play("follow", "build witchs-hut", "pay_all")
    # with no card in hand the hut cannot be used yet
    assert (game.hand_size(1), game.legal()) == (0, ["done", "use armory"])
    game.play("use armory", "draw 0")
    assert (game.hand(1), game.legal()) == (["inn/wood"], ["done", "use witchs-hut"])
    game.play("use witchs-hut", "discard inn 4")
    assert (game.bank, game.player(1).all_coins, game.hand_size(1), game.pile(4)) == (4, 3, 0, ["inn/wood"])


def test_example_09_paladin() -> None:
    two = seat("armory oracle", coins=1)
    game = table(two, seat("armory guard-tower"), pool="paladin", bank=0)
    game.play("lead recruit", "recruit paladin")
    assert (game.village(), game.coins(), game.bank) == ("armory oracle paladin", 0, 1)
    # two buildings of one type do not do
    game = table(seat("armory guard-tower"), seat(), pool="paladin")
    assert "lead recruit" not in game.legal()


def test_example_10_knight() -> None:
    game = table(seat("knight armory oracle guard-tower"), seat(), phase="over")
    knight = game.player().village[0]
    assert (knight.card.points, knight.bonus) == (2, 2)
    assert game.scores()[0] == 3 + 2 + 2 + 1 + 1 + 1


def test_example_11_all_others_may_still_follow_when_the_leader_reaches_the_end() -> None:
    eleven = "armory guard-tower keep palisade inn mill bakery market oracle abbey chapel"
    follower = seat(hand="hideout", resources="wood", coins=1)
    game = table(seat(eleven, "granary", "wood wood", 2), follower, seat(hand="chapel", resources="stone", coins=1))
    game.play("lead build", "build granary", "pay_all", "draw deck", "done")
    assert game.player(0).size == 12
    assert (game.turn, game.phase) == (1, "follow")
    game.play("follow", "build hideout", "pay_own wood")
    assert (game.turn, game.phase, game.over) == (2, "follow", False)
    game.play("follow", "build chapel", "pay_own stone")
    assert game.over
    assert (game.village(1), game.village(2)) == ("hideout", "chapel")
