"""Lines of play where nothing is left to chance and nobody else plays: the most promising ones, to their ends.

Where everything to come is known, a game that is played on from a move always comes to the same, and to play it again
tells nothing. So after each move of the lines the most promising positions are kept, and each of them is gone on from
with all of its moves ("beam search": Lowerre, "The Harpy speech recognition system", 1976). To follow many lines finds
less than to follow few time and again, with what they promise blurred, and every other time from somewhere on the best
line so far ("iterated local search": Lourenço, Martin, Stützle, 2003). All of it is generic code.
"""

from typing import Annotated

from thorp.compiling.record import Int32, Int64, Record
from thorp.compiling.rule import Counts, MoveList, Weights, rule
from thorp.core.chance import Stream, below, bits32
from thorp.core.contract import determinize, legal, play, score, waiting
from thorp.core.generic import Generic, States, chance_of, copy_state, mark_of
from thorp.players.playouts import (
    DEALT,
    PLAYED,
    ROOT,
    STATES,
    TRIED,
    Tally,
    beyond,
    first,
    forget,
    note,
    worth,
)

#: So many lines are followed side by side at most.
MOST_LINES = 64
#: How many states that takes: those of a search, and where the lines are before a move and after it.
ROOM = STATES + 2 * MOST_LINES
#: A line of more moves is taken for endless.
MOST_STEPS = 1000
#: For each move of each line where it came from, and the move.
TRAIL = 2 * MOST_STEPS * MOST_LINES
#: For each line so many places where positions are noted, so that none is followed twice.
PLACES = 8
_TRIES = 32
#: Less than any end is worth.
NONE = -(1 << 60)

#: What `follow_lines` says: all lines came to their ends; something was drawn, or somebody else has to decide; it was
#: stopped; a line never ends.
ENDED, OPEN, STOPPED, ENDLESS = range(4)


class Lines(Record):
    """The lines that are kept after a move: a heap, the one that promises least on top."""

    kept: Int32
    #: How far apart the promises of those were that were kept, on average over all moves.
    spread: Int64
    #: How many positions were not kept for want of room; 0: all there is was tried.
    dropped: Int64
    #: The best end that was found: what it is worth, the share of the first place in it, and the points.
    best: Int64
    share: Int32
    points: Int32
    #: The moves to it.
    steps: Int32
    path: Annotated[list[int], "i4", MOST_STEPS]
    promise: Annotated[list[int], "i8", MOST_LINES]
    #: Where the position of each lies, among those after the move.
    at: Annotated[list[int], "i4", MOST_LINES]
    #: Marks of positions that were noted since the last move; 0: the place is free.
    marks: Annotated[list[int], "i8", PLACES * MOST_LINES]


@rule
def is_new(lines: Lines, mark: int, places: int) -> bool:
    """Whether a position with this mark was not noted yet; now it is, if one of so many places is free for it."""
    place = mark % places
    for _ in range(_TRIES):
        if lines.marks[place] == mark:
            return False
        if lines.marks[place] == 0:
            lines.marks[place] = mark
            return True
        place = (place + 1) % places
    return True


