"""A game of the contract, and how a package becomes one."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

import numpy as np

from thorp.compiling.mode import COMPILED
from thorp.compiling.preparing import Tell, are_kept, prepare
from thorp.compiling.record import Record
from thorp.compiling.rule import declared, make_move_list, moves_in
from thorp.core.catalogue import FOLDER, RULES
from thorp.core.checking import face_faults, fact_faults, record_faults, rule_faults
from thorp.core.contract import OPTIONAL
from thorp.core.errors import ContractError, OptionError
from thorp.core.face import Face
from thorp.core.given import shown, whole
from thorp.core.moves import MoveSpace
from thorp.core.net import Net
from thorp.core.ntuples import NTuples
from thorp.core.options import Option
from thorp.core.rulebook import Rulebook
from thorp.core.words import Card, Said, Term

S = TypeVar("S", bound=Record)
V = TypeVar("V")


@dataclass(frozen=True, repr=False, eq=False)
class Game(Generic[S, V]):
    """A game: its record, its moves, its rules, how it shows itself, and what is known about it.

    Rules take the record first; what each does is told by its stand-in in `thorp.core.contract`. The record has a field
    `barrier` that counts what cannot be taken back (see `match.py`), a row `chance` (the generator) where there is
    chance, and may have a field `round`, which divides the log.
    """

    id: str
    name: str
    seats: range
    #: Raised by every change of the rules that alters recorded matches.
    rules_version: int
    record: type[S]
    moves: MoveSpace
    deal: Callable[..., None]
    waiting: Callable[..., int]
    legal: Callable[..., int]
    play: Callable[..., None]
    over: Callable[..., bool]
    score: Callable[..., int]
    standing: Callable[..., int]
    determinize: Callable[..., None]
    evaluate: Callable[..., int]
    face: Face[V]
    #: The package, and the folder of its face: templates and style sheets.
    package: str
    folder: Path
    #: Who made the boxed game, for the page of credits.
    credit: Said[str]
    #: The rules in words: the file `rules.md` of the package, where there is one.
    rules_file: Path | None = None
    owned: Callable[..., None] | None = None
    asked: Callable[..., bool] | None = None
    redeal: Callable[..., None] | None = None
    #: The learned evaluation, and the net that it reads.
    value: Callable[..., float] | None = None
    net: Net | NTuples | None = None
    #: The cards that `owned` counts, in its order, with these options.
    cards: Callable[[Mapping[str, str]], tuple[Card, ...]] = lambda options: ()
    options: tuple[Option, ...] = ()
    #: Named sets of options, offered together ("First game").
    presets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: Refuses options that do not go together: raises OptionError.
    check: Callable[[int, Mapping[str, str]], None] = lambda seats, options: None
    #: Whether seats know different things with these options, where they do at all.
    secret: Callable[[Mapping[str, str]], bool] = lambda options: True
    #: What one plays for, in one line: shown where the game is chosen, set up and played.
    goal: Said[str] = ""
    #: Which of the sets of options is for whoever has not played the game before.
    first: str = ""
    #: What the log calls a round.
    round_word: Said[str] = "Round"
    #: Bounds that no match passes, with the cards that come with the game: of the points of a seat at the end, and of
    #: the moves of all seats together. They are safe, not tight.
    least_score: int | None = None
    most_score: int | None = None
    most_moves: int | None = None
    #: Whether seats know different things; whether anything is left to chance; whether several may decide at once.
    hidden: bool = True
    chance: bool = True
    simultaneous: bool = False
    #: How often a level of the ladder looks at its moves before it decides: it overlooks what it misses each time. More
    #: than once where one bad move spoils a game, so that those who overlook something are no beginners.
    looks: float = 1
    #: How many of a hundred moves levels overlook that are told here by their names: for those no matter how they look.
    overlooks: Mapping[str, int] = field(default_factory=dict)
    #: Whether who plays alone may come to know all that is to come, so that searches look for the best line to the end.
    foreseeable: bool = False

    @classmethod
    def of(cls, package: str, **facts: Any) -> Game[Any, Any]:
        """The game of a package: `GAME = Game.of(__name__, name=..., ...)` in its `__init__.py`.

        Its rules are found by their names in the module `rules` (a file or a folder), beside `State` and `MOVES`; the
        functions of its face in `face`; `OPTIONS`, `PRESETS`, `check`, `cards` in `options`, where there is one.
        `facts` are the other fields. Raises ContractError with a sentence for everything that is missing or wrong.
        """
        rules, face, options = (_room(package, room) for room in ("rules", "face", "options"))
        found: dict[str, Any] = {
            "id": package.rpartition(".")[2].replace("_", "-"),
            "rules_version": 1,
            "credit": facts.get("name", ""),
            "rules_file": _rules_file(package),
            **{name: value for name in OPTIONAL if (value := getattr(rules, name, None))},
            **{name: value for name in ("cards", "check", "secret") if (value := getattr(options, name, None))},
            "net": getattr(rules, "NET", None),
            "options": getattr(options, "OPTIONS", ()),
            "presets": getattr(options, "PRESETS", {}),
            **facts,
        }
        known = {each.name for each in fields(cls)}
        faults = (
            *rule_faults(rules),
            *record_faults(rules, bool(found.get("chance", True))),
            *face_faults(face),
            *fact_faults(found, known),
        )
        if faults:
            raise ContractError(package, faults)
        names = ("deal", "waiting", "legal", "play", "over", "score", "standing", "determinize", "evaluate")
        return cls(
            **{name: getattr(rules, name) for name in names},
            record=rules.State,
            moves=rules.MOVES,
            face=Face(
                **{each.name: getattr(face, each.name) for each in fields(Face) if hasattr(face, each.name)},
                **({"tools": face.TOOLS} if hasattr(face, "TOOLS") else {}),
            ),
            package=package,
            folder=Path(str(face.__file__)).parent,
            **found,
        )

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.name}, {self.seats[0]} to {self.seats[-1]} seats>"

    def has_secrets(self, options: Mapping[str, str]) -> bool:
        """Whether seats know different things with these options."""
        return self.hidden and self.secret(options)

    @property
    def words(self) -> Path:
        """The folder of its catalogues; there need be none."""
        return Path(str(sys.modules[self.package].__file__)).parent / FOLDER

    def rulebook(self) -> Rulebook | None:
        """The rules in words; None where the game brings none."""
        if self.rules_file is None:
            return None
        return Rulebook(self.rules_file.read_text("utf-8"), self.face.rule_cards())

    def state(self) -> Any:
        """A zeroed state: a NumPy record compiled, an object of `record` plain."""
        return np.zeros(1, self.record.dtype)[0] if COMPILED else self.record()

    def copy(self, state: Any) -> Any:
        """An independent copy of a state."""
        # as one block: NumPy itself copies records field by field
        return np.frombuffer(bytearray(state.tobytes()), state.dtype)[0] if COMPILED else state.copy()

    def bytes(self, state: Any) -> bytes:
        """The bytes of a state, the same in both modes."""
        return state.tobytes() if COMPILED else state.write().tobytes()  # type: ignore[no-any-return]

    def digest(self, state: Any) -> str:
        """A digest of all of a state but the fields that only hold what its options say: the same in both modes."""
        fields, first = self.record.dtype.fields, self.record.undigested
        end = fields[first][1] if fields and first else None
        return hashlib.sha256(self.bytes(state)[:end]).hexdigest()

    def plain(self, state: Any) -> S:
        """The state as an object of `record`, to be read by views and words."""
        return self.record.read(state) if COMPILED else state

    def move_list(self) -> Any:
        """Room for all legal moves of a seat."""
        return make_move_list()

    def legal_moves(self, state: Any, seat: int, room: Any = None) -> list[int]:
        """The legal moves of a seat; empty where it has nothing to decide. `room`: a move list to be used for it."""
        moves = self.move_list() if room is None else room
        return moves_in(moves, self.legal(state, seat, moves))

    def prepare(self, tell: Tell | None = None) -> float:
        """Compile the rules, or load them from the cache; the seconds it took. Playing does this by itself.

        Rules whose name begins with an underscore are for other rules, and not made ready to be called from Python. Nor
        is the learned evaluation, which takes as long as all others together: it is compiled with players that ask it.
        """
        return prepare(self._own_rules(), tell)

    def has_to_be_compiled(self) -> bool:
        """Whether the rules are not kept on disk."""
        return not are_kept(self._own_rules())

    def _own_rules(self) -> list[Any]:
        # a copy: a game that is found on another thread declares its rules meanwhile
        own = (each for each in tuple(declared) if f"{each.__module__}.".startswith(f"{self.package}."))
        return [each for each in own if each.__name__[0] != "_" and each is not self.value]

    def seats_for(self, seats: object) -> int:
        """A number of seats as a plain int; raises OptionError where the game is not for so many."""
        number = whole(seats)
        if number is None or number not in self.seats:
            raise OptionError(
                "{game} is for {least} to {most} seats, not {seats}",
                game=self.name,
                least=self.seats[0],
                most=self.seats[-1],
                seats=shown(seats),
            )
        return number

    def options_for(self, seats: int, chosen: Mapping[str, str] | None = None) -> dict[str, str]:
        """Every option with its value; raises OptionError where one is unknown, out of range or impossible."""
        seats = self.seats_for(seats)
        if not isinstance(chosen, Mapping | None):
            raise OptionError("options are given as a mapping of names to values, not {given}", given=shown(chosen))
        left = dict(chosen or {})
        values: dict[str, str] = {}
        for option in self.options:
            value = option.read(left.pop(option.id, option.default))
            if seats not in option.seats and value != option.default:
                raise OptionError(
                    "{option} cannot be changed with {n} seat",
                    "{option} cannot be changed with {n} seats",
                    option=Term(option.label),
                    n=seats,
                )
            values[option.id] = value
        if left:
            known = [option.id for option in self.options]
            unknown = shown(next(iter(left)))
            if not known:
                raise OptionError("{game} has no option {option}; it has none", game=self.name, option=unknown)
            raise OptionError(
                "{game} has no option {option}; it has {known}", game=self.name, option=unknown, known=known
            )
        self.check(seats, values)
        return values

    def held(self, options: Mapping[str, str]) -> tuple[object, ...]:
        """What a match with these options holds on to as long as it lives (see `OptionFile.held`)."""
        return tuple(option.held(options[option.id]) for option in self.options)

    def option_list(self, options: Mapping[str, str]) -> Any:
        """Options as the numbers that `deal` takes."""
        numbers = [number for option in self.options for number in option.numbers(options[option.id])]
        return np.array(numbers, np.int32) if COMPILED else numbers


#: A game of which a type checker need not know the state and the view.
AnyGame = Game[Any, Any]


def _rules_file(package: str) -> Path | None:
    """The rules of a package in words; None where it has none."""
    found = find_spec(package)
    folders = (found.submodule_search_locations if found else None) or ()
    return next((path for folder in folders if (path := Path(folder) / RULES).is_file()), None)


def _room(package: str, name: str) -> Any:
    """A module of a package; an empty one where there is none."""
    full = f"{package}.{name}"
    return import_module(full) if find_spec(full) else ModuleType(full)
