"""How a game shows itself to people: views, words, steps to click, and the score sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from thorp.core.rulebook import RuleCard
from thorp.core.words import Many, Message, Said, Term

P = TypeVar("P")
V = TypeVar("V")


@dataclass(frozen=True)
class ScoreRow:
    """A line of the score sheet: a source of points, and for every seat its points and why."""

    label: Message
    points: tuple[int, ...]
    notes: tuple[Message | None, ...]
    card: str = ""

    @classmethod
    def of(
        cls, label: Said[str], players: Sequence[P], points: Callable[[P], int], note: Callable[[P], Message | None]
    ) -> ScoreRow:
        """A row of what each player, as a view shows it, has of something."""
        return cls(
            Message(label), tuple(points(player) for player in players), tuple(note(player) for player in players)
        )


@dataclass(frozen=True)
class ScoreSheet:
    """The score of every seat, broken down by source; the rows add up to the totals."""

    rows: tuple[ScoreRow, ...]
    totals: tuple[int, ...]
    standings: tuple[int, ...]
    #: What settled a tie, or a rank in solo play; shown below the totals.
    remarks: tuple[Message, ...] = ()
    #: What is counted: so much of it, of one and of many, and the word for it.
    unit: Said[str] = "{n} point"
    units: Many[str] = "{n} points"
    counts: Said[str] = "Points"
    #: What the points of a lone player are called, in a game that has such words: a message without data.
    rank: Message | None = None

    def so_many(self, n: float) -> Message:
        """A number of what is counted, in words."""
        return Message(self.unit, {"n": n}, self.units)


def next_rank(points: int, ranks: Iterable[tuple[int, Said[str]]]) -> tuple[Message, ...]:
    """What a lone player may come to next, as a remark; none after the highest. `ranks`: their points and names."""
    above = [(least, name) for least, name in ranks if least > points]
    if not above:
        return ()
    least, name = min(above)
    return (Message("Next: {rank}, from {points} points.", {"rank": Term(name), "points": least}),)


@dataclass(frozen=True)
class Rival:
    """Somebody who plays by the rules alone, without a seat, and whom a lone player has to beat."""

    name: Message
    #: Its points by the rows of the score sheet, and why; no notes where the game gives none.
    points: tuple[int, ...]
    notes: tuple[Message | None, ...] = ()

    @property
    def total(self) -> int:
        """All its points."""
        return sum(self.points)


@dataclass(frozen=True)
class Answer:
    """What a seat can answer beforehand to a question that concerns it only sometimes."""

    #: What it is stored by; of two answers of a game none has the same.
    id: str
    #: As the seat says it: "Do not ask me to follow Tax".
    words: Message
    #: It may hold as long as this number stays what it is, in words: "until my next turn".
    span: int
    until: Message
    #: The move by which it answers what the seat is asked now; None where that is another question, or none.
    move: int | None


def no_answers(state: Any, seat: int) -> tuple[Answer, ...]:
    """What can be answered beforehand in a game that asks everybody everything."""
    return ()


def no_rival(state: Any) -> Rival | None:
    """Whom a lone player has to beat in a game where that is nobody."""
    return None


def no_reason(state: Any, seat: int, thing: str, chosen: tuple[str, ...]) -> Message | None:
    """Why something cannot be chosen, in a game that does not say."""
    return None


def nothing_follows(before: Any, after: Any, reader: int | None) -> tuple[Message, ...]:
    """What follows from the moves of a game in which nothing does."""
    return ()


def no_rule_cards() -> tuple[RuleCard, ...]:
    """The cards of a game that has none."""
    return ()


@dataclass(frozen=True)
class Face(Generic[V]):
    """How a game shows itself: all in plain Python, none of it needed to play or to search.

    Functions take a state as the rules do; `Record.of` makes it readable.
    """

    #: What a seat (None: a spectator) may see: an allow-list made of frozen dataclasses.
    view: Callable[[Any, int | None], V]
    #: What is asked of a seat now, or what is being waited for.
    prompt: Callable[[Any, int | None], Message]
    #: A move in words, as its player is offered it: "Build a Well on B2".
    offer: Callable[[Any, int, int], Message]
    #: A move that was played, in words for `reader`: "Ada builds a Well on B2." The state is as it was before the
    #: move. The player itself is told all of it; whoever is told the same words may know the move.
    tell: Callable[[Any, int, int, int | None], Message]
    #: The things to click for a move, in order, as ids of elements: ("card-3", "foot-3-7", "square-5").
    steps: Callable[[Any, int, int], tuple[str, ...]]
    #: The score sheet of a finished game, or of one that goes on as if it ended now.
    sheet: Callable[[Any], ScoreSheet]
    #: The state as text for the terminal, as `seat` sees it.
    text: Callable[..., str]
    #: What else happened with a move, by the states before and after it: a card that was turned, a market.
    follows: Callable[[Any, Any, int | None], tuple[Message, ...]] = nothing_follows
    #: What a seat can answer beforehand, all the same to who cannot see its secrets: what it is asked, and not what it
    #: has, decides which of these answer now.
    beforehand: Callable[[Any, int], tuple[Answer, ...]] = no_answers
    #: Who takes part without a seat, with its points as if the game ended now: a column of the score sheet.
    rival: Callable[[Any], Rival | None] = no_rival
    #: The cards that come with the game, as its rules list them (see `rulebook.py`).
    rule_cards: Callable[[], tuple[RuleCard, ...]] = no_rule_cards
    #: Why a thing that the table shows cannot be chosen now by a seat that is asked something: `thing` is a step that
    #: leads to no move, `chosen` are steps taken already. Made only of what the seat may know; None where the reason is
    #: that something else is asked, which `core.why` says in words of any game.
    why_not: Callable[[Any, int, str, tuple[str, ...]], Message | None] = no_reason
    #: Functions that templates may call, by name.
    tools: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
