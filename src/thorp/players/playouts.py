"""Games played on from a position, in generic code: what candidates a seat has, and how well each of them turns out."""

from math import erf, exp, pi, sqrt
from typing import Annotated

from thorp.compiling.record import Int32, Int64, Record
from thorp.compiling.rule import MoveList, Weights, rule
from thorp.core.chance import Stream, below, bits32, seed_chance
from thorp.core.contract import determinize, evaluate, legal, play, score, standing, value, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.players.turns import one_of

#: So many moves a search tries at most.
MOST_CANDIDATES = 48
#: How many states a search needs: the position, it dealt again, the game that is played on, and one to try moves in.
STATES = 4
ROOT, DEALT, PLAYED, TRIED = range(STATES)
#: What the first place is worth to a seat, shared where several have it.
WIN = 10_000
#: The same for a net that has learned to expect what games come to, in points.
EXPECTED_FIRST = 100.0
#: A learned point is this many of what is compared: as whole numbers.
FINE = 10_000
#: A game that is not over after so many moves never will be.
MOST_MOVES = 100_000
#: No difference of points or of evaluations counts for more.
FAR = 100_000_000
#: Squares are summed up exactly, in two numbers, the second of so many bits: where games hardly differ their sum less
#: the square of the mean is next to nothing.
LOWER_BITS = 32
_LOWER = (1 << LOWER_BITS) - 1

#: So that what players leave to chance has nothing to do with how the game is dealt.
_OWN_CHANCE = 0x2545_F491_4F6C_DD1D


class Manner(Record):
    """How games are played on, and what counts at their end."""

    #: Of so many of its legal moves, drawn anew each time, a seat plays the one that promises most; 1: any.
    own: Int32
    #: The same for all other seats.
    others: Int32
    #: Of so many moves of a decision everybody misses one, another each time; 0: of none.
    misses: Int32
    #: After so many choices of its own the seat looks how things stand; 0: the game is played to its end.
    horizon: Int32
    #: What a point more than the best of the others is worth, where the first place is worth WIN.
    point: Int32
    #: Whether positions are worth what was learned of them, and not what `evaluate` says.
    learned: Int32
    #: The same for what all others choose in games that are played on.
    others_learned: Int32
    #: Where this is not 0, all others take the best of so many by `evaluate` in half of the games, and in the others
    #: the best of `knowing` by what was learned; `others` and `others_learned` are set anew for each game then.
    strangers: Int32
    knowing: Int32
    #: Whether how things stand then is what a net says that has learned to expect.
    judged: Int32
    #: How far what others will come to lies apart from what a net says of each of them (one standard deviation), as it
    #: counts: the best of several is above what it says of any. 0: the best is what it says of the best.
    unsure: Int64


class Tally(Record):
    """Candidates, the best first, and what their games came to."""

    #: Set from outside: the search ends before its next game.
    stop: Int32
    candidates: Int32
    moves: Annotated[list[int], "i4", MOST_CANDIDATES]
    #: What they promise, one move ahead.
    promise: Annotated[list[int], "i8", MOST_CANDIDATES]
    games: Annotated[list[int], "i8", MOST_CANDIDATES]
    totals: Annotated[list[int], "i8", MOST_CANDIDATES]
    upper_squares: Annotated[list[int], "i8", MOST_CANDIDATES]
    lower_squares: Annotated[list[int], "i8", MOST_CANDIDATES]
    #: Of games that were played to their end: the shares of the first place, the points, and these squared.
    firsts: Annotated[list[int], "i8", MOST_CANDIDATES]
    first_squares: Annotated[list[int], "i8", MOST_CANDIDATES]
    points: Annotated[list[int], "i8", MOST_CANDIDATES]
    point_squares: Annotated[list[int], "i8", MOST_CANDIDATES]


@rule
def forget(tally: Tally, index: int) -> None:
    """Forget all games of a candidate."""
    tally.games[index] = 0
    tally.totals[index] = 0
    tally.upper_squares[index] = 0
    tally.lower_squares[index] = 0
    tally.firsts[index] = 0
    tally.first_squares[index] = 0
    tally.points[index] = 0
    tally.point_squares[index] = 0


@rule
def note(tally: Tally, index: int, games: int, value: int, share: int, points: int) -> None:
    """Note what so many games of a candidate have all come to."""
    tally.games[index] += games
    tally.totals[index] += games * value
    tally.upper_squares[index] += games * (value * value >> LOWER_BITS)
    tally.lower_squares[index] += games * (value * value & _LOWER)
    tally.firsts[index] += games * share
    tally.first_squares[index] += games * share * share
    tally.points[index] += games * points
    tally.point_squares[index] += games * points * points


