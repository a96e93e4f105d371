"""The learned player: its weights, who stands in for it, and what it does not read."""

import hashlib
import json
import logging
from dataclasses import replace
from pathlib import Path

import connect_four
import numpy as np
import pytest
import toy

import thorp
from thorp import GameError, Match
from thorp.arena import play_games
from thorp.core.chance import stream
from thorp.core.game import AnyGame
from thorp.core.generic import make_states, put_state
from thorp.core.net import Net
from thorp.core.ntuples import Lookup, NTuples
from thorp.core.weights import WeightsError, file_of, read_weights, room, write_weights
from thorp.players import choose, choose_in, names
from thorp.players.greedy import greedy_move
from thorp.players.learned import learned, learned_for, learned_for_search
from thorp.players.search import Way

LEARNED = [thorp.game(id) for id in thorp.game_ids() if thorp.game(id).value]
#: Compiling an evaluation takes as long as compiling its game: those are held that somebody plays by.
SHIPPED = [game for game in LEARNED if isinstance(game.net, NTuples) or file_of(game).exists()]
NETS = [game for game in LEARNED if isinstance(game.net, Net)]


def any_weights(game: AnyGame) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    assert game.net is not None
    return np.random.default_rng(1).normal(size=game.net.learned).astype(np.float32)


@pytest.mark.parametrize("game", SHIPPED, ids=str)
def test_what_a_seat_may_not_know_makes_no_difference(game: AnyGame) -> None:
    """And a position is left as it was."""
    row = room(game, any_weights(game))
    for seats in {game.seats[0], 3}:
        match = thorp.Match(game, seats, seed=seats)
        asked = 0
        while not match.over and asked < 80:
            asked += 1
            seat = match.waiting[0]
            before = match.digest()
            worth = game.value(match.state, seat, row)
            assert match.digest() == before
            other = game.copy(match.state)
            game.determinize(other, seat, asked)
            assert game.value(other, seat, row) == worth
            match.play(seat, match.legal(seat)[asked % len(match.legal(seat))])


@pytest.mark.parametrize("game", SHIPPED, ids=str)
def test_nothing_remembered_makes_a_difference(game: AnyGame) -> None:
    """A row that has reckoned with many positions says the same as a fresh one."""
    used = room(game, any_weights(game))
    match = thorp.Match(game, 2, seed=5)
    for step in range(60):
        if match.over:
            break
        for seat in range(2):
            fresh = room(game, any_weights(game))
            assert game.value(match.state, seat, used) == game.value(match.state, seat, fresh)
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[(7 * step) % len(match.legal(seat))])


@pytest.mark.parametrize("game", SHIPPED, ids=str)
def test_at_the_end_a_position_is_worth_its_points_or_how_far_it_is_ahead(game: AnyGame) -> None:
    match = thorp.Match(game, 2, seed=7)
    while not match.over:
        seat = match.waiting[-1]
        match.play(seat, match.legal(seat)[-1])
    row = room(game, any_weights(game))
    ahead = isinstance(game.net, Net) and game.net.chooses
    worth = [points - ahead * rival for points, rival in zip(match.scores, reversed(match.scores), strict=True)]
    assert [game.value(match.state, seat, row) for seat in range(2)] == worth


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    game, path = NETS[0], tmp_path / "some.weights"
    write_weights(path, game, any_weights(game), {"seed": 3})
    found, told = read_weights(game, path)
    assert np.array_equal(found, any_weights(game))
    assert told["seed"] == 3


