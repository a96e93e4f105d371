"""Points, and who wins."""

from itertools import pairwise

import pytest

from games.valeria.place import seat, table, with_powers
from thorp.core.words import say
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.known import DECKS, FIRST, SECOND
from thorp.games.valeria.face.ranks import RANKS, Rank, rank_of
from thorp.games.valeria.face.sheet import sheet
from thorp.games.valeria.rules.powers import COUNTS, Power


def test_points_of_buildings_and_adventurers_and_a_point_for_each_coin() -> None:
    game = table(seat("armory citadel watch-house champion", coins=0), seat(coins=7), phase="over")
    assert game.scores() == (1 + 3 + 3 + 5, 7)


def test_coins_on_the_own_castle_and_resources_count_for_their_owner() -> None:
    game = table(seat(resources="food* wood* wood", coins=2, castle=True), seat(resources="stone"), phase="over")
    assert game.scores() == (2 + 1 + 2, 3)


def test_cards_of_the_hand_and_resources_count_nothing() -> None:
    assert table(seat(hand="citadel", resources="food wood", coins=0), seat(), phase="over").scores()[0] == 0


VILLAGE = "bakery mill inn armory keep hideout oracle knight baron"
HOLDS = {
    "worker": 3,
    "soldier": 2,
    "shadow": 1,
    "holy": 1,
    "food": 3,
    "wood": 0,
    "stone": 2,
    "magic": 1,
    "resources": 6,
    "buildings": 7,
    "adventurers": 2,
    "coins": 5,
    "types": 4,
}
#: What the village scores by itself: its cards, and the coins. The keep and the knight score nothing here.
PLAIN = 1 + 2 + 1 + 1 + 1 + 1 + 1 + 2 + 4


