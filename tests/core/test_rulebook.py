"""The rules of a game in words: what is made of the file, and what is found to be wrong with it."""

from __future__ import annotations

from dataclasses import replace

from thorp.core.catalogue import Catalogue, Entry
from thorp.core.language import Language, speaking
from thorp.core.rulebook import Rulebook, RuleCard, slug

TEXT = """# A game

See [the end](#the-end-ties-and-all), [the Well](#card-well) and [ruling 2](#ruling-2).

## Setup

1. This is no ruling.

```board
## no heading
1. no ruling
```

## Cards

```cards well
```

## The end: ties, and all

Whoever has most.

## Rulings

1. One.
2. Two
   of them.
"""
WELL = RuleCard("well", "Well", "well", (("Pattern", "wood stone"), ("Solo", "left out")), "1 point.", ("A detail.",))
BOOK = Rulebook(TEXT, (WELL,))


def test_a_sound_file_has_no_faults() -> None:
    assert list(BOOK.faults()) == []
    assert list(BOOK.anchors()) == [
        *("setup", "cards", "the-end-ties-and-all", "rulings", "ruling-1", "ruling-2"),
        "card-well",
    ]


def test_as_markdown_cards_are_written_out_and_links_have_their_anchors() -> None:
    written = BOOK.markdown()
    assert (
        '- <a id="card-well"></a>**Well** (Pattern: wood stone; Solo: left out). 1 point.\n  - A detail.\n' in written
    )
    assert '1. <a id="ruling-1"></a>One.\n2. <a id="ruling-2"></a>Two\n   of them.\n' in written
    assert "1. This is no ruling.\n" in written
    assert "```board\n## no heading\n1. no ruling\n```\n" in written
    assert "```cards" not in written
    assert written.count("```") == 2


def test_in_every_language_links_lead_to_the_same_places() -> None:
    said = {"Setup": "Preparación", "The end: ties, and all": "Fin", "Rulings": "Aclaraciones", "One.": "Uno."}
    language = Language("es", [Catalogue(entries=tuple(Entry(id, (text,)) for id, text in said.items()))])
    with speaking(language):
        written = BOOK.markdown()
        anchors = list(BOOK.anchors())
    assert '## <a id="setup"></a>Preparación\n' in written
    assert '## <a id="the-end-ties-and-all"></a>Fin\n' in written
    assert '1. <a id="ruling-1"></a>Uno.\n2. <a id="ruling-2"></a>Two\n   of them.\n' in written
    assert "\n## Cards\n" in written
    assert anchors == list(BOOK.anchors())


def test_what_does_not_hold_together_is_told() -> None:
    def only_fault(text: str, *cards: RuleCard) -> str:
        (fault,) = Rulebook(text, cards).faults()
        return fault

    assert "#ruling-3, and nothing is called so" in only_fault(TEXT.replace("(#ruling-2)", "(#ruling-3)"), WELL)
    assert "numbered [1, 3]" in only_fault(TEXT.replace("2. Two", "3. Two").replace("ruling-2", "ruling-3"), WELL)
    assert "2 places are called #setup" in only_fault(f"{TEXT}\n## Setup\n", WELL)
    assert "The cards 'farm' are listed 0 times" in only_fault(TEXT, WELL, replace(WELL, id="farm", group="farm"))
    assert "The rules list the cards 'farm', and there are none." in " ".join(
        Rulebook(TEXT.replace("cards well", "cards farm"), (WELL,)).faults()
    )
    assert "listed 2 times" in only_fault(TEXT.replace("## The end", "```cards well\n```\n\n## The end"), WELL)


def test_headings_are_linked_as_in_other_markdown() -> None:
    assert slug("The end: ties, and all") == "the-end-ties-and-all"
    assert slug("A round (solo)") == "a-round-solo"
