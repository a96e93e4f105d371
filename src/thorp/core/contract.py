"""The rules that make a game, as stand-ins: what each is given, and what it says.

A game has functions of these names, with these parameters; in place of `Record` stands its own record. Generic code
(`generic.py`) calls the stand-ins.
"""

from typing import NoReturn

from thorp.compiling.record import Record
from thorp.compiling.rule import Counts, MoveList, OptionList, Weights

#: Rules that a game may leave out.
OPTIONAL = ("owned", "asked", "redeal", "value")


def _stands_for(rule: str) -> NoReturn:
    raise TypeError(f"{rule} stands for the rule of some game: call generic code through Generic.of(game)")


def deal(state: Record, seats: int, options: OptionList, seed: int) -> None:
    """Start a game in a zeroed state."""
    _stands_for("deal")


def waiting(state: Record) -> int:
    """The seats that have something to decide, as a bit mask: several at once where the game is simultaneous."""
    _stands_for("waiting")


def legal(state: Record, seat: int, moves: MoveList) -> int:
    """Write the legal moves of a seat, and say how many there are (0: it has nothing to decide)."""
    _stands_for("legal")


def play(state: Record, seat: int, move: int) -> None:
    """Play a legal move, with all that follows from it until somebody has to decide."""
    _stands_for("play")


def over(state: Record) -> bool:
    """Whether the game has ended: nobody has anything to decide any more."""
    _stands_for("over")


def score(state: Record, seat: int) -> int:
    """The points of a seat; before the end, as if the game ended now."""
    _stands_for("score")


def standing(state: Record, seat: int) -> int:
    """The place of a seat after all tie-breaks: 1 for the winner, ties share; a game lost alone has no first."""
    _stands_for("standing")


def determinize(state: Record, seat: int, seed: int) -> None:
    """Deal again all that a seat (-1: a spectator) cannot know, and all chance to come."""
    _stands_for("determinize")


def evaluate(state: Record, seat: int) -> int:
    """How promising the position is for a seat; any scale, more is better."""
    _stands_for("evaluate")


def owned(state: Record, seat: int, counts: Counts) -> None:
    """Add to `counts`, which has a zero for each of the game's `cards(options)`, how many of that card the seat has."""
    _stands_for("owned")


def asked(state: Record, seat: int, move: int) -> bool:
    """Whether a seat is asked although this is its only legal move.

    To play it at once would tell others a secret, or end what the seat could take back.
    """
    _stands_for("asked")


def redeal(state: Record, seed: int) -> None:
    """Deal again all that no seat knows, and all chance to come: what a consented undo lets be seen no longer holds.

    A game in which nothing is dealt before somebody knows it may leave it out: then chance alone begins anew.
    """
    _stands_for("redeal")


def value(state: Record, seat: int, weights: Weights) -> float:
    """The points that a seat is expected to have at the end, on the scale of `score`, by what was learned.

    Where the game's `NET` says so (`chooses`), how much the move is liked that led there, beside its others.
    It reads nothing that the seat cannot know. `weights` are what the game's `NET` makes room for (`core/net.py`): they
    are reckoned in, so that each thread has its own. Without this rule generic code gets `evaluate` in its place.
    """
    _stands_for("value")
