"""Languages: texts, plurals, lists, forms of nouns, and which one a browser wants."""

from __future__ import annotations

import pytest

from thorp.core.catalogue import CLASS, Catalogue, Entry
from thorp.core.language import ENGLISH, Language, best, speaking, spoken
from thorp.core.words import Card, Message, Seat, Term, say

WELL = Card("well", "Well")

SPANISH = Language(
    "es",
    [
        Catalogue(
            {"X-Name": "Español", "Plural-Forms": "nplurals=2; plural=(n != 1);", "X-Form-el": "m el {} | f la {}"},
            (
                Entry("Well", ("Pozo",)),
                Entry("Well", ("m",), context=CLASS),
                Entry("wood", ("madera",)),
                Entry("wood", ("f",), context=CLASS),
                Entry("Place the {resource}.", ("Coloca {resource:el}.",)),
                Entry("{n} card", ("{n} carta", "{n} cartas"), "{n} cards"),
                Entry("{before}, {last}", ("{before} y {last}",)),
            ),
        )
    ],
)
JAPANESE = Language(
    "ja",
    [
        Catalogue(
            {"Plural-Forms": "nplurals=1; plural=0;"},
            (
                Entry("{n} card", ("カード{n}枚",), "{n} cards"),
                Entry(", ", ("、",)),
                Entry("{before}, {last}", ("{before}、{last}",)),
            ),
        )
    ],
)


def cards(n: int) -> Message:
    return Message("{n} card", {"n": n}, "{n} cards")


def test_plurals_are_chosen_by_the_rule_of_the_language() -> None:
    assert [say(cards(n)) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [say(cards(n), (), SPANISH) for n in (1, 2)] == ["1 carta", "2 cartas"]
    assert [say(cards(n), (), JAPANESE) for n in (1, 2)] == ["カード1枚", "カード2枚"]


def test_nouns_have_forms() -> None:
    assert say(Message("Place the {resource}.", {"resource": Term("wood")}), (), SPANISH) == "Coloca la madera."
    assert say(Message("Place the {resource}.", {"resource": WELL}), (), SPANISH) == "Coloca el Pozo."
    # a card of somebody's own, of no known gender
    mine = Card("my-shed", "My Shed")
    assert say(Message("Place the {resource}.", {"resource": mine}), (), SPANISH) == "Coloca My Shed."


@pytest.mark.parametrize(
    ("language", "three", "two", "one"),
    [(ENGLISH, "A, B, C", "A, B", "A"), (SPANISH, "A, B y C", "A y B", "A"), (JAPANESE, "A、B、C", "A、B", "A")],
)
def test_lists_are_joined_as_the_language_does(language: Language, three: str, two: str, one: str) -> None:
    said = [say(Message("{seats}", {"seats": [*map(Seat, range(n))]}), "ABC", language) for n in (3, 2, 1)]
    assert said == [three, two, one]


def test_what_is_not_said_is_english() -> None:
    assert say(Message("{seat} is done.", {"seat": Seat(0)}), ["Ada"], SPANISH) == "Ada is done."
    assert say(Message("{n} coin", {"n": 2}, "{n} coins"), (), SPANISH) == "2 coins"


def test_a_language_is_spoken_until_that_ends() -> None:
    assert spoken() is ENGLISH
    with speaking(SPANISH):
        assert say(cards(2)) == "2 cartas"
    assert say(cards(2)) == "2 cards"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("es", "es"),
        ("es-MX,es;q=0.8,en;q=0.5", "es"),
        ("en;q=0.3, pt-PT;q=0.9", "pt-BR"),
        ("fr, de;q=0.5", ""),
        ("fr, ja;q=0.1", "ja"),
        ("es;q=0, en", "en"),
        ("*", ""),
        ("", ""),
        (";;;,,q=1;q=q", ""),
    ],
)
def test_the_browser_is_given_what_it_wants_most(wanted: str, found: str) -> None:
    assert best(wanted, ("en", "es", "pt-BR", "ja")) == found
