"""The figures of a report of balance: what a place at the table and a card do to the share of wins, with intervals.

A game has one win; seats that tie for it share it. Everything is a mean over games, and every interval takes the game
as its unit: seats of one game are no independent witnesses, since one wins what the others lose.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from thorp.arena.many import Ints, Played
from thorp.core.errors import GameError

Floats = NDArray[np.float64]

#: An interval of 95 percent is so many standard errors wide to each side.
NORMAL_95 = 1.959964
#: From fewer games than this no interval is made.
FEWEST_GAMES = 30
#: What a balanced game keeps to: how much a card may move its owner's share of wins, where nothing else is asked for,
#: and the first place that of its seat (either way).
CARD_LIMIT = 0.08
FIRST_LIMIT = 0.03
#: Games are looked at in blocks of so many, to save memory.
_BLOCK = 4096


@dataclass(frozen=True)
class Estimate:
    """A figure and its standard error; both are nan where there is too little to go by."""

    value: float
    error: float

    @property
    def low(self) -> float:
        """Where the 95 percent interval begins."""
        return self.value - NORMAL_95 * self.error

    @property
    def high(self) -> float:
        """Where it ends."""
        return self.value + NORMAL_95 * self.error

    @property
    def size(self) -> float:
        """How far it is from 0."""
        return abs(self.value)

    @property
    def known(self) -> bool:
        """Whether there is a figure and an interval."""
        return not np.isnan(self.error)

    def beyond(self, limit: float) -> bool:
        """Whether the figure itself is farther from 0 than `limit`."""
        return self.known and self.size > limit

    def against(self, limit: float) -> str:
        """Where the whole interval lies: "within" `limit` of 0 or "beyond" it; "unclear" where on both sides."""
        if not self.known:
            return "unclear"
        if -limit <= self.low and self.high <= limit:
            return "within"
        return "beyond" if self.low > limit or self.high < -limit else "unclear"


UNKNOWN = Estimate(float("nan"), float("nan"))


@dataclass(frozen=True)
class PlaceFigures:
    """A place at the table: how much it wins, and what it scores."""

    share: Estimate
    score: Estimate


@dataclass(frozen=True)
class CardFigures:
    """A card: how often it is had at the end, and what having it goes with."""

    id: str
    name: str
    #: Seats that have it, as a share of all; games in which anybody has it; how many an owner has.
    seats: float
    games: float
    each: float
    #: Games in which some seats have it and others do not: those that tell something.
    telling: int
    #: The owner's share of wins in those games, less 1 / seats.
    plain: Estimate
    #: Its standard error if the card were worth nothing; nan where there is none.
    even_error: float
    #: The same against other seats of the game with as many cards, at an equal place.
    adjusted: Estimate


@dataclass(frozen=True)
class Spread:
    """How a number is distributed: each value and how often it came."""

    values: tuple[int, ...]
    times: tuple[int, ...]
    mean: float
    deviation: float

    def quantile(self, share: float) -> int:
        """The smallest value that has at least that share of all at or below it."""
        wanted = share * sum(self.times)
        below = 0
        for value, times in zip(self.values, self.times):
            below += times
            if below >= wanted:
                return value
        return self.values[-1]


@dataclass(frozen=True)
class Figures:
    """All that a report of balance says."""

    games: int
    seats: int
    #: By turn order: the place 0 is the seat that first had to decide alone. None where all always decide at once.
    turns: tuple[PlaceFigures, ...] | None
    #: By number of the seat.
    by_seat: tuple[PlaceFigures, ...]
    #: Most effect first.
    cards: tuple[CardFigures, ...]
    #: Games whose win is shared.
    shared: Estimate
    spreads: dict[str, Spread]
    #: How much a card may move its owner's share of wins.
    card_limit: float = CARD_LIMIT

    @property
    def places(self) -> tuple[PlaceFigures, ...]:
        """By turn order where there is one, else by number."""
        return self.turns or self.by_seat

    @property
    def first(self) -> Estimate:
        """How much the first place moves its share of wins; unknown where there is no first place."""
        if not self.turns:
            return UNKNOWN
        return Estimate(self.turns[0].share.value - 1 / self.seats, self.turns[0].share.error)

    @property
    def cards_beyond(self) -> tuple[CardFigures, ...]:
        """Cards that move their owner's share by more than they may."""
        return tuple(card for card in self.cards if card.plain.beyond(self.card_limit))

    def cards_against(self, said: str) -> tuple[CardFigures, ...]:
        """Cards of which that is known of the limit; see `Estimate.against`."""
        return tuple(card for card in self.cards if card.plain.known and card.plain.against(self.card_limit) == said)


