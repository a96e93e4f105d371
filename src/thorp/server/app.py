"""The application: everything put together, and the server that runs it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import webbrowser
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from platformdirs import user_data_path
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from thorp.server.settings import Settings
from thorp.server.tables.bots import Bots
from thorp.server.tables.live import Live
from thorp.server.tables.readiness import Readiness
from thorp.server.tables.refusals import Refusal
from thorp.server.tables.rooms import Tables
from thorp.server.tables.store import Store, Unavailable, sqlite_url
from thorp.server.web import answers, looks, pages, security, setup, table_pages
from thorp.server.web.looks import Looks
from thorp.server.web.people import Cookies, People
from thorp.server.web.templates import STATIC, Assets, environment

log = logging.getLogger(__name__)

#: What the file of the database is called.
DATABASE = "thorp.db"


class HashedFiles(StaticFiles):
    """Built files: their names change with their content, so they may be kept for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer one request."""
        response = await super().get_response(path, scope)
        if response.status_code in (200, 304):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def create_app(settings: Settings) -> Starlette:
    """The application on a store; its start brings the database up to date and the rules into the machine.

    Raises OSError where the folder of the database cannot be made.
    """
    app = Starlette(
        routes=[
            Route("/", pages.home),
            Route("/games/{game}", setup.game_page),
            Route("/games/{game}/look/{name}.css", looks.look),
            Route("/tables", setup.create, methods=["POST"]),
            Route("/tables/{id}", table_pages.table_page),
            Route("/tables/{id}/fragment", table_pages.fragment),
            Route("/tables/{id}/moves", table_pages.play, methods=["POST"]),
            Route("/tables/{id}/take-back", table_pages.take_back, methods=["POST"]),
            Route("/tables/{id}/again", table_pages.again, methods=["POST"]),
            Route("/tables/{id}/events", table_pages.events),
            Route("/tables/{id}/export.json", table_pages.export),
            Route("/me", pages.rename, methods=["POST"]),
            Route("/credits", pages.credits_page),
            Route("/healthz", pages.health),
            Mount("/static", HashedFiles(directory=STATIC, check_dir=False)),
        ],
        middleware=[
            Middleware(security.SecurityHeaders),
            Middleware(People),
            Middleware(
                security.Guard,
                rate=settings.post_rate,
                burst=settings.post_burst,
                body_limit=settings.body_limit,
            ),
        ],
        exception_handlers={
            Refusal: answers.refused,
            Unavailable: answers.unavailable,
            HTTPException: answers.http_error,
            Exception: security.broken,
        },
        lifespan=_lifespan,
    )
    state = app.state
    state.settings = settings
    state.looks = Looks(keep=not settings.debug)
    state.jinja = environment(Assets(), state.looks, debug=settings.debug)
    state.live = Live()
    state.store = _store(settings)
    state.readiness = Readiness(settings.players, apart=settings.compile_apart)
    state.tables = Tables(
        state.store, state.live.tell, state.live.is_watched, state.readiness.is_ready, settings.random_bits
    )
    state.bots = Bots(state.tables, settings.players, settings.bot_retry)
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    state = app.state
    await state.store.open()
    state.cookies = Cookies(await state.store.secret("cookies"))
    getting_ready = asyncio.create_task(_get_ready(app))
    try:
        yield
    finally:
        state.live.close()
        if not state.readiness.all_ready.is_set():
            getting_ready.cancel()
        await asyncio.gather(state.bots.close(), getting_ready, return_exceptions=True)
        await state.store.close()


def _store(settings: Settings) -> Store:
    """The store of a server. Raises OSError where its folder cannot be made."""
    if settings.database:
        return Store(settings.database)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    return Store(sqlite_url(settings.data_dir / DATABASE))


async def _get_ready(app: Starlette) -> None:
    """Prepare the rules, and then go on where bots were at work."""
    try:
        await app.state.readiness.prepare()
        await app.state.bots.wake_all()
    except Exception:
        log.exception("getting ready failed")


class _Server(uvicorn.Server):
    """Uvicorn waits for all answers before it stops, and live streams never end by themselves: end them first."""

    def __init__(self, config: uvicorn.Config, app: Starlette) -> None:
        super().__init__(config)
        self._live: Live = app.state.live

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        self._live.close()
        await super().shutdown(sockets)


def default_data_dir() -> Path:
    """Where tables are kept: THORP_DATA, or the user's data folder."""
    return Path(os.environ.get("THORP_DATA") or user_data_path("thorp", appauthor=False))


def serve(settings: Settings, host: str = "127.0.0.1", port: int = 8000, *, open_browser: bool = False) -> None:
    """Serve until interrupted. Port 0 takes a free one. Raises SystemExit with a sentence where it cannot start."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    where = settings.database or str(settings.data_dir)
    try:
        asyncio.run(_try_store(settings))
    except (Unavailable, OSError) as error:
        raise SystemExit(f"Thorp cannot keep its tables in {where}: {error}. Choose another folder.") from error
    try:
        listening = _listen(host, port)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise SystemExit(f"Thorp cannot listen at {host}, port {port}: {reason}. Choose another port.") from error
    address = _address(host, listening.getsockname()[1])
    print(f"Thorp is at {address}  (its tables are kept in {where}; Ctrl-C stops it)", flush=True)
    if open_browser:
        webbrowser.open(address)
    app = create_app(settings)
    config = uvicorn.Config(
        app, lifespan="on", log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=5
    )
    with contextlib.suppress(KeyboardInterrupt):
        _Server(config, app).run(sockets=[listening])


async def _try_store(settings: Settings) -> None:
    """Open the store once before anything is announced: what is wrong with it is said in one sentence."""
    store = _store(settings)
    try:
        await store.open()
    finally:
        await store.close()


def _listen(host: str, port: int) -> socket.socket:
    # Named TCP, which `socket.create_server` leaves out: asyncio sends small packets at once only on such sockets,
    # and without that every answer takes 40 ms more.
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    try:
        if os.name == "posix":
            # Elsewhere it would let two servers listen at one port.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"
