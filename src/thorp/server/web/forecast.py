"""What a move on the visitor's own page would score now: asked where a card is pointed at or chosen."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thorp.core import forecast as core
from thorp.core.words import Message
from thorp.server.tables.table import Table
from thorp.server.web import markup
from thorp.server.web.naming import names_at
from thorp.server.web.shown import Offer, show
from thorp.server.web.why import asked_about, steps_in

#: For more moves than this nothing is told.
MOST_MOVES = 400


async def forecast(request: Request) -> Response:
    """For each move with the step `thing`: its steps, what it adds, and words; nothing (204) where that is not told."""
    things = steps_in(request, "thing")
    table, seat = await asked_about(request, things)
    if seat is None or len(things) != 1:
        return Response(status_code=204)
    offers = [offer for offer in show(table, seat)["offers"] if things[0] in offer.steps]
    if not 0 < len(offers) <= MOST_MOVES:
        return Response(status_code=204)
    return JSONResponse(_told(table, seat, offers))


def _told(table: Table, seat: int, offers: list[Offer]) -> list[dict[str, object]]:
    points = core.forecast(table.game, table.match.state, seat, [offer.move for offer in offers])
    return [
        {
            "steps": offer.steps,
            "gain": _signed(after - before),
            "words": markup.plain(_words(offer.label, before, after), names_at(table)),
        }
        for offer in offers
        if offer.move in points
        for before, after in (points[offer.move],)
    ]


def _words(label: str, now: int, after: int) -> Message:
    data = {"move": label, "gain": _signed(after - now), "now": _number(now), "after": _number(after)}
    return Message("{move}: {gain} now, {now} → {after}", data)


def _number(points: int) -> str:
    return str(points).replace("-", "−")


def _signed(points: int) -> str:
    return _number(points) if points < 0 else f"+{points}" if points else "±0"
