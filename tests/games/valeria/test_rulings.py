"""The rulings of docs/valeria.md: what Thorp does where the printed rules leave a doubt."""

import re
from pathlib import Path

import pytest

from games.valeria.place import Table, again, dealt, seat, table, with_powers
from thorp import Match
from thorp.core.registry import register
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.deck_toml import write
from thorp.games.valeria.decks.known import DECKS
from thorp.games.valeria.rules.deck import Deck
from thorp.games.valeria.rules.powers import Power

register(GAME)

RULES = Path(__file__).parents[3] / "docs" / "valeria.md"


def test_every_ruling_has_a_test_named_after_it() -> None:
    section = RULES.read_text(encoding="utf-8").split("## Rulings")[1].split("\n## ")[0]
    rulings = [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]
    named = [int(name.split("_")[2]) for name in globals() if name.startswith("test_ruling_")]
    assert rulings == sorted(set(named)) == list(range(1, 19))


# --- 1: an empty deck -------------------------------------------------------------------------------------------

PILES = ["inn/wood mill/wood market/food", "granary/stone", "smithy/food farm/food", "keep/food", "oracle/wood"]


def test_ruling_01_the_cards_below_the_tops_are_shuffled_into_a_new_deck_when_one_is_needed() -> None:
    game = table(seat(), seat(), piles=PILES, cards=1)
    game.play("lead harvest", "draw deck")
    assert game.view().deck == 0
    assert "draw deck" in game.legal()
    game.play("draw deck")
    assert [game.pile(pile) for pile in range(5)] == [[pile.split()[0]] for pile in PILES]
    assert game.view().deck == 2
    drawn = set(game.hand()) & {"mill/wood", "market/food", "farm/food"}
    assert len(drawn) == 1


def test_ruling_01_an_emptied_pile_is_filled_from_the_new_deck() -> None:
    game = table(seat(), seat(), piles=PILES, cards=0)
    game.play("lead harvest", "draw 1")
    assert game.pile(1)[0] in ("mill/wood", "market/food", "farm/food")
    assert game.view().deck == 2


def test_ruling_01_with_nothing_to_shuffle_cards_are_drawn_from_piles_only_which_stay_empty() -> None:
    game = table(seat(hand="abbey"), seat(), piles=["inn", "mill"], cards=0)
    game.play("lead harvest")
    assert game.legal() == ["draw 0", "draw 1"]
    game.play("draw 0")
    assert (game.pile(0), game.legal()) == ([], ["draw 1"])
    game.play("draw 1")
    # and none is left
    assert (game.phase, game.turn, game.hand_size()) == ("follow", 1, 3)
    game.play("decline", "lead harvest")
    assert game.turn == 0
    game.play("decline")


def test_ruling_01_a_discard_fills_an_empty_pile() -> None:
    game = table(seat(hand="inn mill"), seat(), piles=[], cards=0)
    game.play("lead develop", "discard inn 2", "develop mill")
    assert [len(game.pile(pile)) for pile in range(5)] == [0, 0, 1, 0, 0]


# --- 2 to 7 -----------------------------------------------------------------------------------------------------


def test_ruling_02_no_limit_to_resources_and_to_the_hand_during_an_action() -> None:
    eight = "inn/wood mill/wood market/food granary/stone smithy/food farm/food keep/food oracle/wood"
    game = table(seat(hand=eight, resources=" ".join(["magic"] * 14)), seat())
    game.play("lead harvest", "draw deck", "draw deck", "draw deck")
    assert game.hand_size() == 11
    game.play(*[f"discard {card} 0" for card in eight.split()[:3]])
    game.play("decline", "lead tax", "draw deck", "decline")
    assert game.turn == 0
    game.play("lead develop", "discard smithy 0", "develop farm")
    assert len(game.resources().split()) == 15


