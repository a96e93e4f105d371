"""Many games between equal players, on all processors: what came out of each, as arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thorp.arena.whole_games import CHOICES, LEADER, LEVELS, SEATS_FROM, SPARE, whole_games, width
from thorp.compiling.mode import COMPILED
from thorp.core.chance import SEED_BITS, stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states
from thorp.core.words import Card

Ints = NDArray[np.int64]

#: Games that a thread plays in one go: so many more are finished after an interruption.
BLOCK = 50


@dataclass(frozen=True)
class Played:
    """What came out of many games; a row of every array is a game."""

    game: AnyGame
    seats: int
    options: Mapping[str, str]
    level: str
    #: The seed of the first game; the others follow.
    seed: int
    #: Those that are counted, in the order of `counts`.
    cards: tuple[Card, ...]
    #: Moves with something to choose, of all seats together.
    choices: Ints
    #: The first seat that had to decide alone; -1 where all always decide at once.
    leaders: Ints
    #: Rounds, where the game counts them.
    rounds: Ints | None
    #: A column for each seat.
    scores: Ints
    standings: Ints
    #: [game, seat, card]: how many of the card the seat has at the end.
    counts: NDArray[np.int16]


def play_many(
    game: AnyGame,
    seats: int,
    options: Mapping[str, str] | None = None,
    *,
    games: int,
    seed: int = 1,
    level: str = "greedy",
    threads: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Played:
    """Play that many games between players of one level, of the seeds `seed`, `seed + 1` and so on.

    The same arguments give the same games, by however many threads (by default one a processor) they are played.
    `tell(done, games)` is called when playing begins, and after every block of games.
    Raises GameError, OptionError for impossible arguments.
    """
    if level not in LEVELS:
        raise GameError(f"there is no player {level!r}; there are {', '.join(LEVELS)}")
    if games < 1:
        raise GameError(f"the number of games is 1 or more, not {games}")
    if not 0 <= seed <= (1 << SEED_BITS) - games:
        raise GameError(f"a seed is an integer from 0 to {(1 << SEED_BITS) - games}, not {seed}")
    if threads is not None and threads < 1:
        raise GameError(f"the number of threads is 1 or more, not {threads}")
    chosen = game.options_for(seats, options)
    numbers = game.option_list(chosen)
    cards = game.cards(chosen) if game.owned else ()
    play = whole_games.of(game)
    size = width(seats, len(cards))
    has_rounds = "round" in (game.record.dtype.names or ())

    def block(first: int, count: int) -> tuple[Any, Any]:
        states = make_states(game, SPARE + count)
        out: Any = np.zeros(count * size, np.int32) if COMPILED else [0] * (count * size)
        counts: Any = np.zeros(len(cards) + 1, np.int32) if COMPILED else [0] * (len(cards) + 1)
        dice, luck, moves = stream(0), stream(0), game.move_list()
        who = LEVELS.index(level)
        done = play(states, moves, numbers, dice, luck, counts, out, seats, len(cards), who, first, count)
        if done < 0:
            raise GameError(f"one of the games {first} to {first + count - 1} of {game.name} does not end")
        rounds = [int(state["round"] if COMPILED else state.round) for state in states[SPARE:]] if has_rounds else []
        return np.array(out, np.int64).reshape(count, size), rounds

    rows = np.zeros((games, SEATS_FROM + 2 * seats), np.int64)
    counts = np.zeros((games, seats, len(cards)), np.int16)
    rounds = np.zeros(games, np.int64)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        try:
            blocks: dict[Future[Any], slice] = {}
            for first in range(0, games, BLOCK):
                count = min(BLOCK, games - first)
                blocks[pool.submit(block, seed + first, count)] = slice(first, first + count)
            done = 0
            if tell:
                tell(0, games)
            for future in as_completed(blocks):
                where = blocks[future]
                out, ended = future.result()
                by_seat = out[:, SEATS_FROM:].reshape(-1, seats, 2 + len(cards))
                rows[where, :SEATS_FROM] = out[:, :SEATS_FROM]
                rows[where, SEATS_FROM:] = by_seat[:, :, :2].reshape(-1, 2 * seats)
                counts[where] = by_seat[:, :, 2:]
                if has_rounds:
                    rounds[where] = ended
                done += where.stop - where.start
                if tell:
                    tell(done, games)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Played(
        game=game,
        seats=seats,
        options=chosen,
        level=level,
        seed=seed,
        cards=cards,
        choices=rows[:, CHOICES],
        leaders=rows[:, LEADER],
        rounds=rounds if has_rounds else None,
        scores=rows[:, SEATS_FROM::2],
        standings=rows[:, SEATS_FROM + 1 :: 2],
        counts=counts,
    )
