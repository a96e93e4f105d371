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

from thorp.compiling.rule import MOST_MOVES, Weights, rule


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
    #: Whether it learns how far a seat will be ahead of the best of the others, and not its points alone: where who is
    #: quick ends the game, points alone teach to put the end off.
    ahead: bool = False
    #: Whether it also learns how far the moves of decisions lie apart, each played on in the same games; the first
    #: place is worth ten points there.
    compares: bool = False
    #: So many choices of its own a search that has little time looks ahead before it asks the net how things stand; 0:
    #: searches play games to their end.
    lookahead: int = 0
    #: At so many seats and more searches play their own moves by the net in the games that they play on, to their end,
    #: and others' by `evaluate`; between fewer those that have time for many games (`Way.patient`). 0: none does.
    #: Without this and `lookahead` searches do not ask.
    leads: int = 0
    #: Where it leads all others take of so many moves, drawn anew each time, what `evaluate` likes best: who knew just
    #: what they will do would rely on it.
    strangers: int = MOST_MOVES

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
        told = f"{self.version} {self.hidden} {' '.join(self.features)}{' ahead' * self.ahead}"
        told += " compares" * self.compares
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
