"""Paying a building: coins on own and others' resources, the castle, resource powers, in any mix."""

import itertools
import random
from dataclasses import replace

import pytest

from games.valeria.place import RULES_DECK, Table, seat, table, with_powers
from thorp.games.valeria.rules.powers import RESOURCES, Power

FREE_ANY = Power("paying", "resource", of="any")


def paying(*seats: object, build: str, **fields: object) -> Table:
    """The first seat has chosen what it builds."""
    game = table(*seats, phase="build", action="build", **fields)  # type: ignore[arg-type]
    return game.play(f"build {build}")


def test_a_coin_on_an_own_resource_stays_the_own() -> None:
    game = paying(seat(hand="hideout", resources="wood", coins=1), seat(), build="hideout")
    game.play("pay_own wood")
    assert (game.coins(), game.player().all_coins, game.resources()) == (0, 1, "wood*")


def test_a_coin_on_anothers_resource_is_his() -> None:
    game = paying(seat(hand="hideout", coins=1), seat(resources="wood", coins=0), seat(), build="hideout")
    assert game.legal() == ["pay_castle wood", "pay_other 1 wood"]
    game.play("pay_other 1 wood")
    assert (game.player(0).all_coins, game.player(1).all_coins, game.resources(1)) == (0, 1, "wood*")


def test_no_coin_on_a_resource_that_bears_one() -> None:
    game = paying(seat(hand="hideout", resources="wood*", coins=2), seat(resources="wood*"), build="hideout")
    assert game.legal() == ["pay_castle wood"]


def test_resources_are_of_the_kind_that_is_asked_for() -> None:
    resources = "food stone magic"
    game = paying(seat(hand="hideout", resources=resources), seat(resources=resources), build="hideout")
    assert game.legal() == ["pay_castle wood"]


def test_the_castle_is_any_kind_once_until_it_is_replenished() -> None:
    game = paying(seat(hand="tannery", resources="food wood"), seat(), build="tannery")
    assert game.legal("pay_castle") == ["pay_castle food", "pay_castle wood"]
    game.play("pay_castle food")
    assert game.legal() == ["pay_own wood"]
    assert game.player().castle_coin


def test_a_castle_serves_its_owner_alone() -> None:
    assert table(seat(hand="hideout", castle=True, coins=1), seat(coins=5)).legal("lead build") == []


def test_a_coin_that_lies_on_a_card_cannot_be_spent() -> None:
    assert table(seat(hand="hideout", resources="wood food*", castle=True, coins=0), seat()).legal("lead build") == []


def test_resource_powers_need_no_coin() -> None:
    game = paying(seat("farm", "bakery", coins=0), seat(), build="bakery")
    assert game.legal() == ["pay_free farm food"]
    game.play("pay_free farm food")
    assert game.village() == "farm bakery"


def test_a_resource_power_works_once_an_action() -> None:
    # the inn costs 2 food
    assert table(seat("farm", "inn", coins=0), seat()).legal("lead build") == []
    game = paying(seat("farm", "inn", "food", coins=1), seat(), build="inn")
    game.play("pay_free farm food")
    assert game.legal() == ["pay_castle food", "pay_own food"]


def test_a_resource_power_works_again_in_the_next_action_also_when_following() -> None:
    one = seat("farm", "bakery inn", "food", coins=2)
    game = table(one, seat("farm", "bakery", coins=0))
    game.play("lead build", "build bakery", "pay_free farm food", "draw deck")
    # the farm of the leader is used, that of the follower is not
    assert game.legal() == ["decline", "follow"]
    game.play("follow", "build bakery", "pay_free farm food")
    game.play("lead build") if "lead build" in game.legal() else game.play("lead tax", "draw deck")
    while not (game.turn == 0 and game.phase == "lead"):
        game.play(game.legal()[0])
    game.play("lead build", "build inn")
    assert "pay_free farm food" in game.legal()


def test_two_powers_of_one_kind_do_not_pay_another() -> None:
    wood = Power("paying", "resource", of="wood", pay="1 card")
    deck = with_powers(bakery=wood, mill=wood)
    # the toll gate costs wood and stone: for the stone there is only the castle
    hand = "toll-gate inn chapel"
    assert table(seat("bakery mill", hand, coins=0), seat(), deck=deck).legal("lead build") == []
    game = table(seat("bakery mill", hand, coins=1), seat(), deck=deck)
    game.play("lead build", "build toll-gate")
    assert game.legal("pay_castle") == ["pay_castle stone"]


