"""Refusals of requests, and the status that each kind of refusal is answered with."""

from __future__ import annotations

from thorp.server.tables.refusals import Forbidden, Gone, Illegal, NotReady, Refusal, Stale, Unknown


class BadForm(Refusal):
    """A form with a field missing, or with something in it that no page of ours sends."""


class TooLarge(Refusal):
    """A request with too large a body."""


class TooMany(Refusal):
    """Too many requests in too short a time."""

    def __init__(self, sentence: str, *, seconds: int) -> None:
        super().__init__(sentence)
        #: When to try again.
        self.seconds = seconds


_STATUS = {
    **{BadForm: 400, Forbidden: 403, Unknown: 404, Stale: 409, Gone: 410, TooLarge: 413, Illegal: 422, TooMany: 429},
    NotReady: 503,
}


def status_of(refusal: Refusal) -> int:
    """The status of the answer."""
    return _STATUS[type(refusal)]


def headers_of(refusal: Refusal) -> dict[str, str]:
    """The headers that belong to the answer."""
    if isinstance(refusal, TooMany):
        return {"Retry-After": str(refusal.seconds)}
    return {"Retry-After": "2"} if isinstance(refusal, NotReady) else {}
