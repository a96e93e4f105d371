"""Decisions of games whose moves were tried in games played on, in generic code: a net learns from comparing them.

How a game ends says little of one decision in it: what else was drawn, and done, tells more. So the moves of a decision
are played on in the same games dealt again, as a search does it (`thorp.players.playouts`), and only how they lie apart
is learned.

Source: Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", NIPS 1996.
"""

from thorp.compiling.rule import MoveList, OptionList, Weights
from thorp.core.chance import Stream, below, bits32
from thorp.core.contract import deal, determinize, legal, play, value, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.core.net import read_out
from thorp.players.ahead import learned_move
from thorp.players.greedy import greedy_move
from thorp.players.playouts import ROOT, WIN, Manner, Tally, find_candidates, forget, try_candidates
from thorp.players.playouts import STATES as SEARCHED

#: Moves of a decision that are tried: those that promise most, and of the others some.
PROMISING, ANY = 6, 3
CHOICES = PROMISING + ANY
#: What stands of a move behind its features: what `value` says beside the net, what its games came to in points, and
#: whether there is such a move. Of one that ends the game the net is not asked, and nothing stands.
BASE, WORTH, THERE = range(3)
EXTRA = 3
#: States that `judge_game` needs: those of a search, the game, and one that is zeroed.
STATES = SEARCHED + 2
_GAME, _ZEROED = SEARCHED, SEARCHED + 1
_AHEAD = ROOT + 1
#: A game that is not over after so many moves never will be.
_MOST_MOVES = 100_000
_SEEDS = 1 << 28
_UNIT = 1.0 / (1 << 32)
#: What the first place counts, in points, beside how far a seat is ahead.
_FIRST = 10.0


def width(features: int) -> int:
    """How many numbers stand of a decision."""
    return CHOICES * (features + EXTRA)


def _judge_game(
    states: States,
    moves: MoveList,
    options: OptionList,
    weights: Weights,
    rows: Weights,
    how: Weights,
    dice: Stream,
    luck: Stream,
    tally: Tally,
    manner: Manner,
    seats: int,
    features: int,
    first: int,
    seed: int,
) -> int:
    """Play one game, and judge some of its decisions: a row for each; how many, -1 where a game does not end.

    `how` is: the share of decisions that are judged, the share of moves that are played by chance, the seats that play
    by the net, as bits, all others being greedy, in how many games a move is tried, and the share of decisions in whose
    games the seat plays by the net; in the others all go by `evaluate`. `manner` says how many moves are looked at in
    games that are played on; whether by the net is written into it for each decision.
    """
    each = features + EXTRA
    most = len(rows) // (CHOICES * each)
    written = 0
    deals = int(how[3])
    copy_state(states, _GAME, _ZEROED)
    deal(states[_GAME], seats, options, seed)
    mask = waiting(states[_GAME])
    for _ in range(_MOST_MOVES):
        if mask == 0:
            return written
        # any of those that wait
        seat = below(dice.chance, seats)
        while not mask >> seat & 1:
            seat = (seat + 1) % seats
        n = legal(states[_GAME], seat, moves)
        if n == 1:
            play(states[_GAME], seat, moves.at[0])
            mask = waiting(states[_GAME])
            continue
        copy_state(states, ROOT, _GAME)
        determinize(states[ROOT], seat, below(dice.chance, _SEEDS))
        if bits32(dice.chance) * _UNIT < how[0] and written < most:
            manner.learned = bits32(dice.chance) * _UNIT < how[4]
            by_net = manner.learned and below(dice.chance, 2)
            tally.candidates = n
            found = find_candidates(states, seat, moves, tally, dice, PROMISING, 1, weights, by_net)
            n = legal(states[ROOT], seat, moves)
            for _ in range(ANY):
                move = moves.at[below(dice.chance, n)]
                new = True
                for index in range(found):
                    if tally.moves[index] == move:
                        new = False
                if new:
                    tally.moves[found] = move
                    forget(tally, found)
                    found += 1
            if try_candidates(states, seat, seats, moves, tally, dice, luck, manner, found, deals, weights) < deals:
                return -1
            at = written * CHOICES * each
            for index in range(CHOICES * each):
                rows[at + index] = 0
            for index in range(found):
                copy_state(states, _AHEAD, ROOT)
                play(states[_AHEAD], seat, tally.moves[index])
                for feature in range(features):
                    weights[feature] = 0
                said = value(states[_AHEAD], seat, weights)
                # where the net is not asked these stay zeros
                asked = False
                for feature in range(features):
                    rows[at + feature] = weights[feature]
                    if weights[feature] != 0:
                        asked = True
                if not asked:
                    continue
                ahead = (tally.totals[index] - tally.firsts[index]) / manner.point
                firsts = tally.firsts[index] * _FIRST / WIN
                rows[at + features + BASE] = said - read_out(weights, features, first)
                rows[at + features + WORTH] = (ahead + firsts) / deals
                rows[at + features + THERE] = 1
                at += each
            written += 1
            n = legal(states[ROOT], seat, moves)
        move = moves.at[below(dice.chance, n)]
        if bits32(dice.chance) * _UNIT >= how[1]:
            if int(how[2]) >> seat & 1:
                move = learned_move(states, seat, moves, weights, dice)
            else:
                move = greedy_move(states, seat, moves, dice)
        play(states[_GAME], seat, move)
        mask = waiting(states[_GAME])
    return -1


#: `judge_game.of(game)(states, moves, options, weights, rows, how, dice, luck, tally, manner, seats, features, first,
#: seed)`
judge_game = Generic(_judge_game)
