"""The rules of Villages of Valeria against their referee, and the referee against worked examples of the rules."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from refereeing import PLAYERS, Move, Player, hold, hold_many

import thorp
from games.valeria.random_deck import COUNTED, ONE_KIND, STYLES, deck_text
from games.valeria.referee import (
    ACTIONS,
    COINS_IN_GAME,
    RESOURCES,
    THORP_DECKS,
    Building,
    GameReferee,
    Purse,
    Seat,
    counted,
    deck_of,
    payable,
    points,
    rank,
)
from games.valeria.rigging import Table, put_together
from thorp.compiling.mode import COMPILED
from thorp.games.valeria.rules.state import FOLLOW, LEAD, LIMIT, OVER, PILES, POOL, WATCHER, State

GAME = thorp.game("valeria")
STANDARD = {"deck": "standard"}
DECK = deck_of(STANDARD)

# --- games held against the referee ---


@pytest.mark.parametrize("part", range(8) if COMPILED else range(6))
def test_the_rules_are_as_the_referee_has_them(part: int) -> None:
    games = 11 if COMPILED else 1
    assert hold_many(GAME, GameReferee, games, first_seed=games * part) > 0


@pytest.mark.parametrize("first", [11, 33] if COMPILED else [16])
def test_games_with_one_resource_of_which_much_is_paid(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.valeria.random_deck.STYLES", (ONE_KIND,))
    assert hold_many(GAME, GameReferee, 11 if COMPILED else 1, first) > 0


def test_a_rigged_deal_is_rigged_alike_again() -> None:
    """What was rigged is not taken for what is dealt the next time."""
    plies = {hold(GAME, GameReferee, 2, GAME.options_for(2), 41, "random", rigged=True) for _ in range(3)}
    assert len(plies) == 1


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_deal_is_as_the_page_has_it(seats: int) -> None:
    for seed in range(20 if COMPILED else 2):
        options = GameReferee.options(GAME, seats, random.Random(seed))
        state = GAME.state()
        GAME.deal(state, seats, GAME.option_list(options), seed)
        GameReferee(seats, options, GAME.plain(state)).check_untouched()


@pytest.mark.skipif(not COMPILED, reason="long games")
@pytest.mark.parametrize("seats", GAME.seats)
def test_games_in_which_nobody_does_anything(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def idle_player(rng: random.Random) -> Player:
        def choose(game: thorp.Game, state: object, seat: int, moves: list[int]) -> int:
            families = {move: game.moves.decode(move) for move in moves}
            dull = [
                move
                for move, (family, arguments) in families.items()
                if family in ("decline", "done") or (family == "lead" and ACTIONS[arguments["action"]] == "tax")
            ]
            return rng.choice(dull or moves)

        return choose

    monkeypatch.setitem(PLAYERS, "idle", idle_player)
    hold(GAME, GameReferee, seats, STANDARD, seats, "idle")


@pytest.mark.parametrize("style", range(len(STYLES)))
def test_every_style_of_random_deck_is_legal(style: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.valeria.random_deck.STYLES", STYLES[style : style + 1])
    for seed in range(10):
        assert GAME.options_for(5, {"deck": deck_text(random.Random(seed))})["deck"] != "standard"


# --- the referee itself ---

Lists = Sequence[Sequence[str]]


def table(
    villages: Lists,
    hands: Lists = (),
    resources: Lists = (),
    coins: Sequence[int] = (),
    pool: Sequence[str] = (),
    options: Mapping[str, str] = STANDARD,
) -> GameReferee:
    """A turn of seat 0 begins: with these cards in villages and hands, these resources developed, and coins.

    All other cards lie on five piles, and all other adventurers are unseen.
    """
    deck = deck_of(options)
    names = [building.name for building in deck.buildings]
    guests = {adventurer.name: adventurer for adventurer in deck.adventurers}
    rest = list(range(len(deck.cards)))

    def taken(name: str) -> int:
        """A card by its building or its resource, out of what is left."""
        half = 1 if name in RESOURCES else 0
        wanted = RESOURCES.index(name) if half else names.index(name)
        card = next(card for card in rest if deck.cards[card][half] == wanted)
        rest.remove(card)
        return card

    seats = [Seat() for _ in villages]
    for seat, village in zip(seats, villages):
        seat.village = [guests[name] if name in guests else deck.buildings[names.index(name)] for name in village]
        for building in seat.buildings():
            taken(building.name)
    for seat, hand in zip(seats, hands):
        seat.hand = [taken(name) for name in hand]
    for seat, kinds in zip(seats, resources):
        for kind in kinds:
            taken(kind)
            seat.resources[RESOURCES.index(kind)] += 1
    for place, seat in enumerate(seats):
        seat.coins = coins[place] if coins else 3
    here = [guests[name].face for name in pool]
    away = {*here, *(card.face for seat in seats for card in seat.village)}
    scene = Table(
        deck_file=deck,
        rng=random.Random(0),
        seats=seats,
        deck=[],
        piles=[rest[pile::PILES] for pile in range(PILES)],
        bank=COINS_IN_GAME[len(seats)] - sum(seat.coins for seat in seats),
        unseen=[guest.face for guest in deck.adventurers if guest.face not in away],
        pool=here + [0] * (POOL - len(here)),
    )
    dealt = State()
    dealt.seats = len(seats)
    for card, (face, lower) in zip(dealt.cards, deck.cards):
        card.face, card.lower = face, lower
    put_together(scene, dealt)
    referee = GameReferee(len(seats), options, dealt)
    referee.begin_turn(0, None)
    return referee


def play(referee: GameReferee, *moves: str | Move) -> None:
    """Play legal moves for whoever has to decide: a word is a move, or the action to lead; chance has no part in it."""
    for move in moves:
        if isinstance(move, str):
            move = ("lead", (ACTIONS.index(move),)) if move in ACTIONS else (move, ())
        assert move in referee.legal(referee.turn), move
        referee.play(referee.turn, move, State())


def draw(referee: GameReferee, cards: int) -> None:
    """Draw so many cards from the first pile."""
    for _ in range(cards):
        play(referee, ("draw", (0,)))


def discard(referee: GameReferee, cards: int) -> None:
    """Discard so many cards, the first of the hand, onto the second pile."""
    for _ in range(cards):
        play(referee, ("discard", (referee.seats[referee.turn].hand[0], 1)))


def building(name: str) -> Building:
    """A building of the Thorp deck."""
    return next(building for building in DECK.buildings if building.name == name)


def build(referee: GameReferee, name: str) -> None:
    """Choose the card of that name to be built."""
    hand = referee.seats[referee.turn].hand
    card = next(card for card in hand if referee.deck_file.cards[card][0] == building(name).face)
    play(referee, ("build", (card,)))


def use(referee: GameReferee, name: str) -> None:
    """Use the first power of a card of the village."""
    village = referee.seats[referee.turn].village
    play(referee, ("use", (next(place for place, card in enumerate(village) if card.name == name), 0)))


@pytest.mark.parametrize(("seats", "bank", "deck"), [(2, 8, 67), (3, 11, 61), (4, 13, 55), (5, 15, 49)])
def test_example_1_bank_and_decks_after_the_deal(seats: int, bank: int, deck: int) -> None:
    state = GAME.state()
    GAME.deal(state, seats, GAME.option_list(STANDARD), 1)
    referee = GameReferee(seats, STANDARD, GAME.plain(state))
    assert (referee.bank, len(referee.deck), len(referee.unseen)) == (bank, deck, 11)


def test_example_2_guard_tower() -> None:
    seven = ["Bakery", "Bakery", "Mill", "Mill", "Hideout", "Palisade", "Smithy"]
    referee = table([[], ["Guard Tower"]], [[], seven])
    play(referee, "harvest")
    draw(referee, 3)
    play(referee, "follow")
    draw(referee, 1)
    assert referee.legal(1) == {("use", (0, 0)), ("done", ())}
    use(referee, "Guard Tower")
    draw(referee, 1)
    assert (referee.phase, len(referee.seats[1].hand)) == (LIMIT, 9)
    discard(referee, 1)
    assert (referee.phase, referee.active, len(referee.seats[1].hand)) == (LEAD, 1, 8)


def test_example_3_armory_is_paid_on_the_castle_and_two_resources() -> None:
    referee = table([[], []], [["Armory"], ["Mill"]], [["wood"], ["stone"]])
    play(referee, "build")
    build(referee, "Armory")
    # The castle cannot pay the wood: then a stone would be missing.
    assert referee.legal(0) == {("pay_own", (1,)), ("pay_castle", (2,)), ("pay_other", (0, 2)), ("pay_all", ())}
    play(referee, "pay_all")
    mine, rick = referee.seats
    assert (mine.coins, mine.castle, mine.paid, rick.coins, rick.paid) == (0, 1, [0, 1, 0, 0], 3, [0, 0, 1, 0])
    draw(referee, 1)
    play(referee, "decline")
    assert (referee.active, rick.coins, rick.paid) == (1, 4, [0, 0, 0, 0])


def test_example_4_wizards_tower_gives_a_coin_in_later_builds_only() -> None:
    resources = [["magic"] * 4 + ["wood"], ["wood"]]
    referee = table([[], []], [["Wizard's Tower", "Palisade"], ["Hideout"]], resources, [6, 3])
    play(referee, "build")
    build(referee, "Wizard's Tower")
    play(referee, "pay_all")
    draw(referee, 1)
    assert referee.phase == FOLLOW
    play(referee, "decline", "build")
    build(referee, "Hideout")
    play(referee, ("pay_own", (1,)))
    draw(referee, 1)
    play(referee, "follow")
    build(referee, "Palisade")
    play(referee, ("pay_own", (1,)))
    assert referee.seats[0].coins == 0
    use(referee, "Wizard's Tower")
    # The next turn of seat 0 has begun: 1 coin from the tower, and the 6 laid on the castle and resources.
    assert (referee.phase, referee.active, referee.seats[0].coins) == (LEAD, 0, 7)


def test_example_5_cathedral_and_oracle() -> None:
    referee = table([["Cathedral", "Oracle"], ["Cathedral", "Oracle"]])
    play(referee, "tax")
    draw(referee, 1)
    use(referee, "Cathedral")
    use(referee, "Oracle")
    draw(referee, 2)
    assert (len(referee.seats[0].hand), referee.seats[0].coins) == (3, 5)
    play(referee, "follow")
    draw(referee, 1)
    use(referee, "Oracle")
    draw(referee, 2)
    use(referee, "Cathedral")
    assert (len(referee.seats[1].hand), referee.seats[1].coins) == (3, 4)


def test_example_6_farm_helps_to_build_the_tannery() -> None:
    referee = table([["Farm"], []], [["Tannery"], []], [["wood"], []], [1, 3])
    play(referee, "build")
    build(referee, "Tannery")
    play(referee, ("pay_free", (0, 0, 0)), ("pay_own", (1,)))
    assert [card.name for card in referee.seats[0].village] == ["Farm", "Tannery"]


def test_example_7_barracks_do_not_help_to_pay_for_develop() -> None:
    referee = table([[], ["Barracks"]], [["Mill", "Mill", "Smithy"], ["Bakery", "Bakery"]])
    play(referee, "develop")
    discard(referee, 1)
    play(referee, ("develop", (referee.seats[0].hand[0],)))
    assert referee.phase == FOLLOW
    assert referee.legal(1) == {("decline", ())}


def test_example_8_witchs_hut_is_paid_with_the_card_of_the_armory() -> None:
    hands = [["Hideout"], ["Witch's Hut"]]
    referee = table([[], ["Armory"]], hands, [["wood"], ["food"]], [3, 2])
    play(referee, "build")
    build(referee, "Hideout")
    play(referee, ("pay_own", (1,)))
    draw(referee, 1)
    play(referee, "follow")
    build(referee, "Witch's Hut")
    play(referee, "pay_all")
    # There is no card yet to pay for the Witch's Hut with.
    assert referee.usable() == [(0, 0)]
    use(referee, "Armory")
    draw(referee, 1)
    use(referee, "Witch's Hut")
    bank = referee.bank
    discard(referee, 1)
    assert (referee.seats[1].hand, referee.bank) == ([], bank - 1)


def test_example_9_paladin() -> None:
    recruit = ("lead", (ACTIONS.index("recruit"),))
    assert recruit not in table([["Armory", "Barracks"], []], pool=["Paladin", "Cleric"]).legal(0)
    referee = table([["Armory", "Chapel"], []], pool=["Cleric", "Paladin"])
    referee.unseen.clear()
    bank = referee.bank
    play(referee, "recruit")
    assert (referee.seats[0].coins, referee.bank) == (2, bank + 1)
    assert referee.legal(0) == {("recruit", (1,))}
    play(referee, ("recruit", (1,)))
    assert [card.name for card in referee.seats[0].village] == ["Armory", "Chapel", "Paladin"]
    assert referee.pool[1] == 0


def test_example_10_knight_scores_for_each_building_of_a_type() -> None:
    knight = next(adventurer for adventurer in DECK.adventurers if adventurer.name == "Knight")
    assert points(Seat(village=[knight])) == 2
    assert points(Seat(village=[knight, building("Bell Tower"), building("Cathedral")])) == 2 + 1 + 1 + 2


def test_example_11_all_may_still_follow_when_a_village_is_full() -> None:
    full = [building.name for building in DECK.buildings if not any(power.when == "tax" for power in building.powers)]
    referee = table([full[:12], []])
    play(referee, "tax")
    draw(referee, 1)
    play(referee, "follow")
    draw(referee, 1)
    assert (referee.phase, referee.waiting()) == (OVER, set())


def test_ties_go_to_the_village_then_to_coins_then_to_resources() -> None:
    larger = Seat(village=[building("Bakery"), building("Palisade")])
    richer = Seat(coins=1, castle=1)
    wider = Seat(coins=2, resources=[0, 0, 1, 0])
    smaller = Seat(coins=1, village=[building("Hideout")])
    assert [points(seat) for seat in (larger, richer, wider, smaller)] == [2, 2, 2, 2]
    assert rank(larger) > rank(smaller) > rank(wider) > rank(richer)


def test_a_way_to_pay_is_legal_only_if_the_rest_can_be_paid() -> None:
    nothing = Purse(coins=0, cards=0, own=(0, 0, 0, 0), others=(0, 0, 0, 0), castle=False, powers=())
    assert payable((0, 0, 0, 0), nothing)
    assert not payable((1, 0, 0, 0), nothing)
    # One power for anything, one for a wood: the first has to pay the food.
    powers = replace(nothing, powers=(("any", 0, 0), ("wood", 0, 0)))
    assert payable((1, 1, 0, 0), powers)
    assert not payable((2, 0, 0, 0), powers)
    # The coin of a power is missing on a resource; a card pays for one power only.
    coin = replace(nothing, own=(0, 0, 0, 1), powers=(("stone", 0, 1),))
    assert payable((0, 0, 1, 1), replace(coin, coins=2))
    assert not payable((0, 0, 1, 1), replace(coin, coins=1))
    card = replace(nothing, powers=(("food", 1, 0), ("magic", 1, 0)))
    assert payable((1, 0, 0, 1), replace(card, cards=2))
    assert not payable((1, 0, 0, 1), replace(card, cards=1))


def test_ruling_10_who_knew_of_some_cards_alike_knows_of_one_less() -> None:
    text = (
        THORP_DECKS["standard"]
        .read_text(encoding="utf-8")
        .replace('copies = ["wood", "magic"]', 'copies = ["wood", "wood"]')
    )
    mills, alone = ["Mill", "Mill", "Smithy"], (building("Mill").face, RESOURCES.index("wood"))
    referee = table([[], [], []], [mills, ["Bakery"], ["Bakery"]], options={"deck": text})
    known = referee.seats[0].known
    known[1][alone], known[2][alone] = 2, 1
    play(referee, "develop")
    assert ("discard", (referee.seats[0].hand[1], 0)) not in referee.legal(0), "named by the first of the hand"
    discard(referee, 1)
    assert (known[1][alone], known[2][alone]) == (1, 0)


def test_ruling_8_a_card_taken_from_a_hand_is_known_to_the_two() -> None:
    thief = ["Thief"]
    referee = table([thief, [], []], [[], ["Mill", "Smithy"], ["Bakery"]])
    mill, smithy = referee.seats[1].hand
    for reader in (0, 2, WATCHER):
        referee.seats[1].known[reader].update([DECK.cards[mill], DECK.cards[smithy]])
    play(referee, "harvest")
    draw(referee, 3)
    use(referee, "Thief")
    after = State()
    after.players[1].hand = smithy + 1
    referee.play(0, ("take", (1,)), after)
    others = referee.seats[1].known
    assert [others[reader][DECK.cards[smithy]] for reader in (0, 2, WATCHER)] == [1, 0, 0]
    mine = referee.seats[0].known
    assert [mine[reader][DECK.cards[mill]] for reader in (1, 2, WATCHER)] == [1, 0, 0]
    # The other card was the only one of its hand: who knew it, knows where it is.
    others[2][DECK.cards[smithy]] = 1
    referee.play(0, ("take", (1,)), State())
    assert [mine[reader][DECK.cards[smithy]] for reader in (1, 2, WATCHER)] == [1, 1, 0]


def test_what_powers_score_for() -> None:
    village = [building("Bakery"), building("Mill"), building("Palisade"), DECK.adventurers[0]]
    seat = Seat(coins=2, castle=1, resources=[1, 0, 2, 0], paid=[0, 0, 1, 0], village=village)
    counts = {what: counted(seat, what) for what in COUNTED}
    assert counts == {
        **{"worker": 2, "soldier": 1, "shadow": 0, "holy": 0, "types": 2},
        **{"food": 1, "wood": 0, "stone": 2, "magic": 0, "resources": 3},
        **{"buildings": 3, "adventurers": 1, "coins": 4},
    }
