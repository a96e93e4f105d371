"""What a run learns from, a round at a time: whole games of the net, and decisions that are judged by playing on."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from thorp.core.chance import SEED_BITS, stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states
from thorp.core.net import Net
from thorp.core.weights import room
from thorp.players.fields import made
from thorp.players.playouts import Manner, Tally
from thorp.players.search import ALL
from thorp.training import judged, selfplay
from thorp.training.descent import BATCH, BESIDE, Loss, of_decisions, of_positions
from thorp.training.replay import ROWS, Replay

_LEARNED_FROM = 1 << 41
#: Beyond the games of a run: deals of those whose decisions are judged.
_DECIDED_FROM = 1 << 31
#: The length of steps, from the first game to the last.
_STEP = (1e-3, 5e-5)

#: Draws seats and options of some table.
Table = Callable[[], tuple[int, Any]]


class Teacher(ABC):
    """Plays games for a run, and keeps rows of them."""

    def __init__(self, game: AnyGame, net: Net, seed: int) -> None:
        self.game, self.net, self.seed = game, net, seed
        self.dice = stream(seed)
        #: The rows that are kept, by the ends of the names of the files they are saved in.
        self.replays: dict[str, Replay] = {}

    @abstractmethod
    def play(self, weights: Any, table: Table, luck: np.random.Generator, done: int, games: int) -> tuple[int, int]:
        """Play a round by what `weights` say, after `done` of so many games; how many games it had, and how many rows
        are to be learned from. Of a round that is too short to learn from nothing is kept.
        """

    @abstractmethod
    def lesson(self, luck: np.random.Generator, share: float) -> tuple[Any, Loss]:
        """Rows to learn from after a round that began with such a share of the run, as many each time that they are of
        one kind, and what is wrong with what is said.
        """

    def length(self, share: float) -> float:
        """How long steps are after such a share of a run."""
        return between(_STEP, share)

    def _seed(self, done: int) -> int:
        """The seed of a game: no other run, and no measurement, has it."""
        return (_LEARNED_FROM + (self.seed << 32) + done) % (1 << SEED_BITS)


class Ends(Teacher):
    """Games of the net and of greedy players: every position is taught what it came to at the end."""

    #: For each row that is played so many are learned from: most of the time goes into playing.
    _TIMES = 4
    #: Games with the same seats and options.
    _ALIKE = 4
    #: The most rows of one game.
    _OF_GAME = 2048
    #: How much chance is in choices, in points: for every few games drawn between these.
    _CHANCE = (1.0, 0.05)
    #: Greedy players take part in all of the first games, and in so many from a fifth of a run on.
    _GREEDY = (1.0, 0.6)

    def __init__(self, game: AnyGame, net: Net, seed: int) -> None:
        super().__init__(game, net, seed)
        self._width = len(net.features) + selfplay.EXTRA
        self.positions = self.replays[".rows"] = Replay(self._width)
        self._states, self._moves = make_states(game, selfplay.STATES), game.move_list()
        self._played = np.zeros((ROWS + self._OF_GAME) * self._width, np.float32)

    def play(self, weights: Any, table: Table, luck: np.random.Generator, done: int, games: int) -> tuple[int, int]:
        play, width, rows, first = selfplay.self_play.of(self.game), self._width, self._played, done
        how = np.zeros(3, np.float32)
        how[1:] = max(self._GREEDY[1], self._GREEDY[0] - 2 * done / games), self.net.ahead
        written = 0
        while written < ROWS and done < games:
            seats, options = table()
            how[0] = between(self._CHANCE, float(luck.random()))
            for _ in range(min(self._ALIKE, games - done)):
                if written >= ROWS:
                    break
                free = rows[written * width : (written + self._OF_GAME) * width]
                count = play(
                    self._states, self._moves, options, weights, free, how, self.dice,
                    seats, len(self.net.features), self.net.first, self._seed(done),
                )  # fmt: skip
                if count < 0:
                    raise GameError(f"a game of {self.game.name} does not end")
                written += count
                done += 1
        if written >= BATCH:
            self.positions.add(rows.reshape(-1, width)[:written])
        return done - first, self._TIMES * min(written, ROWS) if written >= BATCH else 0

    def lesson(self, luck: np.random.Generator, share: float) -> tuple[Any, Loss]:
        return self.positions.sample(self._TIMES * ROWS, luck), of_positions


class Decisions(Ends):
    """The same, and in the last part of a run decisions of other games, too: how far their moves lie apart.

    A net that has only learned how games end tells the moves of one decision apart badly, as what they change is little
    beside all that is still to come; and one that has only learned to tell them apart comes to put things off. Games of
    a round are judged on as many threads as there are processors; what they come to does not depend on how many.
    """

    #: After such a share of a run decisions are judged, beside so many rounds of positions those of so many games; of
    #: them so many are kept at most.
    _FROM = 0.85
    _ENDS = 3
    _ROUND = 6
    _KEPT = 256
    #: For each decision that is judged so many are learned from.
    _AGAIN = 15
    #: The length of steps, from the first decision to the last.
    _LENGTH = (7e-4, 5e-5)
    #: The most decisions of one game, and the share that is judged.
    _MOST = 128
    _JUDGED = 0.1
    #: So many moves of a game are any: what nobody would do is to be judged, too.
    _ANY = 0.05
    #: The share of seats that play by the net.
    _OF_SEATS = 0.6
    #: Each move is tried in so many games. Fewer for more decisions teach as much.
    _DEALS = 6
    #: In games that are played on others take the best of so many moves, drawn anew each time.
    _OTHERS = 6
    #: In the games of such a share of decisions the seat itself goes by the net, in all others by `evaluate` like them.
    _LED = 0.5

    def __init__(self, game: AnyGame, net: Net, seed: int) -> None:
        super().__init__(game, net, seed)
        self._of_decision = judged.width(len(net.features))
        self.decisions = self.replays[".decisions"] = Replay(self._of_decision, self._KEPT)

    def play(self, weights: Any, table: Table, luck: np.random.Generator, done: int, games: int) -> tuple[int, int]:
        played, rows = super().play(weights, table, luck, done, games)
        if done / games < self._FROM or not rows:
            return played, rows
        for _ in range(self._ENDS - 1):
            played += super().play(weights, table, luck, done + played, games)[0]
        lots = []
        for number in range(self._ROUND):
            seats, options = table()
            while seats == 1 < max(self.game.seats):
                # alone nobody searches by a net
                seats, options = table()
            by_net = sum(1 << seat for seat in range(seats) if luck.random() < self._OF_SEATS)
            how = np.array([self._JUDGED, self._ANY, by_net, self._DEALS, self._LED], np.float32)
            seed = self._seed(_DECIDED_FROM + done * self._ROUND + number)
            lots.append((seats, options, how, int(luck.integers(1 << 62)), seed))
        learned = weights[self.net.first :]
        # compiled before several threads ask for it
        judged.judge_game.of(self.game)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = np.concatenate(list(pool.map(lambda lot: self._judge(learned, *lot), lots)))
        if len(found):
            self.decisions.add(found)
        return played, self._AGAIN * min(len(found), self._KEPT) if len(self.decisions) else rows

    def lesson(self, luck: np.random.Generator, share: float) -> tuple[Any, Loss]:
        if share < self._FROM or not len(self.decisions):
            return super().lesson(luck, share)
        count = self._AGAIN * self._KEPT
        positions = self.positions.sample(BESIDE * count, luck).reshape(count, -1)
        return np.hstack((self.decisions.sample(count, luck), positions)), of_decisions

    def length(self, share: float) -> float:
        if share < self._FROM:
            return super().length(share)
        return between(self._LENGTH, (share - self._FROM) / (1 - self._FROM))

    def _judge(self, learned: Any, seats: int, options: Any, how: Any, chance: int, seed: int) -> Any:
        """The rows of one game."""
        rows = np.zeros(self._MOST * self._of_decision, np.float32)
        manner = made(Manner, own=ALL, others=self._OTHERS, point=100)
        written = judged.judge_game.of(self.game)(
            make_states(self.game, judged.STATES), self.game.move_list(), options, room(self.game, learned), rows, how,
            stream(chance), stream(0), made(Tally), manner, seats, len(self.net.features), self.net.first, seed,
        )  # fmt: skip
        if written < 0:
            raise GameError(f"a game of {self.game.name} does not end")
        return rows.reshape(-1, self._of_decision)[:written]


def teacher_of(game: AnyGame, net: Net, seed: int) -> Teacher:
    """What a game's net learns from."""
    return (Decisions if net.compares else Ends)(game, net, seed)


def between(ends: tuple[float, float], share: float) -> float:
    """From the first to the last of two ends, by equal factors."""
    return float(ends[0] * (ends[1] / ends[0]) ** share)
