"""Messages of a game as HTML: names of players and cards marked up, all else escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape

from thorp.core.words import Card, Message, Seat, say

_SEAT = Markup('<span class="who who-{}">{}</span>')
_CARD = Markup('<button type="button" class="card-link" data-card="{}">{}</button>')


def html(value: Any, names: Sequence[str]) -> Markup:
    """A message, or a piece of its data, as HTML; other things are escaped."""
    return Markup(say(_message(value), names, dress=_dress))


def plain(value: Any, names: Sequence[str]) -> str:
    """A message, or a piece of its data, as text: for attributes, which Jinja escapes."""
    return say(_message(value), names)


def _message(value: Any) -> Message:
    return value if isinstance(value, Message) else Message("{value}", {"value": value})


def _dress(value: Any, text: str) -> str:
    if isinstance(value, Seat):
        return _SEAT.format(value.number, text)
    if isinstance(value, Card):
        return _CARD.format(value.id, text)
    return escape(text)
