"""Files of cards: what is read and written, what is said of broken ones, and playing by cards that nobody printed."""

import ast
import inspect
import json
import random
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from wrapped import wrapped

from games.tiny_towns.printed import CARDS, cards_of, number
from games.tiny_towns.tally import CENTRE, CORNERS, around, column, groups, next_to, row
from games.tiny_towns.town import NAMINGS
from thorp import Match, OptionError
from thorp.cardfiles import reader
from thorp.cardfiles.reader import LONGEST_NAME, MOST_BYTES, Reader
from thorp.compiling.mode import COMPILED
from thorp.core.language import speaking
from thorp.core.registry import register
from thorp.core.words import Message, Term, say
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.cards import card_toml
from thorp.games.tiny_towns.cards.card_toml import (
    LEAST_BY_NUMBER,
    MOST_BY_NUMBER,
    MOST_COTTAGES,
    MOST_POINTS,
    MOST_PORTION,
    check,
    printed,
    write,
)
from thorp.games.tiny_towns.cards.describing import described
from thorp.games.tiny_towns.cards.known import CARD_SETS, PRINTED
from thorp.games.tiny_towns.cards.summary import summary
from thorp.games.tiny_towns.rules import state
from thorp.games.tiny_towns.rules.cards import COUNTS, DEEDS, MONUMENT, SUPPLY_TYPES, TYPES, Card
from thorp.games.tiny_towns.rules.deal import lay_out
from thorp.games.tiny_towns.rules.moves import MOVES
from thorp.games.tiny_towns.rules.scoring import fed, monument_points, type_points
from thorp.games.tiny_towns.rules.shapes import LEAST_CELLS, MOST_CELLS, SIDE, WHERES
from thorp.games.tiny_towns.rules.state import MOST_ALTERNATIVES, MOST_MONUMENTS, MOST_NUMBERS, State

register(GAME)

