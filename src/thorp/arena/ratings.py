"""How strong players are, on one scale: a fit over all games at once, with intervals.

With two seats it is the model of Bradley and Terry (that of chess ratings), with more that of Plackett and Luce, fitted
by `choix`. 100 points are 64 % of the games between two.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import choix
import numpy as np
from numpy.typing import NDArray

from thorp.arena.figures import FEWEST_GAMES, UNKNOWN, Estimate
from thorp.arena.sequential import POINTS_OF_TEN

Floats = NDArray[np.float64]

#: Points for one of the natural logarithm of strength.
POINTS = POINTS_OF_TEN / log(10)
#: Every two players that met are held to have won so often against each other besides (between two that is Firth's
#: bias reduction, Biometrika 1993; with a whole win those far apart are told too near): a player that never lost would
#: be infinitely strong otherwise.
BESIDES = 0.5
#: Beyond so many points even that holds players nearer to each other than they may be: in some 80 games between two
#: the weaker one wins none.
FAR = 800.0


@dataclass(frozen=True)
class Ranked:
    """A game: who sat where, and which place each came to (ties share one)."""

    #: Games of one deal are no witnesses independent of each other.
    deal: int
    players: tuple[str, ...]
    places: tuple[int, ...]


def rate(players: Sequence[str], games: Sequence[Ranked]) -> dict[str, Estimate]:
    """The ratings, in points above the first of `players`, with standard errors.

    Unknown is a player that is not linked with the first by games, and the error of one that has met others in fewer
    than FEWEST_GAMES deals, or all errors but that of the first where it has.
    """
    number = {name: index for index, name in enumerate(players)}
    telling = [game for game in games if len(set(game.players)) > 1]
    met = _met(number, telling)
    linked = _linked(met)
    order = [name for name in players if linked[number[name]]]
    if len(order) < 2:
        return {name: Estimate(0.0, 0.0) if name == players[0] else UNKNOWN for name in players}
    local = {name: index for index, name in enumerate(order)}
    met = met[np.ix_(linked, linked)]
    stages = [stage for game in telling if game.players[0] in local for stage in _stages(game, local)]
    strengths = _fit(len(order), stages, met)
    errors = _errors(strengths, stages, met)
    deals = [len({game.deal for game in telling if name in game.players}) for name in order]
    found = dict.fromkeys(players, UNKNOWN)
    for name, index in local.items():
        value = POINTS * float(strengths[index] - strengths[0])
        enough = index == 0 or min(deals[index], deals[0]) >= FEWEST_GAMES
        error = POINTS * float(errors[index]) if enough else float("nan")
        found[name] = Estimate(value, error)
    return found


@dataclass(frozen=True)
class _Stage:
    """Of those who are left one is the best, or one of several that tie with a part of the win each."""

    deal: int
    left: tuple[int, ...]
    best: dict[int, float]


def _stages(game: Ranked, number: dict[str, int]) -> list[_Stage]:
    """A game as choices of the best, then of the best of the others, and so on.

    Two that tie share the choice. Where more sit at a table, tied players are put in an order that is drawn from the
    number of the deal: any order is as likely, and none is favoured.
    """
    who = [number[name] for name in game.players]
    if len(who) == 2 and game.places[0] == game.places[1]:
        return [_Stage(game.deal, tuple(who), {who[0]: 0.5, who[1]: 0.5})]
    draw = random.Random(game.deal)
    seats = sorted(range(len(who)), key=lambda seat: (game.places[seat], draw.random()))
    ranking = [who[seat] for seat in seats]
    return [
        _Stage(game.deal, tuple(ranking[at:]), {ranking[at]: 1.0})
        for at in range(len(ranking) - 1)
        if len(set(ranking[at:])) > 1
    ]


def _met(number: dict[str, int], games: Sequence[Ranked]) -> NDArray[np.bool_]:
    met = np.zeros((len(number), len(number)), bool)
    for table in {game.players for game in games}:
        who = [number[name] for name in table]
        met[np.ix_(who, who)] = True
    np.fill_diagonal(met, False)
    return met


def _linked(met: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who is linked with the first."""
    linked = np.zeros(len(met), bool)
    linked[0] = True
    while (further := linked | met[linked].any(0)).sum() > linked.sum():
        linked = further
    return linked


def _fit(count: int, stages: Sequence[_Stage], met: NDArray[np.bool_]) -> Floats:
    """The likeliest strengths, as natural logarithms."""
    if all(len(stage.left) == 2 for stage in stages):
        wins = BESIDES * met.astype(float)
        for stage in stages:
            for one, part in stage.best.items():
                other = stage.left[0] if stage.left[1] == one else stage.left[1]
                wins[one, other] += part
        pairs: Floats = choix.ilsr_pairwise_dense(wins)
        return pairs
    # A player at several seats stands there several times, also beside itself.
    choices = [(stage.left[0], stage.left[1:]) for stage in stages]
    besides = [(int(one), (int(other),)) for one, other in np.argwhere(met)]
    # all choices weigh the same there
    found: Floats = choix.ilsr_top1(count, [*(choices * round(1 / BESIDES)), *besides])
    return found


def _errors(strengths: Floats, stages: Sequence[_Stage], met: NDArray[np.bool_]) -> Floats:
    """Standard errors of the differences to the first player.

    The wider of two: that of the model, as if every game told something by itself, and that of White's sandwich with
    deals as its units, which holds where games of a deal go together.
    """
    count = len(strengths)
    strong = np.exp(strengths - strengths.mean())
    curvature = np.zeros((count, count))
    by_deal: dict[int, Floats] = {}
    for one, other in np.argwhere(np.triu(met)):
        p = strong[one] / (strong[one] + strong[other])
        apart = np.zeros(count)
        apart[[one, other]] = 1, -1
        curvature += 2 * BESIDES * p * (1 - p) * np.outer(apart, apart)
    for stage in stages:
        chances = np.bincount(stage.left, minlength=count) * strong
        chances /= chances.sum()
        curvature += np.diag(chances) - np.outer(chances, chances)
        surprise = by_deal.setdefault(stage.deal, np.zeros(count))
        surprise -= chances
        for one, part in stage.best.items():
            surprise[one] += part
    # Only differences mean anything: with the first held fast there is one answer, and no other is near it.
    inverse: Floats = np.asarray(np.linalg.inv(curvature[1:, 1:]), float)
    surprises = np.stack(list(by_deal.values()))[:, 1:]
    sandwich: Floats = inverse @ (surprises.T @ surprises) @ inverse
    wider: Floats = np.sqrt(np.maximum(inverse.diagonal(), sandwich.diagonal()))
    return np.concatenate([[0.0], wider])
