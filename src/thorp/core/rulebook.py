"""The rules of a game in words: one Markdown file with places for drawings and for lists of cards.

A game brings `rules.md` beside its rules. Both the page of the rules and the page in docs/ are made of it. A block
fenced by ``` is a place. "cards GROUP" behind the fence lists the cards of that group; any other word names a drawing
of the game, and the lines of the block say what is drawn, so that whoever does not see it can read it. What is numbered
below the heading "Rulings" are rulings: links lead to them as #ruling-7, and to cards as #card-ID.

The text is English, and what is looked up in it by words is: headings, and so anchors, which are the same in all
languages. Each block of it is an id of the game's catalogues (blocks.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from thorp.core.blocks import FENCE, blocks
from thorp.core.words import apart

#: What a block is called that lists cards.
CARDS = "cards"
#: The heading above the rulings.
RULINGS = "Rulings"

_HEADING = re.compile(r"(#{1,6}) (.+)")
_NUMBERED = re.compile(r"(\d+)\. ")
_LINK = re.compile(r"\]\(#([^)\s]+)\)")


@dataclass(frozen=True)
class RuleCard:
    """A card as the rules list it, in the language that was spoken when it was asked for."""

    id: str
    name: str
    #: The list in which it stands.
    group: str
    #: What is printed on it, as labels and words: ("Cost", "wood, stone").
    facts: tuple[tuple[str, str], ...]
    #: What it does, in whole sentences.
    effect: str
    rulings: tuple[str, ...] = ()
    #: The card itself, as the drawings of the game take it.
    card: Any = None

    @property
    def anchor(self) -> str:
        """What links to it end with."""
        return f"card-{self.id}"


@dataclass(frozen=True)
class Line:
    """A line of the text, and where it stands."""

    text: str
    #: The heading above it, as large as a chapter ("## ").
    chapter: str
    #: What stands behind the fence of its block; "" outside of blocks. And whether it is a fence itself.
    block: str = ""
    fence: bool = False

    @property
    def opens(self) -> bool:
        """Whether a block begins with it."""
        return self.fence and self.text != FENCE

    @property
    def heading(self) -> tuple[int, str] | None:
        """How deep a heading it is, and its words; None where it is none."""
        found = None if self.block or self.fence else _HEADING.fullmatch(self.text)
        return (len(found[1]), found[2].strip()) if found else None

    @property
    def ruling(self) -> int | None:
        """The number of the ruling that begins here."""
        found = _NUMBERED.match(self.text) if self.chapter == RULINGS and not self.block else None
        return int(found[1]) if found else None


@dataclass(frozen=True)
class Rulebook:
    """The rules of a game in words, and its cards."""

    text: str
    cards: tuple[RuleCard, ...] = ()

    def of_group(self, group: str) -> tuple[RuleCard, ...]:
        """The cards of a list, in their order."""
        return tuple(card for card in self.cards if card.group == group)

    def lines(self) -> Iterator[Line]:
        """The text line by line."""
        chapter = block = ""
        inside = False
        for text in self.text.splitlines():
            if text.startswith(FENCE):
                block = block if inside else text.removeprefix(FENCE).strip()
                yield Line(text, chapter, block, fence=True)
                inside = not inside
                block = block if inside else ""
                continue
            line = Line(text, chapter, block)
            if line.heading and line.heading[0] <= 2:
                chapter = line.heading[1]
            yield line

    def markdown(self) -> str:
        """The rules as a page of plain Markdown: cards written out, with the anchors that links lead to.

        It is in the language that is spoken, as far as that says them.
        """
        out: list[str] = []
        lines = self.lines()
        for block in blocks(self.text):
            (line, *_) = islice(lines, len(block.lines))
            kind, _, group = line.block.partition(" ")
            if kind == CARDS:
                out += self._listed(group) if line.opens else ()
                continue
            first, *more = block.said()
            anchor = f"ruling-{line.ruling}" if line.ruling is not None else ""
            if line.heading and line.heading[0] > 1 and first != line.text:
                # a link to a heading is made of its English words
                anchor = slug(line.heading[1])
            if anchor:
                first = f'{block.mark}<a id="{anchor}"></a>{first.removeprefix(block.mark)}'
            out += (first, *more)
        return "\n".join(out) + "\n"

    def _listed(self, group: str) -> Iterator[str]:
        for card in self.of_group(group):
            facts = apart(f"{label}: {words}" for label, words in card.facts)
            yield f'- <a id="{card.anchor}"></a>**{card.name}**{f" ({facts})" if facts else ""}. {card.effect}'.rstrip()
            yield from (f"  - {ruling}" for ruling in card.rulings)

    def anchors(self) -> Iterator[str]:
        """What links within the rules can lead to, each where it stands."""
        for line in self.lines():
            if line.heading and line.heading[0] > 1:
                yield slug(line.heading[1])
            if line.ruling is not None:
                yield f"ruling-{line.ruling}"
        yield from (card.anchor for card in self.cards)

    def faults(self) -> Iterator[str]:
        """What does not hold together: links that lead nowhere, cards without a place, numbers left out."""
        anchors = Counter(self.anchors())
        for anchor, times in anchors.items():
            if times > 1:
                yield f"In the rules, {times} places are called #{anchor}: give headings and cards different names."
        for target in dict.fromkeys(_LINK.findall(self.text)):
            if target not in anchors:
                yield f"In the rules, a link leads to #{target}, and nothing is called so."
        rulings = [line.ruling for line in self.lines() if line.ruling is not None]
        if rulings != list(range(1, len(rulings) + 1)):
            yield f"The rulings are numbered {rulings}: number them 1, 2, 3 and so on."
        blocks = [line.block.partition(" ") for line in self.lines() if line.opens]
        places = Counter(group for kind, _, group in blocks if kind == CARDS)
        for group in dict.fromkeys((*places, *(card.group for card in self.cards))):
            if not self.of_group(group):
                yield f"The rules list the cards {group!r}, and there are none."
            elif places[group] != 1:
                yield f"The cards {group!r} are listed {places[group]} times in the rules: list them once."


def slug(heading: str) -> str:
    """What links to a heading end with: "The end: ties" is the-end-ties."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