IDS = tuple(type.id for type in TYPES)
SQUARES = range(16)
#: One sound card, field by field, as TOML.
HUT = {"name": '"Hut"', "type": '"chapel"', "pattern": '["WS"]', "points": "1"}


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile the rules, or load them, once."""
    GAME.prepare()


def file_of(*cards: dict[str, str], head: str = 'name = "Mine"') -> str:
    """A file of cards given as TOML."""
    tables = ("\n".join(["", "[[card]]", *(f"{key} = {value}" for key, value in card.items())]) for card in cards)
    return "\n".join([head, *tables, ""])


def hut(**fields: str) -> str:
    """A file of the one sound card with some fields of another kind; "" leaves one out."""
    return file_of({key: value for key, value in (HUT | fields).items() if value})


def several(type: str, many: int) -> list[dict[str, str]]:
    """So many sound cards of a type."""
    return [HUT | {"type": f'"{type}"', "name": f'"Hut {index}"'} for index in range(many)]


def faults(text: str | bytes) -> list[str]:
    """What is said of a file."""
    found, told = check(text if isinstance(text, bytes) else text.encode())
    assert (found is None) == bool(told)
    return [str(fault) for fault in told]


def words(card: Card) -> str:
    """What a card says by its numbers."""
    return " ".join(say(sentence) for sentence in described(card))


# --- the documentation ------------------------------------------------------------------------------------------

DOCS = (Path(__file__).parents[3] / "docs" / "town-cards.md").read_text(encoding="utf-8")
EXAMPLE = DOCS.split("```toml\n")[1].split("```")[0]


def test_the_worked_example_is_sound_and_the_checker_says_what_is_told() -> None:
    found, told = check(EXAMPLE.encode())
    assert told == ()
    assert found is not None
    assert "```\n" + "\n".join(summary(found)) + "\n```" in DOCS
    assert [len(found.of_type(type)) for type in range(len(TYPES))] == [1, 1, 4, 4, 2, 4, 4, 5]
    assert GAME.options_for(2, {"cards": EXAMPLE})["monuments"] == "yes"
    with pytest.raises(OptionError, match="'Harbour' has 5"):
        GAME.options_for(3, {"cards": EXAMPLE})


def test_the_documentation_has_one_example() -> None:
    assert DOCS.count("```toml") == 1


def test_the_documentation_names_every_word_and_bound() -> None:
    for word in (*IDS, *COUNTS, *WHERES, *DEEDS[1:]):
        assert f'"{word}"' in DOCS, word
    for bound in (
        f"1 to {LONGEST_NAME} letters",
        f"{LEAST_CELLS} to {MOST_CELLS} cubes, connected by sides, in at most {SIDE} rows and {SIDE}",
        f"a whole number from -{MOST_POINTS} to {MOST_POINTS}",
        f"list of 2 to {MOST_NUMBERS} whole numbers from {LEAST_BY_NUMBER} to {MOST_BY_NUMBER}",
        f"counted: -{MOST_POINTS} to {MOST_POINTS}",
        f"up to so many Cottages anywhere in the town: 1 to {MOST_PORTION['cottages']}",
        f"up to so many groups of Cottages anywhere in the town: 1 to {MOST_PORTION['groups']}",
        f"as how many Cottages a monument counts: 1 to {MOST_COTTAGES}",
        f"At most 1 card of the type cottage takes part, at most {MOST_ALTERNATIVES} of each other type, "
        f"and at most {MOST_MONUMENTS} monuments",
        f"at most {MOST_BYTES // 1024} KiB",
    ):
        assert bound in DOCS, bound


def test_the_documentation_names_the_printed_card_of_every_deed() -> None:
    table = DOCS.split("## Deeds")[1].split("\n\n", 2)[2].split("\n\n")[0]
    for card in CARDS:
        if card.deed:
            assert re.search(f'"{DEEDS[card.deed]}".*\\| {card.name} \\|', table), card.name


# --- broken files -----------------------------------------------------------------------------------------------

NAMES_OF_TYPES = "cottage, farm, well, chapel, tavern, theater, factory, monument"
NUMBER_OR_LIST = "points: must be one whole number, or a list of 2 to 8 of them from -20 to 30, not"
LOOK = "cottages, fed cottages, unfed cottages, buildings, types, missing types"

#: What is broken: the file, and what is said of it.
BROKEN: dict[str, tuple[str | bytes, str]] = {
    "far too many cards": (
        'name = "Mine"\n' + "[[card]]\n" * 300,
        "card: there are 300 of them; no file has more than 256",
    ),
    # the file as a whole
    "empty": ("", "name: is missing"),
    "not TOML": ("name = ", "the file is not TOML: Invalid value (at end of document)"),
    "nested without end": ("a=" + "[" * 5000, "the file is not TOML"),
    "NUL": ("name = \x00", "the file is not TOML"),
    "wrong encoding": (hut(name='"Hütte"').encode("latin-1"), "the file is not UTF-8 text (at byte 33); save it"),
    "too big": (hut() + "#" * MOST_BYTES, f"bytes; a file of cards has at most {MOST_BYTES}"),
    "a number of 5000 digits": (hut(points="1" * 5000), "a number in the file has too many digits"),
    "a number of 5000 digits to the base 16": (
        hut(points="0x" + "1" * 5000),
        "a number in the file has too many digits: 32 are the most (at line 7)",
    ),
    "tables without end": (
        hut(points="") + "points." + "a." * 5000 + "b = 1\n",
        "a key in the file has too many parts",
    ),
    "unknown key at the top": ("author = 'me'\n" + hut(), "author: is not known here; there are name, printed, card"),
    "unknown key that is no word": ("'a b' = 1\n" + hut(), "'a b': is not known here"),
    "cards are no tables": ('name = "Mine"\ncard = ["Hut"]', "card: write each card as a table headed [[card]]"),
    "cards are one table": (hut().replace("[[card]]", "[card]"), "card: write each card as a table headed [[card]]"),
    "no cards": ('name = "Mine"', "card: the file has no cards: write each as a table headed [[card]]"),
    "name of the file": (file_of(HUT, head='name = ""'), "name: must be a text of 1 to 32 letters"),
    # printed cards
    "printed is a word": ('name = "Mine"\nprinted = "inn"', "printed: list the ids of printed cards, not 'inn'"),
    "unknown printed card": (
        'name = "Mine"\nprinted = ["pub"]',
        "printed: no printed card has the id 'pub'; there are abbey, almshouse, architects_guild, ",
    ),
    "a printed card that is no word": ('name = "Mine"\nprinted = [[1]]', "printed: no printed card has the id [1]"),
    # keys and names
    "no name": (hut(name=""), "card 1: name: is missing"),
    "no type": (hut(type=""), "card 1 (Hut): type: is missing"),
    "no pattern": (hut(pattern=""), "card 1 (Hut): pattern: is missing"),
    "no points": (hut(points=""), "card 1 (Hut): points: is missing"),
    "unknown key": (
        hut(colour='"red"'),
        "card 1 (Hut): colour: is not known here; there are name, type, pattern, points, count, of, where, base, "
        "feeds, does, cottages, solo",
    ),
    "an id of one's own": (hut(id='"hut"'), "card 1 (Hut): id: is not known here"),
    "words of one's own": (hut(effect='"Wins."'), "card 1 (Hut): effect: is not known here"),
    "name is a number": (hut(name="7"), "card 1: name: must be a text of 1 to 32 letters, digits, spaces, hyphens"),
    "name too long": (hut(name=f'"{"H" * 33}"'), "card 1: name: must be a text of 1 to 32 letters"),
    "name empty": (hut(name='""'), "card 1: name: must be a text of 1 to 32 letters"),
    "name ends in a space": (hut(name='"Hut "'), "card 1: name: must be a text"),
    "name with a control character": (hut(name='"Hu\\u0007t"'), "card 1: name: must be a text"),
    "name that turns the line around": (hut(name='"Hu\\u202et"'), "card 1: name: must be a text"),
    "name of loose accents": (hut(name='"Hu\\u0308tte"'), "card 1: name: must be a text"),
    "name with a tag": (hut(name='"<b>Hut</b>"'), "card 1: name: must be a text"),
    "a name twice": (file_of(HUT, HUT), "Hut: name: 2 cards have this name; each card has one of its own"),
    "a name twice but for case": (file_of(HUT, HUT | {"name": '"HUT"'}), "Hut: name: 2 cards have this name"),
    "name of a printed card": (hut(name='"Feast Hall"'), "Feast Hall: name: 2 cards have this name"),
    # type and pattern
    "unknown type": (
        hut(type='"castle"'),
        f"card 1 (Hut): type: no type of building is called 'castle'; there are {NAMES_OF_TYPES}",
    ),
    "type is a number": (hut(type="3"), "card 1 (Hut): type: no type of building is called 3"),
    "pattern is a word": (hut(pattern='"WS"'), 'card 1 (Hut): pattern: list its rows, as ["..G", "SGS"]'),
    "pattern of numbers": (hut(pattern="[1, 2]"), "card 1 (Hut): pattern: list its rows"),
    "pattern without rows": (hut(pattern="[]"), "card 1 (Hut): pattern: list its rows"),
    "pattern with a strange letter": (
        hut(pattern='["WX"]'),
        "card 1 (Hut): pattern: has 'X'; there are W, T, B, G, S for cubes, and . for none",
    ),
    "pattern in small letters": (hut(pattern='["ws"]'), "card 1 (Hut): pattern: has 's'"),
    "pattern without cubes": (hut(pattern='["..", ".."]'), "card 1 (Hut): pattern: has 0 cubes, and must have 2 to 6"),
    "pattern of empty rows": (hut(pattern='[""]'), "card 1 (Hut): pattern: has 0 cubes"),
    "pattern of one cube": (hut(pattern='["W"]'), "card 1 (Hut): pattern: has 1 cubes, and must have 2 to 6"),
    "pattern of seven cubes": (hut(pattern='["WWWW", "WWW"]'), "card 1 (Hut): pattern: has 7 cubes"),
    "pattern too wide": (
        hut(pattern='["WWWWW"]'),
        "card 1 (Hut): pattern: does not fit into a town of 4 rows and 4 columns",
    ),
    "pattern too high": (hut(pattern='["W", "W", "W", "W", "W"]'), "card 1 (Hut): pattern: does not fit into a town"),
    "pattern that falls apart": (
        hut(pattern='["W.", ".S"]'),
        "card 1 (Hut): pattern: falls apart: its cubes have to be connected by sides",
    ),
    # points
    "points too high": (hut(points="10"), "card 1 (Hut): points: must be a whole number from -9 to 9, not 10"),
    "points too low": (hut(points="-10"), "card 1 (Hut): points: must be a whole number from -9 to 9, not -10"),
    "points are a text": (hut(points='"2"'), "card 1 (Hut): points: must be a whole number from -9 to 9, not '2'"),
    "points are no whole number": (hut(points="1.5"), "points: must be a whole number from -9 to 9, not 1.5"),
    "points are true": (hut(points="true"), "points: must be a whole number from -9 to 9, not True"),
    "a list that depends on nothing": (
        hut(points="[1, 2]"),
        "card 1 (Hut): points: are one number, unless `count` says what they depend on",
    ),
    "a list of one": (hut(count='"cottages"', points="[1]"), f"card 1 (Hut): {NUMBER_OR_LIST} [1]"),
    "a list of nine": (hut(count='"cottages"', points="[1, 2, 3, 4, 5, 6, 7, 8, 9]"), NUMBER_OR_LIST),
    "a list too high": (hut(count='"cottages"', points="[0, 31]"), f"{NUMBER_OR_LIST} [0, 31]"),
    "a list too low": (hut(count='"cottages"', points="[0, -21]"), f"{NUMBER_OR_LIST} [0, -21]"),
    "a list of texts": (hut(count='"cottages"', points='["a", "b"]'), f"{NUMBER_OR_LIST} ['a', 'b']"),
    "a list with true": (hut(count='"cottages"', points="[0, true]"), f"{NUMBER_OR_LIST} [0, True]"),
    "one number for all": (
        hut(count='"all"'),
        "card 1 (Hut): points: are a list with a count of 'all': the points for 0, for 1, and so on",
    ),
    "one number for being fed": (hut(type='"cottage"', count='"fed"'), "points: are a list with a count of 'fed'"),
    "one number for more": (hut(count='"more than right"'), "points: are a list with a count of 'more than right'"),
    "one number for a place": (hut(type='"monument"', count='"place"'), "are a list with a count of 'place'"),
    "base without a count": (hut(base="1"), "card 1 (Hut): base: goes only with a count: without one, `points` says"),
    "base too high": (
        hut(count='"cottages"', base="10"),
        "card 1 (Hut): base: must be a whole number from -9 to 9, not 10",
    ),
    # what is counted
    "unknown count": (
        hut(count='"trees"'),
        f"card 1 (Hut): count: no thing to count is called 'trees'; there are {', '.join(COUNTS)}",
    ),
    "only Cottages are fed": (
        hut(count='"fed"', points="[0, 3]"),
        "card 1 (Hut): count: only a Cottage can be fed, or a monument that counts as `cottages`",
    ),
    "a monument is not fed": (hut(type='"monument"', count='"fed"', points="[0, 3]"), "count: only a Cottage can be"),
    "one monument is not all": (
        hut(type='"monument"', count='"all"', points="[0, 3]"),
        "card 1 (Hut): count: a player has one monument, which cannot count 'all'",
    ),
    "one monument is not more": (
        hut(type='"monument"', count='"more than right"', points="[0, 3]"),
        "a player has one monument, which cannot count 'more than right'",
    ),
    "only monuments count a place": (
        hut(count='"place"', points="[0, 3]"),
        "card 1 (Hut): count: only a monument can count 'place'",
    ),
    "only monuments count when built": (hut(count='"when built"'), "count: only a monument can count 'when built'"),
    "only factories count cubes": (
        hut(count='"cubes"'),
        "card 1 (Hut): count: only cards of the type factory hold cubes",
    ),
    "unknown place": (
        hut(count='"cottages"', where='"far away"'),
        "card 1 (Hut): where: no place is called 'far away'; there are beside, around, lines, line, corners, centre, "
        "town",
    ),
    "a place without a count": (hut(where='"beside"'), f"card 1 (Hut): where: goes only with a count of {LOOK}"),
    "a place for what is nowhere": (
        hut(count='"largest group"', where='"beside"'),
        f"card 1 (Hut): where: goes only with a count of {LOOK}",
    ),
    "types without a count": (
        hut(of='["farm"]'),
        "card 1 (Hut): of: goes only with a count of buildings, types, missing types",
    ),
    "types for Cottages": (hut(count='"cottages"', of='["farm"]'), "of: goes only with a count of buildings, types"),
    "no types": (
        hut(count='"buildings"'),
        f"card 1 (Hut): of: list the types that are counted, of {NAMES_OF_TYPES}",
    ),
    "an empty list of types": (hut(count='"types"', of="[]"), "card 1 (Hut): of: list the types that are counted"),
    "types are a word": (hut(count='"types"', of='"farm"'), "card 1 (Hut): of: list the types that are counted"),
    "unknown type to count": (
        hut(count='"types"', of='["farm", "inn"]'),
        f"card 1 (Hut): of: no type is called 'inn'; there are {NAMES_OF_TYPES}",
    ),
    # what it does
    "unknown deed": (hut(does='"burns"'), "card 1 (Hut): does: no deed is called 'burns'; there are anywhere, subst"),
    "no deed by name": (hut(does='""'), "card 1 (Hut): does: no deed is called ''"),
    "a deed of a factory": (
        hut(does='"bars"'),
        "card 1 (Hut): does: a card of the type chapel cannot do 'bars'; there are anywhere",
    ),
    "a deed of a monument": (
        hut(type='"factory"', does='"grants"'),
        "a card of the type factory cannot do 'grants'; there are anywhere, substitutes, bars, stands in, stores",
    ),
    "a monument that stores": (
        hut(type='"monument"', does='"stores"'),
        "a card of the type monument cannot do 'stores'; there are anywhere, rebuilds, grants, watches, never names, "
        "forgives, shelters",
    ),
    "only farms feed": (hut(feeds="{ cottages = 4 }"), "card 1 (Hut): feeds: only a card of the type farm feeds"),
    "feeds is a number": (
        hut(type='"farm"', feeds="4"),
        "card 1 (Hut): feeds: must be { cottages = 4 }, { groups = 1 } or { where = ... }, not 4",
    ),
    "feeds two ways": (hut(type='"farm"', feeds="{ cottages = 4, groups = 1 }"), "feeds: must be { cottages = 4 }"),
    "feeds no way": (hut(type='"farm"', feeds="{}"), "feeds: must be { cottages = 4 }, { groups = 1 } or"),
    "feeds others": (hut(type='"farm"', feeds="{ dogs = 4 }"), "feeds: must be { cottages = 4 }"),
    "feeds nobody": (
        hut(type='"farm"', feeds="{ cottages = 0 }"),
        "card 1 (Hut): feeds.cottages: must be a whole number from 1 to 8, not 0",
    ),
    "feeds too many": (hut(type='"farm"', feeds="{ cottages = 9 }"), "feeds.cottages: must be a whole number from 1"),
    "feeds too many groups": (
        hut(type='"farm"', feeds="{ groups = 5 }"),
        "card 1 (Hut): feeds.groups: must be a whole number from 1 to 4, not 5",
    ),
    "feeds a line": (
        hut(type='"farm"', feeds='{ where = "line" }'),
        "card 1 (Hut): feeds.where: no place is called 'line'; there are beside, around, lines, corners, centre, town",
    ),
    "only monuments are Cottages too": (
        hut(cottages="2"),
        "card 1 (Hut): cottages: only a monument counts as Cottages",
    ),
    "no Cottages": (
        hut(type='"monument"', cottages="0"),
        "card 1 (Hut): cottages: must be a whole number from 1 to 4, not 0",
    ),
    "too many Cottages": (hut(type='"monument"', cottages="5"), "cottages: must be a whole number from 1 to 4, not 5"),
    "solo is a word": (hut(solo='"no"'), "card 1 (Hut): solo: must be true or false, not 'no'"),
    # too many of a type, and too few in solo play
    "two Cottages": (
        file_of(*several("cottage", 2)),
        "card: 2 cards are of the type cottage; at most 1 can take part",
    ),
    "a Cottage beside the printed one": (
        file_of(*several("cottage", 1), head='name = "Mine"\nprinted = ["cottage"]'),
        "card: 2 cards are of the type cottage; at most 1 can take part",
    ),
    "five Chapels": (file_of(*several("chapel", 5)), "card: 5 cards are of the type chapel; at most 4 can take part"),
    "five Chapels with the printed ones": (
        file_of(*several("chapel", 3), head='name = "Mine"\nprinted = ["abbey", "temple"]'),
        "card: 5 cards are of the type chapel; at most 4 can take part",
    ),
    "25 monuments": (
        file_of(*several("monument", 25)),
        "card: 25 cards are of the type monument; at most 24 can take part",
    ),
    "no card for solo play": (hut(solo="false"), "card: no card of the type chapel takes part in solo play; one has"),
    "no factory for solo play": (
        hut(type='"factory"', does='"bars"'),
        "card: no card of the type factory takes part in solo play; one has to",
    ),
    "no printed card for solo play": (
        'name = "Mine"\nprinted = ["fort_ironweed", "opaleyes_watch"]',
        "card: no card of the type monument takes part in solo play; one has to",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_told_by_card_and_field(name: str) -> None:
    text, wanted = BROKEN[name]
    said = faults(text)
    assert any(wanted in fault for fault in said), said
    assert len(set(said)) == len(said)


def test_the_sound_card_of_the_broken_files_is_sound() -> None:
    assert faults(hut()) == faults(file_of(*several("chapel", 4))) == faults(file_of(*several("monument", 24))) == []


def places_that_tell_faults(module: Any) -> set[tuple[str, int]]:
    """The lines in which a module notes a fault."""
    tree = ast.parse(inspect.getsource(module))
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)]
    return {(module.__file__, call.lineno) for call in calls if call.func.attr == "fault"}  # type: ignore[attr-defined]


def test_every_fault_that_can_be_told_is_told_of_some_broken_file(monkeypatch: pytest.MonkeyPatch) -> None:
    told = set()
    note = Reader.fault

    def noted(self: Reader, field: str, sentence: str, **data: object) -> None:
        caller = sys._getframe(1)
        told.add((caller.f_code.co_filename, caller.f_lineno))
        note(self, field, sentence, **data)

    monkeypatch.setattr(Reader, "fault", noted)
    for text, _ in BROKEN.values():
        faults(text)
    assert told == places_that_tell_faults(card_toml) | places_that_tell_faults(reader)


@pytest.mark.parametrize("name", BROKEN)
def test_every_fault_is_in_a_catalogue(name: str) -> None:
    broken = BROKEN[name][0]
    with speaking(wrapped().within(GAME.words)):
        for fault in check(broken if isinstance(broken, bytes) else broken.encode())[1]:
            assert say(fault.text).startswith("⟦")
            for thing in (fault.text.data or {}).values():
                assert not isinstance(thing, (Message, Term)) or "⟦" in say(Message("{0}", {"0": thing}))


def test_all_faults_are_told_at_once() -> None:
    text = file_of(HUT | {"points": "10", "type": '"hut"'}, HUT | {"name": '"Barn"', "pattern": '["W"]', "solo": "1"})
    assert [fault.partition(": ")[2].partition(":")[0] for fault in faults(text)] == [
        "type",
        "points",
        "pattern",
        "solo",
    ]
    assert [fault.partition(":")[0] for fault in faults(text)] == ["card 1 (Hut)"] * 2 + ["card 2 (Barn)"] * 2


def test_a_broken_file_as_an_option_raises_one_sentence() -> None:
    with pytest.raises(OptionError, match=r"^the file of cards cannot be used: card 1 \(Hut\): points: .* not 99$"):
        CARD_SETS.read(hut(points="99"))
    with pytest.raises(OptionError, match=r"; and \d+ more$"):
        CARD_SETS.read(file_of(*(card | {"points": "99"} for card in several("monument", 20))))
    with pytest.raises(OptionError, match="not UTF-8"):
        CARD_SETS.read("name = '\udc80'")
    with pytest.raises(OptionError, match="the file of cards cannot be used"):
        Match(GAME, 2, {"cards": "nonsense"}, seed=1)


# --- cards like no others ---------------------------------------------------------------------------------------

LOOKING = ("cottages", "fed cottages", "unfed cottages", "buildings", "types", "missing types")
OF_TYPES = ("buildings", "types", "missing types")
BY_LIST_ONLY = ("all", "fed", "place", "more than right")
NEED_OTHERS = ("bars", "watches", "never names")

#: A card as a file has it: its fields in Python's values.
Fields = dict[str, Any]


def random_pattern(chance: random.Random) -> list[str]:
    """Two to six connected cubes, without empty rows and columns at the edges."""
    cells, many = {(chance.randrange(4), chance.randrange(4))}, chance.randint(2, 6)
    while len(cells) < many:
        r, c = chance.choice(sorted(cells))
        down, right = chance.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
        if r + down in range(4) and c + right in range(4):
            cells.add((r + down, c + right))
    across = range(min(c for _, c in cells), max(c for _, c in cells) + 1)
    down = range(min(r for r, _ in cells), max(r for r, _ in cells) + 1)
    return ["".join(chance.choice("WTBGS") if (r, c) in cells else "." for c in across) for r in down]


def counts_of(type: str, cottages: bool = False) -> tuple[str, ...]:
    """What a card of a type may count."""
    own = ("place", "when built") if type == "monument" else ("all", "more than right")
    fed = ("fed",) if type == "cottage" or cottages else ()
    return (*LOOKING, "largest group", *own, *fed, *(("cubes",) if type == "factory" else ()))


def counting(chance: random.Random, count: str, where: str = "") -> Fields:
    """The fields of a card that tell how it counts something."""
    card: Fields = {"count": count}
    if count in BY_LIST_ONLY or chance.random() < 0.4:
        most = 2 if count in ("fed", "more than right") else 8
        card["points"] = [chance.randint(-20, 30) for _ in range(chance.randint(2, most))]
    else:
        card["points"] = chance.randint(-9, 9)
    if count in OF_TYPES:
        card["of"] = chance.sample(IDS, chance.randint(1, 8))
    if count in LOOKING and (where or chance.random() < 0.8):
        card["where"] = where or chance.choice(WHERES)
    if chance.random() < 0.3:
        card["base"] = chance.randint(-9, 9)
    return card


def random_card(chance: random.Random, type: str, name: str) -> Fields:
    """Any card of a type."""
    card: Fields = {"name": name, "type": type, "pattern": random_pattern(chance)}
    if type == "monument" and chance.random() < 0.3:
        card["cottages"] = chance.randint(1, 4)
    card["points"] = chance.randint(-9, 9)
    if chance.random() < 0.8:
        card |= counting(chance, chance.choice(counts_of(type, "cottages" in card)))
    if type == "farm" and chance.random() < 0.9:
        places = [where for where in WHERES if where != "line"]
        ways = [("cottages", chance.randint(1, 8)), ("groups", chance.randint(1, 4)), ("where", chance.choice(places))]
        card["feeds"] = dict([chance.choice(ways)])
    factory = ["substitutes", "bars", "stands in", "stores"]
    deeds = list(DEEDS[6:]) if type == "monument" else factory if type == "factory" else []
    if chance.random() < (0.7 if deeds else 0.1):
        card["does"] = chance.choice(["anywhere", *deeds])
    if chance.random() < 0.15:
        card["solo"] = False
    return card


def for_solo(card: Fields) -> Fields:
    """A card that takes part in solo play."""
    return {key: value for key, value in card.items() if key != "solo" and value not in NEED_OTHERS}


def random_cards(chance: random.Random, types: Iterable[str], keep: bool) -> dict[str, Any]:
    """A file of cards of one's own of some types and, where `keep`, some printed ones beside them.

    Whatever is random, it is sound, and there are monuments for six seats.
    """
    cards, kept = [], []
    for type in types:
        most = {"cottage": 1, "monument": 24}.get(type, 4)
        own = chance.randint(12 if type == "monument" else 1, most)
        made = [random_card(chance, type, f"{type} {index}") for index in range(own)]
        cards += [for_solo(card) if index < 2 else card for index, card in enumerate(made)]
        if keep:
            there = [card.id for card in cards_of(IDS.index(type))]
            kept += chance.sample(there, chance.randint(0, min(most - own, len(there))))
    return {"name": "Nobody's", "printed": kept, "card": cards}


def as_toml(value: Any) -> str:
    """A value as a file has it."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {as_toml(each)}' for key, each in value.items())} }}"
    return json.dumps(value)