@rule
def place_for(lines: Lines, promise: int, width: int) -> int:
    """Put a line among the `width` that are kept, if need be in place of the one that promises least; where it lies."""
    here = 0
    if lines.kept < width:
        at = lines.kept * 1
        here = lines.kept * 1
        lines.kept += 1
        while here and promise < lines.promise[(here - 1) // 2]:
            lines.promise[here] = lines.promise[(here - 1) // 2]
            lines.at[here] = lines.at[(here - 1) // 2]
            here = (here - 1) // 2
    else:
        at = lines.at[0] * 1
        below = 1
        while below < width:
            if below + 1 < width and lines.promise[below + 1] < lines.promise[below]:
                below += 1
            if promise <= lines.promise[below]:
                break
            lines.promise[here] = lines.promise[below]
            lines.at[here] = lines.at[below]
            here = below
            below = 2 * here + 1
    lines.promise[here] = promise
    lines.at[here] = at
    return at


def _find_end(
    states: States,
    seat: int,
    moves: MoveList,
    tally: Tally,
    lines: Lines,
    trail: Counts,
    weights: Weights,
    dice: Stream,
    begin: int,
    move: int,
    width: int,
    planned: int,
    blur: int,
    point: int,
    learned: int,
    known: int,
) -> int:
    """Follow the `width` most promising lines that begin with a move in states[begin] to their ends.

    Returns one of ENDED, OPEN, STOPPED, ENDLESS; where it is ENDED, `lines` tells the best end and the moves to it.
    There is none where the first `planned` moves, those that `lines.path` has, cannot be played. To what positions
    promise comes up to `blur` by chance, so that other lines are followed. Unless it is `known` what will be drawn, it
    is OPEN where something is.
    """
    before = STATES
    after = STATES + MOST_LINES
    chance = chance_of(states, begin)
    copy_state(states, before, begin)
    play(states[before], seat, move)
    lines.best = NONE
    lines.spread = 0
    lines.dropped = 0
    count = 1
    for step in range(1, MOST_STEPS):
        lines.kept = 0
        most = NONE
        for place in range(PLACES * width):
            lines.marks[place] = 0
        for line in range(count):
            if tally.stop:
                return STOPPED
            mask = waiting(states[before + line])
            if mask & ~(1 << seat) or (chance_of(states, before + line) != chance and not known):
                return OPEN
            if mask == 0:
                copy_state(states, PLAYED, before + line)
                share = first(states, seat, 1)
                value = share + beyond(states, seat, 1, point)
                if value > lines.best:
                    lines.best = value
                    lines.share = share
                    lines.points = score(states[PLAYED], seat)
                    lines.steps = step
                    come = line
                    for back in range(step - 1, 0, -1):
                        at = 2 * (back * MOST_LINES + come)
                        come = trail[at]
                        lines.path[back] = trail[at + 1]
                    lines.path[0] = move
                continue
            for nth in range(legal(states[before + line], seat, moves)):
                if step < planned and moves.at[nth] != lines.path[step]:
                    continue
                copy_state(states, TRIED, before + line)
                play(states[TRIED], seat, moves.at[nth])
                promise = worth(states, seat, weights, learned)
                if blur:
                    promise += below(dice.chance, blur)
                if lines.kept == width and promise <= lines.promise[0]:
                    lines.dropped += 1
                    continue
                if is_new(lines, mark_of(states, TRIED), PLACES * width):
                    lines.dropped += lines.kept == width
                    most = max(most, promise)
                    place = place_for(lines, promise, width)
                    copy_state(states, after + place, TRIED)
                    trail[2 * (step * MOST_LINES + place)] = line
                    trail[2 * (step * MOST_LINES + place) + 1] = moves.at[nth]
        if lines.kept == 0:
            lines.spread //= step
            return ENDED
        lines.spread += most - lines.promise[0]
        count = lines.kept * 1
        before, after = after, before
    return ENDLESS


find_end = Generic(_find_end)


def _follow_lines(
    states: States,
    seat: int,
    moves: MoveList,
    tally: Tally,
    lines: Lines,
    trail: Counts,
    weights: Weights,
    dice: Stream,
    index: int,
    games: int,
    width: int,
    planned: int,
    blur: int,
    point: int,
    learned: int,
) -> int:
    """As `find_end`, from candidate `index` in states[ROOT], and note the best end as what so many `games` all come to.

    Where a better one was noted before that stays, and `lines.best` is NONE.
    """
    move = tally.moves[index]
    ended = find_end(
        states, seat, moves, tally, lines, trail, weights, dice, ROOT, move, width, planned, blur, point, learned, 0
    )
    if ended != ENDED:
        return ended
    before = tally.games[index] * 1
    best = lines.best * 1
    share = lines.share * 1
    points = lines.points * 1
    if before and tally.totals[index] // before > best:
        best = tally.totals[index] // before
        share = tally.firsts[index] // before
        points = tally.points[index] // before
        lines.best = NONE
    if best != NONE:
        forget(tally, index)
        note(tally, index, games, best, share, points)
    return ENDED


#: `follow_lines.of(game)(states, seat, moves, tally, lines, trail, weights, dice, index, games, width, planned, blur,
#: point, learned)`
follow_lines = Generic(_follow_lines)


def _try_lines(
    states: States,
    seat: int,
    moves: MoveList,
    tally: Tally,
    lines: Lines,
    trail: Counts,
    weights: Weights,
    dice: Stream,
    alive: int,
    deals: int,
    width: int,
    point: int,
    learned: int,
) -> int:
    """Try the first `alive` candidates in so many games dealt again, in each by `width` lines.

    They are followed as if it were known what will be drawn, which flatters all candidates alike; nothing is known of
    what is drawn in the game itself. Returns what `try_candidates` does.
    """
    for deal in range(deals):
        seed = bits32(dice.chance)
        copy_state(states, DEALT, ROOT)
        determinize(states[DEALT], seat, seed)
        for index in range(alive):
            move = tally.moves[index]
            ended = find_end(
                states, seat, moves, tally, lines, trail, weights, dice, DEALT, move, width, 0, 0, point, learned, 1
            )
            if ended == STOPPED:
                return deal
            if ended != ENDED:
                return -1
            note(tally, index, 1, lines.best, lines.share, lines.points)
    return deals


#: `try_lines.of(game)(states, seat, moves, tally, lines, trail, weights, dice, alive, deals, width, point, learned)`
try_lines = Generic(_try_lines)
