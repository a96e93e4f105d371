"""What the recorded matches of Villages of Valeria show, each of something rare. See also ../test_recorded.py."""

import pytest

from games.recorded import recorded as recorded_of
from thorp.core.match import AnyMatch
from thorp.games.valeria.rules.moves import MOVES


def recorded(name: str) -> AnyMatch:
    """A match, played again."""
    return recorded_of("valeria", name)


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
