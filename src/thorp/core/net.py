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
    #: All others go by it in half of these games only, and in the others take of so many moves, drawn anew each time,
    #: what `evaluate` likes best: who knew just what they will do would rely on it.
    strangers: int = 5
    #: So many choices of its own a search that has little time looks ahead before it asks a net how things stand: this
    #: one, which says points, or beside one that chooses another on the same features, which has learned to expect what
    #: games come to. 0: searches go by `evaluate`, or where the net chooses to the end, and do not ask.
    lookahead: int = 0
    #: By about so many points it is wrong (one standard deviation) about how far a seat will be ahead where it is asked
    #: before the end, beyond all that is left to chance. What games to the end say counts the more beside it.
    wrong_by: float = 0.0
    #: For each seat at the table so many times as far apart as games that go on by it lie those of players who search,
    #: who see what it does not; and some of them much farther. 0: as far apart. It is measured by what was told and
    #: what came of it (`scripts/calibration.py`).
    wider: float = 0.0

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
    def judged(self) -> bool:
        """Whether beside it another net may have learned to expect what games come to."""
        return self.chooses and self.lookahead > 0

    def expects(self, learned: Any) -> Any:
        """What was learned to expect, of all that was learned: it lies behind the rest. None where there is nothing."""
        return learned[self.learned :] if self.judged and learned.size > self.learned else None

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
            row[self.first :] = learned[: self.learned]
        return row


@rule(inline=True)
def _next(weights: Weights, feature: int, features: int) -> int:
    """The first feature from `feature` on that is not 0; `features` where there is none."""
    while feature < features and weights[feature] == 0:
        feature += 1
    return feature


@rule(inline=True)
def read_out(weights: Weights, features: int, first: int) -> float:
    """What the net makes of the features written at the beginning of the row.

    Where this is compiled nobody knows how many features and units there are, nor that places in the row are not
    negative. So loops over units go over slices, which begin at 0, and take four features at a time, each unit adding
    them up in the order of the features: that is three to four times as fast as one after the other in the row itself.
    """
    units = int(weights[first - 1])
    biases = first + features * units
    sums, bias = weights[features : features + units], weights[biases : biases + units]
    for unit in range(units):
        sums[unit] = bias[unit]
    a = _next(weights, 0, features)
    while a < features:
        b = _next(weights, a + 1, features)
        c = _next(weights, b + 1, features)
        d = _next(weights, c + 1, features)
        row_a = weights[first + a * units : first + (a + 1) * units]
        if d < features:
            row_b = weights[first + b * units : first + (b + 1) * units]
            row_c = weights[first + c * units : first + (c + 1) * units]
            row_d = weights[first + d * units : first + (d + 1) * units]
            x_a, x_b, x_c, x_d = weights[a], weights[b], weights[c], weights[d]
            for unit in range(units):
                total = sums[unit] + x_a * row_a[unit] + x_b * row_b[unit] + x_c * row_c[unit]
                sums[unit] = total + x_d * row_d[unit]
            a = _next(weights, d + 1, features)
        else:
            x_a = weights[a]
            for unit in range(units):
                sums[unit] += x_a * row_a[unit]
            a = b
    out = weights[biases + units : biases + 2 * units + 1]
    said = out[units] + sums[0] * out[0]
    for unit in range(1, units):
        if sums[unit] > 0:
            said += sums[unit] * out[unit]
    return said * 1.0
