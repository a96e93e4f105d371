"""The Thorp deck is balanced among players that have learned: checked roughly; docs/valeria-balance.md has it in full.

The games are of fixed seeds, so that chance cannot fail a test; only a change of rules, deck or player can.
"""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from thorp.arena.figures import NORMAL_95, plain_effects
from thorp.compiling.mode import COMPILED

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "scripts" / "deck.py"
GAMES, SEATS = 800, 4
#: What a card may move the share of wins by, and those that miss it (docs/valeria-balance.md tells why).
CARD = 0.06
MISSED = {"Archmage", "Armory", "Knight"}
#: In so many villages each card should stand, and those that stand in fewer.
VILLAGES = 0.08
RARE = {"Abbey", "Cathedral", "Cleric", "Shadow Court", "War Camp"}
#: What the share of 3,200 villages may differ by, three standard errors of a share of 8 in 100.
CHANCE = 0.015

pytestmark = pytest.mark.skipif(not COMPILED, reason="hundreds of games take compiled rules")


@cache
def measured() -> Any:
    spec = importlib.util.spec_from_file_location("deck", SCRIPT)
    assert spec
    assert spec.loader
    deck = sys.modules["deck"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(deck)
    return deck.measure("second", SEATS, GAMES, 1)


def test_no_other_card_moves_its_owners_share_of_wins_by_more_than_6_points() -> None:
    """None of them beyond its interval, that is: the true figure of a card can be within 6 points."""
    played = measured()
    effects = plain_effects(played.shares, played.counts)
    beyond = {
        card.name
        for card, effect in zip(played.deck.every, effects, strict=True)
        if effect.value - NORMAL_95 * effect.error > CARD or effect.value + NORMAL_95 * effect.error < -CARD
    }
    assert beyond <= MISSED


def test_every_card_stands_in_villages_and_every_type_too() -> None:
    played = measured()
    had = (played.counts > 0).mean((0, 1))
    rare = {card.name for card, share in zip(played.deck.every, had, strict=True) if share < VILLAGES - CHANCE}
    assert rare <= RARE
    assert had.min() >= 0.02
    assert all(0.15 <= share <= 0.32 for share in played.types)


def test_adventurers_and_scoring_powers_bring_their_part() -> None:
    built, joined, scored, coins = measured().sources
    assert built > joined > scored > 2
    assert coins > 2


def test_the_first_place_moves_the_share_of_wins_by_no_more_than_is_told() -> None:
    """Wanted are 3 points, which no form of the deck came to (docs/valeria-balance.md tells why)."""
    first = measured().first
    assert abs(first.value) <= 0.12
