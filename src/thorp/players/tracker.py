"""Following lines to the end from Python (`lines.py`), and keeping the best ones in mind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states, put_state
from thorp.players.fields import get, made, put_at
from thorp.players.hand import Hand
from thorp.players.lines import ENDED, ENDLESS, NONE, ROOM, TRAIL, Lines, follow_lines, try_lines
from thorp.players.playouts import ROOT


@dataclass
class Plan:
    """What a player has in mind for the moves to come, from one choice to the next; whoever asks it keeps that."""

    #: The best line to the end that it has found, beginning with what it chose last; empty where it has none.
    moves: tuple[int, ...] = ()


class Tracker:
    """What follows lines, and remembers the best one."""

    def __init__(self, game: AnyGame, hand: Hand, seat: int, point: int, learned: bool) -> None:
        self._game, self._hand = game, hand
        self._states = make_states(game, ROOM)
        put_state(self._states, ROOT, game.copy(hand.states[ROOT]))
        self._lines: Any = made(Lines)
        self._trail = np.zeros(TRAIL, np.int32)
        self._seat, self._point, self._learned = seat, point, int(learned)
        #: So many lines were followed.
        self.followed = 0
        #: For each candidate the moves of the best line that begins with it.
        self.found: dict[int, tuple[int, ...]] = {}

    def follow(self, index: int, width: int, planned: int = 0) -> int:
        """Follow lines from a candidate; what `follow_lines` says."""
        hand, lines = self._hand, self._lines
        ended = int(
            follow_lines.of(self._game)(
                *(self._states, self._seat, hand.moves, hand.tally, lines, self._trail, hand.weights),
                *(index, width, planned, self._point, self._learned),
            )
        )
        self.followed += width
        if ended == ENDLESS:
            raise GameError(f"a game of {self._game.name} does not end")
        if ended == ENDED and int(get(lines, "best")) != NONE:
            path = tuple(map(int, get(lines, "path")[: int(get(lines, "steps"))]))
            self.found[path[0]] = path
        return ended

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

        Its move is among the `alive` candidates then, if need be in place of the last one.
        """
        tally = self._hand.tally
        legal = self._game.legal_moves(self._states[ROOT], self._seat, self._hand.moves)
        for begin, move in enumerate(plan.moves):
            if move not in legal:
                continue
            tried = [int(each) for each in get(tally, "moves")[:alive]]
            index = tried.index(move) if move in tried else alive - 1
            put_at(tally, "moves", index, move)
            for step, each in enumerate(plan.moves[begin:]):
                put_at(self._lines, "path", step, each)
            ended = self.follow(index, 1, len(plan.moves) - begin)
            if move in self.found:
                return
            put_at(tally, "moves", index, tried[index])
            if ended != ENDED:
                return
