"""A run of learning: games, steps, schedules, checkpoints. The same seed and games give the same weights."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from thorp.core.chance import stream
from thorp.core.errors import GameError, OptionError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states
from thorp.core.net import Net
from thorp.core.weights import WeightsError, learned_by, room
from thorp.players.fields import get, put_at
from thorp.training.contest import STATES as CONTEST_STATES
from thorp.training.contest import contest
from thorp.training.descent import Descent
from thorp.training.teachers import teacher_of

#: An option keeps its default in such a share of games.
_DEFAULTS = 0.5
#: What a run comes to is the mean of what it had learned over about so much of all games, the latest: steps go to and
#: fro about what they lead to (Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992).
_AVERAGED = 0.1
#: Games by which a run is measured, and their seeds, which are no others'.
_MEASURED = 100
_MEASURED_FROM = 1 << 40


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

    Raises WeightsError for a game without a net, GameError for impossible numbers.
    """

    def __init__(self, game: AnyGame, games: int, seed: int = 1) -> None:
        if games < 1 or not 0 <= seed < 1 << 31:
            raise GameError("a run of learning has 1 game or more, and a seed from 0 to 2147483647")
        learned_by(game)
        if not isinstance(game.net, Net):
            raise WeightsError(f"{game.name} has no net: what it learns it learns at a table")
        self.game, self.games, self.seed, self.net = game, games, seed, game.net
        self.done = 0
        self.curve: list[Progress] = []
        self._luck = np.random.Generator(np.random.PCG64(seed))
        net = self.net
        start = np.zeros(net.learned, np.float32)
        inner = len(net.features) * net.hidden
        # the linear unit starts with nothing, the others with little
        spread = self._luck.normal(size=inner).astype(np.float32) * np.float32(0.1)
        spread[:: net.hidden] = 0
        start[:inner] = spread
        out = inner + net.hidden
        start[out : out + net.hidden] = self._luck.normal(size=net.hidden).astype(np.float32) * np.float32(0.1)
        start[out] = 1
        #: What the net plays by.
        self.weights = room(game, start)
        #: What has been learned so far: the mean of that over the latest games.
        self.learned = start.copy()
        self._descent = Descent(net, start)
        self._teacher = teacher_of(game, net, seed)

    def rounds(self) -> Iterator[Progress]:
        """Learn until the games are played; says after each round how far it is."""
        teacher = self._teacher
        error = np.nan
        while self.done < self.games:
            share = self.done / self.games
            played, rows = teacher.play(self.weights, self._table, self._luck, self.done, self.games)
            self.done += played
            # the last round may be too short to learn from
            if rows:
                again, loss = teacher.lesson(self._luck, share)
                error = self._descent.learn(again, rows, teacher.length(share), loss)
                self.weights[self.net.first :] = self._descent.learned
                fresh = min(1.0, played / (_AVERAGED * self.games))
                self.learned += (self._descent.learned - self.learned) * np.float32(fresh)
            yield Progress(self.done, error**0.5, 0.0)

    def _table(self) -> tuple[int, Any]:
        """Seats and options of some table: fewer seats more often, as all seats of a game are learned from, and most
        games are played by few.
        """
        game = self.game
        shares = np.array([seats**-1.0 for seats in game.seats])
        seats = int(self._luck.choice(np.array(game.seats), p=shares / shares.sum()))
        chosen = {}
        for option in game.options:
            if seats in option.seats and self._luck.random() > _DEFAULTS:
                chosen[option.id] = option.values[int(self._luck.integers(len(option.values)))]
        try:
            return seats, game.option_list(game.options_for(seats, chosen))
        except OptionError:
            return seats, game.option_list(game.options_for(seats))

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
        replays = {end: replay.save(path.with_suffix(end)) for end, replay in self._teacher.replays.items()}
        part = path.with_name(f".{path.name}.part")
        with part.open("wb") as file:
            np.savez(
                file,
                told=np.array(json.dumps(told)),
                learned=self.learned,
                plays=self.weights[self.net.first :],
                **{f"{end}{name}": each for end, replay in replays.items() for name, each in replay.items()},
                **{f"memory{number}": each for number, each in enumerate(self._descent.memory)},
                dice=np.array([get(self._teacher.dice, "chance")[0]], "u8"),
            )
        part.replace(path)

    @classmethod
    def resume(cls, game: AnyGame, path: Path, games: int | None = None) -> Training:
        """A run as it was saved, to that many games in all, or as many as were wanted.

        Raises WeightsError where the file is none of this game as it is now.
        """
        broken = WeightsError(f"{path.name} is no run of learning that can be taken up; begin another")
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                kept = dict(file)
            told, learned, dice = json.loads(str(kept.pop("told"))), kept.pop("learned"), kept.pop("dice")
            plays, planned, seed = kept.pop("plays"), told["games"], told["seed"]
        except (OSError, EOFError, BadZipFile, ValueError, KeyError) as error:
            raise broken from error
        if {name: told.get(name) for name in ("game", "rules", "features")} != learned_by(game):
            raise WeightsError(f"{path.name} is a run of another game, or of other rules or features; begin another")
        run = cls(game, planned if games is None else games, seed)
        names = ("rounds", "sizes", "seals")
        try:
            replays = {end: {name: kept.pop(f"{end}{name}") for name in names} for end in run._teacher.replays}
            memory = [kept[f"memory{number}"] for number in range(len(kept))]
        except KeyError as error:
            raise broken from error
        run.done = told["done"]
        run.weights, run.learned = room(game, plays), learned
        for end, replay in run._teacher.replays.items():
            replay.load(path.with_suffix(end), replays[end])
        run._descent = Descent(run.net, plays)
        run._descent.memory = memory
        put_at(run._teacher.dice, "chance", 0, int(dice[0]))
        run._luck.bit_generator.state = told["luck"]
        run.curve = [Progress(*each) for each in told["curve"]]
        return run


def points_of(game: AnyGame, learned: Any, games: int = _MEASURED, seats: int | None = None) -> float:
    """Mean points of games of fixed seeds that are all played by what was learned."""
    seats = seats or game.seats[0]
    scores, _ = contests(game, learned, seats, (1 << seats) - 1, range(_MEASURED_FROM, _MEASURED_FROM + games))
    return float(scores.mean())


def contests(
    game: AnyGame, learned: Any, seats: int, who: int, seeds: range, options: dict[str, str] | None = None
) -> tuple[Any, Any]:
    """Scores and standings, a row for each seed, where the seats in the mask `who` play as learned, others greedily."""
    play = contest.of(game)
    numbers = game.option_list(game.options_for(seats, options))
    weights, states, moves, dice = room(game, learned), make_states(game, CONTEST_STATES), game.move_list(), stream(0)
    found = np.zeros((len(seeds), 2 * seats), np.int32)
    for row, seed in enumerate(seeds):
        if play(states, moves, numbers, weights, found[row], dice, seats, who, seed) < 0:
            raise GameError(f"the game {seed} of {game.name} does not end")
    return found[:, :seats], found[:, seats:]


def train(run: Training, tell: Callable[[Progress], None], every: int = 20) -> Any:
    """Learn to the end; every so many rounds, and at the end, `tell` gets a point of the curve. What was learned."""
    for number, progress in enumerate(run.rounds(), 1):
        if number % every == 0 or run.done >= run.games:
            point = Progress(run.done, progress.error, points_of(run.game, run.learned))
            run.curve.append(point)
            tell(point)
    return run.learned
