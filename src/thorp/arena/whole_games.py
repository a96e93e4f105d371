"""Whole games in generic code, many at once, for any game of the contract and the players that are compiled."""

from thorp.compiling.rule import Counts, MoveList, OptionList, Weights
from thorp.core.chance import Stream, below, seed_chance
from thorp.core.contract import deal, determinize, legal, owned, play, score, standing, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.players.ahead import learned_move
from thorp.players.greedy import greedy_move
from thorp.players.random import random_move
from thorp.players.turns import one_of

#: Who can play in compiled code, by number: of the learned player what is one net for all tables of a game.
LEVELS = ("random", "greedy", "learned")
RANDOM, GREEDY, LEARNED = range(len(LEVELS))
#: A player's seeds for a move are below this: what is reckoned with them fits 63 bits. Compiled integers must not
#: overflow, since LLVM reckons with that.
SEEDS = 1 << 28
#: So that what players leave to chance has nothing to do with how the game is dealt.
PLAYERS_STREAM = 0x2545_F491_4F6C_DD1D
#: A game that is not over after so many moves never will be.
MOST_MOVES = 100_000
#: How many states `whole_games` needs besides one for each game: to think in, and one that is zeroed.
SPARE = 3

# What is written of a game: these, then for every seat its score, its standing, and how many it has of each card.
CHOICES = 0
LEADER = 1
SEATS_FROM = 2


def width(seats: int, cards: int) -> int:
    """How many numbers are written of a game."""
    return SEATS_FROM + seats * (2 + cards)


def _whole_games(
    states: States,
    moves: MoveList,
    options: OptionList,
    weights: Weights,
    dice: Stream,
    luck: Stream,
    counts: Counts,
    levels: Counts,
    out: Counts,
    seats: int,
    cards: int,
    first_seed: int,
    games: int,
) -> int:
    """Deal a game for each of `games` seeds in a row, and let players play it to its end.

    `levels` has a player for each seat, and `weights` what the learned ones go by. The games end in states[SPARE] and
    after; states[2] has to be zeroed. Into `out` go `width(seats, cards)` numbers a game: how many moves there were
    with something to choose; the leader, who is the first seat that had to decide alone (-1: nobody); and for every
    seat what the comment above says. Where several wait, any of them moves next. A player is given the game as its
    seat may know it, as `players.choose` does.
    A game depends on its own seed only.
    Returns 0, or -1 where a game did not end.
    """
    at = 0
    for nth in range(games):
        game = SPARE + nth
        copy_state(states, game, 2)
        deal(states[game], seats, options, first_seed + nth)
        seed_chance(luck.chance, (first_seed + nth) ^ PLAYERS_STREAM)
        played = 0
        choices = 0
        leader = -1
        others = 0  # who else waited before the last move, and so need not be alone now
        mask = waiting(states[game])
        while mask:
            seat = one_of(mask, luck)
            if leader < 0 and mask == 1 << seat and mask != others:
                leader = seat
            others = mask ^ 1 << seat
            if legal(states[game], seat, moves) == 1:
                play(states[game], seat, moves.at[0])
            else:
                choices += 1
                seed = below(luck.chance, SEEDS)
                seed_chance(dice.chance, seed)
                copy_state(states, 0, game)
                determinize(states[0], seat, seed * 0x5DEECE66D + 11)
                if levels[seat] == RANDOM:
                    move = random_move(states, seat, moves, dice)
                elif levels[seat] == LEARNED:
                    move = learned_move(states, seat, moves, weights, dice)
                else:
                    move = greedy_move(states, seat, moves, dice)
                play(states[game], seat, move)
            played += 1
            if played > MOST_MOVES:
                return -1
            mask = waiting(states[game])
        out[at + CHOICES] = choices
        out[at + LEADER] = leader
        at += SEATS_FROM
        for seat in range(seats):
            out[at] = score(states[game], seat)
            out[at + 1] = standing(states[game], seat)
            at += 2
            for card in range(cards):
                counts[card] = 0
            owned(states[game], seat, counts)
            for card in range(cards):
                out[at + card] = counts[card]
            at += cards
    return 0


#: `whole_games.of(game)(states, moves, options, weights, dice, luck, counts, levels, out, seats, cards, first_seed,
#: games)`
whole_games = Generic(_whole_games)
