"""A match of Villagers: taking a build turn back, and what is played by itself."""

from games.villagers.place import spell
from thorp.core.match import Match
from thorp.core.registry import register
from thorp.games.villagers import GAME
from thorp.games.villagers.rules.moves import MOVES

register(GAME)


def moves(match: Match, family: str) -> list[int]:
    return [move for seat in match.waiting for move in match.legal(seat) if MOVES.decode(move).family == family]


def at_the_first_build_turn(seats: int = 2) -> Match:
    """A match whose first player builds."""
    match = Match(GAME, seats, seed=4)
    while not moves(match, "done"):
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    return match


def test_a_turn_in_which_the_whole_hand_is_used_up_does_not_end_by_itself() -> None:
    match = at_the_first_build_turn()
    seat = match.waiting[0]
    before = match.digest()
    cards = len(moves(match, "exchange")) // (3 * 6)
    given_up = 0
    while moves(match, "exchange"):
        match.play(seat, moves(match, "exchange")[0])
        given_up += 1
    assert given_up >= cards
    assert match.waiting == (seat,)
    assert [spell(move) for move in match.legal(seat)] == ["done"]
    # the whole turn can be taken back until it is ended
    for _ in range(given_up):
        match.take_back(seat)
    assert match.digest() == before
    assert not match.can_take_back(seat)


def test_a_match_that_waits_for_the_end_of_a_turn_is_exported_and_loaded() -> None:
    match = at_the_first_build_turn()
    seat = match.waiting[0]
    while moves(match, "exchange"):
        match.play(seat, moves(match, "exchange")[0])
    assert Match.load(match.export()).waiting == (seat,)
    match.play(seat, match.legal(seat)[0])
    assert not match.can_take_back(seat)
    assert match.waiting != (seat,)
    assert Match.load(match.export()).log() == match.log()
