"""Following lines to the end from Python (`lines.py`), and keeping the best ones in mind."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states, put_state
from thorp.players.fields import get, made, put_at
from thorp.players.hand import Hand
from thorp.players.lines import (
    ENDED,
    ENDLESS,
    MOST_LINES,
    MOST_STEPS,
    NONE,
    ROOM,
    TRAIL,
    Lines,
    follow_lines,
    try_lines,
)
from thorp.players.playouts import ROOT


@dataclass
class Plan:
    """What a player has in mind for the moves to come, from one choice to the next; whoever asks it keeps that."""

    #: The best line to the end that it has found, beginning with what it chose last; empty where it has none.
    moves: tuple[int, ...] = ()
    #: Whether lines were followed to their ends for it: else the moves are only what whoever made it had in mind.
    followed: bool = False
    #: The best line that was found for each of the moves, as `moves` is: for who judges them by several searches, of
    #: which none is to know less than the one before. None where nobody asks for them.
    lines: dict[int, tuple[int, ...]] | None = None
    #: Lines to the end that somebody else has found, from here or from before: followed as far as they still lie ahead.
    others: tuple[tuple[int, ...], ...] = ()


#: So many lines are followed side by side.
WIDTH = 64
#: What lines promise is blurred by so many times as much as they lie apart, in turn.
BLURS = (1.0, 2.0, 4.0, 8.0)
#: What is drawn by chance has no more.
MOST_BLUR = (1 << 31) - 1
#: So often lines leave the best one somewhere, and begin with its first move otherwise.
ALONG_THE_BEST = 0.5


class Tracker:
    """What follows lines, and remembers the best one for each candidate."""

    def __init__(self, game: AnyGame, hand: Hand, seat: int, seed: int, lines: int, point: int, learned: bool) -> None:
        self._game, self._hand = game, hand
        self._states = make_states(game, ROOM)
        put_state(self._states, ROOT, game.copy(hand.states[ROOT]))
        self._lines: Any = made(Lines)
        self._trail = np.zeros(TRAIL, np.int32)
        self._seat, self._point, self._learned = seat, point, int(learned)
        self._luck = random.Random(seed)
        self._passes = 0
        self._spread = 0
        #: So many lines are followed through each game that is dealt again.
        self.width = min(lines, MOST_LINES)
        #: So many lines were followed in all, and from each candidate that is still in the running; but for a plan.
        self.followed = self._each = 0
        #: Those of the candidates from which all lines there are were followed.
        self.tried: set[int] = set()
        #: For each candidate the moves of the best line that begins with it.
        self.found: dict[int, tuple[int, ...]] = {}

    def follow(self, alive: int) -> int:
        """Follow some lines from each of the first candidates; what `follow_lines` says.

        First 1, 2, 4 ... 64 of the most promising ones, then others and others.
        """
        width = min(1 << self._passes, WIDTH)
        again = self._passes - WIDTH.bit_length()
        blur = round(self._spread * BLURS[again % len(BLURS)]) if again >= 0 else 0
        self._passes += 1
        self._each += width
        for index in range(alive):
            move = int(get(self._hand.tally, "moves")[index])
            best = self.found.get(move, ())
            along = again >= 0 and len(best) > 1 and self._luck.random() < ALONG_THE_BEST
            kept = best[: self._luck.randrange(1, len(best))] if along else ()
            ended = self._follow(index, self._each, width, kept, min(blur, MOST_BLUR))
            self.followed += width
            if ended != ENDED:
                return ended
            if again < 0:
                self._spread = int(get(self._lines, "spread"))
                if not get(self._lines, "dropped"):
                    self.tried.add(move)
        return ENDED

    def has_tried_all(self, alive: int) -> bool:
        """Whether all lines there are were followed from the candidates in the running."""
        return self.tried.issuperset(map(int, get(self._hand.tally, "moves")[:alive]))

    def _follow(self, index: int, games: int, width: int, planned: tuple[int, ...], blur: int) -> int:
        hand, lines = self._hand, self._lines
        get(lines, "path")[: len(planned)] = planned
        ended = int(
            follow_lines.of(self._game)(
                *(self._states, self._seat, hand.moves, hand.tally, lines, self._trail, hand.weights, hand.dice),
                *(index, games, width, len(planned), blur, self._point, self._learned),
            )
        )
        if ended == ENDLESS:
            raise GameError(f"a game of {self._game.name} does not end")
        if ended == ENDED and int(get(lines, "best")) != NONE:
            path = tuple(map(int, get(lines, "path")[: int(get(lines, "steps"))]))
            self.found[path[0]] = path
        return ended

    def fit(self, alive: int, seconds: float, games: int, clock: Callable[[], float]) -> None:
        """Follow no more lines in games dealt again than let each candidate have so many of them in that time."""
        began = clock()
        hand = self._hand
        if self._learned and self.try_candidates(alive, 1, 1) == 1:
            # this one was played to see how long it takes
            hand.take_candidates(hand.tally, alive)
            each = max(1e-9, clock() - began) / alive
            self.width = max(1, min(self.width, int(seconds / (alive * each * games))))

    def try_candidates(self, alive: int, deals: int, width: int) -> int:
        """Follow lines from each candidate in so many games dealt again; what `try_lines` says."""
        hand = self._hand
        return int(
            try_lines.of(self._game)(
                *(self._states, self._seat, hand.moves, hand.tally, self._lines, self._trail, hand.weights, hand.dice),
                *(alive, deals, width, self._point, self._learned),
            )
        )

    def recall(self, plan: Plan, alive: int) -> None:
        """Follow what was planned as far as it still lies ahead, after whatever was forced since.

        Its move is among the `alive` candidates then, if need be in place of the last one. What else was found for
        them is followed too.
        """
        self._go_on(plan, alive)
        for index, move in enumerate(map(int, get(self._hand.tally, "moves")[:alive])):
            if plan.lines and (line := plan.lines.get(move)):
                self._follow(index, 1, 1, line, 0)
        for other in plan.others:
            self._join(other, alive)

    def _join(self, other: tuple[int, ...], alive: int) -> None:
        """Follow a line of somebody else's from wherever it may lie ahead: nobody says how much of it was played."""
        tried = [int(each) for each in get(self._hand.tally, "moves")[:alive]]
        for begin, move in enumerate(other[:MOST_STEPS]):
            if move in tried:
                ended = self._follow(tried.index(move), 1, 1, other[begin : begin + MOST_STEPS], 0)
                if ended != ENDED:
                    return

    def _go_on(self, plan: Plan, alive: int) -> None:
        tally = self._hand.tally
        legal = self._game.legal_moves(self._states[ROOT], self._seat, self._hand.moves)
        for begin, move in enumerate(plan.moves[:MOST_STEPS]):
            if move not in legal:
                continue
            tried = [int(each) for each in get(tally, "moves")[:alive]]
            index = tried.index(move) if move in tried else alive - 1
            put_at(tally, "moves", index, move)
            ended = self._follow(index, 1, 1, plan.moves[begin : begin + MOST_STEPS], 0)
            if move in self.found:
                return
            put_at(tally, "moves", index, tried[index])
            if ended != ENDED:
                return
