"""The net of a learned evaluation: what it reads, how its weights lie, and how it is read out in compiled rules.

One row of float32 holds all: first room to reckon in (the features of the position, and the sums of the hidden units),
then what was learned. Positions are written over and over, so each thread has a row of its own.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from thorp.compiling.rule import Weights, rule


@dataclass(frozen=True)
class Net:
    """A net of one hidden layer over named features.

    The first hidden unit is linear, and so a weight for each feature by itself; the others are cut off below 0.
    """

    #: What each feature is; a game writes its number at `weights[feature]`, of about -2 to 2.
    features: tuple[str, ...]
    hidden: int = 32
    #: Raised where a feature means something else under its name.
    version: int = 1
    #: Whether it learns to choose, from what choices came to. What it says is how much a move is liked beside others
    #: then, and no number of points. Searches play games on by it, to their end.
    chooses: bool = False
    #: With more than two seats all others go by it in half of these games only, and in the others take of so many
    #: moves, drawn anew each time, what `evaluate` likes best: who knew just what they will do would rely on it.
    strangers: int = 5
    #: So many choices of its own a search that has little time looks ahead before it asks a net that says points how
    #: things stand. 0: searches go by `evaluate`, and do not ask.
    lookahead: int = 0

    @property
    def first(self) -> int:
        """Where what was learned begins: a row of `hidden` for each feature, then biases, read-out, and its bias.

        The number before it is `hidden`.
        """
        return len(self.features) + self.hidden + 1

    @property
    def learned(self) -> int:
        """How many numbers are learned."""
        return (len(self.features) + 2) * self.hidden + 1

    @property
    def size(self) -> int:
        """How long the row is."""
        return self.first + self.learned

    @cached_property
    def digest(self) -> str:
        """What weights of this net are known by."""
        told = f"{self.version} {self.hidden} {' '.join(self.features)}"
        told += " chooses" * self.chooses
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def row(self, learned: Any = None) -> Any:
        """A row as the rule `value` takes it: with what was learned, or with nothing."""
        row = np.zeros(self.size, np.float32)
        row[self.first - 1] = self.hidden
        if learned is not None:
            row[self.first :] = learned
        return row


@rule(inline=True)
def read_out(weights: Weights, features: int, first: int) -> float:
    """What the net makes of the features written at the beginning of the row.

    How many hidden units there are the row says: where compilers know it, they unroll the loops over them instead of
    taking eight at a time, which takes four times as long.
    """
    units = int(weights[first - 1])
    biases = first + features * units
    for unit in range(units):
        weights[features + unit] = weights[biases + unit]
    for feature in range(features):
        x = weights[feature]
        if x != 0:
            row = first + feature * units
            for unit in range(units):
                weights[features + unit] += x * weights[row + unit]
    out = biases + units
    total = weights[out + units] + weights[features] * weights[out]
    for unit in range(1, units):
        if weights[features + unit] > 0:
            total += weights[features + unit] * weights[out + unit]
    return total * 1.0
