"""Who sits where: sitting down, leaving, giving seats to bots and back. Pure changes of a company, refused in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from thorp.server.tables.refusals import Forbidden, Illegal, Stale
from thorp.server.tables.store import Company, SeatRow

#: What bots are called, in the order of their seats; their level is shown beside it.
BOT_NAMES = ("Alder", "Birch", "Cedar", "Elm", "Hazel", "Linden", "Maple", "Rowan", "Willow", "Yew")

#: So long a seat waits for its person, after somebody else has given it to a bot, before it can be somebody else's.
WAITS = timedelta(minutes=10)

Change = Callable[[Company], Company]


def bot_name(seat: int) -> str:
    """What a bot at that seat is called."""
    return BOT_NAMES[(seat - 1) % len(BOT_NAMES)]


# --- while the table gathers ---------------------------------------------------------------------------------


def sit(number: int, person: str, name: str) -> Change:
    """A person takes a free seat, and leaves another one that it had. With the last seat the match begins."""

    def change(company: Company) -> Company:
        seat = _seat(company, number)
        if seat.person == person:
            # sent twice
            return company
        if company.table.started:
            raise Stale("The match has begun, so nobody can sit down any more. You can ask for the seat of a bot.")
        if not seat.free:
            raise Stale("Somebody else has taken this seat by now. Choose another one that is free.")
        if len(_seats_of(company, person)) > 1:
            raise Forbidden("Several people at your device have seats. Leave one of these first, or keep them.")
        seats = [_freed(each) if each.person == person else each for each in company.seats]
        seats[number] = SeatRow(number, person, None, name)
        return _begun_if_full(replace(company, seats=tuple(seats)))

    return change


def leave(person: str, level: str, number: int | None = None) -> Change:
    """A person leaves its seat: while the table gathers it is free again, later a bot keeps it for the person.

    `number`: which one, where it has several.
    """

    def change(company: Company) -> Company:
        mine = _seats_of(company, person)
        if number is None and len(mine) > 1 and not company.table.started:
            raise Illegal("Several people at your device have seats. Choose which of them leaves.")
        seat = next((seat for seat in mine if number in (None, seat.seat)), None)
        if seat is None:
            # sent twice
            return company
        if not company.table.started:
            return _with(company, _freed(seat))
        _require_running(company)
        _require_alone(company, person)
        return _with(company, _kept(seat, level))

    return change


def free(number: int, person: str) -> Change:
    """The opener makes a seat free, whoever sits there."""

    def change(company: Company) -> Company:
        _require_opener(company, person)
        seat = _seat(company, number)
        if company.table.started:
            raise Stale("The match has begun, so no seat can be free any more. You can let a bot play for who is away.")
        return _with(company, _freed(seat))

    return change


def give_to_bot(number: int, person: str, level: str, was_here: Callable[[str], bool]) -> Change:
    """The opener gives a seat to a bot: any seat while the table gathers, later that of a person who is not there.

    `was_here`: whether a person is at the table, or has been lately.
    """

    def change(company: Company) -> Company:
        _require_opener(company, person)
        seat = _seat(company, number)
        if not company.table.started:
            return _begun_if_full(_with(company, SeatRow(number, None, level, _bot_name(company, number))))
        _require_running(company)
        if seat.person is None:
            # sent twice
            return company
        if seat.person != person and was_here(seat.person):
            raise Forbidden(
                "Whoever sits there has this table open, or had it a minute ago, so no bot can take over. Ask them "
                "first."
            )
        _require_alone(company, seat.person)
        return _with(company, _kept(seat, level, None if seat.person == person else company.moment))

    return change


def start(person: str, level: str) -> Change:
    """The opener begins the match; bots take the seats that are free."""

    def change(company: Company) -> Company:
        _require_opener(company, person)
        if company.table.started:
            # sent twice, or somebody took the last seat meanwhile
            return company
        for seat in company.seats:
            if seat.free:
                company = _with(company, SeatRow(seat.seat, None, level, _bot_name(company, seat.seat)))
        return _begun_if_full(company)

    return change


# --- while the match runs ------------------------------------------------------------------------------------


def come_back(person: str) -> Change:
    """A person takes its seat back from the bot that kept it."""

    def change(company: Company) -> Company:
        if _seat_of(company, person):
            # sent twice
            return company
        seat = next((each for each in company.seats if each.away == person), None)
        if seat is None:
            raise Stale("No seat is kept for you at this table: the opener has given it to somebody else.")
        _require_running(company)
        return _with(company, SeatRow(seat.seat, person, None, seat.name, taken=seat.taken))

    return change


def ask(number: int, person: str, name: str) -> Change:
    """Somebody without a seat asks to take over that of a bot. The opener need not ask."""

    def change(company: Company) -> Company:
        seat = _seat(company, number)
        _require_running(company)
        if seat.person == person:
            # sent twice, and granted meanwhile
            return company
        if _seat_of(company, person):
            raise Forbidden("You have a seat at this table already, and nobody can play two.")
        if any(each.away == person for each in company.seats):
            raise Forbidden("A bot keeps a seat for you at this table: take that one back.")
        if not company.table.watchable and company.table.opener != person:
            raise Forbidden("Who has no seat at this table cannot look on, so you cannot ask for one either.")
        if seat.bot is None:
            raise Stale("A person plays this seat by now. Choose one of a bot.")
        _require_given_up(seat, person, company.moment)
        if company.table.opener == person:
            return _with(company, SeatRow(number, person, None, name, taken=True))
        if seat.asker not in (None, person):
            raise Stale("Somebody else has asked for this seat already. Choose another one, or wait for the answer.")
        seats = tuple(_unasked(each) if each.asker == person else each for each in company.seats)
        return _with(replace(company, seats=seats), replace(seat, asker=person, asker_name=name))

    return change


def answer(number: int, person: str, seating: int, *, yes: bool) -> Change:
    """The opener answers who has asked for a seat. `seating`: what the opener has seen of the seats."""

    def change(company: Company) -> Company:
        _require_opener(company, person)
        seat = _seat(company, number)
        _require_running(company)
        if seating != company.table.seating or seat.asker is None:
            raise Stale("The seats have changed since you saw them. Look who asks now, and answer again.")
        if yes:
            _require_given_up(seat, seat.asker, company.moment)
            return _with(company, SeatRow(number, seat.asker, None, seat.asker_name or "", taken=True))
        return _with(company, _unasked(seat))

    return change


# --- what they have in common --------------------------------------------------------------------------------


def _seat(company: Company, number: int) -> SeatRow:
    if number >= len(company.seats):
        raise Illegal("This table has no such seat. Choose one of those that are shown.")
    return company.seats[number]


def _seat_of(company: Company, person: str) -> SeatRow | None:
    return next(iter(_seats_of(company, person)), None)


def _seats_of(company: Company, person: str) -> list[SeatRow]:
    return [seat for seat in company.seats if seat.person == person]


def _require_alone(company: Company, person: str) -> None:
    """In a match the seats of one device stay together: with one of them less there would be no curtain any more."""
    if len(_seats_of(company, person)) > 1:
        raise Forbidden("Several people play at that device, so no bot can take over a seat of theirs.")


def is_waiting(seat: SeatRow, moment: datetime) -> bool:
    """Whether a seat waits for its person, who has not left it: it has been a bot's for a short time."""
    return seat.replaced is not None and moment - seat.replaced < WAITS


