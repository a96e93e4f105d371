"""The results of a contest, in a file to which a line is added with every deal that is finished.

A line is a deal: one lineup, one seed, played with every seating. It is written as a whole and brought to the disk at
once, so that whoever is killed loses at most what was being played. A line that broke off is no result: the deal is
played again. A deal counts once, however often it stands there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thorp.arena.lineups import Lineup
from thorp.arena.tables import Outcome
from thorp.core.errors import GameError

#: The file, in the folder of a contest.
FILE = "results.jsonl"
#: Of the lines in it.
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Deal:
    """A deal that was played, with every seating of the lineup in turn."""

    lineup: Lineup
    seed: int
    games: tuple[Outcome, ...]


class Results:
    """What has been played of a contest; the file is made with the first line."""

    def __init__(self, folder: Path) -> None:
        """Read what is there. Raises GameError where the file cannot be read or holds something else."""
        self.path = folder / FILE
        #: What was played: see `agree`. None where nothing is there yet.
        self.about: dict[str, Any] | None = None
        #: Every player that took part, and what it is.
        self.players: dict[str, str] = {}
        self._deals: dict[tuple[Lineup, int], Deal] = {}
        self._torn = False
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise GameError(f"{self.path} cannot be read: {error.strerror}") from error
        self._torn = bool(text) and not text.endswith(b"\n")
        for number, line in enumerate(text.split(b"\n"), 1):
            try:
                self._read(line)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError):
                raise GameError(
                    f"{self.path}: line {number} is damaged; take it out, and its deal is played again"
                ) from None
        if text and self.about is None:
            raise GameError(f"{self.path} holds no results of a contest; name another folder with --out")

    def agree(self, about: Mapping[str, Any], players: Mapping[str, str]) -> None:
        """Say what is going to be played. Raises GameError where the results that are there are of something else."""
        wanted = {"format": FORMAT_VERSION, **about}
        if self.about is None:
            self._write({"about": wanted})
            self.about = wanted
        for name in sorted({*wanted, *self.about}):
            if self.about.get(name) != wanted.get(name):
                raise GameError(
                    f"{self.path} has results with {name} {self.about.get(name)}, not {wanted.get(name)}; "
                    "name another folder with --out"
                )
        for name, given in players.items():
            if self.players.get(name, given) != given:
                raise GameError(
                    f"in {self.path} {name} is {self.players[name]!r}, not {given!r}; give it another name, or name "
                    "another folder with --out"
                )
            if name not in self.players:
                self._write({"player": name, "given": given})
                self.players[name] = given

    def add(self, deals: Iterable[Deal]) -> list[Deal]:
        """Add deals, and bring them to the disk; those that were not there already, which are left out."""
        new = [deal for deal in deals if (deal.lineup, deal.seed) not in self._deals]
        for deal in new:
            self._deals[deal.lineup, deal.seed] = deal
        self._write(
            *(
                {"lineup": deal.lineup.players, "seed": deal.seed, "games": [_line(game) for game in deal.games]}
                for deal in new
            )
        )
        return new

    def has(self, lineup: Lineup, seed: int) -> bool:
        """Whether a deal has been played."""
        return (lineup, seed) in self._deals

    def get(self, lineup: Lineup, seed: int) -> Deal:
        """A deal that has been played."""
        return self._deals[lineup, seed]

    @property
    def lineups(self) -> tuple[Lineup, ...]:
        """All that have results, in the order in which they came."""
        return tuple(dict.fromkeys(lineup for lineup, _ in self._deals))

    def in_a_row(self, lineup: Lineup, first: int) -> list[Deal]:
        """The deals of a lineup from the first seed on, as far as none is missing."""
        found: list[Deal] = []
        while self.has(lineup, first + len(found)):
            found.append(self.get(lineup, first + len(found)))
        return found

    def _write(self, *lines: Mapping[str, Any]) -> None:
        """Add lines in one piece."""
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
            self.about = data.get("about")
        elif "player" in data:
            self.players[data["player"]] = data["given"]
        elif "lineup" in data:
            lineup = Lineup(tuple(data["lineup"]))
            games = tuple(_outcome(game) for game in data["games"])
            self._deals.setdefault((lineup, data["seed"]), Deal(lineup, data["seed"], games))


def _line(game: Outcome) -> dict[str, Any]:
    return {name: value for name, value in asdict(game).items() if value is not None}


def _outcome(data: dict[str, Any]) -> Outcome:
    lost: Sequence[Any] | None = data.get("lost")
    return Outcome(**{"rounds": None, **data, "lost": (lost[0], lost[1]) if lost else None})