def test_ruling_03_powers_are_offered_until_the_player_is_done_and_none_that_could_do_nothing() -> None:
    game = table(seat("oracle toll-gate"), seat(), bank=2)
    game.play("lead tax", "draw deck")
    assert game.legal() == ["done", "use oracle", "use toll-gate"]
    game.play("use oracle", "draw deck")
    assert game.legal() == ["done", "use toll-gate"]
    # the bank is empty
    game = table(seat("toll-gate"), seat(), bank=1)
    game.play("lead tax", "draw deck")
    assert game.phase == "follow"
    # also where the coin that a power costs would be all that it gives back
    deck = with_powers(bakery=Power("tax", "coins", 2, pay="2 coins"))
    game = table(seat("bakery"), seat(), bank=1, deck=deck)
    game.play("lead tax", "draw deck")
    assert game.phase == "follow"
    # nobody has a card
    game = table(seat("thieves-den"), seat())
    game.play("lead tax", "draw deck")
    assert game.phase == "follow"
    # nothing is left to draw
    game = table(seat("oracle"), seat(), piles=["inn"], cards=0)
    game.play("lead tax", "draw 0")
    assert game.phase == "follow"


def test_ruling_04_a_single_legal_answer_is_given() -> None:
    match = Match(GAME, 2, seed=5)
    while not match.over:
        legal = match.legal(match.waiting[0])
        assert len(legal) > 1
        match.play(match.waiting[0], legal[0 if match.ply % 3 else -1])


def test_ruling_04_declining_is_always_legal() -> None:
    full = seat("oracle", "mill market granary bakery", "food stone wood")
    for action in ("harvest", "develop", "build", "tax"):
        game = table(full, full, phase="follow", action=action, active=0, turn=1)
        assert game.legal() == ["decline", "follow"]


def test_ruling_05_piles_are_open_to_the_bottom() -> None:
    game = table(seat(hand="inn/wood mill/wood"), seat(), piles=["market", "granary", "smithy", "farm", "keep"])
    game.play("lead develop", "discard inn 3", "develop mill")
    for reader in (0, 1, None):
        pile = game.view(reader).piles[3]
        assert [card.building.id for card in pile.cards] == ["inn", "farm"]
        assert pile.top == pile.cards[0]


def test_ruling_06_a_card_taken_face_up_is_known_until_it_leaves_and_one_from_the_deck_is_not() -> None:
    game = table(seat(), seat(), piles=["inn/wood", "mill", "market", "granary", "smithy"])
    game.play("lead harvest", "draw 0", "draw deck", "draw deck")
    for reader in (1, None):
        hand = game.view(reader).players[0]
        assert [own.card.building.id for own in hand.hand] == ["inn"]
        assert (hand.hand_size, hand.hidden) == (3, 2)
    assert len(game.view(0).players[0].hand) == 3
    game.play("decline", "lead tax", "draw 1", "decline", "lead develop", "discard inn/wood 0")
    assert [own.card.building.id for own in game.view(1).players[0].hand] == []


def test_ruling_07_a_table_chooses_seats_and_deck() -> None:
    assert list(GAME.seats) == [1, 2, 3, 4, 5]
    assert [option.id for option in GAME.options] == ["deck"]
    text = write(with_powers(bakery=Power("tax", "draw", 4)))
    match = Match(GAME, 2, {"deck": text}, seed=1)
    assert match.view(0).deck_name == "Test deck"
    assert Match(GAME, 2, seed=1).view(0).deck_name == "Second Thorp deck"
    assert Match(GAME, 2, {"deck": "standard"}, seed=1).view(0).deck_name == "Thorp deck"
    assert Match.load(match.export()).digest() == match.digest()


# --- 8: taking cards --------------------------------------------------------------------------------------------


def taken(game: Table) -> str:
    """Take a card from seat 1; which one it was."""
    before = game.hand(1)
    game.play("lead tax", "draw 0", "use thieves-den", "take 1")
    (card,) = set(before) - set(game.hand(1))
    return card


def test_ruling_08_a_card_that_is_taken_is_random() -> None:
    found = set()
    for seed in range(60):
        game = table(seat("thieves-den"), seat(hand="inn mill farm keep"), seat())
        GAME.determinize(game.state, 1, seed)
        found.add(taken(game))
    assert len(found) == 4