def test_what_the_leader_has_used_says_nothing_of_others() -> None:
    other = seat("farm", "bakery", coins=0)
    game = paying(seat("farm", "bakery granary", "wood wood", coins=3), other, build="bakery")
    game.play("pay_free farm food")
    assert [own.can_build for own in game.player(1).hand] == [True]


def test_a_resource_power_that_costs_a_card() -> None:
    deck = with_powers(bakery=Power("paying", "resource", of="wood", pay="1 card"))
    game = paying(seat("bakery", "hideout inn", coins=0), seat(), build="hideout", deck=deck)
    assert game.legal() == ["pay_costly bakery wood"]
    game.play("pay_costly bakery wood")
    assert game.phase == "discard"
    game.play("discard inn 2")
    assert (game.village(), game.hand_size(), game.phase) == ("bakery hideout", 0, "draw")


def test_a_resource_power_that_costs_a_card_needs_one_beside_the_building() -> None:
    deck = with_powers(bakery=Power("paying", "resource", of="wood", pay="1 card"))
    assert table(seat("bakery", "hideout", coins=0), seat(), deck=deck).legal("lead build") == []


def test_a_resource_power_that_costs_a_coin_pays_the_bank() -> None:
    deck = with_powers(bakery=Power("paying", "resource", of="wood", pay="1 coin"))
    game = paying(seat("bakery", "hideout", coins=1, castle=True), seat(), build="hideout", deck=deck, bank=3)
    assert game.legal() == ["pay_costly bakery wood"]
    game.play("pay_costly bakery wood")
    assert (game.coins(), game.bank, game.village()) == (0, 4, "bakery hideout")


def test_a_resource_power_of_any_kind() -> None:
    deck = with_powers(bakery=FREE_ANY)
    game = paying(seat("bakery", "tannery", coins=1), seat(), build="tannery", deck=deck)
    assert game.legal("pay_free") == ["pay_free bakery food", "pay_free bakery wood"]
    game.play("pay_free bakery wood")
    assert game.legal() == ["pay_castle food"]


def test_only_ways_with_which_the_rest_can_still_be_paid_are_offered() -> None:
    # the castle is needed for the stone: nobody has one
    game = paying(seat(hand="toll-gate", resources="wood", coins=2), seat(), build="toll-gate")
    assert game.legal() == ["pay_all", "pay_castle stone", "pay_own wood"]


DEAR = replace(
    RULES_DECK,
    name="Five of a kind",
    buildings=tuple(
        replace(each, cost=(0, 5, 0, 0)) if each.id == "hideout" else each
        for each in with_powers(
            **{id: Power("paying", "resource", of="wood") for id in ("bakery", "mill", "palisade", "chapel", "inn")}
        ).buildings
    ),
)


@pytest.mark.parametrize(
    ("village", "own", "others", "coins"),
    [
        # five resources of one kind, own and others', five powers, and a mix
        ("", "wood wood wood wood wood", "", 5),
        ("", "", "wood wood wood wood wood", 5),
        ("", "wood wood", "wood wood wood", 5),
        ("bakery mill palisade chapel inn", "", "", 0),
        ("bakery mill", "wood wood", "wood", 3),
    ],
)
def test_five_resources_of_one_kind_can_be_paid(village: str, own: str, others: str, coins: int) -> None:
    # the coin on the castle keeps it from helping
    me = seat(village, "hideout", own, coins, castle=True)
    game = table(me, seat(resources=others), seat(), phase="build", action="build", deck=DEAR)
    assert game.legal("build")
    game.play(*game.legal("build"))
    while game.view().owed:
        game.play(game.legal()[-1])
    assert "hideout" in [own.card.id for own in game.player().village]


def test_four_resources_of_one_kind_do_not_pay_five() -> None:
    four = seat("", "hideout", "wood wood wood wood", 9, castle=True)
    game = table(four, seat(), phase="build", action="build", deck=DEAR)
    assert not game.legal("build")


def test_mixed_payment() -> None:
    game = paying(
        seat("farm", "warehouse", "wood", coins=3), seat(resources="stone"), seat(resources="wood"), build="warehouse"
    )
    game.play("pay_free farm food", "pay_other 2 wood", "pay_castle wood")
    assert game.legal() == ["pay_other 1 stone"]
    game.play("pay_other 1 stone")
    assert game.village() == "farm warehouse"


# --- all at once ------------------------------------------------------------------------------------------------


