"""What is learned for one table's game: it is played in several ways to learn, and the best of them goes on.

That takes some twenty seconds of processor time, and up to 45 at large tables. It is kept in a file of the cache:
for the same cards it is learned once.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from thorp.compiling.disk import cache_root
from thorp.core.chance import SEED_BITS, stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states, put_state
from thorp.core.match import AnyMatch
from thorp.core.ntuples import NTuples
from thorp.players.episodes import BEGIN, ENDLESS, STATES, learn_game, path_size

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Way:
    """A way to learn."""

    #: What a game may bring beyond what is learned of it, in parts of what the net hopes for.
    hope: float
    #: How far a position learns from the end of its game (1), not from the next one (0).
    far: float
    #: The least share of a step that a weight takes.
    least: float
    #: In so many games at first (half as many with others), so many of a hundred decisions are taken by
    #: `evaluate`: it shows what a game is about, where games by chance would never come to it.
    guided: int
    share: int


#: No way is the best for all cards.
WAYS = (
    _Way(1 / 3, 0.2, 0.1, 300, 100),
    _Way(1 / 3, 0.5, 0.1, 300, 100),
    _Way(2 / 3, 0.5, 0.1, 1500, 20),
    _Way(1, 0.5, 0.1, 1000, 50),
    _Way(4 / 3, 0.5, 0.1, 1000, 30),
    _Way(2, 0.2, 0.1, 0, 0),
)
#: So many of them, the best so far, go through each round, and learn from so many games there; from half as many where
#: others sit at the table, whose moves take longer than those of who learns.
ROUNDS = ((len(WAYS), 3000), (2, 3000), (1, 6000))
#: A way is as good as the last third of its games.
_JUDGED = 3
#: Games between two looks whether it is to stop.
_AT_ONCE = 50
#: So many lessons are kept on disk, those used last, and so many in a process.
ON_DISK = 100
IN_MEMORY = 4
#: Nobody is still about to write a file that is older than so many seconds.
_PART_SECONDS = 3600.0


@dataclass
class _Pupil:
    """One way to learn, and what was learned by it."""

    way: _Way
    weights: Any
    memory: Any
    how: Any
    dice: Any
    games: int = 0
    points: list[float] = field(default_factory=list)


class Lesson:
    """Learning to play a game as it lies on a table, from a seed: the same seed learns the same."""

    def __init__(self, game: AnyGame, beginning: Any, seats: int, seed: int = 1) -> None:
        """`beginning`: a state in which nobody has decided anything yet. Raises GameError for a game without tables."""
        if not isinstance(game.net, NTuples):
            raise GameError(f"{game.name} has nothing that is learned at a table")
        self.game, self.net, self.seats, self.seed = game, game.net, seats, seed
        self._states, self._moves = make_states(game, STATES), game.move_list()
        put_state(self._states, BEGIN, beginning)
        self._path = np.zeros(path_size(self.net.times), np.float32)
        self.stopped = False
        #: What all ways have come to, in points a seat; the best goes on.
        self.tried: list[float] = []
        #: What the best came to in the end.
        self.points = 0.0
        #: So many games have been played.
        self.done = 0

    @property
    def games(self) -> int:
        """How many games the whole lesson has."""
        return sum(ways * self._count(games) for ways, games in ROUNDS)

    def stop(self) -> None:
        """End it soon: `learn` then says None. May be called from another thread."""
        self.stopped = True

    def learn(self, tell: Callable[[], None] = lambda: None) -> Any:
        """Try all ways, go on with the best one, and say what it has learned; None where it was stopped.

        `tell` is called now and then.
        """
        pupils = [self._begin(way) for way in WAYS]
        for ways, games in ROUNDS:
            pupils = sorted(pupils, key=_mark, reverse=True)[:ways]
            for pupil in pupils:
                if not self._play(pupil, self._count(games), tell):
                    return None
            self.tried = self.tried or [_mark(pupil) for pupil in pupils]
        self.points = _mark(pupils[0])
        return pupils[0].weights[self.net.first :]

    def _begin(self, way: _Way) -> _Pupil:
        row = self.net.hopeful_row(way.hope * self.net.hope)
        memory = np.zeros(2 * self.net.learned, np.float32)
        return _Pupil(way, row, memory, np.array([way.far, way.least], np.float32), stream(self.seed))

    def _count(self, games: int) -> int:
        return games if self.seats == 1 else -(-games // 2)

    def _play(self, pupil: _Pupil, games: int, tell: Callable[[], None]) -> bool:
        """Learn from so many games more; whether it was not stopped."""
        learn = learn_game.of(self.game)
        for number in range(games):
            if number % _AT_ONCE == 0:
                tell()
                if self.stopped:
                    return False
            seed = (self.seed * 0x9E37_79B9_7F4A_7C15 + pupil.games) % (1 << SEED_BITS)
            guided = pupil.way.share if pupil.games < self._count(pupil.way.guided) else 0
            points = learn(
                *(self._states, self._moves, pupil.weights, pupil.memory, self._path, pupil.how, pupil.dice),
                *(self.seats, self.net.first, guided, self.net.strangers, seed),
            )
            if points == ENDLESS:
                raise GameError(f"a game of {self.game.name} does not end")
            pupil.games += 1
            self.done += 1
            pupil.points.append(points)
        return True


def _mark(pupil: _Pupil) -> float:
    last = pupil.points[-max(1, len(pupil.points) // _JUDGED) :]
    return sum(last) / max(1, len(last))


# --- what was learned, by what it holds for -------------------------------------------------------------------


def key_of(game: AnyGame, state: Any, seats: int) -> str:
    """What a lesson is known by: the game and its rules, and all in a state that says which games it holds for."""
    assert isinstance(game.net, NTuples)
    record = game.plain(state)
    told = [*_taught_by(game), seats, *(_told(getattr(record, name)) for name in game.net.holds_for)]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:24]


def lesson_digest(game: AnyGame) -> str:
    """What lessons of a game are known by, whatever the table."""
    return hashlib.sha256(repr(_taught_by(game)).encode()).hexdigest()[:12]


def _taught_by(game: AnyGame) -> list[Any]:
    assert isinstance(game.net, NTuples)
    return [game.id, game.rules_version, game.net.digest, WAYS, ROUNDS, game.net.strangers]


def _told(value: Any) -> Any:
    return list(value) if isinstance(value, (list, tuple)) else int(value)


def _folder() -> Path:
    return cache_root() / "lessons"


def _file(game: AnyGame, key: str) -> Path:
    return _folder() / f"{game.id}-{key}.npz"


def beginning_of(match: AnyMatch) -> Any:
    """How a match began, as who sits at no seat may know it."""
    game = match.game
    state = game.state()
    game.deal(state, match.seats, game.option_list(match.options), match.seed)
    game.determinize(state, -1, 0)
    return state


class _Kept:
    """What was learned, as this process has read it."""

    def __init__(self) -> None:
        self.rows: OrderedDict[str, Any] = OrderedDict()
        self._lock = Lock()

    def put(self, key: str, learned: Any) -> Any:
        with self._lock:
            self.rows[key] = learned
            self.rows.move_to_end(key)
            while len(self.rows) > IN_MEMORY:
                self.rows.popitem(last=False)
        return learned

    def find(self, key: str) -> Any:
        with self._lock:
            if key in self.rows:
                self.rows.move_to_end(key)
            return self.rows.get(key)


_kept = _Kept()


def is_learned_at_tables(game: AnyGame) -> bool:
    """Whether a game is learned table by table."""
    return isinstance(game.net, NTuples)


def is_known(game: AnyGame, state: Any, seats: int) -> bool:
    """Whether what holds for this game was learned and can be read, or there is nothing that could be learned."""
    if not isinstance(game.net, NTuples):
        return True
    # what only this process has is no help to others
    is_there = os.access(_file(game, key_of(game, state, seats)), os.R_OK)
    return is_there and known(game, state, seats) is not None


def known(game: AnyGame, state: Any, seats: int) -> Any:
    """What was learned for the game in a state; None where nothing was, or its file is damaged or cannot be read."""
    if not isinstance(game.net, NTuples):
        return None
    key = key_of(game, state, seats)
    file = _file(game, key)
    if (row := _kept.find(key)) is not None:
        _used(file)
        return row
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        # that may pass, and the file be whole
        log.warning("what was learned for %s cannot be read: %s", game.name, error)
        return None
    try:
        with np.load(BytesIO(raw), allow_pickle=False) as told:
            learned, digest = np.asarray(told["learned"], np.float32), str(told["digest"])
    except Exception as error:
        log.warning("what was learned for %s cannot be read (%s): it is learned anew", game.name, type(error).__name__)
        _take_away(file)
        return None
    if learned.size != game.net.learned or digest != hashlib.sha256(learned.tobytes()).hexdigest():
        log.warning("what was learned for %s is damaged: it is learned anew", game.name)
        _take_away(file)
        return None
    _used(file)
    return _kept.put(key, learned)


def known_or_learned(
    game: AnyGame, beginning: Any, seats: int, tell: Callable[[int, int], None] = lambda done, games: None
) -> Any:
    """What is known for a game, or is learned now and kept; None for one that is not learned at tables.

    `tell(done, games)` is called now and then while it is learned.
    """
    if not is_learned_at_tables(game):
        return None
    learned = known(game, beginning, seats)
    if learned is None:
        lesson = Lesson(game, beginning, seats)
        learned = lesson.learn(lambda: tell(lesson.done, lesson.games))
        keep(game, beginning, seats, learned)
    return learned


def learn_for(match: AnyMatch, tell: Callable[[int, int], None] = lambda done, games: None) -> None:
    """Learn for the table of a match, where its game is learned table by table: players that go by it find it then.

    That takes half a minute, and nothing where it was learned before; it is kept in the cache. `tell(done, games)` is
    called now and then.
    """
    known_or_learned(match.game, beginning_of(match), match.seats, tell)


@lru_cache(maxsize=1000)
def _say_missing(game: AnyGame, key: str) -> None:
    log.warning(
        "nothing was learned for this table of %s, and players are weaker without: thorp.players.learn_for(match) "
        "learns it in half a minute",
        game.name,
    )


def say_where_missing(match: AnyMatch) -> None:
    """Warn, once for each table, where a game that is learned table by table was not learned for that of a match."""
    if is_learned_at_tables(match.game) and known(match.game, match.state, match.seats) is None:
        _say_missing(match.game, key_of(match.game, match.state, match.seats))


def keep(game: AnyGame, state: Any, seats: int, learned: Any) -> None:
    """Keep what was learned, in this process and, as far as there is a place, on disk."""
    key = key_of(game, state, seats)
    _kept.put(key, learned)
    file = _file(game, key)
    part = file.with_name(f".{file.stem}.{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as out:
            np.savez_compressed(out, learned=learned, digest=np.array(hashlib.sha256(learned.tobytes()).hexdigest()))
        part.replace(file)
        _make_room(file.parent)
    except OSError as error:
        log.warning("what was learned for %s cannot be kept: %s", game.name, error)
        _take_away(part)


def _take_away(file: Path) -> None:
    with suppress(OSError):
        file.unlink(missing_ok=True)


def _used(file: Path) -> None:
    with suppress(OSError):
        os.utime(file)


def _make_room(folder: Path) -> None:
    now = time.time()
    for part in folder.glob(".*.part"):
        # of a process that was killed in the middle of it
        with suppress(FileNotFoundError):
            if now - part.stat().st_mtime > _PART_SECONDS:
                part.unlink()
    used = []
    for file in folder.glob("*.npz"):
        # another process makes room, too
        with suppress(FileNotFoundError):
            used.append((file.stat().st_mtime, file))
    for _, file in sorted(used, reverse=True)[ON_DISK:]:
        file.unlink(missing_ok=True)
