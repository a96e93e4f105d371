"""What the recorded matches of Villagers show, each of something rare. See also ../test_recorded.py."""

from games.recorded import recorded as recorded_of
from thorp.core.match import AnyMatch


def recorded(name: str) -> AnyMatch:
    """A match, played again."""
    return recorded_of("villagers", name)


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
