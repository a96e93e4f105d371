"""Refusals: what a server says no to, with a status and a sentence that says what to do."""

from __future__ import annotations


class Refusal(Exception):
    """A request that is refused; nothing has changed."""

    status = 400

    def __init__(self, sentence: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.headers = headers or {}


class BadForm(Refusal):
    """A form with a field missing, or with something in it that no page of ours sends."""


class Unknown(Refusal):
    """Something that does not exist."""

    status = 404


class Forbidden(Refusal):
    """Something that this person may not do, or not yet."""

    status = 403


class Stale(Refusal):
    """A move for a table that has moved on: sent twice, or from a page that was not up to date."""

    status = 409


class Gone(Refusal):
    """A table of other rules than those installed."""

    status = 410


class Illegal(Refusal):
    """A move or an option that the rules do not allow."""

    status = 422


class TooLarge(Refusal):
    """A request with too large a body."""

    status = 413


class TooMany(Refusal):
    """Too many requests in too short a time."""

    status = 429
