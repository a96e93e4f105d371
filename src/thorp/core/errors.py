"""What is refused: the text of each of these tells a person what to do."""

from __future__ import annotations

from thorp.core.language import ENGLISH
from thorp.core.words import Many, Message, Said, say


class GameError(ValueError):
    """Something asked of a game that its rules or options do not allow."""


class Told(GameError):
    """What people are told of in their own language: its text is English, `message` is what they are told.

    A sentence without data may have any signs in it.
    """

    def __init__(self, sentence: Said[str], many: Many[str] = "", **data: object) -> None:
        self.message = Message(sentence, data, many) if data or "{" not in sentence else as_it_is(sentence)
        super().__init__(say(self.message, language=ENGLISH))


def message_of(error: Exception) -> Message:
    """What people are told of an error; its text, which is English, where nothing else is said."""
    return error.message if isinstance(error, Told) else as_it_is(str(error))


def as_it_is(text: str) -> Message:
    """A message that says the same in all languages."""
    return Message("{text}", {"text": text})


class OptionError(Told):
    """An option that is unknown, out of range or impossible with this number of seats."""


class UnknownGame(Told):
    """A game that is not installed."""


class IllegalMove(Told):
    """A move that is not legal now, or a seat that is not there."""


class MatchFileError(Told):
    """An exported match that is broken, edited or of another version."""


class ContractError(TypeError):
    """A game that is not as the contract asks for; `faults` has a sentence for each thing to be mended."""

    def __init__(self, package: str, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join((f"{package} is not yet a game of the contract (docs/games.md):", *faults)))
        self.faults = faults
