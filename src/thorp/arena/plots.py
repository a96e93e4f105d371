"""The geometry of plots: where things lie, in percent of the width and in pixels of the height.

A plot is drawn as SVG without a view box: it takes any width, and its text keeps its size on a phone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from thorp.arena.figures import Estimate, Spread

#: The bars of a histogram are so high in pixels, at most.
BAR_HEIGHT = 120
#: A histogram has so many bars, at most.
_MOST_BARS = 44
#: Room at both ends of a scale, in percent, so that no dot is cut.
_ROOM = 2.0
#: An interval that reaches farther than this to each side may be cut.
_WIDE = 0.05


@dataclass(frozen=True)
class Scale:
    """A piece of the number line laid over the width of a plot."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Where a value lies, in percent of the width; values outside lie at the ends."""
        inside = min(max(value, self.low), self.high)
        return round(_ROOM + (100 - 2 * _ROOM) * (inside - self.low) / (self.high - self.low), 3)

    def ticks(self, most: int) -> list[float]:
        """Round values on the scale, so many at most."""
        step = _round_step((self.high - self.low) / most)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(index * step, 10) for index in range(first, last + 1)]


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram, and in it the part that is told apart; heights in pixels, the rest in percent."""

    x: float
    width: float
    height: float
    part: float
    #: The values that it stands for, and how often they came.
    first: int
    last: int
    times: int
    part_times: int


@dataclass(frozen=True)
class Histogram:
    """How often values came."""

    scale: Scale
    bars: tuple[Bar, ...]
    mean: float


def effects_scale(estimates: Iterable[Estimate], least: float) -> Scale:
    """A scale around 0, at least from -least to least, for all figures and their intervals, but for very wide ones."""
    reach = (abs(e.value) + min(e.high - e.value, _WIDE) for e in estimates if e.known)
    widest = ceil(max(least, *reach, 0) * 50) / 50
    return Scale(-widest, widest)


def histogram(spread: Spread, part: Spread | None = None, within: tuple[int, int] | None = None) -> Histogram:
    """Bars of equal width over all values; `part` are those of the values that are told apart.

    `within`: the least and the most that the scale has room for, where several histograms are to be compared.
    """
    low, high = within or (spread.values[0], spread.values[-1])
    width = max(1, ceil((high - low + 1) / _MOST_BARS))
    first = low - low % width
    count = (high - first) // width + 1
    all_times, part_times = _binned(spread, first, width, count), _binned(part, first, width, count)
    most = max(all_times)
    scale = Scale(first - 0.5, first + count * width - 0.5)
    bars = []
    for index, times in enumerate(all_times):
        begin = first + index * width
        left, right = scale.at(begin - 0.5), scale.at(begin + width - 0.5)
        bars.append(
            Bar(
                x=round(left + (right - left) * 0.06, 3),
                width=round((right - left) * 0.88, 3),
                height=round(BAR_HEIGHT * times / most, 2),
                part=round(BAR_HEIGHT * part_times[index] / most, 2),
                first=begin,
                last=begin + width - 1,
                times=times,
                part_times=part_times[index],
            )
        )
    return Histogram(scale, tuple(bars), spread.mean)


def _binned(spread: Spread | None, first: int, width: int, count: int) -> list[int]:
    bins = [0] * count
    if spread:
        for value, times in zip(spread.values, spread.times):
            bins[(value - first) // width] += times
    return bins


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not less."""
    power = 10.0 ** floor(log10(least))
    return next(power * step for step in (1, 2, 5, 10) if power * step >= least * (1 - 1e-9))