def text_of(file: dict[str, Any]) -> str:
    """A file as text."""
    cards = ({key: as_toml(value) for key, value in card.items()} for card in file["card"])
    return file_of(*cards, head=f"name = {as_toml(file['name'])}\nprinted = {as_toml(file['printed'])}")


def otherwise(chance: random.Random, file: dict[str, Any]) -> dict[str, Any]:
    """A file that says the same in other words."""
    cards = []
    for card in file["card"]:
        other = card | {"solo": card.get("solo", True)}
        other["pattern"] = ["", *(f"..{row}" for row in card["pattern"]), "...."][chance.randrange(2) :]
        other.setdefault("count", "nothing")
        if other["count"] in LOOKING:
            other.setdefault("where", "town")
        if other["count"] != "nothing":
            other.setdefault("base", 0)
        if "of" in other:
            other["of"] = chance.sample(other["of"] * 2, 2 * len(other["of"]))
        if isinstance(card["points"], list) and len(card["points"]) < 8:
            other["points"] = [*card["points"], card["points"][-1]]
        cards.append({key: other[key] for key in chance.sample(list(other), len(other))})
    # cards of one type stay in their order
    types = chance.sample(IDS, len(IDS))
    cards.sort(key=lambda card: types.index(card["type"]))
    return {
        "name": file["name"],
        "printed": chance.sample(file["printed"] * 2, 2 * len(file["printed"])),
        "card": cards,
    }


