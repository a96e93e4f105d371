"""Villagers as a game of the contract: its options, and where its rules are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from thorp.core.game import Face, Game, Option, OptionError
from thorp.games.villagers.cards import DECK_FACES, EVENTS, VILLAGERS
from thorp.games.villagers.deal import FOUR, OPTION_COUNTESS, OPTION_EXCHANGE, deal, determinize
from thorp.games.villagers.evaluation import evaluate
from thorp.games.villagers.moves import MOVES
from thorp.games.villagers.owned import cards, owned
from thorp.games.villagers.rounds import over, waiting
from thorp.games.villagers.rules import legal, play
from thorp.games.villagers.scoring import score, standing
from thorp.games.villagers.sheet import sheet
from thorp.games.villagers.state import MAX_SEATS, ROAD, State
from thorp.games.villagers.text import text
from thorp.games.villagers.view import opening, steps, view
from thorp.games.villagers.words import offer, prompt, tell

#: Raised by every change of the rules that alters recorded matches.
RULES_VERSION = 2

_DECK = VILLAGERS[:DECK_FACES]
_ROAD_OPTIONS = tuple(
    Option(
        id=f"road_{slot + 1}",
        label=f"Starting Road, card {slot + 1}",
        values=("random", *(villager.id for villager in _DECK)),
        labels=("Random", *(villager.name for villager in _DECK)),
        help="The six cards with which the Road begins; all of them are different.",
    )
    for slot in range(ROAD)
)

OPTIONS = (
    *_ROAD_OPTIONS,
    Option(
        id="exchange",
        label="Cards given up for basic villagers",
        values=("any", "three"),
        labels=("Any number a turn", "Three a turn"),
        help="How many cards a player may give up for a Hayer, Lumberjack or Miner in one turn.",
    ),
    Option(
        id="countess",
        label="The Countess",
        values=("gold", "beginner"),
        labels=("With 4 gold", "Beginner: without gold"),
        help="Solo play: which side of her card the Countess shows.",
        seats=range(1, 2),
    ),
)
assert OPTIONS[OPTION_EXCHANGE].id == "exchange"
assert OPTIONS[OPTION_COUNTESS].id == "countess"


def check(seats: int, options: Mapping[str, str]) -> None:
    """The Starting Road has six different cards, and only such as take part."""
    chosen = [options[option.id] for option in _ROAD_OPTIONS if options[option.id] != "random"]
    for option in _ROAD_OPTIONS:
        id = options[option.id]
        if id == "random":
            continue
        villager = next(villager for villager in _DECK if villager.id == id)
        if chosen.count(id) > 1:
            raise OptionError(f"{option.id} cannot be {id!r} too; the cards of the Starting Road are all different")
        if villager.four_plus and seats < FOUR:
            raise OptionError(f"{option.id} cannot be {id!r} with fewer than {FOUR} seats; choose another card")
        if villager.suit == "special" and seats == 1:
            raise OptionError(f"{option.id} cannot be {id!r} in solo play; choose another card")


GAME = Game(
    id="villagers",
    name="Villagers",
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
        tools={"opening": opening, "all_cards": lambda: (VILLAGERS, EVENTS)},
    ),
    credit="Villagers by Haakon Hoel Gaarder, Sinister Fish Games, 2019",
    folder=Path(__file__).parent,
    check=check,
    unforced=frozenset({"done"}),
    cards=cards,
    owned=owned,
)