def figures_of(played: Played, card_limit: float = CARD_LIMIT) -> Figures:
    """The figures of games that were played. `card_limit`: how much a card may move its owner's share of wins.

    Raises GameError where there is but one seat, as nobody is there to compare with, and for a limit that is none.
    """
    if played.seats < 2:
        raise GameError("balance is between seats: play with 2 or more")
    check_limit(card_limit)
    shares = win_shares(played.standings)
    led = played.leaders >= 0
    order = (np.maximum(played.leaders, 0)[:, None] + np.arange(played.seats)) % played.seats
    turns = None
    if led.any():
        turns = _places(np.take_along_axis(shares, order, 1)[led], np.take_along_axis(played.scores, order, 1)[led])
    places = (np.arange(played.seats) - np.maximum(played.leaders, 0)[:, None]) % played.seats
    return Figures(
        games=len(shares),
        seats=played.seats,
        turns=turns,
        by_seat=_places(shares, played.scores),
        cards=_cards(played, shares, places),
        shared=mean_share((shares.max(1) < 1).astype(float)),
        spreads=_spreads(played),
        card_limit=card_limit,
    )


def check_limit(card_limit: float) -> None:
    """Raise GameError where no card could be within a limit, or none beyond it."""
    if not 0 < card_limit < 1:
        raise GameError(
            f"a card may move a share of wins by more than 0 and less than 100 points, not {100 * card_limit:g}"
        )


def win_shares(standings: Ints) -> Floats:
    """Who wins, as shares of one win a game: [game, seat]."""
    wins = (standings == 1).astype(float)
    shares: Floats = wins / wins.sum(1, keepdims=True)
    return shares


def mean_of(values: Floats) -> Estimate:
    """The mean of one value a game."""
    if len(values) < FEWEST_GAMES:
        return Estimate(float(values.mean()), float("nan"))
    return Estimate(float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values)))


def mean_share(shares: Floats) -> Estimate:
    """The mean of one share of a win a game; where all are alike, as unsure as `share_of` is then."""
    return share_of(shares, np.ones(len(shares)))


def share_of(wins: Floats, chances: Floats) -> Estimate:
    """The share that was won of all that could be, from both by game, or by deal of several games; see `_ratio`."""
    value = float(wins.sum() / chances.sum())
    if len(wins) < FEWEST_GAMES:
        return Estimate(value, float("nan"))
    # each counts as one chance on average: games of one deal go together also where all of them were won
    wins, chances = wins / chances.mean(), chances / chances.mean()
    sums = [float(each.sum()) for each in (wins, chances, wins * wins, wins * chances, chances * chances)]
    return Estimate(value, _ratio(len(wins), *sums).error)


def least_error(chances: float) -> float:
    """The standard error of a share of wins where every game said the same.

    What they differ by would be none then, and no share is as sure as that: it is the error of a share of one win more
    than none, or of one less than all.
    """
    share = 1 / (chances + 2)
    return sqrt(share * (1 - share) / chances)


def _ratio(games: float, won: float, chances: float, won2: float, both: float, chances2: float) -> Estimate:
    """Wins above an even share, by chances to win, from sums over games of both, their squares and their product.

    A ratio of sums over games, with the standard error of such a ratio by linearization (Cochran, Sampling Techniques,
    section 6.4), and no less than `least_error`: where every chance was won, or none, or every win was split evenly,
    it would be 0.
    """
    value = won / chances
    squares = won2 - 2 * value * both + value * value * chances2
    error = sqrt(max(squares, 0.0) * games / (games - 1)) / chances
    return Estimate(float(value), float(max(error, least_error(chances))))


def _places(shares: Floats, scores: Ints) -> tuple[PlaceFigures, ...]:
    return tuple(
        PlaceFigures(mean_share(shares[:, place]), mean_of(scores[:, place].astype(float)))
        for place in range(shares.shape[1])
    )


def plain_effects(shares: Floats, counts: NDArray[np.int16]) -> list[Estimate]:
    """For every card, its owners' mean share of wins less 1 / seats.

    Only games count in which some seats have the card and others do not. Where all have it, their shares less
    1 / seats add up to 0 whatever the card is worth: such games would pull the figure of a common card to 0.
    Their wins above an even share by their number, as `_ratio` has it.
    """
    seats, cards = counts.shape[1:]
    above = shares - 1 / seats
    games, won, owners, won2, both, owners2 = np.zeros((6, cards))
    for block in _blocks(len(shares)):
        has = counts[block] > 0
        n = has.sum(1)
        telling = (n > 0) & (n < seats)
        k = n * telling
        a = np.einsum("gs,gsc->gc", above[block], has) * telling
        games += telling.sum(0)
        won += a.sum(0)
        owners += k.sum(0)
        won2 += (a * a).sum(0)
        both += (a * k).sum(0)
        owners2 += (k * k).sum(0)
    out = []
    for card in range(cards):
        if games[card] < FEWEST_GAMES:
            out.append(UNKNOWN)
            continue
        sums = (each[card] for each in (won, owners, won2, both, owners2))
        out.append(_ratio(games[card], *sums))
    return out


def even_errors(counts: NDArray[np.int16]) -> list[float]:
    """The standard errors that `plain_effects` would have of cards that are worth nothing; nan where it has none.

    Those that come with a figure are the smaller, the fewer owners won: they say too much against a card that was
    unlucky, where it is asked of all cards together whether they are worth anything. Of k owners at a table one wins
    with a chance of k / seats then.
    """
    seats = counts.shape[1]
    n = (counts > 0).sum(1)
    k = n * (n < seats)
    games, owners, squares = (k > 0).sum(0), k.sum(0), (k * (seats - k)).sum(0)
    known = games >= FEWEST_GAMES
    return [sqrt(s) / seats / o if told else float("nan") for s, o, told in zip(squares, owners, known, strict=True)]


