"""The options of a game: choices that a table makes before it is dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from thorp.core.errors import OptionError
from thorp.core.given import shown
from thorp.core.words import Said, Term

#: So long may the text of a file be, as UTF-8: whoever checks one need not fear a longer one.
MOST_BYTES = 64 * 1024


@dataclass(frozen=True)
class OptionFile:
    """What an option accepts besides its named values: the text of a file, such as a deck of one's own.

    The text is the value: it travels with the table and with an exported match.
    """

    #: Checks a text and gives its canonical form, the same for texts that mean the same. Raises OptionError.
    read: Callable[[str], str]
    #: The numbers that `deal` takes for a value, a named one too; always as many.
    numbers: Callable[[str], Sequence[int]]
    #: What people call a value.
    label: Callable[[str], str]
    #: Of a file's name, for the dialog that chooses one.
    suffix: str = ".toml"
    #: For whoever writes such a file: what is in one, in lines, and all that is wrong with it.
    report: Callable[[bytes], tuple[Sequence[str], Sequence[str]]] | None = None
    #: What a match holds on to for a value as long as it lives. The face is given the state alone: what it looks up by
    #: a number in the state, such as names of cards, can lie in a weak dictionary, and is there while a match is.
    held: Callable[[str], object] = lambda value: None


@dataclass(frozen=True)
class Option:
    """A choice that a table makes before the game: one of `values`, the first being the default.

    Yes/no options have the values "no" and "yes" in the order that makes the default first.
    """

    id: str
    label: Said[str]
    values: tuple[str, ...]
    labels: Said[tuple[str, ...]]
    help: Said[str] = ""
    #: For which numbers of seats it is offered; elsewhere it keeps its default.
    seats: range = range(1, 100)
    #: Whether few ever change it: the form of a table folds it away.
    rare: bool = False
    #: The value with which the form of a table begins for who has never played the game; "" for the default.
    first: str = ""
    #: For an option that accepts the text of a file too.
    file: OptionFile | None = None

    @property
    def default(self) -> str:
        """The value that holds where nothing is said."""
        return self.values[0]

    def read(self, value: object) -> str:
        """A value that was chosen, checked. Raises OptionError."""
        if isinstance(value, str) and value in self.values:
            return self.values[self.values.index(value)]
        if isinstance(value, str) and self.file:
            if len(value.encode("utf-8", "surrogatepass")) > MOST_BYTES:
                raise OptionError(
                    "{option} cannot be a file of more than {n} bytes; choose a smaller one",
                    option=Term(self.label),
                    n=MOST_BYTES,
                )
            return self.file.read(value)
        raise OptionError(
            "{option} cannot be {value}; choose one of {values}",
            option=Term(self.label),
            value=shown(value),
            values=self.values,
        )

    def held(self, value: str) -> object:
        """What a match holds on to for a value."""
        return self.file.held(value) if self.file else None

    def label_of(self, value: str) -> str:
        """What people call a value."""
        if value in self.values:
            return self.labels[self.values.index(value)]
        assert self.file
        return self.file.label(value)

    def numbers(self, value: str) -> Sequence[int]:
        """What `deal` takes for a value: its place in `values`, or what its file says."""
        return self.file.numbers(value) if self.file else (self.values.index(value),)


def faults_of(options: Sequence[Option], presets: Mapping[str, Mapping[str, str]]) -> Iterable[str]:
    """What is wrong with the options of a game, and with sets of them."""
    known = {option.id: option for option in options}
    if len(known) < len(options):
        yield "Two options have the same id: give each one of its own."
    for option in options:
        if (
            not option.values
            or len(option.values) != len(option.labels)
            or len(set(option.values)) < len(option.values)
        ):
            yield f"The option {option.id!r} needs one value or more, all different, and a label for each."
        if option.first and option.first not in option.values:
            yield f"The option {option.id!r} begins with {option.first!r} in a first game, which is none of its values."
    for name, chosen in presets.items():
        for id, value in chosen.items():
            if id not in known or value not in known[id].values:
                yield f"The preset {name!r} sets {id!r} to {value!r}, which is no option of the game and its value."
