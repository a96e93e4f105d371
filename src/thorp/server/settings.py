"""What can be set about a server."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import thorp.players
from thorp.core.match import AnyMatch


class Players(Protocol):
    """Who can sit at a seat besides people; `thorp.players` is one."""

    def names(self) -> tuple[str, ...]:
        """All players there are."""
        ...

    def levels(self) -> tuple[str, ...]:
        """Those that tables offer, the weakest first."""
        ...

    def usual(self) -> str:
        """The level that sits there unless one chooses otherwise, and plays for who is away."""
        ...

    def seconds(self, name: str) -> float:
        """How much processor time a player takes for a decision; 0: it answers at once.

        What takes time is thought in other processes, where the players are a module that those can import.
        """
        ...

    def choose(self, name: str, match: AnyMatch, seat: int, seed: int) -> int:
        """A legal move of a seat that has something to decide."""
        ...


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Settings:
    """A server's settings; the defaults are those of `thorp serve`."""

    #: Where the database lies, unless `database` says otherwise. It is made when it is missing.
    data_dir: Path
    #: An SQLAlchemy address with an async driver: "postgresql+asyncpg://...".
    database: str = ""
    #: Whoever brings it may read /metrics; empty: nobody.
    metrics_token: str = ""
    #: Lines of the log: "text", or "json" for programs that gather logs.
    log_format: str = "text"
    #: Posts of one person: so many a second, and so many at once. An address may have five times as many.
    post_rate: float = 20.0
    post_burst: int = 100
    #: Looks of one person at matches: so many a second, and so many at once, as by a key held down that goes through
    #: one. An address may have twice as many. Besides, as many live streams may be opened.
    look_rate: float = 10.0
    look_burst: int = 200
    #: Of a request's body, in bytes.
    body_limit: int = 64 * 1024
    #: The names that this server answers to, with "*." before one for all below it. None: to any.
    hosts: tuple[str, ...] = ()
    #: Addresses and networks of proxies that are believed when they tell where a request comes from. None: nobody is.
    proxies: tuple[str, ...] = ()
    #: Connections at the same time; 0: as many as open files allow. And of one address; 0: a quarter of all.
    connections: int = 0
    connections_each: int = 0
    #: Seconds in which the head of a request has to come, its body has to come, and an answer has to be read on.
    head_time: float = 10.0
    body_time: float = 30.0
    read_time: float = 30.0
    #: Live streams of one person at the same time. An address may have five times as many.
    streams: int = 20
    #: Tables that one person makes in an hour. An address may make five times as many.
    tables_hourly: int = 60
    #: Hints that one person is given in an hour, and matches that are looked through for it. An address, five times.
    hints_hourly: int = 240
    reviews_hourly: int = 30
    #: Tables of the last month that one person has opened and that are not over.
    tables_running: int = 200
    #: Whether the first page names tables that gather and are for everybody.
    lobby: bool = True
    #: Seconds between signs of life on a live stream. They also look for moves made by way of another server.
    heartbeat: float = 15.0
    #: Seconds that a stream waits after a push, so that quick moves of bots come together.
    pace: float = 0.05
    #: Seconds until a bot that failed is asked again, or an answer given beforehand is tried again which the store has
    #: failed; every further failure doubles them, up to a minute.
    bot_retry: float = 1.0
    #: Processes in which bots think, at most, but one for each that serves; 0: as many as there are processors.
    thinkers: int = 0
    #: Whether games are learned for the tables at which bots think, in one more process.
    lessons: bool = True
    #: Whether rules are compiled in a process of their own, so that pages answer meanwhile.
    compile_apart: bool = True
    #: Whether templates are read again when they change.
    debug: bool = False
    #: So many random bits: for the seeds of tables. Whoever can foretell them foresees every game.
    random_bits: Callable[[int], int] = secrets.randbits
    #: Whom push services may write to: an e-mail address, or a page. Empty: no notices by the browser.
    contact: str = ""
    #: The mail server that takes notices, and from whom they come; without both there are none by e-mail.
    smtp_host: str = ""
    smtp_port: int = 0
    smtp_user: str = ""
    smtp_password: str = ""
    smtp_from: str = ""
    #: How the mail server is spoken to: "starttls", "tls" from the start, or "none".
    smtp_tls: str = "starttls"
    #: Whether people may be told in chats, and hosts of their own that may be reached for that.
    webhooks: bool = False
    webhook_hosts: tuple[str, ...] = ()
    #: Networks that notices may go to although they are not public, as for a push service of one's own.
    notice_networks: tuple[str, ...] = ()
    #: What time it is, for all that is stored with a time, clocks of tables and notices among it.
    clock: Callable[[], datetime] = _now
    players: Players = thorp.players
