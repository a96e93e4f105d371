"""Random games, compiled for any game of the contract."""

from thorp.compiling.rule import MoveList, OptionList
from thorp.core.chance import Stream, below
from thorp.core.contract import deal, legal, play, waiting
from thorp.core.generic import Generic, States, copy_state

#: A game that is not over after so many moves never will be.
MOST_MOVES = 100_000


def _random_games(
    states: States, moves: MoveList, options: OptionList, seats: int, first_seed: int, games: int, stream: Stream
) -> int:
    """Deal `games` games, of ascending seeds, and play them by random moves; how many moves there were in all.

    Plays in states[0]; states[1] has to be zeroed. Always the first seat that waits plays. Returns -1 where a game
    did not end.
    """
    played = 0
    for seed in range(first_seed, first_seed + games):
        copy_state(states, 0, 1)
        state = states[0]
        deal(state, seats, options, seed)
        mask = waiting(state)
        most = played + MOST_MOVES
        while mask:
            seat = 0
            while not mask >> seat & 1:
                seat += 1
            n = legal(state, seat, moves)
            play(state, seat, moves.at[below(stream.chance, n)])
            played += 1
            mask = waiting(state)
            if played > most:
                return -1
    return played


#: `random_games.of(game)(states, moves, options, seats, first_seed, games, stream)`
random_games = Generic(_random_games)
