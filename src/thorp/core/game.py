"""The contract of a game, its options, and the registry of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np

from thorp.core.mode import COMPILED
from thorp.core.moves import MoveSpace
from thorp.core.preparing import prepare
from thorp.core.record import Record
from thorp.core.rule import make_move_list
from thorp.core.words import Card, Message

#: The group of entry points in which a package announces its games.
ENTRY_POINTS = "thorp.games"


class GameError(ValueError):
    """Something asked of a game that its rules or options do not allow. The text tells a person what to do."""


class OptionError(GameError):
    """An option that is unknown, out of range or impossible with this number of seats."""


class IllegalMove(GameError):
    """A move that is not legal now."""


@dataclass(frozen=True)
class OptionFile:
    """What an option accepts besides its named values: the text of a file, such as a deck of one's own.

    The text is the value: it travels with the table and with an exported match.
    """

    #: Checks a text and gives its canonical form, the same for texts that mean the same. Raises OptionError.
    read: Callable[[str], str]
    #: The numbers that `deal` takes for a value, a named one too; always as many.
    numbers: Callable[[str], Sequence[int]]
    #: What people call a value.
    label: Callable[[str], str]
    #: Of a file's name, for the dialog that chooses one.
    suffix: str = ".toml"
    #: For whoever writes such a file: what is in one, in lines, and all that is wrong with it.
    report: Callable[[bytes], tuple[Sequence[str], Sequence[str]]] | None = None


@dataclass(frozen=True)
class Option:
    """A choice that a table makes before the game: one of `values`, the first being the default.

    Yes/no options have the values "no" and "yes" in the order that makes the default first.
    """

    id: str
    label: str
    values: tuple[str, ...]
    labels: tuple[str, ...]
    help: str = ""
    #: For which numbers of seats it is offered; elsewhere it keeps its default.
    seats: range = range(1, 100)
    #: For an option that accepts the text of a file too.
    file: OptionFile | None = None

    @property
    def default(self) -> str:
        """The value that holds where nothing is said."""
        return self.values[0]

    def read(self, value: object) -> str:
        """A value that was chosen, checked. Raises OptionError."""
        if isinstance(value, str) and value in self.values:
            return value
        if isinstance(value, str) and self.file:
            return self.file.read(value)
        raise OptionError(f"{self.id} cannot be {value!r}; choose one of {', '.join(self.values)}")

    def label_of(self, value: str) -> str:
        """What people call a value."""
        if value in self.values:
            return self.labels[self.values.index(value)]
        assert self.file
        return self.file.label(value)

    def numbers(self, value: str) -> Sequence[int]:
        """What `deal` takes for a value: its place in `values`, or what its file says."""
        return self.file.numbers(value) if self.file else (self.values.index(value),)


@dataclass(frozen=True)
class ScoreRow:
    """A line of the score sheet: a source of points, and for every seat its points and why."""

    label: Message
    points: tuple[int, ...]
    notes: tuple[Message | None, ...]
    card: str = ""


@dataclass(frozen=True)
class ScoreSheet:
    """The score of every seat, broken down by source; the rows add up to the totals."""

    rows: tuple[ScoreRow, ...]
    totals: tuple[int, ...]
    standings: tuple[int, ...]
    #: What settled a tie, or a rank in solo play; shown below the totals.
    remarks: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Face:
    """How a game shows itself to people: all in plain Python, none of it needed to play or to search.

    Functions take a state as the rules do; `Record.of` makes it readable.
    """

    #: What a seat (None: a spectator) may see: an allow-list made of frozen dataclasses.
    view: Callable[[Any, int | None], Any]
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
    text: Callable[[Any, int | None], str]
    #: The Jinja template of the table, in the game's folder; `table.css` beside it is its stylesheet.
    template: str = "table.html"
    #: Functions that the template may call, by name.
    tools: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Game:
    """A game: its record, its moves and its rules.

    Rules take the record first. `State` stands for a NumPy record compiled, and for the plain object otherwise;
    `state()` makes the right one. The record has a row `chance` (the generator) and a field `barrier` that counts what
    cannot be taken back (see `match.py`); a field `round`, where it has one, divides the log.

    ========================================  =====================================================================
    `deal(state, seats, options, seed)`       a new game, into a zeroed state
    `waiting(state) -> int`                   bit mask of the seats that have something to decide
    `legal(state, seat, moves) -> int`        writes the legal moves of a seat, says how many
    `play(state, seat, move)`                 one legal move, with all that follows until somebody has to decide
    `over(state) -> bool`                     whether the game has ended
    `score(state, seat) -> int`               points, also before the end (as if it ended now)
    `standing(state, seat) -> int`            1 for the winner, after all tie-breaks; ties share a place
    `determinize(state, seat, seed)`          deal again all that `seat` cannot know, and all chance to come
    `evaluate(state, seat) -> int`            how promising the position is for a seat; any scale, more is better
    `owned(state, seat, counts)`              adds to `counts`, which has a zero for each of `cards(options)`, how many
                                              of that card the seat has; may be left out, and then no cards are told
    ========================================  =====================================================================
    """

    id: str
    name: str
    seats: range
    rules_version: int
    record: type[Record]
    moves: MoveSpace
    options: tuple[Option, ...]
    deal: Callable[..., None]
    waiting: Callable[..., int]
    legal: Callable[..., int]
    play: Callable[..., None]
    over: Callable[..., bool]
    score: Callable[..., int]
    standing: Callable[..., int]
    determinize: Callable[..., None]
    evaluate: Callable[..., int]
    face: Face
    folder: Path
    #: Who made the boxed game, for the page of credits.
    credit: str
    #: Refuses options that do not go together: raises OptionError.
    check: Callable[[int, Mapping[str, str]], None] = lambda seats, options: None
    #: The cards that `owned` counts, in its order, with these options.
    cards: Callable[[Mapping[str, str]], tuple[Card, ...]] = lambda options: ()
    owned: Callable[..., None] | None = None
    #: Families of moves that end what a seat could take back: while it could, a match does not play them by itself.
    unforced: frozenset[str] = frozenset()
    #: Named sets of options, offered together ("First game").
    presets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def state(self) -> Any:
        """A zeroed state: a NumPy record compiled, an object of `record` plain."""
        return np.zeros(1, self.record.dtype)[0] if COMPILED else self.record()

    def copy(self, state: Any) -> Any:
        """An independent copy of a state."""
        return state.copy()

    def bytes(self, state: Any) -> bytes:
        """The bytes of a state, the same in both modes."""
        return state.tobytes() if COMPILED else state.write().tobytes()  # type: ignore[no-any-return]

    def plain(self, state: Any) -> Any:
        """The state as an object of `record`, to be read by views and words."""
        return self.record.read(state) if COMPILED else state

    def move_list(self) -> Any:
        """Room for all legal moves of any state."""
        return make_move_list(self.moves.size)

    def prepare(self, tell: Callable[[int, int, str], None] | None = None) -> float:
        """Compile the rules, or load them from the cache; the seconds it took. Playing does this by itself."""
        return prepare(self.play.__module__.rpartition(".")[0], tell)

    def options_for(self, seats: int, chosen: Mapping[str, str] | None = None) -> dict[str, str]:
        """Every option with its value; raises OptionError where one is unknown, out of range or impossible."""
        if seats not in self.seats:
            raise OptionError(f"{self.name} is for {self.seats[0]} to {self.seats[-1]} seats, not {seats}")
        chosen = dict(chosen or {})
        values: dict[str, str] = {}
        for option in self.options:
            value = option.read(chosen.pop(option.id, option.default))
            if seats not in option.seats and value != option.default:
                raise OptionError(f"{option.id} cannot be changed with {seats} seats")
            values[option.id] = value
        if chosen:
            known = ", ".join(option.id for option in self.options)
            raise OptionError(f"{self.name} has no option {next(iter(chosen))!r}; it has {known}")
        self.check(seats, values)
        return values

    def option_list(self, options: Mapping[str, str]) -> Any:
        """Options as the numbers that `deal` takes."""
        numbers = [number for option in self.options for number in option.numbers(options[option.id])]
        return np.array(numbers, np.int32) if COMPILED else numbers


_registry: dict[str, Game] = {}


def register(game: Game) -> None:
    """Make a game known in this process, for games that no installed package announces."""
    _registry[game.id] = game


def game_ids() -> Sequence[str]:
    """The ids of all games: those registered, and those that installed packages announce."""
    announced = {point.name for point in entry_points(group=ENTRY_POINTS)}
    return sorted(announced | _registry.keys())


def game(id: str) -> Game:
    """The game of that id; raises GameError where there is none."""
    if id not in _registry:
        for point in entry_points(group=ENTRY_POINTS):
            if point.name == id:
                _registry[id] = point.load()
                break
        else:
            raise GameError(f"there is no game {id!r}; there are {', '.join(game_ids()) or 'none'}")
    return _registry[id]
