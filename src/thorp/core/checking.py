"""Whether a package is a game of the contract: every fault is a sentence that says what to write."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any, get_type_hints

from thorp.compiling.mode import COMPILED
from thorp.compiling.record import Record
from thorp.compiling.rule import MOST_MOVES, MoveList, declared
from thorp.core import contract
from thorp.core.given import shown, whole
from thorp.core.moves import MoveSpace
from thorp.core.net import Net
from thorp.core.ntuples import NTuples
from thorp.core.options import faults_of

#: The rules that there are, by name.
RULES: dict[str, Callable[..., Any]] = {
    name: function
    for name, function in vars(contract).items()
    if inspect.isfunction(function) and function.__module__ == contract.__name__ and name[0] != "_"
}
#: So long may be what a game says one plays for.
MOST_GOAL = 120
#: So many seats may a game have: those that wait are a bit mask.
MOST_SEATS = 32
#: What an id is made of: it stands in addresses, and in names of templates.
_ID = re.compile(r"[A-Za-z0-9]+(-+[A-Za-z0-9]+)*")
#: The functions of a face that no game goes without, as one writes them.
_FACE = {
    "view": "view(state, reader)",
    "prompt": "prompt(state, reader)",
    "offer": "offer(state, seat, move)",
    "tell": "tell(state, seat, move, reader)",
    "steps": "steps(state, seat, move)",
    "sheet": "sheet(state)",
    "text": "text(state, reader)",
}


def rule_faults(rules: Any) -> Iterator[str]:
    """What is wrong with the rules of a game."""
    record = getattr(rules, "State", None)
    for name, wanted in RULES.items():
        found = getattr(rules, name, None)
        if found is None and name in contract.OPTIONAL:
            continue
        function = getattr(found, "py_func", found)
        if not inspect.isfunction(function):
            yield f"{rules.__name__} has no rule {name}: write {_written(name, wanted, record)}, or import it there."
        elif COMPILED and found not in declared:
            yield f"{function.__module__}.{name} is no rule: write @rule above it."
        elif isinstance(record, type) and _kinds(function, record) != _kinds(wanted, record):
            is_now, has_to_be = _written(name, function, record), _written(name, wanted, record)
            yield f"In {function.__module__}, {is_now} has to be {has_to_be}."
    if hasattr(rules, "value") != isinstance(getattr(rules, "NET", None), (Net, NTuples)):
        yield f"The rule value goes with NET = Net(...) or NTuples(...): write both in {rules.__name__}, or neither."
    if not isinstance(moves := getattr(rules, "MOVES", None), MoveSpace):
        yield f"{rules.__name__} has no MOVES: write MOVES = MoveSpace(...), or import it there."
    elif moves.size > MOST_MOVES:
        yield f"MOVES has {moves.size} moves, and may have {MOST_MOVES}: choose in two moves what is now one."


def record_faults(rules: Any, chance: bool) -> Iterator[str]:
    """What is wrong with the record of a game."""
    record = getattr(rules, "State", None)
    if not (isinstance(record, type) and issubclass(record, Record)):
        yield f"{rules.__name__} has no State: write class State(Record): ..., or import it there."
        return
    names: Any = record.dtype.fields or {}
    wanted = [("barrier", "i4", "Int32")] + [("chance", "u8", 'Annotated[list[int], "u8", 1]')] * chance
    for name, kind, written in wanted:
        if name not in names or names[name][0].base != kind:
            yield f"State has no {name}: write {name}: {written}."


def face_faults(face: Any) -> Iterator[str]:
    """What is wrong with the functions by which a game shows itself."""
    for name, written in _FACE.items():
        if not callable(getattr(face, name, None)):
            yield f"{face.__name__} has no function {name}: write {written}, or import it there."


def fact_faults(facts: dict[str, Any], known: set[str]) -> Iterator[str]:
    """What is wrong with what is said about a game."""
    for name in facts.keys() - known:
        yield f"Game.of takes no {name}."
    if not isinstance(facts.get("name"), str) or not facts["name"]:
        yield 'Say what people call the game: Game.of(__name__, name="...").'
    id = facts.get("id", "id")
    if not isinstance(id, str) or not _ID.fullmatch(id):
        yield f"The id of the game is {shown(id)}: write one of letters (a to z), digits, and dashes between them."
    seats = facts.get("seats")
    if not isinstance(seats, range) or not seats or seats.step != 1 or not 1 <= seats[0] <= seats[-1] <= MOST_SEATS:
        example = "Game.of(__name__, seats=range(2, 5)) is for two to four"
        yield f"Say for how many seats the game is, within 1 to {MOST_SEATS}: {example}."
    if (whole(facts.get("rules_version", 1)) or 0) < 1:
        yield "rules_version is a whole number, 1 or more: 1 at first, and raised when recorded matches would change."
    for name in ("credit", "round_word"):
        if not isinstance(facts.get(name, ""), str):
            yield f"{name} is a text: write it in quotation marks."
    for name in ("hidden", "chance", "simultaneous", "foreseeable"):
        if not isinstance(facts.get(name, False), bool):
            yield f"{name} is True or False, not {shown(facts[name])}."
    yield from _bound_faults(facts)
    if ("owned" in facts) != ("cards" in facts):
        yield "The rule owned and the function cards(options) go together: write both, or neither."
    goal = facts.get("goal", "")
    if not isinstance(goal, str) or "\n" in goal or len(goal) > MOST_GOAL:
        yield f"The goal of the game is one line of {MOST_GOAL} letters at most."
    looks = facts.get("looks", 1)
    if not isinstance(looks, int | float) or not 0 < looks < inf:
        yield "looks is how often a level looks at its moves: a number above 0."
    told = facts.get("overlooks", {})
    if not isinstance(told, Mapping) or any((whole(each) is None or not 0 <= each <= 100) for each in told.values()):
        yield 'overlooks is how many of 100 moves levels overlook, by their names: such as {"skilled": 30}.'
    if facts.get("foreseeable") and isinstance(seats, range) and 1 not in seats:
        yield "foreseeable is what a game played alone may be, and this one has no seats for that."
    if facts.get("first") and facts["first"] not in facts["presets"]:
        yield f"first is {facts['first']!r}, and PRESETS has no such set of options."
    yield from faults_of(facts["options"], facts["presets"])


def _bound_faults(facts: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the bounds that no match passes."""
    least, most = facts.get("least_score"), facts.get("most_score")
    for name, bound in (("least_score", least), ("most_score", most)):
        if bound is not None and whole(bound) is None:
            yield f"{name} is a whole number of points, not {shown(bound)}: leave it out where there is no bound."
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield f"least_score is {least}, and most_score is {most}: no score lies between them."
    moves = facts.get("most_moves")
    if moves is not None and (whole(moves) or 0) < 1:
        yield f"most_moves is a whole number, 1 or more, not {shown(moves)}: leave it out where there is no bound."


def _kinds(function: Callable[..., Any], record: type) -> list[Any]:
    """The types of the parameters and of the result; the record of the contract is that of the game."""
    hints = get_type_hints(function, include_extras=True)
    found = [hints.get(name) for name in (*inspect.signature(function).parameters, "return")]
    return [record if kind is Record else type(None) if kind is None else kind for kind in found]


def _written(name: str, function: Callable[..., Any], record: Any) -> str:
    """A function as one would write it."""
    words = {Record: "State", record: "State", MoveList: "MoveList", type(None): "None", None: "?"}
    hints = get_type_hints(function, include_extras=True)

    def word(of: str) -> str:
        kind = hints.get(of)
        if of == "return" and kind is None:
            return "None"
        return words.get(kind) or {"options": "OptionList", "counts": "Counts", "weights": "Weights"}.get(
            of, getattr(kind, "__name__", str(kind))
        )

    inside = ", ".join(f"{each}: {word(each)}" for each in inspect.signature(function).parameters)
    return f"{name}({inside}) -> {word('return')}"
