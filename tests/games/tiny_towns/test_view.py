"""What a seat sees of a game: all that lies open, and none of what does not."""

import random
import re
from collections import Counter

import pytest

from games.tiny_towns.printed import number
from games.tiny_towns.town import LETTER_OF, Table, dealt, midgame, played, spell, table, tokens, town
from thorp.compiling.mode import COMPILED
from thorp.core.match import Match
from thorp.core.registry import register
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.face.view import SquareView, View, neighbour, view
from thorp.games.tiny_towns.rules.cards import RESOURCES

GAMES = 30 if COMPILED else 12


def drawn_square(square: SquareView) -> str:
    """A square of a view as it stands in a picture."""
    if square.building is None:
        return LETTER_OF.get(square.cube, ".")
    name = "Mon" if square.building.is_monument else square.building.name[:3]
    return name + ":" * bool(square.held) + "".join(LETTER_OF[resource] for resource in square.held)


def test_every_seat_sees_all_towns_as_they_are() -> None:
    for seed in range(GAMES):
        game = midgame(1 + seed % 6, seed)
        for ply, _ in enumerate(played(game, random.Random(seed))):
            if ply % 7 == 0:
                for reader in (0, None):
                    seen = view(game.state, reader)
                    for seat, shown in enumerate(seen.towns):
                        assert [drawn_square(square) for square in shown.squares] == tokens(game.picture(seat))


def test_a_view_shows_who_is_fed_and_who_is_not() -> None:
    shown = view(table("Gra Cot / . . . . / Cot").state, None).towns[0]
    assert [square.name for square in shown.squares if square.eats] == ["B1", "A3"]
    assert [square.name for square in shown.squares if square.fed] == ["B1"]


def test_a_view_shows_the_round() -> None:
    game = table(town("", hand="glass", turns=4, aside=1), "", "", builder=2, cavern=True)
    seen = view(game.state, 1)
    assert (seen.round, seen.naming, seen.builder, seen.named) == (9, "master_builder", 2, "glass")
    assert (seen.towns[0].hand, seen.towns[0].turns, seen.towns[0].aside) == ("glass", 4, 1)
    assert [shown.waiting for shown in seen.towns] == [True, True, True]


def test_a_view_shows_the_step_of_town_hall() -> None:
    game = dealt(3, naming="town_hall", monuments="no")
    for round in range(1, 10):
        seen = view(game.state, None)
        assert (seen.naming, seen.builder, seen.round) == ("town_hall", None, round)
        assert seen.hall_step == (round - 1) % 3
        # the resource of a card, and none of the free pick
        assert bool(seen.named) == (seen.hall_step < 2)
        assert [shown.hand for shown in seen.towns] == [seen.named] * 3
        game.whole_round()
    before = dealt(3, naming="town_hall")
    assert view(before.state, None).hall_step == 0
    assert view(dealt(3).state, None).hall_step == 0


def test_a_view_counts_the_cards_of_town_hall_that_nobody_has_seen() -> None:
    game = dealt(2, 5, naming="town_hall", monuments="no", cavern="yes")
    left = [3] * 5
    for _ in range(15):
        seen = view(game.state, 1)
        if seen.named:
            left[RESOURCES.index(seen.named)] -= 1
        # the five laid aside are among them: nobody knows which they are
        assert seen.unseen == tuple(left)
        assert (seen.row, seen.under) == ((), ())
        game.whole_round()
    assert sum(left) == 5
    seen = view(game.state, 1)
    # all fifteen were shuffled again, and one was turned
    assert sum(seen.unseen) == 14


def test_a_view_of_solo_play_has_what_is_known_of_the_pile() -> None:
    game = dealt(1, 5, monuments="no", cavern="yes")
    chosen: list[str] = []
    opened = 3
    for _ in range(17):
        seen = view(game.state, 0)
        assert len(seen.row) == 3
        assert view(game.state, None).under == seen.under
        # what was chosen lies under the pile in the order of choice; when nothing unseen is left, it comes up again
        assert sum(seen.unseen) == max(0, 15 - opened)
        assert seen.under == tuple(chosen[max(0, opened - 15) :])
        every = Counter([*seen.row, *seen.under]) + Counter(dict(zip(RESOURCES, seen.unseen)))
        assert every == Counter(dict.fromkeys(RESOURCES, 3))
        move = game.legal()[0]
        chosen.append(move.split()[1])
        game.play(0, move)
        # two lie open until the next round begins
        assert len(view(game.state, 0).row) == 2
        game.play(0, (game.legal(0, "set_aside") or game.legal(0, "place"))[0]).done()
        opened += 1
    assert opened == 20


def test_two_games_with_the_same_view_of_the_pile_open_different_cards() -> None:
    game = dealt(1, 5, monuments="no")
    opened = set()
    for seed in range(30):
        other = game.copy()
        GAME.determinize(other.state, 0, seed)
        assert view(other.state, 0) == view(game.state, 0)
        other.whole_round(game.legal()[0].split()[1])
        opened.add(view(other.state, 0).row)
    assert len(opened) > 2


