"""Dealing a game: section 2 of the rules."""

from collections import Counter
from functools import partial

import pytest

from games.valeria.place import dealt
from thorp.games.valeria import GAME


@pytest.mark.parametrize(("seats", "coins"), [(1, 14), (2, 14), (3, 20), (4, 25), (5, 30)])
def test_coins_in_the_game_and_three_for_each(seats: int, coins: int) -> None:
    game = dealt(seats)
    assert [game.coins(each) for each in range(seats)] == [3] * seats
    assert game.bank == coins - 3 * seats


@pytest.mark.parametrize("seats", GAME.seats)
def test_hands_piles_and_adventurers(seats: int) -> None:
    game = dealt(seats)
    seen = game.view()
    assert [player.hand_size for player in seen.players] == [6] * seats
    assert [len(pile.cards) for pile in seen.piles] == [1] * 5
    assert len(set(game.pool())) == 5
    assert "" not in game.pool()
    assert seen.adventurer_deck == 16 - 5
    assert seen.deck == 84 - 6 * seats - 5


def test_every_card_is_dealt_once() -> None:
    game = dealt(5)
    plain = game.plain
    everything = plain.deck[: plain.deck_size] + [pile - 1 for pile in plain.piles]
    for player in plain.players:
        link = player.hand
        while link:
            everything.append(link - 1)
            link = plain.cards[link - 1].next
    assert sorted(everything) == list(range(84))


@pytest.mark.parametrize("first", range(4))
def test_everybody_develops_a_first_resource_in_turn_order_free(first: int) -> None:
    game = next(game for game in map(partial(dealt, 4), range(100)) if game.plain.first == first)
    order = []
    while game.phase == "setup":
        order.append(game.turn)
        card = game.hand(game.turn)[0]
        assert game.legal() == sorted({f"develop {card}" for card in game.hand(game.turn)})
        game.play(f"develop {card}")
    assert order == [(first + step) % 4 for step in range(4)]
    for each in range(4):
        assert (game.hand_size(each), game.coins(each), len(game.resources(each).split())) == (5, 3, 1)
    assert (game.phase, game.turn, game.plain.active) == ("lead", first, first)


def test_any_seat_may_begin() -> None:
    assert Counter(dealt(5, seed).plain.first for seed in range(200)).keys() == set(range(5))


def test_different_seeds_deal_different_cards() -> None:
    assert len({(*dealt(2, seed).hand(), *dealt(2, seed).pool()) for seed in range(50)}) == 50
