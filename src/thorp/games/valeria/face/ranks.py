"""Ranks of solo play: the scores that earn them, measured with the strongest player (docs/valeria.md, Solo)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rank:
    """A rank, and the least points for it."""

    points: int
    name: str


#: From the lowest to the highest: the first has no threshold, the others are the 20th, 40th, 60th, 80th and 95th
#: hundredths of the greedy player's scores with the Thorp deck, over 4,000 games.
RANKS = (
    Rank(0, "Clearing"),
    Rank(35, "Hamlet"),
    Rank(38, "Village"),
    Rank(41, "Market town"),
    Rank(43, "City"),
    Rank(46, "Capital of Valeria"),
)


def rank_of(points: int) -> Rank:
    """The rank that so many points earn."""
    return max((rank for rank in RANKS if rank.points <= points), key=lambda rank: rank.points, default=RANKS[0])
