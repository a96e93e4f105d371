"""Many games between equal players, on all processors: what came out of each, as arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thorp.arena.entrants import entrant
from thorp.arena.lineups import Lineup
from thorp.arena.tables import Chairs, play_game, rounds_of
from thorp.arena.whole_games import CHOICES, LEADER, SEATS_FROM, SPARE
from thorp.arena.work import Work, card_count, game_of, get_ready, is_compiled, play_rows
from thorp.arena.workers import pool_for
from thorp.compiling.mode import COMPILED
from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states
from thorp.core.words import Card
from thorp.players import is_player, no_player

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
    `tell(done, games)` is called when playing begins, and after every block of games. Players that think play in
    processes of their own, which read the script that asks for them: what it does has to stand below
    `if __name__ == "__main__":`.
    Raises GameError, OptionError for impossible arguments.
    """
    if not is_player(level):
        raise GameError(no_player(level))
    if games < 1:
        raise GameError(f"the number of games is 1 or more, not {games}")
    if not 0 <= seed <= (1 << SEED_BITS) - games:
        raise GameError(f"a seed is an integer from 0 to {(1 << SEED_BITS) - games}, not {seed}")
    if threads is not None and threads < 1:
        raise GameError(f"the number of threads is 1 or more, not {threads}")
    chosen = game.options_for(seats, options)
    cards = game.cards(chosen) if game.owned else ()
    lineup = Lineup((level,) * seats)
    known = {level: entrant(level)}
    get_ready(game, [lineup])
    compiled = is_compiled(game, lineup)
    size = BLOCK if compiled else 1
    has_rounds = "round" in (game.record.dtype.names or ())

    try:
        rows = np.zeros((games, SEATS_FROM + 2 * seats), np.int64)
        counts = np.zeros((games, seats, len(cards)), np.int16)
        rounds = np.zeros(games, np.int64)
    except MemoryError as error:
        raise GameError(f"there is no room in memory for the results of {games} games") from error
    with pool_for(threads or os.cpu_count() or 1, compiled=compiled) as pool:
        try:
            blocks: dict[Future[Any], slice] = {}
            for first in range(0, games, size):
                count = min(size, games - first)
                work = Work(game.id, game.package, chosen, lineup, known, seed + first, count, 0.0)
                blocks[pool.submit(_block, work, game if compiled else None)] = slice(first, first + count)
            done = 0
            if tell:
                tell(0, games)
            for future in as_completed([*blocks]):
                # what has come of it is not kept twice
                where = blocks.pop(future)
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
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, BrokenProcessPool):
                raise GameError(
                    "a process that plays was killed, and nothing is written: run it again, with fewer --threads where "
                    "memory is short; a script of your own needs `if __name__ == '__main__':` above what it does"
                ) from error
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


def _block(work: Work, game: AnyGame | None) -> tuple[Any, list[int | None]]:
    """Games of seeds in a row: what `whole_games` writes of them, and in which round they ended.

    `game` is None in another process, which has to find it.
    """
    game = game or game_of(work)
    if is_compiled(game, work.lineup):
        states = make_states(game, SPARE + work.deals)
        rows = play_rows(game, work.options, work.lineup.players, states, work.first, work.deals)
        return rows, [rounds_of(game, state) for state in states[SPARE:]]
    seeds = range(work.first, work.first + work.deals)
    played = [_played(work, game, seed) for seed in seeds]
    return np.array([row for row, _ in played], np.int64), [rounds for _, rounds in played]


def _played(work: Work, game: AnyGame, seed: int) -> tuple[list[int], int | None]:
    """One game by players that are not compiled, as `whole_games` writes it."""
    ended: list[Any] = []
    seating = [work.entrants[name] for name in work.lineup.players]
    outcome = play_game(game, work.options, seed, seating, Chairs(), work.seconds, ended.append)
    cards = card_count(game, work.options)
    row = [outcome.choices, outcome.leader]
    for seat, (score, standing) in enumerate(zip(outcome.scores, outcome.standings)):
        counts: Any = np.zeros(cards, np.int32) if COMPILED else [0] * cards
        if game.owned:
            game.owned(ended[0], seat, counts)
        row += [score, standing, *map(int, counts)]
    return row, outcome.rounds
