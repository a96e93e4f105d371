"""Stand-ins for a game's rules, to be called in generic code (see `generic.py`); the contract is told in `game.py`."""

from typing import Any, NoReturn


def _stands_for(rule: str) -> NoReturn:
    raise TypeError(f"{rule} stands for the rule of some game: call generic code through Generic.of(game)")


def deal(state: Any, seats: int, options: Any, seed: int) -> None:
    """Start a game in a zeroed state."""
    _stands_for("deal")


def waiting(state: Any) -> int:
    """The seats that have something to decide, as a bit mask."""
    _stands_for("waiting")


def legal(state: Any, seat: int, moves: Any) -> int:
    """Write the legal moves of a seat, and say how many there are."""
    _stands_for("legal")


def play(state: Any, seat: int, move: int) -> None:
    """Play a legal move."""
    _stands_for("play")


def over(state: Any) -> bool:
    """Whether the game has ended."""
    _stands_for("over")


def score(state: Any, seat: int) -> int:
    """The points of a seat."""
    _stands_for("score")


def standing(state: Any, seat: int) -> int:
    """The place of a seat."""
    _stands_for("standing")


def determinize(state: Any, seat: int, seed: int) -> None:
    """Deal again all that a seat cannot know."""
    _stands_for("determinize")


def evaluate(state: Any, seat: int) -> int:
    """How promising the position is for a seat."""
    _stands_for("evaluate")


def owned(state: Any, seat: int, counts: Any) -> None:
    """Write how many of each card a seat has had."""
    _stands_for("owned")


def copy_state(states: Any, target: int, source: int) -> None:
    """Copy states[source] to states[target]."""
    _stands_for("copy_state")
