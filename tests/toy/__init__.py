"""Pebbles: the toy game, put together and made known."""

from pathlib import Path

from thorp.core.game import Face, Game, Option, OptionError, OptionFile, register
from toy import face, rules

WORTH = (1, 2, 3)


def read_worth(text: str) -> str:
    """A file says what the stones are worth: as many numbers as there are stones."""
    words = text.split()
    if len(words) != rules.STONES or not all(word.isdecimal() and len(word) < 3 for word in words):
        raise OptionError(f"worth is {rules.STONES} numbers, not {text!r}")
    return " ".join(words)


def worth_numbers(value: str) -> tuple[int, ...]:
    """What the stones are worth."""
    return WORTH if value == "usual" else tuple(int(word) for word in value.split())


GAME = Game(
    id="pebbles",
    name="Pebbles",
    seats=range(1, rules.MAX_SEATS + 1),
    rules_version=1,
    record=rules.State,
    moves=rules.MOVES,
    options=(
        Option("rounds", "Rounds", ("3", "6"), ("three", "six"), "How long it lasts"),
        Option("open", "Open hands", ("no", "yes"), ("no", "yes"), seats=range(2, 5)),
        Option(
            "worth",
            "Worth of stones",
            ("usual",),
            ("as usual",),
            file=OptionFile(read_worth, worth_numbers, "worth {}".format, ".txt"),
        ),
    ),
    deal=rules.deal,
    waiting=rules.waiting,
    legal=rules.legal,
    play=rules.play,
    over=rules.over,
    score=rules.score,
    standing=rules.standing,
    determinize=rules.determinize,
    evaluate=rules.evaluate,
    face=Face(face.view, face.prompt, face.offer, face.tell, face.steps, face.sheet, face.text),
    folder=Path(__file__).parent,
    credit="Pebbles, a game for tests",
    check=face.check,
    presets={"Long game": {"rounds": "6"}},
)

register(GAME)
