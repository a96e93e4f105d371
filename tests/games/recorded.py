"""Recorded whole matches, in tests/matches: played again they end in the same state, byte for byte.

The programs beside them (`make.py` and the like) record them anew when the rules change on purpose.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match
from thorp.games import tiny_towns, valeria, villagers

MATCHES = Path(__file__).parents[1] / "matches"
GAMES: dict[str, AnyGame] = {"tiny_towns": tiny_towns.GAME, "valeria": valeria.GAME, "villagers": villagers.GAME}


@cache
def results(game: str) -> dict[str, Any]:
    """How the recorded matches of a game have ended, by name."""
    return tomllib.loads((MATCHES / game / "results.toml").read_text(encoding="utf-8"))


@cache
def recorded(game: str, name: str) -> AnyMatch:
    """A match, played again; that checks its digest."""
    return Match.load((MATCHES / game / f"{name}.json").read_text(encoding="utf-8"))
