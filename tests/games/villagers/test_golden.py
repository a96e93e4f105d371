"""Recorded whole matches, in tests/matches/villagers: played again they end in the same state, byte for byte.

`python tests/matches/make_villagers.py` records them anew when the rules change on purpose.
"""

import tomllib
from functools import cache
from pathlib import Path

import pytest

from thorp.core.match import Match
from thorp.core.registry import register
from thorp.games.villagers import GAME
from thorp.games.villagers.rules.moves import MOVES
from thorp.games.villagers.rules.state import State

FOLDER = Path(__file__).parents[2] / "matches" / "villagers"
RESULTS = tomllib.loads((FOLDER / "results.toml").read_text(encoding="utf-8"))

register(GAME)


@cache
def recorded(name: str) -> Match:
    """A match, played again; that checks its digest."""
    return Match.load((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_every_recording_has_its_result() -> None:
    assert sorted(RESULTS) == sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.mark.parametrize("name", RESULTS)
def test_a_recorded_match_ends_as_it_did(name: str) -> None:
    match = recorded(name)
    assert match.over
    assert list(match.scores) == RESULTS[name]["scores"]
    assert list(match.standings) == RESULTS[name]["standings"]


def test_recordings_have_all_numbers_of_seats() -> None:
    assert {recorded(name).seats for name in RESULTS} == set(GAME.seats)


def test_recordings_have_all_families_of_moves() -> None:
    played = {MOVES.decode(entry.move).family for name in RESULTS for entry in recorded(name).log()}
    assert played == {family.name for family in MOVES}


def test_both_markets_at_once_holds_the_first_in_the_last_round() -> None:
    match = recorded("both-markets-at-once")
    last = match.plain.round
    before = next(ply for ply in range(match.ply, 0, -1) if not match.at(ply).plain.first_market)
    assert match.at(before).plain.round == last


def test_tie_settled_has_one_winner_with_the_gold_of_another() -> None:
    match = recorded("tie-settled")
    best = max(match.scores)
    assert match.scores.count(best) > 1
    assert match.standings.count(1) == 1


def test_win_shared_has_several_winners() -> None:
    assert recorded("win-shared").standings.count(1) > 1


def test_the_countess_is_beaten_and_wins() -> None:
    for name, won in (("solo-won", True), ("solo-lost", False)):
        match = recorded(name)
        assert (match.scores[0] > match.view(0).countess.score) == won


def test_plain_and_compiled_states_are_the_same_bytes() -> None:
    match = recorded("five-seats")
    assert GAME.bytes(match.state) == State.of(match.state).write().tobytes()