# --- sound files ------------------------------------------------------------------------------------------------

FILES = 40


def random_files() -> Iterator[tuple[random.Random, dict[str, Any]]]:
    """Sound files of all kinds."""
    for seed in range(FILES):
        chance = random.Random(seed)
        types = chance.sample(IDS, chance.randint(1, len(IDS)))
        yield chance, random_cards(chance, types, keep=True)


def test_random_files_are_sound_and_hold_every_word() -> None:
    text = ""
    for _, file in random_files():
        assert faults(text_of(file)) == []
        text += text_of(file)
    for word in (*IDS, *COUNTS[1:], *WHERES, *DEEDS[1:]):
        assert f'"{word}"' in text


def test_writing_and_reading_give_the_same_cards() -> None:
    for _, file in random_files():
        read, _ = check(text_of(file).encode())
        assert read is not None
        text = write(read)
        assert check(text.encode()) == (read, ())
        assert CARD_SETS.read(text_of(file)) == CARD_SETS.read(text) == text
        assert CARD_SETS.of_value(text).name == file["name"]
        assert CARD_SETS.of_value(text).key == read.key


def without_repeats(points: Any) -> Any:
    """Points without the last of a list again: it holds for all higher numbers anyway."""
    while isinstance(points, list) and len(points) > 2 and points[-1] == points[-2]:
        points = points[:-1]
    return points


