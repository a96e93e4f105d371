"""The application: everything put together, and the server that runs it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shlex
import socket
import webbrowser
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from platformdirs import user_data_path
from sqlalchemy.engine import make_url
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from thorp.server import workers as several
from thorp.server.logs import Sparing
from thorp.server.notices.post import Post
from thorp.server.settings import Settings
from thorp.server.tables.beforehand import Beforehand
from thorp.server.tables.bots import Bots
from thorp.server.tables.chat import Chats
from thorp.server.tables.hints import Hints
from thorp.server.tables.live import Live
from thorp.server.tables.neighbours import Neighbours
from thorp.server.tables.readiness import Readiness
from thorp.server.tables.records import Records
from thorp.server.tables.refusals import Refusal
from thorp.server.tables.reviews import Reviews
from thorp.server.tables.rooms import Tables
from thorp.server.tables.sqlite import exposed
from thorp.server.tables.store import Damaged, Store, Unavailable, sqlite_url
from thorp.server.tables.studies import STUDIED, Studies
from thorp.server.tables.thinking import Thinkers
from thorp.server.tables.timer import Timer
from thorp.server.web import (
    answers,
    beforehand_pages,
    chat_pages,
    connections,
    consent_pages,
    forecast,
    gathering,
    guide_pages,
    hint_pages,
    languages,
    looks,
    me,
    metrics,
    notice_pages,
    pages,
    pictures,
    points,
    positions,
    record_pages,
    review_pages,
    security,
    setup,
    statistics_pages,
    table_pages,
    why,
)
from thorp.server.web.addresses import also_mapped, networks
from thorp.server.web.connections import Door
from thorp.server.web.limits import Limits
from thorp.server.web.looks import Looks
from thorp.server.web.people import Cookies, People
from thorp.server.web.preferred import Preferred
from thorp.server.web.recording import Recorder
from thorp.server.web.rulebooks import Rulebooks
from thorp.server.web.templates import STATIC, Assets, environment

log = logging.getLogger(__name__)

#: How hard what is sent is compressed: a twentieth smaller than with 4, for a tenth of a millisecond more.
COMPRESSION = 5
#: What compressing makes no smaller. Starlette leaves out streams too, whose events come to a sixth and less.
_NOT_COMPRESSED = tuple(kind for kind in DEFAULT_EXCLUDED_CONTENT_TYPES if kind != "text/event-stream")
#: What the file of the database is called.
DATABASE = "thorp.db"
#: Milliseconds after which whoever takes nothing of what was sent is gone, on systems that can tell (Linux).
GONE = 60_000


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
            Route("/games/{game}/rules", pages.rules),
            Route("/games/{game}/look/{name}.css", looks.look),
            Route("/games/{game}/learn", guide_pages.learn, methods=["POST"]),
            Route("/tables", setup.create, methods=["POST"]),
            Route("/tables/{id}", table_pages.table_page),
            Route("/tables/{id}/fragment", table_pages.fragment),
            Route("/tables/{id}/moves", table_pages.play, methods=["POST"]),
            Route("/tables/{id}/why", why.why),
            Route("/tables/{id}/forecast", forecast.forecast),
            Route("/tables/{id}/points", points.points),
            Route("/tables/{id}/hint", hint_pages.hint),
            Route("/tables/{id}/hint", hint_pages.ask, methods=["POST"]),
            Route("/tables/{id}/review", review_pages.review),
            Route("/tables/{id}/review", review_pages.ask, methods=["POST"]),
            Route("/tables/{id}/take-back", table_pages.take_back, methods=["POST"]),
            Route("/tables/{id}/go-back", consent_pages.ask, methods=["POST"]),
            Route("/tables/{id}/go-back/answer", consent_pages.answer, methods=["POST"]),
            Route("/tables/{id}/chat", chat_pages.say, methods=["POST"]),
            Route("/tables/{id}/chat/switch", chat_pages.switch, methods=["POST"]),
            Route("/tables/{id}/chat/mute", chat_pages.mute, methods=["POST"]),
            Route("/tables/{id}/beforehand", beforehand_pages.panel),
            Route("/tables/{id}/beforehand", beforehand_pages.give, methods=["POST"]),
            Route("/tables/{id}/guide", guide_pages.tell, methods=["POST"]),
            Route("/tables/{id}/hand", table_pages.take_in_hand, methods=["POST"]),
            Route("/tables/{id}/again", table_pages.again, methods=["POST"]),
            Route("/tables/{id}/sit", gathering.sit, methods=["POST"]),
            Route("/tables/{id}/leave", gathering.leave, methods=["POST"]),
            Route("/tables/{id}/seat", gathering.seat, methods=["POST"]),
            Route("/tables/{id}/start", gathering.start, methods=["POST"]),
            Route("/tables/{id}/come-back", gathering.come_back, methods=["POST"]),
            Route("/tables/{id}/ask", gathering.ask, methods=["POST"]),
            Route("/tables/{id}/answer", gathering.answer, methods=["POST"]),
            Route("/tables/{id}/events", table_pages.events),
            Route("/tables/{id}/picture.png", pictures.table_picture),
            Route("/tables/{id}/at/{ply}/picture.png", pictures.position_picture),
            Route("/tables/{id}/at", positions.find_position),
            Route("/tables/{id}/at/{ply}", positions.position),
            Route("/tables/{id}/at/{ply}/play-on", positions.play_on, methods=["POST"]),
            Route("/matches", positions.take_in, methods=["POST"]),
            Route("/tables/{id}/export.json", table_pages.export),
            Route("/tables/{id}/best", statistics_pages.best),
            Route("/records/look/{digest}.css", record_pages.look),
            Route("/me", me.me),
            Route("/me", me.rename, methods=["POST"]),
            Route("/me/link", me.come_back, methods=["POST"]),
            Route("/me/once", me.take_along, methods=["POST"]),
            Route("/me/call-back", me.call_back, methods=["POST"]),
            Route("/me/language", me.speak, methods=["POST"]),
            Route("/me/settings", me.prefer, methods=["POST"]),
            Route("/me/new", me.start_new, methods=["POST"]),
            Route("/me/statistics", statistics_pages.statistics),
            *notice_pages.ROUTES,
            Route("/credits", pages.credits_page),
            Route("/healthz", pages.health),
            Route("/readyz", pages.ready),
            Route("/metrics", metrics.metrics),
            Mount("/static", HashedFiles(directory=STATIC, check_dir=False)),
        ],
        middleware=[
            Middleware(metrics.Measured),
            # Every event of a stream is flushed. A level beyond this one takes ten times as long for a tenth less.
            Middleware(GZipMiddleware, compresslevel=COMPRESSION, exclude_content_types=_NOT_COMPRESSED),
            Middleware(security.SecurityHeaders),
            Middleware(languages.Speaking),
            Middleware(People),
            Middleware(
                security.Guard,
                posts=security.Bounds(settings.post_rate, settings.post_burst, security.SHARED),
                looks=security.Bounds(settings.look_rate, settings.look_burst, security.SHARED_LOOKS),
                openings=security.Bounds(settings.look_rate, settings.look_burst, security.SHARED_LOOKS),
                body_limit=settings.body_limit,
                hosts=settings.hosts,
            ),
            Middleware(Preferred),
        ],
        exception_handlers={
            Refusal: answers.refused,
            Unavailable: answers.unavailable,
            ClientDisconnect: answers.left,
            HTTPException: answers.http_error,
            Exception: security.broken,
        },
        lifespan=_lifespan,
    )
    state = app.state
    state.settings = settings
    state.looks = Looks(keep=not settings.debug)
    state.jinja = environment(Assets(), state.looks, debug=settings.debug)
    state.rulebooks = Rulebooks(state.jinja, keep=not settings.debug)
    state.pictures = pictures.Pictures(state.jinja)
    state.jinja.globals["draws_pictures"] = state.pictures.possible
    state.live = Live(settings.clock)
    state.store = _store(settings)
    state.limits = Limits(settings, state.store)
    state.readiness = Readiness(settings.players, apart=settings.compile_apart)
    state.records = Records(state.store, Recorder().draw)
    state.tables = Tables(
        state.store,
        state.live.tell,
        state.live.is_watched,
        state.readiness.is_ready,
        state.records,
        settings.random_bits,
    )
    state.chats = Chats(state.store, state.live.is_watched, state.live.tell)
    state.pace = chat_pages.Pace()
    thinkers = Thinkers(settings.thinkers)
    state.studies = Studies(Thinkers(1, idle=STUDIED) if settings.lessons else None)
    state.bots = Bots(state.tables, settings.players, settings.bot_retry, thinkers, state.studies)
    state.bots.heed(state.live)
    state.hints = Hints(state.tables, thinkers, state.studies)
    state.reviews = Reviews(state.store, thinkers, state.studies)
    state.timer = Timer(state.tables, settings.players.usual(), settings.clock, state.bots.wake)
    state.post = Post(settings, state.store, state.live)
    state.jinja.globals["moment"] = settings.clock
    state.jinja.globals["usual_level"] = settings.players.usual()
    state.beforehand = Beforehand(state.tables, settings.bot_retry)
    state.neighbours = Neighbours(state.store.news, state.tables, state.live, state.bots, state.chats, state.beforehand)
    state.metrics = metrics.Metrics(state.live, state.readiness)
    #: Waits until people may be let in, given what says that all games are ready; None: at once.
    state.gate = None
    state.tables.on_move.append(state.metrics.moved)
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    state = app.state
    await state.store.open()
    _warn_of_others(state.store)
    state.cookies = Cookies(await state.store.secret("cookies"), await state.store.secret("id"))
    await state.neighbours.open()
    await state.timer.start()
    await state.post.start()
    getting_ready = asyncio.create_task(_get_ready(app))
    ahead = asyncio.create_task(state.readiness.prepare_thought())
    try:
        # what it waits for goes on meanwhile: rules are made ready by what began above
        if state.gate:
            await state.gate(state.readiness.all_ready)
        yield
    finally:
        state.live.close()
        ahead.cancel()
        if not state.readiness.all_ready.is_set():
            getting_ready.cancel()
        await asyncio.gather(state.timer.close(), state.post.close(), state.hints.close(), state.reviews.close())
        await state.studies.close()
        await asyncio.gather(
            *(state.beforehand.close(), state.bots.close(), state.records.close(), getting_ready, ahead),
            return_exceptions=True,
        )
        await state.neighbours.close()
        await state.store.close()


def _store(settings: Settings) -> Store:
    """The store of a server. Raises OSError where its folder cannot be made."""
    if settings.database:
        return Store(settings.database, moment=settings.clock)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Store(sqlite_url(settings.data_dir / DATABASE), moment=settings.clock)


def _warn_of_others(store: Store) -> None:
    """Say where other users of this machine can get at the tables: a folder or a file from before they were closed."""
    if store.file and (paths := list(exposed(store.file))):
        log.warning(
            "Other users of this machine may read %s: the seeds of all tables lie there, and the key of everybody's "
            "cookies. Close it with: chmod go= %s",
            " and ".join(map(str, paths)),
            shlex.join(map(str, paths)),
        )


async def _get_ready(app: Starlette) -> None:
    """Prepare the rules, go on where bots were at work, and then see to the records of old matches."""
    state = app.state
    for step in (state.readiness.prepare, state.bots.wake_all, state.beforehand.wake_all, state.records.make_up_all):
        try:
            await step()
        except Exception:
            log.exception("getting ready failed")


class _Server(uvicorn.Server):
    """Uvicorn waits for all answers before it stops.

    Live streams never end by themselves, and half a request may never become a whole one: they are ended first.
    """

    #: So many connections may wait until they are accepted.
    QUEUE = 1024

    def __init__(self, config: uvicorn.Config, app: Starlette, gate: several.Gate | None = None) -> None:
        super().__init__(config)
        self._live: Live = app.state.live
        if gate:
            app.state.gate = lambda ready: gate.wait(ready, lambda: self.should_exit)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start."""
        asyncio.get_running_loop().set_exception_handler(connections.report)
        await super().startup(sockets)
        # To asyncio the backlog is also how many it accepts in one turn, before any of them can be turned away.
        for listening in sockets or ():
            listening.listen(self.QUEUE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        self._live.close()
        for connection in self.server_state.connections:
            if isinstance(connection, connections.Connection):
                connection.hang_up()
        await super().shutdown(sockets)


def default_data_dir() -> Path:
    """Where tables are kept: THORP_DATA, or the user's data folder."""
    return Path(os.environ.get("THORP_DATA") or user_data_path("thorp", appauthor=False))


def serve(
    settings: Settings, host: str = "127.0.0.1", port: int = 8000, *, workers: int = 1, open_browser: bool = False
) -> None:
    """Serve until interrupted, with so many processes. Port 0 takes a free one.

    Raises SystemExit with a sentence where it cannot start.
    """
    sparing = _begin_log(settings)
    if workers > 1 and not several.POSSIBLE:
        raise SystemExit(
            "Thorp cannot serve so: on this system one process cannot share its port. Leave out --workers."
        )
    try:
        _check_letters(settings)
        door = _door(settings)
    except ValueError as error:
        raise SystemExit(f"Thorp cannot serve so: {error}.") from error
    where = make_url(settings.database).render_as_string() if settings.database else str(settings.data_dir)
    try:
        asyncio.run(_try_store(settings))
    except Damaged as error:
        raise SystemExit(
            f"Thorp cannot read its tables in {where}: {error}. The file is damaged, or none of Thorp's. Put back a "
            "copy from before (and take away the files beside it that end in -wal and -shm), or choose another folder."
        ) from error
    except (Unavailable, OSError) as error:
        raise SystemExit(f"Thorp cannot keep its tables in {where}: {error}. Choose another folder.") from error
    try:
        listening = _listen(host, port)
    except OverflowError as error:
        raise SystemExit(
            f"Thorp cannot listen at port {port}: ports are numbers from 0 to 65535. Choose another port."
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise SystemExit(
            f"Thorp cannot listen at {host}, port {port}: {reason}. Choose another port or host."
        ) from error
    address = _address(host, listening.getsockname()[1])
    print(f"Thorp is at {address}  (its tables are kept in {where}; Ctrl-C stops it)", flush=True)
    if open_browser:
        webbrowser.open(address)
    if workers > 1:
        several.serve(settings, workers, listening)
    else:
        _serve_at(settings, listening, door, sparing)


def serve_at(settings: Settings, listening: socket.socket, gate: several.Gate) -> None:
    """Serve at a socket that listens until interrupted, as one of several processes on a store that is in order."""
    _serve_at(settings, listening, _door(settings), _begin_log(settings), gate)


def _serve_at(
    settings: Settings, listening: socket.socket, door: Door, sparing: Sparing, gate: several.Gate | None = None
) -> None:
    app = create_app(settings)
    config = _config(app, settings, door, sparing)
    if gate:
        # One connection in a turn, so that of many who come at once all processes get their part.
        config.backlog = 1
    with contextlib.suppress(KeyboardInterrupt):
        _Server(config, app, gate).run(sockets=[listening])


def _begin_log(settings: Settings) -> Sparing:
    """Let warnings and errors be written, and hold back what repeats."""
    sparing = Sparing(as_json=settings.log_format == "json")
    logging.basicConfig(level=logging.WARNING, handlers=[sparing])
    return sparing


def _check_letters(settings: Settings) -> None:
    """Raise ValueError where letters are written but nobody has said where this server is.

    The address in them is that by which a person has come: whoever asks could choose what it is for a stranger.
    """
    if settings.smtp_host and settings.smtp_from and not settings.hosts:
        raise ValueError(
            "letters have to say where this server is: set the names that it answers to (hosts), or leave out smtp_host"
        )


def _door(settings: Settings) -> Door:
    """The door of a server. Raises ValueError where there cannot be so many connections, or a proxy is no address."""
    return Door(
        connections.room(settings.connections),
        settings.connections_each,
        head_time=settings.head_time,
        body_time=settings.body_time,
        read_time=settings.read_time,
        proxies=networks(settings.proxies),
    )


def _config(app: Starlette, settings: Settings, door: Door, sparing: Sparing) -> uvicorn.Config:
    """How uvicorn serves."""

    async def tick() -> None:
        door.look()
        sparing.tell_held()

    return uvicorn.Config(
        app,
        http=door.protocol(),
        # A connection that changes its protocol would leave the door.
        ws="none",
        lifespan="on",
        # Its lines go to the same log as ours.
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=also_mapped(door.proxies),
        backlog=connections.at_once(),
        timeout_graceful_shutdown=5,
        callback_notify=tick,
        # every second
        timeout_notify=0,
    )


async def _try_store(settings: Settings) -> None:
    """Open the store once before anything is announced: what is wrong with it is said in one sentence."""
    store = _store(settings)
    try:
        await store.open()
        await store.look_through()
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
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # What is accepted has it, too: a device that has fallen asleep would keep its stream for fifteen minutes.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE)
        listening.bind((host, port))
        listening.listen(128)
    except (OSError, OverflowError):
        listening.close()
        raise
    return listening


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"
