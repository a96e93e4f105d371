"""A server under test: the application on a real SQLite file, people with cookies of their own, and bots on a leash."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
import toy
from alembic.config import Config
from postgres import database
from sqlalchemy import Connection
from starlette.applications import Starlette

from thorp.core.match import Match
from thorp.server.app import DATABASE, create_app
from thorp.server.settings import Settings
from thorp.server.tables import schema
from thorp.server.tables.store import Store, sqlite_url
from thorp.server.tables.store import _migrations as migrations_config
from thorp.server.tables.table import Player, Table
from thorp.server.web.people import Visitor

GAME = toy.GAME
HTMX = {"HX-Request": "true"}


class Leashed:
    """Bots that play their first legal move, and only while they may."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.free.set()
        #: Errors to raise, and moves to answer with, before anything sensible.
        self.mischief: list[Exception | int] = []

    def names(self) -> tuple[str, ...]:
        return ("slow", "quick")

    def levels(self) -> tuple[str, ...]:
        return self.names()

    def usual(self) -> str:
        return "quick"

    def seconds(self, name: str) -> float:
        return 0.0

    def choose(self, name: str, match: Match, seat: int, seed: int) -> int:
        self.free.wait()
        if self.mischief:
            trick = self.mischief.pop(0)
            if isinstance(trick, Exception):
                raise trick
            return trick
        return match.legal(seat)[0]


@dataclass
class Server:
    """A running application."""

    app: Starlette
    settings: Settings
    bots: Leashed

    def client(self, cookie: str = "") -> httpx2.AsyncClient:
        """A browser of its own."""
        client = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(self.app, raise_app_exceptions=False),
            base_url="http://thorp.test",
            # what is compressed and read at once is work for nothing: tests of that ask for it
            headers={"Accept-Encoding": "identity"},
        )
        if cookie:
            client.cookies.set(self.cookie_name, cookie, domain="thorp.test")
        return client

    @property
    def cookie_name(self) -> str:
        """What this server's cookie is called."""
        return self.app.state.cookies.name

    def cookie_of(self, client: httpx2.AsyncClient) -> str:
        """The cookie of a browser's person."""
        return client.cookies[self.cookie_name]

    def visitor(self, client: httpx2.AsyncClient) -> Visitor:
        """The person that a browser is."""
        return self.app.state.cookies.read(self.cookie_of(client))

    async def person(self, name: str = "Ada") -> httpx2.AsyncClient:
        """A browser whose person has a name."""
        client = self.client()
        assert (await client.post("/me", data={"name": name})).status_code == 303
        return client

    async def table(self, client: httpx2.AsyncClient, seats: int = 2, **fields: str) -> str:
        """The path of a new table at which that person sits with bots."""
        answer = await client.post("/tables", data={"game": "pebbles", "seats": str(seats), **fields})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    async def shared_table(self, *clients: httpx2.AsyncClient, seed: int = 7, **options: str) -> str:
        """The path of a new table at which only these people sit."""
        players = [Player(f"Person {seat}", person=self.id_of(client)) for seat, client in enumerate(clients)]
        return "/tables/" + await self.app.state.tables.create(GAME, options, players, seed=seed)

    def id_of(self, client: httpx2.AsyncClient) -> str:
        """The id of that person; of nobody where the browser has no cookie."""
        return self.visitor(client).id if self.cookie_name in client.cookies else ""

    async def at(self, path: str) -> Table:
        """A table as the server knows it."""
        return await self.app.state.tables.open(path.rpartition("/")[2])

    async def shown(self, path: str) -> str:
        """The path of a table for `page_open`, with what a page that has just been loaded shows."""
        return f"{path}?since={(await self.at(path)).mark}"

    async def quiet(self) -> None:
        """Wait until no bot is at work, and no record is being drawn."""
        while tasks := [*self.app.state.bots._at_work.values(), *self.app.state.records._at_work]:
            await asyncio.wait(tasks)

    async def play(
        self, client: httpx2.AsyncClient, path: str, move: int | None = None, *, htmx: bool = True, **form: str
    ) -> httpx2.Response:
        """A move of a person: the first legal one unless said otherwise."""
        table = await self.at(path)
        seat = table.seat_of(self.id_of(client))
        if seat is not None:
            form.setdefault("counter", str(table.counters[seat]))
            if move is None and "move" not in form:
                move = table.match.legal(seat)[0]
        if move is not None:
            form["move"] = str(move)
        return await client.post(f"{path}/moves", data=form, headers=HTMX if htmx else {})

    async def play_out(self, path: str, *clients: httpx2.AsyncClient) -> Match:
        """Play to the end, everybody the first legal move."""
        while not (table := await self.at(path)).match.over:
            for client in clients:
                if table.seat_of(self.id_of(client)) in table.match.waiting:
                    assert (await self.play(client, path)).status_code == 200
                    break
            await self.quiet()
        return table.match

    async def rows(self) -> list[Any]:
        """All that is stored."""
        tables = schema.metadata.sorted_tables
        return await self.app.state.store.read(
            lambda connection: [
                (table.name, sorted(map(tuple, connection.execute(table.select())), key=repr)) for table in tables
            ]
        )


