"""The chance to win of who is expected to be ahead by so much, where games stop short of the end.

How far a seat will be ahead of the best of the others is taken to be normally distributed: about what a net expects,
and as wide as it is seen to be where games go on to their end, or wider where players who search lie farther apart than
these, and with heavier tails then: what a net does not see may turn a game that it takes for decided. Where these come
to more, or to less, than the net says, it is believed the less the surer they are; and where that differs from move to
move by more than chance, each is moved by what its own games came to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atan, hypot, pi, sqrt
from statistics import NormalDist

from thorp.players.playouts import FINE, WIN
from thorp.players.search import Judged

#: What a point is worth where games are played to their end to see how far apart they lie: the first place is next to
#: nothing beside it then.
TELLING = 10 * WIN
#: So many games beyond the first of each move tell how far apart they lie.
_ENOUGH = 6
#: More than anybody is ever ahead by.
_FAR = 1e6
#: Of what is not known for certain nothing is surer than this; nor than by so much of a game, divided by one more than
#: there were: games tell by how much they were won, or they would tell less.
_LEAST, _OF_A_GAME = 0.001, 0.2
#: So many times as much as by chance, in squares, have moves to differ before a net is taken to be wrong about each in
#: another way: of three or four moves that do not, one decision in a hundred looks so.
_DIFFERENT = 4.0
#: By how much the spread is taken to be wider at most, where few games have told it.
_WIDEST = 4.0
_NORMAL = NormalDist()
#: How much narrower the best of so many others is spread than one of them, where all are equal: its variance.
_BEST_OF = {1: 1.0, 2: 0.682, 3: 0.559, 4: 0.492, 5: 0.448}


@dataclass(frozen=True)
class Spread:
    """How far apart games to the end lie, in points that a seat is ahead: one standard deviation."""

    points: float
    #: How sure that is: one standard error, as a part of it.
    error: float

    @classmethod
    def of(cls, ended: Sequence[Judged]) -> Spread:
        """Around what each move comes to, or where these are too few games for that, around what all come to.

        A point was worth `TELLING` in them. 0 where there is but one game, or all come to the same.
        """
        squares = sum((each.error * each.games) ** 2 for each in ended)
        apart = sum(max(0, each.games - 1) for each in ended)
        if apart < _ENOUGH:
            games = sum(each.games for each in ended)
            middle = sum(each.mean * each.games for each in ended) / max(1, games)
            squares += sum(each.games * (each.mean - middle) ** 2 for each in ended)
            apart = games - 1
        if apart <= 0:
            return cls(0.0, 0.0)
        return cls(sqrt(squares / apart) / TELLING, sqrt(0.5 / apart))

    def of_one(self, seats: int) -> float:
        """How far apart the points of one seat lie, of so many that are equal."""
        others = min(max(_BEST_OF), max(1, seats - 1))
        return self.points / sqrt(1 + _BEST_OF[others])


@dataclass(frozen=True)
class Chance:
    """A chance to win, and one standard error in all; and what of it the moves of a decision have in common."""

    chance: float
    error: float
    #: By how much it would be more, were all moves ahead by one standard error more than a net says.
    ahead: float = 0.0
    #: By how much it would be more, did games lie apart by one standard error more.
    apart: float = 0.0


class _Apart:
    """The chance of who is ahead by so many standard deviations of games by a net, where players see more than it does.

    They lie so many times as far apart, by Student's distribution with three degrees of freedom. One of so many equals
    has an even chance as before.
    """

    def __init__(self, wider: float, seats: int) -> None:
        self._wider = wider
        self._from, self._to = _NORMAL.inv_cdf(1 / seats), _student_inverse(1 / seats)

    def cdf(self, ahead: float) -> float:
        return _student(self._place(ahead))

    def pdf(self, ahead: float) -> float:
        return 6 * sqrt(3) / (pi * (3 + self._place(ahead) ** 2) ** 2) / self._wider

    def _place(self, ahead: float) -> float:
        return self._to + (ahead - self._from) / self._wider


def _student(value: float) -> float:
    """The chance of less than that, by Student's distribution with three degrees of freedom."""
    part = value / sqrt(3)
    return 0.5 + (part / (1 + part**2) + atan(part)) / pi


def _student_inverse(chance: float) -> float:
    low, high = -_FAR, _FAR
    while high - low > 1e-9:
        middle = (low + high) / 2
        if _student(middle) < chance:
            low = middle
        else:
            high = middle
    return low


