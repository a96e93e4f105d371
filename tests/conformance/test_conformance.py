"""What has to hold in every game: the checks that any package can run on its game, and what a match promises."""

import random

import pytest

from conformance.all_games import GAMES
from thorp import IllegalMove, Match
from thorp.checks import CHECKS, Check
from thorp.checks.matches import play_randomly, random_match
from thorp.checks.playing import games_end, listed_moves_can_be_played, moves_decide
from thorp.compiling.mode import COMPILED
from thorp.core.game import AnyGame

#: Random games per game of the contract, where all of a check is done by compiled rules: they play them in a second.
MANY = 4_000 if COMPILED else 40
MANY_ARE_CHEAP = (games_end, listed_moves_can_be_played, moves_decide)
#: Where every state is looked at from Python, a check plays a part of these; `thorp check` looks at more.
FEW = 400 if COMPILED else 40

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_game_passes_every_check(game: AnyGame, check: Check) -> None:
    assert list(check(game, MANY if check in MANY_ARE_CHEAP else FEW)) == []


def test_unlisted_moves_are_refused_and_change_nothing(game: AnyGame) -> None:
    for seed in range(6):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed), moves=20 * seed)
        for seat in range(match.seats):
            listed = set(match.legal(seat))
            before = match.digest()
            for move in [*range(game.moves.size), -1, game.moves.size, 10**9]:
                if move not in listed:
                    with pytest.raises(IllegalMove):
                        match.play(seat, move)
            assert match.digest() == before


def test_listed_moves_are_all_playable(game: AnyGame) -> None:
    for seed in range(4):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed), moves=25 * seed)
        state = game.bytes(match.state)
        for seat in match.waiting:
            for move in match.legal(seat):
                copy = game.copy(match.state)
                game.play(copy, seat, move)
                assert game.bytes(copy) != state
        assert game.bytes(match.state) == state


def test_save_and_load_at_every_ply(game: AnyGame) -> None:
    """At every one at first; as loading plays all again, at fewer and fewer of a long match."""
    match = random_match(game, 5, forced=True)
    rng = random.Random(5)
    while not match.over:
        play_randomly(match, rng, moves=1 + match.ply // 60)
        assert Match.load(match.export()).digest() == match.digest()


def test_who_has_more_points_stands_before(game: AnyGame) -> None:
    """So it is in every game that is here; the contract does not ask for it."""
    for seed in range(30):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed))
        scores, standings = match.scores, match.standings
        # alone, a game may have been lost
        assert min(standings) == 1 or match.seats == 1
        for one in range(match.seats):
            for other in range(match.seats):
                if scores[one] > scores[other]:
                    assert standings[one] < standings[other]


def test_undo_goes_back_to_the_deal(game: AnyGame) -> None:
    match = random_match(game, 3, forced=True)
    start = match.digest()
    play_randomly(match, random.Random(3), moves=12)
    while any(not entry.forced for entry in match.log()):
        match.undo()
    assert match.digest() == start
