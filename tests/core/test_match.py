"""Matches: playing, refusing, exporting and loading."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import toy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import thorp.compiling.preparing
import thorp.core.match
from thorp import GameError, IllegalMove, Match, MatchFileError, OptionError
from thorp.checks.matches import play_randomly
from thorp.core.errors import ContractError
from thorp.core.given import shown
from thorp.core.match import MOST_LENGTH


def _match(**changes: Any) -> Match:
    return Match(toy.GAME, **{"seats": 3, "seed": 4, **changes})


def test_without_a_seed_every_match_is_another() -> None:
    assert Match(toy.GAME, 2).seed != Match(toy.GAME, 2).seed


@pytest.mark.parametrize("seed", [-1, 1 << 63, 10**4000, 1.5, "7", True, float("nan"), np.True_, np.int64(-1), []])
def test_a_seed_out_of_range_is_refused(seed: Any) -> None:
    with pytest.raises(GameError, match="a seed is an integer"):
        _match(seed=seed)


@pytest.mark.parametrize("seats", [0, 5, -1, 10**4000, True, 2.0, "2", None, float("nan"), np.True_, np.int8(9), [2]])
def test_too_few_or_too_many_seats_are_refused(seats: Any) -> None:
    with pytest.raises(OptionError, match="is for 1 to 4 seats"):
        _match(seats=seats)


def _deep() -> list[Any]:
    """Lists within lists, deeper than can be written."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    return deep


@pytest.mark.parametrize(
    "options",
    [
        *({"rounds": "4"}, {"rounds": 3}, {"rounds": 10**4000}, {"rounds": "9" * 10**6}, {"rounds": None}),
        *({"rounds": b"3"}, {"rounds": ["3"]}, {"colour": "red"}, {3: "3"}, {None: "3"}, {10**4000: "3"}),
        *({"worth": ""}, {"worth": "1" * 70_000}, {"worth": "\ud800"}, {"worth": 1}),
        *([], ["rounds"], "rounds", 3, True),
    ],
    ids=shown,
)
def test_options_out_of_range_are_refused(options: Any) -> None:
    with pytest.raises(OptionError) as refused:
        _match(options=options)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("value", [10**5000, _deep()], ids=["digits", "lists"])
def test_options_that_cannot_be_written_are_refused(value: Any) -> None:
    with pytest.raises(OptionError, match="Rounds cannot be so large a value; choose one of 3, 6"):
        _match(options={"rounds": value})


@pytest.mark.parametrize("forced", ["no", "", None, 0, 1, 1.0, []])
def test_whether_moves_are_forced_is_yes_or_no(forced: Any) -> None:
    with pytest.raises(GameError, match="forced is True or False, not"):
        _match(forced=forced)


@pytest.mark.parametrize("game", [None, 7, b"valeria", toy, Match])
def test_what_is_no_game_is_refused(game: Any) -> None:
    with pytest.raises(TypeError, match="a match is of a game or the id of one, not of"):
        Match(game, 2)


def test_numbers_of_numpy_are_taken_and_written_as_plain_ones() -> None:
    match = _match(seats=np.int64(3), seed=np.uint64(4), forced=np.False_)
    plain = _match(forced=False)
    for seat in range(3):
        moves = match.legal(np.int8(seat))
        assert moves == plain.legal(seat)
        assert match.words(np.int16(seat), np.int32(moves[0])) == plain.words(seat, moves[0])
        match.play(np.int64(seat), np.int64(moves[0]))
        plain.play(seat, moves[0])
    assert match.view(np.int64(1)) == plain.view(1)
    assert match.can_take_back(np.int64(2)) == plain.can_take_back(2)
    assert match.at(np.int64(2)).digest() == plain.at(2).digest()
    assert match.export() == plain.export()
    assert Match.load(match.export()).digest() == plain.digest()


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(GameError, match="there is no game 'chess'"):
        Match("chess", 2)
    with pytest.raises(GameError, match="there is no game 'xxx") as refused:
        Match("x" * 10**6, 2)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "move", [-1, 10**6, 10**4000, "0", None, True, 1.0, float("nan"), np.True_, np.float64(0), [0]]
)
def test_an_illegal_move_changes_nothing(move: Any) -> None:
    match = _match()
    before = match.digest()
    with pytest.raises(IllegalMove):
        match.play(0, move)
    assert (match.digest(), match.ply) == (before, 0)


@pytest.mark.parametrize("seat", [-1, 3, 10**4000, "0", True, 0.0, float("nan"), np.True_, np.int64(3), [0]])
def test_a_seat_that_is_not_there_is_refused(seat: Any) -> None:
    match = _match()
    before = match.digest()
    asked: tuple[Callable[[], Any], ...] = (
        lambda: match.play(seat, 0),
        lambda: match.replay(seat, 0),
        lambda: match.legal(seat),
        lambda: match.words(seat, 0),
        lambda: match.view(seat),
        lambda: match.prompt(seat),
        lambda: match.can_take_back(seat),
        lambda: match.take_back(seat),
    )
    for ask in asked:
        with pytest.raises(IllegalMove, match="there is no seat"):
            ask()
    assert (match.digest(), match.ply) == (before, 0)


@pytest.mark.parametrize("ply", [-1, 1, 10**4000, True, 0.0, "0", None])
def test_a_ply_that_is_not_there_is_refused(ply: Any) -> None:
    with pytest.raises(GameError, match="this match has plies 0 to 0, not"):
        _match().at(ply)


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


