"""Random games in compiled code that check, at every step, what has to hold in any game."""

from thorp.core.chance import Stream, below
from thorp.core.contract import copy_state, legal, over, play, waiting
from thorp.core.generic import Generic, States
from thorp.core.rule import MoveList

MOST_MOVES = 100_000

# What a walk may find wrong.
ENDLESS, NO_MOVE, TWICE, OUT_OF_RANGE, MOVE_FOR_WAITER, OVER_AND_WAITING, MOVES_CHANGED = range(-7, 0)


def _walk(states: States, moves: MoveList, seats: int, space: int, stream: Stream) -> int:
    """Play states[0] to its end by random moves of random seats.

    Wherever two seats wait at once, both play on two copies, once in either order: states[2 + 2k] and
    states[3 + 2k] are the results, which have to be the same. Returns how many such pairs there are, or what
    was wrong.
    """
    pairs = 0
    for _ in range(MOST_MOVES):
        state = states[0]
        mask = waiting(state)
        if over(state) != (mask == 0):
            return OVER_AND_WAITING
        if mask == 0:
            return pairs
        for seat in range(seats):
            n = legal(state, seat, moves)
            if mask >> seat & 1 == 0 and n:
                return MOVE_FOR_WAITER
            if mask >> seat & 1 and n == 0:
                return NO_MOVE
        one = below(stream.chance, seats)
        while not mask >> one & 1:
            one = below(stream.chance, seats)
        other = below(stream.chance, seats)
        n = legal(state, one, moves)
        for index in range(n):
            if moves[index] < 0 or moves[index] >= space:
                return OUT_OF_RANGE
        # one random move against all others: over many steps every pair is looked at
        chosen = below(stream.chance, n)
        move = moves[chosen]
        for index in range(n):
            if index != chosen and moves[index] == move:
                return TWICE
        if other != one and mask >> other & 1 and 3 + 2 * pairs < len(states):
            before = legal(state, other, moves)
            answer = moves[below(stream.chance, before)]
            first, second = 2 + 2 * pairs, 3 + 2 * pairs
            copy_state(states, first, 0)
            play(states[first], one, move)
            if waiting(states[first]) >> other & 1 == 0 or legal(states[first], other, moves) != before:
                return MOVES_CHANGED
            play(states[first], other, answer)
            copy_state(states, second, 0)
            play(states[second], other, answer)
            play(states[second], one, move)
            pairs += 1
        play(state, one, move)
    return ENDLESS


#: `walk.of(game)(states, moves, seats, space, stream)`
walk = Generic(_walk)