def test_what_is_written_is_what_was_said() -> None:
    for _, file in random_files():
        written = tomllib.loads(CARD_SETS.read(text_of(file)))
        cards = {card["name"]: card for card in written["card"]}
        assert len(cards) == len(file["card"])
        for card in file["card"]:
            said = {key: value for key, value in card.items() if (key, value) not in (("where", "town"), ("base", 0))}
            said["points"] = without_repeats(card["points"])
            if "of" in card:
                said["of"] = [id for id in IDS if id in card["of"]]
            assert cards[card["name"]] == said


def test_files_that_mean_the_same_give_the_same_text() -> None:
    for chance, file in random_files():
        text = text_of(file)
        other = "# by another hand\n" + text_of(otherwise(chance, file)).replace(" = ", "  =  ")
        assert faults(other) == []
        assert CARD_SETS.read(other) == CARD_SETS.read(text)
        assert check(other.encode()) == check(text.encode())


def test_files_that_mean_something_else_have_other_keys() -> None:
    texts = [text_of(file) for _, file in random_files()]
    keys = {CARD_SETS.of_value(CARD_SETS.read(text)).key for text in texts}
    assert len(keys) == len(texts)
    assert 0 not in keys


def test_the_printed_cards_written_as_a_file_are_the_printed_cards() -> None:
    assert CARD_SETS.read(write(printed())) == PRINTED
    all = ", ".join(f'"{card.id}"' for card in reversed(CARDS))
    assert CARD_SETS.read(f'name = "All"\nprinted = [{all}]') == PRINTED
    assert CARD_SETS.of_value(PRINTED).key == 0


def test_all_printed_cards_of_a_type_are_the_type_as_it_stays() -> None:
    farms = ", ".join(f'"{card.id}"' for card in cards_of(1))
    named = file_of(HUT, head=f'name = "Mine"\nprinted = [{farms}]')
    assert CARD_SETS.read(named) == CARD_SETS.read(hut())
    some = file_of(HUT, head='name = "Mine"\nprinted = ["farm"]')
    assert CARD_SETS.read(some) != CARD_SETS.read(hut())


def test_types_that_are_not_named_stay_as_printed() -> None:
    cards = CARD_SETS.of_value(hut())
    assert [card.name for card in cards.of_type(3)] == ["Hut"]
    for type in {*range(len(TYPES))} - {3}:
        assert [card.id for card in cards.of_type(type)] == [card.id for card in cards_of(type)]
    assert [card.number for card in cards.cards] == list(range(37))


def test_printed_cards_take_part_beside_those_of_the_file() -> None:
    cards = CARD_SETS.of_value(file_of(HUT, head='name = "Mine"\nprinted = ["temple", "inn", "almshouse"]'))
    assert [card.id for card in cards.of_type(3)] == ["hut", "temple"]
    assert [card.id for card in cards.of_type(4)] == ["almshouse", "inn"]
    assert cards.printed == ("temple", "almshouse", "inn")
    assert [card.drawing for card in cards.of_type(3)] == ["t-chapel", "c-temple"]


def test_a_file_may_only_choose_printed_cards() -> None:
    text = CARD_SETS.read('name = "Few"\nprinted = ["inn", "tavern", "farm"]')
    assert text == 'name = "Few"\nprinted = ["farm", "tavern", "inn"]\n'
    assert [len(CARD_SETS.of_value(text).of_type(type)) for type in range(len(TYPES))] == [1, 1, 4, 4, 2, 4, 4, 15]


def test_the_summary_names_every_card_and_what_stays() -> None:
    for _, file in random_files():
        cards = CARD_SETS.of_value(text_of(file))
        first, *lines = summary(cards)
        assert first == "Nobody's: the file is sound."
        rest = "\n".join(lines)
        for card in file["card"]:
            line = next(line for line in lines if f": {card['name']} (" in line)
            assert " / ".join(card["pattern"]) in line
            left_out = card.get("solo") is False or card.get("does") in NEED_OTHERS
            assert line.endswith(" Not in solo play.") == left_out
        named = {card["type"] for card in file["card"]}
        stay = [type.name for type in TYPES if type.id not in named]
        assert (f"All printed cards of: {', '.join(stay)}" in rest) == bool(stay)
        assert ("Printed cards beside them: " in rest) == bool(file["printed"])


