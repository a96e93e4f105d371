"""Who one is here: one's name, the private link to one's seats, and coming back by it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from thorp.server.tables.links import Link, Links
from thorp.server.tables.preferences import CHOICES, Preferences
from thorp.server.tables.store import Store
from thorp.server.web.answers import go, page
from thorp.server.web.forms import field, read_form, text
from thorp.server.web.languages import turn_to_choice
from thorp.server.web.people import Cookies, Visitor, new_visitor, person_of, visitor_of
from thorp.server.web.people import rename as rename_person
from thorp.server.web.refusals import BadForm
from thorp.server.web.sharing import drawn_code

#: A path on this server; "//" would lead to another one.
_OWN_PATH = re.compile(r"/(?![/\\])[!-~]*", re.ASCII)


#: What the key of a link begins with that holds once; those of private links never do, as they have a dot.
_ONCE = "once-"
_WHY_NOT = {
    Link.USED: (
        "This link has been used already, and it holds only once. Make a new one on the device where you are yourself."
    ),
    Link.LATE: (
        "This link is more than ten minutes old, and holds no longer. Make a new one on the device where you are "
        "yourself."
    ),
    Link.UNKNOWN: (
        "This link does not hold: a newer one has taken its place, or it is none of this server. Make a new one on the "
        "device where you are yourself."
    ),
}
CALLED_BACK = "This private link was called back by its person, and leads to nobody any more."


@dataclass(frozen=True)
class _Other:
    """Somebody whom a link would make this browser. `why_not`: why it does not, in a sentence."""

    visitor: Visitor | None
    why_not: str = ""


async def me(request: Request) -> Response:
    """The visitor's name and private link, and a place to use such a link."""
    return await _me(request)


async def rename(request: Request) -> Response:
    """Another name for the visitor, here and at its running tables."""
    form = await read_form(request)
    await rename_person(request, field(form, "name"))
    back = text(form.get("back"))
    return go(request, back if _OWN_PATH.fullmatch(back) else "/")


async def take_along(request: Request) -> Response:
    """A link that takes the visitor to another device: once, and within ten minutes."""
    person = person_of(request)
    if not person.known:  # with its next request it is somebody else
        return go(request, "/me")
    key = await _links(request).draw(person.id, person.given)
    link = f"{request.base_url}me#{_ONCE}{key}"
    return await _me(request, {"once": link, "code": await asyncio.to_thread(drawn_code, link)})


async def call_back(request: Request) -> Response:
    """Let no link that was made until now lead to the visitor any more."""
    person = person_of(request)
    if person.known:  # there is no link of who is made for this request
        await _links(request).call_back(person.id)
    return go(request, "/me")


async def come_back(request: Request) -> Response:
    """Make this browser the person of a link; where it is somebody with tables, only if that is meant."""
    form = await read_form(request)
    # Pasted as a whole, or only what stands behind the #.
    key = field(form, "link").strip().rpartition("#")[2]
    visitor = visitor_of(request.scope)
    other = await _other(request, key)
    if other.visitor is None:
        return await _me(request, {"notice": other.why_not}, status=410)
    if other.visitor.id == visitor.id:
        # A link that holds once is kept for the device that it was made for.
        return go(request, "/")
    if text(form.get("sure")) != "yes" and await _has_tables(request, visitor):
        return await _me(request, {"other": other.visitor, "key": key})
    if key.startswith(_ONCE):
        used = await _other(request, key, use=True)
        if used.visitor is None:
            return await _me(request, {"notice": used.why_not}, status=410)
    visitor.become(other.visitor)
    return go(request, "/")


async def prefer(request: Request) -> Response:
    """Keep what the visitor prefers: with a person, as whoever has the page with the form is one by its cookie."""
    form = await read_form(request)
    chosen = {key: field(form, key) for key in CHOICES if key in form}
    person = person_of(request)
    if person.known:  # or anybody could leave rows that are nobody's
        await Preferences(request.app.state.store).choose(person.id, chosen)
    return go(request, "/me#settings")


async def speak(request: Request) -> Response:
    """Another language for the visitor: kept with a person, and by the browser of whoever is none yet."""
    form = await read_form(request)
    chosen, visitor = field(form, "language"), visitor_of(request.scope)
    if visitor.known:
        await Preferences(request.app.state.store).choose(visitor.id, {"language": chosen})
    before = visitor.name
    turn_to_choice(request.scope, chosen)
    if visitor.name != before:  # it has given none
        await request.app.state.tables.rename(visitor.id, visitor.name, before)
    back = text(form.get("back"))
    return go(request, back if _OWN_PATH.fullmatch(back) else "/")


async def start_new(request: Request) -> Response:
    """Let a passer-by be somebody new. Who is known stays who it is: the button was pressed twice, or too late."""
    visitor = visitor_of(request.scope)
    if visitor.unread:
        visitor.become(new_visitor())
    return go(request, "/me")


async def _other(request: Request, key: str, *, use: bool = False) -> _Other:
    """The person of a link of either kind; `use` one that holds once. Raises BadForm where it is none of ours."""
    links = _links(request)
    if key.startswith(_ONCE):
        once = key.removeprefix(_ONCE)
        found = await (links.use(once) if use else links.find(once))
        if found.link is Link.HOLDS:
            return _Other(Visitor(found.person, found.name))
        return _Other(None, _WHY_NOT[found.link])
    read = _cookies(request).read_key(key)
    if read is None:
        raise BadForm("That is no private link of this server. See whether it was copied to its end, and try again.")
    if read.generation != await links.generation(read.visitor.id):
        return _Other(None, CALLED_BACK)
    return _Other(read.visitor)


async def _me(request: Request, context: Mapping[str, Any] | None = None, status: int = 200) -> Response:
    visitor = visitor_of(request.scope)
    generation = await _links(request).generation(visitor.id) if visitor.known else 0
    # Behind the #: so it is in no log, and no other page is told.
    link = f"{request.base_url}me#{_cookies(request).write_key(visitor, generation)}"
    always = {"link": link, "other": None, "once": ""}
    return page(request, "me.html", {**always, **(context or {})}, status)


async def _has_tables(request: Request, visitor: Visitor) -> bool:
    store: Store = request.app.state.store
    if not visitor.known:
        return False
    return bool(
        await store.tables_of(visitor.id, finished=False, limit=1)
        or await store.tables_of(visitor.id, finished=True, limit=1)
    )


def _links(request: Request) -> Links:
    return Links(request.app.state.store)


def _cookies(request: Request) -> Cookies:
    return request.app.state.cookies  # type: ignore[no-any-return]