def test_ruling_08_only_the_two_players_know_a_hidden_card() -> None:
    game = table(seat("thieves-den"), seat(hand="inn"), seat())
    card = taken(game)
    for reader, knows in ((0, True), (1, True), (2, False), (None, False)):
        hand = [f"{own.card.building.id}/{own.card.resource}" for own in game.view(reader).players[0].hand]
        assert (card in hand) == knows


def test_ruling_08_all_see_where_the_only_card_of_a_hand_goes() -> None:
    game = table(seat("thieves-den"), seat(known="inn"), seat())
    card = taken(game)
    for reader in (0, 1, 2, None):
        hand = [f"{own.card.building.id}/{own.card.resource}" for own in game.view(reader).players[0].hand]
        assert card in hand
        assert game.view(reader).players[1].hand == ()


def test_ruling_06_what_all_knew_of_a_hand_ends_when_a_card_is_taken_from_it() -> None:
    game = table(seat("thieves-den"), seat(hand="mill", known="inn farm"), seat())
    before = {each.split("/")[0] for each in game.hand(1)}
    game.play("lead tax", "draw 0", "use thieves-den", "take 1")

    def known(reader: int | None, owner: int) -> set[str]:
        return {own.card.building.id for own in game.view(reader).players[owner].hand}

    left = known(1, 1)
    (card,) = before - left
    # the third seat and who watches know the card of the pile that all saw, and of the two hands nothing else
    for reader in (2, None):
        assert known(reader, 1) == set()
        assert card not in known(reader, 0)
        assert len(known(reader, 0)) == 1
    # the two know which card it was; the thief is sure of what it knew of the rest
    assert card in known(1, 0)
    assert card in known(0, 0)
    assert known(0, 1) == left - {"mill"}


# --- 9 to 16 ----------------------------------------------------------------------------------------------------


def test_ruling_09_ten_rounds_without_develop_build_and_recruit_end_the_game() -> None:
    for seats in (2, 3):
        game = table(*[seat()] * seats, idle=1)
        turns = 0
        while not game.over:
            if game.phase == "lead":
                game.play("lead tax")
                turns += 1
            game.play(*(["draw 0"] if game.phase == "draw" else [game.legal()[0]]))
        assert turns == 10 * seats


def test_ruling_09_each_of_the_three_starts_the_count_again() -> None:
    for idle in (7, 15):
        game = table(seat(hand="inn mill"), seat(), idle=idle)
        game.play("lead develop", "discard inn 0", "develop mill")
        assert game.plain.idle == 1
        game = table(seat(hand="hideout", resources="wood"), seat(), idle=idle)
        game.play("lead build", "build hideout", "pay_own wood", "draw deck")
        assert game.plain.idle == 1
        game = table(seat("armory oracle"), seat(), pool="paladin", idle=idle)
        game.play("lead recruit", "recruit paladin")
        assert game.plain.idle == 1
        game = table(seat(), seat(), idle=idle)
        game.play("lead tax", "draw deck", "decline")
        assert game.plain.idle == idle + 1


def test_ruling_09_ends_no_solo_game() -> None:
    game = table(seat("granary"), turned=3, idle=3)
    while not game.over:
        solo_turn(game)
    assert (game.view().turned, game.plain.idle) == (35, 35)


def inns(copies: int) -> Deck:
    """The deck of the tests with so many cards of the inn that are alike."""
    inn = 'name = "Inn"\ntype = "worker"\ncost = { food = 2 }\npoints = 1\ncopies = '
    text = write(with_powers())
    assert f'{inn}["wood", "magic"]' in text
    wood = ", ".join(['"wood"'] * copies)
    return DECKS.of_value(text.replace(f'{inn}["wood", "magic"]', f"{inn}[{wood}]"))


def seen_inns(game: Table, reader: int | None) -> int:
    """How many inns a reader knows in the first hand."""
    return sum(own.count for own in game.view(reader).players[0].hand if own.card.building.id == "inn")


