"""Games of a round of learning, played on several threads: as many as there are processors, or as are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np

from thorp.core.chance import stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import Generic, make_states
from thorp.core.net import Net
from thorp.core.weights import room

#: Room for rows is made for so many times as many as are there.
_MORE = 1.2


@dataclass(frozen=True)
class Lot:
    """A game to be played."""

    seats: int
    options: Any
    #: What nets go by that play, as it lies in rows of the net.
    weights: tuple[Any, ...]
    #: How it is played, as the code says that plays it.
    how: Any
    chance: int
    seed: int


class Playing:
    """Plays games by generic code that writes rows of what it read, the same on any number of threads."""

    def __init__(
        self, game: AnyGame, net: Net, code: Generic, states: int, extra: int, most: int, threads: int | None
    ) -> None:
        """`extra`: the numbers of a row behind the features; `most`: the most rows of one game."""
        self._game, self._net, self._code = game, net, code
        self._states, self._most, self._width = states, most, len(net.features) + extra
        self._threads = ThreadPoolExecutor(threads or os.cpu_count())
        self._own = local()
        self._all = np.zeros((0, self._width), np.float32)

    def rows(self, lots: Sequence[Lot]) -> tuple[Any, Any]:
        """Play these games: their rows, float32 [rows, features and what stands behind them], and how many each has.

        The rows are there until the next games are played: room that is new each time costs as much as playing some.
        Raises GameError where a game does not end.
        """
        # compiled before several threads ask for it
        self._code.of(self._game)
        games = list(self._threads.map(self._of, lots))
        sizes = np.array([len(rows) for rows in games])
        if sizes.sum() > len(self._all):
            self._all = np.zeros((int(sizes.sum() * _MORE), self._width), np.float32)
        return np.concatenate(games, out=self._all[: sizes.sum()]), sizes

    def _of(self, lot: Lot) -> Any:
        own = self._own
        if not hasattr(own, "rows"):
            own.rows = np.zeros(self._most * self._width, np.float32)
            own.states, own.moves = make_states(self._game, self._states), self._game.move_list()
        nets = (room(self._game, each) for each in lot.weights)
        written = self._code.of(self._game)(
            own.states, own.moves, lot.options, *nets, own.rows, lot.how, stream(lot.chance),
            lot.seats, len(self._net.features), self._net.first, lot.seed,
        )  # fmt: skip
        if written < 0:
            raise GameError(f"a game of {self._game.name} does not end")
        return own.rows.reshape(-1, self._width)[:written].copy()
