"""Refusals of requests, and the status that each kind of refusal is answered with."""

from __future__ import annotations

from thorp.core.words import Many, Said
from thorp.server.tables.refusals import Busy, Forbidden, Gone, Illegal, Kept, NotReady, Refusal, Stale, Unknown


class BadForm(Refusal):
    """A form with a field missing, or with something in it that no page of ours sends."""


class TooLarge(Refusal):
    """A request with too large a body."""


class TooMany(Refusal):
    """Too many requests in too short a time, or too much at the same time."""

    def __init__(
        self, sentence: Said[str], many: Many[str] = "", *, seconds: int | None = None, **data: object
    ) -> None:
        super().__init__(sentence, many, seconds=seconds, **data)
        #: When to try again, if time alone helps.
        self.seconds = seconds


class Misdirected(Refusal):
    """A request for another name than this server's."""


_STATUS: dict[type[Refusal], int] = {
    **{BadForm: 400, Forbidden: 403, Unknown: 404, Stale: 409, Gone: 410, Kept: 410, TooLarge: 413, Misdirected: 421},
    **{Illegal: 422, TooMany: 429, NotReady: 503, Busy: 503},
}


def status_of(refusal: Refusal) -> int:
    """The status of the answer."""
    return _STATUS[type(refusal)]


def headers_of(refusal: Refusal) -> dict[str, str]:
    """The headers that belong to the answer."""
    if isinstance(refusal, TooMany):
        return {"Retry-After": str(refusal.seconds)} if refusal.seconds else {}
    return {"Retry-After": "2"} if isinstance(refusal, NotReady | Busy) else {}
