"""`python -m thorp.checks.trace PACKAGE GAME COUNT SECONDS`: random matches, told as one line of digests each.

Where one takes longer than so many seconds the process ends, and says where it was; else what a rule fails with.
"""

from __future__ import annotations

import faulthandler
import hashlib
import random
import sys
from collections.abc import Iterator
from importlib import import_module

from thorp.checks.asking import rules_that_ask
from thorp.checks.matches import random_match
from thorp.core.game import AnyGame, Game
from thorp.core.match import AnyMatch
from thorp.core.registry import game as find_game
from thorp.core.registry import in_a_line, register

#: One of so many positions is looked at with all rules: as plain Python each look takes as long as several moves.
_SELDOM = 10


def trace(game: AnyGame, seed: int) -> str:
    """The digests of all states of a random match, hashed to one, and the digest of its end."""
    match = random_match(game, seed)
    rng, looks = random.Random(seed), random.Random(seed)
    every = hashlib.sha256(game.bytes(match.state))
    while not match.over:
        if looks.randrange(_SELDOM) == 0:
            for part in _all_rules(match, looks.randrange(1 << 62)):
                every.update(part)
        seat = rng.choice(match.waiting)
        moves = match.legal(seat)
        every.update(repr(moves).encode())
        match.play(seat, rng.choice(moves))
        every.update(game.bytes(match.state))
        every.update(repr(match.scores).encode())
    for part in _all_rules(match, seed):
        every.update(part)
    return f"{game.id} {seed} {match.ply} {every.hexdigest()} {match.digest()}"


def _all_rules(match: AnyMatch, seed: int) -> Iterator[bytes]:
    """What every rule makes of a position that need not be played there, but the learned evaluation."""
    game = match.game
    # one copy for all of them: whether any of them writes is another check's to find, and copies take most of the time
    state = game.copy(match.state)
    for rule, ask in rules_that_ask(match):
        yield f"{rule} {ask(state)}".encode()
    for reader in (-1, *range(match.seats)):
        state = game.copy(match.state)
        game.determinize(state, reader, seed)
        yield game.bytes(state)
    # nobody goes back once a match is over
    if game.redeal and not match.over:
        state = game.copy(match.state)
        game.redeal(state, seed)
        yield game.bytes(state)


def _known(package: str, id: str) -> AnyGame:
    """The game of that id, which the package may register by itself, or only bring."""
    for each in tuple(vars(import_module(package)).values()):
        if isinstance(each, Game) and each.id == id:
            register(each)
    return find_game(id)


if __name__ == "__main__":
    found = _known(sys.argv[1], sys.argv[2])
    for number in range(int(sys.argv[3])):
        faulthandler.dump_traceback_later(float(sys.argv[4]), exit=True)
        try:
            print(trace(found, number), flush=True)
        except Exception as error:
            sys.exit(in_a_line(error, found.package))
