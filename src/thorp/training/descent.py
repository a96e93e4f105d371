"""Learning from rows of positions: the slope of the squared error by backpropagation, and steps by Adam.

Source: Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015. All loops go one way, so that the same
rows give the same weights.
"""

from thorp.compiling.rule import Counts, Weights, rule
from thorp.core.net import read_out
from thorp.training.selfplay import BASE, EXTRA, TARGET

_KEEP = 0.9
_KEEP_SQUARES = 0.999
_TINY = 1e-8
#: Errors beyond so many points teach as these do.
_MOST_ERROR = 15.0


@rule
def descend(
    rows: Weights,
    order: Counts,
    batch: int,
    weights: Weights,
    slope: Weights,
    memory: Weights,
    how: Weights,
    features: int,
    hidden: int,
    first: int,
) -> float:
    """Go through the rows in an order, a step for each batch of them; the mean squared error in square points.

    `slope` and `memory` have room for once and twice what is learned. `how` is: the length of a step, how much of
    itself a weight loses in a step of that length, and the two powers of Adam's, which are written on.
    """
    width = features + EXTRA
    learned = len(slope)
    total = 0.0
    asked = 0
    count = len(order) // batch * batch
    for index in range(learned):
        slope[index] = 0
    for index in range(count):
        at = order[index] * width
        some = False
        for feature in range(features):
            weights[feature] = rows[at + feature]
            if weights[feature] != 0:
                some = True
        if some:
            said = read_out(weights, features, first)
            error = said - (rows[at + features + TARGET] - rows[at + features + BASE])
            total += error * error
            asked += 1
            _add_slope(weights, slope, min(_MOST_ERROR, max(-_MOST_ERROR, error)) / batch, features, hidden, first)
        if (index + 1) % batch == 0:
            _step(weights, slope, memory, how, first)
    return total / max(asked, 1)


@rule
def _add_slope(weights: Weights, slope: Weights, error: float, features: int, hidden: int, first: int) -> None:
    """Add to the slope what one row gives; what the net read and summed still lies in the row of weights."""
    biases = features * hidden
    out = biases + hidden
    slope[out + hidden] += error
    for unit in range(hidden):
        sum = weights[features + unit]
        if unit == 0 or sum > 0:
            slope[out + unit] += error * sum
            # what a unit is to blame for takes the place of its sum
            weights[features + unit] = error * weights[first + out + unit]
        else:
            weights[features + unit] = 0
        slope[biases + unit] += weights[features + unit]
    for feature in range(features):
        x = weights[feature]
        if x != 0:
            for unit in range(hidden):
                slope[feature * hidden + unit] += x * weights[features + unit]


@rule
def _step(weights: Weights, slope: Weights, memory: Weights, how: Weights, first: int) -> None:
    """Take a step by Adam, and forget the slope."""
    how[2] *= _KEEP
    how[3] *= _KEEP_SQUARES
    length = how[0] / (1.0 - how[2])
    square = 1.0 / (1.0 - how[3])
    learned = len(slope)
    for index in range(learned):
        memory[index] = _KEEP * memory[index] + (1.0 - _KEEP) * slope[index]
        squares = _KEEP_SQUARES * memory[learned + index] + (1.0 - _KEEP_SQUARES) * slope[index] * slope[index]
        memory[learned + index] = squares
        weights[first + index] -= length * memory[index] / ((squares * square) ** 0.5 + _TINY)
        weights[first + index] -= how[0] * how[1] * weights[first + index]
        slope[index] = 0
