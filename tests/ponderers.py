"""Players of tests that think in processes of their own: quick, until stopped, for ever, or dying at it once."""

import os
import threading
from pathlib import Path
from typing import Any

import toy

from thorp.players import Plan, Stop

# a process that thinks knows the game by it
assert toy.GAME

#: A file: who dies does so where it is not there, and leaves it.
GRAVE = "THORP_TESTS_GRAVE"


class _Long:
    """A thought that ends when it is stopped."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def stop(self) -> None:
        self.over.set()


def names() -> tuple[str, ...]:
    return ("brief", "long", "deaf", "mortal", "broken", "mindful")


levels = names


def usual() -> str:
    return "brief"


def seconds(name: str) -> float:
    return 0.01


def choose(name: str, match: Any, seat: int, seed: int) -> int:
    raise AssertionError("nobody thinks in the server itself")


def choose_in(name: str, game: Any, state: Any, seat: int, seed: int, *, seats: int, stop: Stop, plan: Plan) -> int:
    print("this is not for who waits for the answer")
    if name == "long":
        thought: Any = _Long()
        stop.ends(thought)
        thought.over.wait()
    if name == "deaf":
        threading.Event().wait()
    if name == "mortal" and not (grave := Path(os.environ[GRAVE])).exists():
        grave.touch()
        os._exit(3)
    if name == "broken":
        raise RuntimeError("a bad day")
    legal: list[int] = game.legal_moves(state, seat)
    if name == "mindful":
        # what it has in mind is all that it has chosen; the first time it takes the first move, and the last one after
        chosen = legal[-1] if plan.moves else legal[0]
        plan.moves = (*plan.moves, chosen)
        return chosen
    return legal[0]
