"""The rows of the latest rounds of a run, to be learned from again.

Rows of one round alone are of few games, and positions of a game are alike: who learns from those only learns what
these games had in common. What was played by earlier forms of the net, and by the greedy player, steadies what is
learned.

Source: Lin, "Self-improving reactive agents based on reinforcement learning, planning and teaching", Machine Learning
8, 1992 (experience replay).
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from thorp.core.weights import WeightsError

#: Rows of a round of positions, at most; it is a little more or less that is played.
ROWS = 4096
#: Rounds that are learned from.
KEPT = 256
#: Rounds that may be written since a run was saved without that run losing any it learns from.
_SPARE = 64
#: Half the room of other numbers. Points are good to an eighth, to 256 of them, which their chance hides by far.
_NUMBER = np.dtype("<f2")


class Replay:
    """Rows of so many numbers, of the latest rounds."""

    def __init__(self, width: int, rows: int = ROWS) -> None:
        """`rows`: of a round, at most."""
        self._rows = np.zeros((KEPT + _SPARE, rows, width), _NUMBER)
        self._sizes = np.zeros(KEPT + _SPARE, np.int64)
        #: What no other rows have, of each round.
        self._seals = np.zeros(KEPT + _SPARE, np.int64)
        self._rounds = self._saved = 0
        #: The file that has all that was saved.
        self._file: Path | None = None

    def __len__(self) -> int:
        """How many rows are learned from."""
        return int(self._sizes[self._places()].sum())

    def add(self, rows: Any) -> None:
        """Keep the rows of a round, in place of the oldest; of more than there is room for, the first."""
        at = self._rounds % len(self._rows)
        size = min(len(rows), self._rows.shape[1])
        self._rows[at, :size] = rows[:size]
        self._sizes[at] = size
        self._seals[at] = self._seal(at)
        self._rounds += 1

    def sample(self, count: int, luck: np.random.Generator) -> Any:
        """So many rows, each any of those that are kept: float16 [count, width]."""
        places = self._places()
        ends = np.cumsum(self._sizes[places])
        drawn = luck.integers(0, ends[-1], count)
        place = np.searchsorted(ends, drawn, side="right")
        row = drawn - (ends - self._sizes[places])[place]
        return self._rows[places[place], row]

    def _places(self) -> Any:
        """Where the rounds lie that are learned from."""
        return np.arange(max(0, self._rounds - KEPT), self._rounds) % len(self._rows)

    # --- taking up again ------------------------------------------------------------------------------------------

    def save(self, path: Path) -> dict[str, Any]:
        """Write what is new into the file, all into one that is new, and give what is to be kept beside it.

        What was saved before can still be read while this is written.
        """
        known = path == self._file and path.exists()
        first = self._saved if known else 0
        with path.open("r+b" if known else "wb") as file:
            for number in range(max(first, self._rounds - len(self._rows)), self._rounds):
                at = number % len(self._rows)
                file.seek(at * self._rows[at].nbytes)
                file.write(self._rows[at].tobytes())
        self._saved, self._file = self._rounds, path
        return {"rounds": self._rounds, "sizes": self._sizes, "seals": self._seals}

    def load(self, path: Path, kept: Mapping[str, Any]) -> None:
        """Take up what was saved. Raises WeightsError where the file is not as it was then; else ValueError."""
        self._rounds = self._saved = int(kept["rounds"])
        self._file = path
        shape, most = self._sizes.shape, self._rows.shape[1]
        self._sizes, self._seals = np.array(kept["sizes"]), np.array(kept["seals"])
        if {self._sizes.shape, self._seals.shape} != {shape} or not ((self._sizes >= 0) & (self._sizes <= most)).all():
            raise ValueError("these are not the rounds that were saved")
        try:
            with path.open("rb") as file:
                for at in self._places():
                    file.seek(at * self._rows[at].nbytes)
                    raw = np.frombuffer(file.read(self._rows[at].nbytes), _NUMBER)
                    self._rows[at] = raw.reshape(self._rows[at].shape)
            intact = all(self._seal(at) == self._seals[at] for at in self._places())
        except (OSError, ValueError, IndexError):
            intact = False
        if not intact:
            raise WeightsError(f"{path.name}, the games of the run, is missing or damaged; begin another")

    def _seal(self, at: int) -> int:
        return zlib.crc32(self._rows[at].tobytes())
