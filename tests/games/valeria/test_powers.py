"""Powers: every kind of them, when it acts, what it costs, and that it is optional."""

import pytest

from games.valeria.place import Table, seat, table, with_powers
from thorp.games.valeria.rules.powers import ACTIONS, Power

#: A village card that has the power under test, and is built with nothing that acts beside it.
OWNER = "bakery"


def having(power: Power | tuple[Power, ...], *, hand: str = "", coins: int = 3, **fields: object) -> Table:
    """Seat 0 has a card with a power and leads; seat 1 has two cards, so that something can be taken."""
    deck = with_powers(bakery=power)
    village = f"{OWNER} mill palisade hideout chapel"
    me = seat(village, hand, "food food wood stone magic", coins)
    return table(me, seat(hand="keep farm", coins=0), pool="squire cleric", deck=deck, **fields)  # type: ignore[arg-type]


#: How to lead each action, up to where powers act.
LEADS = {
    "harvest": ("lead harvest", "draw deck", "draw deck", "draw deck"),
    "develop": ("lead develop", "discard inn 0", "develop granary"),
    "build": ("lead build", "build watch-house", "pay_own food", "pay_own stone", "pay_own magic", "draw deck"),
    "recruit": ("lead recruit", "recruit squire"),
    "tax": ("lead tax", "draw deck"),
}
HAND = "inn granary watch-house"


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_power_acts_in_its_action(action: str) -> None:
    game = having(Power(action, "draw"), hand=HAND).play(*LEADS[action])
    assert game.legal() == ["done", "use bakery"]
    before = game.hand_size()
    game.play("use bakery", "draw deck")
    assert game.hand_size() == before + 1
    # once an action
    assert game.turn == 1


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("other", ACTIONS)
def test_an_action_power_acts_in_no_other_action(action: str, other: str) -> None:
    game = having(Power(action, "draw"), hand=HAND).play(*LEADS[other])
    assert (game.phase == "powers") == (action == other)


def test_an_action_power_acts_when_following_too() -> None:
    deck = with_powers(bakery=Power("harvest", "draw"))
    game = table(seat(), seat("bakery"), deck=deck)
    game.play("lead harvest", "draw 0", "draw 0", "draw 0", "follow", "draw deck", "use bakery", "draw deck")
    assert game.hand_size(1) == 2


def test_powers_are_optional() -> None:
    game = having(Power("tax", "draw")).play("lead tax", "draw deck", "done")
    assert (game.hand_size(), game.turn) == (1, 1)


def test_powers_come_after_the_basic_action() -> None:
    game = having(Power("harvest", "coins")).play("lead harvest")
    assert game.phase == "draw"
    game.play("draw deck", "draw deck")
    assert game.phase == "draw"
    game.play("draw deck")
    assert game.phase == "powers"


def test_powers_add_up_and_are_used_in_any_order() -> None:
    deck = with_powers(bakery=Power("tax", "draw"), mill=Power("tax", "coins"), hideout=Power("tax", "draw", 2))
    for first, second, third in (("bakery", "mill", "hideout"), ("hideout", "bakery", "mill")):
        game = table(seat("bakery mill hideout"), seat(), deck=deck, bank=9)
        game.play("lead tax", "draw deck")
        for id in (first, second, third):
            game.play(f"use {id}")
            while game.phase == "draw":
                game.play("draw deck")
        assert (game.hand_size(), game.coins(), game.turn) == (4, 5, 1)


def test_both_powers_of_one_card_act() -> None:
    game = having((Power("tax", "draw"), Power("tax", "coins", 2)))
    game.play("lead tax", "draw deck")
    assert game.legal() == ["done", "use bakery", "use bakery 1"]
    game.play("use bakery 1", "use bakery", "draw deck")
    assert (game.coins(), game.hand_size()) == (6, 2)


# --- what powers do ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", range(1, 5))
def test_draw(amount: int) -> None:
    game = having(Power("tax", "draw", amount)).play("lead tax", "draw deck", "use bakery")
    game.play(*["draw deck"] * amount)
    assert (game.hand_size(), game.turn) == (1 + amount, 1)


@pytest.mark.parametrize("amount", range(1, 5))
def test_coins(amount: int) -> None:
    game = having(Power("harvest", "coins", amount), bank=5)
    game.play(*LEADS["harvest"], "use bakery")
    assert (game.coins(), game.bank) == (3 + amount, 5 - amount)


