"""How wide a text is where letters stand in columns: a Japanese sign is as wide as two letters."""

from __future__ import annotations

from itertools import accumulate
from unicodedata import combining, east_asian_width


def widths(text: str) -> list[int]:
    """How wide a text is up to each of its signs, that one included."""
    # most texts, and a table in the terminal is padded in hundreds of places
    if text.isascii():
        return list(range(1, len(text) + 1))
    return list(accumulate(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text))


def width(text: str) -> int:
    """How many letters stand in the room of a text."""
    return widths(text)[-1] if text else 0


def padded(text: str, room: int) -> str:
    """A text with so many spaces behind it as fill the room."""
    return text + " " * (room - width(text))


def cut(text: str, room: int) -> str:
    """The beginning of a text, as much as there is room for."""
    return text[: sum(each <= room for each in widths(text))]
