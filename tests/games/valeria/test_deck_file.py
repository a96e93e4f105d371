"""Deck files: what is read, what is written, and what is said of broken ones."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from wrapped import wrapped

from games.valeria.place import DECK_FILE, RULES_DECK, dealt
from thorp import Match, OptionError
from thorp.cardfiles.reader import MOST_BYTES
from thorp.core.language import speaking
from thorp.core.words import Message, Term, say
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.deck_toml import (
    LEAST_ADVENTURERS,
    LEAST_CARDS,
    LEAST_NAMES,
    LONGEST_NAME,
    MOST_COST,
    MOST_NEEDS,
    MOST_POINTS,
    check,
    write,
)
from thorp.games.valeria.decks.known import DECKS, FILES, FIRST
from thorp.games.valeria.rules.deck import MOST_ADVENTURERS, MOST_CARDS, MOST_NAMES, Deck
from thorp.games.valeria.rules.powers import COUNTS, DEEDS, MOST_AMOUNT, MOST_PER, PAYS, WHENS

TEXT = DECK_FILE.read_text(encoding="utf-8")
THORP_DECK = FILES[FIRST].read_text(encoding="utf-8")


def faults(text: str | bytes) -> list[str]:
    """What is said of a file."""
    deck, found = check(text if isinstance(text, bytes) else text.encode())
    assert (deck is None) == bool(found)
    return [str(fault) for fault in found]


def changed(old: str, new: str) -> str:
    """The deck of the tests with one change."""
    assert TEXT.count(old) >= 1, old
    return TEXT.replace(old, new, 1)


def entry(name: str, **fields: str) -> str:
    """The deck of the tests in which a card has other fields, given as TOML; "" leaves one out."""
    head, _, rest = TEXT.partition(f'name = "{name}"\n')
    body, gap, after = rest.partition("\n\n")
    lines = [f'name = "{name}"', *body.split("\n")]
    for key, value in fields.items():
        lines = [line for line in lines if not line.startswith(f"{key} = ")]
        lines += [f"{key} = {value}"] if value else []
    return head + "\n".join(lines) + gap + after


def without(kind: str, keep: int) -> str:
    """The deck of the tests with so many buildings or adventurers only."""
    tables = TEXT.split("\n[[")
    kept = [table for table in tables[1:] if table.startswith(kind)][:keep]
    others = [table for table in tables[1:] if not table.startswith(kind)]
    return "\n[[".join([tables[0], *kept, *others])


# --- sound files ------------------------------------------------------------------------------------------------


def test_the_thorp_deck_is_sound() -> None:
    assert faults(THORP_DECK) == faults(TEXT) == []


def test_writing_and_reading_give_the_same_deck() -> None:
    for written in (RULES_DECK, DECKS.standard):
        text = write(written)
        deck, found = check(text.encode())
        assert (deck, found) == (written, ())
        assert tomllib.loads(text)["name"] == written.name


def test_reading_gives_the_same_text_for_files_that_mean_the_same() -> None:
    text = changed('name = "Deck of the tests"', 'name = "Mine"')
    other = "# a comment\n" + text.replace('copies = ["wood", "stone"]', 'copies = [ "stone",   "wood" ]')
    assert DECKS.read(text) == DECKS.read(other) == DECKS.read(DECKS.read(text))
    assert DECKS.of_value(DECKS.read(text)).name == "Mine"


def test_the_text_of_the_thorp_deck_is_the_thorp_deck() -> None:
    assert DECKS.read(THORP_DECK) == FIRST


def with_names(extra: int) -> str:
    """The deck of the tests with so many more names, one card each."""
    more = (
        f'\n[[building]]\nname = "Extra {n}"\ntype = "holy"\ncost = {{ food = 1 }}\npoints = 0\ncopies = ["food"]\n'
        for n in range(extra)
    )
    return TEXT + "".join(more)


def test_the_largest_deck_is_played() -> None:
    text = with_names(6).replace('copies = ["food"]', 'copies = ["food", "food"]')
    deck, _ = check(text.encode())
    assert deck is not None
    assert (len(deck.buildings), len(deck.cards)) == (48, MOST_CARDS)
    play_to_the_end(deck)


def test_the_smallest_deck_is_played() -> None:
    deck, _ = check(without_cards(30, 5).encode())
    assert deck is not None
    assert (len(deck.cards), len(deck.adventurers)) == (60, 5)
    play_to_the_end(deck)


def without_cards(buildings: int, adventurers: int) -> str:
    """The deck of the tests with so many buildings, some of every type, and adventurers."""
    tables = TEXT.split("\n[[")
    names = [table for table in tables[1:] if table.startswith("building")]
    spread = [names[(index * 13) % len(names)] for index in range(buildings)]
    return "\n[[".join([tables[0], *spread, *[t for t in tables[1:] if t.startswith("adventurer")][:adventurers]])


def play_to_the_end(deck: Deck) -> None:
    for seats in (1, 5):
        game = dealt(seats, 4, deck)
        number = 0
        while not game.over:
            moves = game.numbers()
            GAME.play(game.state, game.turn, moves[(number * 31) % len(moves)])
            number += 1
        assert max(player.size for player in game.view(None).players) <= 12


def test_a_match_of_a_deck_file_carries_the_deck() -> None:
    text = DECKS.read(changed("points = 3", "points = 9"))
    match = Match(GAME, 3, {"deck": text}, seed=2)
    assert match.options["deck"] == text
    assert json.loads(match.export())["options"] == {"deck": text}


# --- broken files -----------------------------------------------------------------------------------------------

FARM_POWER = '{ when = "paying", do = "resource", of = "food" }'

#: What is broken: the file, and what is said of it, all of it.
BROKEN: dict[str, tuple[Callable[[], str | bytes], list[str]]] = {
    "empty": (lambda: "", ["name: is missing", "building: is missing", "adventurer: is missing"]),
    "not TOML": (lambda: "name = ", ["the file is not TOML: Invalid value (at end of document)"]),
    "nested without end": (lambda: "a=" + "[" * 5000, ["the file is not TOML"]),
    "JSON": (lambda: '{"name": "x"}', ["the file is not TOML"]),
    "wrong encoding": (lambda: TEXT.replace("Bakery", "Bäckerei").encode("latin-1"), ["not UTF-8 text (at byte"]),
    "NUL": (lambda: "name = \x00", ["the file is not TOML"]),
    "too big": (lambda: TEXT + "#" * MOST_BYTES, [f"bytes; a deck has at most {MOST_BYTES}"]),
    "unknown key at the top": (lambda: "author = 'me'\n" + TEXT, ["author: is not known here; there are name, "]),
    "buildings are no tables": (
        lambda: changed("\n[[building]]", "\n[building]").partition("\n[[")[0],
        ["building: write each building as a table headed [[building]]"],
    ),
    "missing key": (lambda: entry("Bakery", type=""), ["building 1 (Bakery): type: is missing"]),
    "missing name": (lambda: changed('name = "Bakery"\n', ""), ["building 1: name: is missing"]),
    "unknown key": (lambda: entry("Bakery", colour='"red"'), ["building 1 (Bakery): colour: is not known here"]),
    "unknown type": (
        lambda: entry("Bakery", type='"pirate"'),
        ["building 1 (Bakery): type: no type of building is called 'pirate'; there are worker, soldier, shadow, holy"],
    ),
    "unknown resource in a cost": (
        lambda: entry("Bakery", cost="{ gold = 1 }"),
        ["building 1 (Bakery): cost.gold: is no resource", "building 1 (Bakery): cost: must come to 1 to 5"],
    ),
    "no cost": (lambda: entry("Bakery", cost="{}"), ["building 1 (Bakery): cost: must come to 1 to 5 in all, not 0"]),
    "cost of 0": (
        lambda: entry("Bakery", cost="{ food = 0, wood = 1 }"),
        ["building 1 (Bakery): cost.food: must be a whole number from 1 to 5, not 0"],
    ),
    "cost too high": (
        lambda: entry("Bakery", cost="{ food = 3, wood = 3 }"),
        ["building 1 (Bakery): cost: must come to 1 to 5 in all, not 6"],
    ),
    "cost is a text": (
        lambda: entry("Bakery", cost='"food"'),
        ["building 1 (Bakery): cost: must be a table such as { food = 1 }, not 'food'"],
    ),
    "points too high": (
        lambda: entry("Bakery", points="10"),
        ["building 1 (Bakery): points: must be a whole number from 0 to 9, not 10"],
    ),
    "points below 0": (lambda: entry("Bakery", points="-1"), ["points: must be a whole number from 0 to 9, not -1"]),
    "points are a text": (
        lambda: entry("Bakery", points='"2"'),
        ["points: must be a whole number from 0 to 9, not '2'"],
    ),
    "points are no whole number": (lambda: entry("Bakery", points="1.5"), ["points: must be a whole number"]),
    "points are true": (lambda: entry("Bakery", points="true"), ["points: must be a whole number"]),
    "no copies": (
        lambda: entry("Bakery", copies="[]"),
        ["building 1 (Bakery): copies: list the resource of each copy"],
    ),
    "too many copies": (lambda: entry("Bakery", copies='["food","food","food","food","food"]'), ["for 1 to 4 copies"]),
    "copies are a number": (
        lambda: entry("Bakery", copies="2"),
        ["copies: list the resource of each copy's lower half"],
    ),
    "unknown resource of a copy": (
        lambda: entry("Bakery", copies='["food", "iron"]'),
        ["building 1 (Bakery): copies[1]: no resource is called 'iron'; there are food, wood, stone, magic"],
    ),
    "name is a number": (lambda: changed('"Bakery"', "7"), ["building 1: name: must be a text of 1 to 24 letters"]),
    "name too long": (lambda: changed('"Bakery"', f'"{"B" * 25}"'), ["building 1: name: must be a text of 1 to 24"]),
    "name empty": (lambda: changed('"Bakery"', '""'), ["building 1: name: must be a text"]),
    "name with a control character": (lambda: changed('"Bakery"', '"Ba\\u0007kery"'), ["name: must be a text"]),
    "name that turns the line around": (lambda: changed('"Bakery"', '"Ba\\u202ekery"'), ["name: must be a text"]),
    "name with a tag": (lambda: changed('"Bakery"', '"<b>Bakery</b>"'), ["name: must be a text"]),
    "name of the deck": (lambda: changed('"Deck of the tests"', '""'), ["name: must be a text"]),
    "two cards of one name": (
        lambda: changed('"Bakery"', '"Farm"'),
        ["Farm: name: 2 cards have this name; each card has one of its own"],
    ),
    "names that differ in case only": (lambda: changed('"Bakery"', '"FARM"'), ["FARM: name: 2 cards have this name"]),
    "an adventurer named as a building": (
        lambda: changed('"Knight"', '"Farm"'),
        ["Farm: name: 2 cards have this name"],
    ),
    "empty requirement": (
        lambda: entry("Knight", needs="{}"),
        ["adventurer 8 (Knight): needs: must come to 1 to 4 in all, not 0"],
    ),
    "requirement too big": (
        lambda: entry("Knight", needs="{ worker = 3, holy = 2 }"),
        ["adventurer 8 (Knight): needs: must come to 1 to 4 in all, not 5"],
    ),
    "negative requirement": (
        lambda: entry("Knight", needs="{ worker = -1, holy = 2 }"),
        ["adventurer 8 (Knight): needs.worker: must be a whole number from 1 to 4, not -1"],
    ),
    "unknown type in a requirement": (
        lambda: entry("Knight", needs="{ wizard = 1, holy = 1 }"),
        ["adventurer 8 (Knight): needs.wizard: is no type of building; there are worker, soldier, shadow, holy"],
    ),
    "an adventurer with a cost": (
        lambda: entry("Knight", cost="{ food = 1 }"),
        ["adventurer 8 (Knight): cost: is not"],
    ),
    "powers are no list": (
        lambda: entry("Knight", powers="1"),
        ["adventurer 8 (Knight): powers: list powers as tables"],
    ),
    "three powers": (
        lambda: entry("Farm", powers=f"[{FARM_POWER}, {FARM_POWER}, {FARM_POWER}]"),
        ["building 2 (Farm): powers: a card has at most 2 powers, not 3"],
    ),
    "unknown time": (
        lambda: entry("Farm", powers='[{ when = "night", do = "draw" }]'),
        ["building 2 (Farm): powers[0].when: no time is called 'night'; there are harvest, develop, build, recruit"],
    ),
    "unknown power": (
        lambda: entry("Farm", powers='[{ when = "tax", do = "burn" }]'),
        ["building 2 (Farm): powers[0].do: no power for 'tax' is called 'burn'; there are draw, coins, take"],
    ),
    "a power at the wrong time": (
        lambda: entry("Farm", powers='[{ when = "tax", do = "score", of = "holy" }]'),
        [
            "powers[0].do: no power for 'tax' is called 'score'; there are draw, coins, take",
            "powers[0].of: is not known",
        ],
    ),
    "a power without a deed": (lambda: entry("Farm", powers='[{ when = "tax" }]'), ["powers[0].do: is missing"]),
    "a power with a field of another": (
        lambda: entry("Farm", powers='[{ when = "tax", do = "draw", per = 2 }]'),
        ["building 2 (Farm): powers[0].per: is not known here; there are when, do, amount, pay"],
    ),
    "negative amount": (
        lambda: entry("Farm", powers='[{ when = "tax", do = "draw", amount = -1 }]'),
        ["building 2 (Farm): powers[0].amount: must be a whole number from 1 to 4, not -1"],
    ),
    "amount too big": (
        lambda: entry("Farm", powers='[{ when = "tax", do = "draw", amount = 5 }]'),
        ["from 1 to 4, not 5"],
    ),
    "unknown price": (
        lambda: entry("Farm", powers='[{ when = "tax", do = "draw", pay = "soul" }]'),
        ["building 2 (Farm): powers[0].pay: no price is called 'soul'; there are 1 card, 2 cards, 3 cards, 1 coin"],
    ),
    "too dear for a resource": (
        lambda: entry("Farm", powers='[{ when = "paying", do = "resource", of = "any", pay = "2 cards" }]'),
        ["powers[0].pay: no price is called '2 cards'; there are 1 card, 1 coin"],
    ),
    "a resource power of no kind": (
        lambda: entry("Farm", powers='[{ when = "paying", do = "resource" }]'),
        ["building 2 (Farm): powers[0].of: is missing"],
    ),
    "scoring by nothing known": (
        lambda: entry("Farm", powers='[{ when = "scoring", do = "score", of = "friends" }]'),
        ["building 2 (Farm): powers[0].of: no thing is called 'friends'; there are worker"],
    ),
    "per 0": (
        lambda: entry("Farm", powers='[{ when = "scoring", do = "score", of = "coins", per = 0 }]'),
        ["powers[0].per: must be a whole number from 1 to 7, not 0"],
    ),
    "too few names": (lambda: without("building", 19), ["the deck has 19 names of buildings, and must have 20 to 48"]),
    "too many names": (lambda: with_names(7), ["building: the deck has 49 names of buildings, and must have 20 to 48"]),
    "too few cards": (
        lambda: without_cards(29, 5),
        ["the deck has 58 building cards, all copies counted, and must have"],
    ),
    "too many cards": (
        lambda: with_names(6).replace('copies = ["wood", "stone"]', 'copies = ["wood", "wood", "stone", "stone"]'),
        ["building cards, all copies counted, and must have 60 to 96"],
    ),
    "too few adventurers": (lambda: without("adventurer", 4), ["the deck has 4 adventurers, and must have 5 to 20"]),
    "a resource that no card gives": (
        lambda: re.sub(r"copies = .*", 'copies = ["food", "wood"]', TEXT),
        ["no card gives stone on its lower half"],
    ),
    "a requirement that no village can meet": (
        lambda: changed('type = "holy"', 'type = "worker"').replace('type = "holy"', 'type = "worker"'),
        ["it asks for 2 holy buildings, and the deck has 0 such names"],
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_every_fault_is_in_a_catalogue(name: str) -> None:
    broken = BROKEN[name][0]()
    with speaking(wrapped().within(GAME.words)):
        for fault in check(broken if isinstance(broken, bytes) else broken.encode())[1]:
            assert say(fault.text).startswith("⟦")
            for thing in (fault.text.data or {}).values():
                assert not isinstance(thing, (Message, Term)) or "⟦" in say(Message("{0}", {"0": thing}))


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_told_by_card_and_field(name: str) -> None:
    make, wanted = BROKEN[name]
    said = faults(make())
    assert said
    for text in wanted:
        assert any(text in fault for fault in said), said


def test_twenty_kinds_of_broken_files_and_more() -> None:
    assert len(BROKEN) >= 20


def test_all_faults_are_told_at_once() -> None:
    text = changed('"Bakery"', '""').replace("points = 3", "points = 30").replace('"shadow"', '"shade"')
    said = faults(text)
    assert len(said) >= 10
    assert len(set(said)) == len(said)
    assert {fault.split(":")[0] for fault in said} > {"building 1", "building 23 (Black Market)"}


def test_reading_a_broken_deck_as_an_option_raises_one_sentence() -> None:
    with pytest.raises(OptionError, match=r"^the deck cannot be used: building 2 \(Farm\): points: .*$"):
        DECKS.read(entry("Farm", points="99"))
    with pytest.raises(OptionError, match=r"; and \d+ more$"):
        DECKS.read(TEXT.replace("points = 1", "points = 11"))
    with pytest.raises(OptionError, match="not UTF-8"):
        DECKS.read("name = '\udc80'")
    with pytest.raises(OptionError, match="the deck cannot be used"):
        Match(GAME, 2, {"deck": "nonsense"}, seed=1)


def test_a_value_that_is_no_text_is_refused() -> None:
    broken: Any = 7
    with pytest.raises(OptionError):
        GAME.options_for(2, {"deck": broken})


# --- the documentation ------------------------------------------------------------------------------------------

DOCS = Path(__file__).parents[3] / "docs" / "decks.md"


def test_the_worked_example_is_sound_and_means_what_is_told() -> None:
    example = DOCS.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    # beside the cards of another deck, since three cards are no deck
    deck, found = check((example + TEXT[TEXT.index("[[") :]).encode())
    assert found == ()
    assert deck is not None
    assert [card.name for card in deck.every if card.name in ("Smokehouse", "Pawnshop", "Abbess")] == [
        "Smokehouse",
        "Pawnshop",
        "Abbess",
    ]
    assert deck.buildings[0].effect == "Harvest: draw 1 card"
    assert deck.buildings[1].effect == (
        "Tax: discard 1 card: take 2 coins from the bank; Paying a building: pay 1 coin: 1 resource of any kind"
    )
    assert deck.adventurers[0].effect == "At the end: 1 point for each holy building of yours"


def test_the_documentation_names_every_word_and_bound() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for word in (*WHENS[1:], *DEEDS, "resource", "cheaper", "score", *COUNTS, *PAYS[1:], "any"):
        assert f'"{word}"' in text, word
    for bound in (
        f"{LEAST_NAMES} to {MOST_NAMES} names",
        f"{LEAST_CARDS} to {MOST_CARDS} building cards",
        f"{LEAST_ADVENTURERS} to {MOST_ADVENTURERS} adventurers",
        f"1 to {LONGEST_NAME} letters",
        f"1 to {MOST_COST} in all",
        f"1 to {MOST_NEEDS} in all",
        f"0 to {MOST_POINTS}",
        f"1 to {MOST_AMOUNT}",
        f"1 to {MOST_PER}",
        f"{MOST_BYTES // 1024} KiB",
    ):
        assert bound in text, bound
