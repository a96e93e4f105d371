"""Matches: playing, refusing, exporting and loading."""

import json
import random
from typing import Any

import pytest
import toy

from thorp import GameError, IllegalMove, Match, MatchFileError, OptionError
from thorp.checks.matches import play_randomly


def _match(**changes: Any) -> Match:
    return Match(toy.GAME, **{"seats": 3, "seed": 4, **changes})


def test_without_a_seed_every_match_is_another() -> None:
    assert Match(toy.GAME, 2).seed != Match(toy.GAME, 2).seed


@pytest.mark.parametrize("seed", [-1, 1 << 63, 1.5, "7"])
def test_a_seed_out_of_range_is_refused(seed: Any) -> None:
    with pytest.raises(GameError, match="a seed is an integer"):
        _match(seed=seed)


@pytest.mark.parametrize("seats", [0, 5, -1])
def test_too_few_or_too_many_seats_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match="is for 1 to 4 seats"):
        _match(seats=seats)


@pytest.mark.parametrize("options", [{"rounds": "4"}, {"rounds": 3}, {"colour": "red"}])
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        _match(options=options)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(GameError, match="there is no game 'chess'"):
        Match("chess", 2)


@pytest.mark.parametrize("move", [-1, 10**6, "0", None, True, 1.0])
def test_an_illegal_move_changes_nothing(move: Any) -> None:
    match = _match()
    before = match.digest()
    with pytest.raises(IllegalMove):
        match.play(0, move)
    assert (match.digest(), match.ply) == (before, 0)


@pytest.mark.parametrize("seat", [-1, 3, "0", True])
def test_a_seat_that_is_not_there_is_refused(seat: Any) -> None:
    with pytest.raises(IllegalMove, match="there is no seat"):
        _match().play(seat, 0)


def test_a_seat_that_has_answered_waits() -> None:
    match = _match()
    match.play(1, match.legal(1)[0])
    assert match.waiting == (0, 2)
    assert match.legal(1) == []
    with pytest.raises(IllegalMove):
        match.play(1, 0)


def test_taking_back_leaves_the_others_moves() -> None:
    match = _match()
    match.play(0, 0)
    match.play(1, 1)
    match.take_back(0)
    assert match.waiting == (0, 2)
    assert [entry.seat for entry in match.log()] == [1]


def test_what_is_shown_cannot_be_taken_back() -> None:
    match = _match()
    for seat in range(3):
        match.play(seat, 0)
    assert not match.can_take_back(2)
    with pytest.raises(IllegalMove, match="may take back"):
        match.take_back(2)
    match.undo()
    assert match.waiting == (2,)


def test_undo_at_the_start_says_so() -> None:
    with pytest.raises(GameError, match="no move to undo"):
        _match().undo()


def test_at_shows_every_moment() -> None:
    match = _match()
    digests = [match.digest()]
    rng = random.Random(0)
    while not match.over:
        play_randomly(match, rng, moves=1)
        digests += [match.at(ply).digest() for ply in range(len(digests), match.ply + 1)]
    assert [match.at(ply).digest() for ply in range(match.ply + 1)] == digests
    with pytest.raises(GameError, match="has plies 0 to"):
        match.at(match.ply + 1)


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported() -> dict[str, Any]:
    """A finished match, as the fields of its export."""
    match = _match()
    play_randomly(match, random.Random(1))
    fields: dict[str, Any] = json.loads(match.export())
    return fields


def _broken(fields: dict[str, Any], **changes: Any) -> str:
    kept = {name: value for name, value in {**fields, **changes}.items() if value is not ...}
    return json.dumps(kept)


def test_an_export_loads(exported: dict[str, Any]) -> None:
    match = Match.load(json.dumps(exported))
    assert match.over
    assert match.digest() == exported["digest"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"match"', b"\xff\xfe", "[" * 100_000, "NaN"])
def test_what_is_no_export_is_refused(text: str | bytes) -> None:
    with pytest.raises(MatchFileError):
        Match.load(text)


@pytest.mark.parametrize(
    "changes",
    [
        {"game": ...},
        {"moves": ...},
        {"seats": "3"},
        {"seats": True},
        {"seats": 9},
        {"seats": 2},
        {"seed": -1},
        {"seed": 1 << 70},
        {"seed": 5},
        {"options": []},
        {"options": {"rounds": "99"}},
        {"options": {"rounds": 3}},
        {"options": {"rounds": "6"}},
        {"format": 2},
        {"rules_version": 99},
        {"generator_version": 0},
        {"game": "chess"},
        {"over": False},
        {"digest": "0" * 64},
        {"forced": 1},
        {"colour": "red"},
        {"moves": [[0, 0], [0, 0]]},
        {"moves": [[0]]},
        {"moves": [[0, "0"]]},
        {"moves": [[True, 0]]},
        {"moves": [[7, 0]]},
        {"moves": [[0, 99999]]},
        {"moves": {"0": 0}},
    ],
    ids=str,
)
def test_a_broken_or_edited_export_is_refused(exported: dict[str, Any], changes: dict[str, Any]) -> None:
    with pytest.raises(GameError):
        Match.load(_broken(exported, **changes))


def test_every_edited_move_is_noticed(exported: dict[str, Any]) -> None:
    """No move of the file can be changed or left out without the loader saying so."""
    for index, (seat, move) in enumerate(exported["moves"]):
        moves = list(exported["moves"])
        moves[index] = [seat, move + 1]
        for edited in (moves, exported["moves"][:index] + exported["moves"][index + 1 :]):
            try:
                match = Match.load(_broken(exported, moves=edited))
            except GameError:
                continue
            pytest.fail(f"an edit of move {index} went unnoticed: {match.digest()}")
