"""A contest: which deals are played by whom, in which order, and when it is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import thorp
from thorp.arena.entrants import Entrant
from thorp.arena.lineups import Lineup
from thorp.arena.results import Deal, Results
from thorp.arena.sequential import LEAST_DEALS, Tally, Trial
from thorp.arena.tables import Outcome
from thorp.arena.work import Work, alike, get_ready, is_compiled
from thorp.arena.workers import Workers
from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError
from thorp.core.game import AnyGame

#: Deals that are played in compiled code in one go.
COMPILED_BLOCK = 20
#: More than anybody plays.
MOST_DEALS = 10**9
#: The longest that a player of somebody else's may take for a choice: a day.
MOST_SECONDS = 86_400
#: Told after every piece of work: deals that are done, deals there may be, what came out.
Tell = Callable[[int, int, list[Deal]], None]


@dataclass(frozen=True)
class Contest:
    """What is to be played."""

    game: AnyGame
    options: Mapping[str, str]
    entrants: tuple[Entrant, ...]
    lineups: tuple[Lineup, ...]
    #: Seeds of deals: the first, and how many there may be. All lineups play the same deals.
    first: int = 1
    deals: int = 100
    #: What ends a lineup sooner.
    trial: Trial | None = None
    #: So long may a player of somebody else's take for a choice.
    seconds: float = 10.0

    def __post_init__(self) -> None:
        if self.deals < 1:
            raise GameError(f"the number of deals is 1 or more, not {self.deals}")
        if self.deals > MOST_DEALS:
            raise GameError(f"the number of deals is {MOST_DEALS} or less, not {self.deals}")
        if not 0 <= self.first <= (1 << SEED_BITS) - self.deals:
            raise GameError(f"a seed is an integer from 0 to {(1 << SEED_BITS) - self.deals}, not {self.first}")
        if not 0 < self.seconds <= MOST_SECONDS:
            raise GameError(
                f"the time for a choice is more than 0 and up to {MOST_SECONDS} seconds, not {self.seconds:g}"
            )
        for entrant in self.entrants:
            entrant.learned(self.game)
        if self.trial and not any(lineup.lone for lineup in self.lineups):
            raise GameError(
                "a test tells whether one player is stronger than who plays all other seats: "
                "play with 2 seats or more, and not mixed"
            )
        if self.trial and self.deals < LEAST_DEALS:
            raise GameError(f"a test tells nothing of fewer than {LEAST_DEALS} deals: play more than {self.deals}")

    @property
    def seats(self) -> int:
        """Seats at a table."""
        return len(self.lineups[0].players)

    @property
    def about(self) -> dict[str, Any]:
        """What all results in one file have in common."""
        return {
            "game": self.game.id,
            "rules": self.game.rules_version,
            "thorp": thorp.__version__,
            "seats": self.seats,
            "options": dict(self.options),
            "seed": self.first,
        }

    def trial_of(self, lineup: Lineup) -> Trial | None:
        """The test that ends a lineup, where there is one."""
        return self.trial if lineup.lone else None

    def work(self, lineup: Lineup, first: int, deals: int) -> Work:
        """A piece of work."""
        return Work(
            game=self.game.id,
            package=self.game.package,
            options=self.options,
            lineup=lineup,
            entrants={each.name: each for each in self.entrants if each.name in lineup.players},
            first=first,
            deals=deals,
            seconds=self.seconds,
        )

    @property
    def trial_work(self) -> Work:
        """A piece of work without deals, of all who take part: what it takes to try them out."""
        work = replace(self.work(self.lineups[0], self.first, 0), entrants={each.name: each for each in self.entrants})
        return replace(work, alike=alike(work))


@dataclass
class Course:
    """How far a lineup is: the deals from the first on, as far as none is missing and until its test ended."""

    lineup: Lineup
    trial: Trial | None
    counted: list[Deal] = field(default_factory=list)
    #: The logarithm of the likelihood ratio after the last deal that counts, and what it says.
    ratio: float = 0.0
    verdict: bool | None = None

    def __post_init__(self) -> None:
        self._tally = Tally(len(self.lineup.players))

    def count(self, deal: Deal) -> None:
        """Count the next deal, unless it is clear already."""
        if self.verdict is not None:
            return
        self.counted.append(deal)
        if self.trial and self.lineup.lone:
            self._tally.add(lone_share(deal))
            self.ratio = self._tally.ratio(self.trial)
            self.verdict = self.trial.verdict(self.ratio, len(self.counted))


def play_contest(contest: Contest, results: Results, workers: Workers, tell: Tell | None = None) -> list[Course]:
    """Play what is missing, add it to the results, and say how far every lineup is.

    Deals of all lineups are played in the order of their seeds, so that an interruption leaves all of them about as
    far. Which deals count does not depend on who was quicker: a test looks at deals in the order of their seeds, and
    what was played beyond the one that settled it stays in the file and is not counted.
    Raises GameError where a player does not get ready: before anything is played wherever one can be tried out, and
    else, without a result of that deal, when it is to play.
    """
    workers.try_out(contest.trial_work)
    results.agree(contest.about, {each.name: each.identity(contest.game, contest.seconds) for each in contest.entrants})
    courses = {lineup: Course(lineup, contest.trial_of(lineup)) for lineup in contest.lineups}
    whole = contest.deals * len(courses)

    # how many deals of each lineup have been played
    played = {
        lineup: sum(results.has(lineup, contest.first + nth) for nth in range(contest.deals)) for lineup in courses
    }

    def catch_up() -> int:
        """Count what has come in; how many deals are done or need not be played any more."""
        for course in courses.values():
            while len(course.counted) < contest.deals and course.verdict is None:
                seed = contest.first + len(course.counted)
                if not results.has(course.lineup, seed):
                    break
                course.count(results.get(course.lineup, seed))
        return sum(played[course.lineup] if course.verdict is None else contest.deals for course in courses.values())

    done = catch_up()
    get_ready(contest.game, contest.lineups, contest.entrants)
    if tell:
        tell(done, whole, [])
    for deals in workers.play(_missing(contest, courses, results)):
        for deal in results.add(deals):
            played[deal.lineup] += 1
        done = catch_up()
        if tell:
            tell(done, whole, deals)
    return list(courses.values())


def _missing(contest: Contest, courses: Mapping[Lineup, Course], results: Results) -> Iterator[Work]:
    """What has still to be played, looked up anew with every piece, since tests may end in the meantime."""
    for nth in range(0, contest.deals, COMPILED_BLOCK):
        block = range(contest.first + nth, contest.first + min(nth + COMPILED_BLOCK, contest.deals))
        for lineup in [each for each in contest.lineups if is_compiled(contest.game, each)]:
            if courses[lineup].verdict is None and not all(results.has(lineup, seed) for seed in block):
                yield contest.work(lineup, block.start, len(block))
        for seed in block:
            for lineup in [each for each in contest.lineups if not is_compiled(contest.game, each)]:
                if courses[lineup].verdict is None and not results.has(lineup, seed):
                    yield contest.work(lineup, seed, 1)


def courses_of(results: Results, trial: Trial | None = None) -> list[Course]:
    """How far every lineup of a file of results is, without playing."""
    first = int((results.about or {}).get("seed", 0))
    courses = []
    for lineup in results.lineups:
        course = Course(lineup, trial if lineup.lone else None)
        for deal in results.in_a_row(lineup, first):
            course.count(deal)
        courses.append(course)
    return courses


def shares(game: Outcome) -> list[Fraction]:
    """Who wins, as shares of one win, by seat; a game that nobody wins (one played alone) has none."""
    winners = game.standings.count(1)
    return [Fraction(place == 1, max(winners, 1)) for place in game.standings]


def lone_share(deal: Deal) -> Fraction:
    """The share of wins of the lone player of a lineup, over the games of a deal."""
    found = [
        share
        for seating, game in zip(deal.lineup.seatings, deal.games)
        for name, share in zip(seating, shares(game))
        if name == deal.lineup.players[0]
    ]
    return sum(found, Fraction(0)) / len(found)
