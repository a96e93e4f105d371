"""More of what has to hold in any game, over many random games in compiled code."""

from thorp.core.chance import Stream, below
from thorp.core.contract import copy_state, determinize, legal, over, play, waiting
from thorp.core.generic import Generic, States
from thorp.core.rule import MoveList

MOST_MOVES = 100_000

# What may be found wrong.
ENDLESS, DEAD_END, OTHER_WAITING, OTHER_MOVES = range(-4, 0)


def _replayed(states: States, moves: MoveList, log: MoveList, seats: int, space: int, stream: Stream) -> int:
    """Play states[0] by random moves of random seats, then the same moves on states[1]; how many moves."""
    plies = 0
    while plies < MOST_MOVES:
        mask = waiting(states[0])
        if mask == 0:
            break
        seat = below(stream.chance, seats)
        while not mask >> seat & 1:
            seat = below(stream.chance, seats)
        move = moves[below(stream.chance, legal(states[0], seat, moves))]
        log[plies] = seat * space + move
        play(states[0], seat, move)
        plies += 1
    for ply in range(plies):
        play(states[1], log[ply] // space, log[ply] % space)
    return plies


def _hidden(states: States, moves: MoveList, log: MoveList, seats: int, space: int, stream: Stream) -> int:
    """Play states[0]; at every step deal again what a random seat cannot know: who waits, and its moves, stay.

    And every move listed for the seat that moves next leads to a state where somebody can move, or to the end.
    """
    for plies in range(MOST_MOVES):
        mask = waiting(states[0])
        if mask == 0:
            return plies
        seat = below(stream.chance, seats)
        copy_state(states, 1, 0)
        determinize(states[1], seat, below(stream.chance, 1 << 30))
        if waiting(states[1]) != mask:
            return OTHER_WAITING
        n = legal(states[0], seat, moves)
        if legal(states[1], seat, log) != n:
            return OTHER_MOVES
        for index in range(n):
            if moves[index] != log[index]:
                return OTHER_MOVES
        while not mask >> seat & 1:
            seat = below(stream.chance, seats)
        n = legal(states[0], seat, moves)
        for index in range(n):
            copy_state(states, 1, 0)
            play(states[1], seat, moves[index])
            after = waiting(states[1])
            if (after == 0) != over(states[1]):
                return DEAD_END
            for other in range(seats):
                if after >> other & 1 and legal(states[1], other, log) == 0:
                    return DEAD_END
        play(states[0], seat, moves[below(stream.chance, n)])
    return ENDLESS


#: `of(game)(states, moves, log, seats, space, stream)`
replayed = Generic(_replayed)
hidden = Generic(_hidden)