# --- scoring ----------------------------------------------------------------------------------------------------


def squares_of(where: str, square: int) -> list[int]:
    """The squares that a card looks at."""
    match where:
        case "beside":
            return next_to(square)
        case "around":
            return around(square)
        case "lines":
            return row(square) + column(square)
        case "corners":
            return list(CORNERS)
        case "centre":
            return list(CENTRE)
    return list(SQUARES)


class Count:
    """The points of a town of any cards, counted slowly from what their file says, on lists instead of masks.

    `on`: the type of the building on each square, or nothing; `held`: how many cubes lie on it; `place`: the place of
    the town's completion; `then`: buildings when the monument was built; `right`: the town of the player on the right.
    """

    def __init__(
        self, cards: dict[str, Fields], on: list[str], held: list[int], place: int, then: int, right: list[str]
    ) -> None:
        self.cards, self.on, self.held = cards, on, held
        self.place, self.then, self.right = place, then, right
        self.castle = cards["monument"].get("cottages", 0)

    def feedable(self, square: int) -> bool:
        return self.on[square] == "cottage" or bool(self.on[square] == "monument" and self.castle)

    def ways_to_feed(self) -> list[set[int]]:
        """Every choice of whom to feed: as many as can be."""
        hungry = [square for square in SQUARES if self.feedable(square)]
        farms = [square for square in SQUARES if self.on[square] == "farm"]
        feeds = self.cards["farm"].get("feeds", {})
        if not farms or not feeds:
            return [set()]
        if "where" in feeds:
            return [{square for farm in farms for square in squares_of(feeds["where"], farm) if square in hungry}]
        portions = groups(hungry) if "groups" in feeds else [{square} for square in hungry]
        most = min(len(portions), len(farms) * next(iter(feeds.values())))
        return [set().union(*chosen) for chosen in combinations(portions, most)]

    def counted(self, card: Fields, square: int, fed: set[int]) -> int:
        """What a card on a square counts."""
        where, type = card.get("where", "town"), card["type"]
        match card["count"]:
            case "all":
                return self.on.count(type)
            case "more than right":
                return int(self.on.count(type) > self.right.count(type))
            case "fed":
                return int(square in fed)
            case "cubes":
                return self.held[square]
            case "place":
                return self.place
            case "when built":
                return self.then
            case "largest group":
                return max(len(group) for id in IDS for group in groups(s for s in SQUARES if self.on[s] == id))
        if where == "line":
            return max(self.seen(card, row(square), fed), self.seen(card, column(square), fed))
        return self.seen(card, squares_of(where, square), fed)

    def seen(self, card: Fields, among: list[int], fed: set[int]) -> int:
        """What a card counts on some squares."""
        castles = [square for square in among if self.on[square] == "monument" and self.castle]
        cottages = [square for square in among if self.on[square] == "cottage"]
        types = {"cottage" if square in castles else self.on[square] for square in among}
        match card["count"]:
            case "cottages":
                return len(cottages) + self.castle * len(castles)
            case "fed cottages":
                return sum(s in fed for s in cottages) + self.castle * sum(s in fed for s in castles)
            case "unfed cottages":
                return sum(s not in fed for s in cottages)
            case "buildings":
                return sum(self.on[square] in card["of"] for square in among)
            case "types":
                return sum(id in types for id in card["of"])
            case "missing types":
                return sum(id not in types for id in card["of"])
        raise ValueError(card["count"])

    def points(self, type: str, fed: set[int]) -> int:
        """The points of all buildings of a type."""
        card = self.cards[type]
        here = [square for square in SQUARES if self.on[square] == type]
        if "count" not in card:
            return len(here) * card["points"]
        if card["count"] == "all":
            here = here[:1]
        points = 0
        for square in here:
            n = self.counted(card, square, fed)
            by = card["points"]
            points += card.get("base", 0) + (by[min(n, len(by) - 1)] if isinstance(by, list) else by * n)
        return points

    def total(self, fed: set[int]) -> int:
        """The points of the whole town."""
        free = "monument" in self.on and self.cards["monument"].get("does") == "forgives"
        return sum(self.points(type, fed) for type in IDS) - (0 if free else self.on.count(""))


def random_town(chance: random.Random, most_cottages: int = 7) -> list[str]:
    """The types of buildings on 16 squares, some without any."""
    weights = [chance.random() for _ in range(SUPPLY_TYPES)]
    on = chance.choices([*IDS[:MONUMENT], ""], [3 * weights[0], *weights[1:], 0.5], k=16)
    for square in [square for square in SQUARES if on[square] == "cottage"][most_cottages:]:
        on[square] = ""
    if chance.random() < 0.8:
        on[chance.randrange(16)] = "monument"
    return on


def check_points(chance: random.Random, cards: dict[str, Fields], seats: int) -> None:
    """Random towns of some cards, one of each type, score what the slow count gives."""
    text = text_of({"name": "Counted", "printed": [], "card": list(cards.values())})
    found = CARD_SETS.of_value(CARD_SETS.read(text))
    towns = [random_town(chance) for _ in range(seats)]
    helds = [[chance.randrange(4) if on == "factory" else 0 for on in town] for town in towns]
    completed = [chance.randrange(8, 12) for _ in towns]
    thens = [chance.randrange(1, 9) for _ in towns]
    made = State()
    made.seats = seats
    made.naming = NAMINGS["master_builder" if seats > 1 else "solo"]
    made.round = 20
    made.cards = [found.of_type(type)[0].number for type in range(SUPPLY_TYPES)]
    for seat, own in enumerate(made.towns[:seats]):
        own.built = [sum(1 << s for s in SQUARES if towns[seat][s] == id) for id in IDS]
        own.held = [(held & 1) | (held >> 1) << 2 for held in helds[seat]]
        helds[seat] = [(held & 1) + (held >> 1) for held in helds[seat]]
        own.monument, own.shrine, own.completed = found.of_type(MONUMENT)[0].number, thens[seat], completed[seat]
    filled: Any = made.write()[0] if COMPILED else made
    lay_out(filled, GAME.option_list(GAME.options_for(seats, {"cards": text, "monuments": "no"})))
    for seat, on in enumerate(towns):
        place = 1 + sum(when < completed[seat] for when in completed)
        right = towns[seat - 1] if seats > 1 else []
        count = Count(cards, on, helds[seat], place, thens[seat], right)
        ways = count.ways_to_feed()
        assert GAME.score(filled, seat) == max(map(count.total, ways)), (text, on)
        eaters = int(fed(filled, seat))
        eating = {square for square in SQUARES if eaters >> square & 1}
        assert eating in ways
        for type, id in enumerate(IDS):
            points = (
                monument_points
                if type == MONUMENT
                else lambda *given, type=type: type_points(*given[:2], type, given[2])
            )
            assert points(filled, seat, eaters) == count.points(id, eating), (text, on)


#: Everything that can be counted, and where.
COUNTED = [
    *((count, where) for count in LOOKING for where in WHERES),
    *((count, "") for count in COUNTS[1:] if count not in LOOKING),
]
TABLES = 6 if COMPILED else 2


