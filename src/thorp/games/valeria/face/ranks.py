"""Ranks of solo play: the scores that earn them (docs/valeria.md, Solo)."""

from __future__ import annotations

from dataclasses import dataclass

from thorp.core.words import Said
from thorp.games.valeria.decks.known import DECKS, FIRST, SECOND


@dataclass(frozen=True)
class Rank:
    """A rank, and the least points for it."""

    points: int
    name: Said[str]


#: What they are called, the lowest first.
NAMES: tuple[Said[str], ...] = ("Clearing", "Hamlet", "Village", "Market town", "City", "Capital of Valeria")
#: By edition: the first rank has no threshold. The next two are the 20th and 60th hundredths of the scores of the
#: learned player, who looks one move ahead, over 4,000 games; the last three the 20th, 60th and 95th of one who plays
#: games on from there, 0.02 s a decision, over 150 games (docs/valeria-balance.md).
THRESHOLDS = {
    SECOND: (0, 80, 83, 87, 89, 92),
    FIRST: (0, 46, 50, 54, 57, 58),
}
RANKS = {
    edition: tuple(Rank(points, name) for points, name in zip(thresholds, NAMES, strict=True))
    for edition, thresholds in THRESHOLDS.items()
}


def ranks_of(key: int) -> tuple[Rank, ...]:
    """The ranks of the deck of that key; a deck of one's own is measured by the second edition."""
    return RANKS[FIRST if DECKS.of_value(FIRST).key == key else SECOND]


def rank_of(points: int, key: int) -> Rank:
    """The rank that so many points earn with the deck of that key."""
    ranks = ranks_of(key)
    return max((rank for rank in ranks if rank.points <= points), key=lambda rank: rank.points, default=ranks[0])
