"""`thorp replay FILE`: an exported match told move by move, and its digest checked."""

from __future__ import annotations

import sys
from pathlib import Path

from thorp.core.errors import GameError
from thorp.core.language import turn_to
from thorp.core.match import AnyMatch, Match
from thorp.core.words import Message, Seat, say


def replay(file: Path, quiet: bool) -> int:
    """Print the moves and the result; 0 where the file is sound."""
    match = load(file)
    turn_to(match.game.words)
    if not quiet:
        past = match.at(0)
        for entry in match.log():
            # the file holds all secrets: everything is told as its player knows it
            print(f"{past.ply:5}  {say(match.game.face.tell(past.state, entry.seat, entry.move, entry.seat))}")
            past.play(entry.seat, entry.move)
        print()
    print_result(match)
    sound = {"n": match.ply, "digest": match.digest()}
    print(say(Message("{n} moves, digest {digest}: the file is sound.", sound)))
    return 0


def load(file: Path) -> AnyMatch:
    """The match of an export; `-` is standard input. Raises GameError where there is none."""
    try:
        text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise GameError(f"{file} cannot be read: {error.strerror}") from error
    try:
        return Match.load(text)
    except GameError as error:
        raise GameError(f"{file}: {error}") from error


def seat_name(seat: int) -> str:
    """What a seat is called where nobody with a name sits."""
    return say(Message("{seat}", {"seat": Seat(seat)}))


def print_result(match: AnyMatch, names: tuple[str, ...] = ()) -> None:
    """The score sheet as a table."""
    sheet, rival = match.sheet(), match.game.face.rival(match.state)
    heads = [names[seat] if seat < len(names) else seat_name(seat) for seat in range(match.seats)]
    beside: tuple[int | str, ...] = (*rival.points, rival.total, "") if rival else ("",) * (len(sheet.rows) + 2)
    heads += [say(rival.name)] if rival else []
    width = max(8, *(len(head) + 2 for head in heads))
    label_width = max(len(say(row.label, names)) for row in sheet.rows) + 2
    print(" " * label_width + "".join(head.rjust(width) for head in heads))
    lines = [(say(row.label, names), row.points) for row in sheet.rows]
    lines += [(say(Message("Total")), sheet.totals), (say(Message("Place")), sheet.standings)]
    for (label, numbers), more in zip(lines, beside, strict=True):
        cells = "".join(str(number).rjust(width) for number in (*numbers, more))
        print(f"{label.ljust(label_width)}{cells}".rstrip())
    for remark in sheet.remarks:
        print(say(remark, names))