@pytest.mark.parametrize("of", COUNTS)
@pytest.mark.parametrize(("amount", "per"), [(1, 1), (2, 1), (1, 2), (3, 2), (4, 3)])
def test_scoring_by_what_the_village_holds(of: str, amount: int, per: int) -> None:
    power = Power("scoring", "score", amount, of, per)
    deck = with_powers(bakery=power, keep=(), knight=())
    me = seat(VILLAGE, "inn", "food* food food stone stone magic", 3, castle=True)
    game = table(me, seat(), phase="over", deck=deck)
    assert game.scores()[0] == PLAIN + 5 + amount * (HOLDS[of] // per)


def test_every_thing_that_is_counted_has_a_number_in_this_test() -> None:
    assert HOLDS.keys() == set(COUNTS)


def test_two_scoring_powers_add_up() -> None:
    deck = with_powers(bakery=(Power("scoring", "score", of="worker"), Power("scoring", "score", 2, "types")))
    assert table(seat("bakery", coins=0), seat(), phase="over", deck=deck).scores()[0] == 1 + 1 + 2


def test_a_types_count_looks_at_buildings_only() -> None:
    deck = with_powers(bakery=Power("scoring", "score", of="types"))
    assert table(seat("bakery champion", coins=0), seat(), phase="over", deck=deck).scores()[0] == 1 + 5 + 1


# --- ties -------------------------------------------------------------------------------------------------------


def test_the_most_points_win() -> None:
    game = table(seat("citadel"), seat("champion"), seat(), phase="over")
    assert game.standings() == (2, 1, 3)


def test_ties_go_to_more_buildings_and_adventurers() -> None:
    game = table(seat("watch-house", coins=2), seat("bakery hideout", coins=3), phase="over")
    assert game.scores() == (5, 5)
    assert game.standings() == (2, 1)
    # an adventurer counts as a building does
    game = table(seat("watch-house", coins=6), seat("champion bakery", coins=3), phase="over")
    assert (game.scores(), game.standings()) == ((9, 9), (2, 1))


def test_then_to_more_coins_those_on_cards_included() -> None:
    # 5 points each, two cards each
    game = table(
        seat("tithe-barn bell-tower", coins=1, resources="food wood stone"),
        seat("bakery oracle", coins=1, resources="food* food*"),
        phase="over",
    )
    assert game.scores() == (5, 5)
    assert game.standings() == (2, 1)


def test_then_to_more_developed_resources() -> None:
    game = table(seat("bakery", resources="food"), seat("hideout", resources="food wood"), phase="over")
    assert game.scores() == (4, 4)
    assert game.standings() == (2, 1)


def test_what_settles_a_tie_first_is_not_outweighed_by_what_comes_later() -> None:
    many = " ".join(["food", "wood"] * 15)
    # more cards; then coins and resources
    game = table(seat("bakery hideout", coins=10), seat(coins=12, resources=many), phase="over")
    assert (game.scores(), game.standings()) == ((12, 12), (1, 2))
    # as many cards, more coins; then resources
    game = table(seat("bakery", coins=4), seat("watch-house", coins=2, resources=many), phase="over")
    assert (game.scores(), game.standings()) == ((5, 5), (1, 2))
    # more points
    game = table(seat(coins=6), seat("bakery hideout", coins=3, resources=many), phase="over")
    assert game.standings() == (1, 2)


def test_then_it_is_shared() -> None:
    game = table(seat("bakery"), seat("hideout"), seat(coins=0), phase="over")
    assert game.standings() == (1, 1, 3)
    assert "Ties" in say(sheet(game.state).remarks[0])


# --- the sheet --------------------------------------------------------------------------------------------------


def test_the_sheet_breaks_points_down_by_source() -> None:
    me = seat("knight armory keep oracle abbey", resources="food*", coins=2)
    game = table(me, seat(), phase="over")
    rows = {say(row.label): row.points[0] for row in sheet(game.state).rows}
    # the knight and the keep score by two soldiers each, the abbey by two holy buildings
    assert rows == {"Buildings": 4, "Adventurers": 2, "Powers that score": 6, "Coins": 3}
    notes = {say(row.label): row.notes[0] for row in sheet(game.state).rows}
    # two of them to spend, which is what the village shows
    coins = notes["Coins"]
    assert coins is not None
    assert say(coins) == "1 on castle and resources"
    assert all(row.notes[1] is None for row in sheet(game.state).rows)
    bonus = notes["Powers that score"]
    assert bonus is not None
    assert say(bonus) == "Knight 2, Keep 2, Abbey 2"


# --- ranks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", RANKS.values(), ids=list(RANKS))
def test_ranks_ascend_and_the_first_is_for_everybody(ranks: tuple[Rank, ...]) -> None:
    points = [rank.points for rank in ranks]
    assert points[0] == 0
    assert points == sorted(set(points))
    assert len(ranks) == 6
    assert len({rank.name for rank in ranks}) == 6


@pytest.mark.parametrize("edition", RANKS)
def test_a_rank_begins_at_its_points(edition: str) -> None:
    ranks, key = RANKS[edition], DECKS.of_value(edition).key
    assert rank_of(0, key) == ranks[0]
    for lower, rank in pairwise(ranks):
        assert rank_of(rank.points, key) == rank
        assert rank_of(rank.points - 1, key) == lower
    assert rank_of(120, key) == ranks[-1]


def test_the_first_edition_asks_for_fewer_points_and_a_deck_of_ones_own_for_as_many_as_the_second() -> None:
    assert all(old.points < new.points for old, new in zip(RANKS[FIRST][1:], RANKS[SECOND][1:], strict=True))
    assert rank_of(RANKS[SECOND][-1].points, with_powers().key) == RANKS[SECOND][-1]


def test_the_rank_is_said_with_the_score() -> None:
    game = table(seat("citadel", coins=2), phase="over", turned=35)
    assert [say(remark) for remark in sheet(game.state).remarks] == [
        "5 points: Clearing.",
        "Next: Hamlet, from 80 points.",
    ]
    assert GAME.standing(game.state, 0) == 1
