"""What has to hold in every game: the same tests over all of them."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conformance.all_games import GAMES, play_randomly, random_match, random_options
from conformance.trace import trace
from conformance.walk import walk
from thorp import Game, IllegalMove, Match
from thorp.core.chance import stream
from thorp.core.generic import make_states, put_state
from thorp.core.mode import COMPILED
from thorp.core.words import say

TRACE = Path(__file__).with_name("trace.py")
#: Random games per game of the contract: the compiled rules play them in seconds.
MANY = 20_000 if COMPILED else 40

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def test_random_games_end_and_simultaneous_answers_commute(game: Game) -> None:
    """Every game ends, every waiting seat has moves, none comes twice, and no order of seats changes the state."""
    rng = random.Random(1)
    states, moves, dice = make_states(game, 202), game.move_list(), stream(1)
    step = walk.of(game)
    compared = 0
    for seed in range(MANY):
        seats = rng.choice(game.seats)
        state = game.state()
        game.deal(state, seats, game.option_list(random_options(game, seats, rng)), seed)
        put_state(states, 0, state)
        pairs = step(states, moves, seats, game.moves.size, dice)
        assert pairs >= 0, (seed, pairs)
        compared += pairs
        if COMPILED:
            both = states[2 : 2 + 2 * pairs].view(np.uint8).reshape(pairs, 2, game.record.dtype.itemsize)
            assert np.array_equal(both[:, 0], both[:, 1]), seed
        else:
            assert all(states[2 + 2 * k] == states[3 + 2 * k] for k in range(pairs)), seed
    if _is_simultaneous(game):
        assert compared > MANY


def _is_simultaneous(game: Game) -> bool:
    """Whether several seats may have something to decide at once: right after the deal is when they would."""
    return any(len(random_match(game, seed).waiting) > 1 for seed in range(20))


def test_unlisted_moves_are_refused_and_change_nothing(game: Game) -> None:
    for seed in range(6):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed), moves=20 * seed)
        for seat in range(match.seats):
            listed = set(match.legal(seat))
            before = match.digest()
            for move in [*range(game.moves.size), -1, game.moves.size, 10**9]:
                if move not in listed:
                    with pytest.raises(IllegalMove):
                        match.play(seat, move)
            assert match.digest() == before


def test_listed_moves_are_all_playable(game: Game) -> None:
    for seed in range(4):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed), moves=25 * seed)
        state = game.bytes(match.state)
        for seat in match.waiting:
            for move in match.legal(seat):
                copy = game.copy(match.state)
                game.play(copy, seat, move)
                assert game.bytes(copy) != state
        assert game.bytes(match.state) == state


def test_both_modes_give_the_same_bytes(game: Game) -> None:
    count = 60
    ours = [trace(game.id, seed) for seed in range(count)]
    assert ours == _trace_elsewhere(game, count, THORP_JIT="0" if COMPILED else "1")


def test_another_process_gives_the_same_bytes(game: Game) -> None:
    assert _trace_elsewhere(game, 10) == [trace(game.id, seed) for seed in range(10)]


def test_bounds_are_kept(game: Game) -> None:
    """The rules compiled with bounds checks, which compiled code leaves out, play the same games."""
    assert _trace_elsewhere(game, 60, THORP_BOUNDSCHECK="1") == [trace(game.id, seed) for seed in range(60)]


def _trace_elsewhere(game: Game, count: int, **environment: str) -> list[str]:
    command = [sys.executable, str(TRACE), game.id, "0", str(count)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_log_replays_to_the_same_digest(game: Game) -> None:
    for seed in range(20):
        match = random_match(game, seed, forced=bool(seed % 2))
        play_randomly(match, random.Random(seed), moves=10_000 if seed % 4 else 30)
        again = Match.load(match.export())
        assert again.digest() == match.digest()
        assert again.log() == match.log()
        assert json.loads(again.export()) == json.loads(match.export())


def test_save_and_load_at_every_ply(game: Game) -> None:
    match = random_match(game, 5, forced=True)
    rng = random.Random(5)
    while not match.over:
        play_randomly(match, rng, moves=1)
        assert Match.load(match.export()).digest() == match.digest()


def test_determinize_changes_nothing_that_the_seat_can_see(game: Game) -> None:
    """View, words, moves on offer and their words are the same to the letter, at every step and for every reader."""
    changed = 0
    for seed in range(12):
        match = random_match(game, seed)
        rng = random.Random(seed)
        while not match.over:
            for reader in (None, *range(match.seats)):
                copy = game.copy(match.state)
                game.determinize(copy, -1 if reader is None else reader, rng.randrange(1 << 62))
                changed += game.bytes(copy) != game.bytes(match.state)
                assert _known(match, copy, reader) == _known(match, match.state, reader), (seed, match.ply)
            play_randomly(match, rng, moves=rng.randint(1, 8))
    assert changed


def _known(match: Match, state: object, reader: int | None) -> str:
    game = match.game
    known = [repr(game.face.view(state, reader)), say(game.face.prompt(state, reader)), game.face.text(state, reader)]
    if reader is not None:
        moves = game.move_list()
        for move in moves[: game.legal(state, reader, moves)]:
            known += [str(move), say(game.face.offer(state, reader, int(move)))]
            known += game.face.steps(state, reader, int(move))
    return "\n".join(known)


def test_determinize_does_not_depend_on_what_is_hidden(game: Game) -> None:
    """Two states that a seat cannot tell apart are dealt again alike, from the same seed."""
    for seed in range(10):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed), moves=10 * seed)
        for reader in range(match.seats):
            one, other = game.copy(match.state), game.copy(match.state)
            game.determinize(other, reader, 77)
            game.determinize(other, reader, 1)
            game.determinize(one, reader, 1)
            assert game.bytes(one) == game.bytes(other)


def test_readers_are_told_nothing_secret(game: Game) -> None:
    """A move of another seat is told the same, whatever it was that the reader may not know."""
    for seed in range(6):
        match = random_match(game, seed)
        rng = random.Random(seed)
        while not match.over:
            seat = rng.choice(match.waiting)
            move = rng.choice(match.legal(seat))
            for reader in (None, *(other for other in range(match.seats) if other != seat)):
                told = say(game.face.tell(match.state, seat, move, reader))
                hidden = game.copy(match.state)
                game.determinize(hidden, -1 if reader is None else reader, rng.randrange(1 << 62))
                after_one, after_other = game.copy(match.state), game.copy(hidden)
                if move in match.legal(seat) and _legal(game, hidden, seat, move):
                    game.play(after_one, seat, move)
                    game.play(after_other, seat, move)
                    if repr(game.face.view(after_one, reader)) == repr(game.face.view(after_other, reader)):
                        assert say(game.face.tell(hidden, seat, move, reader)) == told
            match.play(seat, move)


def _legal(game: Game, state: object, seat: int, move: int) -> bool:
    moves = game.move_list()
    return move in moves[: game.legal(state, seat, moves)]


def test_standings_follow_scores(game: Game) -> None:
    for seed in range(30):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed))
        scores, standings = match.scores, match.standings
        assert min(standings) == 1
        for one in range(match.seats):
            for other in range(match.seats):
                if scores[one] > scores[other]:
                    assert standings[one] < standings[other]
        sheet = match.sheet()
        assert sheet.totals == scores
        assert sheet.standings == standings
        for seat in range(match.seats):
            assert sum(row.points[seat] for row in sheet.rows) == scores[seat]


def test_take_back_restores_the_moment_before(game: Game) -> None:
    """What a seat takes back freely leaves everybody else's moves alone, and its own task as it was."""
    taken = 0
    for seed in range(15):
        match = random_match(game, seed, forced=bool(seed % 2))
        rng = random.Random(seed)
        while not match.over:
            seat = rng.choice(match.waiting)
            before, ply = match.digest(), match.ply
            match.play(seat, rng.choice(match.legal(seat)))
            if match.can_take_back(seat):
                match.take_back(seat)
                assert (match.digest(), match.ply) == (before, ply)
                match.play(seat, rng.choice(match.legal(seat)))
                taken += 1
    assert taken


def test_undo_goes_back_to_the_deal(game: Game) -> None:
    match = random_match(game, 3, forced=True)
    start = match.digest()
    play_randomly(match, random.Random(3), moves=12)
    while any(not entry.forced for entry in match.log()):
        match.undo()
    assert match.digest() == start
