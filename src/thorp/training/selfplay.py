"""Games of a net against itself, in generic code: what it read at every decision, and what it should have thought."""

from thorp.compiling.rule import MoveList, OptionList, Weights
from thorp.core.chance import Stream, below, bits32
from thorp.core.contract import deal, determinize, legal, play, score, value, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.core.net import read_out
from thorp.players.greedy import greedy_move
from thorp.players.turns import one_of

#: A row of what is written is the features, then these: what `value` says beside the net, whose decision it was, and
#: what `value` should have said.
BASE, SEAT, TARGET = range(3)
EXTRA = 3
#: States that `self_play` needs: what the seat knows, one move ahead, the game, and one that is zeroed.
STATES = 4
#: A game that is not over after so many moves never will be.
MOST_MOVES = 100_000
_SEEDS = 1 << 28
_UNIT = 1.0 / (1 << 32)
#: What is still to come is worth less by so much for each decision until then, in points: where all wait, nobody who
#: ends the game is better off for it, and what is put off for ever looks as good as what is done.
_HASTE = 0.03
#: Where greedy players take part, this share of seats is theirs.
_OF_SEATS = 0.7
#: Uniform numbers whose sum is near enough to a normal one, and what makes its spread 1.
_SUMMED = 4
_SPREAD = 1.7320508


def _self_play(
    states: States,
    moves: MoveList,
    options: OptionList,
    weights: Weights,
    rows: Weights,
    how: Weights,
    dice: Stream,
    seats: int,
    features: int,
    first: int,
    seed: int,
) -> int:
    """Play one game by `value`, and write a row for each decision; how many there were, -1 where it does not end.

    `how` is: how much chance is in a choice (the spread of what is added to the values, in points), and how likely
    greedy players take part. Greedy seats are learned from too: they keep the game going where the net does not yet
    know what for. In all other games the net plays every seat: who only ever met greedy players would wait for them to
    end the game.
    """
    width = features + EXTRA
    most = len(rows) // width
    written = 0
    copy_state(states, 2, 3)
    deal(states[2], seats, options, seed)
    greedy = 0
    if bits32(dice.chance) * _UNIT < how[1]:
        for seat in range(seats):
            if bits32(dice.chance) * _UNIT < _OF_SEATS:
                greedy |= 1 << seat
    mask = waiting(states[2])
    played = 0
    while mask:
        played += 1
        if played > MOST_MOVES:
            return -1
        seat = one_of(mask, dice)
        n = legal(states[2], seat, moves)
        if n == 1:
            play(states[2], seat, moves.at[0])
            mask = waiting(states[2])
            continue
        copy_state(states, 0, 2)
        determinize(states[0], seat, below(dice.chance, _SEEDS))
        best = moves.at[0]
        if greedy >> seat & 1:
            best = greedy_move(states, seat, moves, dice)
            n = 0
        highest = 0.0
        for index in range(n):
            copy_state(states, 1, 0)
            play(states[1], seat, moves.at[index])
            worth = value(states[1], seat, weights)
            if how[0] > 0:
                noise = -0.5 * _SUMMED
                for _ in range(_SUMMED):
                    noise += bits32(dice.chance) * _UNIT
                worth += how[0] * _SPREAD * noise
            if index == 0 or worth > highest:
                highest = worth
                best = moves.at[index]
        play(states[2], seat, best)
        mask = waiting(states[2])
        if mask and written < most:
            at = written * width
            # where the net is not asked these stay zeros, and teach nothing
            for feature in range(features):
                weights[feature] = 0
            said = value(states[2], seat, weights)
            for feature in range(features):
                rows[at + feature] = weights[feature]
            at += features
            rows[at + BASE] = said - read_out(weights, features, first)
            rows[at + SEAT] = seat
            written += 1
    for seat in range(seats):
        target = score(states[2], seat) * 1.0
        for back in range(written):
            at = (written - 1 - back) * width + features
            if rows[at + SEAT] == seat:
                rows[at + TARGET] = target
                target -= _HASTE
    return written


#: `self_play.of(game)(states, moves, options, weights, rows, how, dice, seats, features, first, seed)`
self_play = Generic(_self_play)
