"""Texts in Markdown as pieces: each is an id, and is said in its place."""

from __future__ import annotations

from thorp.core.blocks import blocks, ids, named
from thorp.core.catalogue import Catalogue, Entry
from thorp.core.language import Language, speaking

TEXT = """<!-- for whoever
writes -->

# A game

A paragraph of
two lines, with [a link](#the-end).
- One item,
  on two lines
- and another

3. A numbered one
> Quoted,
> twice

| What | Points |
|---|---|
| Well \\| or not | **12** |

```signs
coin | Gold: it pays.
lock
```

```chain
Well > Inn, large side | Farm
```
## The end
All is over.
"""
IDS = [
    *("A paragraph of two lines, with [a link](#the-end).", "One item, on two lines", "and another"),
    *(
        "A numbered one",
        "Quoted, twice",
        "What",
        "Points",
        "Well | or not",
        "Gold: it pays.",
        "The end",
        "All is over.",
    ),
]


def spoken(**said: str) -> Language:
    """A language that says these words for ids: underscores are blanks."""
    entries = (Entry(id.replace("_", " "), (text,)) for id, text in said.items())
    return Language("es", [Catalogue(entries=tuple(entries))])


def written(language: Language) -> str:
    with speaking(language):
        return "\n".join(line for block in blocks(TEXT) for line in block.said()) + "\n"


def test_each_block_is_an_id_of_one_line() -> None:
    assert list(ids(TEXT)) == IDS


def test_blocks_have_all_lines() -> None:
    assert [line for block in blocks(TEXT) for line in block.lines] == TEXT.splitlines()
    # what nobody has translated is not broken anew
    assert written(Language("es")) == TEXT


def test_what_is_said_stands_in_its_place() -> None:
    said = Language("es", [Catalogue(entries=tuple(Entry(id, (f"¡{id}!",)) for id in IDS))])
    lines = written(said).splitlines()
    assert lines[:3] == TEXT.splitlines()[:3]
    assert lines[3:12] == [
        *("# A game", "", "¡A paragraph of two lines, with [a link](#the-end).!", "- ¡One item, on two lines!"),
        *("- ¡and another!", "", "3. ¡A numbered one!", "> ¡Quoted, twice!", ""),
    ]
    assert "| ¡What! | ¡Points! |\n|---|---|\n| ¡Well \\| or not! | **12** |" in "\n".join(lines)
    assert "coin | ¡Gold: it pays.!" in lines
    assert "lock" in lines


def test_drawings_are_read_by_the_names_of_what_is_in_them() -> None:
    with speaking(spoken(Well="Pozo", Farm="Granja", Inn="Posada", large_side="lado grande", wood="madera")):
        assert named("Well > Inn, large side | Farm: 2") == "Pozo > Posada, lado grande | Granja: 2"
        assert named("Ada: wood*, stone") == "Ada: madera*, stone"


def test_letters_in_drawings_are_said_one_by_one() -> None:
    with speaking(spoken(wood="madera", W="M", T="Tr", Factory="Fábrica")):
        assert [named(line) for line in ("wood W", ". T / W T T", "Factory: W | W* | .", "W | Type A")] == [
            *("madera M", ". Tr / M Tr Tr", "Fábrica: M | M* | .", "M | Type A")
        ]
