"""The story of a match: its log in words for every reader, and the course of the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from thorp.core.match import Entry, Match
from thorp.server.words import html


@dataclass(frozen=True)
class Line:
    """One move in words."""

    ply: int
    seat: int
    forced: bool
    #: Where this move is the first one of a round: its number, and the scores at that moment.
    round: int | None
    scores: tuple[int, ...]
    #: For a spectator, then for every seat.
    texts: tuple[Markup, ...]
    #: Whether that reader may know the move itself: spectator, then seats.
    open: tuple[bool, ...]
    family: str
    arguments: Mapping[str, int]

    def text(self, reader: int | None) -> Markup:
        """The words for a seat, or for a spectator."""
        return self.texts[0 if reader is None else reader + 1]

    def is_open(self, reader: int | None) -> bool:
        """Whether a seat (or a spectator) may know which move it was.

        A game's `tell` gives the whole move to the player itself; a reader who is told the same words may know it.
        """
        return self.open[0 if reader is None else reader + 1]


class Story:
    """What has been told of a match so far. It grows with the match, so that no request tells it all again."""

    def __init__(self, names: Sequence[str]) -> None:
        self.lines: list[Line] = []
        self._names = names
        self._entries: list[Entry] = []
        #: The match that is followed, and a second one that goes through its moves one by one.
        self._present: Match | None = None
        self._past: Match | None = None

    def follow(self, match: Match) -> None:
        """Tell on to the present of `match`; after a take-back, from where the two part."""
        if match is self._present:
            return
        entries = match.log()
        same = _common(self._entries, entries)
        if self._past is None or same < len(self._entries):
            self._past = match.at(same)
            del self.lines[same:], self._entries[same:]
        for entry in entries[same:]:
            self.lines.append(self._line(self._past, entry))
            self._entries.append(entry)
            self._past.play(entry.seat, entry.move)
        self._present = match

    def course(self, final: tuple[int, ...]) -> tuple[Mapping[str, Any], ...]:
        """The scores at the end of every round; `final` are those at the end of the match."""
        starts = [line for line in self.lines if line.round is not None]
        if not starts:
            return ()
        ends = [{"round": before.round, "points": after.scores} for before, after in pairwise(starts)]
        return (*ends, {"round": starts[-1].round, "points": final})

    def _line(self, past: Match, entry: Entry) -> Line:
        game = past.game
        readers: tuple[int | None, ...] = (None, *range(past.seats))
        messages = [game.face.tell(past.state, entry.seat, entry.move, reader) for reader in readers]
        move = game.moves.decode(entry.move)
        # A record may have a field `round`; the log is divided by it, and the course of the scores too.
        number = getattr(past.plain, "round", None)
        begins = number is not None and number != self._round()
        own = messages[entry.seat + 1]
        own_text = html(own, self._names)
        return Line(
            ply=len(self._entries),
            seat=entry.seat,
            forced=entry.forced,
            round=number if begins else None,
            scores=past.scores if begins else (),
            texts=tuple(own_text if message == own else html(message, self._names) for message in messages),
            open=tuple(message == own for message in messages),
            family=move.family,
            arguments=move.arguments,
        )

    def _round(self) -> int | None:
        return next((line.round for line in reversed(self.lines) if line.round is not None), None)


def _common(ours: Sequence[Entry], theirs: Sequence[Entry]) -> int:
    """How many entries two logs have in common at the beginning."""
    for index, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            return index
    return min(len(ours), len(theirs))
