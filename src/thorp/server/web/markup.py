"""Messages of a game as HTML: names of players and cards marked up, all else escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape

from thorp.core.columns import widths
from thorp.core.words import Card, Message, Seat, say

_HYPHEN = re.compile(r"(?<![\w-])-(?=\d)")
_SEAT = Markup('<span class="who who-{}">{}</span>')
_CARD = Markup('<button type="button" class="card-link" data-card="{}">{}</button>')
#: A button with what is written right before it and behind it. A browser would begin a line with a comma, or with the
#: number of points, behind a button, and end one with a bracket before it.
_WITH_SIGNS = re.compile(r"([(\[¿¡«“„「『（]*)(<button .*?</button>)((?: \d+)?[.,;:!?…)\]»”、。」』）：；！？]*)")  # noqa: RUF001


def html(value: Any, names: Sequence[str]) -> Markup:
    """A message, or a piece of its data, as HTML; other things are escaped."""
    return Markup(_WITH_SIGNS.sub(_unbroken, say(_message(value), names, dress=_dress)))


def plain(value: Any, names: Sequence[str]) -> str:
    """A message, or a piece of its data, as text: for attributes, which Jinja escapes."""
    return say(_message(value), names)


def minus(text: str) -> str:
    """A text, or HTML, whose numbers below zero have a minus sign, where messages have a hyphen."""
    return type(text)(_HYPHEN.sub("−", text))


def shortened(text: str, room: float) -> str:
    """A text that is cut where there is room for so many letters; a Japanese sign is as wide as two."""
    if isinstance(text, Markup):
        text = text.unescape()
    taken = widths(text)
    if not taken or taken[-1] <= room:
        return text
    return f"{text[: sum(each <= room - 1 for each in taken)].rstrip()}…"


def _message(value: Any) -> Message:
    return value if isinstance(value, Message) else Message("{value}", {"value": value})


def _unbroken(found: re.Match[str]) -> str:
    before, behind = found[1], found[3]
    if not (before or behind):
        return found[0]
    # where name and number need more than a whole line the number goes onto the next
    kind = "numbered" if " " in behind else "unbroken"
    return f'<span class="{kind}">{found[0]}</span>'


def _dress(value: Any, text: str) -> str:
    if isinstance(value, Seat):
        return _SEAT.format(value.number, text)
    if isinstance(value, Card):
        return _CARD.format(value.id, text)
    return escape(text)
