"""Villages of Valeria as a game of the contract: its options, and where its rules are."""

from __future__ import annotations

from pathlib import Path

from thorp.core.game import Face, Game, Option, OptionFile
from thorp.games.valeria import decks
from thorp.games.valeria.deal import deal, determinize
from thorp.games.valeria.deck_report import report
from thorp.games.valeria.evaluation import evaluate
from thorp.games.valeria.moves import MOVES
from thorp.games.valeria.owned import cards, owned
from thorp.games.valeria.rounds import over, waiting
from thorp.games.valeria.rules import legal, play
from thorp.games.valeria.scoring import score, standing
from thorp.games.valeria.sheet import sheet
from thorp.games.valeria.state import MAX_SEATS, State
from thorp.games.valeria.text import text
from thorp.games.valeria.view import steps, view
from thorp.games.valeria.words import offer, prompt, tell

#: Raised by every change of the rules or of the Thorp deck that alters recorded matches.
RULES_VERSION = 1

OPTIONS = (
    Option(
        id="deck",
        label="Deck",
        values=(decks.STANDARD,),
        labels=("Thorp deck",),
        help="The Thorp deck is Thorp's own design, not the printed one; a deck file brings any other.",
        file=OptionFile(read=decks.read, numbers=decks.numbers, label=decks.label, report=report),
    ),
)


GAME = Game(
    id="valeria",
    name="Villages of Valeria",
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
    cards=cards,
    owned=owned,
    face=Face(
        view=view,
        prompt=prompt,
        offer=offer,
        tell=tell,
        steps=steps,
        sheet=sheet,
        text=text,
        # what the log calls a round: here one turn, with all that follow it
        tools={"round_word": lambda: "Turn"},
    ),
    credit="Villages of Valeria by Rick Holzgrafe and Isaias Vallejo, Daily Magic Games, 2017",
    folder=Path(__file__).parent,
)
