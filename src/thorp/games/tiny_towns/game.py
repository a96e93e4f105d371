"""Tiny Towns as a game of the contract: its options, and where its rules are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from thorp.core.game import Face, Game, Option, OptionError
from thorp.games.tiny_towns.cards import SUPPLY_TYPES, TYPES, cards_of
from thorp.games.tiny_towns.deal import OPTION_CAVERN, OPTION_MONUMENTS, OPTION_NAMING, deal, determinize
from thorp.games.tiny_towns.evaluation import evaluate
from thorp.games.tiny_towns.moves import MOVES
from thorp.games.tiny_towns.owned import cards, owned
from thorp.games.tiny_towns.placing import CAVERN_ROOM
from thorp.games.tiny_towns.rounds import waiting
from thorp.games.tiny_towns.rules import legal, over, play
from thorp.games.tiny_towns.scoring import score, standing
from thorp.games.tiny_towns.sheet import sheet
from thorp.games.tiny_towns.state import MAX_SEATS, State
from thorp.games.tiny_towns.text import text
from thorp.games.tiny_towns.view import footprint_squares, steps, view
from thorp.games.tiny_towns.words import offer, prompt, tell

#: Raised by every change of the rules that alters recorded matches.
RULES_VERSION = 1

#: Cards that solo play leaves out.
_NOT_SOLO = ("inn", "bank")

_TYPE_OPTIONS = tuple(
    Option(
        id=TYPES[type].id,
        label=TYPES[type].name,
        values=("random", *(card.id for card in cards_of(type))),
        labels=("Random", *(card.name for card in cards_of(type))),
    )
    for type in range(1, SUPPLY_TYPES)
)

OPTIONS = (
    *_TYPE_OPTIONS,
    Option(
        id="monuments",
        label="Monuments",
        values=("yes", "no"),
        labels=("With monuments", "Without monuments"),
        help="Everybody is dealt two monuments and keeps one, secret until it is built.",
    ),
    Option(
        id="cavern",
        label="Cavern rule",
        values=("no", "yes"),
        labels=("Without", "With the Cavern rule"),
        help="Twice in the game you may put a cube that another player named aside, instead of placing it.",
    ),
    Option(
        id="naming",
        label="Who names resources",
        values=("master_builder", "town_hall"),
        labels=("Master Builder", "Town Hall"),
        help="Master Builder: players take turns naming. Town Hall: two cards are turned, then everybody picks freely.",
        seats=range(2, MAX_SEATS + 1),
    ),
)
assert OPTIONS[OPTION_MONUMENTS].id == "monuments"
assert OPTIONS[OPTION_CAVERN].id == "cavern"
assert OPTIONS[OPTION_NAMING].id == "naming"


def _cavern_left(aside: int) -> int:
    """How many more cubes the Cavern takes from who has set so many aside."""
    return CAVERN_ROOM - aside


def check(seats: int, options: Mapping[str, str]) -> None:
    """Solo play has neither Inn nor Bank."""
    if seats == 1:
        for option in _TYPE_OPTIONS:
            if options[option.id] in _NOT_SOLO:
                raise OptionError(f"{option.id} cannot be {options[option.id]!r} in solo play; choose another card")


GAME = Game(
    id="tiny-towns",
    name="Tiny Towns",
    seats=range(1, MAX_SEATS + 1),
    rules_version=RULES_VERSION,
    record=State,
    moves=MOVES,
    options=OPTIONS,
    deal=deal,
    waiting=waiting,
    legal=legal,
    play=play,
    over=over,
    score=score,
    standing=standing,
    determinize=determinize,
    evaluate=evaluate,
    face=Face(
        view=view,
        prompt=prompt,
        offer=offer,
        tell=tell,
        steps=steps,
        sheet=sheet,
        text=text,
        tools={"footprint_squares": footprint_squares, "cavern_left": _cavern_left},
    ),
    folder=Path(__file__).parent,
    credit="Tiny Towns by Peter McPherson, Alderac Entertainment Group, 2019",
    check=check,
    cards=cards,
    owned=owned,
    presets={
        "First game": {
            "farm": "farm",
            "well": "well",
            "chapel": "chapel",
            "tavern": "tavern",
            "theater": "theater",
            "factory": "factory",
            "monuments": "no",
        },
    },
)
