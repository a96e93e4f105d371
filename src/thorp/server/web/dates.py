"""Dates and numbers as the language that is spoken writes them."""

from __future__ import annotations

from datetime import datetime

from thorp.core.language import spoken
from thorp.core.words import Message, Said, say

_MONTHS: Said[tuple[str, ...]] = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


#: What stands before the decimals of a number.
_POINT: Said[str] = "."


def decimal(number: str) -> str:
    """A number that has decimals."""
    return number.replace(".", spoken().text(_POINT))


def day(moment: datetime) -> str:
    """A day of this year, about."""
    return say(Message("{day} {month}", _parts(moment)))


def day_and_year(moment: datetime) -> str:
    """A day of any year."""
    return say(Message("{day} {month} {year}", _parts(moment)))


def day_and_time(moment: datetime) -> str:
    """A day and the time of it."""
    return say(Message("{day} {month}, {time}", _parts(moment)))


def _parts(moment: datetime) -> dict[str, object]:
    month = Message(_MONTHS[moment.month - 1])
    return {"day": moment.day, "month": month, "year": moment.year, "time": moment.strftime("%H:%M")}
