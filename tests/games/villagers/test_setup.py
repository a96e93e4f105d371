"""Dealing a game: who gets what, and which cards take part."""

import re
from pathlib import Path

import pytest

from games.villagers.place import dealt
from thorp import Match, OptionError
from thorp.games.villagers import GAME
from thorp.games.villagers.rules.cards import VILLAGERS, number
from thorp.games.villagers.rules.rounds import LEAST, MOST
from thorp.games.villagers.rules.unlocking import PRICE


@pytest.mark.parametrize(("seats", "stack", "reserve"), [(2, 4, 46), (3, 6, 29), (4, 8, 26), (5, 10, 9), (1, 5, 37)])
def test_stacks_hands_and_reserve_have_their_sizes(seats: int, stack: int, reserve: int) -> None:
    game = dealt(seats)
    seen = game.view()
    assert [pile.height for pile in seen.stacks] == [stack] * 6
    assert seen.reserve.height == reserve
    assert [len(game.hand(each)) for each in range(seats)] == [5] * seats
    assert [player.gold for player in seen.players] == [8] * seats
    assert [left for _, left in seen.basics] == [10, 10, 10]
    assert [game.village(each) for each in range(seats)] == ["founders"] * seats
    assert [pile.market for pile in seen.stacks] == ["", "first", "", "", "", "second"]


def test_the_rules_page_tells_the_sizes_of_stacks_and_reserve() -> None:
    page = (Path(__file__).parents[3] / "docs" / "villagers.md").read_text("utf-8")
    told = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert [int(seats) for seats, _, _ in told] == [seats for seats in GAME.seats if seats > 1]
    for seats, stack, reserve in told:
        seen = dealt(int(seats)).view()
        assert {pile.height for pile in seen.stacks} == {int(stack)}
        assert seen.reserve.height == int(reserve)
    words = " ".join(page.split())
    alone = dealt(1).view()
    assert f"stacks have {alone.stacks[0].height} cards" in words
    assert alone.countess
    assert f"her own card ({alone.countess.income.gold} gold, or nothing for beginners)" in words
    assert f"instead of Founders, {alone.countess.gold} gold, and no hand" in words
    first = dealt(3).view().players[0]
    assert f"{first.gold} gold, and {sum(n for _, n in first.backs)} cards of the deck" in words
    assert f"You draft {LEAST} cards and one more for each food that your village shows, at most {MOST}." in words
    assert f"You have {LEAST} build actions and one more for each builder" in words
    assert f"in three open piles of {dealt(3).view().basics[0][1]}" in words
    assert f"is opened when its card is built, for {PRICE} gold" in words


@pytest.mark.parametrize("seats", GAME.seats)
def test_wool_and_leather_take_part_with_four_and_special_cards_not_alone(seats: int) -> None:
    seen = set()
    for seed in range(30):
        game = dealt(seats, seed)
        everything = [card for pile in range(7) for card in game.pile(pile)] + game.road()
        everything += [card for each in range(seats) for card in game.hand(each)]
        assert len(everything) == {1: 78, 2: 86, 3: 86}.get(seats, 100)
        assert all(everything.count(card) == 2 for card in everything)
        seen |= {VILLAGERS[number(card)].suit for card in everything}
    assert ("wool" in seen, "leather" in seen) == (seats >= 4, seats >= 4)
    assert ("special" in seen) == (seats > 1)


def test_the_starting_road_is_six_different_random_cards() -> None:
    roads = [dealt(2, seed).road() for seed in range(40)]
    assert all(len(set(road)) == 6 for road in roads)
    assert len({card for road in roads for card in road}) > 35


def test_the_starting_road_can_be_chosen() -> None:
    game = dealt(4, road_1="carpenter", road_3="tailor")
    assert (game.road()[0], game.road()[2]) == ("carpenter", "tailor")
    assert len(set(game.road())) == 6


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (0, {}, "Villagers is for 1 to 5 seats, not 0"),
        (6, {}, "Villagers is for 1 to 5 seats, not 6"),
        (-1, {}, "Villagers is for 1 to 5 seats, not -1"),
        (3, {"road_1": "nobody"}, "Starting Road, card 1 cannot be 'nobody'"),
        (3, {"road_1": ""}, "Starting Road, card 1 cannot be ''"),
        # never in the deck
        (3, {"road_1": "hayer"}, "Starting Road, card 1 cannot be 'hayer'"),
        (3, {"road_1": "founders"}, "Starting Road, card 1 cannot be 'founders'"),
        (3, {"road_2": "mason", "road_5": "mason"}, "Starting Road, card 2 cannot be Mason too; .* all different"),
        (3, {"road_6": "tailor"}, "Starting Road, card 6 cannot be Tailor with fewer than 4 seats"),
        (2, {"road_3": "tanner"}, "Starting Road, card 3 cannot be Tanner with fewer than 4 seats"),
        (1, {"road_3": "tanner"}, "Starting Road, card 3 cannot be Tanner with fewer than 4 seats"),
        (1, {"road_6": "monk"}, "Starting Road, card 6 cannot be Monk in solo play"),
        (1, {"road_6": "smuggler"}, "Starting Road, card 6 cannot be Smuggler in solo play"),
        (2, {"countess": "beginner"}, "The Countess cannot be changed with 2 seats"),
        (1, {"countess": "angry"}, "The Countess cannot be 'angry'"),
        (3, {"exchange": "four"}, "Cards given up for basic villagers cannot be 'four'"),
        (3, {"exchange": "3"}, "Cards given up for basic villagers cannot be '3'"),
        (3, {"road_7": "mason"}, "has no option 'road_7'"),
    ],
)
def test_options_that_cannot_be(seats: int, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        Match(GAME, seats, options)


def test_options_that_can_be() -> None:
    road = ("tailor", "monk", "tanner", "mason", "brewer", "agent")
    options = {f"road_{place + 1}": id for place, id in enumerate(road)}
    assert dealt(4, **options).road() == list(road)
    assert dealt(1, road_2="mason", countess="beginner").road()[1] == "mason"
    assert dealt(3, exchange="three").plain.exchange_limit == 3
    assert dealt(3).plain.exchange_limit == 0


def test_cards_of_the_starting_road_are_taken_from_the_deck() -> None:
    for seed in range(20):
        game = dealt(2, seed, road_1="mason")
        everything = [card for pile in range(7) for card in game.pile(pile)]
        everything += [card for each in range(2) for card in game.hand(each)]
        assert all(everything.count(card) == 1 for card in game.road())


def test_any_seat_may_begin() -> None:
    assert {dealt(5, seed).plain.first for seed in range(60)} == set(range(5))


def test_the_countess_begins_with_her_card_and_one_gold() -> None:
    game = dealt(1)
    assert (game.village(1), game.gold(1), game.player(1).income.gold) == ("countess", 1, 4)
    assert game.player(1).backs == ()
    assert dealt(1, countess="beginner").player(1).income.gold == 0
    assert len([event for event in game.view().events if event]) == 1
    assert game.view().events[0].deck == "summer"
