"""The files of cards that this process has seen, and such files as the value of a table's option."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from threading import Lock
from typing import Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from thorp.cardfiles.reader import Checked
from thorp.core.errors import GameError, OptionError
from thorp.core.options import OptionFile
from thorp.core.words import Message, Noun, Term, say

#: So many texts are kept read when nothing holds on to what they say.
_READ = 64
#: So many faults are told at once where a sentence has to do.
_TOLD = 5


class Cards(Protocol):
    """What a file of cards holds: an object that can be referred to weakly."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def key(self) -> int:
        """What a state tells it by."""

    @property
    def numbers(self) -> Sequence[int]:
        """It as `deal` takes it."""


C = TypeVar("C", bound=Cards)


class Known(Generic[C]):
    """The sets of cards of a game that are in use in this process: whoever plays with one holds on to it.

    `thing`: what such a file is called. `come`: by the value of the option that stands for them, what reads the cards
    that come with the game, the default first. `check` reads a file, `write` gives the same text for all files that
    mean the same.
    """

    def __init__(
        self,
        thing: Noun[str],
        come: Mapping[str, Callable[[], C]],
        check: Callable[[bytes], Checked[C]],
        write: Callable[[C], str],
    ) -> None:
        self.thing = thing
        self._come = come
        self._check = check
        self._write = write
        # There is one object for each set of cards: what is held by one match is found for all.
        self._by_key: WeakValueDictionary[int, C] = WeakValueDictionary()
        self._by_text: WeakValueDictionary[str, C] = WeakValueDictionary()
        self._lock = Lock()
        self._parsed = lru_cache(maxsize=_READ)(self._parse)

    @cached_property
    def _named(self) -> dict[str, C]:
        """The cards that come with the game, by the value that stands for them."""
        return {value: load() for value, load in self._come.items()}

    @property
    def standard(self) -> C:
        """The cards that a table has unless it chooses others."""
        return next(iter(self._named.values()))

    def of_key(self, key: int) -> C:
        """The cards of that key: views and words have only the state. Those of every match that lives are known.

        Raises GameError for others: a state that outlives its match is to be shown with the match kept beside it.
        """
        found = self._by_key.get(key) or next((each for each in self._named.values() if each.key == key), None)
        if found is None:
            raise GameError(f"the {self.thing} of this state is not in use any more: keep its match while it is shown")
        return found

    def of_value(self, value: str) -> C:
        """The cards that an option names or holds; whoever keeps a state of them keeps them too."""
        if value in self._named:
            return self._named[value]
        known = self._by_text.get(value)
        return self._parsed(value) if known is None else known

    def read(self, text: str) -> str:
        """The canonical text of a file; the value of cards that come with the game for theirs. Raises OptionError."""
        found = self.of_value(text)
        return next((value for value, each in self._named.items() if each is found), None) or self._write(found)

    def numbers(self, value: str) -> Sequence[int]:
        """The numbers of the cards that an option names or holds."""
        return self.of_value(value).numbers

    def option_file(self, summary: Callable[[C], Iterable[str]]) -> OptionFile:
        """What an option accepts. `summary`: lines that tell a designer what is in a file."""

        def report(data: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
            found, faults = self._check(data)
            return (tuple(summary(found)) if found else ()), tuple(say(fault.message) for fault in faults)

        def label(value: str) -> str:
            return self.of_value(value).name

        return OptionFile(self.read, self.numbers, label, report=report, held=self.of_value)

    def _parse(self, text: str) -> C:
        found, faults = self._check(text.encode("utf-8", "surrogatepass"))
        if found is None:
            told = reduce(_both, (fault.message for fault in faults[:_TOLD]))
            if len(faults) > _TOLD:
                told = Message("{faults}; and {n} more", {"faults": told, "n": len(faults) - _TOLD})
            raise OptionError("the {thing} cannot be used: {faults}", thing=Term(self.thing), faults=told)
        return self._only(found)

    def _only(self, found: C) -> C:
        """The one object for these cards. Raises OptionError where others that are in use have the same key."""
        come = next((each for each in self._named.values() if each.key == found.key), None)
        if come == found:
            return come
        text = self._write(found)
        with self._lock:
            known = come or self._by_key.setdefault(found.key, found)
            if known != found:
                raise OptionError(
                    "the {thing} cannot be used: others in use are told by the same number; change a name in it",
                    thing=Term(self.thing),
                )
            self._by_text[text] = known
        return known


def _both(before: Message, last: Message) -> Message:
    return Message("{before}; {last}", {"before": before, "last": last})
