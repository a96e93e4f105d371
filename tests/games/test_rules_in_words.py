"""The rules of Thorp's own games in words: every card and ruling is there, and docs/ is made of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import thorp
from thorp.core.game import AnyGame
from thorp.core.rulebook import Rulebook

ROOT = Path(__file__).parents[2]
GAMES = [thorp.game(id) for id in ("tiny-towns", "villagers", "valeria")]
#: Where a ruling is referred to: "ruling 7", "rulings 4 and 13".
_RULING = re.compile(r"\bruling (\d+)|\brulings (\d+)(?:, (\d+))* and (\d+)")

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def book_of(game: AnyGame) -> Rulebook:
    book = game.rulebook()
    assert book
    return book


def test_the_page_of_docs_is_made_of_them(game: AnyGame) -> None:
    written = (ROOT / "docs" / f"{game.id}.md").read_text("utf-8")
    assert written == book_of(game).markdown(), "run `make docs`"


def test_every_card_that_the_game_counts_is_in_them(game: AnyGame) -> None:
    listed = {card.id: card.name for card in book_of(game).cards}
    counted = game.cards(game.options_for(game.seats[-1]))
    assert counted
    for card in counted:
        assert listed[card.id] == card.name


def test_every_card_says_what_it_does(game: AnyGame) -> None:
    for card in book_of(game).cards:
        assert card.effect.endswith(".") or not card.effect, card
        assert card.effect or card.facts, card


def test_rulings_that_are_referred_to_are_there(game: AnyGame) -> None:
    told = {int(anchor.partition("-")[2]) for anchor in book_of(game).anchors() if anchor.startswith("ruling-")}
    folder = game.package.rpartition(".")[2]
    referred = set()
    for place in (ROOT / "src" / "thorp" / "games" / folder, ROOT / "tests" / "games" / folder):
        for path in (*place.rglob("*.py"), *place.rglob("*.toml"), *place.rglob("*.html"), *place.rglob("*.md")):
            for found in _RULING.findall(path.read_text("utf-8").lower()):
                referred |= {int(number) for number in found if number}
    assert referred
    assert referred <= told
    assert told == set(range(1, len(told) + 1))