def test_coins_as_many_as_the_bank_has() -> None:
    game = having(Power("harvest", "coins", 3), bank=2).play(*LEADS["harvest"], "use bakery")
    assert (game.coins(), game.bank) == (5, 0)


def test_take_a_card_from_an_opponents_hand() -> None:
    game = having(Power("tax", "take")).play("lead tax", "draw deck", "use bakery")
    assert game.legal() == ["take 1"]
    before = set(game.hand(1))
    game.play("take 1")
    assert len(game.hand(1)) == 1
    assert before - set(game.hand(1)) < set(game.hand(0))


def test_take_chooses_the_opponent_for_each_card() -> None:
    deck = with_powers(bakery=Power("tax", "take", 2))
    game = table(seat("bakery"), seat(hand="inn"), seat(), seat(hand="mill farm"), deck=deck)
    game.play("lead tax", "draw deck", "use bakery")
    assert game.legal() == ["take 1", "take 3"]
    game.play("take 1")
    assert game.legal() == ["take 3"]
    game.play("take 3")
    assert [game.hand_size(each) for each in range(4)] == [3, 0, 0, 1]


def test_cards_taken_count_as_draws_for_the_hand_limit() -> None:
    seven = "inn/wood mill/wood market/food granary/stone smithy/food farm/food sawmill/food"
    deck = with_powers(bakery=Power("tax", "take", 2))
    game = table(seat("bakery", seven), seat(hand="keep oracle"), deck=deck)
    game.play("lead tax", "draw deck", "use bakery", "take 1", "take 1")
    assert (game.hand_size(), game.phase) == (10, "limit")


# --- instant powers ---------------------------------------------------------------------------------------------


def test_an_instant_power_acts_in_the_action_in_which_its_card_comes() -> None:
    game = table(seat(hand="library", resources="wood wood magic"), seat())
    game.play("lead build", "build library", "pay_all", "draw deck", "use library", "draw deck", "draw deck")
    assert (game.hand_size(), game.turn) == (3, 1)


def test_an_instant_power_acts_only_then() -> None:
    game = table(seat("library", "hideout", "wood"), seat())
    game.play("lead build", "build hideout", "pay_own wood", "draw deck")
    assert (game.turn, game.phase) == (1, "lead")


def test_an_instant_power_of_an_adventurer() -> None:
    game = table(seat("armory chapel mill"), seat(), pool="baron", bank=4)
    game.play("lead recruit", "recruit baron", "use baron")
    # one coin to the bank, two from it
    assert (game.coins(), game.bank) == (4, 3)


def test_an_action_power_does_not_act_in_the_action_in_which_its_card_came() -> None:
    deck = with_powers(hideout=Power("build", "draw"), squire=Power("recruit", "draw"))
    game = table(seat(hand="hideout", resources="wood"), seat(), deck=deck)
    game.play("lead build", "build hideout", "pay_own wood", "draw deck")
    assert game.phase == "lead"
    game = table(seat("armory mill"), seat(), pool="squire", deck=deck)
    game.play("lead recruit", "recruit squire")
    assert game.phase == "lead"


# --- what powers cost -------------------------------------------------------------------------------------------


def test_a_power_that_costs_a_card() -> None:
    game = having(Power("tax", "coins", 2, pay="1 card"), hand="inn").play("lead tax", "draw deck", "use bakery")
    assert (game.phase, game.coins()) == ("discard", 4)
    game.play("discard inn 3")
    assert (game.coins(), game.hand_size(), game.pile(3)[0].split("/")[0]) == (6, 1, "inn")


def test_a_power_that_costs_several_cards() -> None:
    power = Power("harvest", "coins", 4, pay="3 cards")
    game = having(power, hand="inn").play(*LEADS["harvest"], "use bakery")
    for left in (3, 2, 1):
        assert (game.phase, game.plain.discards) == ("discard", left)
        game.play(game.legal()[0])
    assert (game.coins(), game.hand_size()) == (7, 1)


def test_a_power_that_costs_coins_pays_the_bank() -> None:
    for coins in (2, 3):
        game = having(Power("harvest", "draw", 2, pay="2 coins"), coins=coins, bank=1)
        game.play(*LEADS["harvest"], "use bakery")
        assert (game.coins(), game.bank, game.phase) == (coins - 2, 3, "draw")


