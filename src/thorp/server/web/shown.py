"""What a viewer is shown of a table: the context of its template. Only here do secrets meet the pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from thorp.server.tables.story import Line
from thorp.server.tables.table import Table
from thorp.server.web import markup


@dataclass(frozen=True)
class Named:
    """A game, as templates name it."""

    id: str
    name: str


@dataclass(frozen=True)
class SeatShown:
    """A seat and who sits there."""

    number: int
    name: str
    kind: str
    level: str
    you: bool
    waiting: bool


@dataclass(frozen=True)
class OptionShown:
    """An option of the table, and what was chosen."""

    id: str
    label: str
    value: str
    words: str


@dataclass(frozen=True)
class TableShown:
    """A table, without the match itself."""

    id: str
    game: Named
    seats: tuple[SeatShown, ...]
    mine: int | None
    counter: int
    version: int
    can_take_back: bool
    over: bool
    options: tuple[OptionShown, ...]
    commitment: str
    seed: int | None
    salt: str | None
    next_table: str | None


@dataclass(frozen=True)
class Offer:
    """A legal move of the viewer."""

    move: int
    label: str
    steps: tuple[str, ...]
    family: str


@dataclass(frozen=True)
class LogLine:
    """A line of the log, in words for the viewer."""

    ply: int
    seat: int
    text: Markup
    #: What else happened with it.
    followed: tuple[Markup, ...]
    round: int | None
    forced: bool
    fresh: bool
    #: The family of the move; "" where the viewer may not know the move.
    family: str


@dataclass(frozen=True)
class FreshMove:
    """A move that another seat made since the viewer's own last one; a secret one has no family."""

    seat: int
    family: str
    arguments: Mapping[str, int]


def show(table: Table, seat: int | None) -> dict[str, Any]:
    """The context of the table's template for a seat, or for a spectator (None)."""
    if seat not in table.shown:
        table.shown[seat] = _context(table, seat)
    return table.shown[seat]  # type: ignore[no-any-return]


def _context(table: Table, seat: int | None) -> dict[str, Any]:
    match = table.match
    over = match.over
    log, fresh = _log(table, seat)
    return {
        "table": _table(table, seat),
        "names": table.names,
        "view": match.view(seat),
        "prompt": markup.html(match.prompt(seat), table.names),
        "offers": _offers(table, seat),
        "log": log,
        "fresh": fresh,
        "sheet": match.sheet() if over else None,
        "course": table.story.course(match.scores) if over else (),
        "game_template": f"{table.game.id}/table.html",
        "round_word": table.game.round_word,
        **table.game.face.tools,
    }


def _table(table: Table, seat: int | None) -> TableShown:
    row, match = table.row, table.match
    over = match.over
    waiting = match.waiting
    return TableShown(
        id=row.id,
        game=Named(table.game.id, table.game.name),
        seats=tuple(
            SeatShown(
                number=other.seat,
                name=other.name,
                kind="person" if other.bot is None else "bot",
                level=other.bot or "",
                you=other.seat == seat,
                waiting=other.seat in waiting,
            )
            for other in table.seats
        ),
        mine=seat,
        counter=0 if seat is None else table.counters[seat],
        version=table.version,
        can_take_back=seat is not None and table.can_take_back(seat),
        over=over,
        options=tuple(
            OptionShown(
                option.id,
                option.label,
                match.options[option.id],
                option.label_of(match.options[option.id]),
            )
            for option in table.game.options
        ),
        commitment=row.commitment,
        # The whole match follows from the seed: coming cards, and what others hide.
        seed=row.seed if over else None,
        salt=row.salt if over else None,
        next_table=row.next_table,
    )


def _offers(table: Table, seat: int | None) -> tuple[Offer, ...]:
    if seat is None:
        return ()
    face, state = table.game.face, table.match.state
    return tuple(
        Offer(
            move,
            markup.plain(face.offer(state, seat, move), table.names),
            face.steps(state, seat, move),
            table.game.moves.decode(move).family,
        )
        for move in table.match.legal(seat)
    )


def _said(table: Table, line: Line, seat: int | None) -> tuple[Markup, tuple[Markup, ...]]:
    """A line of the story in words, and what followed from it: rendered once."""
    if (line, seat) not in table.said:
        text = markup.html(line.tell(seat), table.names)
        table.said[line, seat] = text, tuple(markup.html(each, table.names) for each in line.what_followed(seat))
    return table.said[line, seat]  # type: ignore[no-any-return]


def _log(table: Table, seat: int | None) -> tuple[tuple[LogLine, ...], tuple[FreshMove, ...]]:
    lines = table.story.lines
    mine = [line.ply for line in lines if line.seat == seat and not line.forced]
    # A spectator makes no moves: the last one is fresh for it.
    last = mine[-1] if mine else -1 if seat is not None else len(lines) - 2
    shown = tuple(
        LogLine(
            line.ply,
            line.seat,
            *_said(table, line, seat),
            line.round,
            # of another seat it would tell that nothing could be built, a secret card included
            line.forced and line.seat == seat,
            line.ply > last and line.seat != seat,
            line.family if line.is_open(seat) else "",
        )
        for line in lines
    )
    fresh = tuple(
        FreshMove(line.seat, line.family, line.arguments) if line.is_open(seat) else FreshMove(line.seat, "", {})
        for line, entry in zip(lines, shown, strict=True)
        if entry.fresh
    )
    return shown, fresh
