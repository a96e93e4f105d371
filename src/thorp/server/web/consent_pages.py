"""Going back beyond what can be taken back freely: asking everybody, and answering."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from thorp.server.tables import consent
from thorp.server.tables.refusals import Illegal, Stale
from thorp.server.tables.rooms import Tables
from thorp.server.tables.table import Table
from thorp.server.web.forms import field, read_form
from thorp.server.web.people import person_of
from thorp.server.web.refusals import BadForm
from thorp.server.web.table_pages import act, open_table, table_answer, table_refusal


async def ask(request: Request) -> Response:
    """The visitor asks to go back to its last choice."""

    async def asking(request: Request, table: Table, form: FormData, seat: int, counter: int) -> Table:
        tables: Tables = request.app.state.tables
        await consent.ask(tables, table.id, seat, counter)
        return await tables.open(table.id)

    return await act(request, asking)


async def answer(request: Request) -> Response:
    """The visitor agrees that somebody goes back, or does not; whoever has asked takes that back."""
    tables: Tables = request.app.state.tables
    form = await read_form(request)
    try:
        word = field(form, "answer")
        if word not in ("yes", "no"):
            raise BadForm("The answer was neither yes nor no. Load the page again, and answer once more.")
        await consent.answer(tables, request.path_params["id"], person_of(request).id, yes=word == "yes")
    except (BadForm, Illegal, Stale) as refusal:
        return table_refusal(request, await open_table(request), refusal)
    return table_answer(request, await open_table(request))
