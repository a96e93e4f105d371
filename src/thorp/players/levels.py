"""The levels that tables offer, from friendly to as strong as there is; all figures of what a level may do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thorp.core.game import AnyGame
from thorp.core.words import Said
from thorp.players.search import Way


@dataclass(frozen=True)
class Level:
    """One of the players that tables offer."""

    name: str
    #: What people call it.
    called: Said[str]
    #: So much processor time it takes for a decision, in seconds; 0: it answers at once.
    seconds: float
    way: Way
    #: So many of a hundred moves it does not see when it looks at them, where there are many.
    overlooks: int = 0


#: Where there is no more to choose from than this, nothing is overlooked; and of more, so many are always seen.
PLAIN_TO_SEE = 2

LEVELS = (
    # these two know what anybody would who has read the rules, and nothing that was learned
    Level("friendly", "friendly", 0, Way(candidates=1, learned=False), overlooks=80),
    Level("casual", "casual", 0, Way(candidates=1, learned=False), overlooks=48),
    # thinking longer alone tells levels apart by little: these think of more, and overlook less
    Level("skilled", "skilled", 0.05, Way(candidates=4), overlooks=40),
    Level("strong", "strong", 0.3, Way(candidates=8, reach=2), overlooks=15),
    Level("master", "master", 1.8, Way(candidates=12, reach=3)),
)
BY_NAME = {level.name: level for level in LEVELS}
_TIMED = re.compile(r"(\w+)@(\d{1,3}(?:\.\d{1,4})?)")
#: Who sits opposite unless one chooses otherwise, and plays for who is away.
USUAL = "skilled"


def level_of(name: str) -> Level | None:
    """The level of that name; `master@0.1` is *master* with so many seconds a decision. None where there is none."""
    if not isinstance(name, str):
        # from somebody's own program
        return None
    if (timed := _TIMED.fullmatch(name)) is None:
        return BY_NAME.get(name)
    level, seconds = BY_NAME.get(timed[1]), float(timed[2])
    return replace(level, name=name, seconds=seconds) if level and level.seconds and seconds else None


def overlooked(level: Level, game: AnyGame) -> int:
    """How many of a hundred moves a level does not see in a game: what it misses each time that it looks.

    Or as many as the game says (`Game.overlooks`).
    """
    if (told := game.overlooks.get(level.name.partition("@")[0])) is not None:
        return told
    return round(100 * (level.overlooks / 100) ** game.looks)


def seen(missed: int, seed: int, legal: Sequence[int]) -> Sequence[int]:
    """The legal moves that are seen in a decision with such a seed by who overlooks so many of 100, others in each."""
    if len(legal) <= PLAIN_TO_SEE:
        return legal
    clear = [_mixed(seed, move) % 100 for move in legal]
    # who overlooks much still sees as many as are plain to see
    least = min(missed, sorted(clear)[-PLAIN_TO_SEE])
    return [move for move, each in zip(legal, clear, strict=True) if each >= least]


def _mixed(seed: int, move: int) -> int:
    # SplitMix64's mixing: neighbours among moves have nothing to do with each other
    mixed = (seed + (move + 1) * 0x9E37_79B9_7F4A_7C15) & 0xFFFF_FFFF_FFFF_FFFF
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9) & 0xFFFF_FFFF_FFFF_FFFF
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB) & 0xFFFF_FFFF_FFFF_FFFF
    return mixed ^ (mixed >> 31)
