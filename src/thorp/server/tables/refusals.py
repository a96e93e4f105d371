"""Refusals: what is said no to, with a sentence that says what to do. Nothing has changed then."""

from __future__ import annotations

from thorp.core.language import ENGLISH
from thorp.core.words import Many, Message, Said, say


class Refusal(Exception):
    """Something that is refused: a sentence for the person who asked, with data for its braces.

    As a text, for the log, it is English; `sentence` is in the language that is spoken.
    """

    def __init__(self, sentence: Said[str], many: Many[str] = "", **data: object) -> None:
        self.message = Message(sentence, data, many)
        super().__init__(say(self.message, language=ENGLISH))

    @property
    def sentence(self) -> str:
        """What is said."""
        return say(self.message)


class Unknown(Refusal):
    """Something that does not exist."""


class NotReady(Refusal):
    """A game of which the rules are still being compiled, or of which it is not known yet whether it is here."""

    def __init__(self, game: str) -> None:
        super().__init__("The rules are being compiled, which takes some seconds. Try again in a moment.")
        self.game = game


class Busy(Refusal):
    """Something for which the server has no room just now."""


class Forbidden(Refusal):
    """Something that this person may not do, or not yet."""


class Stale(Refusal):
    """A move for a table that has moved on: sent twice, or from a page that was not up to date."""


class Gone(Refusal):
    """A table of other rules than those installed."""


class Kept(Gone):
    """A table that is over and cannot be played on by the rules installed: its record can be read."""


class Illegal(Refusal):
    """A move or an option that the rules do not allow."""