def _worth(states: States, seat: int, weights: Weights, learned: int) -> int:
    """How promising states[TRIED] is for a seat: by what was learned, or by `evaluate`."""
    if learned:
        return int(value(states[TRIED], seat, weights) * FINE)
    return evaluate(states[TRIED], seat)


worth = Generic(_worth)


def _find_candidates(
    states: States,
    seat: int,
    moves: MoveList,
    tally: Tally,
    dice: Stream,
    most: int,
    deals: int,
    weights: Weights,
    learned: int,
) -> int:
    """Put the moves of `seat` into the tally that promise most, at most so many; how many.

    The position is in states[ROOT]; what a move promises is the sum over so many games dealt again. `moves` has to
    hold the legal moves that are looked at, as many as `tally.candidates` says. Of equals any may come first.
    """
    n = tally.candidates
    tally.candidates = 0
    seed = bits32(dice.chance)
    for index in range(n):
        drawn = index + below(dice.chance, n - index)
        move = moves.at[drawn]
        moves.at[drawn] = moves.at[index]
        promise = 0
        for deal in range(deals):
            copy_state(states, TRIED, ROOT)
            determinize(states[TRIED], seat, seed + deal)
            play(states[TRIED], seat, move)
            promise += worth(states, seat, weights, learned)
        # into its place among the best so far
        place = tally.candidates
        while place > 0 and promise > tally.promise[place - 1]:
            if place < most:
                tally.moves[place] = tally.moves[place - 1]
                tally.promise[place] = tally.promise[place - 1]
            place -= 1
        if place < most:
            tally.moves[place] = move
            tally.promise[place] = promise
            tally.candidates = min(most, tally.candidates + 1)
    for index in range(tally.candidates):
        forget(tally, index)
    return tally.candidates


find_candidates = Generic(_find_candidates)


def _quick_move(
    states: States, seat: int, moves: MoveList, n: int, dice: Stream, look: int, weights: Weights, learned: int
) -> int:
    """Of `look` of the n legal moves in `moves` the one that promises most, in states[PLAYED]."""
    if n == 1:
        return moves.at[0]
    if look == 1:
        return moves.at[below(dice.chance, n)]
    best = moves.at[0]
    most = 0
    for index in range(min(look, n)):
        drawn = index + below(dice.chance, n - index)
        move = moves.at[drawn]
        moves.at[drawn] = moves.at[index]
        copy_state(states, TRIED, PLAYED)
        play(states[TRIED], seat, move)
        promise = worth(states, seat, weights, learned)
        if index == 0 or promise > most:
            best = move
            most = promise
    return best


quick_move = Generic(_quick_move)


