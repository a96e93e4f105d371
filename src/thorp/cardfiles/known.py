"""The files of cards that this process has seen, and such files as the value of a table's option."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Generic, Protocol, TypeVar

from thorp.cardfiles.reader import Checked
from thorp.core.errors import OptionError
from thorp.core.options import OptionFile

#: So many files are remembered, and so many texts are kept read.
_REMEMBERED = 4096
_READ = 64
#: So many faults are told at once where a sentence has to do.
_TOLD = 5


class Cards(Protocol):
    """What a file of cards holds."""

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
    """All sets of cards of a game that this process has seen.

    `thing`: what such a file is called. `standard`: the value of the option that stands for the cards that come with
    the game; `load` reads those. `check` reads a file, `write` gives the same text for all files that mean the same.
    """

    def __init__(
        self,
        thing: str,
        standard: str,
        load: Callable[[], C],
        check: Callable[[bytes], Checked[C]],
        write: Callable[[C], str],
    ) -> None:
        self.thing = thing
        self._value = standard
        self._load = load
        self._check = check
        self._write = write
        self._known: OrderedDict[int, C] = OrderedDict()
        self._parsed = lru_cache(maxsize=_READ)(self._parse)

    @cached_property
    def standard(self) -> C:
        """The cards that come with the game."""
        return self._load()

    def of_key(self, key: int) -> C:
        """The cards of that key: views and words have only the state. All that a match was made with are known."""
        if key == self.standard.key:
            return self.standard
        return self._known[key]

    def of_value(self, value: str) -> C:
        """The cards that an option names or holds."""
        return self.standard if value == self._value else self._parsed(value)

    def read(self, text: str) -> str:
        """The canonical text of a file; the standard's name for what means the same. Raises OptionError."""
        found = self._parsed(text)
        return self._value if found == self.standard else self._write(found)

    def numbers(self, value: str) -> Sequence[int]:
        """The numbers of the cards that an option names or holds."""
        found = self.of_value(value)
        self._known[found.key] = found
        self._known.move_to_end(found.key)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return found.numbers

    def option_file(self, summary: Callable[[C], Iterable[str]]) -> OptionFile:
        """What an option accepts. `summary`: lines that tell a designer what is in a file."""

        def report(data: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
            found, faults = self._check(data)
            return (tuple(summary(found)) if found else ()), tuple(map(str, faults))

        return OptionFile(self.read, self.numbers, lambda value: self.of_value(value).name, report=report)

    def _parse(self, text: str) -> C:
        found, faults = self._check(text.encode("utf-8", "surrogatepass"))
        if found is None:
            more = f"; and {len(faults) - _TOLD} more" if len(faults) > _TOLD else ""
            told = "; ".join(map(str, faults[:_TOLD]))
            raise OptionError(f"the {self.thing} cannot be used: {told}{more}")
        return found
