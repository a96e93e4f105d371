"""Games in which one seat goes by an evaluation that learns from them, by temporal differences over tables of weights.

All others are strangers who look one move ahead by `evaluate`, and see little: seats that go by the same evaluation
come to want the same, and to rely on it.

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
from thorp.players.playouts import PLAYED, TRIED, quick_move
from thorp.players.turns import one_of

#: States that an episode needs: what the seat knows and one move ahead, the game and where moves of others are tried
#: in it, as they are when games are played on, and where episodes begin.
STATES = 5
KNOWN, AHEAD, GAME, BEGIN = 0, 1, PLAYED, 4
assert TRIED not in (KNOWN, AHEAD, GAME, BEGIN)
#: A row of the path: what was known for sure, how many weights were looked up; then which.
BASE, LOOKED_UP = range(2)
EXTRA = 2
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
    host: int,
    others: int,
    guided: int,
    first: int,
    seed: int,
) -> int:
    """Play states[BEGIN] to its end, dealt again as for nobody; write a row for each decision of the seat `host`.

    Of a hundred of those `guided` are taken by `evaluate`, and the others by what was learned. All other seats take the
    best by `evaluate` of `others` moves drawn at random. How many rows there are, -1 where the game does not end; what
    does not fit the path is not written.
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
        seat = one_of(mask, dice)
        n = legal(states[GAME], seat, moves)
        if n == 1:
            play(states[GAME], seat, moves.at[0])
        elif seat != host:
            play(states[GAME], seat, quick_move(states, seat, moves, n, dice, others, weights, 0))
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
    others: int,
    seed: int,
) -> int:
    """Play one episode from a seat drawn at random and learn from it, from its end to its beginning.

    Returns the points of that seat, ENDLESS where the game does not end.

    `memory` has for each weight what it was moved by, and after those, by how much in all.
    """
    host = below(dice.chance, seats)
    rows = episode(states, moves, weights, path, dice, host, others, guided, first, seed)
    if rows < 0:
        return ENDLESS
    width = len(path) // _MOST_ROWS
    learned = len(weights) - first
    points = score(states[GAME], host)
    target = points * 1.0
    for back in range(rows):
        at = (rows - 1 - back) * width
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
    return points


#: `learn_game.of(game)(states, moves, weights, memory, path, how, dice, seats, first, guided, others, seed)`
learn_game = Generic(_learn_game)
