"""Languages: texts, plurals, lists, forms of nouns, and which one a browser wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from thorp.core.catalogue import CLASS, FILE, Catalogue, Entry
from thorp.core.language import ENGLISH, Language, best, speaking, spoken
from thorp.core.words import Card, Message, Quoted, Seat, Term, apart, beside, either, say, series

WELL = Card("well", "Well")

SPANISH = Language(
    "es",
    [
        Catalogue(
            {
                "X-Name": "Español",
                "Plural-Forms": "nplurals=2; plural=(n != 1);",
                "X-Form-el": "m el {} | f la {}",
                "X-Form-del": "m del {} | f de la {} | * de {}",
                "X-Turn-e": "y | h?[ií](?![aeo])",
                "X-Turn-u": "o | h?[oó]|8",
            },
            (
                Entry("Well", ("Pozo",)),
                Entry("Well", ("m",), context=CLASS),
                Entry("wood", ("madera",)),
                Entry("wood", ("f",), context=CLASS),
                Entry("Place the {resource}.", ("Coloca {resource:el}.",)),
                Entry("{n} card", ("{n} carta", "{n} cartas"), "{n} cards"),
                Entry("{before}, {last}", ("{before} y {last}",)),
                Entry("{before} or {last}", ("{before} o {last}",)),
                Entry("Remove the {resource}.", ("Quita la ficha {resource:del}.",)),
                Entry("{seat} and {other} gain {n}.", ("{seat} y {other} ganan {n}.",)),
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
                Entry("{before} or {last}", ("{before}または{last}",)),
                Entry("; ", (" / ",)),
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
    # and where the language has a form for such ones
    assert say(Message("Remove the {resource}.", {"resource": mine}), (), SPANISH) == "Quita la ficha de My Shed."
    assert say(Message("Remove the {resource}.", {"resource": WELL}), (), SPANISH) == "Quita la ficha del Pozo."


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("Inés", "Ada e Inés"),
        ("Hilda", "Ada e Hilda"),
        ("hierro", "Ada y hierro"),
        ("Olga", "Ada y Olga"),
        ("<b class='who'>Iris</b>", "Ada e <b class='who'>Iris</b>"),
    ],
)
def test_a_word_turns_before_others(last: str, said: str) -> None:
    with speaking(SPANISH):
        assert series(("Ada", last)) == said
        assert series(("Ana", "Ada", last)) == f"Ana, {said}"
    between = Message("{seat} and {other} gain {n}.", {"seat": Seat(0), "other": Seat(1), "n": 2})
    assert say(between, ("Ada", last), SPANISH) == f"{said} ganan 2."


def test_what_is_chosen_from_and_what_stands_beside_each_other() -> None:
    joined = [either, beside, apart]
    assert [each(("A", "B", "C")) for each in joined] == ["A, B or C", "A, B, C", "A; B; C"]
    with speaking(SPANISH):
        assert [either(("7", "8")), either(("hora", "hoja")), either(("8", "7"))] == ["7 u 8", "hora u hoja", "8 o 7"]
        assert beside(("Ada", "Inés")) == "Ada, Inés"
    with speaking(JAPANESE):
        assert [each(("A", "B", "C")) for each in joined] == ["A、BまたはC", "A、B、C", "A / B / C"]


def test_the_words_of_a_game_are_quoted_in_a_message_of_the_house(tmp_path: Path) -> None:
    (tmp_path / "es").mkdir()
    (tmp_path / "es" / FILE).write_text(
        'msgid "the card {card} is none"\nmsgstr "la carta {card} no existe"\n', "utf-8"
    )
    fault = Message("the card {card} is none", {"card": WELL})
    said = [
        Message("No: {fault}.", {"fault": Quoted(fault, tmp_path)}),
        Message("{f}.", {"f": Quoted(fault, tmp_path, True)}),
    ]
    assert [say(each, (), SPANISH) for each in said] == ["No: la carta Pozo no existe.", "La carta Pozo no existe."]
    assert say(said[1]) == "The card Well is none."


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
        ("es-MX" + "-x" * 15, "es"),
        ("es-MX" + "-x" * 16, ""),
    ],
)
def test_the_browser_is_given_what_it_wants_most(wanted: str, found: str) -> None:
    assert best(wanted, ("en", "es", "pt-BR", "ja")) == found
