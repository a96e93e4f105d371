"""`python -m thorp.arena.host module:Class`: a player that is a Python class, in a process of its own.

The class is made once for each game and seat: `Class(game, seat, seats, options)`. Its `choose(question)` returns one
of the moves in `question.legal`. Where it has `learns = True` what is learned for the table is there when it is asked.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from operator import index
from typing import Any, Protocol, TextIO

from thorp.arena.questions import state_of
from thorp.core.game import AnyGame
from thorp.core.registry import game as find_game

#: So much of what is no move is shown.
_MOST_SHOWN = 80


@dataclass(frozen=True)
class Question:
    """What a seat is asked, and all that it may know."""

    game: AnyGame
    seat: int
    seats: int
    #: A state in which all that the seat cannot know, and all chance to come, has been dealt again.
    state: Any
    #: What the seat sees, as JSON has it.
    view: Any
    #: The legal moves, each with its words.
    legal: Mapping[int, str]
    prompt: str
    #: So long may the answer take, in seconds.
    seconds: float
    #: For what the player leaves to chance: the same seed should give the same choice.
    seed: int


class Player(Protocol):
    """What a class is that takes part."""

    def choose(self, question: Question) -> int:
        """One of the moves in `question.legal`."""


def main() -> None:
    """Play by the class that the command line names."""
    # What the class prints must not come among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.path.insert(0, os.getcwd())
    serve(class_of(sys.argv[1]), sys.stdin, answers)


def class_of(given: str) -> Any:
    """The class that is given as `module:Class`. Says so and ends where there is none; who asked quotes that."""
    module, _, name = given.partition(":")
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as error:
        # a module that is there may miss another one, and says so itself
        if not error.name or not f"{module}.".startswith(f"{error.name}."):
            raise
        sys.exit(f"there is no module {error.name} here")
    if not hasattr(loaded, name):
        sys.exit(f"there is no {name} in the module {module}")
    return getattr(loaded, name)


def serve(make: Any, lines: TextIO, answers: TextIO) -> None:
    """Answer every question by a player that `make` makes for each game, until no more lines come."""
    player: Player | None = None
    about: dict[str, Any] = {}
    for line in lines:
        asked = json.loads(line)
        if asked["type"] == "game":
            about = asked
            game = game_of(asked["game"], asked.get("package", ""))
            # before its time runs: rules are read from the cache here, and would be compiled anew with the first choice
            game.prepare()
            player = make(game, asked["seat"], asked["seats"], asked["options"])
            if not callable(getattr(player, "choose", None)):
                sys.exit(f"{type(player).__name__} has no method choose")
            answer: dict[str, Any] = {"ready": True, "learns": getattr(player, "learns", False) is True}
        elif asked["type"] == "choose" and player:
            game = game_of(about["game"], about.get("package", ""))
            chosen = player.choose(
                Question(
                    game=game,
                    seat=about["seat"],
                    seats=about["seats"],
                    state=state_of(game, asked["state"]),
                    view=asked["view"],
                    legal={each["move"]: each["words"] for each in asked["legal"]},
                    prompt=asked["prompt"],
                    seconds=asked["seconds"],
                    seed=asked["seed"],
                )
            )
            answer = {"move": _move(chosen)}
        else:
            continue
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _move(chosen: Any) -> int:
    """A move as it is answered, also one of NumPy's. Says so and ends where it is none; who asked quotes that."""
    try:
        return index(chosen)
    except TypeError:
        sys.exit(f"choose returned {repr(chosen)[:_MOST_SHOWN]}, not one of the legal moves")


def game_of(id: str, package: str) -> AnyGame:
    """A game by its id, also one that only its package knows: it registers itself, or has a GAME."""
    known = import_module(package).GAME if package else None
    return known if known is not None and known.id == id else find_game(id)


if __name__ == "__main__":
    main()
