"""What tables say in the language that wraps every text: nothing of a game is in no catalogue."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import pytest
from wrapped import bare, wrapped

from thorp.checks.pages import Pages
from thorp.core.columns import width
from thorp.core.errors import OptionError
from thorp.core.game import AnyGame
from thorp.core.language import language, speaking
from thorp.core.match import Match
from thorp.core.registry import register
from thorp.core.words import say
from thorp.games import tiny_towns, valeria, villagers
from thorp.games.valeria.decks.known import DECKS, FIRST

MATCHES = Path(__file__).parents[1] / "matches"
GAMES = {"tiny_towns": tiny_towns.GAME, "villagers": villagers.GAME, "valeria": valeria.GAME}
#: Signs on a board, and what a deck of somebody's own is called.
KNOWN = ("ABCD", "Recorded deck")
#: Matches between them show every kind of prompt, card and end.
WALKED = (
    *(
        "tiny_towns/first-game",
        "tiny_towns/solo-cavern",
        "tiny_towns/factory",
        "tiny_towns/town-hall",
        "tiny_towns/tie-settled",
    ),
    *("villagers/solo-events", "villagers/five-seats", "villagers/two-monks"),
    *("valeria/five-seats", "valeria/solo-35-cards", "valeria/deck-file", "valeria/four-take"),
)
#: In the terminal, the first letters of the name of a building, and the squares of towns with such.
_SHORT = re.compile("^⟦..  (?=⟦)|^[1-4] .*")
#: So many positions of a match are looked at.
POSITIONS = 5


@pytest.mark.parametrize("name", WALKED)
def test_a_table_says_nothing_that_is_in_no_catalogue(name: str) -> None:
    game: AnyGame = GAMES[name.partition("/")[0]]
    register(game)
    pages = Pages()
    match = Match.load((MATCHES / f"{name}.json").read_text())
    missed: dict[str, int] = {}
    with speaking(wrapped().within(game.words)):
        for ply in sorted({match.ply * part // POSITIONS for part in range(POSITIONS)} | {match.ply}):
            table = pages.table(match.at(ply) if ply < match.ply else match)
            for seat in (None, 0):
                html = f"{pages.fragment(table, seat)}{pages.once(table, seat)}"
                for text in bare(html, *KNOWN, *table.names, game.name):
                    missed.setdefault(text, ply)
    assert missed == {}, "\n".join(f"after {ply} moves: {text}" for text, ply in missed.items())


@pytest.mark.parametrize("name", WALKED)
def test_a_table_of_the_terminal_says_nothing_that_is_in_no_catalogue(name: str) -> None:
    game: AnyGame = GAMES[name.partition("/")[0]]
    register(game)
    match = Match.load((MATCHES / f"{name}.json").read_text())
    missed: dict[str, int] = {}
    with speaking(wrapped().within(game.words)):
        for ply in sorted({match.ply * part // POSITIONS for part in range(POSITIONS)} | {match.ply}):
            state = match.at(ply).state
            for seat in (None, 0):
                for line in game.face.text(state, seat, ("Ada",)).splitlines():
                    for text in bare(escape(_SHORT.sub("", line))):
                        missed.setdefault(text, ply)
    assert missed == {}, "\n".join(f"after {ply} moves: {text}" for text, ply in missed.items())


@pytest.mark.parametrize("tag", ["en", "es", "ja"])
def test_towns_in_the_terminal_stand_in_columns_however_wide_their_letters_are(tag: str) -> None:
    match = Match.load((MATCHES / "tiny_towns/first-game.json").read_text())
    with speaking(language(tag).within(tiny_towns.GAME.words)):
        head, letters, *rows = tiny_towns.GAME.face.text(match.state, 0, ("花子", "Ada")).splitlines()[-6:]
    second = width(head[: head.index("Ada")])
    assert second == width(letters[: letters.rindex("A")]) - 3
    assert [width(row[: row.rindex(row[0])]) for row in rows] == [second] * 4


@pytest.mark.parametrize(
    ("game", "seats", "chosen", "known"),
    [
        (villagers.GAME, 3, {"road_1": "nobody"}, ("road_1", "'nobody'", *villagers.GAME.options[0].values)),
        (villagers.GAME, 3, {"road_2": "mason", "road_5": "mason"}, ("road_2", "'mason'")),
        (villagers.GAME, 9, {}, ()),
        (villagers.GAME, 2, {"countess": "beginner"}, ("countess",)),
        (tiny_towns.GAME, 1, {"cards": 'name = "Few"\n[[card]]\nname = "Hut"\npoints = true'}, ("card 1", "Hut")),
        (tiny_towns.GAME, 2, {"cards": "a = [[[[[[[[["}, ()),
        (valeria.GAME, 2, {"deck": 'name = "Small"\n[[building]]\nname = "Hut"'}, ("building", "Hut")),
        (valeria.GAME, 2, {"deck": "name"}, ()),
    ],
)
def test_refused_options_and_files_are_said_in_the_language(
    game: AnyGame, seats: int, chosen: dict[str, str], known: tuple[str, ...]
) -> None:
    with pytest.raises(OptionError) as refused:
        game.options_for(seats, chosen)
    assert "⟦" not in str(refused.value)
    with speaking(wrapped().within(game.words)):
        said = say(refused.value.message)
    assert bare(escape(said), game.name, *known) == [], said


def test_squares_of_a_town_are_read_as_the_language_joins_things() -> None:
    register(tiny_towns.GAME)
    match = Match.load((MATCHES / "tiny_towns/factory.json").read_text())
    pages = Pages()
    for tag, joined in (("es", " y C4 Piedra de Molino"), ("ja", "、C4 石臼")):
        with speaking(language(tag).within(tiny_towns.GAME.words)):
            html = pages.fragment(pages.table(match.at(match.ply // 2)), 0)
        (squares,) = re.findall('data-why="town-1"[^>]*aria-label="([^"]*)"', html)
        assert squares.endswith(joined)


def test_powers_of_valeria_say_the_same_as_before_they_were_messages() -> None:
    powers = {power.text for card in DECKS.of_value(FIRST).every for power in card.powers}
    assert {"Harvest: draw 1 card", "Paying a building: 1 food", "Recruit: draw 2 cards"} <= powers
    assert all(text.count(": ") >= 1 and "{" not in text for text in powers)


def test_a_language_reaches_the_words_of_a_game() -> None:
    with speaking(wrapped().within(tiny_towns.GAME.words)):
        assert say(tiny_towns.GAME.face.prompt(Match("tiny-towns", 2, seed=1).state, None)).startswith("⟦")
        assert say(tiny_towns.GAME.face.sheet(Match("tiny-towns", 2, seed=1).state).rows[0].label).startswith("⟦")


@pytest.mark.parametrize(
    ("name", "tag", "letter"),
    [
        ("valeria/five-seats", "ja", 'data-letter="食"'),
        ("valeria/five-seats", "es", 'data-letter="C"'),
        ("villagers/five-seats", "ja", ">穀</text>"),
        ("villagers/five-seats", "pt", ">F</text>"),
        ("tiny_towns/first-game", "ja", 'data-letter="麦"'),
    ],
)
def test_the_letters_on_signs_are_of_the_language(name: str, tag: str, letter: str) -> None:
    """Food and grain in Japanese, food in Spanish, hay in Portuguese, wheat."""
    game: AnyGame = GAMES[name.partition("/")[0]]
    register(game)
    pages = Pages()
    match = Match.load((MATCHES / f"{name}.json").read_text())
    with speaking(language(tag).within(game.words)):
        tables = (pages.table(match.at(ply)) for ply in range(0, match.ply, 8))
        assert any(letter in pages.fragment(table, 0) + pages.once(table, 0) for table in tables)


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("es", ("1 punto por cada 3 aventureros", "1 punto por cada 2 de magia desarrollada")),
        ("pt", ("1 ponto para cada 3 aventureiros", "1 ponto para cada 2 de magia desenvolvida")),
    ],
)
def test_so_many_of_what_is_counted(tag: str, said: tuple[str, str]) -> None:
    """What can be counted stands by its number as it is; of a kind of resource there are so many of it."""
    deck = DECKS.of_value(FIRST)
    with speaking(language(tag).within(valeria.GAME.words)):
        powers = {say(power.deed) for card in deck.every for power in card.powers}
    assert set(said) <= powers
