"""Answers: pages, fragments and refusals, rendered for whoever asked."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import URL
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from thorp.core.words import Message, Said, say
from thorp.server.tables.refusals import NotReady, Refusal
from thorp.server.web.languages import offered
from thorp.server.web.people import UNREAD, visitor_of
from thorp.server.web.preferred import preferences_of
from thorp.server.web.refusals import headers_of, status_of

log = logging.getLogger(__name__)

_TITLES: Said[dict[int, str]] = {
    400: "That did not come through",
    403: "That is not yours to do",
    404: "Nothing here",
    409: "The table has moved on",
    410: "This table is closed",
    413: "That was too much",
    421: "Another address",
    422: "That does not go",
    429: "A little slower",
    500: "Something broke",
    503: "Not just now",
}
_SENTENCES: Said[dict[int, str]] = {
    404: "There is no such page. Check the address, or go back to the start.",
    405: "This page cannot be asked in that way. Go back to the start.",
}
BROKEN: Said[str] = "The server made a mistake, and has noted it. Nothing of yours is lost: load the page again."
UNAVAILABLE: Said[str] = (
    "The server cannot reach or write its store just now, so nothing was changed and nothing is lost. Try again in a "
    "moment; if it stays so, whoever runs the server should look at its disk."
)


def is_htmx(request: Request) -> bool:
    """Whether htmx sent a request, and wants a fragment."""
    return request.headers.get("hx-request") == "true"


def address_of(request: Request) -> str:
    """The whole address that was asked for, as messengers want it; empty where the request names no host."""
    try:
        return str(request.url)
    except ValueError:
        # no address at all, as http://[::1
        return ""


def site_of(request: Request) -> str:
    """What the addresses of this server begin with, for whoever has to have whole ones; empty as above."""
    try:
        return str(request.base_url)
    except ValueError:
        return ""


def _own_address(request: Request) -> str:
    """Where the visitor is, for forms that lead back; the first page, where only a form leads here."""
    if request.method not in ("GET", "HEAD"):
        return "/"
    query = request.scope["query_string"].decode("latin-1")
    return f"{request.url.path}?{query}" if query else request.url.path


def render(request: Request, template: str, context: Mapping[str, Any] | None = None) -> str:
    """A template with what every template is given."""
    visitor = visitor_of(request.scope)
    everywhere = {
        "person": visitor,
        "notice": "",
        "unread": UNREAD,
        "nonce": visitor.nonce,
        "here": address_of(request),
        "site": site_of(request),
        "preferences": preferences_of(request.scope),
        "languages": offered(request.scope),
        "back": _own_address(request),
    }
    return request.app.state.jinja.get_template(template).render(  # type: ignore[no-any-return]
        {**everywhere, **(context or {})}
    )


def page(request: Request, template: str, context: Mapping[str, Any] | None = None, status: int = 200) -> Response:
    """A rendered page."""
    return HTMLResponse(render(request, template, context), status)


def preparing(request: Request, progress: tuple[int, int]) -> Response:
    """The page that waits until rules are compiled, and then looks again by itself."""
    done, total = progress
    answer = page(request, "compiling.html", {"done": done, "total": total}, 503)
    answer.headers["Retry-After"] = "2"
    return answer


def go(request: Request, address: str) -> Response:
    """Send the browser to another page."""
    if is_htmx(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(URL(address), status_code=303)


def refuse(request: Request, status: int, why: Message, headers: Mapping[str, str] | None = None) -> Response:
    """A refusal: a page of its own, or a word at the place for notices of the page that htmx has open."""
    sentence = say(why)
    if is_htmx(request):
        text = render(request, "_notice.html", {"notice": sentence})
        aim = {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
        return HTMLResponse(text, status, {**(headers or {}), **aim})
    title = say(Message(_TITLES.get(status, "That did not work")))
    text = render(request, "error.html", {"status": status, "title": title, "sentence": sentence})
    return HTMLResponse(text, status, headers)


async def refused(request: Request, error: Exception) -> Response:
    """The answer to a Refusal."""
    assert isinstance(error, Refusal)
    if isinstance(error, NotReady) and request.method in ("GET", "HEAD") and not is_htmx(request):
        return preparing(request, request.app.state.readiness.progress(error.game))
    return refuse(request, status_of(error), error.message, headers_of(error))


async def unavailable(request: Request, error: Exception) -> Response:
    """The answer where the store could not be reached."""
    # Why is for those who run the server, and else they would not know.
    log.warning("the store cannot be read or written (%s)", error)
    return refuse(request, 503, Message(UNAVAILABLE), {"Retry-After": "5"})


async def left(request: Request, error: Exception) -> Response:
    """What nobody reads: whoever asked went away before the whole request had come."""
    return Response(status_code=400)


async def http_error(request: Request, error: Exception) -> Response:
    """The answer to an error that Starlette found."""
    assert isinstance(error, HTTPException)
    known = _SENTENCES.get(error.status_code, "")
    fault = {"fault": error.detail.rstrip(".")}
    why = Message(known) if known else Message("{fault}. Go back and try again.", fault)
    return refuse(request, error.status_code, why, error.headers)
