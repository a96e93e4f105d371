"""How well the player plays that goes by the net which comes with the game."""

import pytest

from thorp.arena.contest import lone_share
from thorp.arena.entrants import entrant
from thorp.arena.lineups import Lineup
from thorp.arena.work import Work, get_ready, play_work
from thorp.compiling.mode import COMPILED
from thorp.games.villagers import GAME

DEALS = 60


@pytest.mark.skipif(not COMPILED, reason="hundreds of games take compiled rules")
@pytest.mark.parametrize(("seats", "least"), [(2, 0.75), (4, 0.6)])
def test_learned_beats_greedy(seats: int, least: float) -> None:
    """On fixed seeds, each from every seat; an even share is a half and a quarter. Measured over more in the docs.

    Where its weights cannot be used greedy plays in its place, and an even share is all that is left.
    """
    lineup = Lineup(("learned", *["greedy"] * (seats - 1)))
    known = {name: entrant(name) for name in lineup.players}
    get_ready(GAME, [lineup])
    deals = play_work(Work(GAME.id, GAME.package, GAME.options_for(seats), lineup, known, 1, DEALS, 0.0))
    assert len(deals) == DEALS
    assert float(sum(map(lone_share, deals))) / DEALS > least