def test_a_branch_goes_on_from_any_moment() -> None:
    match = _match()
    play_randomly(match, random.Random(0))
    for ply in range(match.ply + 1):
        branch = match.branch(ply)
        assert branch.continued == branch.ply >= ply
        assert branch.log()[:ply] == match.log()[:ply]
        assert not any(branch.can_take_back(seat) for seat in range(3))
        play_randomly(branch, random.Random(ply))
        loaded = Match.load(branch.export())
        assert (loaded.digest(), loaded.continued) == (branch.digest(), branch.continued)
        assert loaded.export() == branch.export()
    assert match.continued is None
    assert "continued" not in match.export()
    with pytest.raises(GameError, match="has plies 0 to"):
        match.branch(match.ply + 1)


def test_what_was_at_a_moment_can_be_written_undone_and_gone_on_from() -> None:
    """Such a match plays no move by itself, but some were forced before that."""
    match, seed, early = _match(), 0, 0
    while not early:
        match, seed = _match(seed=seed), seed + 1
        play_randomly(match, random.Random(0))
        early = next((ply for ply, entry in enumerate(match.log()[:-3]) if entry.forced), 0)
    past = match.at(early + 2)
    assert Match.load(past.export()).digest() == past.digest()
    assert past.branch(early + 1).digest() == match.at(early + 1).digest()
    log = past.log()
    last = max(ply for ply, entry in enumerate(log) if not entry.forced)
    past.undo()
    assert past.log() == log[:last]
    assert past.digest() == match.at(last).digest()


def test_undo_goes_back_beyond_where_a_branch_began() -> None:
    match = _match()
    play_randomly(match, random.Random(0))
    branch = match.branch(6)
    branch.undo()
    assert branch.continued == branch.ply
    assert Match.load(branch.export()).digest() == branch.digest()


def test_going_to_a_moment_checks_no_option_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options may be files, and checking those takes time."""
    match = _match()
    play_randomly(match, random.Random(0))
    monkeypatch.setattr(type(match.game), "options_for", None)
    assert match.at(0).ply == 0


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


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "{",
            "[]",
            "null",
            '"match"',
            b"\xff\xfe",
            b"\xef\xbb\xbf{}",
            b"\x00",
            "\ufeff{}",
            "NaN",
            "\ud800",
            "{}x",
        ),
        *("[" * 100_000, '{"a":' * 100_000, "9" * 10_000, '{"seed": -Infinity}', '{"format": 1, "format": 1}'),
    ],
    ids=shown,
)
def test_what_is_no_export_is_refused(text: str | bytes) -> None:
    with pytest.raises(MatchFileError) as refused:
        Match.load(text)
    assert len(str(refused.value)) < 300


def test_a_file_without_end_is_not_even_read() -> None:
    with pytest.raises(MatchFileError, match="none is longer than"):
        Match.load(b" " * (MOST_LENGTH + 1))


@pytest.mark.parametrize("text", [None, 7, ["{}"], {}])
def test_what_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(TypeError, match="an export is a text, or its bytes, not"):
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
        {"seats": 3.0},
        {"seats": 10**4000},
        {"seed": 4.0},
        {"seed": 10**4000},
        {"seed": None},
        {"format": 10**31},
        {"rules_version": 10**31},
        {"rules_version": True},
        {"options": {"worth": "none"}},
        {"options": {"worth": "1" * 70_000}},
        {"options": {"rounds": None, "open": []}},
        {"options": {"rounds": "3" * 10_000}},
        {"game": "x" * 10_000},
        {"game": "\ud800"},
        {"game": "../valeria"},
        {"game": ""},
        {"forced": "no"},
        {"forced": None},
        {"x" * 10_000: 1},
        {"moves": [[0, 10**30]]},
        {"moves": [[10**30, 0]]},
        {"moves": [[-1, 0]]},
        {"moves": [[0, 0.0]]},
        {"moves": [[[0], 0]]},
        {"moves": [None]},
        {"moves": [[0, 0]] * 10_000},
        {"digest": "\ud800"},
    ],
    ids=shown,
)
def test_a_broken_or_edited_export_is_refused(exported: dict[str, Any], changes: dict[str, Any]) -> None:
    with pytest.raises(MatchFileError) as refused:
        Match.load(_broken(exported, **changes))
    assert len(str(refused.value)) < 300


def test_a_game_that_is_broken_here_is_told(exported: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(id: str) -> None:
        raise ContractError(id, ("It has no rules.",))

    monkeypatch.setattr(thorp.core.match, "find_game", broken)
    with pytest.raises(MatchFileError, match="It has no rules"):
        Match.load(json.dumps(exported))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("format", "game", "rules_version", "generator_version", "seats", "options", "seed", "forced", "moves", "over")


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from((*FIELDS, "digest", "more")), ANYTHING, min_size=1, max_size=3))
def test_whatever_stands_in_a_field_is_read_or_refused(exported: dict[str, Any], changes: dict[str, Any]) -> None:
    with suppress(MatchFileError):
        assert Match.load(json.dumps({**exported, **changes})).digest() == exported["digest"]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000), st.integers(0, 20), st.binary(max_size=8))
def test_whatever_bytes_stand_in_a_file_it_is_read_or_refused(
    exported: dict[str, Any], at: int, cut: int, more: bytes
) -> None:
    text = json.dumps(exported).encode()
    at %= len(text)
    with suppress(MatchFileError):
        Match.load(text[:at] + more + text[at + cut :])


@settings(max_examples=200, deadline=None)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(("seats", "options", "seed", "forced"), ANYTHING)))
def test_whatever_is_given_a_match_is_one_that_can_be_written_or_refused(given: dict[str, Any]) -> None:
    with suppress(GameError):
        match = _match(**given)
        assert Match.load(match.export()).digest() == match.digest()


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


def test_the_rules_of_a_game_are_got_ready_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _match()
    looked: list[Any] = []
    monkeypatch.setattr(thorp.compiling.preparing, "folder_of", looked.append)
    for _ in range(3):
        _match()
    assert not looked
