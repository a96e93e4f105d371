"""In which language a visitor is answered: as it has chosen, else as its browser wants, else as the link has it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thorp.core.language import ENGLISH, Language, best, speak, speaking, spoken
from thorp.core.offered import complete
from thorp.server.web.cookie_header import cookie_parser

#: What a browser was told of the choice of its person: fragments and streams have no time to ask the store.
COOKIE = "thorp_language"
#: What an address that is given to others may say: the language of who gives it.
QUERY = "language"
#: What a person prefers that has chosen no language.
BROWSER = "browser"
_YEAR = 365 * 24 * 3600
#: What is the same in all languages.
_SILENT = ("/static/", "/healthz", "/readyz", "/metrics")


@lru_cache
def _complete(games: tuple[str, ...]) -> tuple[Language, ...]:
    return complete(games)


def offered(scope: Scope) -> Sequence[Language]:
    """The languages that a visitor can choose at this server."""
    return _complete(tuple(scope["app"].state.readiness.games))


def turn_to_choice(scope: Scope, chosen: str) -> None:
    """Go on in the language that the visitor has chosen, if it is offered here, and let its browser know."""
    found = next((each for each in offered(scope) if each.tag == chosen), None)
    if found:
        speak(found)
        scope["thorp.language"] = found.tag


def with_language(address: str) -> str:
    """An address that is given to others, with the language that is spoken; English needs no word."""
    tag = spoken().tag
    return address if tag == ENGLISH.tag else f"{address}{'&' if '?' in address else '?'}{QUERY}={tag}"


class Speaking:
    """ASGI middleware: every request is answered in the language of who asks."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"].startswith(_SILENT):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        kept = _cookie(headers)

        async def send_with_cookie(message: Message) -> None:
            chosen = scope.get("thorp.language", kept)
            if message["type"] == "http.response.start" and chosen != kept:
                secure = "; Secure" if scope["scheme"] == "https" else ""
                cookie = f"{COOKIE}={chosen}; Max-Age={_YEAR}; Path=/; HttpOnly; SameSite=Lax{secure}"
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        with speaking(_language_of(scope, headers, kept)):
            await self.app(scope, receive, send_with_cookie)


def _language_of(scope: Scope, headers: Headers, kept: str) -> Language:
    by_tag = {each.tag: each for each in offered(scope)}
    if len(by_tag) == 1:
        return ENGLISH
    asked = QueryParams(scope["query_string"]).get(QUERY, "")
    # a picture is shown by whoever was given its address, and is drawn for the page that names it
    wishes = (asked, kept) if scope["path"].endswith(".png") else (kept,)
    for tag in (*wishes, best(headers.get("accept-language", ""), by_tag), asked):
        if tag in by_tag:
            return by_tag[tag]
    return ENGLISH


def _cookie(headers: Headers) -> str:
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
