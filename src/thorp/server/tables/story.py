"""The story of a match: its log as messages for every reader, and the course of the scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from thorp.compiling.mode import COMPILED
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Entry, Step
from thorp.core.words import Message, Seat


def went_back(seat: int) -> Message:
    """What is told where a match went back, beyond what a seat can take back freely."""
    return Message("{seat} went back to here; what comes now was drawn anew.", {"seat": Seat(seat)})


@dataclass(frozen=True, eq=False)
class Line:
    """One move in words."""

    ply: int
    seat: int
    forced: bool
    #: Where this move is the first one of a round: its number, and the scores at that moment.
    round: int | None
    scores: tuple[int, ...]
    #: And the points of whoever takes part without a seat.
    rival: int | None
    #: For a spectator, then for every seat: the move, and what else happened with it.
    told: tuple[Message, ...]
    followed: tuple[tuple[Message, ...], ...]
    family: str
    arguments: Mapping[str, int]

    def tell(self, reader: int | None) -> Message:
        """The move, for a seat or for a spectator."""
        return self.told[0 if reader is None else reader + 1]

    def what_followed(self, reader: int | None) -> tuple[Message, ...]:
        """What else happened with it."""
        return self.followed[0 if reader is None else reader + 1]

    def is_open(self, reader: int | None) -> bool:
        """Whether a seat (or a spectator) may know which move it was.

        A game's `tell` gives the whole move to the player itself; a reader who is told the same words may know it.
        """
        return self.tell(reader) == self.told[self.seat + 1]


class Story:
    """What can be told of a match. It grows with the match, and no move is played again for it."""

    def __init__(self, match: AnyMatch) -> None:
        self._game: AnyGame = match.game
        self._readers: tuple[int | None, ...] = (None, *range(match.seats))
        #: Moves that were played and are not told yet: they are when somebody looks.
        self._untold: list[Step] = list(match.steps())
        self._lines: list[Line] = []
        self._entries: list[Entry] = list(match.log())
        self._anew = match.anew

    def add(self, steps: Iterable[Step]) -> None:
        """Take note of what was played."""
        for step in steps:
            self._untold.append(step)
            self._entries.append(Entry(step.seat, step.move, step.forced))

    def begin_again(self, match: AnyMatch) -> None:
        """After moves were taken back: keep what is still true, and follow `match` from there."""
        entries = match.log()
        same = next((n for n, both in enumerate(zip(self._entries, entries)) if both[0] != both[1]), len(entries))
        # Where chance was drawn anew the same moves have brought something else.
        same = min([same, *(anew.ply for anew in {*self._anew} ^ {*match.anew})])
        self._anew = match.anew
        self.lines  # noqa: B018 - what is untold is told while it is known
        del self._lines[same:], self._entries[same:]
        self.add(step for ply, step in enumerate(match.steps()) if ply >= same)

    @property
    def lines(self) -> Sequence[Line]:
        """All that has happened, from the beginning."""
        for step in self._untold:
            self._lines.append(self._line(step))
        self._untold.clear()
        return self._lines

    def course(self, match: AnyMatch) -> tuple[Mapping[str, Any], ...]:
        """The scores at the end of every round of a match that is over: of all seats, and of who has none (None)."""
        starts = [line for line in self.lines if line.round is not None]
        if not starts:
            return ()
        ends = [
            {"round": before.round, "points": after.scores, "rival": after.rival} for before, after in pairwise(starts)
        ]
        last = {"round": starts[-1].round, "points": match.scores, "rival": _rival(match.game, match.state)}
        return (*ends, last)

    def _line(self, step: Step) -> Line:
        game, readers = self._game, self._readers
        move = game.moves.decode(step.move)
        number = self._round_of(step.before)
        begins = number is not None and number != self._round()
        return Line(
            ply=len(self._lines),
            seat=step.seat,
            forced=step.forced,
            round=number if begins else None,
            scores=tuple(int(game.score(step.before, seat)) for seat in range(len(readers) - 1)) if begins else (),
            rival=_rival(game, step.before) if begins else None,
            told=tuple(game.face.tell(step.before, step.seat, step.move, reader) for reader in readers),
            followed=tuple(game.face.follows(step.before, step.after, reader) for reader in readers),
            family=move.family,
            arguments=move.arguments,
        )

    def _round_of(self, state: Any) -> int | None:
        """A record may have a field `round`: the log is divided by it, and the course of the scores too."""
        if "round" not in (self._game.record.dtype.names or ()):
            return None
        return int(state["round"] if COMPILED else state.round)

    def _round(self) -> int | None:
        return next((line.round for line in reversed(self._lines) if line.round is not None), None)


def _rival(game: AnyGame, state: Any) -> int | None:
    rival = game.face.rival(state)
    return None if rival is None else rival.total
