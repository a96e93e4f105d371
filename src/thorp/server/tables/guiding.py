"""Guided first games at tables: how far a person is, and whether the guide speaks. What it says is the game's."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from thorp.core.guide import Guide, GuideError, guide_of
from thorp.server.tables.refusals import Forbidden

if TYPE_CHECKING:
    from thorp.core.game import AnyGame
    from thorp.core.match import AnyMatch
    from thorp.server.tables.store import Company, TableRow


@dataclass(frozen=True)
class Guiding:
    """How far a guided first game is: all else follows from the match."""

    #: The steps before this one are behind: the last of them was read.
    read: int = 0
    #: Whether the person plays without the guide.
    rests: bool = False

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> Guiding | None:
        """That of a row of `table`."""
        return None if stored is None else cls(**stored)

    @property
    def stored(self) -> dict[str, Any]:
        """It as a row of `table` has it."""
        return dict(self.__dict__)


def salt_of(game: AnyGame, guide: Guide) -> str:
    """The salt of all tables of a guide: with the seed it fixes what bots think, so that the guide can rely on it."""
    return hashlib.sha256(f"guide {game.id} {guide.seed}".encode()).hexdigest()[:32]


def has_chosen(row: TableRow, match: AnyMatch, seat: int) -> int | None:
    """What the guide of a table has a bot choose now; None where the bot has to think for itself."""
    if row.guide is None:
        return None
    try:
        guide = guide_of(match.game)
    except GuideError:
        # whoever shows the table says what is wrong with it
        return None
    return guide.has_chosen(match, seat) if guide else None


def has_read(person: str, step: int) -> Callable[[Company], Company]:
    """A person has read a step. Sent twice, or late, it changes nothing."""
    return _changed(person, lambda guiding: replace(guiding, read=max(guiding.read, step + 1)))


def rests(person: str, *, whether: bool) -> Callable[[Company], Company]:
    """A person plays on without the guide, or takes it up again."""
    return _changed(person, lambda guiding: replace(guiding, rests=whether))


def _changed(person: str, change: Callable[[Guiding], Guiding]) -> Callable[[Company], Company]:
    def changed(company: Company) -> Company:
        guiding = Guiding.of(company.table.guide)
        if guiding is None or all(seat.person != person for seat in company.seats):
            raise Forbidden(
                "Nobody guides you at this table. Choose a game on the first page, and learn it by playing."
            )
        return replace(company, table=replace(company.table, guide=change(guiding).stored))

    return changed
