"""The Thorp deck is balanced: checked roughly, over few games; docs/valeria-balance.md has the measurement.

The games are of fixed seeds, so that chance cannot fail a test; only a change of rules, deck or player can.
"""

from functools import cache

import pytest

from thorp.arena.figures import Figures, figures_of
from thorp.arena.many import play_many
from thorp.compiling.mode import COMPILED
from thorp.games.valeria import GAME

GAMES = 4_000
#: What a card, and the first place, may move the share of wins by.
CARD, FIRST = 0.08, 0.03

pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of games take compiled rules")


@cache
def measured() -> Figures:
    return figures_of(play_many(GAME, 4, games=GAMES, seed=1))


def test_no_card_moves_its_owners_share_of_wins_by_more_than_8_points() -> None:
    """None of them beyond its interval, that is: the true figure of a card can be within 8 points."""
    effects = {card.name: card.plain for card in measured().cards if card.plain.known}
    assert len(effects) >= 50
    assert [name for name, effect in effects.items() if effect.low > CARD or effect.high < -CARD] == []


def test_the_first_place_moves_the_share_of_wins_by_no_more_than_3_points() -> None:
    turns = measured().turns
    assert turns is not None
    assert turns[0].share.low - 1 / 4 <= FIRST
    assert turns[0].share.high - 1 / 4 >= -FIRST
