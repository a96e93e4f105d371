"""How a person set up a game the last time, as fields of the form of a new table."""

from __future__ import annotations

from thorp.core.game import AnyGame
from thorp.server.tables.clocks import BOT, WAIT
from thorp.server.tables.store import Company, SeatRow
from thorp.server.web.clock_shown import clock_words

#: Who may sit at a seat besides bots: the visitor, somebody at the same device, and whoever follows the table's link.
ME, HERE, BY_LINK = "me", "here", "link"
#: What can be chosen about hints, and how a table has it.
HINTS = {"usual": None, "yes": True, "no": False}


def fields_of(game: AnyGame, company: Company, person: str) -> dict[str, str]:
    """The form that would make such a table again, as far as a form can: a file of one's own has to be chosen anew."""
    if not any(person in (seat.person, seat.away) for seat in company.seats):
        # a match from a file, or a table that was made for others
        return {}
    table = company.table
    clock, waits = clock_words(table.clock) or ("none", False)
    players = _players(company, person)
    people = sum(player in (ME, HERE, BY_LINK) for player in players.values())
    usual = "usual" if table.forced == (people < 2) else "yes" if table.forced else "no"
    options = {
        option.id: value
        for option in game.options
        if (value := table.options.get(option.id)) in option.values and table.seats in option.seats
    }
    return {
        "seats": str(table.seats),
        "forced": usual,
        "hints": next(choice for choice, given in HINTS.items() if given == table.hints),
        "watchable": "yes" if table.watchable else "no",
        "listed": "yes" if table.listed else "no",
        "clock": clock or "none",
        "late": WAIT if waits else BOT,
        **{f"seat.{seat}": player for seat, player in players.items()},
        **{f"name.{seat.seat}": seat.name for seat in company.seats if players[seat.seat] == HERE},
        **{f"option.{id}": value for id, value in options.items()},
        "preset": next((name for name, sets in game.presets.items() if sets.items() <= options.items()), ""),
    }


def _players(company: Company, person: str) -> dict[int, str]:
    """Who sits where, as the form says it: one's first seat is one's own, the others are at the same device."""
    players: dict[int, str] = {}
    for seat in company.seats:
        if person in (seat.person, seat.away):
            players[seat.seat] = HERE if ME in players.values() else ME
        else:
            players[seat.seat] = BY_LINK if _is_for_people(seat) else str(seat.bot)
    return players


def _is_for_people(seat: SeatRow) -> bool:
    return seat.bot is None or seat.away is not None
