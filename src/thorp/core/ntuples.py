"""N-tuples: an evaluation that looks its parts up in tables of weights, and is learned for one table's game in seconds.

One row of float32 holds all, as for a net (`net.py`): first how many weights the last position looked up, and which;
then the weights. Positions are written over and over, so each thread has a row of its own.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from thorp.compiling.rule import MOST_MOVES

#: Which weights were looked up is written as float32, which holds whole numbers up to here.
MOST_WEIGHTS = 1 << 24


@dataclass(frozen=True)
class Lookup:
    """Tables of the same kind: a position looks `times` weights up in `size` of them."""

    name: str
    times: int
    size: int
    #: Whether what is not known there is thought to be good: so learning tries everything that these tables tell apart.
    hopeful: bool = False


@dataclass(frozen=True)
class NTuples:
    """Tables of weights. What a position is worth is what is known of it for sure, and all weights that it looks up.

    The rule `value` writes at `weights[0]` how many it has looked up (none where nothing is left to be learned), from
    `weights[1]` on which, and reads them from `weights[first]` on.
    """

    lookups: tuple[Lookup, ...]
    #: The fields of the record that say for which games weights hold: such as the cards on the table.
    holds_for: tuple[str, ...]
    #: About what a good game brings, in points: so much is hoped for at first of what hopeful tables do not know.
    hope: float
    #: In games that are learned from all others take of so many moves, drawn anew each time, what `evaluate` likes
    #: best, as people would who have read the rules. In those that searches play on they do so in half, and in the
    #: other half take of as many what was learned likes best: who knew just what they will do would rely on it.
    strangers: int = MOST_MOVES
    #: Raised where a weight means something else.
    version: int = 1

    def __post_init__(self) -> None:
        if self.learned > MOST_WEIGHTS:
            raise ValueError(f"tables of {self.learned} weights are too large: {MOST_WEIGHTS} can be numbered")

    @property
    def times(self) -> int:
        """The most weights that a position looks up."""
        return sum(each.times for each in self.lookups)

    @property
    def first(self) -> int:
        """Where the weights begin."""
        return 1 + self.times

    @property
    def learned(self) -> int:
        """How many weights there are."""
        return sum(each.size for each in self.lookups)

    @property
    def size(self) -> int:
        """How long the row is."""
        return self.first + self.learned

    @cached_property
    def digest(self) -> str:
        """What weights of these tables are known by."""
        told = " ".join(f"{each.name} {each.times} {each.size}" for each in self.lookups)
        return hashlib.sha256(f"{self.version} {told}".encode()).hexdigest()[:16]

    def row(self, learned: Any = None) -> Any:
        """A row as the rule `value` takes it: with what was learned, or with nothing."""
        row = np.zeros(self.size, np.float32)
        if learned is not None:
            row[self.first :] = learned
        return row

    def hopeful_row(self, hope: float) -> Any:
        """A row for learning from nothing, in which all is thought to be good."""
        row = self.row()
        times = sum(each.times for each in self.lookups if each.hopeful)
        at = self.first
        for each in self.lookups:
            if each.hopeful:
                row[at : at + each.size] = hope / times
            at += each.size
        return row
