"""Messages."""

from typing import Any

from thorp.core.catalogue import Catalogue, Entry
from thorp.core.language import Language
from thorp.core.words import Card, Message, Seat, Term, say

PLACED = Message("{seat} places {resource} on {square}.", {"seat": Seat(1), "resource": Term("wood"), "square": "B2"})


def test_a_message_is_said_with_names() -> None:
    assert say(PLACED, ["Ada", "Bea"]) == "Bea places wood on B2."
    assert say(PLACED) == "Seat 2 places wood on B2."


def test_lists_and_messages_nest() -> None:
    inner = Message("{card} and more", {"card": Card("well", "Well")})
    assert (
        say(Message("{who}: {what}", {"who": [Seat(0), Seat(1)], "what": inner}), ["A", "B"]) == "A, B: Well and more"
    )


def test_everything_can_be_translated_and_reordered() -> None:
    entries = (
        Entry("{seat} places {resource} on {square}.", ("Auf {square} legt {seat} {resource}.",)),
        Entry("wood", ("Holz",)),
    )
    assert say(PLACED, ["Ada", "Bea"], Language("de", [Catalogue(entries=entries)])) == "Auf B2 legt Bea Holz."


def test_data_can_be_dressed() -> None:
    def dress(value: Any, text: str) -> str:
        return f"[{text}]" if value is not None else text

    assert say(PLACED, ["Ada", "Bea"], dress=dress) == "[Bea] places [wood] on [B2]."


def test_messages_compare_and_hash() -> None:
    same = Message(PLACED.text, dict(PLACED.data or {}))
    assert same == PLACED
    assert len({same, PLACED}) == 1
