"""Files that would keep the parser busy, or lead it astray: refused in a sentence, and all others read in no time."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thorp import Match, MatchFileError, OptionError
from thorp.cardfiles.bounds import MOST_DEPTH, MOST_DIGITS, MOST_PARTS, MOST_VALUES, beyond
from thorp.cardfiles.reader import Checked
from thorp.cli.main import main
from thorp.core.options import MOST_BYTES
from thorp.core.words import say
from thorp.games.tiny_towns.cards import card_toml
from thorp.games.tiny_towns.cards.known import CARD_SETS
from thorp.games.valeria.decks import deck_toml
from thorp.games.valeria.decks.known import DECKS, FILES, FIRST

CHECKS: tuple[Callable[[bytes], Checked[Any]], ...] = (deck_toml.check, card_toml.check)


def filled(piece: str, head: str = "", tail: str = "") -> str:
    """As many pieces as a file has room for; `#` in a piece is its number."""
    pieces, room = [], MOST_BYTES - len(head) - len(tail)
    while (room := room - len(more := piece.replace("#", str(len(pieces))))) >= 0:
        pieces.append(more)
    return head + "".join(pieces) + tail


@cache
def exported(game: str) -> str:
    """A match of a game, as a file."""
    return Match(game, 2, seed=1).export()


# --- what is beyond the bounds --------------------------------------------------------------------------------------

PARTS = f"a key in the file has too many parts: {MOST_PARTS} are the most"
DEEP = f"lists and tables lie more than {MOST_DEPTH} deep in one another"
DIGITS = f"a number in the file has too many digits: {MOST_DIGITS} are the most"
VALUES = f"the file has too many keys and values: {MOST_VALUES} are the most"

BEYOND = {
    "a key of many parts": ("a." * 32_000 + "a = 1", PARTS),
    "with spaces": ("a . " * 16_000 + "a = 1", PARTS),
    "in quotes": ('"a".' * 16_000 + "a = 1", PARTS),
    "in empty quotes": ("''." * 20_000 + "a = 1", PARTS),
    "in quotes with quotes": ('"\\"".' * 13_000 + "a = 1", PARTS),
    "after a text": ('x = """\n""""\n' + "a." * 30_000 + "a = 1", PARTS),
    "as a heading": ("[" + "a." * 32_000 + "a]", PARTS),
    "in a table": ("a = {" + "a." * 32_000 + "a = 1}", PARTS),
    "lists": ("a = " + "[" * 65_000, DEEP),
    "lists with an end": ("a = " + "[" * 400 + "]" * 400, DEEP),
    "tables": ("a = " + "{a=" * 20_000, DEEP),
    "a number": ("a = " + "9" * 65_000, DIGITS),
    "below zero": ("a = -" + "9" * 33, DIGITS),
    "to the base 16": ("a = 0x" + "f" * 65_000, DIGITS),
    "with underscores": ("a = " + "1_" * 30_000 + "1", DIGITS),
    "behind the point": ("a = 1." + "1" * 65_000, DIGITS),
    "power": ("a = 1e" + "1" * 65_000, DIGITS),
    "a date": ("a = 2001-01-01T00:00:00." + "1" * 65_000, DIGITS),
    "keys": (filled("k# = 1\n"), VALUES),
    "numbers": (filled("1,", "a = [", "]"), VALUES),
    "headings": (filled("[[card]]\n"), VALUES),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_is_beyond_the_bounds_is_told_in_a_sentence(name: str) -> None:
    text, sentence = BEYOND[name]
    for check in CHECKS:
        found, faults = check(text.encode())
        assert found is None
        assert len(faults) == 1
        assert sentence in str(faults[0])
    for game, option in (("valeria", "deck"), ("tiny-towns", "cards")):
        with pytest.raises(OptionError, match="cannot be used: "):
            Match(game, 2, {option: text})
        fields = json.loads(exported(game))
        fields["options"][option] = text
        with pytest.raises(MatchFileError, match="cannot be used: "):
            Match.load(json.dumps(fields))


@pytest.mark.parametrize("name", ["a key of many parts", "a number", "to the base 16"])
def test_the_command_says_it_in_a_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, sentence = BEYOND[name]
    file = tmp_path / "own.toml"
    file.write_text(text)
    for command in ("deck", "cards"):
        assert main([command, "check", str(file)]) == 1
        first, last = capsys.readouterr().err.splitlines()
        assert first.startswith(f"{file}: {sentence}")
        assert last.startswith("1 fault: ")


def test_the_command_reads_no_more_than_a_file_may_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(b"#" * 10 * MOST_BYTES)
    assert main(["deck", "check", str(file)]) == 1
    assert f"the file has more than {MOST_BYTES} bytes" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "a.b.c.d.e.f.g.h = 1.5\na.b.c.d.e.f.g.i = 2001-01-01T00:00:00.5",
        "a = [[[[[[[[]]]]]]]] # [[[[[[[[[ a.a.a.a.a.a.a.a.a " + "1" * 99,
        f'a = "{"[" * 99}\\"{"a." * 99}" # \'',
        f"a = '{'[' * 99}\\' # {'9' * 99}",
        f'a = """{"[" * 99}""\n\\"""{"a." * 99}""""" # "',
        f"a = '''{'[' * 99}''\n{'9' * 99}''''' # '",
        "a" * 99 + " = 1",
        f"a = -{'9' * MOST_DIGITS}",
        "a = [" + "1," * (MOST_VALUES - 2) + "]",
        FILES[FIRST].read_text("utf-8"),
    ],
)
def test_what_is_within_the_bounds_is_for_the_parser(text: str) -> None:
    assert beyond(text) is None


