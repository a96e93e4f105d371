"""Figures of a server for Prometheus: counts and times, with no id, no name and nothing of a match in them."""

from __future__ import annotations

import secrets
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thorp.server.tables.live import Live
from thorp.server.tables.readiness import Readiness
from thorp.server.tables.refusals import Unknown
from thorp.server.tables.table import Table

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
#: What a request is counted as where no route of ours took it, whatever it asked for.
_OTHER = "other"


class Metrics:
    """The figures of one application."""

    def __init__(self, live: Live, readiness: Readiness) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.requests = Counter(
            "thorp_requests", "Requests, by route and status", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "thorp_request_seconds", "Until an answer began", ["route"], buckets=_BUCKETS, registry=self.registry
        )
        self.changes = Counter("thorp_table_changes", "Moves and take-backs stored", ["game"], registry=self.registry)
        self.finished = Counter(
            "thorp_matches_finished", "Matches played to their end", ["game"], registry=self.registry
        )
        streams = Gauge("thorp_streams", "Live streams of tables", registry=self.registry)
        streams.set_function(lambda: live.watching)
        ready = Gauge("thorp_ready", "1 where the rules of all games are ready", registry=self.registry)
        ready.set_function(lambda: float(readiness.all_ready.is_set()))

    def moved(self, table: Table) -> None:
        """Called with every table that has moved on here."""
        self.changes.labels(table.row.game).inc()
        if table.match.over:
            self.finished.labels(table.row.game).inc()


class Measured:
    """ASGI middleware: counts requests, and times them until their answer begins."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        metrics: Metrics = scope["app"].state.metrics
        began, is_answered = time.perf_counter(), False

        def count(status: int) -> None:
            nonlocal is_answered
            is_answered = True
            route = getattr(scope.get("route"), "path", _OTHER)
            metrics.seconds.labels(route).observe(time.perf_counter() - began)
            metrics.requests.labels(_method(scope), route, str(status)).inc()

        async def measuring(message: Message) -> None:
            if message["type"] == "http.response.start":
                count(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, measuring)
        except Exception:
            # what is answered then is answered outside of all middleware
            if not is_answered:
                count(500)
            raise


def _method(scope: Scope) -> str:
    """A method, as far as it is one of those that are used: strangers may send any word."""
    return scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else _OTHER


async def metrics(request: Request) -> Response:
    """The figures, for whoever brings the token; for others there is no such page."""
    token: str = request.app.state.settings.metrics_token
    brought = request.headers.get("authorization", "").encode()
    if not token or not secrets.compare_digest(brought, f"Bearer {token}".encode()):
        raise Unknown("There is no such page. Check the address, or go back to the start.")
    return Response(generate_latest(request.app.state.metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