@pytest.mark.parametrize(("count", "where"), COUNTED)
def test_what_is_counted_scores_what_a_slow_count_gives(count: str, where: str) -> None:
    chance = random.Random(f"{count} {where}")
    for _ in range(TABLES):
        cards = {type: for_solo(random_card(chance, type, type)) for type in IDS}
        # the Cottage and the farm are usual, so that somebody is fed and cares for it
        if chance.random() < 0.5:
            cards["cottage"] |= {"count": "fed", "points": [0, 3]}
            for key in ("of", "where"):
                cards["cottage"].pop(key, None)
        if count == "fed":
            cards["monument"]["cottages"] = 2
        type = chance.choice([id for id in IDS if count in counts_of(id, "cottages" in cards[id])])
        for key in ("base", "of", "where"):
            cards[type].pop(key, None)
        cards[type] |= counting(chance, count, where)
        check_points(chance, cards, chance.randint(1, 3))


# --- whole games ------------------------------------------------------------------------------------------------


def played(match: Match[Any, Any], chance: random.Random) -> Match[Any, Any]:
    """The match, played to its end at random, mostly building what can be built."""
    done = MOVES["done"].first
    while not match.over:
        seat = chance.choice(match.waiting)
        moves = match.legal(seat)
        if len(moves) > 1 and moves[-1] == done and chance.random() < 0.8:
            moves.pop()
        match.play(seat, chance.choice(moves))
    return match


@pytest.mark.parametrize("seats", [1, 2, 4, 6])
def test_a_random_game_with_cards_of_ones_own_ends_and_its_export_is_the_same_game(seats: int) -> None:
    for seed in range(4):
        chance = random.Random(f"{seats} {seed}")
        types = chance.sample(IDS, chance.randint(1, len(IDS))) if seed % 2 else IDS
        text = text_of(random_cards(chance, types, keep=seed % 2 == 1))
        match = played(Match(GAME, seats, {"cards": text}, seed), chance)
        again = Match.load(match.export())
        assert again.digest() == match.digest()
        assert again.scores == match.scores
        assert again.options["cards"] == CARD_SETS.read(text)


@pytest.mark.parametrize("seats", [1, 2, 4, 6])
def test_the_end_of_a_game_scores_what_a_slow_count_gives(seats: int) -> None:
    chance = random.Random(seats)
    file = random_cards(chance, IDS, keep=False)
    by_name = {card["name"]: card for card in file["card"]}
    match = played(Match(GAME, seats, {"cards": text_of(file)}, seats), chance)
    found = CARD_SETS.of_value(match.options["cards"])
    plain = match.plain
    cards = {id: by_name[found.cards[card].name] for id, card in zip(IDS, plain.cards)}
    boards = [
        [next((id for id, mask in zip(IDS, town.built) if mask >> square & 1), "") for square in SQUARES]
        for town in plain.towns[:seats]
    ]
    for seat, town in enumerate(plain.towns[:seats]):
        count = Count(
            cards | {"monument": by_name[found.cards[town.monument].name]},
            boards[seat],
            [sum(held >> 2 * resource & 3 for resource in range(5)) for held in town.held],
            1 + sum(other.completed < town.completed for other in plain.towns[:seats]),
            town.shrine,
            boards[seat - 1] if seats > 1 else [],
        )
        assert match.scores[seat] == max(map(count.total, count.ways_to_feed()))


@pytest.mark.parametrize("seats", [1, 3])
def test_a_game_with_cards_of_ones_own_is_told_in_words(seats: int) -> None:
    for seed in range(3):
        chance = random.Random(f"words {seats} {seed}")
        text = text_of(random_cards(chance, IDS, keep=seed % 2 == 1))
        names = {card.name for card in CARD_SETS.of_value(CARD_SETS.read(text)).cards}
        match = Match(GAME, seats, {"cards": text}, seed)
        while not match.over:
            for seat_or_none in (*range(seats), None):
                assert say(match.prompt(seat_or_none))
            seat = match.waiting[0]
            offers = [match.words(seat, move) for move in match.legal(seat)]
            assert all(offers)
            assert len(set(offers)) == len(offers)
            match.play(seat, chance.choice(match.legal(seat)))
        sheet = match.sheet()
        assert sheet.totals == match.scores
        assert tuple(map(sum, zip(*(row.points for row in sheet.rows)))) == sheet.totals
        assert {say(row.label) for row in sheet.rows[:SUPPLY_TYPES]} <= names
        assert all(say(note) for row in sheet.rows for note in row.notes if note)
        drawn = GAME.face.text(match.state, None)
        assert all(f"Seat {seat + 1}: {points}" in drawn for seat, points in enumerate(match.scores))


#: Of each kind one that takes part in solo play and some that do not.
FOR_OTHERS = file_of(
    HUT,
    HUT | {"name": '"Not alone"', "solo": "false"},
    HUT | {"type": '"factory"', "name": '"Works"'},
    HUT | {"type": '"factory"', "name": '"Vault"', "does": '"bars"'},
    *several("monument", 2),
    HUT | {"type": '"monument"', "name": '"Spire"', "solo": "false"},
    HUT | {"type": '"monument"', "name": '"Tower"', "does": '"watches"'},
    HUT | {"type": '"monument"', "name": '"Fort"', "does": '"never names"'},
    head='name = "Of two kinds"',
).replace('"Hut 0"', '"Dome"')
LEFT_OUT = {"Not alone", "Vault", "Spire", "Tower", "Fort"}


@pytest.mark.parametrize("seats", [1, 2])
def test_solo_play_leaves_out_what_is_not_for_it(seats: int) -> None:
    cards = CARD_SETS.of_value(FOR_OTHERS).cards
    assert {card.name for card in cards if not card.printed and not card.in_solo} == LEFT_OUT
    dealt = set()
    for seed in range(40):
        plain = Match(GAME, seats, {"cards": FOR_OTHERS}, seed, forced=False).plain
        numbers = [*plain.cards, *(card for town in plain.towns[:seats] for card in town.dealt)]
        dealt |= {cards[number].name for number in numbers}
    if seats == 1:
        assert not dealt & LEFT_OUT
        assert dealt >= {"Hut", "Works", "Dome", "Hut 1"}
    else:
        assert dealt >= {"Hut", "Works", "Dome", "Hut 1", *LEFT_OUT}


@pytest.mark.parametrize("many", [1, 2, 3, 11, 12])
def test_a_table_needs_two_monuments_for_each_player(many: int) -> None:
    text = file_of(*several("monument", many))
    for seats in GAME.seats:
        GAME.options_for(seats, {"cards": text, "monuments": "no"})
        if many >= 2 * seats:
            GAME.options_for(seats, {"cards": text})
        else:
            with pytest.raises(OptionError, match=f"needs? {2 * seats} monuments, and 'Mine' has {many}$"):
                GAME.options_for(seats, {"cards": text})


def test_solo_play_counts_only_the_monuments_that_take_part() -> None:
    spire = HUT | {"type": '"monument"', "name": '"Spire"', "solo": "false"}
    text = file_of(*several("monument", 1), spire, spire | {"name": '"Fort"', "does": '"never names"'})
    with pytest.raises(OptionError, match="1 seat needs 2 monuments, and 'Mine' has 1"):
        GAME.options_for(1, {"cards": text})
    with pytest.raises(OptionError, match="2 seats need 4 monuments, and 'Mine' has 3"):
        Match(GAME, 2, {"cards": text}, seed=1)
    assert played(Match(GAME, 1, {"cards": text, "monuments": "no"}, seed=1), random.Random(1)).over


