"""A guided first game: a file `guide.toml` beside the face says, a sentence at a time, what a newcomer sees and does.

Nothing in it is code. A guide names a deal and steps; a step has a sentence, what it speaks of, and conditions on what
its seat may see. What is said now follows from the match and from how many steps were read: nothing else is kept.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from types import CodeType
from typing import Any

from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError, OptionError
from thorp.core.game import AnyGame
from thorp.core.given import shown
from thorp.core.match import AnyMatch
from thorp.core.words import Message, Seat

#: The file, in the folder of a game's face.
FILE = "guide.toml"

_GUIDE = {
    **{"seed": int, "seats": int, "seat": int, "bot": str, "course": str},
    **{"options": dict, "closing": str, "step": list},
}
_STEP = {"id": str, "say": str, "at": str, "do": str, "when": str, "done": str, "moot": str, "instead": list}
_SAYING = {"say": str, "at": str, "do": str, "when": str}
_KINDS = {int: "a number", str: "a text", dict: "a table", list: "a list of tables"}

#: What conditions are made of: comparisons and counts of what is seen, and no calls but these.
_CALLS: dict[str, Callable[..., Any]] = {"any": any, "all": all, "len": len, "sum": sum, "min": min, "max": max}
_FACTS = ("view", "seat", "over", "made", "offered")
_NODES = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot),
    *(ast.Name, ast.Load, ast.Store, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.Call),
    *(ast.GeneratorExp, ast.comprehension),
)


class GuideError(GameError):
    """What is wrong with a guide: a sentence for each fault."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True)
class Facts:
    """What conditions are about: the match as the seat of the guide sees it, and what it has done."""

    view: Any
    seat: int
    over: bool
    #: How many moves of each family the seat has made.
    made: Mapping[str, int]
    #: Its legal moves: their families, and what is clicked for each.
    offers: Sequence[tuple[str, tuple[str, ...]]]

    @classmethod
    def of(cls, match: AnyMatch, seat: int) -> Facts:
        """Those of a match as it is now."""
        game = match.game
        return cls(
            view=match.view(seat),
            seat=seat,
            over=match.over,
            made=Counter(game.moves.decode(entry.move).family for entry in match.log() if entry.seat == seat),
            offers=[
                (game.moves.decode(move).family, game.face.steps(match.state, seat, move)) for move in match.legal(seat)
            ],
        )

    def can(self, steps: Sequence[str], families: Collection[str] = ()) -> bool:
        """Whether a legal move is made by clicking these, among others: one of these families, where any are named."""
        return any(
            all(step in own for step in steps) for family, own in self.offers if not families or family in families
        )


@dataclass(frozen=True)
class Condition:
    """A condition of a guide."""

    text: str
    code: CodeType
    #: The families of moves that it counts.
    counts: frozenset[str] = frozenset()

    def holds(self, facts: Facts) -> bool:
        """Whether it is true. Raises GuideError where it names what is not there."""
        families = {family for family, _ in facts.offers}
        known = {
            "view": facts.view,
            "seat": facts.seat,
            "over": facts.over,
            "made": lambda family: facts.made.get(family, 0),
            "offered": lambda family: family in families,
        }
        try:
            # Nothing but what is listed above has got this far.
            return bool(eval(self.code, {"__builtins__": {}, **_CALLS, **known}))
        except Exception as error:
            raise GuideError([f"the condition {self.text!r} fails: {error}"]) from error


@dataclass(frozen=True)
class Saying:
    """A sentence, and when it may be said: where its condition holds, and what it asks for can be done."""

    text: str
    #: What it speaks of: ids of elements, or steps that stand on them; the first of them that is there.
    at: tuple[str, ...]
    #: What is to be clicked, in order: steps of one legal move.
    do: tuple[str, ...]
    when: Condition | None

    def fits(self, facts: Facts, families: Collection[str] = ()) -> bool:
        """Whether it can be said now; what it asks for has to be a move of these families, where any are named."""
        return (self.when is None or self.when.holds(facts)) and (not self.do or facts.can(self.do, families))

    def message(self, rival: int) -> Message:
        """The sentence; `{rival}` is the next seat."""
        return Message(self.text, {"rival": Seat(rival)})


