"""Solo play: three open cards, the order in which they come back, and the ranks."""

from collections import Counter
from itertools import pairwise

import pytest

from games.tiny_towns.printed import CARDS, cards_of
from games.tiny_towns.town import Table, dealt, table, town
from thorp.core.face import next_rank
from thorp.core.words import say
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.face.sheet import RANKS, rank
from thorp.games.tiny_towns.rules.cards import MONUMENT, RESOURCES


def solo(seed: int = 1, **options: str) -> Table:
    return dealt(1, seed, monuments="no", **options)


def row(game: Table) -> Counter[str]:
    """The open cards."""
    return Counter(dict(zip(RESOURCES, game.plain.row)))


def test_inn_and_bank_are_left_out_and_all_other_cards_are_not() -> None:
    seen = {card for seed in range(300) for card in dealt(1, seed).cards}
    assert seen == {card.id for card in CARDS if not card.is_monument} - {"inn", "bank"}


def test_fort_ironweed_and_opaleyes_watch_are_left_out_and_all_other_monuments_are_not() -> None:
    seen = {CARDS[card].id for seed in range(200) for card in dealt(1, seed).town().dealt}
    assert seen == {card.id for card in cards_of(MONUMENT)} - {"fort_ironweed", "opaleyes_watch"}


@pytest.mark.parametrize(("type", "card"), [("tavern", "inn"), ("factory", "bank")])
def test_inn_and_bank_cannot_be_picked(type: str, card: str) -> None:
    with pytest.raises(ValueError, match="in solo play"):
        GAME.options_for(1, {type: card})
    assert GAME.options_for(2, {type: card})[type] == card


def test_three_of_fifteen_cards_lie_open() -> None:
    for seed in range(50):
        game = solo(seed)
        hidden = Counter(dict(zip(RESOURCES, game.plain.unseen)))
        assert row(game).total() == 3
        assert row(game) + hidden == Counter(dict.fromkeys(RESOURCES, 3))


def test_the_open_cards_are_drawn_at_random() -> None:
    # 35 ways to have three cards of five resources
    assert len({tuple(solo(seed).plain.row) for seed in range(3000)}) == 35


def test_one_chooses_an_open_card_and_places_its_cube() -> None:
    for seed in range(20):
        game = solo(seed)
        assert game.legal() == [f"name {resource}" for resource in RESOURCES if row(game)[resource]]
        chosen = game.legal()[0].split()[1]
        game.play(0, f"name {chosen}")
        assert RESOURCES[game.town().hand - 1] == chosen
        game.play(0, "place A1", "done")


def test_the_top_card_of_the_pile_takes_the_place_of_the_chosen_one() -> None:
    for seed in range(20):
        game = solo(seed)
        for hidden in range(12, 0, -1):
            assert sum(game.plain.unseen) == hidden
            before = row(game)
            chosen = game.legal()[0].split()[1]
            game.whole_round(chosen)
            assert row(game).total() == 3
            opened = row(game) - (before - Counter([chosen]))
            assert opened.total() == 1


def test_a_chosen_card_comes_back_after_12_more_have_been_drawn_in_the_order_of_choice() -> None:
    for seed in range(20):
        game = solo(seed, cavern="yes")
        chosen, opened = [], []
        for _ in range(17):
            before = row(game)
            chosen.append(game.legal()[seed % len(game.legal())].split()[1])
            game.play(0, f"name {chosen[-1]}")
            # two cubes beside the board make room for two more rounds
            game.play(0, (game.legal(0, "set_aside") or game.legal(0, "place"))[0]).done()
            opened += (row(game) - (before - Counter([chosen[-1]]))).elements()
        assert len(opened) == 17
        assert opened[12:] == chosen[:5]


def test_the_pile_is_never_shuffled_again() -> None:
    # once all cards are known, games that draw other chance go the same way
    game = solo(cavern="yes")
    for _ in range(13):
        game.play(0, game.legal()[0])
        game.play(0, (game.legal(0, "set_aside") or game.legal(0, "place"))[0]).done()
    assert sum(game.plain.unseen) == 0
    other = game.copy()
    GAME.determinize(other.state, 0, 99)
    for _ in range(4):
        choice = game.legal()[0].split()[1]
        assert row(game.whole_round(choice)) == row(other.whole_round(choice))


def test_no_card_is_ever_made_or_lost() -> None:
    game = solo()
    while not game.over:
        plain = game.plain
        under = Counter(RESOURCES[card - 1] for card in plain.under if card)
        assert row(game) + Counter(dict(zip(RESOURCES, plain.unseen))) + under == Counter(dict.fromkeys(RESOURCES, 3))
        game.whole_round(game.legal()[-1].split()[1])


@pytest.mark.parametrize(
    ("picture", "monument", "offered"),
    [
        ("Fac:W", "", "substitute"),
        ("War", "", "store"),
        ("War:T", "", "swap"),
        ("Mon Cot", "statue_of_the_bondmaker", "shelter"),
    ],
)
def test_the_chosen_card_counts_as_named_by_another(picture: str, monument: str, offered: str) -> None:
    assert table(town(picture, monument=monument, hand="wood")).legal(0, offered)


def test_nobody_has_the_hammer_and_no_turns_are_counted() -> None:
    game = solo()
    assert game.plain.builder == -1
    game.whole_round().whole_round()
    assert game.town().turns == 0


def test_the_game_ends_when_the_town_is_completed() -> None:
    game = solo()
    for _ in range(16):
        assert not game.over
        game.whole_round()
    assert game.over
    assert game.standings() == (1,)


@pytest.mark.parametrize(
    ("points", "name"),
    [
        (60, "Master Architect"),
        (38, "Master Architect"),
        (37, "Town Planner"),
        (32, "Town Planner"),
        (31, "Engineer"),
        (25, "Engineer"),
        (24, "Carpenter"),
        (18, "Carpenter"),
        (17, "Builder's Apprentice"),
        (10, "Builder's Apprentice"),
        (9, "Aspiring Architect"),
        (0, "Aspiring Architect"),
        (-16, "Aspiring Architect"),
    ],
)
def test_points_give_a_rank(points: int, name: str) -> None:
    assert rank(points) == name


def test_the_score_sheet_says_the_rank() -> None:
    game = table(
        """
        Bak  Tav  Cot  Tav
        Far  Cha  Cot  War:WTB
        Tav  .    Wel  Cot
        Cot  Wel  Cot  .
        """
    )
    assert [say(remark) for remark in GAME.face.sheet(game.state).remarks] == [
        "Engineer: 28 points",
        "Next: Town Planner, from 32 points.",
    ]


def test_the_highest_rank_has_none_after_it() -> None:
    ranks = sorted(RANKS)
    for (points, _), (least, name) in pairwise(ranks):
        assert [say(remark) for remark in next_rank(points, RANKS)] == [f"Next: {name}, from {least} points."]
        assert next_rank(least - 1, RANKS) == next_rank(points, RANKS)
    assert say(next_rank(-20, RANKS)[0]) == "Next: {1}, from {0} points.".format(*ranks[0])
    assert next_rank(ranks[-1][0], RANKS) == ()
