"""What a run learns from, and how, a round at a time: what positions came to at the end, or which choices did well; or
what games come to that are played by such choices.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np

from thorp.core.chance import SEED_BITS
from thorp.core.game import AnyGame
from thorp.core.net import Net
from thorp.players.playouts import EXPECTED_FIRST
from thorp.training import choices, selfplay
from thorp.training.contest import contests
from thorp.training.descent import BATCH, Descent, as_learned, untaught
from thorp.training.playing import Lot, Playing
from thorp.training.policy import Policy, decisions_of
from thorp.training.replay import ROWS, Replay

_LEARNED_FROM = 1 << 41
#: The games of a run of a greater seed would have seeds beyond those that there are.
MOST_SEED = ((1 << SEED_BITS) - _LEARNED_FROM >> 32) - 1

#: Draws seats and options of some table.
Table = Callable[[], tuple[int, Any]]


class Teacher(ABC):
    """Plays games for a run, and learns from them."""

    #: How often a number of seats is drawn against others: by its size to this power.
    OFTEN = 0.0

    def __init__(self, game: AnyGame, net: Net, seed: int) -> None:
        self.game, self.net, self.seed = game, net, seed

    @property
    @abstractmethod
    def learned(self) -> Any:
        """What has been learned by now, as it lies in a row of the net behind its first number."""

    @property
    def device(self) -> str:
        """What steps are taken on: "cpu", "gpu" or "tpu"."""
        return jax.default_backend()

    @property
    def unused(self) -> str:
        """What steps could be taken on here and are not, since they take longer there; "" where there is nothing."""
        there = jax.default_backend()
        return "" if there == self.device else there

    def plays(self, learned: Any) -> Any:
        """What games are played by where that was learned."""
        return learned

    @abstractmethod
    def round(
        self, table: Table, luck: np.random.Generator, done: int, games: int, mean: Any
    ) -> tuple[int, float | None]:
        """Play and learn after `done` of so many games; how many games it had, and the mean squared error.

        `mean` is what the run would come to if it ended here. None: there was too little to learn from.
        """

    @abstractmethod
    def save(self, path: Path) -> dict[str, Any]:
        """All that has to be kept to go on, as arrays; or in files beside this one of the run."""

    @abstractmethod
    def take_up(self, path: Path, kept: dict[str, Any]) -> None:
        """Go on as it was when that was saved. Raises WeightsError, LookupError, TypeError or ValueError where it
        cannot.
        """

    def _seed(self, done: int) -> int:
        """The seed of a game: no other run, and no measurement, has it."""
        return _LEARNED_FROM + (self.seed << 32) + done


class Ends(Teacher):
    """Games of the net and of greedy players: every position is taught what it came to at the end."""

    # as all seats of a game are learned from, and most games are played by few
    OFTEN = -1.0
    #: For each row that is played so many are learned from: most of the time goes into playing.
    _TIMES = 4
    #: Games of the first round; of later ones as many as bring the rows of a round, but not fewer or more than these.
    _FIRST_ROUND, _ROUNDS = 32, (16, 1024)
    #: The most rows of one game.
    _OF_GAME = 2048
    #: How much chance is in choices, in points: for every game drawn between these.
    _CHANCE = (1.0, 0.05)
    #: Greedy players take part in all of the first games, and in so many from a fifth of a run on.
    _GREEDY = (1.0, 0.6)
    #: The length of steps, from the first game to the last.
    _STEP = (1e-3, 5e-5)

    def __init__(self, game: AnyGame, net: Net, seed: int, luck: np.random.Generator, threads: int | None) -> None:
        super().__init__(game, net, seed)
        self._descent = Descent(net, untaught(net, luck))
        self._replay = Replay(len(net.features) + selfplay.EXTRA)
        self._playing = Playing(game, net, selfplay.self_play, selfplay.STATES, selfplay.EXTRA, self._OF_GAME, threads)
        #: The rows of all games so far.
        self._written = 0

    @property
    def learned(self) -> Any:
        return self._descent.learned

    def round(
        self, table: Table, luck: np.random.Generator, done: int, games: int, mean: Any
    ) -> tuple[int, float | None]:
        share, lots, plays = done / games, [], (self.learned,)
        for number in range(min(self._count(done), games - done)):
            seats, options = table()
            how = np.zeros(2, np.float32)
            how[0] = between(self._CHANCE, float(luck.random()))
            how[1] = max(self._GREEDY[1], self._GREEDY[0] - 2 * share)
            chance = int(luck.integers(1 << 62))
            lots.append(Lot(seats, options, plays, how, chance, self._seed(done + number)))
        rows, _ = self._playing.rows(lots)
        self._written += len(rows)
        if len(rows) < BATCH:
            return len(lots), None
        some = rows[luck.permutation(len(rows))[:ROWS]]
        self._replay.add(some)
        again = self._replay.sample(self._TIMES * ROWS, luck)
        return len(lots), self._descent.learn(again, self._TIMES * len(some), between(self._STEP, share))

    def _count(self, done: int) -> int:
        """How many games a round has after so many."""
        if not self._written:
            return self._FIRST_ROUND
        fewest, most = self._ROUNDS
        return min(max(fewest, round(ROWS * done / self._written)), most)

    def save(self, path: Path) -> dict[str, Any]:
        memory = {f"memory{number}": each for number, each in enumerate(self._descent.memory)}
        own = {"plays": self.learned, "written": np.array(self._written)}
        return {**own, **memory, **self._replay.save(path.with_suffix(".rows"))}

    def take_up(self, path: Path, kept: dict[str, Any]) -> None:
        self._replay.load(path.with_suffix(".rows"), {name: kept.pop(name) for name in ("rounds", "sizes", "seals")})
        self._written = int(kept.pop("written"))
        self._descent = Descent(self.net, as_learned(self.net, kept.pop("plays")))
        self._descent.memory = [kept[f"memory{number}"] for number in range(len(kept))]


class _Drawing(Teacher):
    """Games whose moves are drawn by how much a net likes them."""

    #: The most rows of one game: of a longer one no more decisions are learned from.
    _OF_GAME = 1 << 15

    def __init__(self, game: AnyGame, net: Net, seed: int, threads: int | None) -> None:
        super().__init__(game, net, seed)
        self._playing = Playing(game, net, choices.draw_game, choices.STATES, choices.EXTRA, self._OF_GAME, threads)


class Choices(_Drawing):
    """Games of the net against itself, earlier forms of itself and greedy players: moves become likelier after which
    more was had than expected.
    """

    _ROUND = 256
    #: How much chance is in choices, as what makes a move e times as likely; from the first game to the last.
    _CHANCE = (0.5, 0.2)
    _STEP = (5e-4, 2e-4)
    #: What the first place counts, a point ahead, and to have as many points as greedy players have among themselves:
    #: without that, players come to wait for each other, since nobody falls behind by it.
    _FIRST, _AHEAD, _ENOUGH = 20.0, 0.5, 6.0
    #: In such a share of games greedy players sit at the table, in others those that play by what was learned before;
    #: and whether one sits at a seat then.
    _GREEDY, _BEFORE, _OF_SEATS = 0.6, 0.15, 0.7
    #: Those play by the mean of what was learned lately, as often as this, or else by one of so many earlier forms.
    _BY_MEAN, _FORMS = 0.6, 20
    _MEASURED = 200
    _MEASURED_FROM = 1 << 40

    def __init__(self, game: AnyGame, net: Net, seed: int, luck: np.random.Generator, threads: int | None) -> None:
        super().__init__(game, net, seed, threads)
        self._policy = Policy(net, luck)
        self._forms = [self.learned]
        seeds = range(self._MEASURED_FROM, self._MEASURED_FROM + self._MEASURED)
        #: What greedy players have, by how many they are; where that is nothing, one point is enough.
        self._enough = {
            seats: max(1.0, contests(game, self.learned, seats, 0, seeds)[0].mean()) for seats in game.seats
        }

    @property
    def device(self) -> str:
        # as `Policy` does
        return "cpu"

    @property
    def learned(self) -> Any:
        return self._policy.learned

    def round(
        self, table: Table, luck: np.random.Generator, done: int, games: int, mean: Any
    ) -> tuple[int, float | None]:
        share, count, learned = done / games, min(self._ROUND, games - done), self.learned
        if len(self._forms) < 1 + int(share * self._FORMS):
            self._forms.append(learned)
        chance = between(self._CHANCE, share)
        lots = []
        for number in range(count):
            seats, options = table()
            greedy = before = 0
            kind = luck.random() if seats > 1 else 1.0
            if kind < self._GREEDY + self._BEFORE:
                others = sum(1 << seat for seat in range(seats) if luck.random() < self._OF_SEATS)
                # at least one is learned from
                others &= ~(1 << int(luck.integers(seats)))
                greedy, before = (others, 0) if kind < self._GREEDY else (0, others)
            other = mean if luck.random() < self._BY_MEAN else self._forms[int(luck.integers(len(self._forms)))]
            how = np.zeros(choices.SCORE + 1, np.float32)
            how[: choices.FIRST] = greedy, before, chance
            how[choices.FIRST :] = self._FIRST, self._AHEAD if seats > 1 else 1, self._ENOUGH, self._enough[seats]
            chance_of_game = int(luck.integers(1 << 62))
            lots.append(Lot(seats, options, (learned, other), how, chance_of_game, self._seed(done + number)))
        rows, sizes = self._playing.rows(lots)
        if not len(rows):
            return count, None
        decisions = decisions_of(rows, sizes, [lot.seats for lot in lots], len(self.net.features))
        return count, self._policy.learn(decisions, chance, between(self._STEP, share), luck)

    def save(self, path: Path) -> dict[str, Any]:
        memory = {f"memory{number}": each for number, each in enumerate(self._policy.kept)}
        return {"forms": np.array(self._forms), **memory}

    def take_up(self, path: Path, kept: dict[str, Any]) -> None:
        first, *others = kept.pop("forms")
        self._forms = [as_learned(self.net, each) for each in (first, *others)]
        self._policy.take_up([kept[f"memory{number}"] for number in range(len(kept))])


class Expectations(_Drawing):
    """Games by a net that has learned to choose: before each decision another net on the same features is taught what
    they came to.
    """

    _ROUND = 64
    #: For each row that is kept so many are learned from.
    _TIMES = 4
    #: Greedy players sit at the table in such a share of games, each seat with this chance.
    _GREEDY, _OF_SEATS = 0.3, 0.5
    #: How much chance is in choices, as in the end of what the net learned to choose by.
    _CHANCE = 0.2
    _STEP = (1e-3, 2e-5)
    #: A point ahead counts 1, and the first place as much as searches count for it (`EXPECTED_FIRST`).
    _AHEAD = 1.0
    #: It is learned in such units, so that it is about 1; and no error is so large that it teaches less than it is.
    _UNIT, _MOST_ERROR = 50.0, 1e3

    def __init__(
        self, game: AnyGame, net: Net, seed: int, luck: np.random.Generator, threads: int | None, chooses: Any
    ) -> None:
        super().__init__(game, net, seed, threads)
        self._chooses = chooses
        self._descent = self._untaught(untaught(net, luck))
        # what was read, and what `Descent` is to hold it against
        self._replay = Replay(len(net.features) + selfplay.EXTRA)

    def _untaught(self, learned: Any) -> Descent:
        return Descent(self.net, learned, self._MOST_ERROR)

    @property
    def learned(self) -> Any:
        learned, out = np.array(self._descent.learned), self.net.learned - self.net.hidden - 1
        learned[out:] *= self._UNIT
        return learned

    def plays(self, learned: Any) -> Any:
        return self._chooses

    def round(
        self, table: Table, luck: np.random.Generator, done: int, games: int, mean: Any
    ) -> tuple[int, float | None]:
        count, lots = min(self._ROUND, games - done), []
        for number in range(count):
            seats, options = table()
            greedy = 0
            if seats > 1 and luck.random() < self._GREEDY:
                greedy = sum(1 << seat for seat in range(seats) if luck.random() < self._OF_SEATS)
                # at least one is learned from
                greedy &= ~(1 << int(luck.integers(seats)))
            how = np.zeros(choices.SCORE + 1, np.float32)
            how[: choices.FIRST] = greedy, 0, self._CHANCE
            how[choices.FIRST :] = EXPECTED_FIRST, self._AHEAD, 0, 1
            chance, nets = int(luck.integers(1 << 62)), (self._chooses, self._chooses)
            lots.append(Lot(seats, options, nets, how, chance, self._seed(done + number)))
        played, sizes = self._playing.rows(lots)
        if not len(played):
            return count, None
        decisions = decisions_of(played, sizes, [lot.seats for lot in lots], len(self.net.features))
        some = luck.permutation(len(decisions.starts))[:ROWS]
        rows = np.zeros((len(some), len(self.net.features) + selfplay.EXTRA), np.float32)
        rows[:, : len(self.net.features)] = played[decisions.starts[some], : len(self.net.features)]
        missing = (decisions.of(choices.RESULT) - decisions.of(choices.BASE))[some]
        rows[:, len(self.net.features) + selfplay.TARGET] = missing / self._UNIT
        self._replay.add(rows)
        if len(self._replay) < BATCH:
            return count, None
        wanted = self._TIMES * ROWS
        again, step = self._replay.sample(wanted, luck), between(self._STEP, done / games)
        return count, self._descent.learn(again, min(wanted, self._TIMES * len(some)), step) * self._UNIT**2

    def save(self, path: Path) -> dict[str, Any]:
        memory = {f"memory{number}": each for number, each in enumerate(self._descent.memory)}
        own = {"expects": self._descent.learned, "chooses": self._chooses}
        return {**own, **memory, **self._replay.save(path.with_suffix(".rows"))}

    def take_up(self, path: Path, kept: dict[str, Any]) -> None:
        self._replay.load(path.with_suffix(".rows"), {name: kept.pop(name) for name in ("rounds", "sizes", "seals")})
        self._descent = self._untaught(as_learned(self.net, kept.pop("expects")))
        self._chooses = as_learned(self.net, kept.pop("chooses"))
        self._descent.memory = [kept[f"memory{number}"] for number in range(len(kept))]


def teacher_of(
    game: AnyGame, net: Net, seed: int, luck: np.random.Generator, threads: int | None = None, chooses: Any = None
) -> Teacher:
    """What a game's net learns by; to expect what games come to, where it is given what has learned to choose."""
    if chooses is not None:
        return Expectations(game, net, seed, luck, threads, chooses)
    return (Choices if net.chooses else Ends)(game, net, seed, luck, threads)


def between(ends: tuple[float, float], share: float) -> float:
    """From the first to the last of two ends, by equal factors."""
    return float(ends[0] * (ends[1] / ends[0]) ** share)
