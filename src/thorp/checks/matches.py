"""Random matches of any game, at random options."""

from __future__ import annotations

import random

from thorp.core.errors import OptionError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match

#: So many choices of options are tried at random, before the game is taken to allow no other than the usual ones.
MOST_TRIES = 1000


def random_options(game: AnyGame, seats: int, rng: random.Random) -> dict[str, str]:
    """Options that the game allows with that many seats: the usual ones where no others are found.

    Raises OptionError where it does not allow these either.
    """
    for _ in range(MOST_TRIES):
        chosen = {option.id: rng.choice(option.values) for option in game.options if seats in option.seats}
        try:
            return game.options_for(seats, chosen)
        except OptionError:
            continue
    return game.options_for(seats)


def random_match(game: AnyGame, seed: int, *, forced: bool = False) -> AnyMatch:
    """A new match with seats, options and deal drawn from `seed`."""
    rng = random.Random(seed)
    seats = rng.choice(game.seats)
    return Match(game, seats, random_options(game, seats, rng), seed, forced=forced)


def until_next_look(match: AnyMatch, most: int, rng: random.Random) -> int:
    """After how many moves a check looks at a match again: up to `most`, and the more the longer it has become.

    A match of three thousand moves would else take as long to look at as thirty of a hundred, and tell no more.
    """
    return rng.randint(1, most) * (1 + match.ply // 100)


def play_randomly(match: AnyMatch, rng: random.Random, moves: int = 1_000_000) -> None:
    """Play that many random moves for random seats, or until the match is over."""
    while moves and not match.over:
        seat = rng.choice(match.waiting)
        match.play(seat, rng.choice(match.legal(seat)))
        moves -= 1
