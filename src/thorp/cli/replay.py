"""`thorp replay FILE`: an exported match told move by move, and its digest checked."""

from __future__ import annotations

import sys
from pathlib import Path

from thorp.core.errors import GameError
from thorp.core.match import AnyMatch, Match
from thorp.core.words import say


def replay(file: Path, quiet: bool) -> int:
    """Print the moves and the result; 0 where the file is sound."""
    try:
        text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise GameError(f"{file} cannot be read: {error.strerror}") from error
    try:
        match = Match.load(text)
    except GameError as error:
        raise GameError(f"{file}: {error}") from error
    if not quiet:
        past = match.at(0)
        for entry in match.log():
            # the file holds all secrets: everything is told as its player knows it
            print(f"{past.ply:5}  {say(match.game.face.tell(past.state, entry.seat, entry.move, entry.seat))}")
            past.play(entry.seat, entry.move)
        print()
    print_result(match)
    print(f"{match.ply} moves, digest {match.digest()}: the file is sound.")
    return 0


def print_result(match: AnyMatch, names: tuple[str, ...] = ()) -> None:
    """The score sheet as a table."""
    sheet, rival = match.sheet(), match.game.face.rival(match.state)
    heads = [names[seat] if seat < len(names) else f"Seat {seat + 1}" for seat in range(match.seats)]
    beside: tuple[int | str, ...] = (*rival.points, rival.total, "") if rival else ("",) * (len(sheet.rows) + 2)
    heads += [say(rival.name)] if rival else []
    width = max(8, *(len(head) + 2 for head in heads))
    label_width = max(len(say(row.label, names)) for row in sheet.rows) + 2
    print(" " * label_width + "".join(head.rjust(width) for head in heads))
    lines = [(say(row.label, names), row.points) for row in sheet.rows]
    lines += [("Total", sheet.totals), ("Place", sheet.standings)]
    for (label, numbers), more in zip(lines, beside, strict=True):
        cells = "".join(str(number).rjust(width) for number in (*numbers, more))
        print(f"{label.ljust(label_width)}{cells}".rstrip())
    for remark in sheet.remarks:
        print(say(remark, names))