async def move_to(store: Store, revision: str, step: Callable[[Config, str], None]) -> None:
    """Bring the database to a revision of its schema: `step` is alembic's `upgrade` or `downgrade`."""

    def work(connection: Connection) -> None:
        config = migrations_config()
        config.attributes["connection"] = connection
        step(config, revision)

    # also before the store is opened, which brings it up to date
    await store._write(work, patient=True)


@contextlib.asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Server]:
    """A server on these settings; its bots are set free at the end, or their threads would never stop."""
    app = create_app(settings)
    assert isinstance(settings.players, Leashed)
    async with app.router.lifespan_context(app):
        await app.state.readiness.all_ready.wait()
        try:
            yield Server(app, settings, settings.players)
        finally:
            settings.players.free.set()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that has been brought up to date: most of the time that a server needs to start."""
    path = tmp_path_factory.mktemp("empty") / DATABASE
    asyncio.run(_bring_up_to_date(sqlite_url(path)))
    return path


@pytest.fixture(scope="session")
def empty_postgres() -> Iterator[str]:
    """The same in PostgreSQL, to be copied."""
    with database() as address:
        asyncio.run(_bring_up_to_date(address))
        yield address


async def _bring_up_to_date(address: str) -> None:
    store = Store(address)
    await store.open()
    await store.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that are marked `any_store` run on SQLite and on PostgreSQL."""
    if metafunc.definition.get_closest_marker("any_store") and "kind_of_store" in metafunc.fixturenames:
        metafunc.parametrize("kind_of_store", ["sqlite", "postgresql"])


@pytest.fixture
def kind_of_store() -> str:
    return "sqlite"


@pytest.fixture
def postgres(empty_postgres: str) -> Iterator[str]:
    """The address of a database in PostgreSQL in which nothing is kept yet."""
    with database(empty_postgres) as address:
        yield address


@pytest.fixture
def settings(tmp_path: Path, empty_database: Path, kind_of_store: str, request: pytest.FixtureRequest) -> Settings:
    (tmp_path / "data").mkdir(mode=0o700)
    shutil.copy(empty_database, tmp_path / "data" / DATABASE)
    return Settings(
        tmp_path / "data",
        database=request.getfixturevalue("postgres") if kind_of_store == "postgresql" else "",
        players=Leashed(),
        compile_apart=False,
        lessons=False,
        post_rate=1e6,
        post_burst=10**6,
        look_rate=1e6,
        look_burst=10**6,
        bot_retry=0.001,
        pace=0.0,
        random_bits=random.Random(7).getrandbits,
    )


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    async with running(settings) as server:
        yield server


@dataclass
class Event:
    """A server-sent event."""

    id: str
    data: str

    @property
    def told(self) -> int:
        """How much had been told of the match, which is the first part of the id."""
        return int(self.id.partition(".")[0])


class Page:
    """An open page: it receives the live stream of a table as a browser does."""

    def __init__(self, server: Server, client: httpx2.AsyncClient | None, path: str, headers: dict[str, str]) -> None:
        name = server.cookie_name
        cookie = client.cookies.get(name) if client else None
        route, _, query = path.partition("?")
        self.scope = {
            "type": "http",
            "method": "GET",
            "path": f"{route}/events",
            "raw_path": f"{route}/events".encode(),
            "query_string": query.encode(),
            "scheme": "http",
            "headers": [
                *((name.lower().encode(), value.encode()) for name, value in headers.items()),
                *([(b"cookie", f"{name}={cookie}".encode())] if cookie else []),
            ],
            "client": ("127.0.0.1", 1),
            "server": ("thorp.test", 80),
            "root_path": "",
        }
        self.app = server.app
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.left = asyncio.Event()
        self.ended = False
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        #: Every byte that came.
        self.received = ""
        self._rest = ""
        #: Who else is at the table, as far as events told it.
        self.present: dict[str, Any] = {"names": [], "watching": 0}

    async def receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        await self.sent.put(message)

    async def event(self) -> Event:
        """The next event that brings something; comments are passed over."""
        while True:
            block = await self.block()
            fields: dict[str, list[str]] = {}
            for line in block.splitlines():
                name, _, value = line.partition(": ")
                fields.setdefault(name, []).append(value)
            if "data" in fields and "event" not in fields:
                return Event(fields["id"][0], "\n".join(fields["data"]))

    async def block(self) -> str:
        """The next block of lines, whatever it is. Raises EOFError at the end of the stream."""
        while "\n\n" not in self._rest:
            if self.ended:
                raise EOFError
            message = await asyncio.wait_for(self.sent.get(), 10)
            if message["type"] == "http.response.start":
                self.status, self.headers = message["status"], dict(message["headers"])
            else:
                text = message["body"].decode()
                self.received += text
                self._rest += text
                self.ended = not message.get("more_body", False)
        block, _, self._rest = self._rest.partition("\n\n")
        if block.startswith("event: present"):
            self.present = json.loads(block.partition("data: ")[2])
        return block


@contextlib.asynccontextmanager
async def page_open(
    server: Server, client: httpx2.AsyncClient | None, path: str, **headers: str
) -> AsyncIterator[Page]:
    """An open page, left at the end."""
    page = Page(server, client, path, headers)
    task = asyncio.create_task(server.app(page.scope, page.receive, page.send))
    try:
        yield page
    finally:
        page.left.set()
        await asyncio.wait_for(task, 10)


__all__ = ["GAME", "HTMX", "Leashed", "Page", "Server", "page_open", "replace", "running"]
