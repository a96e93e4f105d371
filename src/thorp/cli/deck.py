"""`thorp deck check FILE`: whether a deck file is sound, and what is in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import thorp
from thorp.core.game import GameError

Report = Callable[[bytes], tuple[Sequence[str], Sequence[str]]]


def check_file(file: Path, game: str = "") -> int:
    """Print what is in a deck, and give 0; or every fault with file, card and field, and give 1.

    The deck is for `game`, or for the game that takes decks. Raises GameError where there is none.
    """
    report = _report(game)
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise GameError(f"{file} cannot be read: {error.strerror}") from error
    summary, faults = report(data)
    for fault in faults:
        print(f"{file}: {fault}", file=sys.stderr)
    if faults:
        print(f"{len(faults)} fault{'s' * (len(faults) > 1)}: the deck cannot be used.", file=sys.stderr)
        return 1
    print("\n".join(summary))
    return 0


def _report(game: str) -> Report:
    for id in [game] if game else thorp.game_ids():
        for option in thorp.game(id).options:
            if option.id == "deck" and option.file and option.file.report:
                return option.file.report
    raise GameError(f"{game} takes no deck files" if game else "no game takes deck files")
