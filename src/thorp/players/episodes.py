"""Games of an evaluation against itself from which it learns, by temporal differences over tables of weights.

Each weight has a step of its own: what it was moved by in all, against what it was moved by back and forth ("temporal
coherence": Beal and Smith, 1999; for n-tuples Jaśkowski, "Mastering 2048 with temporal coherence", 2016). All of it is
generic code.
"""

from thorp.compiling.rule import MoveList, Weights
from thorp.core.chance import Stream, below
from thorp.core.contract import determinize, legal, play, score, value, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.players.ahead import learned_move
from thorp.players.greedy import greedy_move

#: States that an episode needs: what the seat knows and one move ahead, the game, and where episodes begin.
STATES = 4
KNOWN, AHEAD, GAME, BEGIN = range(STATES)
#: A row of the path: whose decision it was, what was known for sure, how many weights were looked up; then which.
SEAT, BASE, LOOKED_UP = range(3)
EXTRA = 3
#: Where learning is told how: how far a position learns from the end of the game (1) rather than from the next one (0),
#: and the least share of a step that a weight takes.
LAMBDA, LEAST = range(2)
#: What a game that does not end is said to have brought.
ENDLESS = -1_000_000
MOST_MOVES = 100_000
_SEEDS = 1 << 28


def _episode(
    states: States,
    moves: MoveList,
    weights: Weights,
    path: Weights,
    dice: Stream,
    seats: int,
    guided: int,
    strangers: int,
    first: int,
    seed: int,
) -> int:
    """Play states[BEGIN] to its end, dealt again as for nobody; write a row for each decision. How many there are.

    Of a hundred decisions `guided` are taken by `evaluate`. Seats in the mask `strangers` move by chance, and nothing
    is written of them. -1 where the game does not end. What does not fit the path is not written.
    """
    copy_state(states, GAME, BEGIN)
    determinize(states[GAME], -1, seed)
    width = len(path) // _MOST_ROWS
    times = width - EXTRA
    rows = 0
    mask = waiting(states[GAME])
    for _ in range(MOST_MOVES):
        if mask == 0:
            return rows
        seat = below(dice.chance, seats)
        while not mask >> seat & 1:
            seat = (seat + 1) % seats
        n = legal(states[GAME], seat, moves)
        if n == 1:
            play(states[GAME], seat, moves.at[0])
        elif strangers >> seat & 1:
            play(states[GAME], seat, moves.at[below(dice.chance, n)])
        else:
            copy_state(states, KNOWN, GAME)
            determinize(states[KNOWN], seat, below(dice.chance, _SEEDS))
            if below(dice.chance, 100) < guided:
                move = greedy_move(states, seat, moves, dice)
            else:
                move = learned_move(states, seat, moves, weights, dice)
            play(states[GAME], seat, move)
            if rows < _MOST_ROWS:
                said = value(states[GAME], seat, weights)
                looked_up = int(weights[0])
                if 0 < looked_up <= times:
                    at = rows * width
                    path[at + SEAT] = seat
                    path[at + LOOKED_UP] = looked_up
                    for nth in range(looked_up):
                        path[at + EXTRA + nth] = weights[1 + nth]
                        said -= weights[first + int(weights[1 + nth])]
                    path[at + BASE] = said
                    rows += 1
        mask = waiting(states[GAME])
    return -1


#: Decisions of one game that are learned from.
_MOST_ROWS = 1024
episode = Generic(_episode)


def path_size(times: int) -> int:
    """How long a path is, for positions that look up so many weights."""
    return _MOST_ROWS * (times + EXTRA)


def _learn_game(
    states: States,
    moves: MoveList,
    weights: Weights,
    memory: Weights,
    path: Weights,
    how: Weights,
    dice: Stream,
    seats: int,
    first: int,
    guided: int,
    estranged: int,
    seed: int,
) -> int:
    """Play one episode and learn from it, from its end to its beginning.

    Each seat but one is with a chance of `estranged` in a hundred a stranger. Returns a hundred times the mean points
    of all others, ENDLESS where the game does not end.

    `memory` has for each weight what it was moved by, and after those, by how much in all.
    """
    strangers = 0
    host = below(dice.chance, seats)
    for seat in range(seats):
        if seat != host and below(dice.chance, 100) < estranged:
            strangers |= 1 << seat
    rows = episode(states, moves, weights, path, dice, seats, guided, strangers, first, seed)
    if rows < 0:
        return ENDLESS
    width = len(path) // _MOST_ROWS
    learned = len(weights) - first
    points = 0
    learning = 0
    for seat in range(seats):
        if strangers >> seat & 1:
            continue
        end = score(states[GAME], seat)
        points += end
        learning += 1
        target = end * 1.0
        for back in range(rows):
            at = (rows - 1 - back) * width
            if path[at + SEAT] == seat:
                looked_up = int(path[at + LOOKED_UP])
                # with what was learned from later positions of this game, which look up some of the same
                said = path[at + BASE] * 1.0
                for nth in range(looked_up):
                    said += weights[first + int(path[at + EXTRA + nth])]
                step = (target - said) / looked_up
                for nth in range(looked_up):
                    index = int(path[at + EXTRA + nth])
                    moved = memory[learned + index]
                    share = 1.0
                    if moved > 0:
                        share = max(how[LEAST] * 1.0, abs(memory[index]) / moved)
                    weights[first + index] += share * step
                    memory[index] += step
                    memory[learned + index] += abs(step)
                target = how[LAMBDA] * target + (1.0 - how[LAMBDA]) * said
    return points * 100 // learning


#: `learn_game.of(game)(states, moves, weights, memory, path, how, dice, seats, first, guided, estranged, seed)`
learn_game = Generic(_learn_game)