def test_pay_all_takes_free_powers_then_own_resources_then_the_castle_then_others() -> None:
    me = seat("farm", "warehouse", "food wood", coins=3)
    game = paying(me, seat(resources="food wood wood stone"), seat(resources="stone"), build="warehouse")
    game.play("pay_all")
    assert game.village() == "farm warehouse"
    # the food by the farm, a wood by the own one and one by the castle, the stone by the next seat's
    assert (game.resources(0), game.player().castle_coin) == ("food wood*", True)
    assert (game.resources(1), game.resources(2)) == ("food wood wood stone*", "stone")


def test_pay_all_keeps_the_castle_for_what_only_it_can_pay() -> None:
    game = paying(seat(hand="toll-gate", coins=2), seat(resources="wood"), build="toll-gate")
    game.play("pay_all")
    assert (game.resources(1), game.player().castle_coin) == ("wood*", True)
    assert game.village() == "toll-gate"


def test_pay_all_asks_which_card_a_power_costs_and_goes_on() -> None:
    deck = with_powers(bakery=Power("paying", "resource", of="wood", pay="1 card"))
    me = seat("bakery", "toll-gate inn", coins=3)
    game = paying(me, seat(resources="wood stone"), build="toll-gate", deck=deck)
    game.play("pay_all")
    # the castle pays one of them, the power the wood: a coin for another seat is dearer than a card
    assert game.phase == "discard"
    game.play("discard inn 0")
    assert (game.village(), game.phase) == ("bakery toll-gate", "draw")
    assert game.resources(1) == "wood stone"


def test_pay_all_is_not_offered_for_the_last_resource() -> None:
    assert "pay_all" not in paying(seat(hand="hideout", resources="wood"), seat(), build="hideout").legal()


# --- against trying it all --------------------------------------------------------------------------------------


def can_pay(needs: list[int], coins: int, cards: int, sources: list[tuple[str, int, int]]) -> bool:
    """Whether needs (kinds, one by one) can be paid, by trying every source for each: (kind or any, coins, cards)."""
    if coins < 0 or cards < 0:
        return False
    if not needs:
        return True
    for index, (kind, coin, card) in enumerate(sources):
        if kind in ("any", RESOURCES[needs[0]]):
            rest = sources[:index] + sources[index + 1 :]
            if can_pay(needs[1:], coins - coin, cards - card, rest):
                return True
    return False


PRICES = {"": (0, 0), "1 coin": (1, 0), "1 card": (0, 1)}
BUILDINGS = ("armory", "farm", "tannery", "warehouse", "cathedral", "citadel", "vault", "inn", "keep")


@pytest.mark.parametrize("seed", range(60))
def test_what_can_be_paid_is_what_can_be_found_by_trying_all_ways(seed: int) -> None:
    rng = random.Random(seed)
    owners = ("bakery", "mill", "palisade", "hideout", "chapel")
    for _ in range(6):
        kinds = {id: rng.choice((*RESOURCES, "any")) for id in owners}
        prices = {id: rng.choice(tuple(PRICES)) for id in owners}
        deck = with_powers(**{id: Power("paying", "resource", of=kinds[id], pay=prices[id]) for id in owners})
        mine = rng.sample(owners, rng.randint(0, 4))
        own = [rng.choice(RESOURCES) for _ in range(rng.randint(0, 2))]
        others = [rng.choice(RESOURCES) for _ in range(rng.randint(0, 2))]
        coins, spare, castle = rng.randint(0, 4), rng.randint(0, 3), rng.random() < 0.5
        build = rng.choice(BUILDINGS)
        spares = ["quarry/food", "stables/stone", "library/food"][:spare]
        me = seat(" ".join(mine), " ".join([build, *spares]), " ".join(own), coins, castle=castle)
        game = table(me, seat(resources=" ".join(others)), phase="build", action="build", deck=deck)
        sources = [(kind, 1, 0) for kind in own + others] + ([] if castle else [("any", 1, 0)])
        sources += [(kinds[id], *PRICES[prices[id]]) for id in mine]
        cost = next(building for building in deck.buildings if building.id == build).cost
        needs = [kind for kind, n in enumerate(cost) for _ in range(n)]
        assert bool(game.legal(*(f"build {build}/{kind}" for kind in RESOURCES))) == can_pay(
            needs, coins, spare, sources
        ), (seed, build, mine, own, others, coins, spare, castle)


