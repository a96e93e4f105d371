"""Checks of play: games end, moves are sound, the same moves give the same bytes, in every way that rules run."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from thorp.checks.asking import rules_that_ask
from thorp.checks.matches import play_randomly, random_match, random_options, until_next_look
from thorp.checks.trace import trace
from thorp.checks.unmade import NothingMore
from thorp.checks.walks import FOUND, MOST_MOVES, hidden, replayed, walk
from thorp.compiling.mode import COMPILED
from thorp.core.chance import stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states, put_state
from thorp.core.match import Match, Step
from thorp.players.levels import BY_NAME

#: Seconds that a random game may take, also as plain Python on a busy machine.
LONGEST = 120.0
#: Of so many pairs of seats that decide at once, both orders are compared in each game.
_PAIRS = 100
#: Up to so many moves every one is taken back, and of all that follow fewer than as many once more.
_TAKEN_BACK = 80


def _deals(game: AnyGame, states: Any, games: int) -> Iterator[tuple[int, int]]:
    """Deal random games into the first two states; gives the seed and how many seats there are."""
    rng = random.Random(1)
    for seed in range(games):
        seats = rng.choice(game.seats)
        state = game.state()
        game.deal(state, seats, game.option_list(random_options(game, seats, rng)), seed)
        for index in range(2):
            put_state(states, index, state)
        yield seed, seats


def _where(seed: int, seats: int) -> str:
    return f"(random game {seed}, {seats} seats)"


def games_end(game: AnyGame, games: int) -> Iterator[str]:
    """Every game ends; who waits has moves, each once; where several wait, their order does not matter."""
    states, moves, dice = make_states(game, 2 + 2 * _PAIRS), game.move_list(), stream(1)
    step = walk.of(game)
    for seed, seats in _deals(game, states, games):
        pairs = int(step(states, moves, seats, game.moves.size, dice))
        if pairs < 0:
            yield f"{FOUND[-1 - pairs]} {_where(seed, seats)}"
        else:
            for first in range(2, 2 + 2 * pairs, 2):
                if not _same(states, first, first + 1):
                    yield f"two seats waited, and their order changes the state {_where(seed, seats)}"
                    break


def _same(states: Any, one: int, other: int) -> bool:
    return bool(states[one].tobytes() == states[other].tobytes() if COMPILED else states[one] == states[other])


def moves_decide(game: AnyGame, games: int) -> Iterator[str]:
    """The same moves give the same bytes."""
    states, moves, dice = make_states(game, 2), game.move_list(), stream(3)
    log: Any = np.zeros(MOST_MOVES, np.int32) if COMPILED else [0] * MOST_MOVES
    step = replayed.of(game)
    for seed, seats in _deals(game, states, games):
        step(states, moves, log, seats, game.moves.size, dice)
        if not _same(states, 0, 1):
            yield f"the same moves led to two different states {_where(seed, seats)}"


def listed_moves_can_be_played(game: AnyGame, games: int) -> Iterator[str]:
    """Every listed move leads on, and what a seat cannot know changes none of its moves."""
    states, moves, others, dice = make_states(game, 2), game.move_list(), game.move_list(), stream(4)
    step = hidden.of(game)
    # every move of every step is tried: a few games show as much as many without
    for seed, seats in _deals(game, states, max(3, games // 3)):
        plies = int(step(states, moves, others, seats, game.moves.size, dice))
        if plies < 0:
            yield f"{FOUND[-1 - plies]} {_where(seed, seats)}"


def asking_changes_nothing(game: AnyGame, games: int) -> Iterator[str]:
    """Rules that only say something of a state write nothing into it: who waits, moves, points, places and so on."""
    for seed in range(max(4, min(games // 50, 15))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        while True:
            before = game.bytes(match.state)
            for rule, ask in rules_that_ask(match):
                # a copy each, and of a state that was not asked yet: a rule may write the same every time
                state = game.copy(match.state)
                ask(state)
                if game.bytes(state) != before:
                    where = f"(random match {seed} of {match.seats} seats, ply {match.ply})"
                    yield f"{rule} changes the state, and may only read it {where}"
                    return
            if match.over:
                break
            play_randomly(match, rng, moves=until_next_look(match, 4, rng))


def both_modes_agree(game: AnyGame, games: int) -> Iterator[str]:
    """Compiled rules, plain ones and those of another process all give the same bytes.

    Plain ones come first, and nothing is looked at where they fail: at an index beyond the end, where compiled ones
    write into what lies there, or where a rule never ends.
    """
    count = max(2, min(games // 50, 30))
    ours: list[str] = []
    ways = {
        "as plain Python" if COMPILED else "compiled": {"THORP_JIT": "0" if COMPILED else "1"},
        "in another process": {},
    }
    for way, environment in ways.items():
        path = os.pathsep.join(filter(None, sys.path))
        command = [sys.executable, "-m", "thorp.checks.trace", game.package, game.id, str(count), str(LONGEST)]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": path, **environment}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NothingMore(f"{way}, the rules fail: {_last_word(done, game)}")
        ours = ours or [trace(game, seed) for seed in range(count)]
        if done.stdout.splitlines() != ours:
            yield f"{way}, the rules play other games"


def _last_word(done: subprocess.CompletedProcess[str], game: AnyGame) -> str:
    """Why a process has failed that played games, in a line."""
    if hangs := re.search(r"^Timeout \(", done.stderr, re.M):
        inside = re.escape(game.package.replace(".", os.sep))
        place = re.search(rf'File ".*?({inside}.*?)", (line \d+) in (\w+)', done.stderr[hangs.end() :])
        where = f", in {place[3]} ({place[1]}, {place[2]})" if place else ""
        return f"a random game does not end within {LONGEST:g} s{where}"
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"its process ended with status {done.returncode}"


def exports_load(game: AnyGame, games: int) -> Iterator[str]:
    """An exported match is read back, at any moment, with and without forced moves."""
    for seed in range(max(4, min(games // 50, 20))):
        match = random_match(game, seed, forced=bool(seed % 2))
        play_randomly(match, random.Random(seed), moves=10_000 if seed % 4 else 30)
        try:
            again = Match.load(match.export())
        except GameError as error:
            yield f"an exported match is not read back: {error} {_where(seed, match.seats)}"
        else:
            if again.digest() != match.digest() or again.log() != match.log():
                yield f"an exported match is read back as another {_where(seed, match.seats)}"


def what_is_taken_back_is_gone(game: AnyGame, games: int) -> Iterator[str]:
    """What a seat takes back leaves the moment before: count in `barrier` what cannot be taken back."""
    for seed in range(max(4, min(games // 50, 15))):
        match = random_match(game, seed, forced=bool(seed % 2))
        rng = random.Random(seed)
        while not match.over:
            seat = rng.choice(match.waiting)
            before, ply = match.digest(), match.ply
            steps = match.play(seat, rng.choice(match.legal(seat)))
            if any(_could_draw_again(game, step) for step in steps):
                said = "a move draws by chance and could be taken back: write state.barrier += 1"
                yield f"{said} at ply {ply} {_where(seed, match.seats)}"
                return
            # to take back costs as much as to play all again, so much less often the longer a match is
            if match.can_take_back(seat) and rng.random() < (_TAKEN_BACK / (ply + 1)) ** 2:
                match.take_back(seat)
                if (match.digest(), match.ply) != (before, ply):
                    yield f"a move taken back leaves something behind at ply {ply} {_where(seed, match.seats)}"
                    break
                match.play(seat, rng.choice(match.legal(seat)))


def _could_draw_again(game: AnyGame, step: Step) -> bool:
    """Whether a move drew by chance, and nothing says that it cannot be taken back."""
    if "chance" not in (game.record.dtype.names or ()):
        return False
    before, after = _field(step.before, "chance")[0], _field(step.after, "chance")[0]
    return bool(before != after and _field(step.before, "barrier") == _field(step.after, "barrier"))


def _field(state: Any, name: str) -> Any:
    """A field of a state, which is not read as a whole for it: that takes longer than a move."""
    return state[name] if COMPILED else getattr(state, name)


def facts_are_true(game: AnyGame, games: int) -> Iterator[str]:
    """What is said of the game: its bounds, and whether there is chance and whether several may decide at once."""
    for name in game.overlooks.keys() - BY_NAME.keys():
        yield f"overlooks tells of {name!r}, and there is no such level: there are {', '.join(BY_NAME)}"
    several = False
    for seed in range(max(10, min(games // 50, 60))):
        match = random_match(game, seed)
        several |= len(match.waiting) > 1
        if not game.chance:
            other = Match(game, match.seats, match.options, seed + 1, forced=False)
            if other.digest() != match.digest():
                yield f"Two seeds deal two games: write chance=True {_where(seed, match.seats)}"
        rng = random.Random(seed)
        while not match.over:
            play_randomly(match, rng, 1)
            several |= len(match.waiting) > 1
        bounds = (("least_score", game.least_score, -1), ("most_score", game.most_score, 1))
        for name, bound, sign in bounds:
            for score in match.scores:
                if bound is not None and sign * score > sign * bound:
                    yield f"A seat has {score} points at the end, and {name} is {bound} {_where(seed, match.seats)}"
        if game.most_moves is not None and match.ply > game.most_moves:
            yield f"A match had {match.ply} moves, and most_moves is {game.most_moves} {_where(seed, match.seats)}"
    if several and not game.simultaneous:
        yield "Several seats waited at once: write simultaneous=True"
