"""What the moves of a decision were worth, and what of a result was luck and what was skill.

A decision is judged by search from what its seat knew then. Luck and skill are told apart as GNU Backgammon does it:
what a decision cost is what the best move would have been worth beyond the one that was played; what then changed until
the next decision of the seat, it did not decide: what was drawn, and what others did.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import hypot, sqrt
from typing import Any

from thorp.core.errors import GameError, IllegalMove
from thorp.core.game import AnyGame
from thorp.core.given import real, shown, whole
from thorp.core.match import AnyMatch, Step
from thorp.core.net import Net
from thorp.core.ntuples import NTuples
from thorp.players.chances import TELLING, Chance, Chances, Spread
from thorp.players.learned import learned_for_search
from thorp.players.lessons import say_where_missing
from thorp.players.levels import LEVELS
from thorp.players.search import MOST_THREADS, Judged, Stop, Thought, Way, checked_seats
from thorp.players.tracker import Plan

#: Seconds of processor time that go into a decision, unless something else is asked for.
SECONDS = 1.0
#: The most.
MOST_SECONDS = 3600.0
#: So many games at most: some of them take an hour then, too.
MOST_PLAYOUTS = 10**7
#: How moves are chosen to be judged, and how the games are played on.
_ALL = Way(candidates=24, reach=0)
#: The best ones, of such as are alike one, and the one that was played are compared once more in the same games.
_LAST = Way(candidates=4, halving=False, reach=0)
_BEST = 3
#: The share of the games that goes into finding these.
_FINDING = 0.5
#: At a table with others that has learned for itself everybody goes by that in the games that are compared, and takes
#: the best of so many moves: who is taken to see more than all others nearly always wins. And late in a match, where
#: these would be all, a quarter is missed: or it would be told for certain how it ends. All the other moves get so much
#: of the games.
_LAST_ALIKE = Way(candidates=24, own=6, others=6, misses=4, halving=False, reach=0, peers=True)
_COMPARING_OTHERS = 0.1
#: The same where the strongest level stops games short of their end, which tells moves apart that games to the end do
#: not. They are compared nearer by, where less is left to chance.
_ALL_SHORT = LEVELS[-1].way
_LAST_SHORT = Way(candidates=4, halving=False, reach=1, peers=True)
#: What points moves come to, and how far apart these lie, is seen at the end. So much of the games is for that: for
#: those that are compared, and for all others.
_ENDS = Way(candidates=24, halving=False, reach=0, point=TELLING, peers=True)
_ENDING, _ENDING_OTHERS = 0.25, 0.05
#: A cost counts where it is more than so many standard errors.
SURE = 2.0
#: So many decisions of a seat are told as those that cost most.
TOLD = 3
#: So many are judged once more; so many at most, with those that come to be told by it.
AGAIN = 5
MOST_AGAIN = 15
#: To tell whether a move has shown a seat something, all that it did not know is laid in so many other ways.
_LAID = 6


@dataclass(frozen=True)
class Expected:
    """What a move is expected to bring a seat. Errors are one standard error."""

    move: int
    #: In how many games it was tried.
    games: int
    #: The chance to win: the share of the first place, 0 to 1, and of ties their part.
    chance: float
    chance_error: float
    #: Points at the end.
    points: float
    points_error: float
    #: What of the error of its chance it has in common with the other moves of the decision: by how much the chance
    #: would be more, were all of them ahead by a standard error more, and did games lie apart by one more. It is
    #: `apart_error` that needs it.
    chance_ahead: float = 0.0
    chance_apart: float = 0.0

    @classmethod
    def of(cls, judged: Judged) -> Expected:
        """From what a search says whose games are played to their end."""
        chance, points = (judged.first, judged.first_error), (judged.points, judged.points_error)
        return cls(judged.move, judged.games, *chance, *points)

    def by_itself(self, move: int) -> Expected:
        """The same of a move, beside what comes of another look: they have nothing of their errors in common."""
        return replace(self, move=move, chance_ahead=0.0, chance_apart=0.0)

    def apart_error(self, other: Expected, *, by_points: bool = False) -> float:
        """One standard error of how far this move and another of the same decision lie apart, in chances or points."""
        if by_points:
            return hypot(self.points_error, other.points_error)
        own = sum(each.chance_error**2 - each.chance_ahead**2 - each.chance_apart**2 for each in (self, other))
        common = (self.chance_ahead - other.chance_ahead) ** 2 + (self.chance_apart - other.chance_apart) ** 2
        return sqrt(max(0.0, own) + common)


@dataclass(frozen=True)
class Analysis:
    """A decision of a seat, judged from what it knew then."""

    seat: int
    #: How many moves lay before it.
    ply: int
    #: What was tried: those that were compared in the same games, the best first, then the others. What does not look
    #: promising at all is not tried. The best is what the strongest level would choose, which goes by more than how
    #: often so few games are won, unless what these came to speaks against it; the others follow by that.
    moves: tuple[Expected, ...]
    #: What the seat played then; None where it has not.
    played: Expected | None
    #: Whether it is judged by points: alone against nobody, where every game has the same end.
    by_points: bool
    #: Alone, where all that is to come is known: the best line to the end that was found, as `judge` takes a course.
    line: tuple[int, ...] = ()

    @property
    def best(self) -> Expected:
        """The best move."""
        return self.moves[0]

    def foremost(self, count: int) -> tuple[Expected, ...]:
        """The best so many moves, but for those that were not compared with them in the same games."""
        best = self.moves[:count]
        most = max(each.games for each in best)
        return tuple(each for each in best if each.games == most)

    def worth(self, expected: Expected) -> float:
        """A move on the scale by which it is judged: the chance to win, or points."""
        return expected.points if self.by_points else expected.chance

    @property
    def cost(self) -> float:
        """What was lost by the move that was played: in chances to win, or in points; 0 for the best one."""
        return max(0.0, self.worth(self.best) - self.worth(self.played)) if self.played else 0.0

    @property
    def cost_error(self) -> float:
        """One standard error of that; 0 where nothing was played."""
        return self.best.apart_error(self.played, by_points=self.by_points) if self.played else 0.0

    @property
    def noticed(self) -> bool:
        """Whether something was lost for all that is known: more than so many standard errors (`SURE`)."""
        return self.cost > SURE * self.cost_error

    def settled(self) -> Analysis:
        """The decision as it counts in a review, with the best move and the one that was played.

        Where no cost was noticed, what was played counts as the best: the best of several estimates is too good, which
        over a whole match comes to more than there is to lose. Raises GameError where nothing was played.
        """
        if self.played is None:
            raise GameError(f"seat {self.seat} has not played after {self.ply} moves: what that cost is not settled")
        return replace(self, moves=(self.best if self.noticed else self.played,))

    @property
    def worth_before(self) -> float:
        """What the position was worth to the seat, had it played its best."""
        return self.worth(self.best)

    @property
    def worth_after(self) -> float:
        """What it was worth once the move was chosen."""
        return self.worth_before - self.cost


@dataclass(frozen=True)
class Balance:
    """Of one seat: its decisions, and how its result came about.

    `begin + luck - cost` is `result`.
    """

    seat: int
    decisions: tuple[Analysis, ...]
    by_points: bool
    #: What the seat had of the first place at the end, or its points.
    result: float
    #: What the first decision was worth; the result, where there was none.
    begin: float

    @property
    def cost(self) -> float:
        """What its decisions have cost in all."""
        return sum(decision.cost for decision in self.decisions)

    @property
    def luck(self) -> float:
        """What came to it by draws and by others from its first decision on."""
        return sum(self.gifts)

    @property
    def gifts(self) -> tuple[float, ...]:
        """What changed after each decision until the next one, or the end, that the seat did not decide."""
        later = [*(decision.worth_before for decision in self.decisions[1:]), self.result]
        return tuple(
            then - decision.worth_after
            for decision, then in zip(self.decisions, later if self.decisions else (), strict=True)
        )

    @property
    def told(self) -> tuple[float, float, float, float]:
        """`begin`, `luck`, `cost` and `result` as people are told them, to a tenth of a point or a percent.

        Luck takes what rounding leaves over: who adds them up finds the result.
        """
        digits = 1 if self.by_points else 2
        begin, cost, result = (round(each, digits) for each in (self.begin, self.cost, self.result))
        return begin, round(result - begin + cost, digits), cost, result

    def dearest(self, count: int = TOLD) -> tuple[Analysis, ...]:
        """The decisions that cost most, the dearest first; only those that cost anything."""
        costly = (decision for decision in self.decisions if decision.cost > 0)
        return tuple(sorted(costly, key=lambda decision: -decision.cost)[:count])


@dataclass(frozen=True)
class Effort:
    """What goes into judging a decision: so many seconds of processor time, or so many games.

    Each search tries its candidates about twice at least, however small the number of games is (see `Thought.think`).
    With a number of games the same seed, on as many threads, gives the same answer; on several threads seconds are
    those of the clock. Raises GameError for impossible numbers.
    """

    seconds: float = SECONDS
    playouts: int | None = None
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        playouts, seed, threads = map(whole, (self.playouts, self.seed, self.threads))
        seconds = real(self.seconds)
        if self.playouts is not None and (playouts is None or not 1 <= playouts <= MOST_PLAYOUTS):
            raise GameError(f"a decision is judged by 1 to {MOST_PLAYOUTS} games, not by {shown(self.playouts)}")
        if seconds is None or not 0 < seconds <= MOST_SECONDS:
            limits = f"more than 0 and up to {MOST_SECONDS:g} seconds"
            raise GameError(f"a decision is judged in {limits}, not in {shown(self.seconds)}")
        if seed is None or not 0 <= seed < 1 << 31:
            raise GameError(f"a seed of judging is an integer from 0 to 2**31 - 1, not {shown(self.seed)}")
        if threads is None or not 1 <= threads <= MOST_THREADS:
            raise GameError(f"a decision is judged on 1 to {MOST_THREADS} threads, not on {shown(self.threads)}")
        # NumPy's numbers have an end, which seeds of searches would pass
        for name, number in {"playouts": playouts, "seconds": seconds, "seed": seed, "threads": threads}.items():
            object.__setattr__(self, name, number)

    def share(self, part: float) -> dict[str, Any]:
        """A part of it, as a search takes it."""
        if self.playouts is None:
            return {"seconds": self.seconds * part}
        return {"playouts": max(1, round(self.playouts * part))}


_USUAL = Effort()


def analyse(
    match: AnyMatch, seat: int, ply: int | None = None, effort: Effort = _USUAL, *, stop: Stop | None = None
) -> Analysis:
    """Judge a decision of a seat (from 0) after `ply` moves (None: now), from what the seat knew then.

    What is hidden from the seat has no part in it. `stop` ends it early, from another thread. Where a game is learned
    table by table, learn first (`learn_for`).
    Raises IllegalMove for a seat that is not there, GameError where it had nothing to decide, the match has not so many
    moves, or `effort` is none.
    """
    say_where_missing(match)
    past = match.at(match.ply if ply is None else ply)
    then = [(entry.seat, entry.move) for entry in match.log()[past.ply :]]
    played = next((move for who, move in then if who == seat), None)
    course = tuple(move for _, move in then)
    return judge(match.game, past.state, match.seats, seat, past.ply, played, effort, stop=stop, course=course)


def judge(
    game: AnyGame,
    state: Any,
    seats: int,
    seat: int,
    ply: int,
    played: int | None = None,
    effort: Effort = _USUAL,
    *,
    stop: Stop | None = None,
    course: tuple[int, ...] = (),
    lines: tuple[tuple[int, ...], ...] = (),
) -> Analysis:
    """As `analyse`, of a state of a game with so many seats, where no match is at hand; `seat` counts from 0.

    `ply`: how many moves lay before it. `played`: what the seat played there, if it has. `course`: all moves from there
    on, or the line of an earlier judgement: who plays alone and knows all that is to come can do no worse. `lines`:
    others that were found from there, or from before. `state` is only read; it may be one in which all that the seat
    cannot know was dealt again. Raises GameError as `analyse` does, and for a number of seats that the game is not for,
    or that the state contradicts.
    """
    stop = stop or Stop()
    seats = checked_seats(game, state, seats)
    seat, effort = _seat(seat, seats), _effort(effort)
    if whole(ply) is None or ply < 0:
        raise GameError(f"before a decision lay 0 moves or more, not {shown(ply)}")
    legal = game.legal_moves(state, seat)
    if not legal:
        raise GameError(f"seat {shown(seat)} has nothing to decide after {ply} moves")

    plan = Plan(course, lines={}, others=lines) if seats == 1 else Plan(lines={})
    study = _Study(game, state, seats, seat, effort, stop, plan, effort.seed << 32 | ply << 2, legal)
    found = study.found()
    chosen = [judged.move for judged in _unlike(found)[:_BEST]]
    if played in legal and played not in chosen:
        assert played is not None
        chosen.append(played)
    others = [judged for judged in found if judged.move not in chosen]
    ended = study.ended(chosen, [each.move for each in others])
    last = study.compared(chosen, ended)
    if not min(judged.games for judged in last):
        # stopped before they were compared: what was found counts
        last = tuple(next((each for each in found if each.move == judged.move), judged) for judged in last)
    tell, tell_others = study.telling(found, last, ended)
    by_points = is_by_points(game, state, seats)
    compared = _in_order([*map(tell, last)], (found if study.short or study.alike else last)[0].move, by_points)
    own = next((each for each in compared if each.move == played), None)
    line = plan.moves if plan.followed else ()
    return Analysis(seat, ply, (*compared, *map(tell_others, study.beside(others))), own, by_points, line)


@dataclass(frozen=True)
class _Ended:
    """What games to the end have come to, and how far apart they lie; nothing where all games are."""

    spread: Spread
    of: Mapping[int, Judged]


@dataclass(frozen=True)
class _Study:
    """A decision that is looked at, by several searches one after the other."""

    game: AnyGame
    state: Any
    seats: int
    seat: int
    effort: Effort
    stop: Stop
    plan: Plan
    #: What all chance of its searches comes from.
    number: int
    legal: Sequence[int]

    @cached_property
    def short(self) -> bool:
        """Whether its searches stop short of the end."""
        return self._thought(_ALL_SHORT, self.number).stops_short

    @cached_property
    def alike(self) -> bool:
        """Whether all at its table are taken to go by what was learned for it, and to see as much."""
        learns = self.seats > 1 and isinstance(self.game.net, NTuples)
        return learns and learned_for_search(self.game, self.state, self.seats, _LAST_ALIKE) is not None

    def found(self) -> tuple[Judged, ...]:
        """All moves that promise something, those that do best first."""
        return self._think(_ALL_SHORT if self.short else _ALL, _FINDING, self.number, self.legal)

    def ended(self, moves: Sequence[int], others: Sequence[int]) -> _Ended:
        """Where it stops short: the moves that are compared, and the others, played on to the end."""
        if not self.short:
            return _Ended(Spread(0.0, 0.0), {})
        ended = self._think(_ENDS, _ENDING, self.number + 2, moves)
        beside = self._think(_ENDS, _ENDING_OTHERS, self.number + 3, others) if others else ()
        return _Ended(Spread.of(ended), {each.move: each for each in (*ended, *beside)})

    def compared(self, moves: Sequence[int], ended: _Ended) -> tuple[Judged, ...]:
        """A few moves, each of them in the same games."""
        if self.alike:
            return self._think(_LAST_ALIKE, 1 - _FINDING - _COMPARING_OTHERS, self.number + 1, moves)
        if not self.short:
            return self._think(_LAST, 1 - _FINDING, self.number + 1, moves)
        way = replace(_LAST_SHORT, unsure=ended.spread.of_one(self.seats))
        return self._think(way, 1 - _FINDING - _ENDING - _ENDING_OTHERS, self.number + 1, moves)

    def beside(self, others: Sequence[Judged]) -> list[Judged]:
        """Moves that were found and are not compared, the best first: as far as may be by the same measure as those."""
        if not self.alike or not others:
            return list(others)
        seen = self._think(_LAST_ALIKE, _COMPARING_OTHERS, self.number + 3, [each.move for each in others])
        again = {each.move: each for each in seen if each.games}
        return sorted((again.get(each.move, each) for each in others), key=lambda each: -each.mean)

    def telling(
        self, found: Sequence[Judged], compared: Sequence[Judged], ended: _Ended
    ) -> tuple[Callable[[Judged], Expected], Callable[[Judged], Expected]]:
        """How to tell what moves are expected to bring: those that were compared, and the others."""
        if not self.short:
            return Expected.of, Expected.of
        chances: Chances | None = None
        if ended.spread.points:
            counts_first = self._thought(_LAST_SHORT, self.number).counts_first
            # what stops short goes by a net
            net = self.game.net if isinstance(self.game.net, Net) else Net(())
            given = compared, ended.of, ended.spread, _LAST_SHORT.point
            chances = Chances(*given, beside=counts_first, wrong_by=net.wrong_by, wider=net.wider, seats=self.seats)

        def expected(judged: Judged, seen: Sequence[Judged] = ()) -> Expected:
            end = ended.of[judged.move]
            chance = Chance(end.first, end.first_error)
            # of a move that ends the match nothing is left to be told by what was said before
            if chances and end.first_error:
                chance = chances.beside(judged, seen) if seen else chances.of(judged)
            points = end.points, end.points_error
            said = chance.chance, chance.error, *points, chance.ahead, chance.apart
            return Expected(judged.move, judged.games, *said)

        return expected, partial(expected, seen=found)

    def _thought(self, way: Way, seed: int) -> Thought:
        # as the players of this table think, where something was learned for it
        learned = learned_for_search(self.game, self.state, self.seats, _ALL_SHORT if way is _ENDS else way)
        return Thought(self.game, self.state, self.seats, self.seat, seed, way, learned, self.effort.threads, self.plan)

    def _think(self, way: Way, part: float, seed: int, seen: Sequence[int]) -> tuple[Judged, ...]:
        thought = self._thought(way, seed)
        self.stop.ends(thought)
        # also where there is one: what it is worth is asked for, not only which
        return thought.think(**self.effort.share(part), sees=lambda legal: seen, to_the_end=True)


def _unlike(found: Sequence[Judged]) -> Sequence[Judged]:
    """The best of moves that differ in nothing that a net sees, such as onto which stack a card is laid; in order.

    Nobody is told three times to do one and the same thing. All moves, where all of them are alike.
    """
    first: dict[int, Judged] = {}
    for judged in found:
        first.setdefault(judged.move if judged.promise is None else judged.promise, judged)
    return [*first.values()] if len(first) > 1 else found


def go_by_points(moves: Sequence[Expected]) -> bool:
    """Whether points tell moves apart and chances do not: what is won, or lost, whatever is played, as percents go."""
    return {round(100 * each.chance) for each in moves} in ({0}, {100})


def _in_order(compared: Sequence[Expected], liked: int, by_points: bool) -> list[Expected]:
    """The best first, on the scale by which they are judged, or by points where chances say nothing.

    But before all others what a search likes best, which counts points besides, and what a net likes: unless one of
    them is ahead of it for all that is known, or better by both figures that people are told.
    """
    decided = not by_points and go_by_points(compared)

    def scale(each: Expected) -> float:
        return each.points if by_points or decided else each.chance

    ordered = sorted(compared, key=lambda each: (scale(each), each.points), reverse=True)
    first = next(each for each in ordered if each.move == liked)
    if by_points or scale(ordered[0]) - scale(first) > SURE * ordered[0].apart_error(first, by_points=decided):
        return ordered
    first = next((each for each in ordered if _is_plainly_better(each, first)), first)
    return [first, *(each for each in ordered if each is not first)]


def _is_plainly_better(move: Expected, liked: Expected) -> bool:
    """Whether a move is told to win no less often and to bring no fewer points, and is ahead in one of them.

    By a standard error at least: nobody would take the one that is liked, for reasons that nobody is told.
    """
    chance, points = move.chance - liked.chance, move.points - liked.points
    if round(100 * move.chance) < round(100 * liked.chance) or round(move.points) < round(liked.points):
        return False
    return chance > move.apart_error(liked) or points > move.apart_error(liked, by_points=True)


def _seat(seat: int, seats: int) -> int:
    """A seat that is there, as a plain int. Raises IllegalMove."""
    number = whole(seat)
    if number is None or not 0 <= number < seats:
        raise IllegalMove("there is no seat {seat}; seats are 0 to {last}", seat=shown(seat), last=seats - 1)
    return number


def _effort(effort: Effort) -> Effort:
    """What goes into judging. Raises GameError for anything else."""
    if not isinstance(effort, Effort):
        raise GameError(f"what goes into judging is an Effort, not {shown(effort)}")
    return effort


def is_by_points(game: AnyGame, state: Any, seats: int) -> bool:
    """Whether a match is played for points alone: by one seat, with nobody beside it."""
    return seats == 1 and game.face.rival(state) is None


def review(match: AnyMatch, seat: int, effort: Effort = _USUAL, *, stop: Stop | None = None) -> Iterator[Analysis]:
    """Judge the decisions of a seat (from 0), one after the other. Of a match that runs, those that were made.

    Where a game is learned table by table, learn first (`learn_for`). Raises IllegalMove for a seat that is not there,
    GameError where `effort` is none.
    """
    say_where_missing(match)
    return _judged_in_turn(match, _seat(seat, match.seats), _effort(effort), stop or Stop())


def decisions(match: AnyMatch, seat: int) -> Iterator[tuple[int, Step]]:
    """The moves of a seat where it had a choice, each with how many moves lay before it."""
    for ply, step in enumerate(match.steps()):
        if step.seat == seat and len(match.game.legal_moves(step.before, seat)) > 1:
            yield ply, step


def _judged_in_turn(match: AnyMatch, seat: int, effort: Effort, stop: Stop) -> Iterator[Analysis]:
    moves = tuple(entry.move for entry in match.log())
    for ply, step in decisions(match, seat):
        where = (step.before, match.seats, seat, ply, step.move)
        judged = judge(match.game, *where, effort, stop=stop, course=moves[ply:])
        if stop.asked:
            # what was being judged is only half judged
            return
        yield judged


def carry_back(match: AnyMatch, seat: int, judged: Sequence[Analysis]) -> list[Analysis]:
    """Decisions of a seat, one after the other, with what later ones tell of the earlier.

    Where nobody else moved and nothing was drawn from one decision to the next, the move that was played is worth what
    the position was found to be worth that it led to, and at the end what it came to: two looks at one position that
    differ would else be told as luck, or as what a decision cost. Where the later look finds less, all moves were
    thought too much of alike, since they were tried in the same games: nothing costs more by it.
    Raises IllegalMove for a seat that is not there, GameError for decisions of another one.
    """
    _check_seat(match, seat, judged)
    steps = list(match.steps())
    found = list(judged)
    for number in reversed(range(len(found))):
        each = found[number]
        last = number + 1 == len(found)
        if each.played is None or (last and not match.over):
            continue
        between = steps[each.ply : len(steps) if last else found[number + 1].ply]
        if not between or any(step.seat != seat for step in between):
            continue
        if not all(_is_foreseen(match.game, step, seat) for step in between):
            continue
        if last:
            ended = _share_of_first(match, seat), 0.0, float(match.scores[seat]), 0.0
            worth = Expected(each.played.move, each.played.games, *ended)
        else:
            worth = found[number + 1].settled().best.by_itself(each.played.move)
        others = [other.by_itself(other.move) for other in each.moves if other.move != worth.move]
        if each.worth(worth) < each.worth(each.played):
            less, fewer = worth.chance - each.played.chance, worth.points - each.played.points
            others = [
                replace(other, chance=min(1.0, max(0.0, other.chance + less)), points=other.points + fewer)
                for other in others
            ]
        compared = [worth, *others[:1]]
        if each.played.move != each.best.move:
            compared.sort(key=each.worth, reverse=True)
        found[number] = replace(each, moves=(*compared, *others[1:]), played=worth)
    return found


def _share_of_first(match: AnyMatch, seat: int) -> float:
    """What a seat has of the first place of a match that is over."""
    return 1 / match.standings.count(1) if match.standings[seat] == 1 else 0.0


def _is_foreseen(game: AnyGame, step: Step, seat: int) -> bool:
    """Whether the seat knew what its move would lead to: it learned nothing by it, and nothing was drawn."""
    after = _as_known(game, step.after, seat)
    for laid in range(_LAID):
        other = game.copy(step.before)
        game.determinize(other, seat, laid)
        game.play(other, seat, step.move)
        if _as_known(game, other, seat) != after:
            return False
    return True


def _check_seat(match: AnyMatch, seat: int, judged: Sequence[Analysis]) -> int:
    """The seat, which is there. Raises GameError where some of the decisions are not its own."""
    seat = _seat(seat, match.seats)
    if other := next((each for each in judged if each.seat != seat), None):
        raise GameError(f"the decision after {other.ply} moves is one of seat {other.seat}, not of seat {seat}")
    return seat


def _as_known(game: AnyGame, state: Any, seat: int) -> bytes:
    """All that a seat knows of a state: what it does not know is dealt in one and the same way."""
    known = game.copy(state)
    game.determinize(known, seat, _LAID)
    return game.bytes(known)


def doubtful(judged: Sequence[Analysis], again: Collection[int] = ()) -> list[int]:
    """Which decisions are to be judged once more, and for longer, before a review tells what they cost.

    At first those that seem to have cost most, the dearest first: of many the dearest was often only judged badly.
    Where they cost less than it seemed others come to be told instead: so it is asked anew, with which were judged
    `again`, until there are none.
    """
    if again:
        costs, most = [each.settled().cost for each in judged], TOLD
    else:
        costs, most = [each.cost for each in judged], AGAIN
    costly = [number for number, cost in enumerate(costs) if cost > 0]
    dearest = sorted(costly, key=lambda number: -costs[number])[:most]
    return [number for number in dearest if number not in again][: max(0, MOST_AGAIN - len(again))]


def balance(match: AnyMatch, seat: int, judged: tuple[Analysis, ...]) -> Balance:
    """What became of the decisions of a seat (from 0), as they were judged: `look_through` does all of it.

    What is counted as cost is what they say: of decisions as `review` gives them also what is only chance, so give them
    `settled`. Raises IllegalMove for a seat that is not there, GameError for a match that is not over, or decisions of
    another seat.
    """
    seat = _check_seat(match, seat, judged)
    if not match.over:
        raise GameError("luck and skill are told apart when a match is over")
    share = _share_of_first(match, seat)
    points = is_by_points(match.game, match.state, match.seats)
    result = float(match.scores[seat]) if points else share
    return Balance(seat, judged, points, result, judged[0].worth_before if judged else result)
