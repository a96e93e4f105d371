"""Who one is here: one's name, the private link to one's seats, and coming back by it."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response

from thorp.server.tables.store import Store
from thorp.server.web.answers import go, page
from thorp.server.web.forms import field, read_form, text
from thorp.server.web.people import Cookies, Visitor, new_visitor, visitor_of
from thorp.server.web.people import rename as rename_person
from thorp.server.web.refusals import BadForm

#: A path on this server; "//" would lead to another one.
_OWN_PATH = re.compile(r"/(?![/\\])[!-~]*", re.ASCII)


async def me(request: Request) -> Response:
    """The visitor's name and private link, and a place to use such a link."""
    return _me(request)


async def rename(request: Request) -> Response:
    """Another name for the visitor, here and at its running tables."""
    form = await read_form(request)
    await rename_person(request, field(form, "name"))
    back = text(form.get("back"))
    return go(request, back if _OWN_PATH.fullmatch(back) else "/")


async def come_back(request: Request) -> Response:
    """Make this browser the person of a private link; where it is somebody with tables, only if that is meant."""
    form = await read_form(request)
    # Pasted as a whole, or only what stands behind the #.
    key = field(form, "link").strip().rpartition("#")[2]
    other = _cookies(request).read_key(key)
    if other is None:
        raise BadForm("That is no private link of this server. See whether it was copied to its end, and try again.")
    visitor = visitor_of(request.scope)
    if other.id != visitor.id and text(form.get("sure")) != "yes" and await _has_tables(request, visitor):
        return _me(request, other, key)
    visitor.become(other)
    return go(request, "/")


async def start_new(request: Request) -> Response:
    """Let a passer-by be somebody new. Who is known stays who it is: the button was pressed twice, or too late."""
    visitor = visitor_of(request.scope)
    if visitor.unread:
        visitor.become(new_visitor())
    return go(request, "/me")


def _me(request: Request, other: Visitor | None = None, key: str = "") -> Response:
    # Behind the #: so it is in no log, and no other page is told.
    link = f"{request.base_url}me#{_cookies(request).write_key(visitor_of(request.scope))}"
    return page(request, "me.html", {"link": link, "other": other, "key": key})


async def _has_tables(request: Request, visitor: Visitor) -> bool:
    store: Store = request.app.state.store
    if not visitor.known:
        return False
    return bool(
        await store.tables_of(visitor.id, finished=False, limit=1)
        or await store.tables_of(visitor.id, finished=True, limit=1)
    )


def _cookies(request: Request) -> Cookies:
    return request.app.state.cookies  # type: ignore[no-any-return]
