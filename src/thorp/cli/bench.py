"""`thorp bench`: moves per second compiled and plain, on one core and on all, and the time of compiling."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from math import inf
from typing import Any

import thorp
from thorp.compiling.mode import COMPILED
from thorp.core.chance import stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import Generic, States, copy_state, make_states
from thorp.core.match import AnyMatch, Match
from thorp.core.playout import random_games
from thorp.players.search import Thought, Way

#: Seats where none are asked for, as far as the game allows.
USUAL_SEATS = 4


def bench(games: Sequence[str], seats: int | None, seconds: float, as_json: bool) -> int:
    """Measure and print the figures of some games."""
    if not 0 < seconds < inf:
        raise GameError(f"a figure is measured for a number of seconds above 0, not for {seconds}")
    # what cannot be is refused before anything is measured
    tables = [(game, _seats_at(game, seats)) for game in map(thorp.game, games)]
    # one after the other, as they are asked for
    figures = (_measure(game, at_table, seconds) for game, at_table in tables)
    if as_json:
        print(json.dumps(list(figures), indent=1))
        return 0
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    )
    print("Random moves, legal moves listed at every step.", flush=True)
    for figure in figures:
        print(
            f"\n{figure['game']}, {figure['seats']} seats, {figure['moves_per_game']:.0f} moves a game, "
            f"{figure['state_bytes']} bytes a state"
        )
        print(f"  compiled, one core      {_millions(figure['compiled'])} moves a second")
        print(f"  compiled, {figure['threads']:2} threads    {_millions(figure['compiled_all'])} moves a second")
        print(f"  plain Python            {_millions(figure['plain'])} moves a second")
        print(f"  driven from Python      {_millions(figure['driven'])} moves a second")
        print(f"  playouts of a search    {figure['playouts']:8.0f} a second, random moves to the end, one core")
        print(f"  copies of a state       {_millions(figure['copies'])} a second")
        print(f"  compiling, cold         {figure['cold_seconds']:8.2f} s")
        # a pipe is told at once, too: the next game takes a while
        print(f"  loading from the cache  {figure['cached_seconds']:8.2f} s", flush=True)
    return 0


def _millions(rate: float) -> str:
    return f"{rate / 1e6:8.3f} million"


def _seats_at(game: AnyGame, seats: int | None) -> int:
    return min(max(USUAL_SEATS, game.seats[0]), game.seats[-1]) if seats is None else game.seats_for(seats)


def _measure(game: AnyGame, seats: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as cache:
        cold = _elsewhere(game, seats, 0, "compile", THORP_CACHE=cache)
        cached = _elsewhere(game, seats, 0, "compile", THORP_CACHE=cache)
    threads = os.cpu_count() or 1
    one = rate(game, seats, seconds)
    return {
        "game": game.id,
        "seats": seats,
        "state_bytes": game.record.dtype.itemsize,
        "moves_per_game": one["moves_per_game"],
        "compiled": one["rate"],
        "threads": threads,
        "compiled_all": _on_threads(game, seats, seconds, threads),
        "plain": _elsewhere(game, seats, seconds, "rate", THORP_JIT="0")["rate"],
        "driven": _driven(game, seats, seconds),
        "copies": _copies(game, seconds),
        "playouts": _playouts(game, seats, seconds),
        "cold_seconds": cold["seconds"],
        "cached_seconds": cached["seconds"],
    }


def rate(game: AnyGame, seats: int, seconds: float, first_seed: int = 0) -> dict[str, float]:
    """Random moves a second in this process and thread, and how many a game has."""
    play = random_games.of(game)
    states, moves, dice = make_states(game, 2), game.move_list(), stream(first_seed)
    options = game.option_list(game.options_for(seats))
    batch = 200 if COMPILED else 2
    play(states, moves, options, seats, first_seed, 1, dice)
    played, games, began = 0, 0, time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds or not games:
        played += play(states, moves, options, seats, first_seed + games, batch, dice)
        games += batch
    return {"rate": played / passed, "moves_per_game": played / games}


def _on_threads(game: AnyGame, seats: int, seconds: float, threads: int) -> float:
    """Compiled rules release the interpreter's lock: threads play side by side."""
    rates: list[float] = []

    def work(index: int) -> None:
        rates.append(rate(game, seats, seconds, index << 32)["rate"])

    workers = [threading.Thread(target=work, args=(index,)) for index in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(rates)


def _driven(game: AnyGame, seats: int, seconds: float) -> float:
    """One game driven move by move from Python, through the rules."""
    options = game.option_list(game.options_for(seats))
    moves = game.move_list()
    played, seed, began = 0, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = game.state()
        game.deal(state, seats, options, seed)
        seed += 1
        while mask := int(game.waiting(state)):
            seat = (mask & -mask).bit_length() - 1
            listed = game.legal_moves(state, seat, moves)
            game.play(state, seat, listed[(played * 7919) % len(listed)])
            played += 1
    return played / (time.perf_counter() - began)


def _copied(states: States, times: int) -> int:
    """Copy the first state to all others, so many times."""
    for _ in range(times):
        for index in range(1, len(states)):
            copy_state(states, index, 0)
    return times * (len(states) - 1)


#: `of(game)(states, times)`
copied = Generic(_copied)


def _copies(game: AnyGame, seconds: float) -> float:
    """Copies of a state a second in compiled code, to places that are in the processor's cache."""
    copy, states = copied.of(game), make_states(game, 17)
    copies, began = 0, time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds:
        copies += copy(states, 1000)
    return copies / passed


def _playouts(game: AnyGame, seats: int, seconds: float) -> float:
    """Games that a search plays on a second: from the first decision to the end, by random moves, dealt again each."""
    match: AnyMatch = Match(game, seats, seed=0)
    thought = Thought(game, match.state, seats, match.waiting[0], 0, Way(own=1, others=1, halving=False))
    thought.think(playouts=1)
    games, began = 0, time.thread_time()
    while (passed := time.thread_time() - began) < seconds or not games:
        games += sum(each.games for each in thought.think(playouts=1000 if COMPILED else 12))
    return games / passed


def _elsewhere(game: AnyGame, seats: int, seconds: float, what: str, **environment: str) -> dict[str, float]:
    """A figure measured by a fresh process."""
    command = [sys.executable, "-m", "thorp.cli.bench", what, game.id, str(seats), str(seconds)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


if __name__ == "__main__":
    _, _what, _game, _seats, _seconds = sys.argv
    _chosen = thorp.game(_game)
    if _what == "compile":
        print(json.dumps({"seconds": _chosen.prepare()}))
    else:
        print(json.dumps(rate(_chosen, int(_seats), float(_seconds))))
