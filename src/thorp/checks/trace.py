"""`python -m thorp.checks.trace PACKAGE GAME COUNT`: random matches, told as one line of digests each."""

from __future__ import annotations

import hashlib
import random
import sys
from importlib import import_module

from thorp.checks.matches import random_match
from thorp.core.game import AnyGame
from thorp.core.registry import game as find_game


def trace(game: AnyGame, seed: int) -> str:
    """The digests of all states of a random match, hashed to one, and the digest of its end."""
    match = random_match(game, seed)
    rng = random.Random(seed)
    every = hashlib.sha256(game.bytes(match.state))
    while not match.over:
        seat = rng.choice(match.waiting)
        moves = match.legal(seat)
        every.update(repr(moves).encode())
        match.play(seat, rng.choice(moves))
        every.update(game.bytes(match.state))
        every.update(repr(match.scores).encode())
    every.update(repr([int(game.evaluate(match.state, seat)) for seat in range(match.seats)]).encode())
    every.update(repr(match.standings).encode())
    return f"{game.id} {seed} {match.ply} {every.hexdigest()} {match.digest()}"


if __name__ == "__main__":
    import_module(sys.argv[1])  # a package may register its game by itself
    for number in range(int(sys.argv[3])):
        print(trace(find_game(sys.argv[2]), number))
