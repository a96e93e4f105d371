"""`thorp replay FILE`: an exported match told move by move, and its digest checked."""

from __future__ import annotations

import sys
from pathlib import Path

from thorp.core.columns import padded, width
from thorp.core.commands import NO_INPUT
from thorp.core.errors import GameError, Told, message_of
from thorp.core.language import turn_to
from thorp.core.match import AnyMatch, Match
from thorp.core.words import Message, Seat, say


def replay(file: Path, quiet: bool) -> int:
    """Print the moves and the result; 0 where the file is sound."""
    match = load(file)
    turn_to(match.game.words)
    if not quiet:
        for ply, step in enumerate(match.steps()):
            # the file holds all secrets: everything is told as its player knows it
            print(f"{ply:5}  {say(match.game.face.tell(step.before, step.seat, step.move, step.seat))}")
            for followed in match.game.face.follows(step.before, step.after, step.seat):
                print(f"         {say(followed)}")
        print()
    print_result(match)
    sound = {"n": match.ply, "digest": match.digest()}
    print(say(Message("{n} moves, digest {digest}: the file is sound.", sound)))
    return 0


def load(file: Path) -> AnyMatch:
    """The match of an export; `-` is standard input. Raises GameError where there is none."""
    if str(file) == "-" and sys.stdin is None:
        raise Told(NO_INPUT)
    try:
        text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise Told("{file} cannot be read: {error}", file=file, error=error.strerror) from error
    try:
        return Match.load(text)
    except GameError as error:
        raise Told("{file}: {reason}", file=file, reason=message_of(error)) from error


def seat_name(seat: int) -> str:
    """What a seat is called where nobody with a name sits."""
    return say(Message("{seat}", {"seat": Seat(seat)}))


def print_result(match: AnyMatch, names: tuple[str, ...] = ()) -> None:
    """The score sheet as a table."""
    sheet, rival = match.sheet(), match.game.face.rival(match.state)
    heads = [names[seat] if seat < len(names) else seat_name(seat) for seat in range(match.seats)]
    beside: tuple[int | str, ...] = (*rival.points, rival.total, "") if rival else ("",) * (len(sheet.rows) + 2)
    heads += [say(rival.name)] if rival else []
    column = max(8, *(width(head) + 2 for head in heads))
    label_column = max(width(say(row.label, names)) for row in sheet.rows) + 2
    print(" " * label_column + "".join(" " * (column - width(head)) + head for head in heads))
    lines = [(say(row.label, names), row.points) for row in sheet.rows]
    lines += [(say(Message("Total")), sheet.totals), (say(Message("Place")), sheet.standings)]
    for (label, numbers), more in zip(lines, beside, strict=True):
        cells = "".join(str(number).rjust(column) for number in (*numbers, more))
        print(f"{padded(label, label_column)}{cells}".rstrip())
    for remark in sheet.remarks:
        print(say(remark, names))
