"""A game of Tiny Towns as plain text, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from thorp.core.words import say
from thorp.games.tiny_towns.cards.describing import described
from thorp.games.tiny_towns.face.view import SquareView, TownView, View, view
from thorp.games.tiny_towns.rules.cards import LETTERS, RESOURCES, Card
from thorp.games.tiny_towns.rules.shapes import SIDE
from thorp.games.tiny_towns.rules.state import State

_WIDTH = 4 * SIDE + 4


def text(state: State, seat: int | None, names: Sequence[str] = ()) -> str:
    """The table as `seat` sees it: the cards, then all towns side by side."""
    seen = view(state, seat)
    lines = [*_cards(seen), "", *_state(seen, names)]
    per_line = 4
    towns = sorted(seen.towns, key=lambda town: (town.seat - (seat or 0)) % len(seen.towns))
    for first in range(0, len(towns), per_line):
        blocks = [_town(seen, town, names) for town in towns[first : first + per_line]]
        lines.append("")
        lines += ["".join(line.ljust(_WIDTH) for line in row).rstrip() for row in zip(*blocks, strict=True)]
    return "\n".join(lines)


def short(card: Card) -> str:
    """Three letters for a building."""
    return card.name.removeprefix("The ")[:3]


def _cards(seen: View) -> list[str]:
    own = seen.towns[seen.seat].monument if seen.seat is not None else None
    cards = [*seen.cards, *([own] if own else [])]
    return [f"{short(card)}  {card.name:<26}{' / '.join(card.pattern):<22}{_effect(card)}" for card in cards]


def _effect(card: Card) -> str:
    return card.effect or " ".join(map(say, described(card)))


def _state(seen: View, names: Sequence[str]) -> list[str]:
    out = [f"Round {seen.round}" if seen.round else "Before the first round"]
    if seen.builder is not None:
        out.append(f"Master Builder: {_name(seen.builder, names)}")
    if seen.named:
        out.append(f"named: {seen.named}")
    if seen.row:
        out.append(f"open cards: {', '.join(seen.row)}")
    if seen.seat is not None:
        town = seen.towns[seen.seat]
        out += [f"in hand: {town.hand}"] if town.hand else []
        out += [f"monuments to choose from: {' / '.join(card.name for card in town.dealt)}"] if town.dealt else []
    return ["   ".join(out)]


def _town(seen: View, town: TownView, names: Sequence[str]) -> list[str]:
    rows = []
    for row in range(SIDE):
        squares = town.squares[row * SIDE : row * SIDE + SIDE]
        rows.append(f"{row + 1} " + " ".join(_square(square) for square in squares))
    head = f"{_name(town.seat, names)}: {town.points}"
    return [head[: _WIDTH - 1], "   A   B   C   D", *rows]


def _square(square: SquareView) -> str:
    if square.building:
        return short(square.building)
    return f" {LETTERS[RESOURCES.index(square.cube)] if square.cube else '.'} "


def _name(seat: int, names: Sequence[str]) -> str:
    return names[seat] if seat < len(names) else f"Seat {seat + 1}"
