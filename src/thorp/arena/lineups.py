"""Who sits with whom: tables for every two players, for one against all others, or for all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from thorp.core.errors import GameError


@dataclass(frozen=True)
class Lineup:
    """The players of a table, by name. A deal is played once with each way to sit round it in this order."""

    players: tuple[str, ...]

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """All ways to sit, the first player moving on by a seat each time; those that are the same only once."""
        turned = [self.players[-by:] + self.players[:-by] for by in range(len(self.players))]
        return tuple(dict.fromkeys(turned))

    @property
    def turned(self) -> Lineup:
        """The same table in the first of all orders that are turns of this one: they have the same deals."""
        return Lineup(min(self.seatings))

    @property
    def lone(self) -> tuple[str, str] | None:
        """One player, and who plays all other seats; None where it is not so."""
        first, others = self.players[0], set(self.players[1:])
        return (first, *others) if len(others) == 1 and first not in others else None  # type: ignore[return-value]

    @property
    def words(self) -> str:
        """The table in words: "greedy, 3 x random"."""
        times = {name: self.players.count(name) for name in self.players}
        return ", ".join(f"{n} × {name}" if n > 1 else name for name, n in times.items())


def lineups(
    players: Sequence[str], seats: int, *, against: str | None = None, mixed: bool = False, mirror: bool = False
) -> tuple[Lineup, ...]:
    """The tables of a contest.

    With two seats every two players meet; with more, each of two plays alone against the other at all other seats.
    `against`: only tables with that player. `mixed`: instead every choice of as many players as there are seats.
    `mirror`: also every player with itself. Alone, everybody plays the same deals.
    Raises GameError where no table comes about.
    """
    if against is not None and against not in players:
        raise GameError(f"{against!r} does not take part: name it with --player too")
    found: list[tuple[str, ...]] = []
    if seats == 1:
        if against is not None:
            raise GameError("alone nobody plays against anybody: leave --against out")
        found += [(name,) for name in players]
    elif mixed:
        if len(players) < seats:
            raise GameError(f"{seats} different players sit at a mixed table, and only {len(players)} take part")
        found += [table for table in combinations(players, seats) if against in (None, *table)]
    else:
        for one, other in combinations(players, 2):
            if against in (None, one, other):
                pair = (other, one) if against == other else (one, other)
                found.append((pair[0], *[pair[1]] * (seats - 1)))
                if seats > 2:
                    found.append((pair[1], *[pair[0]] * (seats - 1)))
    if mirror and seats > 1:
        found += [(name,) * seats for name in players]
    if not found:
        raise GameError("two players at least take part, or one with --mirror")
    return tuple(map(Lineup, found))
