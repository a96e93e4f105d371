"""Random games in generic code that check, at every step, what has to hold in any game."""

from thorp.compiling.rule import Counts, MoveList
from thorp.core.chance import Stream, below
from thorp.core.contract import determinize, legal, over, play, waiting
from thorp.core.generic import Generic, States, copy_state

#: A game that is not over after so many moves never will be.
MOST_MOVES = 100_000

#: What may be found wrong, from -1 downwards.
FOUND = (
    "the game is over while somebody waits, or goes on while nobody does",
    "a seat that does not wait has legal moves",
    "a seat that waits has no legal move",
    "a move is listed that is no number of MOVES",
    "a move is listed twice",
    "when two seats wait, what one plays changes what the other may do",
    f"the game is not over after {MOST_MOVES} moves",
    "what a seat cannot know changes who waits",
    "what a seat cannot know changes which moves it has",
    "a seat that waits has no legal move once another seat deals again what it cannot know",
    "a seat waits that is not at the table",
)
OVER_AND_WAITING, MOVE_FOR_WAITER, NO_MOVE, OUT_OF_RANGE, TWICE, MOVES_CHANGED = range(-1, -7, -1)
ENDLESS, OTHER_WAITING, OTHER_MOVES, NO_MOVE_AGAIN, STRANGER = range(-7, -12, -1)


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
        # else a seat that waits would be looked for below and never be found
        if mask < 0 or mask >> seats:
            return STRANGER
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
            if moves.at[index] < 0 or moves.at[index] >= space:
                return OUT_OF_RANGE
        # one random move against all others: over many steps every pair is looked at
        chosen = below(stream.chance, n)
        move = moves.at[chosen]
        for index in range(n):
            if index != chosen and moves.at[index] == move:
                return TWICE
        if other != one and mask >> other & 1 and 3 + 2 * pairs < len(states):
            before = legal(state, other, moves)
            answer = moves.at[below(stream.chance, before)]
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


def _replayed(states: States, moves: MoveList, log: Counts, seats: int, space: int, stream: Stream) -> int:
    """Play states[0] by random moves of random seats, then the same moves on states[1]; how many moves."""
    plies = 0
    while plies < MOST_MOVES:
        mask = waiting(states[0])
        # a seat that waits and is not at the table is another check's to tell, and would be looked for without end
        if mask == 0 or mask < 0 or mask >> seats:
            break
        seat = below(stream.chance, seats)
        while not mask >> seat & 1:
            seat = below(stream.chance, seats)
        move = moves.at[below(stream.chance, legal(states[0], seat, moves))]
        log[plies] = seat * space + move
        play(states[0], seat, move)
        plies += 1
    for ply in range(plies):
        play(states[1], log[ply] // space, log[ply] % space)
    return plies if plies < MOST_MOVES else ENDLESS


def _hidden(states: States, moves: MoveList, others: MoveList, seats: int, space: int, stream: Stream) -> int:
    """Play states[0]; at every step deal again what a random seat cannot know: who waits, and its moves, stay.

    And every move listed for the seat that moves next leads to a state where somebody can move, or to the end.
    """
    for plies in range(MOST_MOVES):
        mask = waiting(states[0])
        if mask == 0:
            return plies
        if mask < 0 or mask >> seats:
            return STRANGER
        seat = below(stream.chance, seats)
        copy_state(states, 1, 0)
        determinize(states[1], seat, below(stream.chance, 1 << 30))
        if waiting(states[1]) != mask:
            return OTHER_WAITING
        n = legal(states[0], seat, moves)
        if legal(states[1], seat, others) != n:
            return OTHER_MOVES
        for index in range(n):
            if moves.at[index] != others.at[index]:
                return OTHER_MOVES
        for other in range(seats):
            if mask >> other & 1 and other != seat and legal(states[1], other, others) == 0:
                return NO_MOVE_AGAIN
        while not mask >> seat & 1:
            seat = below(stream.chance, seats)
        n = legal(states[0], seat, moves)
        for index in range(n):
            copy_state(states, 1, 0)
            play(states[1], seat, moves.at[index])
            after = waiting(states[1])
            if (after == 0) != over(states[1]):
                return OVER_AND_WAITING
            for other in range(seats):
                if after >> other & 1 and legal(states[1], other, others) == 0:
                    return NO_MOVE
        play(states[0], seat, moves.at[below(stream.chance, n)])
    return ENDLESS


#: `of(game)(states, moves, log or others, seats, space, stream)`
replayed = Generic(_replayed)
hidden = Generic(_hidden)
