"""What a move would score now: the rules play it in games of which all that its seat cannot know was dealt again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thorp.core.game import AnyGame

#: So many times what the seat cannot know is dealt again: what comes out differently is not told.
DEALS = (1, 2)


def forecast(game: AnyGame, state: Any, seat: int, moves: Iterable[int]) -> dict[int, tuple[int, int]]:
    """The points of a seat now and right after each of these legal moves of it, as if the game ended then.

    Moves with which that depends on anything the seat cannot know, or on chance to come, are left out.
    """
    dealt = [as_known(game, state, seat, seed) for seed in DEALS]
    found = {move: {_points(game, known, seat, move) for known in dealt} for move in moves}
    return {move: points.pop() for move, points in found.items() if len(points) == 1}


def as_known(game: AnyGame, state: Any, seat: int, seed: int = DEALS[0]) -> Any:
    """A copy of a state in which all that the seat cannot know was dealt again."""
    known = game.copy(state)
    game.determinize(known, seat, seed)
    return known


def _points(game: AnyGame, known: Any, seat: int, move: int) -> tuple[int, int]:
    after = game.copy(known)
    game.play(after, seat, move)
    return int(game.score(known, seat)), int(game.score(after, seat))
