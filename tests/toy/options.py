"""The options of Pebbles."""

from __future__ import annotations

from collections.abc import Mapping

from thorp.core.errors import OptionError
from thorp.core.options import Option, OptionFile
from thorp.core.words import Said
from toy.rules import STONES

WORTH = (1, 2, 3)


def read_worth(text: str) -> str:
    """A file says what the stones are worth: as many numbers as there are stones."""
    words = text.split()
    if len(words) != STONES or not all(word.isdecimal() and len(word) < 3 for word in words):
        raise OptionError(f"worth is {STONES} numbers, not {text!r}")
    return " ".join(words)


def worth_numbers(value: str) -> tuple[int, ...]:
    """What the stones are worth."""
    return WORTH if value == "usual" else tuple(int(word) for word in value.split())


def check(seats: int, options: Mapping[str, str]) -> None:
    """Alone, a long game would be dull."""
    if seats == 1 and options["rounds"] == "6":
        raise OptionError("rounds cannot be 6 with one seat; choose 3")


OPTIONS = (
    Option("rounds", "Rounds", ("3", "6"), ("three", "six"), "How long it lasts"),
    Option("open", "Open hands", ("no", "yes"), ("no", "yes"), seats=range(2, 5)),
    Option(
        "worth",
        "Worth of stones",
        ("usual",),
        ("as usual",),
        file=OptionFile(read_worth, worth_numbers, "worth {}".format, ".txt"),
    ),
)
PRESETS: Mapping[Said[str], Mapping[str, str]] = {"Long game": {"rounds": "6"}}
