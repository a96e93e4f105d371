"""What the recorded matches of Tiny Towns show, each of something rare. See also ../test_recorded.py."""

import pytest

from games.recorded import recorded as recorded_of
from games.recorded import results
from games.tiny_towns.printed import number
from games.tiny_towns.town import spell, squares
from thorp.core.match import AnyMatch
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.rules.cards import MONUMENT
from thorp.games.tiny_towns.rules.state import Town


def recorded(name: str) -> AnyMatch:
    """A match, played again."""
    return recorded_of("tiny_towns", name)


def towns(match: AnyMatch) -> list[Town]:
    return match.plain.towns[: match.seats]


def moves(match: AnyMatch) -> list[tuple[int, int, str]]:
    """All moves as (round, seat, spelled)."""
    now, told = match.at(0), []
    for entry in match.log():
        plain = now.plain
        told.append((plain.round, entry.seat, spell(plain, entry.seat, entry.move)))
        GAME.play(now.state, entry.seat, entry.move)
    return told


def owner(match: AnyMatch, monument: str) -> int:
    """The seat that has built a monument."""
    return next(s for s, town in enumerate(towns(match)) if town.built[MONUMENT] and town.monument == number(monument))


def namers(match: AnyMatch) -> list[int]:
    """The seats that named the resources, round by round."""
    return [seat for _, seat, move in moves(match) if move.startswith("name ")]


def test_recordings_have_all_both_ways_of_naming_and_all_options() -> None:
    matches = [recorded(name) for name in results("tiny_towns")]
    for option in ("naming", "cavern", "monuments"):
        assert {match.options[option] for match in matches} == {"naming": {"master_builder", "town_hall"}}.get(
            option, {"yes", "no"}
        )


def test_last_player_alone_names_every_resource_to_the_end() -> None:
    match = recorded("last-player-alone")
    rounds = sorted(town.completed for town in towns(match))
    alone = rounds[2] - rounds[1]
    assert alone > 4
    assert len(set(namers(match)[-alone:])) == 1
    assert len(set(namers(match)[: rounds[0]])) == 3


def test_all_at_once_ends_with_all_towns_completed_in_one_round() -> None:
    assert len({town.completed for town in towns(recorded("all-at-once"))}) == 1


def test_nobody_can_name_ends_with_empty_squares_in_both_towns() -> None:
    match = recorded("nobody-can-name")
    assert [town.built[6].bit_count() for town in towns(match)] == [5, 5]
    # the round in which nobody could name, after 26 that were played
    assert match.plain.round == 27
    assert [town.completed for town in towns(match)] == [27, 27]
    assert len(namers(match)) == 26


def test_tie_settled_has_one_winner_with_the_points_of_another() -> None:
    match = recorded("tie-settled")
    assert len(set(match.scores)) == 1
    assert sorted(match.standings) == [1, 2]


def test_win_shared_has_several_winners() -> None:
    assert recorded("win-shared").standings.count(1) > 1


@pytest.mark.parametrize(("name", "choice"), [("fort-ironweed", "name "), ("town-hall-fort-ironweed", "pick ")])
def test_the_owner_of_fort_ironweed_never_chooses_again_but_as_the_last(name: str, choice: str) -> None:
    match = recorded(name)
    seat = owner(match, "fort_ironweed")
    built = next(round for round, _, move in moves(match) if move.startswith("build fort_ironweed"))
    # the last round in which others were in the game
    last = max(town.completed for other, town in enumerate(towns(match)) if other != seat)
    choices = [(round, who) for round, who, move in moves(match) if move.startswith(choice)]
    assert [round for round, who in choices if who == seat and round <= built]
    assert [round for round, who in choices if who != seat and built < round <= last]
    assert not [round for round, who in choices if who == seat and built < round <= last]


def test_opaleyes_watch_puts_down_what_its_neighbours_built() -> None:
    match = recorded("opaleyes-watch")
    seat = owner(match, "opaleyes_watch")
    assert [move for _, who, move in moves(match) if who == seat and move.startswith("put ")]
    assert match.plain.towns[seat].watch.bit_count() < 3


def test_trading_posts_stood_in_for_cubes() -> None:
    match = recorded("trading-posts")
    now = match.at(0)
    stood_in = 0
    for entry in match.log():
        game = now.plain
        words = spell(game, entry.seat, entry.move).split()
        if words[0] == "build":
            posts = squares(game.towns[entry.seat].built[6]).split()
            stood_in += len(set(words[4:]) & set(posts))
        GAME.play(now.state, entry.seat, entry.move)
    assert stood_in


def test_town_hall_shuffles_its_cards_again() -> None:
    match = recorded("town-hall")
    assert match.plain.round > 15
    assert not namers(match)
