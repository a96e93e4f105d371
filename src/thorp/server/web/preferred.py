"""What the visitor prefers, read once for a page: how it looks depends on that from its first byte on."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from thorp.server.tables.preferences import USUAL, Preferences
from thorp.server.tables.store import Unavailable
from thorp.server.web.languages import turn_to_choice
from thorp.server.web.people import visitor_of

#: What is no page: the same for everybody, or a part that stands on one.
_NO_PAGE = re.compile(r"/static/.*|/healthz|/readyz|/metrics|.*/(events|fragment)|.*\.(png|css|json)", re.DOTALL)


def preferences_of(scope: Scope) -> Mapping[str, str]:
    """What the visitor of a page prefers; to what is no page, what holds for who has chosen nothing."""
    chosen: Mapping[str, str] = scope.get("thorp.preferences", USUAL)
    return chosen


class Preferred:
    """ASGI middleware: puts what the visitor prefers into the scope of a request that may be answered by a page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http" and _may_be_page(scope) and (visitor := visitor_of(scope)).known:
            # A page that says that the store fails is shown as to anybody.
            with contextlib.suppress(Unavailable):
                scope["thorp.preferences"] = chosen = await Preferences(scope["app"].state.store).of(visitor.id)
                turn_to_choice(scope, chosen["language"])
        await self.app(scope, receive, send)


def _may_be_page(scope: Scope) -> bool:
    return not _NO_PAGE.fullmatch(scope["path"]) and Headers(scope=scope).get("hx-request") != "true"
