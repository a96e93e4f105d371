"""Middleware against what strangers may send: other hosts, forged posts, too large and too many; security headers."""

from __future__ import annotations

import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thorp.core import words
from thorp.server.tables.refusals import Forbidden, Refusal, Unknown
from thorp.server.web.addresses import origin_of
from thorp.server.web.answers import BROKEN, refuse
from thorp.server.web.people import visitor_of
from thorp.server.web.refusals import Misdirected, TooLarge, TooMany, headers_of, status_of

log = logging.getLogger(__name__)

_SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}
#: What is the same for everybody, under whatever name: error pages need it, and whoever watches over the server.
_ANY_HOST = ("/static/", "/healthz", "/readyz", "/metrics")
#: What happens at any table: a move that comes too late, a choice that the rules do not allow.
_ORDINARY = (409, 422)
#: Where a match is rendered for whoever looks, and how live streams of it end, whose openings are counted apart.
_MATCHES, _STREAMS = "/tables/", "/events"
#: An address may look so many times as often as a person: each look takes some hundredths of a second of the processor.
SHARED_LOOKS = 2


def headers_for(nonce: str) -> dict[str, str]:
    """The headers of every answer. The nonce is for the scripts of that answer."""
    policy = (
        "default-src 'self'",
        f"script-src 'self' 'nonce-{nonce}'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }


class SecurityHeaders:
    """ASGI middleware: the security headers on every answer; pages are nobody else's to keep."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in headers_for(visitor_of(scope).nonce).items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)


async def broken(request: Request, error: Exception) -> Response:
    """The answer to a mistake of ours, which is made outside of all middleware. Starlette raises the error again."""
    answer = refuse(request, 500, words.Message(BROKEN))
    answer.headers.update({**headers_for(visitor_of(request.scope).nonce), "Cache-Control": "no-store"})
    return answer


#: An address may have so many times as much as a person: several may share it.
SHARED = 5


class Buckets:
    """Token buckets: `burst` at once, `rate` a second in the long run."""

    #: How many are remembered; the longest untouched are full again anyway.
    SIZE = 10_000

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """Take a token: 0, or how many seconds to wait for one."""
        moment = self.clock()
        tokens, since = self._buckets.pop(key, (float(self.burst), moment))
        tokens = min(self.burst, tokens + (moment - since) * self.rate)
        enough = tokens >= 1
        self._buckets[key] = (tokens - 1 if enough else tokens, moment)
        while len(self._buckets) > self.SIZE:
            self._buckets.popitem(last=False)
        return 0.0 if enough else (1 - tokens) / self.rate

    def put_back(self, key: str) -> None:
        """Put back a token that came to no use."""
        if key in self._buckets:
            tokens, since = self._buckets[key]
            self._buckets[key] = (min(self.burst, tokens + 1), since)


class Bounds:
    """How often a person may ask for something, and how often an address, which may have so many times as much."""

    def __init__(self, rate: float, burst: int, shared: int) -> None:
        self.people = Buckets(rate, burst)
        # A person without cookies is a new one every time.
        self.addresses = Buckets(shared * rate, shared * burst)

    def take(self, scope: Scope) -> None:
        """Count a request. Raises TooMany where it is one too many: then it counts for nobody else at the address."""
        visitor = visitor_of(scope)
        wait = self.people.take(visitor.id) if visitor.known else 0.0
        if not wait and (wait := self.addresses.take(origin_of(scope))) and visitor.known:
            self.people.put_back(visitor.id)
        if wait:
            seconds = math.ceil(wait)
            raise TooMany(
                "That was too fast for this server, so it was not done. Try again in {seconds} s.",
                seconds=seconds,
            )

    def put_back(self, scope: Scope) -> None:
        """A request has cost nothing."""
        self.people.put_back(visitor_of(scope).id)
        self.addresses.put_back(origin_of(scope))


class Guard:
    """ASGI middleware: refuses other hosts, posts from other sites, too many posts and looks, and too large bodies.

    `looks`: at matches; `openings`: of their live streams, which may be many at once as a server starts again.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        posts: Bounds,
        looks: Bounds,
        openings: Bounds,
        body_limit: int,
        hosts: Sequence[str] = (),
    ) -> None:
        self.app = app
        self.posts = posts
        self.looks = looks
        self.openings = openings
        self.body_limit = body_limit
        self.hosts = tuple(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        safe = scope["method"] in _SAFE
        looks = safe and _is_look(scope["path"])
        send = send if safe else _noted(scope, send)
        try:
            self._check_host(scope)
            if "\0" in scope["path"]:
                # some databases cannot be asked about this sign
                raise Unknown("There is no such page. Check the address, or go back to the start.")
            if looks:
                self.looks.take(scope)
                send = self._unless_kept(scope, send)
            elif safe and _is_opening(scope["path"]):
                self.openings.take(scope)
            elif not safe:
                self._check(scope)
        except Refusal as refusal:
            headers = headers_of(refusal)
            if looks and "Retry-After" in headers:
                # a page comes by itself then
                headers["Refresh"] = headers["Retry-After"]
            answer = refuse(Request(scope), status_of(refusal), refusal.message, headers)
            await answer(scope, receive, send)
            return
        await self.app(scope, receive if safe else _limited(receive, self.body_limit), send)

    def _check_host(self, scope: Scope) -> None:
        if self.hosts and not scope["path"].startswith(_ANY_HOST):
            name = host_of(Headers(scope=scope))
            if not any(_is_host(name, host) for host in self.hosts):
                raise Misdirected("This server does not go by that name. Open it at its own address.")

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if not is_same_origin(headers):
            raise Forbidden("This came from another site, so it was not done. Open the page here and try again.")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > self.body_limit:
            raise _too_large(self.body_limit)
        self.posts.take(scope)

    def _unless_kept(self, scope: Scope, send: Send) -> Send:
        """A `send` that does not count the look where what the browser has kept is still true: nothing was made."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 304:
                self.looks.put_back(scope)
            await send(message)

        return sending


def _is_look(path: str) -> bool:
    """Whether what is asked for there is made from a match, which takes long."""
    return path.startswith(_MATCHES) and not path.endswith(_STREAMS)


def _is_opening(path: str) -> bool:
    """Whether a live stream is asked for there, which begins with the table as it is now."""
    return path.startswith(_MATCHES) and path.endswith(_STREAMS)


def is_same_origin(headers: Headers) -> bool:
    """Whether a post comes from our own pages, as far as browsers tell; other programs do not tell, and may post."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        # "none": the person itself sent it, not a page.
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        # no address at all, as http://[::1
        return False


def host_of(headers: Headers) -> str:
    """The name by which a request asks for the server, without its port; empty where it is no name."""
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def _is_host(name: str, host: str) -> bool:
    return name.endswith(host[1:]) if host.startswith("*.") else name == host.strip("[]")


def _noted(scope: Scope, send: Send) -> Send:
    """A `send` that notes refusals of posts in the log: what was asked for and from where, nothing that was sent."""

    async def noting(message: Message) -> None:
        if message["type"] == "http.response.start":
            status = message["status"]
            if 400 <= status < 500 and status not in _ORDINARY:
                route = scope.get("route")
                asked = route.path if isinstance(route, Route) else "a page"
                log.warning(f"a post to {asked} was refused with {status}, from %s", origin_of(scope))
        await send(message)

    return noting


def _too_large(limit: int) -> TooLarge:
    return TooLarge("That was more than this server takes at once ({n} KiB), so it was not done.", n=limit // 1024)


def _limited(receive: Receive, limit: int) -> Receive:
    """A `receive` that gives up on a body longer than `limit`, whatever its headers said."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            raise _too_large(limit)
        return message

    return limited
