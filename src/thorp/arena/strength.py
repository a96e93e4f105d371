"""The figures of a contest: who is how strong, who beats whom, what a place is worth to whom, and how long it took."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, log10
from statistics import mean

import numpy as np

from thorp.arena.contest import Course, lone_share, shares
from thorp.arena.figures import UNKNOWN, Estimate, Spread, least_error, mean_of, mean_share, share_of, spread_of
from thorp.arena.lineups import Lineup
from thorp.arena.ratings import Ranked, rate
from thorp.arena.results import Deal
from thorp.arena.sequential import POINTS_OF_TEN
from thorp.arena.tables import Outcome


@dataclass(frozen=True)
class Meeting:
    """A player alone against another at all other seats (alone: on the same deals), over deals."""

    one: str
    other: str
    deals: int
    games: int
    #: The share of wins of the one.
    share: Estimate
    #: The same as points of strength: an infinity where it won all, or none.
    points: float
    #: How often a deal came to which score, in order.
    scores: tuple[tuple[str, int], ...]
    #: The test: its ratio, and what it says.
    ratio: float | None = None
    verdict: bool | None = None


@dataclass(frozen=True)
class PlayerFigures:
    """What there is to say of a player."""

    name: str
    rating: Estimate
    games: int
    #: What each of its seats wins of its games with others, on average: even is 1 by the number of seats. A player at
    #: several seats of a table cannot come to 1, since one of them wins at most. Alone it is the share of games that
    #: were not lost.
    share: Estimate
    #: Of games that were played to their end; None where there are none.
    score: Spread | None
    #: By how much it wins more when it goes first than over all places.
    first: Estimate
    #: Of a choice, on an average and at most, in seconds; None where nobody looked at the clock.
    mean_time: float | None
    longest_time: float | None
    #: Games that it lost because it could not go on, and whether those are all that it played.
    lost: int
    all_lost: bool


@dataclass(frozen=True)
class Loss:
    """A game that a player lost because it could not go on."""

    player: str
    seed: int
    lineup: Lineup
    why: str


@dataclass(frozen=True)
class Strength:
    """All that a report of a contest says."""

    seats: int
    games: int
    deals: int
    #: Whose rating is 0; None where nobody has played.
    anchor: str | None
    #: The strongest first.
    players: tuple[PlayerFigures, ...]
    #: By how many points the strongest is above each other one that is linked with it by games.
    ahead: dict[str, Estimate]
    meetings: tuple[Meeting, ...]
    #: By how much the first place wins more than an even share, over all games.
    first: Estimate
    #: Of all games: points between the best two, choices a player, rounds.
    spreads: dict[str, Spread]
    losses: tuple[Loss, ...]

    def meeting(self, one: str, other: str) -> Meeting | None:
        """Of two players, where they met so."""
        return next((each for each in self.meetings if (each.one, each.other) == (one, other)), None)


@dataclass(frozen=True)
class _Seated:
    """A player in a game."""

    deal: Deal
    game: Outcome
    seating: tuple[str, ...]
    seat: int

    @property
    def name(self) -> str:
        return self.seating[self.seat]

    @property
    def share(self) -> float:
        return float(shares(self.game)[self.seat])

    @property
    def place(self) -> int | None:
        """Its place in the turn order; None where all always decide at once."""
        return None if self.game.leader < 0 else (self.seat - self.game.leader) % len(self.seating)


def strength_of(courses: Sequence[Course], players: Sequence[str]) -> Strength:
    """The figures of what counts. The rating of the first of `players` that met another in them is 0."""
    deals = [deal for course in courses for deal in course.counted]
    seated = list(_seated(deals))
    seats = len(courses[0].lineup.players) if courses else 0
    played = [name for name in players if any(name in deal.lineup.players for deal in deals)]
    meetings = _solo_meetings(deals, played) if seats == 1 else _meetings(courses)
    ranked = list(_solo_ranked(deals, played) if seats == 1 else _ranked(deals))
    met = {name for game in ranked if len(set(game.players)) > 1 for name in game.players}
    rated = sorted(played, key=lambda name: name not in met)
    ratings = rate(rated, ranked) if rated else {}
    by_name: dict[str, list[_Seated]] = defaultdict(list)
    for each in seated:
        by_name[each.name].append(each)
    figures = [_player(name, by_name[name], ratings[name]) for name in played]
    ladder = tuple(sorted(figures, key=lambda each: (np.isnan(each.rating.value), -each.rating.value)))
    games = [game for deal in deals for game in deal.games]
    return Strength(
        seats=seats,
        games=len(games),
        deals=len(deals),
        anchor=rated[0] if rated else None,
        players=ladder,
        ahead=_ahead(ladder, ranked),
        meetings=tuple(meetings),
        first=_first(seated, even=True) if seats > 1 else UNKNOWN,
        spreads=_spreads(games, seats),
        losses=tuple(
            Loss(each.name, each.deal.seed, each.deal.lineup, each.game.lost[1])
            for each in seated
            if each.game.lost and each.game.lost[0] == each.seat
        ),
    )


def _ahead(ladder: Sequence[PlayerFigures], ranked: Sequence[Ranked]) -> dict[str, Estimate]:
    """As ratings above the strongest, the other way round.

    The intervals of a ladder do not tell it: they are of the distance to one player, and where that one met others
    little those of all overlap, however often the best two met.
    """
    if not ladder:
        return {}
    below = rate([each.name for each in ladder], ranked)
    others = [each.name for each in ladder[1:] if not np.isnan(each.rating.value)]
    return {name: Estimate(-below[name].value, below[name].error) for name in others}


def points_of(share: float, seats: int) -> float:
    """The strength above equal others at which a player has that share of wins; see `sequential.share_at`."""
    if share <= 0 or share >= 1:
        return inf if share >= 1 else -inf
    return POINTS_OF_TEN * log10((seats - 1) * share / (1 - share))


def _seated(deals: Iterable[Deal]) -> Iterator[_Seated]:
    for deal in deals:
        for seating, game in zip(deal.lineup.seatings, deal.games):
            for seat in range(len(seating)):
                yield _Seated(deal, game, seating, seat)


def _ranked(deals: Iterable[Deal]) -> Iterator[Ranked]:
    for deal in deals:
        for seating, game in zip(deal.lineup.seatings, deal.games):
            yield Ranked(deal.seed, seating, tuple(game.standings))


def _solo_scores(deals: Iterable[Deal]) -> dict[str, dict[int, float]]:
    """What each player scored, by the seed: less than anybody who could not go on."""
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for deal in deals:
        game = deal.games[0]
        found[deal.lineup.players[0]][deal.seed] = -inf if game.lost else game.scores[0]
    return found


def _solo_ranked(deals: Iterable[Deal], players: Sequence[str]) -> Iterator[Ranked]:
    """Games that were played alone, as if every two had met over the same deal: more points win."""
    scores = _solo_scores(deals)
    for one, other in combinations(players, 2):
        for seed in scores[one].keys() & scores[other].keys():
            mine, theirs = scores[one][seed], scores[other][seed]
            yield Ranked(seed, (one, other), (1 + (mine < theirs), 1 + (theirs < mine)))


def _solo_meetings(deals: Iterable[Deal], players: Sequence[str]) -> Iterator[Meeting]:
    by_pair: dict[tuple[str, str], list[float]] = defaultdict(list)
    for ranked in _solo_ranked(deals, players):
        one, other = ranked.players
        by_pair[one, other].append((1 + ranked.places[1] - ranked.places[0]) / 2)
    for (one, other), won in by_pair.items():
        yield _meeting(one, other, won, len(won), 2)
        yield _meeting(other, one, [1 - each for each in won], len(won), 2)


def _meetings(courses: Iterable[Course]) -> Iterator[Meeting]:
    for course in courses:
        if not course.counted or not course.lineup.lone:
            continue
        one, other = course.lineup.lone
        seats = len(course.lineup.players)
        won = [float(lone_share(deal)) for deal in course.counted]
        games = sum(len(deal.games) for deal in course.counted)
        ratio, verdict = (course.ratio, course.verdict) if course.trial else (None, None)
        yield _meeting(one, other, won, games, seats, ratio, verdict)
        if seats == 2:
            yield _meeting(other, one, [1 - each for each in won], games, seats)


def _meeting(
    one: str,
    other: str,
    won: list[float],
    games: int,
    seats: int,
    ratio: float | None = None,
    verdict: bool | None = None,
) -> Meeting:
    share = mean_share(np.array(won))
    times = Counter(f"{each:.3g}" for each in won)
    scores = tuple(sorted(times.items(), key=lambda item: float(item[0])))
    return Meeting(one, other, len(won), games, share, points_of(share.value, seats), scores, ratio, verdict)


def _player(name: str, seated: Sequence[_Seated], rating: Estimate) -> PlayerFigures:
    # With itself a player wins what it loses.
    met = [each for each in seated if len(set(each.seating)) > 1 or len(each.seating) == 1] or seated
    timed = [each for each in seated if each.game.asked and each.game.seconds and each.game.longest]
    asked = sum(each.game.asked[each.seat] for each in timed if each.game.asked)
    spent = sum(each.game.seconds[each.seat] for each in timed if each.game.seconds)
    longest = [each.game.longest[each.seat] for each in timed if each.game.longest]
    scores = [each.game.scores[each.seat] for each in seated if not each.game.lost]
    return PlayerFigures(
        name=name,
        rating=rating,
        games=len(seated),
        share=_share(_by_deal(met)),
        score=spread_of(np.array(scores)) if scores else None,
        first=_first(seated, even=False) if len(seated[0].seating) > 1 else UNKNOWN,
        mean_time=spent / asked if asked else None,
        longest_time=max(longest) if longest else None,
        lost=sum(bool(each.game.lost) and each.game.lost[0] == each.seat for each in seated if each.game.lost),
        # at whichever of its seats that was
        all_lost=all(each.game.lost and each.seating[each.game.lost[0]] == name for each in seated),
    )


def _by_deal(seated: Iterable[_Seated]) -> list[list[_Seated]]:
    """Those of one seed together: they are no witnesses independent of each other."""
    found: dict[int, list[_Seated]] = defaultdict(list)
    for each in seated:
        found[each.deal.seed].append(each)
    return list(found.values())


def _share(by_deal: Sequence[Sequence[_Seated]]) -> Estimate:
    """The share of wins of all games together: some tables may have more deals than others."""
    return share_of(
        np.array([sum(each.share for each in some) for some in by_deal]),
        np.array([float(len(some)) for some in by_deal]),
    )


def _first(seated: Sequence[_Seated], *, even: bool) -> Estimate:
    """What going first adds to the share of wins: to an even share, or to what the player wins anyway."""
    placed = _by_deal(each for each in seated if each.place is not None)
    by_deal = [(some, firsts) for some in placed if (firsts := [each for each in some if each.place == 0])]
    if not by_deal:
        return UNKNOWN
    added = [
        mean(each.share for each in firsts) - (1 / len(some[0].seating) if even else mean(each.share for each in some))
        for some, firsts in by_deal
    ]
    found = mean_of(np.array(added))
    # every deal may say the same, as where the stronger one wins from either place: it is no more certain than a share
    return Estimate(found.value, max(found.error, least_error(len(by_deal)))) if found.known else found


def _spreads(games: Sequence[Outcome], seats: int) -> dict[str, Spread]:
    whole = [game for game in games if not game.lost]
    if not whole:
        return {}
    numbers = {"choices": [round(game.choices / seats) for game in whole]}
    if seats > 1:
        numbers["margin"] = [abs(max(game.scores) - sorted(game.scores)[-2]) for game in whole]
    rounds = [game.rounds for game in whole if game.rounds is not None]
    if rounds:
        numbers["rounds"] = rounds
    return {name: spread_of(np.array(values)) for name, values in numbers.items()}
