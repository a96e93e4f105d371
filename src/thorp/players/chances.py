"""The chance to win of who is expected to be ahead by so much, where games stop short of the end.

How far a seat will be ahead of the best of the others is taken to be normally distributed: about what a net expects,
and as wide as it is seen to be where games go on to their end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from thorp.players.playouts import FINE, WIN
from thorp.players.search import Judged, one_more

#: What a point is worth where games are played to their end to see how far apart they lie: the first place is next to
#: nothing beside it then.
TELLING = 10 * WIN
#: So many games beyond the first of each move tell how far apart they lie.
_ENOUGH = 6
#: More than anybody is ever ahead by.
_FAR = 1e6
_NORMAL = NormalDist()


def spread_of(ended: Sequence[Judged]) -> float:
    """How far apart games to the end lie, in points that a seat is ahead: one standard deviation.

    A point was worth `TELLING` in them. Around what each move comes to, or where these are too few games for that,
    around what all come to. 0 where there is but one game, or all come to the same.
    """
    squares = sum((each.error * each.games) ** 2 for each in ended)
    apart = sum(max(0, each.games - 1) for each in ended)
    if apart < _ENOUGH:
        games = sum(each.games for each in ended)
        middle = sum(each.mean * each.games for each in ended) / max(1, games)
        squares += sum(each.games * (each.mean - middle) ** 2 for each in ended)
        apart = games - 1
    return sqrt(squares / apart) / TELLING if apart > 0 else 0.0


def chance_of(judged: Judged, spread: float, point: int, *, beside: bool) -> tuple[float, float]:
    """The chance to win and one standard error, of what a net said of a move.

    `beside`: what it says has the first place in it, and `point` for each point ahead; or else it says points alone.
    """
    if not beside:
        ahead, error = judged.mean / FINE, judged.error / FINE
    else:
        ahead = _ahead(judged.mean, spread, point)
        error = judged.error / (WIN * _density(ahead, spread) + point)
    chance = _NORMAL.cdf(ahead / spread)
    return chance, max(error * _density(ahead, spread), one_more(chance, judged.games))


def _density(ahead: float, spread: float) -> float:
    return _NORMAL.pdf(ahead / spread) / spread


def _ahead(worth: float, spread: float, point: int) -> float:
    """How far ahead a seat is that has so much of the first place and of points in one number."""
    low, high = -_FAR, _FAR
    while high - low > 1e-6:
        middle = (low + high) / 2
        if WIN * _NORMAL.cdf(middle / spread) + point * middle < worth:
            low = middle
        else:
            high = middle
    return (low + high) / 2