@dataclass(frozen=True)
class GuideStep:
    """A step: the first of its sentences that fits is said until it is done.

    Without `done` it is said until it is read, or what the next step asks for is done.
    """

    id: str
    sayings: tuple[Saying, ...]
    done: Condition | None
    #: When it has become pointless and is passed over.
    moot: Condition | None

    def saying(self, facts: Facts) -> Saying | None:
        """What it says now.

        The same card can be clicked to build it and to give it up: what is asked for is a move that `done` counts.
        """
        families = self.done.counts if self.done else ()
        return next((each for each in self.sayings if each.fits(facts, families)), None)

    def is_behind(self, facts: Facts) -> bool:
        """Whether what it asks for is done, or has become pointless."""
        return any(each is not None and each.holds(facts) for each in (self.done, self.moot))


@dataclass(frozen=True)
class Now:
    """Where somebody is in a guide: at a step (or past the last one), and what is said there, if anything is."""

    index: int
    step: GuideStep | None
    saying: Saying | None


@dataclass(frozen=True)
class Guide:
    """A guided first game: the deal, who plays along, and the steps."""

    seed: int
    seats: int
    #: The seat of the person; bots of that level have the others.
    seat: int
    bot: str
    options: Mapping[str, str]
    steps: tuple[GuideStep, ...]
    closing: str
    #: What the next seat, the rival, chooses at first, one choice after the other: steps of one legal move each.
    course: tuple[tuple[str, ...], ...] = ()

    @property
    def rival(self) -> int:
        """The seat after that of the person: the one of which sentences speak."""
        return (self.seat + 1) % self.seats

    def has_chosen(self, match: AnyMatch, seat: int) -> int | None:
        """What the guide itself has a bot choose now: so what it says does not hang on how bots think.

        None where the bot has to think: the course is at its end, or who strays from what is said has led it elsewhere.
        """
        made = sum(entry.seat == seat and not entry.forced for entry in match.log())
        if seat != self.rival or made >= len(self.course):
            return None
        steps, shown = set(self.course[made]), match.game.face.steps
        return next((move for move in match.legal(seat) if steps <= set(shown(match.state, seat, move))), None)

    def now(self, facts: Facts, read: int) -> Now:
        """What is to be said, where the steps before `read` are behind.

        Raises GuideError where a condition cannot be told.
        """
        for index, step in enumerate(self.steps):
            if index < read or (step.done and step.done.holds(facts)):
                continue
            saying = step.saying(facts)
            pointless = (step.moot and step.moot.holds(facts)) or (facts.over and (step.done or not saying))
            if not pointless and (step.done or not self._is_played_past(index, facts)):
                return Now(index, step, saying)
        return Now(len(self.steps), None, None)

    def _is_played_past(self, index: int, facts: Facts) -> bool:
        """Whether the person has played on without reading this step: what is asked for next is behind."""
        following = next((step for step in self.steps[index:] if step.done), None)
        return following is not None and following.is_behind(facts)


def guide_of(game: AnyGame) -> Guide | None:
    """The guide of a game, or None. Raises GuideError."""
    return _guide_in(game, game.folder / FILE)


@cache
def _guide_in(game: AnyGame, path: Path) -> Guide | None:
    if not path.is_file():
        return None
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeError) as error:
        raise GuideError([f"{FILE} cannot be read: {error}"]) from error
    return read_guide(game, data)


def read_guide(game: AnyGame, data: Mapping[str, Any]) -> Guide:
    """A guide from the data of its file. Raises GuideError with a sentence for each fault."""
    faults = [
        *_of_kinds("the guide", data, _GUIDE, needed=("seed", "seats", "bot", "closing", "step")),
        *(fault for number, step in enumerate(_tables(data, "step"), 1) for fault in _step_faults(number, step)),
    ]
    if faults:
        raise GuideError(faults)
    reader = _Reader(game)
    steps = tuple(reader.step(step) for step in data["step"])
    faults = [*_deal_faults(game, data), *reader.faults]
    ids = [step.id for step in steps]
    faults += [f"two steps are called {id!r}" for id in sorted({id for id in ids if ids.count(id) > 1})]
    if faults:
        raise GuideError(faults)
    options = game.options_for(data["seats"], data.get("options", {}))
    own = (data["seed"], data["seats"], data.get("seat", 0), data["bot"])
    course = tuple(tuple(choice.split()) for choice in data.get("course", "").split(",") if choice.strip())
    return Guide(*own, options=options, steps=steps, closing=_one_line(data["closing"]), course=course)