def test_ruling_10_of_two_cards_alike_nobody_can_tell_which_one_was_played() -> None:
    game = table(seat(hand="inn mill", known="inn"), seat(), deck=inns(2))
    assert len(game.legal("lead develop")) == 1
    assert [own.card.building.id for own in game.view(1).players[0].hand] == ["inn"]
    game.play("lead develop")
    # one move for both of them
    assert len(game.legal("discard inn/wood 0")) == 1
    game.play("discard inn 0")
    assert game.view(1).players[0].hand == ()
    # both known: one stays known
    game = table(seat(hand="mill", known="inn inn"), seat(), deck=inns(2))
    game.play("lead develop", "discard inn 0")
    assert [own.card.building.id for own in game.view(1).players[0].hand] == ["inn"]


@pytest.mark.parametrize("moves", [("lead develop", "discard mill 0", "develop inn"), ("lead build", "build inn")])
def test_ruling_10_holds_for_cards_that_are_developed_or_built(moves: tuple[str, ...]) -> None:
    game = table(seat(hand="inn mill", known="inn", resources="food"), seat(), deck=inns(2)).play(*moves)
    assert (seen_inns(game, 0), seen_inns(game, 1), seen_inns(game, None)) == (1, 0, 0)


@pytest.mark.parametrize(("known", "left"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_ruling_10_of_three_cards_alike_nobody_can_tell_which_one_was_played(known: int, left: int) -> None:
    hand = seat(hand="inn " * (3 - known) + "mill", known="inn " * known)
    # the ones that all know are the last, the first or in the middle of the hand
    for shift in range(3):
        made = table(hand, seat(), deck=inns(3)).plain
        cards = [card for card, (building, _) in enumerate(inns(3).cards) if building.id == "inn"]
        marks = [made.cards[card].knows for card in cards]
        for place, card in enumerate(cards):
            made.cards[card].knows = marks[(place + shift) % 3]
        game = again(made).play("lead develop", "discard inn 0")
        assert (seen_inns(game, 1), seen_inns(game, None)) == (left, left), shift


def test_ruling_10_the_one_that_stays_may_be_the_one_from_the_deck() -> None:
    made = table(seat(hand="inn mill", known="inn"), seat(), deck=inns(2), origin=1).plain
    for place in range(made.deck_size):
        made.cards[made.deck[place]].origin = 1
    hidden = made.players[0].hand - 1
    made.cards[hidden].origin = 1
    game = again(made).play("lead develop", "discard inn 0")
    stays = set()
    for seed in range(30):
        world = game.copy()
        GAME.determinize(world.state, 1, seed)
        stays.add(seen_inns(world, 0))
    assert 0 in stays


def test_ruling_11_who_has_cards_is_asked_about_develop_and_build() -> None:
    three = seat(hand="farm keep oracle")
    game = table(seat(hand="inn mill"), seat(hand="granary smithy"), three, seat())
    game.play("lead develop", "discard inn 0", "develop mill")
    assert (game.turn, game.legal()) == (1, ["decline"])
    game.play("decline")
    assert (game.turn, game.legal()) == (2, ["decline", "follow"])
    game.play("decline")
    # the last seat has no cards
    assert (game.turn, game.phase) == (1, "lead")
    builder = seat(hand="hideout", resources="wood")
    game = table(builder, seat(), seat(hand="cathedral"), seat(hand="chapel", resources="stone"))
    game.play("lead build", "build hideout", "pay_own wood", "draw deck")
    # the hand of seat 2 has nothing to build, but that is its secret
    assert (game.turn, game.legal()) == (2, ["decline"])
    game.play("decline")
    assert (game.turn, game.legal()) == (3, ["decline", "follow"])


def test_ruling_12_the_cheapest_way() -> None:
    """One after the other: a free power, an own resource, the castle, a power that costs, others clockwise."""
    deck = with_powers(
        bakery=Power("paying", "resource", of="food"),
        mill=Power("paying", "resource", of="stone", pay="1 coin"),
    )
    me = seat("bakery mill", "citadel", "wood", coins=5)
    first, second = seat(resources="food wood stone stone"), seat(resources="food wood stone magic")
    game = table(me, first, second, phase="build", action="build", deck=deck, bank=0)
    game.play("build citadel/wood", "pay_all")
    # food by the bakery, wood by the own; stone, which lacks most, by the castle and the mill; magic by another
    assert (game.resources(0), game.player().castle_coin, game.bank) == ("wood*", True, 1)
    assert (game.resources(1), game.resources(2)) == ("food wood stone stone", "food wood stone magic*")


def test_ruling_12_what_is_any_kind_pays_what_is_lacking_though_there_is_as_much_of_it() -> None:
    deck = with_powers(mill=Power("paying", "resource", of="any"))
    me = seat("mill", "armory", "wood stone")
    game = table(me, seat(resources="wood stone"), phase="build", action="build", deck=deck)
    game.play("build armory", "pay_all")
    assert (game.resources(0), game.resources(1), game.player().castle_coin) == ("wood* stone*", "wood stone", False)


def test_ruling_12_what_is_any_kind_pays_what_the_seat_lacks_most() -> None:
    game = table(seat(hand="toll-gate", resources="wood"), seat(resources="wood stone"), phase="build", action="build")
    game.play("build toll-gate", "pay_all")
    assert (game.resources(0), game.resources(1), game.player().castle_coin) == ("wood*", "wood stone", True)


def test_ruling_13_what_cannot_be_drawn_or_taken_is_lost() -> None:
    game = table(seat(), seat(), piles=["inn"], cards=0)
    game.play("lead harvest", "draw 0")
    assert (game.hand_size(), game.phase) == (1, "follow")
    game.play("follow")
    assert (game.hand_size(1), game.turn, game.phase) == (0, 1, "lead")
    deck = with_powers(bakery=Power("tax", "take", 3))
    game = table(seat("bakery"), seat(hand="inn"), deck=deck)
    game.play("lead tax", "draw deck", "use bakery", "take 1")
    assert (game.hand_size(0), game.phase, game.plain.takes) == (2, "follow", 0)


def test_ruling_13_a_card_that_is_discarded_for_a_power_can_be_drawn_by_it() -> None:
    deck = with_powers(bakery=Power("harvest", "draw", pay="1 card"))
    game = table(seat("bakery", "inn"), seat(), piles=[], cards=0, deck=deck)
    game.play("lead harvest", "use bakery", "discard inn 1")
    assert game.legal() == ["draw 1"]


def test_ruling_14_recruit_is_paid_before_the_choice_and_never_below_nothing() -> None:
    game = table(seat("armory oracle"), seat(), pool="paladin assassin", bank=0)
    game.play("lead recruit")
    assert (game.phase, game.coins(), game.bank) == ("recruit", 2, 1)
    game = table(seat("squire training-yard inn", coins=0), seat(), pool="knight")
    assert game.player().recruit_follow == 0
    game.play("lead recruit")
    assert game.coins() == 0


def test_ruling_15_a_resource_power_gives_one_resource_and_its_price_goes_to_bank_and_piles() -> None:
    game = table(seat("black-market", "granary", "wood", coins=2), seat(), phase="build", action="build", bank=0)
    game.play("build granary", "pay_costly black-market wood")
    assert (game.bank, game.view().owed) == (1, ("wood",))
    game = table(seat("smugglers-cove", "granary inn", "wood"), seat(), phase="build", action="build")
    game.play("build granary", "pay_costly smugglers-cove wood", "discard inn 4")
    assert (game.pile(4)[0].split("/")[0], game.view().owed) == ("inn", ("wood",))


def test_ruling_16_no_powers_at_setup() -> None:
    game = dealt(3)
    while game.phase == "setup":
        game.play(game.legal()[0])
    assert game.phase == "lead"
    assert game.village(0) == game.village(1) == game.village(2) == ""


# --- 17: solo ---------------------------------------------------------------------------------------------------


def solo_turn(game: Table) -> None:
    """Lead Tax and draw from the deck."""
    game.play("lead tax")
    while game.phase != "lead" and not game.over:
        game.play(game.legal()[0])


def test_ruling_17_solo_has_the_coins_piles_and_adventurers_of_two() -> None:
    game = dealt(1)
    assert (game.coins(), game.bank, len(game.pool()), game.view().deck) == (3, 11, 5, 84 - 6 - 5)


def test_ruling_17_solo_a_card_is_turned_before_each_turn_onto_the_lowest_pile() -> None:
    game = dealt(1, seed=2)
    game.play(game.legal()[0])
    assert game.view().turned == 1
    assert [len(game.pile(pile)) for pile in range(5)] == [2, 1, 1, 1, 1]
    game.play("lead tax", "draw 0")
    while game.phase != "lead":
        game.play(game.legal()[0])
    assert game.view().turned == 2
    assert [len(game.pile(pile)) for pile in range(5)] == [2, 1, 1, 1, 1]


def test_ruling_17_solo_the_leftmost_adventurer_who_asks_for_that_type_leaves() -> None:
    seen = set()
    for seed in range(40):
        game = dealt(1, seed)
        before = game.pool()
        asks = [set(place.card.types) for place in game.view().adventurers if place.card]
        game.play(game.legal()[0])
        type = game.view().piles[0].cards[0].building.type
        leaves = next((slot for slot in range(5) if type in asks[slot]), None)
        assert [game.pool()[slot] != before[slot] for slot in range(5)] == [slot == leaves for slot in range(5)]
        assert game.view().adventurer_deck == 11 - (leaves is not None)
        seen.add(leaves)
    assert {0, 1} <= seen


def test_ruling_17_solo_nobody_follows_and_powers_against_opponents_do_nothing() -> None:
    game = table(seat("thieves-den"), turned=3)
    game.play("lead tax", "draw deck")
    assert (game.phase, game.turn, game.view().turned) == ("lead", 0, 4)


def test_ruling_17_solo_ends_after_the_turn_of_the_35th_card() -> None:
    game = dealt(1, seed=3)
    game.play(game.legal()[0])
    for turn in range(1, 35):
        assert (game.view().turned, game.over) == (turn, False)
        if turn % 8 == 0:
            develop(game)
        else:
            solo_turn(game)
    assert (game.view().turned, game.over, game.phase) == (35, False, "lead")
    solo_turn(game)
    assert game.over


def develop(game: Table) -> None:
    """Lead Develop with any cards."""
    game.play("lead develop")
    while game.phase != "lead" and not game.over:
        game.play(game.legal()[0])


def test_ruling_17_solo_ends_with_a_village_of_twelve() -> None:
    eleven = "armory guard-tower keep palisade inn mill bakery market oracle abbey chapel"
    game = table(seat(eleven, "hideout", "wood"), turned=9)
    game.play("lead build", "build hideout", "pay_own wood", "draw deck")
    assert game.phase == "powers"
    game.play("done")
    assert game.over


def test_ruling_17_solo_a_turn_counts_when_no_card_can_be_turned() -> None:
    game = table(seat(hand="inn mill keep"), piles=[], cards=0, turned=4)
    game.play("lead develop", "discard inn 0", "develop keep")
    assert (game.view().turned, game.pile(0)[0].split("/")[0], len(game.pile(1))) == (5, "inn", 0)


# --- 18: taking back --------------------------------------------------------------------------------------------


def test_ruling_18_own_steps_can_be_taken_back_until_chance_or_another_player() -> None:
    def barriers(game: Table, *moves: str) -> list[bool]:
        found = []
        for move in moves:
            before = game.plain.barrier
            game.play(move)
            found.append(game.plain.barrier > before)
        return found

    me = seat(hand="toll-gate inn", resources="wood")
    game = table(me, seat(hand="mill"), piles=["farm keep", "oracle", "abbey", "vault", "market"])
    moves = ("lead build", "build toll-gate", "pay_castle stone", "pay_own wood", "draw 0")
    # the last one is followed by another player's move
    assert barriers(game, *moves) == [False] * 4 + [True]
    game = table(seat(hand="inn mill"), seat(), piles=["farm keep", "oracle", "abbey", "vault", "market"])
    assert barriers(game, "lead harvest", "draw 0", "draw deck", "draw 1") == [False, False, True, True]
    game = table(
        seat("thieves-den oracle"), seat(hand="mill inn"), piles=["farm keep", "oracle", "abbey", "vault", "market"]
    )
    assert barriers(game, "lead tax", "draw 0", "use thieves-den", "take 1") == [False, False, False, True]
    game = table(seat("armory oracle"), seat(), pool="paladin")
    assert barriers(game, "lead recruit", "recruit paladin") == [False, True]
