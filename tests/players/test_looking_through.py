"""All decisions of a seat, looked through as `thorp analyse` does."""

import random

import connect_four
import pytest

from thorp import GameError, IllegalMove, Match, analyse
from thorp.players import Effort, look_through
from thorp.players.looking_through import LONGER

FOUR = connect_four.GAME
EFFORT = Effort(playouts=20)


def played() -> Match:
    """A match of Connect Four at random."""
    match, rng = Match(FOUR, 2, seed=3), random.Random(3)
    while not match.over:
        (seat,) = match.waiting
        match.play(seat, rng.choice(match.legal(seat)))
    return match


def test_the_dearest_are_judged_once_more_with_more_and_only_what_is_more_than_chance_counts() -> None:
    match = played()
    told: list[tuple[int, int, int]] = []
    whole = look_through(match, 0, EFFORT, lambda *each: told.append(each))
    assert whole == look_through(match, 0, EFFORT)
    count = len(whole.decisions)
    again = told[-1][2]
    assert told == [(n, count, 0) for n in range(1, count + 1)] + [(count, count, n) for n in range(1, again + 1)]
    assert again > 0
    # what it cost is what was found with five times as much, by other chances
    dear = whole.dearest(1)[0]
    longer = analyse(match, 0, dear.ply, Effort(playouts=20 * LONGER, seed=1))
    assert (dear.cost, dear.cost_error) == (longer.cost, longer.cost_error)
    assert all(each.cost == 0 or each.noticed for each in whole.decisions)
    assert whole.begin + whole.luck - whole.cost == pytest.approx(whole.result)


def test_what_cannot_be_looked_through_is_refused() -> None:
    with pytest.raises(GameError, match="when a match is over"):
        look_through(Match(FOUR, 2), 0)
    with pytest.raises(IllegalMove, match="seats are 0 to 1"):
        look_through(played(), 2)
    wrong: object = 5
    with pytest.raises(GameError, match="is an Effort"):
        look_through(played(), 0, wrong)  # type: ignore[arg-type]