def adjusted_effects(shares: Floats, counts: NDArray[np.int16], places: Ints) -> list[Estimate]:
    """For every card, by how much a seat that has it wins more than others of its game that are as well placed.

    Least squares of the share of wins on having the card, with an effect for every game, for every place, and for the
    number of cards that the seat has (linear and squared): all of that is taken out first of the share and of the
    having (Frisch-Waugh-Lovell), then one goes by the other. Standard errors are clustered by game.
    """
    seats, cards = counts.shape[1:]
    controls = seats + 1
    zz, zx, zy = np.zeros((controls, controls)), np.zeros((controls, cards)), np.zeros(controls)
    for block in _blocks(len(shares)):
        z, x, y = _within_games(shares[block], counts[block], places[block])
        zz += np.einsum("gsi,gsj->ij", z, z)
        zx += np.tensordot(z, x, ([0, 1], [0, 1]))
        zy += np.tensordot(z, y, ([0, 1], [0, 1]))
    inverse = np.linalg.pinv(zz, hermitian=True)
    by_card, by_share = inverse @ zx, inverse @ zy
    xx, xy, aa, ab, bb = np.zeros((5, cards))
    telling = np.zeros(cards)
    for block in _blocks(len(shares)):
        z, x, y = _within_games(shares[block], counts[block], places[block])
        telling += (x != 0).any(1).sum(0)
        x -= z @ by_card
        y -= z @ by_share
        a = np.einsum("gsc,gs->gc", x, y)
        b = (x * x).sum(1)
        xx += b.sum(0)
        xy += a.sum(0)
        aa += (a * a).sum(0)
        ab += (a * b).sum(0)
        bb += (b * b).sum(0)
    games = len(shares)
    out = []
    for card in range(cards):
        if telling[card] < FEWEST_GAMES or xx[card] < 1e-9 * games:
            out.append(UNKNOWN)
            continue
        value = xy[card] / xx[card]
        squares = aa[card] - 2 * value * ab[card] + value * value * bb[card]
        out.append(Estimate(float(value), sqrt(max(squares, 0.0) * games / (games - 1)) / float(xx[card])))
    return out


def _within_games(shares: Floats, counts: NDArray[np.int16], places: Ints) -> tuple[Floats, Floats, Floats]:
    """Controls, having, and share of wins, each less its mean over the seats of the game."""
    seats = shares.shape[1]
    total = counts.sum(2, dtype=float)
    controls = [places == place for place in range(1, seats)] + [total, total * total / 10]
    z = np.stack(controls, 2).astype(float)
    x = (counts > 0).astype(float)
    z -= z.mean(1, keepdims=True)
    x -= x.mean(1, keepdims=True)
    return z, x, shares - 1 / seats


def _blocks(games: int) -> Iterator[slice]:
    for first in range(0, games, _BLOCK):
        yield slice(first, first + _BLOCK)


def _cards(played: Played, shares: Floats, places: Ints) -> tuple[CardFigures, ...]:
    """Those of cards that anybody ever had, the most helpful first."""
    counts = played.counts
    if not played.cards:
        return ()
    has = counts > 0
    owners = has.sum(1)
    telling = ((owners > 0) & (owners < played.seats)).sum(0)
    copies = counts.sum((0, 1), dtype=float)
    plain = plain_effects(shares, counts)
    even = even_errors(counts)
    adjusted = adjusted_effects(shares, counts, places)
    figures = [
        CardFigures(
            id=card.id,
            name=card.name,
            seats=float(owners[:, at].sum() / (len(shares) * played.seats)),
            games=float((owners[:, at] > 0).mean()),
            each=float(copies[at] / max(owners[:, at].sum(), 1)),
            telling=int(telling[at]),
            plain=plain[at],
            even_error=even[at],
            adjusted=adjusted[at],
        )
        for at, card in enumerate(played.cards)
    ]
    return tuple(sorted(figures, key=lambda card: (not card.plain.known, -card.plain.value, card.name)))


def _spreads(played: Played) -> dict[str, Spread]:
    ranked = np.sort(played.scores, axis=1)
    numbers = {
        "score": played.scores.ravel(),
        "winning score": played.scores[played.standings == 1],
        "margin": ranked[:, -1] - ranked[:, -2],
        "choices": np.round(played.choices / played.seats).astype(np.int64),
    }
    if played.rounds is not None:
        numbers["rounds"] = played.rounds
    return {name: spread_of(values) for name, values in numbers.items()}


def spread_of(numbers: Ints) -> Spread:
    """How numbers are distributed; there is one at least."""
    values, times = np.unique(numbers, return_counts=True)
    return Spread(
        tuple(int(value) for value in values),
        tuple(int(n) for n in times),
        float(numbers.mean()),
        float(numbers.std()),
    )
