"""Games whose moves are drawn by how much a net likes them, in generic code: what it read, and what it chose.

Nothing is judged on the way: what is written of a decision is each of its moves, which was chosen, and in the end what
the game came to for the seat.
"""

from math import log

from thorp.compiling.rule import MoveList, OptionList, Weights
from thorp.core.chance import Stream, below, bits32
from thorp.core.contract import deal, determinize, legal, play, score, value, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.core.net import read_out
from thorp.players.ahead import learned_move
from thorp.players.greedy import greedy_move
from thorp.players.playouts import PLAYED, WIN, ahead, first
from thorp.players.turns import one_of

#: Of a decision a row is written, and one for each of its moves. Behind the features stands what `value` says beside
#: the net; then, of the decision, whose it was, how many moves there were, which of them was chosen, and what the game
#: came to for the seat; of a move, what `value` says in all.
BASE, SEAT, COUNT, CHOSEN, RESULT = range(5)
SAID = 1
EXTRA = 5
#: States that `draw_game` needs: what the seat knows, one move ahead, the game (`PLAYED`), and one that is zeroed.
STATES = 4
_KNOWN, _AHEAD, _, _ZEROED = range(STATES)
#: What `how` holds: who is greedy and who plays by the other net, as bits; how much chance is in choices, as what makes
#: a move e times as likely; what the first place counts, a point more than the best of the others (alone, a point), and
#: to have so many points or more.
GREEDY, BY_OTHER, CHANCE, FIRST, AHEAD, ENOUGH, SCORE = range(7)
#: A game that is not over after so many moves never will be.
_MOST_MOVES = 100_000
_SEEDS = 1 << 28
_UNIT = 1.0 / (1 << 32)


def _draw_game(
    states: States,
    moves: MoveList,
    options: OptionList,
    weights: Weights,
    other: Weights,
    rows: Weights,
    how: Weights,
    dice: Stream,
    seats: int,
    features: int,
    begins: int,
    seed: int,
) -> int:
    """Play one game, and write the decisions of the seats that play by `weights`, as far as there is room; how many
    rows there are, -1 where it does not end.

    `features` is how many the net reads, `begins` where in a row what was learned begins (`Net.first`).
    """
    width = features + EXTRA
    most = len(rows) // width
    written = 0
    greedy = int(how[GREEDY])
    by_other = int(how[BY_OTHER])
    copy_state(states, PLAYED, _ZEROED)
    deal(states[PLAYED], seats, options, seed)
    mask = waiting(states[PLAYED])
    played = 0
    while mask:
        played += 1
        if played > _MOST_MOVES:
            return -1
        seat = one_of(mask, dice)
        n = legal(states[PLAYED], seat, moves)
        chosen = 0
        if n > 1:
            copy_state(states, _KNOWN, PLAYED)
            determinize(states[_KNOWN], seat, below(dice.chance, _SEEDS))
        if n > 1 and greedy >> seat & 1:
            moves.at[0] = greedy_move(states, seat, moves, dice)
        elif n > 1 and by_other >> seat & 1:
            moves.at[0] = learned_move(states, seat, moves, other, dice)
        elif n > 1:
            written_here = written + 1 + n <= most
            if written_here:
                at = written * width
                for place in range((1 + n) * width):
                    rows[at + place] = 0
                said = value(states[_KNOWN], seat, weights)
                for feature in range(features):
                    rows[at + feature] = weights[feature]
                rows[at + features + BASE] = said - read_out(weights, features, begins)
            highest = 0.0
            for index in range(n):
                copy_state(states, _AHEAD, _KNOWN)
                play(states[_AHEAD], seat, moves.at[index])
                for feature in range(features):
                    weights[feature] = 0
                said = value(states[_AHEAD], seat, weights)
                # the move that is most after this is each as often as softmax says (Gumbel)
                drawn = said / how[CHANCE] - log(-log((bits32(dice.chance) + 0.5) * _UNIT))
                if index == 0 or drawn > highest:
                    highest = drawn
                    chosen = index
                if written_here:
                    at = (written + 1 + index) * width
                    # where the net is not asked these stay zeros
                    asked = False
                    for feature in range(features):
                        rows[at + feature] = weights[feature]
                        if weights[feature] != 0:
                            asked = True
                    rows[at + features + SAID] = said
                    rows[at + features + BASE] = said
                    if asked:
                        rows[at + features + BASE] = said - read_out(weights, features, begins)
            if written_here:
                at = written * width + features
                rows[at + SEAT] = seat
                rows[at + COUNT] = n
                rows[at + CHOSEN] = chosen
                written += 1 + n
        play(states[PLAYED], seat, moves.at[chosen])
        mask = waiting(states[PLAYED])
    at = 0
    while at < written:
        head = at * width + features
        seat = int(rows[head + SEAT])
        came_to = ahead(states, seat, seats) * how[AHEAD]
        if seats > 1:
            came_to += first(states, seat, seats) * how[FIRST] / WIN
            came_to += how[ENOUGH] * min(1.0, score(states[PLAYED], seat) / how[SCORE])
        rows[head + RESULT] = came_to
        at += 1 + int(rows[head + COUNT])
    return written


#: `draw_game.of(game)(states, moves, options, weights, other, rows, how, dice, seats, features, begins,
#: seed)`
draw_game = Generic(_draw_game)
