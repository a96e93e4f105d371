"""What is a visitor's own on the page of a table: it stands outside of the fragment, which many are sent alike."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from thorp.server.tables.preferences import Preferences
from thorp.server.tables.table import Table
from thorp.server.web.people import visitor_of


async def own_page(request: Request, table: Table) -> dict[str, Any]:
    """The context that `table.html` is given besides that of the fragment."""
    visitor = visitor_of(request.scope)
    # Others have chosen nothing, and play nothing.
    if not visitor.known or not table.seats_of(visitor.id):
        return {}
    chosen = await Preferences(request.app.state.store).of(visitor.id)
    with_people = sum(1 for seat in table.seats if seat.bot is None) > 1
    return {"confirms": chosen["confirm"] == "always" or (chosen["confirm"] == "people" and with_people)}