def test_the_place_is_told() -> None:
    found = beyond("a = 1\n\n# [\n\tb = " + "1" * 99)
    assert found
    assert say(found).endswith("(at line 4)")


def test_what_the_parser_quotes_is_cut_short() -> None:
    key = "a" * 30_000
    _, faults = deck_toml.check(f"[{key}]\n[{key}]".encode())
    assert str(faults[0]).startswith("the file is not TOML: Cannot declare ('aaa")
    assert str(faults[0]).endswith("(at line 2, column 30002)")
    assert len(str(faults[0])) < 300


# --- how long the rest takes ----------------------------------------------------------------------------------------

#: What takes longest of what is within the bounds, and what took long before there were any.
SLOW = {
    "keys of parts": filled("a.b.c.d.e.f.g.k# = 1\n"),
    "headings of parts": filled("[a.b.c.d.e.f.g.k#]\n"),
    "tables of parts": filled("{a.b.c.d.e.f.g.h = 1},", "a = [", "]"),
    "long keys": filled('"k#eeeeeeee" = 1\n'),
    "cards of parts": filled("[[a]]\nb.c.d.e.f.g.h = 1\n"),
    "comments": filled("#\n"),
    "lines": "\n" * MOST_BYTES,
    "lines in a list": filled("\n", "a = [", "]"),
    "dates": filled("2001-01-01T00:00:00.123456+01:00,", "a = [", "]"),
    "escapes": filled("\\u0041", 'a = "', '"'),
    "lines of a text": filled("\\\n", 'a = """', '"""'),
    "quotes of a text": filled('a""', 'a = """', '"""'),
    "texts without end": filled('\\"""', 'a = """'),
    "a wide row and many short ones": filled('"W",', f'name = "x"\n[[card]]\npattern = ["{"." * 50_000}",', "]"),
    "empty rows": filled('"",', 'name = "x"\n[[card]]\npattern = [', '"WS"]'),
    "ids": filled('"",', 'name = "x"\nprinted = [', "]"),
}


@pytest.mark.parametrize("name", SLOW)
def test_no_file_takes_long(name: str) -> None:
    """Each is read in less than a tenth of a second; before there were bounds the worst took twenty."""
    for check in CHECKS:
        before = time.process_time()
        found, faults = check(SLOW[name].encode())
        assert found is None
        assert faults
        assert time.process_time() - before < 1


def test_a_pattern_may_lie_far_out() -> None:
    """However many empty rows and columns there are around it."""
    rows = ", ".join(['""'] * 900 + [f'"{"." * 900}W"', f'"{"." * 900}SW"'])
    card = 'name = "Mine"\n[[card]]\nname = "Hut"\ntype = "chapel"\npoints = 1\npattern = [%s]'
    assert card_toml.check((card % rows).encode()) == card_toml.check((card % '"W.", "SW"').encode())


# --- anything at all ------------------------------------------------------------------------------------------------

WORDS = (
    *("name", "building", "adventurer", "card", "printed", "points", "cost", "copies", "needs", "powers", "pattern"),
    *("count", "of", "where", "feeds", "does", "type", "a", "1", "-9", "0x", "1.5", "1e9", "nan", "true", "2001-01-01"),
    *("[", "]", "[[", "]]", "{", "}", "=", ",", ".", "\n", " ", "\t", "#", '"', "'", '"""', "'''", "\\", "\\u00", "é"),
    *("\r\n", "\x00", "_", "9" * 40, "a." * 9, "[" * 9, '"WS"', '"food"', "00:00:00", "+01:00", "\ud800"),
)
TOMLS = st.lists(st.sampled_from(WORDS), max_size=60).map("".join)


@settings(max_examples=400, deadline=None)
@given(TOMLS)
@example("a = 0x" + "f" * 40)
@example("name = '''\n''''\n")
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    for known in (DECKS, CARD_SETS):
        with suppress(OptionError):
            assert known.read(known.read(text)) == known.read(text)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | TOMLS.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_whatever_a_file_holds_gives_faults(data: bytes) -> None:
    for check in CHECKS:
        found, faults = check(data)
        assert (found is None) == bool(faults)
        assert all(str(fault) for fault in faults)


TEXT = FILES[FIRST].read_text("utf-8")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 30), TOMLS)
def test_a_deck_with_anything_in_it_is_read_or_refused(at: int, cut: int, more: str) -> None:
    with suppress(OptionError):
        DECKS.read(TEXT[:at] + more + TEXT[at + cut :])
