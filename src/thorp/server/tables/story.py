"""The story of a match: its log as messages for every reader, and the course of the scores."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from thorp.compiling.mode import COMPILED
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Step
from thorp.core.words import Message, Seat

#: Of so many moves the states around them are kept.
_LATEST = 20


def went_back(seat: int) -> Message:
    """What is told where a match went back, beyond what a seat can take back freely."""
    return Message("{seat} went back to here; what comes now was drawn anew.", {"seat": Seat(seat)})


@dataclass(frozen=True, eq=False)
class Line:
    """One move of a match."""

    ply: int
    seat: int
    forced: bool
    #: Where this move is the first one of a round: its number, and the scores at that moment.
    round: int | None
    scores: tuple[int, ...]
    #: And the points of whoever takes part without a seat.
    rival: int | None
    family: str
    arguments: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Told:
    """A move in words for one reader: a seat, or a spectator."""

    line: Line
    text: Message
    #: What else happened with it.
    followed: tuple[Message, ...]
    #: Whether the reader may know which move it was. A game's `tell` gives the whole move to the player itself; a
    #: reader who is told the same words may know it.
    is_open: bool


class Story:
    """What can be told of a match. It grows with the match, and each reader is told of it when it looks.

    Whatever it keeps can be told again: where the states around a move are no longer at hand, the match is played again
    up to it (10 µs a move, where to tell one takes 50 µs a reader).
    """

    def __init__(self, match: AnyMatch) -> None:
        self._game: AnyGame = match.game
        #: As at a table: replaced as a whole, never changed.
        self._match = match
        self._lines: list[Line] = []
        #: For each reader that has looked, as far as the match had come then.
        self._told: dict[int | None, list[Told]] = {}
        #: The last ones that were played, in case somebody looks after each: of states a match has more than of words.
        self._latest: deque[Step] = deque(maxlen=_LATEST)
        #: Of a story that goes ahead: the lines of the one that it was made of.
        self._behind: list[Line] | None = None

    def add(self, match: AnyMatch, steps: Iterable[Step]) -> None:
        """Take note of what was played, and of the match that came of it."""
        self._match = match
        self._latest.extend(steps)

    def begin_again(self, match: AnyMatch) -> None:
        """After moves were taken back: keep what is still true, and follow `match` from there."""
        before, after = self._match.log(), match.log()
        same = next((n for n, both in enumerate(zip(before, after)) if both[0] != both[1]), len(after))
        # Where chance was drawn anew the same moves have brought something else.
        same = min([same, len(before), *(anew.ply for anew in {*self._match.anew} ^ {*match.anew})])
        self._match = match
        self._latest.clear()
        # Other lists: what is told ahead of the old ones is not true of these.
        self._lines = self._lines[:same]
        self._told = {reader: told[:same] for reader, told in self._told.items()}

    def forget(self) -> None:
        """Keep the match alone."""
        self._latest.clear()
        self._lines, self._told = [], {}

    @property
    def lines(self) -> Sequence[Line]:
        """All that has happened, from the beginning."""
        for step in self._steps(len(self._lines)):
            self._lines.append(self._line(step))
        return self._lines

    def told(self, reader: int | None) -> Sequence[Told]:
        """All that has happened, for a seat or for a spectator (None), who is told nothing that it may not know."""
        told = self._told.setdefault(reader, [])
        steps = self._steps(len(told))
        for step in steps[len(self._lines) - len(told) :]:
            self._lines.append(self._line(step))
        for step in steps:
            told.append(self._tell(self._lines[len(told)], step, reader))
        return told

    def untold(self, reader: int | None) -> int:
        """How many moves a reader has not been told of."""
        return self._match.ply - len(self._told.get(reader, ()))

    def ahead(self, reader: int | None) -> Story:
        """The same story for a thread that tells it to a reader: nothing of it changes with this one."""
        twin = Story(self._match)
        twin._lines = list(self._lines)
        twin._told = {reader: list(self._told.get(reader, ()))}
        twin._behind = self._lines
        return twin

    def catch_up(self, twin: Story) -> None:
        """Take over what was told meanwhile by a story that went ahead of this one, where that is still true."""
        if twin._behind is not self._lines:
            return
        self._lines += twin._lines[len(self._lines) :]
        for reader, theirs in twin._told.items():
            mine = self._told.setdefault(reader, [])
            mine += theirs[len(mine) :]

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

    def _steps(self, first: int) -> list[Step]:
        """The moves from one on, with the states around them."""
        missing = self._match.ply - first
        if missing > len(self._latest):
            return list(islice(self._match.steps(), first, None))
        return list(self._latest)[len(self._latest) - missing :]

    def _line(self, step: Step) -> Line:
        game = self._game
        move = game.moves.decode(step.move)
        number = self._round_of(step.before)
        begins = number is not None and number != self._round()
        return Line(
            ply=len(self._lines),
            seat=step.seat,
            forced=step.forced,
            round=number if begins else None,
            scores=tuple(int(game.score(step.before, seat)) for seat in range(self._match.seats)) if begins else (),
            rival=_rival(game, step.before) if begins else None,
            family=move.family,
            arguments=move.arguments,
        )

    def _tell(self, line: Line, step: Step, reader: int | None) -> Told:
        face = self._game.face
        text = face.tell(step.before, step.seat, step.move, reader)
        is_open = reader == step.seat or text == face.tell(step.before, step.seat, step.move, step.seat)
        return Told(line, text, face.follows(step.before, step.after, reader), is_open)

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
