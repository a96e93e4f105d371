"""Ways of searching against each other: `python scripts/ways.py GAME SEATS GAMES WAY [WAY ...]`.

A way is `greedy`, a level (also `master@0.6`, with so many seconds a decision), or letters with numbers. Those that are
left out are t.03,c12,o99,x99,h0,p100,H1,l0,s0,r1,f0, so that only a way with l1 goes by what was learned. They say:
seconds a decision, candidates, of how many moves the seat and the others take
the best in playouts, the horizon, what a point is worth, whether to halve, whether it goes by what is learned (at a
table it is learned first), of how many moves others take the best then by `evaluate` (0: as the game says), how many
times as far as its net says it looks before it asks that (0: to the end), and how many of a hundred moves it overlooks.
With several seats the first way sits at all seats but one, and every other way at that one in turn, on the same seeds.
One way alone sits at all of them, and what is told is what the first place wins: who first had to decide alone.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from statistics import mean, stdev
from typing import Any

import thorp
from thorp.arena.tables import FirstAlone
from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.players import Thought, Way, choose_in, goes_by_lessons, is_player
from thorp.players.learned import learned_for
from thorp.players.lessons import known_or_learned
from thorp.players.levels import Level, seen

TOLD = 20


def level_of(text: str) -> Level:
    """What the letters mean, as a level."""
    values = dict.fromkeys("txohpHclsrf", 0.0) | {"t": 0.03, "c": 12, "o": 99, "x": 99, "p": 100, "H": 1, "r": 1}
    try:
        told = {part[0]: float(part[1:]) for part in text.split(",")}
    except (ValueError, IndexError):
        told = {text: 0.0}
    if unknown := told.keys() - values.keys():
        raise SystemExit(f"{text} is neither a player nor a way to search ({', '.join(unknown)}): see --help")
    values |= told
    whole = {letter: int(value) for letter, value in values.items()}
    how = whole["c"], whole["o"], whole["x"], whole["h"], whole["p"], bool(whole["H"]), bool(whole["l"]), whole["s"]
    return Level(text, text, values["t"], Way(*how, reach=whole["r"]), whole["f"])


def move_of(who: str, game: AnyGame, state: Any, seats: int, seat: int, seed: int) -> int:
    """The move that a way chooses."""
    if is_player(who):
        return choose_in(who, game, state, seat, seed, seats=seats)
    level = level_of(who)
    learned = learned_for(game, state, seats) if level.way.learned else None
    thought = Thought(game, state, seats, seat, seed, level.way, learned)
    return thought.think(seconds=level.seconds, sees=lambda legal: seen(level.overlooks, seed, legal))[0].move


def played(game: AnyGame, sitting: Sequence[str], seed: int) -> tuple[list[int], list[float], int]:
    """The scores of a game, each seat's share of the first place, and who first had to decide alone (-1: nobody)."""
    seats, dice, state, first = len(sitting), random.Random(seed), game.state(), FirstAlone()
    game.deal(state, seats, game.option_list(game.options_for(seats)), seed)
    if any(goes_by_lessons(who) if is_player(who) else level_of(who).way.learned for who in sitting):
        known_or_learned(game, state, seats)
    while waiting := int(game.waiting(state)):
        seat = (waiting & -waiting).bit_length() - 1
        first.moves(waiting, seat)
        game.play(state, seat, move_of(sitting[seat], game, state, seats, seat, dice.getrandbits(SEED_BITS)))
    places = [int(game.standing(state, seat)) for seat in range(seats)]
    shares = [(place == 1) / max(1, places.count(1)) for place in places]
    return [int(game.score(state, seat)) for seat in range(seats)], shares, first.seat


def main(id: str, seats: int, games: int, first: str, *others: str, first_seed: int, one: bool) -> None:
    """Play, and print a line for each way, and what it has come to after every twentieth seed."""
    if games < 1:
        raise SystemExit(f"the number of games is 1 or more, not {games}")
    try:
        game = thorp.game(id)
        game.options_for(seats)
    except GameError as error:
        raise SystemExit(str(error)) from error
    for who in (first, *others):
        if not is_player(who):
            level_of(who)
    game.prepare()
    alone = seats == 1 or not others
    for who in (first, *others) if alone else others:
        began = time.process_time()
        won: list[float] = []
        points: list[float] = []
        ahead: list[float] = []
        for seed in range(first_seed, first_seed + games):
            rounds = []
            for place in [0] if alone else [seed % seats] if one else range(seats):
                sitting = [first] * seats
                sitting[place] = who
                scores, shares, leader = played(game, sitting, seed)
                told_of = max(leader, 0) if alone else place
                rest = [score for seat, score in enumerate(scores) if seat != told_of]
                rounds.append((shares[told_of], scores[told_of], scores[told_of] - mean(rest or [0])))
            for kept, figures in zip((won, points, ahead), zip(*rounds, strict=True), strict=True):
                kept.append(mean(figures))
            if len(won) % TOLD == 0 or len(won) == games:
                by = "" if is_player(who) or level_of(who).way.learned else " (by evaluate)"
                spent = time.process_time() - began
                print(f"{id}, {seats} seats, {who}{by}: {told(won, points, ahead)}, {spent:.0f} s", flush=True)


def told(won: Sequence[float], points: Sequence[float], ahead: Sequence[float]) -> str:
    """The shares, the points, and how many more than the others on average, of so many seeds, with standard errors."""
    by, at, more = (stdev(row) / len(row) ** 0.5 if len(row) > 1 else 0.0 for row in (won, points, ahead))
    found = f"wins {100 * mean(won):.0f} +- {100 * by:.0f} %, {mean(points):.2f} +- {at:.2f} points"
    return f"{found}, {mean(ahead):+.2f} +- {more:.2f} more than others, {len(won)} seeds"


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    _parser.add_argument("game")
    _parser.add_argument("seats", type=int)
    _parser.add_argument("games", type=int, help="so many seeds, each from every seat")
    _parser.add_argument("ways", nargs="+", metavar="way")
    _parser.add_argument(
        "--first", type=int, default=1000, help="the first seed; what was chosen on some is shown on others"
    )
    _parser.add_argument("--one", action="store_true", help="each seed from one seat only, from another each time")
    _given = _parser.parse_args()
    main(_given.game, _given.seats, _given.games, *_given.ways, first_seed=_given.first, one=_given.one)
