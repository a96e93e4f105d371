"""What a thread that thinks needs for itself."""

from __future__ import annotations

from typing import Any

from thorp.core.chance import stream
from thorp.core.game import AnyGame
from thorp.core.generic import make_states
from thorp.core.weights import room
from thorp.players.fields import get, made, put_at
from thorp.players.playouts import STATES, Tally

#: What a tally sums up of the games of each candidate; and with how many there were, all that is counted.
SUMS = ("totals", "upper_squares", "lower_squares", "firsts", "first_squares", "points", "point_squares")
COUNTED = ("games", *SUMS)


class Hand:
    """What a thread needs to play games on: all that changes meanwhile."""

    def __init__(self, game: AnyGame, seed: int, manner: Any, learned: Any, expects: Any = None) -> None:
        #: How games are played on: who others are taken for changes from game to game.
        self.manner = manner
        self.states = make_states(game, STATES)
        self.moves = game.move_list()
        self.dice, self.luck = stream(seed), stream(0)
        self.tally: Any = made(Tally)
        self.weights = room(game, learned)
        self.judge = room(game, expects)

    def take_candidates(self, tally: Any, alive: int) -> None:
        """Begin to count anew, for the same candidates."""
        for index in range(alive):
            put_at(self.tally, "moves", index, int(get(tally, "moves")[index]))
            for name in COUNTED:
                put_at(self.tally, name, index, 0)

    def add_to(self, tally: Any, alive: int) -> None:
        """Add what was counted."""
        for name in COUNTED:
            for index in range(alive):
                put_at(tally, name, index, int(get(tally, name)[index]) + int(get(self.tally, name)[index]))
