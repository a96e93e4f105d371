"""What happened since one's own last move: the sentences of the log, without those that say no more than "done"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from markupsafe import Markup

#: The family of the move that ends what a seat does (see docs/games.md).
DONE = "done"
#: So many moves are told, the latest; the others are in the log.
_MOST = 24


class Told(Protocol):
    """As much of a line of the log as a recap is made of."""

    @property
    def seat(self) -> int:
        """Whose move it was."""
        ...

    @property
    def family(self) -> str:
        """Which kind of move, where the reader may know that."""
        ...

    @property
    def text(self) -> Markup:
        """The move in words."""
        ...

    @property
    def followed(self) -> tuple[Markup, ...]:
        """What else happened with it."""
        ...

    @property
    def fresh(self) -> bool:
        """Whether somebody else made it, since the reader's own last one."""
        ...


@dataclass(frozen=True)
class Recap:
    """What others did: for each that did something, one after the other, what it was."""

    turns: tuple[tuple[Markup, ...], ...]
    #: Whether the reader has made a move of its own before; whether more has happened since than is told here.
    since: bool
    shortened: bool


def recap(log: Sequence[Told], since: bool, own: Told | None = None) -> Recap | None:
    """What others did, by the log as it is shown to a seat; None where nothing happened. `since`: as in Recap.

    `own`: the reader's last move. Where it was to be done, what followed comes first: a round may have ended with it.
    """
    fresh = [line for line in log if line.fresh]
    busy = {line.seat for line in fresh if line.family != DONE}
    turns: list[tuple[int, list[Markup]]] = []
    if own and own.family == DONE and own.followed:
        turns.append((own.seat, [*own.followed]))
    for line in fresh[-_MOST:]:
        said = [*([] if line.family == DONE and line.seat in busy else [line.text]), *line.followed]
        if turns and turns[-1][0] == line.seat:
            turns[-1][1].extend(said)
        elif said:
            turns.append((line.seat, said))
    if not turns:
        return None
    return Recap(tuple(tuple(said) for _, said in turns), since, len(fresh) > _MOST)
