"""The check of answers given beforehand: they are legal moves, and nobody learns by them what a seat has."""

from __future__ import annotations

import random
from collections.abc import Iterator

from thorp.checks.matches import play_randomly, random_match, until_next_look
from thorp.checks.secrets import _SEEDS, _dealt_again, _where
from thorp.core.game import AnyGame


def what_is_answered_beforehand_tells_nothing(game: AnyGame, games: int) -> Iterator[str]:
    """Each answer has an id of its own; what it answers now is legal, and the same whatever others cannot know."""
    for seed in range(max(3, min(games // 80, 8))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        while not match.over:
            for seat in range(match.seats):
                answers = game.face.beforehand(match.state, seat)
                where = _where(match, seed, seat)
                if len({answer.id for answer in answers}) < len(answers):
                    yield f"two answers that can be given beforehand have one id {where}"
                    return
                if illegal := [
                    each.id for each in answers if each.move is not None and each.move not in match.legal(seat)
                ]:
                    yield f"what is answered beforehand is no legal move: {illegal[0]} {where}"
                    return
                # None of the others may learn by the answer, or by how fast it comes, what the seat has.
                for reader in (None, *(other for other in range(match.seats) if other != seat)):
                    hidden = _dealt_again(match, reader, rng.randrange(_SEEDS))
                    if game.face.beforehand(hidden, seat) != answers:
                        yield f"what is answered beforehand depends on what others cannot know {where}"
                        return
            play_randomly(match, rng, moves=until_next_look(match, 8, rng))
