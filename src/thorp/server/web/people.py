"""People: a signed cookie is a person. No account, no password, nothing stored but what tables say."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from itsdangerous import BadData, URLSafeSerializer, URLSafeTimedSerializer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thorp.core.language import spoken
from thorp.core.words import Said
from thorp.server.tables.chat import with_few_marks
from thorp.server.tables.refusals import Forbidden
from thorp.server.web.cookie_header import cookie_parser
from thorp.server.web.refusals import BadForm

#: The cookie of every server, before each had a name of its own for it: still read, and left alone.
FORMER_COOKIE = "thorp_person"
YEAR = 365 * 24 * 3600
#: A cookie older than this is written again, so that who comes now and then stays the same person.
RENEW = 30 * 24 * 3600
#: Paths at which nobody is anybody.
_IMPERSONAL = ("/static/", "/healthz")
MAX_NAME = 40
#: Who has given no name: said in the language that is spoken now, but at tables that are over.
DEFAULT_NAME: Said[str] = "Guest"

_NO_LETTER: Said[str] = "A name needs at least one letter. Write one and try again."
#: What is a letter or a sign to Unicode, and nothing to the eye.
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"

UNREAD: Said[str] = (
    "Your browser brought a cookie of this server that cannot be read, so it is not known who you are: you can watch, "
    "but not play. Nothing was changed. Your private link makes you yourself again; or start as somebody new."
)


@dataclass
class Visitor:
    """Who sent a request."""

    id: str
    #: The name that it has given; DEFAULT_NAME where it has given none.
    given: str
    #: Whether this person was known before this request.
    known: bool = True
    #: A passer-by: there is a cookie of ours that could not be read. It is not written over unless the person says so.
    unread: bool = False
    #: Whether the answer has to bring the cookie.
    stale: bool = False
    #: Of this answer, for its Content-Security-Policy.
    nonce: str = field(default_factory=lambda: secrets.token_urlsafe(16))

    @property
    def name(self) -> str:
        """What it is called."""
        return spoken().text(DEFAULT_NAME) if self.given == DEFAULT_NAME else self.given

    def rename(self, name: str) -> None:
        """Take another name. Raises BadForm where it is none."""
        cleaned = clean_name(name)
        # forms show what it is called: who sends that back has still given no name
        self.given = DEFAULT_NAME if cleaned == spoken().text(DEFAULT_NAME) else cleaned
        self.stale = True

    def become(self, other: Visitor) -> None:
        """Be somebody else from now on, in this browser."""
        self.id, self.given = other.id, other.given
        self.known, self.unread, self.stale = other.known, False, True


@dataclass(frozen=True)
class Key:
    """What stands in a private link: a person, and how often it had called such links back when it was made."""

    visitor: Visitor
    generation: int


def clean_name(name: str) -> str:
    """A display name that can be seen, and covers nothing else. Raises BadForm where nothing, or too much, is left."""
    text = with_few_marks(_tidied(name))
    if not any(unicodedata.category(c)[0] in "LNPS" and c not in _FILLERS for c in text):
        raise BadForm(_NO_LETTER)
    return text


def _tidied(name: str) -> str:
    """A name as it was kept before anything else was asked of it. Raises BadForm as `clean_name`."""
    visible = "".join(c for c in name if unicodedata.category(c)[0] != "C")
    text = re.sub(r"\s+", " ", visible).strip()
    if not text:
        raise BadForm(_NO_LETTER)
    if len(text) > MAX_NAME:
        words = "A name can have {most} letters at most, and this one has {n}. Shorten it."
        raise BadForm(words, most=MAX_NAME, n=len(text))
    return text


class Cookies:
    """Reads and writes the cookies that are people, and the keys in private links.

    `store` is the id of the server's store. Cookies know no ports: those of servers on one host must differ in name.
    """

    def __init__(self, key: str, store: str) -> None:
        self.name = f"thorp_{hashlib.sha256(store.encode()).hexdigest()[:12]}"
        self._cookies = URLSafeTimedSerializer(key, salt="person")
        self._keys = URLSafeSerializer(key, salt="private link")

    def visitor(self, sent: Mapping[str, str]) -> Visitor:
        """Who sent these cookies: a new person where none is ours, a passer-by where ours cannot be read."""
        if self.name in sent:
            return self.read(sent[self.name]) or _passer_by()
        if former := self.read(sent.get(FORMER_COOKIE, "")):
            former.stale = True
            return former
        return new_visitor()

    def read(self, value: str) -> Visitor | None:
        """The person of a cookie, or None where it cannot be read."""
        try:
            # Told its longest age, the serializer would refuse what was written in the future, and clocks do go back.
            data, written = self._cookies.loads(value, return_timestamp=True)
            visitor = _visitor(data)
        except (BadData, BadForm, KeyError, TypeError):
            return None
        age = abs(time.time() - written.timestamp())
        visitor.stale = age > RENEW
        return visitor if age <= YEAR else None

    def write(self, visitor: Visitor) -> str:
        """The value of a person's cookie."""
        return _text(self._cookies.dumps({"id": visitor.id, "name": visitor.given}))

    def read_key(self, key: str) -> Key | None:
        """The key of a private link, or None where it is none of ours."""
        try:
            data = self._keys.loads(key)
            return Key(_visitor(data), int(data.get("generation", 0)))
        except (BadData, BadForm, KeyError, TypeError, ValueError):
            return None

    def write_key(self, visitor: Visitor, generation: int = 0) -> str:
        """The key of a person's private link: whoever has it is that person, until the person calls it back."""
        first = {"id": visitor.id, "name": visitor.given}
        return _text(self._keys.dumps({**first, "generation": generation} if generation else first))


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode()


def _visitor(data: Any) -> Visitor:
    # who has a name that is not taken any more stays who it is
    return Visitor(str(data["id"]), _tidied(str(data["name"])))


def _passer_by() -> Visitor:
    return Visitor(secrets.token_urlsafe(16), DEFAULT_NAME, known=False, unread=True)


def new_visitor() -> Visitor:
    """Somebody who has not been here."""
    return Visitor(secrets.token_urlsafe(16), DEFAULT_NAME, known=False, stale=True)


async def rename(request: Request, name: str) -> None:
    """Give the visitor another name, here and at its running tables.

    Raises BadForm where it is none, Forbidden for a passer-by.
    """
    person = person_of(request)
    before = person.name
    person.rename(name)
    await request.app.state.tables.rename(person.id, person.name, before)


def visitor_of(scope: Scope) -> Visitor:
    """Who sent a request."""
    visitor = scope.get("thorp.visitor")
    return visitor if isinstance(visitor, Visitor) else new_visitor()


def person_of(request: Request) -> Visitor:
    """The visitor, where it needs a name or a seat. Raises Forbidden for a passer-by, who is another one next time."""
    visitor = visitor_of(request.scope)
    if visitor.unread:
        raise Forbidden(UNREAD)
    return visitor


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
        visitor = cookies.visitor(cookie_parser(Headers(scope=scope).get("cookie", "")))
        scope["thorp.visitor"] = visitor

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and visitor.stale and not _is_for_all(message):
                secure = "; Secure" if scope["scheme"] == "https" else ""
                MutableHeaders(scope=message).append(
                    "set-cookie",
                    f"{cookies.name}={cookies.write(visitor)}; Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax{secure}",
                )
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _is_for_all(start: Message) -> bool:
    """Whether an answer may be kept for everybody: who brings it to others would bring them the cookie, too."""
    return Headers(raw=start["headers"]).get("cache-control", "").startswith("public")