@pytest.mark.parametrize(
    ("power", "hand", "coins"),
    [(Power("develop", "coins", pay="1 card"), "inn granary", 3), (Power("develop", "draw", pay="3 coins"), HAND, 2)],
)
def test_who_cannot_pay_for_a_power_cannot_use_it(power: Power, hand: str, coins: int) -> None:
    game = having(power, hand=hand, coins=coins).play(*LEADS["develop"])
    # the turn of the seat is over: the next one is asked
    assert (game.phase, game.turn, game.legal()) == ("follow", 1, ["decline"])


# --- cheaper Recruit --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("less", "lead", "follow"), [(1, 0, 1), (2, 0, 0), (4, 0, 0)])
def test_cheaper_recruit(less: int, lead: int, follow: int) -> None:
    deck = with_powers(bakery=Power("hiring", "cheaper", less))
    game = table(seat("bakery mill armory"), seat("bakery"), pool="merchant squire", deck=deck, bank=0)
    assert (game.player().recruit_lead, game.player().recruit_follow) == (lead, follow)
    game.play("lead recruit", "recruit merchant")
    assert (game.coins(), game.bank) == (3 - lead, lead)


def test_cheaper_recruit_adds_up_as_cards_come() -> None:
    deck = with_powers(bakery=Power("hiring", "cheaper"), squire=Power("hiring", "cheaper", 1))
    game = table(seat("bakery armory"), seat(), pool="squire", deck=deck)
    assert (game.player().recruit_lead, game.player().recruit_follow) == (0, 1)
    game.play("lead recruit", "recruit squire")
    assert (game.player().recruit_lead, game.player().recruit_follow) == (0, 0)


def test_cheaper_recruit_when_following_and_adding_up() -> None:
    deck = with_powers(bakery=Power("hiring", "cheaper"), palisade=Power("hiring", "cheaper"))
    me = seat("bakery palisade", coins=0)
    game = table(seat("market mill"), me, pool="merchant squire", deck=deck, unseen=False)
    game.play("lead recruit", "recruit merchant", "follow", "recruit squire")
    assert (game.coins(1), game.village(1)) == (0, "bakery palisade squire")


def test_an_adventurer_that_has_just_come_makes_the_next_one_cheaper() -> None:
    game = table(seat("armory mill"), seat(), pool="squire")
    game.play("lead recruit", "recruit squire")
    assert (game.player().recruit_lead, game.player().recruit_follow) == (0, 0)


def test_used_powers_of_one_action_are_there_again_in_the_next() -> None:
    game = table(seat("oracle"), seat("cathedral"), seat("gambling-house"))
    game.play("lead tax", "draw deck", "use oracle", "draw deck")
    assert game.plain.used == 0
    game.play("follow", "draw deck", "use cathedral", "draw deck", "use cathedral 1")
    game.play("follow", "draw deck", "use gambling-house")
    game.play(game.legal("discard")[0])
    assert (game.turn, game.phase, game.plain.used) == (1, "lead", 0)


def test_who_is_done_with_powers_says_so_for_this_action_and_for_himself_only() -> None:
    game = table(seat("oracle"), seat("oracle"))
    game.play("lead tax", "draw deck", "done", "follow", "draw deck")
    assert game.legal() == ["done", "use oracle"]
    game.play("done", "lead tax", "draw deck")
    assert game.legal() == ["done", "use oracle"]
    game.play("done", "follow", "draw deck")
    assert game.legal() == ["done", "use oracle"]


def test_what_has_just_come_is_new_in_this_action_and_in_this_village_only() -> None:
    one = seat(hand="oracle", resources="magic magic", coins=4)
    game = table(one, seat("oracle"), seat("library"))
    # it is the first card of its village; in the next turn so are an oracle and a library in others
    game.play("lead build", "build oracle", "pay_all", "draw deck", "lead tax", "draw deck")
    assert (game.turn, game.legal()) == (1, ["done", "use oracle"])
    game.play("done", "follow", "draw deck")
    assert (game.turn, game.phase) == (0, "follow")
    game.play("follow", "draw deck")
    assert game.legal() == ["done", "use oracle"]


def test_no_power_is_used_once_the_hand_is_discarded_down() -> None:
    """The card that is discarded is the only one that could be drawn."""
    eight = "inn/wood mill/wood market/food smithy/food farm/food sawmill/food keep/food vault/food"
    game = table(seat("granary", eight), seat(), piles=["inn/magic"], cards=0)
    game.play("lead harvest", "draw 0")
    assert (game.hand_size(), game.phase) == (9, "limit")
    game.play("discard keep 0")
    assert (game.hand_size(), game.turn, game.phase) == (8, 1, "follow")
