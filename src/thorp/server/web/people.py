"""People: a signed cookie is a person. No account, no password, nothing stored but what tables say."""

from __future__ import annotations

import re
import secrets
import time
import unicodedata
from dataclasses import dataclass, field

from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thorp.server.web.refusals import BadForm

COOKIE = "thorp_person"
YEAR = 365 * 24 * 3600
#: A cookie older than this is written again, so that who comes now and then stays the same person.
RENEW = 30 * 24 * 3600
#: Paths at which nobody is anybody.
_IMPERSONAL = ("/static/", "/healthz")
MAX_NAME = 40
DEFAULT_NAME = "Guest"

BROKEN_COOKIE = (
    "Your browser sent a cookie that this server did not sign, so you are a new player here: tables where you sat "
    "before can be watched, but not played on."
)


@dataclass
class Visitor:
    """Who sent a request."""

    id: str
    name: str
    #: Whether this person was known before this request.
    known: bool = True
    #: What to tell the person about that.
    notice: str = ""
    #: Whether the answer has to bring the cookie.
    stale: bool = False
    #: Of this answer, for its Content-Security-Policy.
    nonce: str = field(default_factory=lambda: secrets.token_urlsafe(16))

    def rename(self, name: str) -> None:
        """Take another name. Raises BadForm where it is none."""
        self.name = clean_name(name)
        self.stale = True


def clean_name(name: str) -> str:
    """A display name without anything that is invisible. Raises BadForm where nothing, or too much, is left."""
    visible = "".join(c for c in name if unicodedata.category(c)[0] != "C")
    text = re.sub(r"\s+", " ", visible).strip()
    if not text:
        raise BadForm("A name needs at least one letter. Write one and try again.")
    if len(text) > MAX_NAME:
        raise BadForm(f"A name can have {MAX_NAME} letters at most, and this one has {len(text)}. Shorten it.")
    return text


class Cookies:
    """Reads and writes the cookies that are people."""

    def __init__(self, key: str) -> None:
        self._serializer = URLSafeTimedSerializer(key, salt="person")

    def read(self, value: str | None) -> Visitor:
        """The person of a cookie; a new one where there is none, or a broken one."""
        if value is None:
            return _new_visitor()
        try:
            data, written = self._serializer.loads(value, max_age=YEAR, return_timestamp=True)
            visitor = Visitor(str(data["id"]), clean_name(str(data["name"])))
        except (BadSignature, BadForm, KeyError, TypeError):
            return _new_visitor(BROKEN_COOKIE)
        visitor.stale = time.time() - written.timestamp() > RENEW
        return visitor

    def write(self, visitor: Visitor) -> str:
        """The value of a person's cookie."""
        value = self._serializer.dumps({"id": visitor.id, "name": visitor.name})
        return value if isinstance(value, str) else value.decode()


def _new_visitor(notice: str = "") -> Visitor:
    return Visitor(secrets.token_urlsafe(16), DEFAULT_NAME, known=False, notice=notice, stale=True)


async def rename(request: Request, name: str) -> None:
    """Give the visitor another name, here and at its running tables. Raises BadForm where it is none."""
    visitor = visitor_of(request.scope)
    visitor.rename(name)
    await request.app.state.tables.rename(visitor.id, visitor.name)


def visitor_of(scope: Scope) -> Visitor:
    """Who sent a request."""
    visitor = scope.get("thorp.visitor")
    return visitor if isinstance(visitor, Visitor) else _new_visitor()


class People:
    """ASGI middleware: puts the Visitor into the scope, and its cookie onto the answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"].startswith(_IMPERSONAL):
            await self.app(scope, receive, send)
            return
        cookies: Cookies = scope["app"].state.cookies
        visitor = cookies.read(cookie_parser(Headers(scope=scope).get("cookie", "")).get(COOKIE))
        scope["thorp.visitor"] = visitor

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and visitor.stale:
                secure = "; Secure" if scope["scheme"] == "https" else ""
                MutableHeaders(scope=message).append(
                    "set-cookie",
                    f"{COOKIE}={cookies.write(visitor)}; Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax{secure}",
                )
            await send(message)

        await self.app(scope, receive, send_with_cookie)