@pytest.mark.parametrize(
    ("seats", "sides"),
    [
        (1, [[""]]),
        (2, [["", "both"], ["both", ""]]),
        (3, [["", "left", "right"], ["right", "", "left"], ["left", "right", ""]]),
        (
            4,
            [
                ["", "left", "", "right"],
                ["right", "", "left", ""],
                ["", "right", "", "left"],
                ["left", "", "right", ""],
            ],
        ),
    ],
)
def test_who_sits_beside_whom(seats: int, sides: list[list[str]]) -> None:
    assert [[neighbour(seat, other, seats) for other in range(seats)] for seat in range(seats)] == sides


def test_the_hammer_goes_to_the_left_and_a_feast_hall_looks_to_the_right() -> None:
    game = table("", "", "", builder=0).done()
    assert neighbour(0, game.plain.builder, 3) == "left"
    # more than the right neighbour, not than the left one
    feast = table("Fea Fea", "Fea Fea Fea", "Fea")
    assert feast.points("feast_hall", 0) == 6
    assert neighbour(0, 2, 3) == "right"


def test_the_table_says_who_sits_beside_me() -> None:
    pages = pytest.importorskip("thorp.checks.pages").Pages()
    register(GAME)
    said = {1: [], 2: ["neighbour on both sides"], 4: ["left neighbour", "right neighbour"]}
    for seats, words in said.items():
        page = pages.fragment(pages.table(Match(GAME, seats, seed=1)), 0)
        assert re.findall(r'class="beside"[^>]*title="([^"]*)"', page) == words
        assert all(page.count(f">{each}</span>") == 1 for each in words)


def hidden_from(game: Table, reader: int | None) -> list[View]:
    """Views of states that differ in what the reader cannot know only."""
    views = []
    for seed in range(6):
        other = game.copy()
        GAME.determinize(other.state, -1 if reader is None else reader, seed)
        views.append(view(other.state, reader))
    return views


def test_a_view_tells_nothing_of_what_its_reader_cannot_know() -> None:
    for seed in range(GAMES):
        game = dealt(1 + seed % 4, seed)
        for ply, _ in enumerate(played(game, random.Random(seed))):
            if ply % 15 == 0:
                for reader in (0, None):
                    assert hidden_from(game, reader) == [view(game.state, reader)] * 6


def test_dealing_again_deals_other_monuments_and_none_that_the_reader_knows() -> None:
    for seed in range(GAMES):
        game = dealt(4, seed)
        for seat in (1, 2):
            game.play(seat, game.legal(seat)[0])
        known = game.town(0).dealt
        others = set()
        for again in range(8):
            other = game.copy()
            GAME.determinize(other.state, 0, 100 * seed + again)
            dealt_again = [card for each in other.plain.towns for card in (*each.dealt, each.monument, each.returned)]
            cards = [card for card in dealt_again if card]
            assert len(set(cards)) == len(cards) == 8
            assert other.town(0).dealt == known
            others.add(tuple(cards))
        assert len(others) == 8


def test_the_monument_that_one_gave_back_is_dealt_to_nobody_else() -> None:
    for seed in range(GAMES):
        game = dealt(6, seed)
        known = set(game.town(0).dealt)
        game.play(0, game.legal(0)[0])
        assert {game.town(0).monument, game.town(0).returned} == known
        for again in range(4):
            other = game.copy()
            GAME.determinize(other.state, 0, 100 * seed + again)
            assert not known & {card for each in other.plain.towns[1:] for card in each.dealt}


@pytest.mark.parametrize(
    ("built", "free"), [("build well A3 from A3 B3", True), ("build cathedral_of_caterina A2 from B1 A2 B2", False)]
)
def test_a_monument_that_was_shown_is_not_taken_back_freely(built: str, free: bool) -> None:
    """Another building is: it tells nothing, and the town goes on."""
    game = table(town(". T / S G / W S", monument="cathedral_of_caterina"), "")
    match = Match(GAME, 2, seed=1)
    match.state = game.state
    move = next(move for move in match.legal(0) if spell(game.plain, 0, move) == built)
    assert (move not in match.final_moves(0)) == free
    match.play(0, move)
    assert match.can_take_back(0) == free


def test_dealing_again_leaves_built_monuments_where_they_stand() -> None:
    game = table(town(monument="the_starloom"), town("Mon", monument="silva_forum"), town(monument="mandras_palace"))
    known = {number("the_starloom"), number("silva_forum")}
    hidden = set()
    for seed in range(200):
        other = game.copy()
        GAME.determinize(other.state, 0, seed)
        assert {other.town(0).monument, other.town(1).monument} == known
        secret = [other.town(1).returned, other.town(2).monument, other.town(2).returned]
        assert len(set(secret) | known) == 5
        hidden.add(other.town(2).monument)
    # any of the others may be there
    assert len(hidden) == 13