def _deal_faults(game: AnyGame, data: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the deal of a guide."""
    seats, seat = data["seats"], data.get("seat", 0)
    try:
        game.options_for(seats, data.get("options", {}))
    except OptionError as error:
        yield f"it cannot be dealt: {error}"
    if not 0 <= data["seed"] < 1 << SEED_BITS:
        yield f"seed has to be a number from 0 to 2**{SEED_BITS} - 1"
    if not 0 <= seat < seats:
        yield f"seat {seat} is none of the {seats} seats, which count from 0"
    if not data["step"]:
        yield "it has no steps"


def _step_faults(number: int, step: Mapping[str, Any]) -> Iterator[str]:
    name = f"step {shown(step.get('id', number))}"
    yield from _of_kinds(name, step, _STEP, needed=("id", "say"))
    for other in _tables(step, "instead"):
        yield from _of_kinds(f"what {name} says instead", other, _SAYING, needed=("say",))
    asks = any("do" in each for each in (step, *_tables(step, "instead")))
    if asks and "done" not in step:
        yield f"{name} asks to do something, and does not say when that is done"


def _tables(data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """A list of tables, as far as it is one."""
    found = data.get(key, [])
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _of_kinds(name: str, data: Mapping[str, Any], kinds: Mapping[str, type], needed: Sequence[str]) -> Iterator[str]:
    for key in needed:
        if key not in data:
            yield f"{name} has no {key}"
    for key, value in data.items():
        if key not in kinds:
            yield f"{name} has {shown(key)}, which means nothing; it may have {', '.join(kinds)}"
        elif type(value) is not kinds[key]:
            yield f"{key} of {name} has to be {_KINDS[kinds[key]]}"
        elif isinstance(value, list) and not all(isinstance(each, dict) for each in value):
            yield f"{key} of {name} has to be {_KINDS[list]}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Reader:
    """Reads steps, and notes what is wrong with their conditions."""

    def __init__(self, game: AnyGame) -> None:
        self.faults: list[str] = []
        self._families = {family.name for family in game.moves}

    def step(self, data: Mapping[str, Any]) -> GuideStep:
        """A step of a guide."""
        id = data["id"]
        sayings = tuple(self._saying(id, each) for each in (data, *data.get("instead", ())))
        return GuideStep(id, sayings, self._condition(id, data, "done"), self._condition(id, data, "moot"))

    def _saying(self, id: str, data: Mapping[str, Any]) -> Saying:
        at, do = (tuple(data.get(key, "").split()) for key in ("at", "do"))
        text = _one_line(data["say"])
        if not _is_sentence(text):
            self.faults.append(f"step {id!r} says {text!r}, where braces may only hold rival")
        return Saying(text, at, do, self._condition(id, data, "when"))

    def _condition(self, id: str, data: Mapping[str, Any], key: str) -> Condition | None:
        if key not in data:
            return None
        text = _one_line(data[key])
        try:
            tree = ast.parse(text, mode="eval")
        except SyntaxError as error:
            self.faults.append(f"{key} of step {id!r} is no condition: {error.msg}")
            return None
        found = list(self._wrong(tree))
        self.faults += [f"{key} of step {id!r} {each}" for each in found]
        return None if found else Condition(text, compile(tree, FILE, "eval"), _counted(tree))

    def _wrong(self, tree: ast.Expression) -> Iterator[str]:
        """What a condition may not say."""
        own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for node in ast.walk(tree):
            if not isinstance(node, _NODES):
                yield f"has a {type(node).__name__}: it may compare, count, and join by and, or, not"
            elif isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                yield f"asks for {node.attr!r}, which is not to be seen"
            elif isinstance(node, ast.Name) and node.id not in {*own, *_FACTS, *_CALLS}:
                yield f"names {node.id!r}; there are {', '.join((*_FACTS, *_CALLS))}"
            elif isinstance(node, ast.Call):
                yield from self._wrong_call(node)

    def _wrong_call(self, node: ast.Call) -> Iterator[str]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("made", "offered"):
            family = node.args[0].value if len(node.args) == 1 and isinstance(node.args[0], ast.Constant) else None
            if family not in self._families:
                yield f"asks {name}({shown(family)}); the families of moves are {', '.join(sorted(self._families))}"
        elif name not in _CALLS or node.keywords:
            yield f"calls what it may not; there are {', '.join(('made', 'offered', *_CALLS))}"


def _counted(tree: ast.Expression) -> frozenset[str]:
    """The families of moves that a condition counts."""
    return frozenset(
        str(given.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "made"
        for given in node.args
        if isinstance(given, ast.Constant)
    )


def _is_sentence(text: str) -> bool:
    """Whether nothing stands in braces but the next seat."""
    try:
        return {field for _, field, _, _ in Formatter().parse(text)} <= {None, "rival"}
    except ValueError:
        return False
