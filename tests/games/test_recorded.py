"""What holds of the recorded matches of every game."""

import pytest

from games.recorded import GAMES, MATCHES, recorded, results

EVERY = [(game, name) for game in GAMES for name in results(game)]


@pytest.mark.parametrize("game", GAMES)
def test_every_recording_has_its_result(game: str) -> None:
    assert sorted(results(game)) == sorted(path.stem for path in (MATCHES / game).glob("*.json"))


@pytest.mark.parametrize(("game", "name"), EVERY)
def test_a_recorded_match_ends_as_it_did(game: str, name: str) -> None:
    match, ended = recorded(game, name), results(game)[name]
    assert match.over
    assert list(match.scores) == ended["scores"]
    assert list(match.standings) == ended["standings"]


@pytest.mark.parametrize("game", GAMES)
def test_recordings_have_all_numbers_of_seats(game: str) -> None:
    assert {recorded(game, name).seats for name in results(game)} == set(GAMES[game].seats)


@pytest.mark.parametrize("game", GAMES)
def test_recordings_have_all_families_of_moves(game: str) -> None:
    moves = GAMES[game].moves
    played = {moves.decode(entry.move).family for name in results(game) for entry in recorded(game, name).log()}
    assert played == {family.name for family in moves}


@pytest.mark.parametrize(
    ("game", "name"), [("tiny_towns", "six-seats"), ("valeria", "five-seats"), ("villagers", "five-seats")]
)
def test_plain_and_compiled_states_are_the_same_bytes(game: str, name: str) -> None:
    match = recorded(game, name)
    assert GAMES[game].bytes(match.state) == match.plain.write().tobytes()
