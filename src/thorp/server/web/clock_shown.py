"""Clocks as they are chosen and shown: of a clock that runs, when it runs out, whoever renders it when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from thorp.server.tables.clocks import BOT, CHOICES, WAIT, Clock
from thorp.server.tables.refusals import Illegal
from thorp.server.tables.table import Table
from thorp.server.web.naming import names_at


@dataclass(frozen=True)
class ClockShown:
    """The clock of a seat."""

    seat: int
    name: str
    you: bool
    #: When it runs out, where it runs; else None.
    deadline: datetime | None
    #: What is left where it stands, in seconds; None where that says nothing, as each move has its days.
    left: int | None
    out: bool


@dataclass(frozen=True)
class ClocksShown:
    """The clocks of a table."""

    #: Whether each move has its days.
    days: bool
    #: Seconds from which on little is left.
    low: int
    #: Whether a seat whose clock has run out waits.
    wait: bool
    seats: tuple[ClockShown, ...]


def show_clocks(table: Table, mine: tuple[int, ...]) -> ClocksShown | None:
    """The clocks of the people at a table; None where there are none, and when the match is over."""
    clock = Clock.of(table.row.clock)
    if clock is None or table.match.over or not table.clocks:
        return None
    names = names_at(table)
    seats = tuple(
        ClockShown(
            seat=each.seat,
            name=names[each.seat],
            you=each.seat in mine,
            deadline=each.deadline,
            left=None if each.since or clock.each else each.left // 1000,
            out=each.out,
        )
        for each in table.clocks
        if table.seats[each.seat].person is not None
    )
    low = clock.bank // 4 if clock.each else min(60, clock.bank // 10)
    return ClocksShown(clock.each, low, clock.then == WAIT, seats)


def clock_words(stored: Mapping[str, Any] | None) -> tuple[str, bool] | None:
    """Which of the choices the clock of a table is, and whether seats wait; None where there is none."""
    clock = Clock.of(stored)
    if clock is None:
        return None
    alike = (name for name, each in CHOICES.items() if each and replace(each, then=clock.then) == clock)
    return next(alike, ""), clock.then == WAIT


def chosen_clock(name: str, then: str) -> Clock | None:
    """The clock that a form has chosen. Raises Illegal where there is no such choice."""
    if name not in CHOICES or then not in (BOT, WAIT):
        raise Illegal("There is no such clock here. Choose one of those that the form offers.")
    clock = CHOICES[name]
    return clock and replace(clock, then=then)
