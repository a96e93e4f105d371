"""What is gathered: the ids of messages, and where each stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

#: A template that says what it is given, in any language.
_NOTHING_BUT_DATA = re.compile(r"\{\w+\}", re.ASCII)


@dataclass(frozen=True)
class Id:
    """An id: an English text, with the English for other numbers than one where it has a number."""

    text: str
    #: The file in which it stands, as the package names it.
    place: str
    plural: str = ""
    #: Whether it is the name of a thing, which a language may have in several forms.
    noun: bool = False


@dataclass
class Gathered:
    """What was gathered, and what cannot be translated as it is written."""

    ids: list[Id] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Gathered) -> None:
        """Take over what was gathered elsewhere."""
        self.ids += other.ids
        self.faults += other.faults


@dataclass(frozen=True)
class Wanted:
    """An id as a catalogue has it: all places of it together."""

    text: str
    plural: str
    places: tuple[str, ...]
    noun: bool


def together(ids: Iterable[Id]) -> Iterator[Wanted]:
    """Every id once, in the order in which they were found. One that has a plural somewhere has it everywhere."""
    by_text: dict[str, list[Id]] = {}
    for each in ids:
        if each.text.strip() and not _NOTHING_BUT_DATA.fullmatch(each.text):
            by_text.setdefault(each.text, []).append(each)
    for text, found in by_text.items():
        plural = next((each.plural for each in found if each.plural), "")
        places = tuple(dict.fromkeys(each.place for each in found))
        yield Wanted(text, plural, places, any(each.noun for each in found))