def _move_on(
    states: States, mover: int, seat: int, n: int, moves: MoveList, dice: Stream, manner: Manner, weights: Weights
) -> int:
    """Play the one of the n legal moves of `mover` in `moves` that it takes where games are played on for `seat`."""
    look = manner.own if mover == seat else manner.others
    if manner.misses:
        look = min(look, n - n // manner.misses)
    learned = manner.learned if mover == seat else manner.others_learned
    move = quick_move(states, mover, moves, n, dice, look, weights, learned)
    play(states[PLAYED], mover, move)
    return move


move_on = Generic(_move_on)


def _play_on(states: States, seat: int, moves: MoveList, dice: Stream, manner: Manner, weights: Weights) -> int:
    """Play states[PLAYED] on, to its end or until `seat` has chosen so often; whether it ended (-1: it never does)."""
    played = 0
    chosen = 0
    mask = waiting(states[PLAYED])
    while mask:
        mover = one_of(mask, dice)
        n = legal(states[PLAYED], mover, moves)
        if mover == seat and n > 1:
            chosen += 1
            if chosen == manner.horizon:
                return 0
        move_on(states, mover, seat, n, moves, dice, manner, weights)
        played += 1
        if played > MOST_MOVES:
            return -1
        mask = waiting(states[PLAYED])
    return 1


play_on = Generic(_play_on)


def _move_before(states: States, seat: int, moves: MoveList, dice: Stream, manner: Manner, weights: Weights) -> int:
    """Let all others who wait in states[DEALT] move before `seat`; how many.

    Either order leads to the same, but who moves after it would know what it did, and answer that, as nobody at the
    table can. What the seat does is the same whatever they do.
    """
    mask = waiting(states[DEALT]) & ~(1 << seat)
    if mask == 0:
        return 0
    copy_state(states, PLAYED, DEALT)
    moved = 0
    while mask:
        mover = one_of(mask, dice)
        n = legal(states[PLAYED], mover, moves)
        move_on(states, mover, seat, n, moves, dice, manner, weights)
        mask ^= 1 << mover
        moved += 1
    copy_state(states, DEALT, PLAYED)
    return moved


move_before = Generic(_move_before)


def _promise(states: States, seat: int, seats: int, weights: Weights, manner: Manner) -> int:
    """What states[PLAYED], before the end, promises a seat beyond the best of the others."""
    copy_state(states, TRIED, PLAYED)
    mine = worth(states, seat, weights, manner.learned)
    if seats > 1:
        best = -FAR
        own = float(manner.unsure) * manner.unsure
        square = own
        for other in range(seats):
            if other != seat:
                each = worth(states, other, weights, manner.learned)
                if own == 0 or best == -FAR:
                    best = max(best, each)
                else:
                    # the larger of two that are normally distributed has this mean and this variance (Clark 1961), and
                    # is nearly so distributed itself
                    apart = sqrt(square + own)
                    far = (best - each) / apart
                    above = (1 + erf(far / sqrt(2.0))) / 2
                    near = apart * exp(-far * far / 2) / sqrt(2 * pi)
                    larger = best * above + each * (1 - above) + near
                    squares = (float(best) * best + square) * above + (float(each) * each + own) * (1 - above)
                    square = squares + (float(best) + each) * near - larger * larger
                    best = int(larger)
        mine -= best
    return max(-FAR, min(FAR, mine))


promise = Generic(_promise)


def _expected(states: States, seat: int, judge: Weights) -> int:
    """What a net that has learned to expect says that the game in states[PLAYED] will come to for a seat."""
    return max(-FAR, min(FAR, int(value(states[PLAYED], seat, judge) * (WIN / EXPECTED_FIRST))))


expected = Generic(_expected)


def _first(states: States, seat: int, seats: int) -> int:
    """What a seat has of the first place at the end of the game in states[PLAYED]."""
    if standing(states[PLAYED], seat) != 1:
        return 0
    winners = 0
    for other in range(seats):
        winners += standing(states[PLAYED], other) == 1
    return WIN // winners


first = Generic(_first)


def _ahead(states: States, seat: int, seats: int) -> int:
    """How many points a seat has more than the best of the others at the end; alone, how many it has."""
    if seats == 1:
        return score(states[PLAYED], seat)
    most = -FAR
    for other in range(seats):
        if other != seat:
            most = max(most, score(states[PLAYED], other))
    return score(states[PLAYED], seat) - most


ahead = Generic(_ahead)


def _beyond(states: States, seat: int, seats: int, point: int) -> int:
    """What being ahead is worth to a seat at the end, at so much for a point."""
    return max(-FAR, min(FAR, point * ahead(states, seat, seats)))


beyond = Generic(_beyond)


def _try_candidates(
    states: States,
    seat: int,
    seats: int,
    moves: MoveList,
    tally: Tally,
    dice: Stream,
    luck: Stream,
    manner: Manner,
    alive: int,
    deals: int,
    weights: Weights,
    judge: Weights,
) -> int:
    """Try the first `alive` candidates in so many games dealt again, each of them in the same ones.

    Returns how many of the games were begun for all of them before it was stopped; -1 where a game does not end.
    """
    for deal in range(deals):
        seed = bits32(dice.chance)
        copy_state(states, DEALT, ROOT)
        determinize(states[DEALT], seat, seed)
        if manner.strangers:
            manner.others_learned = seed & 1
            manner.others = manner.knowing if manner.others_learned else manner.strangers
        move_before(states, seat, moves, dice, manner, weights)
        for index in range(alive):
            if tally.stop:
                return deal
            copy_state(states, PLAYED, DEALT)
            seed_chance(luck.chance, seed ^ _OWN_CHANCE)
            play(states[PLAYED], seat, tally.moves[index])
            ended = play_on(states, seat, moves, luck, manner, weights)
            if ended < 0:
                return -1
            if manner.judged and not ended:
                note(tally, index, 1, expected(states, seat, judge), 0, 0)
            elif manner.horizon and not manner.judged:
                note(tally, index, 1, promise(states, seat, seats, weights, manner), 0, 0)
            else:
                share = first(states, seat, seats)
                value = share + beyond(states, seat, seats, manner.point)
                if manner.horizon:
                    note(tally, index, 1, value, 0, 0)
                else:
                    note(tally, index, 1, value, share, score(states[PLAYED], seat))
    return deals


#: `try_candidates.of(game)(states, seat, seats, moves, tally, dice, luck, manner, alive, deals, weights,
#: judge)`
try_candidates = Generic(_try_candidates)