def test_every_way_to_pay_ends_with_the_building_in_the_village() -> None:
    """No dead ends: whatever is chosen of what is offered, all is paid in the end."""
    for seed, build in itertools.product(range(40), BUILDINGS):
        rng = random.Random(seed)
        deck = with_powers(
            bakery=Power("paying", "resource", of="stone", pay="1 card"),
            mill=FREE_ANY,
            hideout=Power("paying", "resource", of="any", pay="1 coin"),
            chapel=Power("paying", "resource", of="any", pay="1 card"),
        )
        village = " ".join(rng.sample(["bakery", "mill", "hideout", "chapel"], rng.randint(0, 4)))
        resources = [" ".join(rng.choice(RESOURCES) for _ in range(3)) for _ in range(2)]
        me = seat(village, f"{build} stables", resources[0], rng.randint(0, 4))
        game = table(me, seat(resources=resources[1]), phase="build", action="build", deck=deck)
        chosen = [move for move in game.legal() if move.startswith(f"build {build}/")]
        if not chosen:
            continue
        game.play(chosen[0])
        while game.phase in ("pay", "discard"):
            game.play(rng.choice(game.legal()))
        assert build in game.village().split()
        assert game.coins() >= 0


# --- the suggestion ---------------------------------------------------------------------------------------------


def suggested(game: Table, reader: int | None = 0) -> list[str]:
    """What the view says that the cheapest way pays with."""
    return [payment.step for payment in game.view(reader).cheapest]


def test_the_view_suggests_the_cheapest_way_to_the_payer_only() -> None:
    me = seat("farm", "warehouse", "food wood", coins=3)
    game = paying(me, seat(resources="food wood wood stone"), seat(resources="stone"), build="warehouse")
    assert sorted(suggested(game)) == ["castle", "power-0-0", "resource-0-wood", "resource-1-stone"]
    assert suggested(game, 1) == suggested(game, None) == []
    ways = {payment.step: (payment.way, payment.owner) for payment in game.view(0).cheapest}
    assert ways["resource-1-stone"] == ("other", 1)
    assert ways["power-0-0"] == ("power", None)
    assert game.phase == "pay"


def test_the_suggestion_goes_on_behind_a_power_that_costs_a_card() -> None:
    deck = with_powers(bakery=Power("paying", "resource", of="wood", pay="1 card"))
    me = seat("bakery", "armory inn", "stone", 3)
    game = paying(me, seat(resources="stone"), build="armory", deck=deck)
    assert sorted(suggested(game)) == ["castle", "power-0-0", "resource-0-stone"]
    assert game.hand_size() == 1


def test_the_suggestion_is_what_pay_all_does() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        deck = with_powers(bakery=FREE_ANY, mill=Power("paying", "resource", of="any", pay="1 coin"))
        resources = [" ".join(rng.choice(RESOURCES) for _ in range(3)) for _ in range(3)]
        village = " ".join(rng.sample(["bakery", "mill"], rng.randint(0, 2)))
        others = [seat(resources=each) for each in resources[1:]]
        game = table(seat(village, "citadel", resources[0], 5), *others, phase="build", action="build", deck=deck)
        if not game.legal("build citadel/wood"):
            continue
        game.play("build citadel/wood")
        steps = suggested(game)
        game.play("pay_all")
        coins = [sum(own.coins for own in game.player(each).resources) for each in range(3)]
        assert coins == [sum(step.startswith(f"resource-{each}-") for step in steps) for each in range(3)]
        assert game.player().castle_coin == ("castle" in steps)


def test_the_cheapest_way_lays_as_few_coins_at_others_as_can_be() -> None:
    """Against trying all ways to pay, where no power costs a card."""

    def fewest(game: Table) -> int:
        found = []
        for move in game.legal("pay_own", "pay_castle", "pay_free", "pay_other"):
            after = game.copy().play(move)
            given = int(move.startswith("pay_other"))
            found.append(given + (fewest(after) if after.phase == "pay" else 0))
        return min(found)

    tried = 0
    for seed in range(24):
        rng = random.Random(seed)
        deck = with_powers(bakery=FREE_ANY, mill=Power("paying", "resource", of="stone"))
        resources = [" ".join(rng.choice(RESOURCES) for _ in range(n)) for n in (2, 4)]
        village = " ".join(rng.sample(["bakery", "mill"], rng.randint(0, 2)))
        build = rng.choice(["armory", "sawmill", "tannery", "farm"])
        me = seat(village, build, resources[0], 5)
        game = table(me, seat(resources=resources[1]), phase="build", action="build", deck=deck)
        moves = [move for move in game.legal() if move.startswith("build")]
        if not moves:
            continue
        game.play(moves[0])
        tried += 1
        others = sum(step.startswith("resource-1-") for step in suggested(game))
        assert others == fewest(game), (seed, build, resources, village)
    assert tried > 5
