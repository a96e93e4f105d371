"""How one is told of one's turn: the page of it, tests of it, and the links in letters."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from thorp.core.given import shown
from thorp.core.language import ENGLISH, spoken
from thorp.server.notices import hooks, outside, push, rows
from thorp.server.notices.mail import is_address
from thorp.server.notices.post import Post
from thorp.server.notices.rows import Way
from thorp.server.notices.sending import SENT
from thorp.server.tables.preferences import Preferences
from thorp.server.tables.refusals import Forbidden, Illegal, Unknown
from thorp.server.tables.store import Store
from thorp.server.web.addresses import networks, origin_of
from thorp.server.web.answers import go, page
from thorp.server.web.forms import field, number, read_form
from thorp.server.web.languages import BROWSER
from thorp.server.web.people import Visitor, person_of, visitor_of
from thorp.server.web.preferred import preferences_of
from thorp.server.web.refusals import TooMany
from thorp.server.web.security import SHARED, Buckets
from thorp.server.web.templates import STATIC, Assets

#: So many tests, letters and ways a person may ask for at once, and one more every three minutes; an address five times
#: that.
_BURST, _RATE = 6, 1 / 180
_TOO_SOON = "You have asked for many in a short time. Try again in some minutes."
_NOBODY = (
    "Your browser brought no cookie of this server, so it is not known who is to be told. Load the page again, and try "
    "once more."
)
_NO_WAY = "This server tells nobody in that way. Choose one of those that the page offers."


async def notices(request: Request) -> Response:
    """The ways by which the visitor is told, and those that there are."""
    return await _show(request)


async def add_push(request: Request) -> Response:
    """Tell the visitor in this browser, which has said yes."""
    form = await read_form(request)
    settings = request.app.state.settings
    if _post(request).push is None:
        raise Illegal(_NO_WAY)
    try:
        address = push.subscription(
            field(form, "endpoint"), field(form, "p256dh"), field(form, "auth"), networks(settings.notice_networks)
        )
    except outside.Inside as error:
        raise Illegal(
            "What your browser has sent is no address that this server can push to. Try another way."
        ) from error
    _sparingly(request, "")
    way = await _add(request, "push", address, confirmed=True)
    return go(request, f"/me/notices#way-{way.id}")


async def add_mail(request: Request) -> Response:
    """Ask at an address whether notices are wanted there."""
    form = await read_form(request)
    address = field(form, "address").strip()
    if "mail" not in _post(request).kinds:
        raise Illegal(_NO_WAY)
    if not is_address(address):
        words = "{address} is no e-mail address that can be written to. See whether it is whole."
        raise Illegal(words, address=shown(address))
    _sparingly(request, address)
    way = await _add(request, "mail", address, confirmed=False)
    if way.confirmed:
        return go(request, f"/me/notices#way-{way.id}")
    outcome = await _post(request).ask_to_confirm(way)
    await _store(request).write(partial(rows.tried, way=way.id, outcome=outcome, moment=_now(request)))
    return await _show(request, asked=way.id, outcome=outcome)


async def add_hook(request: Request) -> Response:
    """Tell the visitor in a chat."""
    form = await read_form(request)
    address = field(form, "address").strip()
    post = _post(request)
    if post.hooks is None:
        raise Illegal(_NO_WAY)
    is_allowed = hooks.is_allowed(address, post.hooks.hosts)
    if is_allowed:
        _sparingly(request, "")
    # The library reads all of its services first, which takes a second.
    if not is_allowed or not await asyncio.to_thread(hooks.is_known, address, post.hooks.hosts):
        raise Illegal(
            "That is no address of a chat that this server sends to. It begins with the name of a service, as "
            "discord://, and has no ? in it."
        )
    way = await _add(request, "hook", address, confirmed=True)
    return go(request, f"/me/notices#way-{way.id}")


async def test(request: Request) -> Response:
    """Send a test, and say what came of it."""
    way = await _mine(request)
    _sparingly(request, "")
    if way.kind == "mail" and way.confirmed is None:
        outcome = await _post(request).ask_to_confirm(way)
        await _store(request).write(partial(rows.tried, way=way.id, outcome=outcome, moment=_now(request)))
        return await _show(request, asked=way.id, outcome=outcome)
    outcome = await _post(request).test(way)
    return await _show(request, tested=way.id, outcome=outcome)


async def forget(request: Request) -> Response:
    """Tell the visitor no more in one of its ways."""
    way = await _mine(request)
    await _store(request).write(partial(rows.forget, way=way.id))
    return go(request, "/me/notices")


async def link(request: Request) -> Response:
    """What a link in a letter leads to: a page that asks, since programs follow links, too."""
    way = await _of_link(request)
    return page(request, "notice_link.html", {"way": _way(way), "token": way.token, "done": ""})


async def follow(request: Request) -> Response:
    """Whoever reads the letters wants them, or wants no more of them."""
    way = await _of_link(request)
    form = await read_form(request)
    store = _store(request)
    if field(form, "answer") == "yes":
        await store.write(partial(rows.confirm, token=way.token, moment=_now(request)))
        done = "yes"
    else:
        await store.write(partial(rows.forget, way=way.id))
        done = "no"
    return page(request, "notice_link.html", {"way": _way(way), "token": way.token, "done": done})


async def worker(request: Request) -> Response:
    """The script that shows what is pushed; at the root, as it speaks for all pages."""
    name = Assets().address("worker.js").rpartition("/")[2]
    if not (STATIC / name).is_file():
        raise Unknown("There is no such page. Check the address, or go back to the start.")
    return FileResponse(STATIC / name, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


ROUTES = (
    Route("/me/notices", notices),
    Route("/me/notices/push", add_push, methods=["POST"]),
    Route("/me/notices/mail", add_mail, methods=["POST"]),
    Route("/me/notices/hook", add_hook, methods=["POST"]),
    Route("/me/notices/test", test, methods=["POST"]),
    Route("/me/notices/forget", forget, methods=["POST"]),
    Route("/me/notices/link/{token}", link),
    Route("/me/notices/link/{token}", follow, methods=["POST"]),
    Route("/worker.js", worker),
)


async def _show(request: Request, *, tested: int = 0, asked: int = 0, outcome: str = "") -> Response:
    visitor, post = visitor_of(request.scope), _post(request)
    ways = []
    if visitor.known:
        ways = await _store(request).read(partial(rows.ways_of, person=visitor.id))
    context = {
        "ways": [_way(way) for way in ways],
        "kinds": post.kinds,
        "key": post.push.public_key if post.push else "",
        "tested": tested,
        "asked": asked,
        "outcome": outcome,
    }
    return page(request, "notices.html", context, 200 if outcome in ("", SENT) else 502)


def _way(way: Way) -> dict[str, Any]:
    """A way as it is shown: of what is secret only where it leads."""
    if way.kind == "push":
        name = urlsplit(rows.endpoint_of(way)).hostname or ""
    elif way.kind == "hook":
        name = way.address.partition(":")[0]
    else:
        name = way.address
    return {
        "id": way.id,
        "kind": way.kind,
        "name": name,
        "confirmed": way.confirmed is not None,
        "outcome": way.outcome or "",
        "tried": way.tried,
    }


async def _add(request: Request, kind: str, address: str, *, confirmed: bool) -> Way:
    person = _known(request)
    base = str(request.base_url)
    if preferences_of(request.scope)["language"] == BROWSER and spoken() is not ENGLISH:
        # whoever sends notices knows no browser
        await Preferences(request.app.state.store).choose(person.id, {"language": spoken().tag})
    way = await _store(request).write(
        partial(
            rows.add_way,
            person=person.id,
            kind=kind,
            address=address,
            base=base,
            moment=_now(request),
            confirmed=confirmed,
        )
    )
    if way is None:
        raise Illegal("You are told in {n} ways already. Take one of them away first.", n=rows.MOST_WAYS)
    return way


def _known(request: Request) -> Visitor:
    """The visitor, who has loaded a page before, or anybody could leave rows that are nobody's. Raises Forbidden."""
    person = person_of(request)
    if not person.known:
        raise Forbidden(_NOBODY)
    return person