def _require_given_up(seat: SeatRow, person: str, moment: datetime) -> None:
    """Who takes a seat sees its secrets: it is not taken from somebody who has only lost the connection."""
    if seat.away != person and is_waiting(seat, moment):
        raise Forbidden(
            "Whoever sat there may still come back. Their seat can be somebody else's when a bot has had it for ten "
            "minutes."
        )


def _require_opener(company: Company, person: str) -> None:
    if company.table.opener != person:
        raise Forbidden("Only who has opened this table decides about its seats.")


def _require_running(company: Company) -> None:
    if not company.table.started:
        raise Stale("The match has not begun: take a seat that is free.")
    if company.table.finished:
        raise Stale("The match is over, so the seats stay as they are.")


def _with(company: Company, seat: SeatRow) -> Company:
    seats: Sequence[SeatRow] = [seat if each.seat == seat.seat else each for each in company.seats]
    return replace(company, seats=tuple(seats))


def _begun_if_full(company: Company) -> Company:
    if any(seat.free for seat in company.seats):
        return company
    return replace(company, table=replace(company.table, started=company.moment))


def _bot_name(company: Company, number: int) -> str:
    """What a bot that sits down now is called: not as anybody here, nor as somebody who has left may have been.

    Who plays at somebody else's device and gives no name is called as the bot of that seat would have been.
    """
    here = {seat.name for seat in company.seats}
    if not company.table.seating and bot_name(number) not in here:
        return bot_name(number)
    left = {bot_name(seat.seat) for seat in company.seats}
    names = [bot_name(number + further) for further in range(len(BOT_NAMES))]
    return next((name for name in (*(n for n in names if n not in left), *names) if name not in here), names[0])


def _freed(seat: SeatRow) -> SeatRow:
    return SeatRow(seat.seat, None, None, "")


def _kept(seat: SeatRow, level: str, replaced: datetime | None = None) -> SeatRow:
    """The seat with a bot that keeps it for the person. `replaced`: when somebody else has put it there."""
    return SeatRow(seat.seat, None, level, seat.name, away=seat.person, replaced=replaced, taken=seat.taken)


def _unasked(seat: SeatRow) -> SeatRow:
    return replace(seat, asker=None, asker_name=None)
