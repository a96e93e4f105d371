"""Search: candidate moves, each tried in the same games dealt again, the worse half given up time and again.

No player reads what it may not: of a position that it is given, all that its seat cannot know is dealt again for every
game that it plays on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil, hypot, inf, log2, sqrt
from statistics import pstdev
from typing import Any

from thorp.compiling.rule import MOST_MOVES
from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError, IllegalMove
from thorp.core.game import AnyGame
from thorp.core.generic import put_state
from thorp.core.given import real, shown, whole
from thorp.core.match import checked_seed
from thorp.core.net import Net
from thorp.core.ntuples import NTuples
from thorp.players.fields import get, made, put, put_at, same_but_for_chance
from thorp.players.hand import SUMS, Hand
from thorp.players.lines import OPEN, STOPPED
from thorp.players.playouts import (
    FINE,
    LOWER_BITS,
    MOST_CANDIDATES,
    ROOT,
    WIN,
    Manner,
    find_candidates,
    try_candidates,
)
from thorp.players.tracker import Plan, Tracker

#: In seconds: a search looks at the clock, and whether it is to stop, about so often.
LOOK_AGAIN = 0.01
#: A candidate is the best beyond doubt where it is ahead by so many standard errors, after so many games at least.
BEYOND_DOUBT = 4.0
ENOUGH = 30
#: What a net that has learned to choose likes best, or what was learned for a table with others, is left only for what
#: is ahead by so many times as much as chance may make of so many games: in few of them the net knows better.
CAUTION = 1.0
#: Raised where the same way comes to think otherwise.
VERSION = 2
#: In fewer games than this a candidate tells less than what `evaluate` thinks of it: then that decides.
LEAST = 3
#: How far apart games of a candidate are is held to be as those of all candidates, as if so many games had told that.
_KNOWN = 3
#: What lines come to, of which not all were tried, may be so many points too few (as one standard error).
UNTRIED = 2.0
#: So many threads a search can have, at most.
MOST_THREADS = 256
#: No number of a way to search is larger.
_MOST = 10**6
#: So far are the seeds of threads apart.
_NEXT_HAND = 0x2545_F491_4F6C

#: All of its moves: no seat has more.
ALL = MOST_MOVES


@dataclass(frozen=True)
class Way:
    """How a search thinks."""

    #: It tries so many moves, those that promise most one move ahead.
    candidates: int = 12
    #: In the games that it plays on a seat takes the best of so many of its moves, all others of so many.
    own: int = ALL
    others: int = ALL
    #: It looks so many of its own choices ahead; 0: to the end of the game, or where it goes by a net, `reach` times as
    #: many as that says (`Net.lookahead`).
    horizon: int = 0
    #: What a point is worth to it, in ten-thousandths of the first place.
    point: int = 100
    #: Whether it gives up the worse half of its candidates time and again.
    halving: bool = True
    #: Whether it goes by what was learned, where something was, one move ahead and in the games that it plays on.
    learned: bool = True
    #: Where others go by `evaluate` then, they take the best of so many, drawn anew each time; 0: of as many as what
    #: was learned says (`Net.strangers`, `NTuples.strangers`). At a table that has learned for itself, also where they
    #: go by that.
    strangers: int = 0
    #: Whether all others go by what was learned instead, in all games: what comes of a move among players like oneself.
    peers: bool = False
    #: Of so many moves of a decision everybody misses one in the games that are played on, another each time, so that
    #: it is not for certain what they will do where there are few to choose from; 2 or more, 0: of none.
    misses: int = 0
    #: Where it stops short of the end: by so many points the scores of others will lie apart from what a net says of
    #: them (one standard deviation), so that the best of several of them is better than it says.
    unsure: float = 0.0
    #: Who has time for many games does better to look further before the net is asked. 0: to the end of the game.
    #: Where a net has learned to expect, this is meant for two seats; with more it looks ahead as many moves of all
    #: seats together, but no fewer choices than the net says.
    reach: int = 1
    #: Where one seat plays alone and may foresee what is to come (`Game.foreseeable`), it follows as many lines
    #: (`lines.py`) as there is time for, once all is known; and so many at most through each game that is dealt again
    #: before, where something was learned: `evaluate` takes too long for that. 0: games are played on as always.
    lines: int = 16

    def __post_init__(self) -> None:
        """Raises GameError for what is out of range."""
        if whole(self.candidates) is None or self.candidates < 1:
            raise GameError(f"a search tries 1 move or more, not {shown(self.candidates)}")
        for name in ("own", "others", "horizon", "point", "strangers", "misses", "reach", "lines"):
            number, least = whole(getattr(self, name)), int(name in ("own", "others"))
            if number is None or not least <= number <= _MOST:
                given = shown(getattr(self, name))
                raise GameError(f"{name} of a way to search is a number from {least} to {_MOST}, not {given}")
        if (unsure := real(self.unsure)) is None or not 0 <= unsure <= _MOST:
            raise GameError(f"unsure of a way to search is a number from 0 to {_MOST}, not {shown(self.unsure)}")


@dataclass(frozen=True)
class Judged:
    """What a search thinks of a move."""

    move: int
    #: In how many games it was tried, and what they came to on average for the seat, and how sure that is (one
    #: standard error). 10,000 is the first place; with a horizon, as the game's `evaluate` counts, or as a net expects.
    games: int
    mean: float
    error: float
    #: The share of the first place (0 to 1) and the points of the seat at the end, and how sure each of them is; zeros
    #: with a horizon.
    first: float
    first_error: float
    points: float
    points_error: float
    #: What a net says of it one move ahead: moves of which it says the very same differ in nothing that the net sees.
    #: None where none was asked.
    promise: int | None = None


class Stop:
    """Ends a thought from another thread, also one that has not begun."""

    def __init__(self) -> None:
        self._asked = False
        self._thought: Thought | None = None

    @property
    def asked(self) -> bool:
        """Whether it has been called."""
        return self._asked

    def ends(self, thought: Thought) -> None:
        """Let this be what ends a thought."""
        self._thought = thought
        if self._asked:
            thought.stop()

    def __call__(self) -> None:
        """End it: it answers as soon as may be, with what it thinks by then."""
        self._asked = True
        if self._thought:
            self._thought.stop()


class Thought:
    """One search, which can be stopped by another thread."""

    def __init__(
        self,
        game: AnyGame,
        state: Any,
        seats: int,
        seat: int,
        seed: int,
        way: Way,
        learned: Any = None,
        threads: int = 1,
        plan: Plan | None = None,
    ) -> None:
        """A search for a seat that has something to decide. `state` is only read; 0 <= seed < 2**63.

        `learned` is what was learned for this game, as far as the way goes by it: float32, as `read_weights` gives it.
        With several threads games are played on side by side, and seconds are those of the clock; lines are followed on
        one, once all is known. `plan` is what was had in mind before, and will be after it. Raises GameError for what
        cannot be a seed, a number of threads, or the number of seats, IllegalMove where the seat has nothing to decide.
        """
        seats = checked_seats(game, state, seats)
        must_decide(game, state, seat)
        many = whole(threads)
        if many is None or not 1 <= many <= MOST_THREADS:
            raise GameError(f"a search thinks on 1 to {MOST_THREADS} threads, not on {shown(threads)}")
        seed = checked_seed(seed)
        self.game, self.seats, self.seat, self.way = game, seats, seat, way
        self._plan = plan or Plan()
        net = game.net if way.learned and learned is not None else None
        self._chooses = chooses = isinstance(net, Net) and net.chooses
        by_table = isinstance(net, NTuples)
        self._by_net = isinstance(net, Net)
        #: Whether what is liked best one move ahead is left only for what is ahead of it by more than chance.
        self._cautious = chooses or (by_table and seats > 1)
        expects = net.expects(learned) if isinstance(net, Net) else None
        ahead = net.lookahead if isinstance(net, Net) and (expects is not None or not chooses) else 0
        far = way.reach * ahead
        if chooses and way.reach > 1:
            # with more seats a choice ahead takes longer: who has time looks as far in moves of all seats together
            far = max(ahead, far * 2 // max(2, seats))
        horizon = way.horizon or far
        self._expects = expects is not None and horizon > 0
        # a net that says points is asked before others have played what the seat would have them play; to the end they
        # go by `evaluate`, or where the net knows how to choose by it in half of the games
        strange = net is not None and not way.peers and (not horizon or self._expects)
        strangers = min(way.others, way.strangers or net.strangers) if net and strange else way.others
        manner = {
            "own": way.own,
            "others": strangers,
            "horizon": horizon,
            "point": way.point,
            "misses": way.misses,
            "learned": int(net is not None),
            "judged": int(self._expects),
            "unsure": round(way.unsure * FINE) if net is not None else 0,
            "others_learned": int(net is not None and not strange),
        }
        if strange and (chooses or by_table):
            manner |= {"strangers": strangers, "knowing": ALL if chooses else strangers}
        self._to_the_end = False
        #: Whether a move ends the game, as it was found.
        self._endings: dict[int, bool] = {}
        weights = (learned if net else None), (expects if self._expects else None)
        seeds = [(seed + nth * _NEXT_HAND) % (1 << SEED_BITS) for nth in range(many)]
        self._hands = [Hand(game, seed, made(Manner, **manner), *weights) for seed in seeds]
        self._first = self._hands[0]
        self._manner = self._first.manner
        self._tally = self._first.tally
        #: Whether lines were followed to their ends and nothing is left to chance: what is judged is what they come to.
        self.certain = False
        self._clock = time.thread_time if many == 1 else time.perf_counter
        # What lies hidden in the position itself is not for the search.
        root = game.copy(state)
        game.determinize(root, seat, (seed * 0x5DEECE66D + 11) % (1 << SEED_BITS))
        for hand in self._hands:
            put_state(hand.states, ROOT, root)
        self._trackers: list[Tracker] = []
        if seats == 1 and game.foreseeable and way.lines and not horizon:
            self._trackers = [
                Tracker(game, hand, seat, seed, way.lines, way.point, net is not None) for hand in self._hands
            ]

    @property
    def stops_short(self) -> bool:
        """Whether its games are not played to their end: what is judged is how things stand before."""
        return bool(get(self._manner, "horizon"))

    @property
    def counts_first(self) -> bool:
        """Whether the first place counts in what is judged, beside points; or only what a net or `evaluate` says."""
        return self._expects or not self.stops_short

    def stop(self) -> None:
        """End the search as soon as may be: within a game or two."""
        for hand in self._hands:
            put(hand.tally, "stop", 1)

    def think(
        self,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        sees: Callable[[Sequence[int]], Sequence[int]] | None = None,
        to_the_end: bool = False,
    ) -> tuple[Judged, ...]:
        """Think for so many games, or for so many seconds of processor time: the candidates judged, the best first.

        With a number of games the same seed gives the same thoughts; in a number of seconds it ends sooner where the
        best is clear. Each of the candidates is tried once in every round, however small that number is: with halving,
        about two games for each at least. With neither it only looks one move ahead.
        `sees` says which of the legal moves it sees. `to_the_end`: all games are played also where the best is clear,
        or where there is one move. A thought thinks once: a second call goes on with the chance that the first one has
        left, and gives others. Raises GameError for impossible numbers.
        """
        playouts = checked_playouts(playouts)
        if seconds is not None and ((number := real(seconds)) is None or not number >= 0):
            raise GameError(f"a search thinks for 0 seconds or more, not for {shown(seconds)}")
        first = self._first
        legal = self.game.legal_moves(first.states[ROOT], self.seat, first.moves)
        seen = sees(legal) if sees else legal
        for index, move in enumerate(seen):
            put_at(first.moves, "at", index, move)
        put(self._tally, "candidates", len(seen))
        most = min(self.way.candidates, MOST_CANDIDATES)
        find = find_candidates.of(self.game)
        began = self._clock()
        alive = int(
            find(
                *(first.states, self.seat, first.moves, first.tally, first.dice, most, 1),
                *(first.weights, int(get(self._manner, "learned"))),
            )
        )
        self._to_the_end = to_the_end
        if (alive > 1 or to_the_end) and (playouts or seconds):
            if self._is_all_known() and self._follow_lines(alive, began, playouts, seconds):
                pass
            elif playouts is not None:
                self._try_games(alive, playouts)
            else:
                assert seconds is not None
                self._try_until(alive, began, seconds)
        return self._judged()

    def _rounds(self, alive: int) -> int:
        return max(1, ceil(log2(alive))) if self.way.halving else 1

    def _try_games(self, alive: int, playouts: int) -> None:
        rounds = self._rounds(alive)
        for left in range(rounds, 0, -1):
            deals = max(1, round(playouts / left / alive))
            done = self._try(alive, deals)
            playouts -= done * alive
            alive = self._halve(alive)
            if done < deals:
                return

    def _try_until(self, alive: int, began: float, seconds: float) -> None:
        rounds = self._rounds(alive)
        # a game dealt again is for one thread: so many at least, or threads have nothing to do
        deals = least = len(self._hands)
        if self._trackers:
            self._trackers[0].fit(alive, seconds / rounds, LEAST, self._clock)
        for nth in range(rounds):
            now = self._clock()
            # the time that is left is for the rounds that are left, each as long
            end = now + (began + seconds - now) / (rounds - nth)
            while now < end:
                before = now
                deals = max(least, deals)
                if self._try(alive, deals) < deals:
                    self._halve(alive)
                    return
                now = self._clock()
                each = max(1e-6, (now - before) / deals)
                deals = int(min(LOOK_AGAIN, end - now) / each)
                if each > 2 * (end - now) or self._is_clear(alive):
                    break
            alive = self._halve(alive)
            if self._is_clear(alive):
                return

    def _is_all_known(self) -> bool:
        """Whether lines may be followed, and nothing is hidden from the seat."""
        if not self._trackers:
            return False
        root = self._first.states[ROOT]
        other = self.game.copy(root)
        self.game.determinize(other, self.seat, 1)
        return same_but_for_chance(self.game, other, root)

    def _follow_lines(self, alive: int, began: float, playouts: int | None, seconds: float | None) -> bool:
        """Follow lines from each candidate, time and again; whether they were followed to their ends.

        They are not where something is drawn on the way.
        """
        tracker = self._trackers[0]
        tracker.recall(self._plan, alive)
        rounds, looked_at = self._rounds(alive), alive
        for nth in range(rounds):
            # what is left is for the rounds that are left, each as much
            spent = tracker.followed if playouts is not None else self._clock() - began
            budget = playouts if playouts is not None else seconds
            assert budget is not None
            end = spent + (budget - spent) / (rounds - nth)
            while (spent < end or not tracker.found) and not tracker.has_tried_all(alive):
                ended = tracker.follow(alive)
                if ended == OPEN:
                    # ends that candidates came to, also those given up since, are not to be mixed with games
                    self._first.take_candidates(self._tally, looked_at)
                    return False
                if ended == STOPPED:
                    return self._settle(tracker, alive)
                spent = tracker.followed if playouts is not None else self._clock() - began
            alive = self._halve(alive, least=0)
        return self._settle(tracker, alive)

    def _settle(self, tracker: Tracker, alive: int) -> bool:
        """Put the candidates in order, and keep the line of the best one in mind."""
        # stopped before every candidate was followed to an end, it knows nothing for certain
        self.certain = all(int(get(self._tally, "games")[index]) for index in range(alive))
        self._halve(alive, least=0)
        # one that was stopped before it had followed anything goes on with what it had in mind
        self._plan.moves = tracker.found.get(int(get(self._tally, "moves")[0]), self._plan.moves)
        self._plan.followed = self.certain
        if self._plan.lines is not None:
            self._plan.lines |= tracker.found
        return True

    def _is_clear(self, alive: int) -> bool:
        """Whether one of the candidates in the running is better than all others beyond doubt, or as good for certain.

        So are those of which all games came to one and the same.
        """
        if self._to_the_end:
            return False
        best, *others = sorted(self._judged()[:alive], key=lambda each: -each.mean)
        return best.games >= ENOUGH and all(
            best.mean - other.mean > BEYOND_DOUBT * (apart := hypot(best.error, other.error))
            or (not apart and best.mean == other.mean)
            for other in others
        )

    def _try(self, alive: int, deals: int) -> int:
        """Try so many candidates in so many games more; in how many they were tried before it was stopped."""
        hands = self._hands[:deals]
        shares = [deals // len(hands) + (nth < deals % len(hands)) for nth in range(len(hands))]
        if len(hands) == 1:
            return self._try_by(0, alive, deals)
        for hand in hands[1:]:
            hand.take_candidates(self._tally, alive)
        with ThreadPoolExecutor(len(hands)) as pool:
            done = list(pool.map(self._try_by, range(len(hands)), [alive] * len(hands), shares))
        for hand in hands[1:]:
            hand.add_to(self._tally, alive)
        return sum(done)

    def _try_by(self, nth: int, alive: int, deals: int) -> int:
        if self._trackers and get(self._manner, "learned"):
            done = self._trackers[nth].try_candidates(alive, deals, self._trackers[0].width)
        else:
            hand = self._hands[nth]
            done = int(
                try_candidates.of(self.game)(
                    *(hand.states, self.seat, self.seats, hand.moves, hand.tally, hand.dice, hand.luck, hand.manner),
                    *(alive, deals, hand.weights, hand.judge),
                )
            )
        if done < 0:
            raise GameError(f"a game of {self.game.name} does not end")
        return done

    def _halve(self, alive: int, least: int = LEAST) -> int:
        """Put the candidates in order, and keep the better half of those in the running.

        Where one of them had fewer than the least number of games they stay as they are.
        """
        tally = self._tally
        names = ("moves", "promise", "games", *SUMS)
        rows = [{name: int(get(tally, name)[index]) for name in names} for index in range(alive)]
        if min(row["games"] for row in rows) >= least:
            liked, spread = max(rows, key=lambda row: row["promise"]), self._spread(alive)
            # of equals the more promising one stays in front
            rows.sort(key=lambda row: (-self._counts(row, liked, spread), -row["promise"]))
        for index, row in enumerate(rows):
            for name, value in row.items():
                put_at(tally, name, index, value)
        return (alive + 1) // 2

    def _spread(self, alive: int) -> float:
        """How far apart games of a candidate are, as it was seen; half a first place where a net chooses to the end."""
        if self._chooses and not self._expects:
            return WIN / 2
        return self._spread_of("totals", lambda index: squares_of(self._tally, index), alive) or 0.0

    def _spread_of(self, sums: str, squares: Callable[[int], int], alive: int) -> float | None:
        """How far apart games of one candidate are by such sums and sums of squares; None where none had two."""
        tally, free, apart = self._tally, 0, 0.0
        for index in range(alive):
            n, total = int(get(tally, "games")[index]), int(get(tally, sums)[index])
            if n:
                free += n - 1
                apart += squares(index) - total * total / n
        return sqrt(max(0.0, apart) / free) if free else None

    def _counts(self, row: dict[str, int], liked: dict[str, int], spread: float) -> float:
        """What a candidate comes to among others: less what may be chance, where a net likes another one best."""
        if not row["games"]:
            return -inf
        mean = row["totals"] / row["games"]
        if row is liked or not self._cautious or not liked["games"]:
            return mean
        return mean - CAUTION * spread * sqrt(1 / row["games"] + 1 / liked["games"])

    def _ends(self, move: int) -> bool:
        """Whether a move ends the game: what it comes to is no estimate then."""
        if move not in self._endings:
            after = self.game.copy(self._first.states[ROOT])
            self.game.play(after, self.seat, move)
            self._endings[move] = not int(self.game.waiting(after))
        return self._endings[move]

    def _judged(self) -> tuple[Judged, ...]:
        tally = self._tally
        judged = []
        # with a horizon there are neither shares nor points
        estimated = not self.certain and not int(get(self._manner, "horizon"))
        candidates = int(get(tally, "candidates"))
        spread = self._spread_of("points", lambda index: int(get(tally, "point_squares")[index]), candidates)
        played = [int(get(tally, "games")[index]) for index in range(candidates)]
        means = [int(get(tally, "points")[index]) / games for index, games in enumerate(played) if games]
        apart = pstdev(means) if means else 0.0
        for index, games in enumerate(played):
            sums = {name: int(get(tally, name)[index]) for name in SUMS}
            # of few games the mean is nearer to them than to the truth
            few = sqrt(games / (games - 1)) if games > 1 and not self.certain else 1.0
            mean, error = mean_and_error(sums["totals"], squares_of(tally, index), games)
            share, share_error = mean_and_error(sums["firsts"], sums["first_squares"], games)
            points, points_error = mean_and_error(sums["points"], sums["point_squares"], games)
            shares = (share / WIN, few * share_error / WIN)
            move, least = int(get(tally, "moves")[index]), one_more(shares[0], games)
            if estimated and not self._ends(move):
                shares = (shares[0], max(shares[1], least))
                points_error = _moderated(points_error, games, spread)
                if games == 1 and not points_error:
                    points_error = abs(points)
                elif spread == 0:
                    # Nothing was left to chance, though nobody knew that: they were the same few lines each time. Or
                    # they are so few that they agree by chance: then games may differ by as much as moves do.
                    few_agree = not self._trackers and sum(played) < ENOUGH and games
                    points_error = max(1.0, apart) / sqrt(games) if few_agree else UNTRIED
                    if self._trackers:
                        error = max(error, self.way.point * UNTRIED)
            elif self.certain and move not in self._trackers[0].tried:
                # another line may come to more
                error, points_error = self.way.point * UNTRIED, UNTRIED
            promise = int(get(tally, "promise")[index]) if self._by_net else None
            judged.append(Judged(move, games, mean, error, *shares, points, points_error, promise))
        return tuple(judged)


def checked_playouts(playouts: object) -> int | None:
    """A number of games as a plain int, or None where none is given. Raises GameError for what is neither."""
    number = whole(playouts)
    if playouts is not None and (number is None or number < 0):
        raise GameError(f"a search plays 0 games or more, not {shown(playouts)}")
    return number


def seats_of(game: AnyGame, state: Any) -> int:
    """How many seats a state has, as far as it or the game says so. Raises GameError where neither does."""
    if (told := _told(game, state)) is None:
        raise GameError(f"a state of {game.name} does not say how many seats there are: give `seats`")
    return told


def checked_seats(game: AnyGame, state: Any, seats: object) -> int:
    """A number of seats as a plain int.

    Raises OptionError where the game is not for so many, GameError where the state has another number.
    """
    number, told = game.seats_for(seats), _told(game, state)
    if told not in (None, number):
        raise GameError(f"this state of {game.name} has {told} seats, not {number}")
    return number


def _told(game: AnyGame, state: Any) -> int | None:
    fields = game.record.dtype.fields or {}
    # a game may call something else so, such as a row of what the seats have
    if "seats" in fields and fields["seats"][0].kind in "iu":
        return int(get(state, "seats"))
    return game.seats[0] if len(game.seats) == 1 else None


def must_decide(game: AnyGame, state: Any, seat: int) -> None:
    """Raise IllegalMove where a seat has nothing to decide, or is not there."""
    number = whole(seat)
    if number is None or number < 0 or not int(game.waiting(state)) >> number & 1:
        raise IllegalMove("seat {seat} has nothing to decide now", seat=shown(seat))


def _moderated(error: float, games: int, spread: float | None) -> float:
    """A standard error of few games, which may agree by chance; 0.0 where none of any candidate differ.

    It is as if `_KNOWN` games more had lain apart as those of all candidates do.
    """
    if spread is None or not games:
        return 0.0
    return sqrt(((games * error) ** 2 + _KNOWN * spread * spread) / (games - 1 + _KNOWN) / games)


def one_more(share: float, games: int) -> float:
    """By how much one game more could change a share, at most: so unsure it is at least, also where all games agree."""
    return max(share, 1 - share) / (games + 1)


def squares_of(tally: Any, index: int) -> int:
    """The sum of the squares of what a candidate's games came to."""
    return (int(get(tally, "upper_squares")[index]) << LOWER_BITS) + int(get(tally, "lower_squares")[index])


def mean_and_error(total: int, squares: int, games: int) -> tuple[float, float]:
    """The mean of so many games and its standard error, from their sum and the sum of their squares."""
    if not games:
        return 0.0, 0.0
    mean = total / games
    return mean, sqrt(max(0.0, squares / games - mean * mean) / games)
