"""What a seat sees of a game: all that lies open, and none of what does not."""

import random

from games.tiny_towns.printed import number
from games.tiny_towns.town import LETTER_OF, Table, dealt, midgame, played, table, tokens, town
from thorp.core.mode import COMPILED
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.face.view import SquareView, View, view

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


def test_a_view_shows_who_is_fed() -> None:
    shown = view(table("Gra Cot / . . . . / Cot").state, None).towns[0]
    assert [square.name for square in shown.squares if square.fed] == ["B1"]


def test_a_view_shows_the_round() -> None:
    game = table(town("", hand="glass", turns=4, aside=1), "", "", builder=2, cavern=True)
    seen = view(game.state, 1)
    assert (seen.round, seen.naming, seen.builder, seen.named) == (9, "master_builder", 2, "glass")
    assert (seen.towns[0].hand, seen.towns[0].turns, seen.towns[0].aside) == ("glass", 4, 1)
    assert [shown.waiting for shown in seen.towns] == [True, True, True]


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
