"""What is a visitor's own on the page of a table: it stands outside of the fragment, which many are sent alike."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from thorp.server.tables.table import Table
from thorp.server.web.beforehand_pages import show_beforehand
from thorp.server.web.chat_pages import show_chat
from thorp.server.web.people import visitor_of
from thorp.server.web.preferred import preferences_of


async def own_page(request: Request, table: Table) -> dict[str, Any]:
    """The context that `table.html` is given besides that of the fragment."""
    visitor, chosen = visitor_of(request.scope), preferences_of(request.scope)
    if not visitor.known:
        return {}
    if not table.seats_of(visitor.id):
        return await _chat(request, table, chosen["chat"])
    with_people = sum(1 for seat in table.seats if seat.bot is None) > 1
    return {
        "confirms": chosen["confirm"] == "always" or (chosen["confirm"] == "people" and with_people),
        "beforehand": await show_beforehand(request, table),
        **(await _chat(request, table, chosen["chat"])),
    }


async def _chat(request: Request, table: Table, preference: str) -> dict[str, Any]:
    if table.gathering:
        return {}
    shown = await show_chat(request, table)
    # Whoever has hidden it is told that there is one, and can have it back.
    return {"chat": None, "chat_hidden": True} if shown and preference == "hidden" else {"chat": shown}
