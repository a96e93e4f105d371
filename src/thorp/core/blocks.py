"""The words of a Markdown text piece by piece: a paragraph, an item, a heading or a cell of a table is an id by itself.

Lines that belong together are one line in the id, so that breaking them anew changes nothing, and what is marked up in
them, such as links, stays Markdown. What stands between fences is no text, but for what a block of signs says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thorp.core.language import spoken
from thorp.core.words import beside

FENCE = "```"
#: What a block is called that tells of signs: "SIGN | words" in each line.
SIGNS = "signs"

#: What makes a line a heading, an item or a quotation, and stands before its words.
_MARK = re.compile(r"\s*(?:#{1,6} +|(?:[-*+]|\d{1,9}[.)]) +|> ?)*")
#: The title of a text is the name of a game, which no language changes.
_TITLE = "#"
_CELLS = re.compile(r"(?<!\\)\|")
#: A bar that is no border of a cell.
_BAR = r"\|"
_LETTER = re.compile(r"[^\W\d_]")
#: Between names in the lines of a drawing: in a chain, a row, a list, before a number or behind a card with a star; and
#: before letters that stand for things, which a language may have letters of its own for.
_BETWEEN = re.compile(r"( > | \| | / |; |: |\*| (?=[A-Z](?: |$)))")


@dataclass(frozen=True)
class Block:
    """Some lines, and what they say."""

    #: As they are written.
    lines: tuple[str, ...]
    #: What stands before the words: "- ", "3. ", "## ".
    mark: str = ""
    #: The words, those of a table cell by cell; none in empty lines, comments and fences.
    texts: tuple[str, ...] = ()
    #: What stands behind the fence in which it stands; "" outside.
    fenced: str = ""

    @property
    def ids(self) -> Iterator[str]:
        """What of it is to be translated."""
        return (text for text in self.texts if is_said(text))

    def said(self) -> list[str]:
        """Its lines in the language that is spoken; as they are written where it says nothing for them."""
        kind = self.fenced.partition(" ")[0]
        if self.fenced:
            return [_sign(line) if kind == SIGNS else named(line) for line in self.lines]
        told = [spoken().text(text) for text in self.texts]
        if tuple(told) == self.texts:
            return list(self.lines)
        if self.mark == "|":
            return [f"| {' | '.join(text.replace('|', _BAR) for text in told)} |"]
        return [self.mark + told[0]]


def blocks(text: str) -> Iterator[Block]:
    """A text in its blocks: together they have all its lines."""
    lines: list[str] = []
    fenced = ""
    inside = comment = False
    for line in text.splitlines():
        if line.startswith(FENCE) or inside or comment or line.startswith("<!--") or not line.strip():
            if lines:
                yield _words(lines)
                lines = []
            if line.startswith(FENCE):
                inside = not inside
                fenced = line.removeprefix(FENCE).strip() if inside else ""
                yield Block((line,))
            elif inside:
                yield Block((line,), texts=_signs(line) if fenced == SIGNS else (), fenced=fenced or "text")
            else:
                comment = (comment or line.startswith("<!--")) and "-->" not in line
                yield Block((line,))
            continue
        if lines and _begins(line, lines):
            yield _words(lines)
            lines = []
        lines.append(line)
    if lines:
        yield _words(lines)


def ids(text: str) -> Iterator[str]:
    """All that a text says, as ids."""
    for block in blocks(text):
        yield from block.ids


def is_said(text: str) -> bool:
    """Whether a text has words; a number is the same in all languages."""
    return bool(_LETTER.search(text))


def joined(text: str) -> str:
    """Lines of a paragraph as the one line that is its id."""
    return " ".join(text.split())


def named(line: str) -> str:
    """A line of a drawing with the names in it as they are called in the language that is spoken."""
    return "".join(_name(part) for part in _BETWEEN.split(line))


def _name(part: str) -> str:
    if spoken().says(part):
        return spoken().text(part)
    # names may have commas themselves
    return beside(spoken().text(each) for each in part.split(", "))


def _signs(line: str) -> tuple[str, ...]:
    words = line.partition(" | ")[2]
    return (words,) if words else ()


def _sign(line: str) -> str:
    sign, bar, words = line.partition(" | ")
    return f"{sign}{bar}{spoken().text(words)}"


def _begins(line: str, before: Sequence[str]) -> bool:
    """Whether a line begins a block of its own, and does not go on with the one before."""
    mark = beginning(line).strip()
    if mark == ">":
        return not before[0].startswith(">")
    return bool(mark) or line.startswith("|") or before[-1].startswith(("|", "#"))


def beginning(line: str) -> str:
    """What stands before the words of a line and makes it a heading, an item or a quotation."""
    found = _MARK.match(line)
    return found[0] if found else ""


def _words(lines: Sequence[str]) -> Block:
    first = lines[0]
    if first.startswith("|"):
        cells = [cell.strip().replace(_BAR, "|") for cell in _CELLS.split(first.strip().strip("|"))]
        return Block(tuple(lines), "|", tuple(cells))
    mark = beginning(first)
    if mark.strip() == _TITLE:
        return Block(tuple(lines))
    rest = (line.lstrip(" >") if mark.startswith(">") else line for line in lines[1:])
    return Block(tuple(lines), mark, (joined(" ".join((first[len(mark) :], *rest))),))
