"""Who moves first where several wait at once: in games that are played on it is settled by chance."""

from __future__ import annotations

from statistics import mean

import pytest

from players.pennies import GAME
from thorp import Match
from thorp.players import Effort, judge


@pytest.mark.parametrize("seats", [2, 3])
def test_where_all_choose_at_once_no_seat_is_told_to_be_ahead(seats: int) -> None:
    """By turns who comes last would know what all others chose: it was told to win nine games of ten."""
    told: list[float] = []
    for seat in range(seats):
        chances = []
        for seed in range(6):
            match = Match(GAME, seats, seed=seed)
            assert match.waiting == tuple(range(seats))
            found = judge(GAME, match.state, seats, seat, seed, effort=Effort(playouts=900))
            chances.append(mean(each.chance for each in found.moves))
        told.append(mean(chances))
    assert all(abs(chance - 1 / seats) < 0.05 for chance in told), told


def test_what_others_have_chosen_does_not_change_what_is_told() -> None:
    """One has chosen already, in secret: the same is told as where it has not."""
    match = Match(GAME, 2, seed=1)
    before = judge(GAME, match.state, 2, 1, 5, effort=Effort(playouts=3000)).moves
    told = []
    for move in range(3):
        chosen = match.copy()
        chosen.play(0, move)
        moves = judge(GAME, chosen.state, 2, 1, 5, effort=Effort(playouts=3000)).moves
        told.append([(each.move, each.chance) for each in moves])
    assert told[0] == told[1] == told[2]
    assert abs(mean(each.chance for each in before) - mean(chance for _, chance in told[0])) < 0.15
