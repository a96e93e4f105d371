"""Every game that there is, the toy game of the tests included, and games at random options."""

import random

import toy

import thorp
from thorp import Game, OptionError

GAMES: tuple[Game, ...] = (*(thorp.game(id) for id in thorp.game_ids() if id != toy.GAME.id), toy.GAME)


def random_options(game: Game, seats: int, rng: random.Random) -> dict[str, str]:
    """Options that the game allows with that many seats."""
    while True:
        chosen = {option.id: rng.choice(option.values) for option in game.options if seats in option.seats}
        try:
            return game.options_for(seats, chosen)
        except OptionError:
            continue


def random_match(game: Game, seed: int, *, forced: bool = False) -> thorp.Match:
    """A new match with seats, options and deal drawn from `seed`."""
    rng = random.Random(seed)
    seats = rng.choice(game.seats)
    return thorp.Match(game, seats, random_options(game, seats, rng), seed, forced=forced)


def play_randomly(match: thorp.Match, rng: random.Random, moves: int = 1_000_000) -> None:
    """Play that many random moves for random seats, or until the match is over."""
    while moves and not match.over:
        seat = rng.choice(match.waiting)
        match.play(seat, rng.choice(match.legal(seat)))
        moves -= 1