async def _mine(request: Request) -> Way:
    form = await read_form(request)
    id, person = number(form, "way", "which way you mean"), person_of(request).id
    ways = await _store(request).read(partial(rows.ways_of, person=person))
    found = next((way for way in ways if way.id == id), None)
    if found is None:
        raise Unknown("You are told in no such way any more. Load the page again.")
    return found


async def _of_link(request: Request) -> Way:
    found = await _store(request).read(partial(rows.way_of, token=request.path_params["token"]))
    if found is None:
        raise Unknown("This link leads to nothing any more: nobody is told there.")
    return found


def _sparingly(request: Request, address: str) -> None:
    """Raise TooMany where a person, or somebody at its address, asks for many letters or ways; or many letters go to
    one address. Raises Forbidden for who is not known."""
    state = request.app.state
    if not hasattr(state, "letters_asked"):
        state.letters_asked = Buckets(_RATE, _BURST), Buckets(SHARED * _RATE, SHARED * _BURST), Buckets(_RATE / 20, 3)
    people, addresses, recipients = state.letters_asked
    taken = [people.take(_known(request).id), addresses.take(origin_of(request.scope))]
    if address:
        taken.append(recipients.take(address.casefold()))
    if any(taken):
        raise TooMany(_TOO_SOON, seconds=int(max(taken)) + 1)


def _now(request: Request) -> Any:
    return request.app.state.settings.clock()


def _post(request: Request) -> Post:
    return request.app.state.post  # type: ignore[no-any-return]


def _store(request: Request) -> Store:
    return request.app.state.store  # type: ignore[no-any-return]