def test_a_table_cannot_choose_a_card_of_a_type_that_the_file_brings() -> None:
    with pytest.raises(OptionError, match="Chapel cannot be Abbey: the file 'Mine' brings the cards of this type"):
        GAME.options_for(2, {"cards": hut(), "chapel": "abbey"})


@pytest.mark.parametrize(
    ("type", "id"),
    [
        ("farm", "orchard"),
        ("tavern", "inn"),
        ("factory", "bank"),
    ],
)
def test_a_table_can_choose_a_card_of_a_type_that_stays_as_printed(type: str, id: str) -> None:
    match = Match(GAME, 2, {"cards": hut(), type: id}, seed=3, forced=False)
    cards = CARD_SETS.of_value(match.options["cards"])
    assert cards.cards[match.plain.cards[IDS.index(type)]].id == id


@pytest.mark.parametrize("deed", ["", "forgives", "rebuilds", "grants", "watches"])
def test_a_monument_counts_the_buildings_when_it_is_built_whatever_else_it_does(deed: str) -> None:
    shrine = {"name": '"A Shrine"', "count": '"when built"', **({"does": f'"{deed}"'} if deed else {})}
    text = CARD_SETS.read(file_of(HUT | {"type": '"monument"'} | shrine, *several("monument", 3)))
    found = CARD_SETS.of_value(text)
    made = State()
    made.seats, made.builder, made.round = 2, 0, 9
    made.cards = [found.of_type(type)[0].number for type in range(SUPPLY_TYPES)]
    own = made.towns[0]
    own.task, own.monument = state.BUILD, found.of_type(MONUMENT)[0].number
    own.built[0], own.built[4] = 0b111 << 4, 1 << 12
    own.cubes[0], own.cubes[4] = 1, 2
    made.towns[1].task = state.BUILD
    filled: Any = made.write()[0] if COMPILED else made
    lay_out(filled, GAME.option_list(GAME.options_for(2, {"cards": text})))
    build = next(move for move in GAME.legal_moves(filled, 0) if MOVES.decode(move)[1].get("type") == MONUMENT)
    GAME.play(filled, 0, build)
    # three Cottages, a Tavern, and itself
    assert monument_points(filled, 0, 0) == 5


# --- the words on the printed cards -----------------------------------------------------------------------------

#: Numbers that stand in the words of what a card does, and of where it looks.
OF_DEEDS = {"stores": [3], "rebuilds": [2], "watches": [3], "shelters": [1]}
OF_PLACES = {"around": [8], "centre": [4]}


def numbers_in(text: str) -> list[int]:
    """The numbers in a sentence, in their order."""
    text = text.replace("−", "-").replace("Feeds one group", "Feeds 1 group")
    return [int(number) for number in re.findall(r"-?\d+", text)]


def printed_fields() -> dict[str, Fields]:
    """The printed cards as their file has them."""
    return {card["id"]: card for card in tomllib.loads(card_toml.PRINTED_FILE.read_text(encoding="utf-8"))["card"]}


def numbers_of(card: Fields) -> list[int]:
    """The numbers that a card is made of."""
    points = card["points"] if isinstance(card["points"], list) else [card["points"]]
    feeds = card.get("feeds", {})
    return [
        *([card["base"]] if "base" in card else []),
        *points,
        *OF_PLACES.get(card.get("where", ""), []),
        *([card["cottages"]] if "cottages" in card else []),
        *([each] if isinstance(each := next(iter(feeds.values()), ""), int) else OF_PLACES.get(each, [])),
        *OF_DEEDS.get(card.get("does", ""), []),
    ]


def how_many(card: Fields) -> set[int]:
    """The numbers in the words on a printed card that tell how many give its points, where these are a list."""
    points = card["points"]
    match card.get("count"):
        case "all":
            # "for 1 to 5 Taverns"
            return {1, len(points) - 1}
        case "place":
            # "1st, 2nd, 3rd"
            return {place for place, each in enumerate(points) if each}
        case _ if isinstance(points, list) and len(points) > 2:
            # "at least 2", "6 or more"
            return {len(points) - 1}
    return set()


@pytest.mark.parametrize("id", printed_fields())
def test_the_words_on_a_printed_card_have_the_numbers_of_its_data(id: str) -> None:
    card = printed_fields()[id]
    assert CARDS[number(id)].effect == card["effect"]
    said, meant = set(numbers_in(card["effect"])), set(numbers_of(card)) - {0} | how_many(card)
    if card.get("count") == "when built":
        # "1 point for each": those between are as many as there are buildings
        assert card["points"][:-1] == list(range(len(card["points"]) - 1))
        meant -= set(range(2, len(card["points"]) - 1))
    assert said == meant


def sentence_numbers(card: Fields) -> list[int]:
    """The numbers that the sentence made of a card has to say, in their order; a 0 alone says nothing."""
    points, base, count = card["points"], card.get("base", 0), card.get("count", "")
    looks = OF_PLACES.get(card.get("where", ""), [])
    if isinstance(points, list):
        given = [base + each for each in points]
        if count == "fed":
            first = [given[1], given[0]]
        elif count == "more than right":
            first = given[:2]
        elif count == "all" or count == "place":
            first = [1, 2, 3, *given[1:]]
        elif len(given) == 2 and 0 in given:
            first = [given[1] or given[0], *looks]
        else:
            first = [0, *given, *looks]
    elif count:
        first = [*([base] if base else []), points, *looks]
    else:
        first = [points] if points else []
    feeds = next(iter(card.get("feeds", {}).values()), "")
    return [
        *first,
        *([feeds] if isinstance(feeds, int) else OF_PLACES.get(feeds, [])),
        *([card["cottages"]] if "cottages" in card else []),
        *OF_DEEDS.get(card.get("does", ""), []),
    ]


@pytest.mark.parametrize("id", printed_fields())
def test_the_sentence_made_of_a_printed_card_says_its_numbers(id: str) -> None:
    card = printed_fields()[id]
    sentence = words(CARDS[number(id)])
    assert numbers_in(sentence) == sentence_numbers(card)
    # and with the words on the card it has all its points in common
    points = card["points"][1:] if card.get("count") in ("all", "place") else card["points"]
    assert {each for each in ([points] if isinstance(points, int) else points) if each} <= set(numbers_in(sentence))


def test_the_sentence_made_of_any_card_says_its_numbers() -> None:
    for _, file in random_files():
        cards = CARD_SETS.of_value(CARD_SETS.read(text_of(file)))
        for card in file["card"]:
            said = dict(card)
            while (
                isinstance(said["points"], list)
                and len(said["points"]) > 2
                and said["points"][-2] == said["points"][-1]
            ):
                said["points"] = said["points"][:-1]
            sentence = words(next(each for each in cards.cards if each.name == card["name"]))
            assert numbers_in(sentence) == sentence_numbers(said), sentence
            for id in card.get("of", []):
                assert TYPES[IDS.index(id)].name in sentence or "the seven types in play" in sentence
