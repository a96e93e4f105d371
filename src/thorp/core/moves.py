"""Move spaces: families of moves with named arguments, numbered from zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Move(NamedTuple):
    """A move taken apart: its family and its arguments by name."""

    family: str
    arguments: Mapping[str, int]

    def __str__(self) -> str:
        inside = ", ".join(f"{name}={value}" for name, value in self.arguments.items())
        return f"{self.family}({inside})"


@dataclass(frozen=True)
class Family:
    """Moves of one kind: `size` of them, numbered from `first`, the last argument counting fastest."""

    name: str
    arguments: tuple[tuple[str, int], ...]
    first: int
    size: int

    @property
    def end(self) -> int:
        """One past the last number of the family."""
        return self.first + self.size


class MoveSpace:
    """All moves of a game.

    >>> moves = MoveSpace(place={"square": 16}, build={"card": 8, "square": 16}, done={})
    >>> moves.size
    145
    >>> moves.encode("build", card=2, square=3)
    51
    >>> str(moves.decode(51))
    'build(card=2, square=3)'
    """

    def __init__(self, **families: Mapping[str, int]) -> None:
        self._families: dict[str, Family] = {}
        first = 0
        for name, arguments in families.items():
            size = 1
            for count in arguments.values():
                size *= count
            self._families[name] = Family(name, tuple(arguments.items()), first, size)
            first += size
        #: How many moves there are: legal moves are numbers in range(size).
        self.size = first

    def __getitem__(self, name: str) -> Family:
        return self._families[name]

    def __iter__(self) -> Iterator[Family]:
        return iter(self._families.values())

    @cached_property
    def _starts(self) -> list[Family]:
        return list(self._families.values())

    def encode(self, name: str, **arguments: int) -> int:
        """The number of a move. Raises ValueError where an argument is missing, unknown or out of range."""
        if name not in self._families:
            raise ValueError(f"no move is called {name!r}; there are {', '.join(self._families)}")
        family = self._families[name]
        if arguments.keys() != dict(family.arguments).keys():
            wanted = ", ".join(argument for argument, _ in family.arguments) or "nothing"
            raise ValueError(f"{name} takes {wanted}, not {', '.join(arguments) or 'nothing'}")
        number = 0
        for argument, count in family.arguments:
            value = arguments[argument]
            if not 0 <= value < count:
                raise ValueError(f"{name}: {argument} is {value}, and must lie in 0..{count - 1}")
            number = number * count + value
        return family.first + number

    def decode(self, move: int) -> Move:
        """The family and arguments of a move. Raises ValueError where there is no such number."""
        if not 0 <= move < self.size:
            raise ValueError(f"move {move} lies outside 0..{self.size - 1}")
        family = next(f for f in self._starts if move < f.end)
        rest = move - family.first
        values: list[tuple[str, int]] = []
        for argument, count in reversed(family.arguments):
            rest, value = divmod(rest, count)
            values.append((argument, value))
        return Move(family.name, dict(reversed(values)))
