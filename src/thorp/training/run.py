"""A run of learning: games, steps, schedules, checkpoints. The same seed and games give the same weights."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from thorp.core.errors import GameError, OptionError
from thorp.core.game import AnyGame
from thorp.core.given import shown, whole
from thorp.core.net import Net
from thorp.core.weights import WeightsError, learned_by
from thorp.training.contest import contests
from thorp.training.descent import as_learned
from thorp.training.teachers import MOST_SEED, teacher_of

#: An option keeps its default in such a share of games.
_DEFAULTS = 0.5
#: What a run comes to is the mean of what it had learned over about so much of all games, the latest: steps go to and
#: fro about what they lead to (Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992).
_AVERAGED = 0.1
#: More than anybody waits for.
MOST_GAMES = 10**9
#: Games by which a run is measured, and their seeds, which are no others'.
_MEASURED = 100
_MEASURED_FROM = 1 << 40
#: How reading what is no run as it was saved fails, however it came to be so.
_NOT_AS_SAVED = (
    *(OSError, EOFError, MemoryError, NotImplementedError, BadZipFile, zlib.error),
    *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
)


@dataclass(frozen=True)
class Progress:
    """Where a run is: a row of its curve."""

    games: int
    #: The root of the mean squared error, in points; NaN where nothing has been learned from yet.
    error: float
    #: Mean points over games of fixed seeds at the least number of seats, all by the net, without chance in choices.
    points: float


class Training:
    """A run of learning for a game, from a seed, over so many games; it can be stopped and taken up again.

    `chooses`: what was learned to choose; then it learns to expect what games come to that are played by it.
    `threads` play its games, by default one for each processor; it learns the same on however many.

    Raises WeightsError for a game without a net, GameError for impossible numbers.
    """

    def __init__(
        self, game: AnyGame, games: int, seed: int = 1, chooses: Any = None, threads: int | None = None
    ) -> None:
        if not 1 <= games <= MOST_GAMES:
            raise GameError(f"a run of learning has 1 to {MOST_GAMES} games, not {games}")
        if not 0 <= seed <= MOST_SEED:
            raise GameError(f"a seed of learning is an integer from 0 to {MOST_SEED}, not {seed}")
        if threads is not None and threads < 1:
            raise GameError(f"the number of threads is 1 or more, not {threads}")
        learned_by(game)
        if not isinstance(game.net, Net):
            raise WeightsError(f"{game.name} has no net: what it learns it learns at a table")
        self.game, self.games, self.seed, self.net = game, games, seed, game.net
        self.done = 0
        self.curve: list[Progress] = []
        self._luck = np.random.Generator(np.random.PCG64(seed))
        if chooses is not None and not self.net.judged:
            raise WeightsError(f"{game.name} asks no net what games come to")
        self._teacher = teacher_of(game, self.net, seed, self._luck, threads, chooses)
        #: What has been learned so far: the mean of that over the latest games.
        self.learned = np.array(self._teacher.learned)

    def rounds(self) -> Iterator[Progress]:
        """Learn until the games are played; says after each round how far it is."""
        error = np.nan
        while self.done < self.games:
            played, found = self._teacher.round(self._table, self._luck, self.done, self.games, self.learned)
            self.done += played
            # the last round may be too short to learn from
            if found is not None:
                error = found
                fresh = min(1.0, played / (_AVERAGED * self.games))
                self.learned += (self._teacher.learned - self.learned) * np.float32(fresh)
            yield Progress(self.done, error**0.5, 0.0)

    def _table(self) -> tuple[int, Any]:
        """Seats and options of some table."""
        game = self.game
        shares = np.array([float(seats) ** self._teacher.OFTEN for seats in game.seats])
        seats = int(self._luck.choice(np.array(game.seats), p=shares / shares.sum()))
        chosen = {}
        for option in game.options:
            if seats in option.seats and self._luck.random() > _DEFAULTS:
                chosen[option.id] = option.values[int(self._luck.integers(len(option.values)))]
        try:
            return seats, game.option_list(game.options_for(seats, chosen))
        except OptionError:
            return seats, game.option_list(game.options_for(seats))

    @property
    def device(self) -> str:
        """What its steps are taken on: "cpu", "gpu" or "tpu"."""
        return self._teacher.device

    @property
    def unused(self) -> str:
        """What its steps could be taken on here, and are not; "" where there is nothing."""
        return self._teacher.unused

    @property
    def plays(self) -> Any:
        """What games of this run are played by, as far as it is."""
        return self._teacher.plays(self.learned)

    # --- taking up again ------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write all that the run is, to be taken up again; its latest games go into files beside it."""
        told = {
            **learned_by(self.game),
            "games": self.games,
            "seed": self.seed,
            "done": self.done,
            "luck": self._luck.bit_generator.state,
            "curve": [[each.games, each.error, each.points] for each in self.curve],
        }
        kept = self._teacher.save(path)
        part = path.with_name(f".{path.name}.part")
        with part.open("wb") as file:
            np.savez(file, told=np.array(json.dumps(told)), learned=self.learned, **kept)
        part.replace(path)

    @classmethod
    def resume(cls, game: AnyGame, path: Path, games: int | None = None, threads: int | None = None) -> Training:
        """A run as it was saved, to that many games in all, or as many as were wanted.

        Raises WeightsError where the file is none of this game as it is now.
        """
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                kept = dict(file)
            told = json.loads(str(kept.pop("told")))
            if {name: told.get(name) for name in ("game", "rules", "features")} != learned_by(game):
                raise WeightsError(f"{path} is a run of another game, or of other rules or features; begin another")
            planned, seed = _number(told["games"]), _number(told["seed"])
            run = cls(game, planned if games is None else games, seed, kept.get("chooses"), threads)
            run._take_up(path, told, kept)
        except GameError:
            raise
        except _NOT_AS_SAVED as error:
            raise WeightsError(f"{path} is no run of learning that can be taken up; begin another") from error
        return run

    def _take_up(self, path: Path, told: dict[str, Any], kept: dict[str, Any]) -> None:
        """Go on as it was when that was saved. Raises WeightsError, or one of `_NOT_AS_SAVED`, where it cannot."""
        self.done, self.learned = _number(told["done"]), as_learned(self.net, kept.pop("learned"))
        self._teacher.take_up(path, kept)
        self._luck.bit_generator.state = told["luck"]
        self.curve = [Progress(_number(games), float(error), float(points)) for games, error, points in told["curve"]]


def _number(kept: object) -> int:
    """A number of a run as it was saved. Raises ValueError where it is none."""
    if (number := whole(kept)) is None or number < 0:
        raise ValueError(f"{shown(kept)} is no number of games, and no seed")
    return number


def points_of(game: AnyGame, learned: Any, games: int = _MEASURED, seats: int | None = None) -> float:
    """Mean points of games of fixed seeds that are all played by what was learned."""
    seats = seats or game.seats[0]
    scores, _ = contests(game, learned, seats, (1 << seats) - 1, range(_MEASURED_FROM, _MEASURED_FROM + games))
    return float(scores.mean())


def train(run: Training, tell: Callable[[Progress], None], every: int = 20) -> Any:
    """Learn to the end; every so many rounds, and at the end, `tell` gets a point of the curve. What was learned."""
    for number, progress in enumerate(run.rounds(), 1):
        if number % every == 0 or run.done >= run.games:
            point = Progress(run.done, progress.error, points_of(run.game, run.plays))
            run.curve.append(point)
            tell(point)
    return run.learned
