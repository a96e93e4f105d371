"""Pebbles: the toy game, put together and made known."""

from pathlib import Path

from thorp.core.game import Face, Game, Option, register
from toy import face, rules

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
