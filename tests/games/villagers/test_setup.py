"""Dealing a game: who gets what, and which cards take part."""

import pytest

from games.villagers.place import dealt
from thorp import OptionError
from thorp.games.villagers import GAME
from thorp.games.villagers.cards import VILLAGERS, number


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
    for options in (
        {"road_1": "carpenter", "road_2": "carpenter"},
        {"road_1": "tailor"},
        {"road_1": "nobody"},
    ):
        with pytest.raises(OptionError):
            dealt(3, **options)
    with pytest.raises(OptionError):
        dealt(1, road_6="monk")
    with pytest.raises(OptionError):
        dealt(2, countess="beginner")


def test_any_seat_may_begin() -> None:
    assert {dealt(5, seed).plain.first for seed in range(60)} == set(range(5))


def test_the_countess_begins_with_her_card_and_one_gold() -> None:
    game = dealt(1)
    assert (game.village(1), game.gold(1), game.player(1).income.gold) == ("countess", 1, 4)
    assert game.player(1).backs == ()
    assert dealt(1, countess="beginner").player(1).income.gold == 0
    assert len([event for event in game.view().events if event]) == 1
    assert game.view().events[0].deck == "summer"
