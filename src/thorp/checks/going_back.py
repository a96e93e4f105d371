"""The check of going back by consent: all see what they saw then, and the match goes on, is told and saved as any."""

from __future__ import annotations

import random
from collections.abc import Iterator

from thorp.checks.matches import play_randomly, random_match, until_next_look
from thorp.checks.secrets import _SEEDS, _shown, _where
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match


def who_goes_back_sees_what_was_seen(game: AnyGame, games: int) -> Iterator[str]:
    """Chance that is drawn anew changes nothing that anybody has been shown, and the match is one like any other."""
    for seed in range(max(3, min(games // 80, 8))):
        match = random_match(game, seed, forced=bool(seed % 2))
        rng = random.Random(seed)
        while not match.over:
            play_randomly(match, rng, moves=until_next_look(match, 12, rng))
            seat = rng.randrange(match.seats)
            if rng.random() < 0.5 or not match.can_go_back(seat):
                continue
            match.go_back(seat, rng.randrange(_SEEDS))
            # forced moves have been played there, too, so the last move of that position was a chosen one
            before = match.copy()
            before._anew.pop()
            before = before.at(match.ply)
            for reader in (None, *range(match.seats)):
                if _shown(game, before.state, reader) != _shown(game, match.state, reader):
                    yield f"redeal changes what somebody has been shown {_where(match, seed, reader)}"
                    return
            if rng.random() < 0.5:
                play_randomly(match, rng, moves=until_next_look(match, 12, rng))
        yield from _is_kept(match, seed)


def _is_kept(match: AnyMatch, seed: int) -> Iterator[str]:
    """Whether a match in which somebody went back can be played again."""
    digest = match.digest()
    if Match.load(match.export()).digest() != digest:
        yield f"a match in which a seat went back is not the same when it is loaded {_where(match, seed, None)}"
    if match.at(match.ply).digest() != digest:
        yield f"a match in which a seat went back is not the same at its last position {_where(match, seed, None)}"