def test_weights_that_cannot_be_used_are_refused_in_a_sentence(tmp_path: Path) -> None:
    game, path = NETS[0], tmp_path / "some.weights"
    with pytest.raises(WeightsError, match="cannot be read; learn anew with thorp train"):
        read_weights(game, path)
    write_weights(path, game, any_weights(game), {})
    whole = path.read_bytes()
    for damaged in (whole[:-4], whole[:-1] + bytes([whole[-1] ^ 1]), b"[]\n", b"\xff\n", b"[" * 200_000 + b"\n", b""):
        path.write_bytes(damaged)
        with pytest.raises(WeightsError, match="are damaged"):
            read_weights(game, path)
    write_weights(path, game, any_weights(game) * np.float32(np.nan), {})
    with pytest.raises(WeightsError, match="are damaged"):
        read_weights(game, path)
    odd = whole.partition(b"\n")[2] + b"\0"
    head = {**json.loads(whole.partition(b"\n")[0]), "digest": hashlib.sha256(odd).hexdigest()}
    path.write_bytes(json.dumps(head).encode() + b"\n" + odd)
    with pytest.raises(WeightsError, match="are damaged"):
        read_weights(game, path)
    path.write_bytes(whole)
    assert game.net is not None
    foreign = {
        "another game": replace(game, id="other"),
        "other rules": replace(game, rules_version=game.rules_version + 1),
        "other features": replace(game, net=replace(game.net, version=99)),
    }
    for what, other in foreign.items():
        with pytest.raises(WeightsError, match=f"are of {what} than"):
            read_weights(other, path)
    with pytest.raises(WeightsError, match="has no learned evaluation"):
        read_weights(replace(game, net=None), path)


def test_greedy_stands_in_where_weights_cannot_be_used(caplog: pytest.LogCaptureFixture) -> None:
    game = replace(NETS[0], rules_version=99)
    with caplog.at_level(logging.WARNING):
        assert learned_for(game, game.state(), 2) is None
        assert learned.of(game) is greedy_move.of(game)
    assert "greedy plays in place of learned" in caplog.text


@pytest.mark.parametrize("game", SHIPPED, ids=str)
def test_the_same_seed_makes_the_same_choice(game: AnyGame) -> None:
    match = thorp.Match(game, 2, seed=3)
    for step in range(12):
        seat = match.waiting[0]
        chosen = set()
        for _ in range(2):
            states = make_states(game, 3)
            put_state(states, 0, match.state)
            chosen.add(int(learned.of(game)(states, seat, game.move_list(), stream(step))))
        assert len(chosen) == 1
        match.play(seat, chosen.pop())


@pytest.mark.parametrize("net", [Net(("discs",)), NTuples((Lookup("discs", 1, 7),), holds_for=(), hope=1.0)], ids=type)
def test_a_game_whose_states_do_not_say_how_many_seats_there_are(
    net: Net | NTuples, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who chooses is told, and goes by it."""
    game = replace(connect_four.GAME, seats=range(2, 4), net=net)
    monkeypatch.setattr("thorp.players.learned._shipped", lambda *_: any_weights(game))
    match = Match(game, 2, seed=1)
    assert choose("learned", match, 0, seed=1) in match.legal(0)
    assert choose_in("learned", game, match.state, 0, 1, seats=2) == choose("learned", match, 0, seed=1)
    assert play_games(game, ["learned", "casual"], {}, [1]).shape == (1, 2)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("game", NETS, ids=str)
def test_weights_that_a_net_has_no_room_for_are_refused(game: AnyGame, name: str) -> None:
    match = Match(game, 2, seed=1)
    whole = any_weights(game)
    for weights in (whole[:3], whole[:1], whole[None], [0.0], np.append(whole, whole[:1]), "weights"):
        with pytest.raises(GameError, match=f"weights of {game.name} are .* numbers"):
            choose(name, match, match.waiting[0], seed=1, weights=weights)


def test_a_game_that_has_no_net_goes_by_no_weights() -> None:
    with pytest.raises(GameError, match="Pebbles has no learned evaluation"):
        choose("learned", Match(toy.GAME, 2, seed=1), 0, seed=1, weights=np.zeros(1, np.float32))


def test_a_search_at_a_table_that_learns_goes_by_the_weights_that_it_is_given() -> None:
    game = thorp.game("tiny-towns")
    assert isinstance(game.net, NTuples)
    given = np.zeros(game.net.learned, np.float32)
    assert learned_for_search(game, None, 2, Way(learned=True), given) is given


def test_a_game_that_is_learned_for_each_table_has_no_file_of_weights() -> None:
    with pytest.raises(WeightsError, match="Tiny Towns is learned for each table: there is no file of weights"):
        read_weights(thorp.game("tiny-towns"))
