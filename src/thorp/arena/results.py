"""The results of a contest, in a file to which a line is added with every deal that is finished.

A line is a deal: one lineup, one seed, played with every seating. It is written as a whole and brought to the disk at
once, so that whoever is killed loses at most what was being played. A line that broke off is no result: the deal is
played again. A deal counts once, however often it stands there, and from whichever player on its table is named.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from thorp.arena.entrants import parted
from thorp.arena.lineups import Lineup
from thorp.arena.tables import Outcome, standings_without
from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError

#: The file, in the folder of a contest.
FILE = "results.jsonl"
#: Of the lines in it.
FORMAT_VERSION = 1
#: What the first of them begins with.
_BEGINNING = b'{"about":'
#: No number in them is larger but seeds: reports have columns of 32 bits.
MOST = (1 << 31) - 1
#: The moves of a game, as `tables.moves_in` reads them.
_MOVES = re.compile(r"(\d{1,3}:\d{1,10} ?)*")


@dataclass(frozen=True)
class Deal:
    """A deal that was played, with every seating of the lineup in turn."""

    lineup: Lineup
    seed: int
    games: tuple[Outcome, ...]

    def named(self, lineup: Lineup) -> Deal:
        """The same deal where its table is named from another player on."""
        games = dict(zip(self.lineup.seatings, self.games, strict=True))
        return Deal(lineup, self.seed, tuple(games[seating] for seating in lineup.seatings))


class Results:
    """What has been played of a contest; the file is made with the first line."""

    def __init__(self, folder: Path) -> None:
        """Read what is there. Raises GameError where the file cannot be read or holds something else."""
        self.path = folder / FILE
        #: What was played: see `agree`. None where nothing is there yet.
        self.about: dict[str, Any] | None = None
        #: Every player that took part, and what it is.
        self.players: dict[str, str] = {}
        #: By the table, from whichever player it is named, and the seed.
        self._deals: dict[tuple[Lineup, int], Deal] = {}
        self._torn = False
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise GameError(f"{self.path} cannot be read: {error.strerror}") from error
        self._torn = bool(text) and not text.endswith(b"\n")
        lines = text.split(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                self._read(line)
            except GameError:
                raise
            except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError):
                then = (
                    "; take it out, and its deal is played again"
                    if self.about
                    else ", or of another version of Thorp; name another folder with --out"
                )
                raise GameError(f"{self.path}: line {number} is damaged{then}") from None
        # where nothing but the first line broke off nothing is there yet
        if self.about is None and any(line[: len(_BEGINNING)] != _BEGINNING[: len(line)] for line in lines):
            raise GameError(f"{self.path} holds no results of a contest; name another folder with --out")

    def agree(self, about: Mapping[str, Any], players: Mapping[str, str]) -> None:
        """Say what is going to be played. Raises GameError where the results that are there are of something else."""
        wanted = {"format": FORMAT_VERSION, **about}
        known = self.about or wanted
        for name in sorted({*wanted, *known}):
            if known.get(name) != wanted.get(name):
                raise GameError(
                    f"{self.path} has results with {name} {known.get(name)}, not {wanted.get(name)}; "
                    "name another folder with --out"
                )
        new = {name: given for name, given in players.items() if self._is_new(name, given)}
        begun = [] if self.about else [{"about": wanted}]
        self._write(*begun, *({"player": name, "given": given} for name, given in new.items()))
        self.about = known
        self.players |= new

    def _is_new(self, name: str, given: str) -> bool:
        """Whether more is to be known of a player than what stands there. Raises GameError where it is another one.

        Of whom the code was or is not found it is not told whether that has changed.
        """
        if name not in self.players:
            return True
        (before, old), (now, code) = parted(self.players[name]), parted(given)
        if before != now:
            raise GameError(
                f"in {self.path} {name} is {self.players[name]!r}, not {given!r}; give it another name, or name "
                "another folder with --out"
            )
        if old and code and old != code:
            raise GameError(
                f"{name} ({now}) has changed since it played what is in {self.path}; name another folder with --out, "
                "or give it another name"
            )
        return bool(code and not old)

    def add(self, deals: Iterable[Deal]) -> list[Deal]:
        """Add deals, and bring them to the disk; those that were not there already, which are left out."""
        new = [deal for deal in deals if not self.has(deal.lineup, deal.seed)]
        for deal in new:
            self._keep(deal)
        self._write(
            *(
                {"lineup": deal.lineup.players, "seed": deal.seed, "games": [_line(game) for game in deal.games]}
                for deal in new
            )
        )
        return new

    def has(self, lineup: Lineup, seed: int) -> bool:
        """Whether a deal has been played."""
        return (lineup.turned, seed) in self._deals

    def get(self, lineup: Lineup, seed: int) -> Deal:
        """A deal that has been played."""
        return self._deals[lineup.turned, seed].named(lineup)

    @property
    def lineups(self) -> tuple[Lineup, ...]:
        """All that have results, in the order in which they came, each as it was named first."""
        found: dict[Lineup, Lineup] = {}
        for (turned, _), deal in self._deals.items():
            found.setdefault(turned, deal.lineup)
        return tuple(found.values())

    def in_a_row(self, lineup: Lineup, first: int) -> list[Deal]:
        """The deals of a lineup from the first seed on, as far as none is missing."""
        found: list[Deal] = []
        while self.has(lineup, first + len(found)):
            found.append(self.get(lineup, first + len(found)))
        return found

    def _keep(self, deal: Deal) -> None:
        self._deals.setdefault((deal.lineup.turned, deal.seed), deal)

    def _write(self, *lines: Mapping[str, Any]) -> None:
        """Add lines in one piece."""
        if not lines:
            return
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        if self._torn:
            text, self._torn = "\n" + text, False
        try:
            with self.path.open("ab") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise GameError(f"{self.path} cannot be written: {error.strerror}") from error

    def _read(self, line: bytes) -> None:
        try:
            data = json.loads(line)
        except ValueError:
            return  # broke off
        if not isinstance(data, dict):
            return
        if self.about is None:
            self.about = _about(data["about"]) if "about" in data else None
        elif data.get("about", self.about) != self.about:
            raise GameError(
                f"{self.path} has results of two contests, which were played into it at the same time: play them "
                "again, each in a folder of its own"
            )
        elif "player" in data:
            self.players[_text(data["player"])] = _text(data["given"])
        elif "lineup" in data:
            self._keep(_deal(data, self.about["seats"]))


def _line(game: Outcome) -> dict[str, Any]:
    return {name: value for name, value in asdict(game).items() if value is not None}


# --- what lines hold; whatever is not as it was written raises one of the errors that `Results` catches ------------


def _about(data: dict[str, Any]) -> dict[str, Any]:
    _whole(data["format"], FORMAT_VERSION, FORMAT_VERSION)
    _whole(data["rules"], 0, MOST)
    _whole(data["seats"], 1, MOST)
    _seed(data["seed"])
    for text in (data["game"], data["thorp"], *data["options"].values()):
        _text(text)
    return data


def _deal(data: dict[str, Any], seats: int) -> Deal:
    lineup = Lineup(tuple(map(_text, _row(data["lineup"], seats))))
    games = _row(data["games"], len(lineup.seatings))
    outcomes = tuple(_outcome(game, seating) for game, seating in zip(games, lineup.seatings, strict=True))
    return Deal(lineup, _seed(data["seed"]), outcomes)


def _outcome(data: dict[str, Any], seating: tuple[str, ...]) -> Outcome:
    seats = len(seating)
    for number in (*_row(data["scores"], seats), data["choices"], data.get("rounds", 0)):
        _whole(number, -MOST, MOST)
    for place in _row(data["standings"], seats):
        _whole(place, 1, max(2, seats))
    _whole(data["leader"], -1, seats - 1)
    for asked in _row(data.get("asked", [0] * seats), seats):
        _whole(asked, 0, MOST)
    for name in ("seconds", "longest"):
        for time in _row(data.get(name, [0] * seats), seats):
            if type(time) not in (int, float) or not 0 <= time <= MOST:
                raise ValueError(name)
    if not _MOVES.fullmatch(_text(data.get("moves", ""))):
        raise ValueError("moves")
    lost = (_whole(data["lost"][0], 0, seats - 1), _text(data["lost"][1])) if "lost" in data else None
    found = Outcome(**{"rounds": None, **data, "lost": lost})
    # other seats of who lost shared the win where that was written once
    return replace(found, standings=standings_without(lost[0], seating)) if lost else found


def _seed(value: Any) -> int:
    return _whole(value, 0, (1 << SEED_BITS) - 1)


def _whole(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(value)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _row(value: Any, length: int | None = None) -> list[Any]:
    """A list, of one entry at least, or of so many."""
    if not isinstance(value, list) or not value or (length is not None and len(value) != length):
        raise ValueError(value)
    return value
