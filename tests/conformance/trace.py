"""`python trace.py GAME FIRST COUNT`: random matches, told as one line of digests each.

Run by the tests in both modes and in other processes: the lines have to be the same.
"""

import hashlib
import random
import sys
from pathlib import Path


def trace(game_id: str, seed: int) -> str:
    """The digests of all states of a random match, hashed to one, and the digest of its end."""
    from conformance.all_games import GAMES, random_match

    game = next(game for game in GAMES if game.id == game_id)
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
    every.update(repr([game.evaluate(match.state, seat) for seat in range(match.seats)]).encode())
    every.update(repr(match.standings).encode())
    return f"{game_id} {seed} {match.ply} {every.hexdigest()} {match.digest()}"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    for number in range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3])):
        print(trace(sys.argv[1], number))
