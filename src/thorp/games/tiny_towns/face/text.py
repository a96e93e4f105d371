"""A game of Tiny Towns as plain text, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from thorp.core.columns import cut, padded, width
from thorp.core.language import spoken
from thorp.core.words import Message, Seat, Term, say
from thorp.games.tiny_towns.cards.describing import described
from thorp.games.tiny_towns.face.view import SquareView, TownView, View, view
from thorp.games.tiny_towns.face.words import SIGNS, card_word
from thorp.games.tiny_towns.rules.cards import RESOURCES, Card
from thorp.games.tiny_towns.rules.shapes import SIDE
from thorp.games.tiny_towns.rules.state import State

#: So wide is a square at least, and the short name of a building at most.
_SQUARE, _SHORT = 3, 4
#: So many towns stand side by side.
_PER_LINE = 4


def text(state: State, seat: int | None, names: Sequence[str] = ()) -> str:
    """The table as `seat` sees it: the cards, then all towns side by side."""
    seen = view(state, seat)
    lines = [*_cards(seen), "", *_state(seen, names)]
    towns = sorted(seen.towns, key=lambda town: (town.seat - (seat or 0)) % len(seen.towns))
    square = max(_SQUARE, *(width(short(each.building)) for town in towns for each in town.squares if each.building), 0)
    wide = (square + 1) * SIDE + 4
    for first in range(0, len(towns), _PER_LINE):
        blocks = [_town(town, names, square, wide) for town in towns[first : first + _PER_LINE]]
        lines.append("")
        lines += ["".join(padded(line, wide) for line in row).rstrip() for row in zip(*blocks, strict=True)]
    return "\n".join(lines)


def short(card: Card) -> str:
    """Three letters for a building, or two Japanese signs."""
    return cut(spoken().text(card.name).removeprefix("The ")[:3], _SHORT)


def _cards(seen: View) -> list[str]:
    own = seen.towns[seen.seat].monument if seen.seat is not None else None
    cards = [*seen.cards, *([own] if own else [])]
    rows = [(short(card), spoken().text(card.name), _pattern(card)) for card in cards]
    # as wide as they were always, and wider where a name is long
    columns = [max(least, *(width(row[at]) + 2 for row in rows)) for at, least in enumerate((5, 26, 22))]
    return [
        "".join(padded(cell, room) for cell, room in zip(row, columns, strict=True)) + _effect(card)
        for row, card in zip(rows, cards, strict=True)
    ]


def _pattern(card: Card) -> str:
    return " / ".join("".join(map(spoken().text, row)) for row in card.pattern)


def _effect(card: Card) -> str:
    return spoken().text(card.effect) if card.effect else " ".join(map(say, described(card)))


def _state(seen: View, names: Sequence[str]) -> list[str]:
    out = [Message("Round {n}", {"n": seen.round}) if seen.round else Message("Before the first round")]
    if seen.builder is not None:
        out.append(Message("Master Builder: {seat}", {"seat": Seat(seen.builder)}))
    if seen.named:
        out.append(Message("named: {resource}", {"resource": Term(seen.named)}))
    if seen.row:
        out.append(Message("open cards: {resources}", {"resources": [Term(each) for each in seen.row]}))
    if seen.seat is not None:
        town = seen.towns[seen.seat]
        if town.hand:
            out.append(Message("in hand: {resource}", {"resource": Term(town.hand)}))
        if town.dealt:
            out.append(
                Message("monuments to choose from: {cards}", {"cards": [card_word(card) for card in town.dealt]})
            )
    letters = "   ".join(
        f"{spoken().text(each)} {spoken().text(of)}" for each, of in zip(SIGNS, RESOURCES, strict=True)
    )
    return [letters, "   ".join(say(each, names) for each in out)]


def _town(town: TownView, names: Sequence[str], square: int, wide: int) -> list[str]:
    rows = []
    for row in range(SIDE):
        squares = town.squares[row * SIDE : row * SIDE + SIDE]
        rows.append(f"{row + 1} " + " ".join(padded(_square(each), square) for each in squares))
    head = say(Message("{seat}: {n}", {"seat": Seat(town.seat), "n": town.points}), names)
    return [cut(head, wide - 1), "  " + " ".join(letter.center(square) for letter in "ABCD"), *rows]


def _square(square: SquareView) -> str:
    if square.building:
        return short(square.building)
    sign = spoken().text(SIGNS[RESOURCES.index(square.cube)]) if square.cube else "."
    return padded(f" {sign}", _SQUARE)
