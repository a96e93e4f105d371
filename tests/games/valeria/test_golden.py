"""Recorded whole matches, in tests/matches/valeria: played again they end in the same state, byte for byte.

`python tests/matches/make_valeria.py` records them anew when the rules change on purpose.
"""

import tomllib
from functools import cache
from pathlib import Path

import pytest

from thorp.core.match import Match
from thorp.core.registry import register
from thorp.games.valeria import GAME
from thorp.games.valeria.rules.moves import MOVES
from thorp.games.valeria.rules.state import State

FOLDER = Path(__file__).parents[2] / "matches" / "valeria"
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


@pytest.mark.parametrize("name", ["solo-full-village", "two-seats", "four-seats", "five-seats"])
def test_a_full_village_ends_the_game(name: str) -> None:
    match = recorded(name)
    assert max(player.size for player in match.plain.players) == (10 if match.seats > 3 else 12)


def test_solo_ends_with_the_35th_card() -> None:
    assert recorded("solo-35-cards").plain.turned == 35


def test_idle_players_end_the_game() -> None:
    match = recorded("two-idle")
    families = [MOVES.decode(entry.move).family for entry in match.log()]
    # two develop at setup
    assert families.count("develop") == 2
    assert match.plain.round == 20


def test_a_deck_is_made_of_the_piles() -> None:
    for name in ("three-shuffled", "five-shuffled"):
        assert recorded(name).plain.origin > 0


def test_a_recording_brings_its_own_deck() -> None:
    match = recorded("deck-file")
    assert match.view(0).deck_name == "Recorded deck"
    assert recorded("four-seats").view(0).deck_name == "Thorp deck"


def test_tie_settled_has_one_winner_with_the_points_of_another() -> None:
    match = recorded("tie-settled")
    assert match.scores.count(max(match.scores)) > 1
    assert match.standings.count(1) == 1


def test_plain_and_compiled_states_are_the_same_bytes() -> None:
    match = recorded("five-seats")
    assert GAME.bytes(match.state) == State.of(match.state).write().tobytes()