class Chances:
    """The chances of the moves of a decision, of which a net has said how they stand before the end."""

    def __init__(
        self,
        compared: Sequence[Judged],
        ended: Mapping[int, Judged],
        spread: Spread,
        point: int,
        *,
        beside: bool,
        wrong_by: float = 0.0,
        wider: float = 0.0,
        seats: int = 2,
    ) -> None:
        """`compared`: what a net said of some moves in the same games. `ended`: what the same came to at the end.

        `beside`: what a net says has the first place in it, and `point` for each point ahead; or else it says points
        alone. `wrong_by`, `wider`: see `Net`. `seats`: how many are at the table. The spread is more than 0.
        """
        self._law = _Apart(wider * seats, seats) if wider else _NORMAL
        self._spread, self._point, self._beside = spread, point, beside
        self._compared = {each.move: each for each in compared if each.games}
        self._apart = self._how_far_apart()
        tried = sum(each.games for each in (ended or self._compared).values())
        self._least = max(_LEAST, _OF_A_GAME / (1 + tried))
        #: Of a spread that few games have told, Student's distribution has the width: with `spread.error` of a normal
        #: one's standard deviation, `0.5 / spread.error**2` games are behind it.
        self._width = spread.points / sqrt(max(1 - 4 * spread.error**2, _WIDEST**-2))
        self._ended = {move: end for move, end in ended.items() if end.games}
        both = [(judged, self._ended[move]) for move, judged in self._compared.items() if move in self._ended]
        beyond = [(end.games, _ahead_at_end(end) - self._ahead(judged)) for judged, end in both]
        middle = sum(games * more for games, more in beyond) / max(1, sum(games for games, _ in beyond))
        # the moves were tried in the same games, so these are as many as of one move
        error = self._error_of(max((games for games, _ in beyond), default=1))
        #: So much of what games to the end come to beyond what the net says is put down to the net, and it may still be
        #: wrong by so many points: as Bayes has it, where both are normally distributed.
        self._moved = middle * wrong_by**2 / (wrong_by**2 + error**2)
        self._unsure = wrong_by * error / hypot(wrong_by, error) if both else wrong_by
        #: And by so many about each move in its own way, in squares.
        self._differs = 0.0
        if len(both) > 1:
            differ = sum((more - middle) ** 2 for _, more in beyond) / (len(both) - 1)
            by_chance = sum(self._error_of(games) ** 2 for games, _ in beyond) / len(both)
            self._differs = differ - by_chance if differ > _DIFFERENT * by_chance else 0.0

    def of(self, judged: Judged) -> Chance:
        """The chance by a move that was compared."""
        return self._chance(judged, self._ahead(judged))

    def beside(self, judged: Judged, found: Sequence[Judged]) -> Chance:
        """The chance by a move that was only looked at in another search, `found`, as the others were."""
        same = [(each, self._compared[each.move]) for each in found if each.move in self._compared]
        apart = sum(self._ahead(then) - self._ahead(before) for before, then in same) / max(1, len(same))
        return self._chance(judged, self._ahead(judged) + apart)

    def _error_of(self, games: int) -> float:
        """By how many points so many games to the end may be wrong."""
        return self._spread.points / sqrt(games)

    def _chance(self, judged: Judged, ahead: float) -> Chance:
        error = self._apart / sqrt(max(1, judged.games))
        ahead += self._moved
        if self._differs and (end := self._ended.get(judged.move)):
            by_games = self._error_of(end.games) ** 2
            share = self._differs / (self._differs + by_games)
            ahead += share * (_ahead_at_end(end) - ahead)
            error = hypot((1 - share) * error, sqrt(share * by_games))
        # how far it may be wrong makes for a wider distribution of what comes of it
        wide = hypot(self._width, error, self._unsure)
        own = max(self._half(ahead, error, wide), _LEAST)
        more = self._half(ahead, self._unsure, wide)
        apart = -ahead / wide * self._law.pdf(ahead / wide) * self._spread.error
        chance = self._law.cdf(ahead / wide)
        return Chance(chance, max(hypot(own, more, apart), self._least), more, apart)

    def _half(self, ahead: float, error: float, wide: float) -> float:
        """By how much an error changes a chance, in the middle of both sides."""
        more, less = (self._law.cdf((ahead + sign * error) / wide) for sign in (1, -1))
        return (more - less) / 2

    def _how_far_apart(self) -> float:
        """How far games of one move lie apart that stop short of the end, in points: one standard deviation."""
        several = [each for each in self._compared.values() if each.error and each.games > 1]
        apart = sum(each.games - 1 for each in several)
        if apart < _ENOUGH:
            # no less is known of them than of games to the end
            return self._spread.points
        squares = sum((each.error * each.games / self._worth(each)) ** 2 for each in several)
        return sqrt(squares / apart)

    def _ahead(self, judged: Judged) -> float:
        """By how much a seat is ahead of the best of the others, as far as a net says."""
        if not self._beside:
            return judged.mean / FINE
        low, high = -_FAR, _FAR
        while high - low > 1e-6:
            middle = (low + high) / 2
            if WIN * _NORMAL.cdf(middle / self._spread.points) + self._point * middle < judged.mean:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def _worth(self, judged: Judged) -> float:
        """What a point more is worth there, as a net counts."""
        if not self._beside:
            return FINE
        return WIN * _NORMAL.pdf(self._ahead(judged) / self._spread.points) / self._spread.points + self._point


def _ahead_at_end(end: Judged) -> float:
    return (end.mean - WIN * end.first) / TELLING
