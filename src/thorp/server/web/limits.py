"""How much one person, and one address, may have: live streams at the same time, tables, and files that are none."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from thorp.core.words import Message, Said
from thorp.server.settings import Settings
from thorp.server.tables.refusals import Busy, Illegal
from thorp.server.tables.store import Store
from thorp.server.web.addresses import origin_of
from thorp.server.web.people import visitor_of
from thorp.server.web.refusals import TooMany
from thorp.server.web.security import SHARED, Bounds, Buckets

#: Tables that have gone on for longer are taken to be left.
_MONTH = timedelta(days=30)
#: Seconds after which a stream that was refused may be asked for again.
_AGAIN = 15
#: Files of one person that are refused, as no match or as nothing that can be played with: so many at once, and so many
#: a second. An address may have five times as many. To refuse one can take as long as to take it.
FILES, FILES_RATE = 20, 0.05


class Limits:
    """What is counted of people and addresses; of this process, but for the tables that the store knows."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self._streams: Counter[tuple[str, str]] = Counter()
        hourly = settings.tables_hourly
        self._makers = Buckets(hourly / 3600, hourly)
        self._addresses = Buckets(SHARED * hourly / 3600, SHARED * hourly)
        self._files = Bounds(FILES_RATE, FILES, SHARED)
        self._hints = _Judged(settings.hints_hourly, "hints")
        self._reviews = _Judged(settings.reviews_hourly, "matches looked through")

    def stream(self, answer: ASGIApp) -> ASGIApp:
        """A live stream that is counted while it runs. Instead of running it may raise TooMany."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            with self._streaming(visitor_of(scope).id, origin_of(scope)):
                await answer(scope, receive, send)

        return counted

    @contextmanager
    def _streaming(self, person: str, origin: str) -> Iterator[None]:
        most = self.settings.streams
        of_person, of_address = ("person", person), ("address", origin)
        if self._streams[of_person] >= most:
            raise TooMany(
                "You have {most} tables open, and this server keeps no more of them fresh at once. Close some of them; "
                "until then, this one looks for news now and then.",
                seconds=_AGAIN,
                most=most,
            )
        if self._streams[of_address] >= SHARED * most:
            raise TooMany(
                "{most} tables are open at your address, and this server keeps no more of them fresh at once. Close "
                "some of them; until then, this one looks for news now and then.",
                seconds=_AGAIN,
                most=SHARED * most,
            )
        self._streams.update((of_person, of_address))
        try:
            yield
        finally:
            self._streams.subtract((of_person, of_address))
            for key in (of_person, of_address):
                if not self._streams[key]:
                    del self._streams[key]

    @asynccontextmanager
    async def new_table(self, request: Request) -> AsyncIterator[None]:
        """Count a table that the visitor makes meanwhile, unless it comes to nothing.

        Raises TooMany where it would be one too many.
        """
        visitor, origin = visitor_of(request.scope), origin_of(request.scope)
        most, hourly = self.settings.tables_running, self.settings.tables_hourly
        if visitor.known and await self.store.running_tables(visitor.id, self.store.now() - _MONTH) >= most:
            raise TooMany(
                "You have opened {most} tables that are not over, and this server keeps no more for one person. Play "
                "one of them to its end, then start another.",
                most=most,
            )
        # a person without a cookie is a new one every time
        if visitor.known and (wait := self._makers.take(visitor.id)):
            raise TooMany(
                "You have started {most} tables in a short time, and this server lets one person start no more in an "
                "hour. Try again in {time}.",
                seconds=math.ceil(wait),
                most=hourly,
                time=_minutes(wait),
            )
        try:
            if wait := self._addresses.take(origin):
                raise TooMany(
                    "{most} tables were started from your address in a short time, and this server lets nobody there "
                    "start more in an hour. Try again in {time}.",
                    seconds=math.ceil(wait),
                    most=SHARED * hourly,
                    time=_minutes(wait),
                )
            try:
                yield
            except Exception:
                self._addresses.put_back(origin)
                raise
        except Exception:
            self._makers.put_back(visitor.id)
            raise

    @contextmanager
    def file(self, request: Request) -> Iterator[None]:
        """Count a file that is checked meanwhile, where it is refused. Raises TooMany where that is one too many."""
        self._files.take(request.scope)
        try:
            yield
        except (Illegal, Busy):
            # it was read, or held a thread
            raise
        except Exception:
            self._files.put_back(request.scope)
            raise
        else:
            self._files.put_back(request.scope)

    def hint(self, request: Request) -> Callable[[], None]:
        """Count a hint that is about to be thought; what is returned takes that back. Raises TooMany."""
        return self._hints.take(request)

    def review(self, request: Request) -> Callable[[], None]:
        """Count a match that is about to be looked through; what is returned takes that back. Raises TooMany."""
        return self._reviews.take(request)


class _Judged:
    """What is judged for people, who are known by then, and for addresses: so many in an hour."""

    def __init__(self, hourly: int, what: Said[str]) -> None:
        self._hourly, self._what = hourly, what
        self._people = Buckets(hourly / 3600, hourly)
        self._addresses = Buckets(SHARED * hourly / 3600, SHARED * hourly)

    def take(self, request: Request) -> Callable[[], None]:
        """Count one; what is returned takes that back. Raises TooMany."""
        person, origin = visitor_of(request.scope).id, origin_of(request.scope)
        if wait := self._people.take(person):
            raise TooMany(
                "You have had {most} {what} in a short time, and this server gives no more in an hour. Try again in "
                "{time}.",
                seconds=math.ceil(wait),
                most=self._hourly,
                what=Message(self._what),
                time=_minutes(wait),
            )
        if wait := self._addresses.take(origin):
            self._people.put_back(person)
            raise TooMany(
                "At your address there were {most} {what} in a short time, and this server gives no more in an hour. "
                "Try again in {time}.",
                seconds=math.ceil(wait),
                most=SHARED * self._hourly,
                what=Message(self._what),
                time=_minutes(wait),
            )

        def put_back() -> None:
            self._people.put_back(person)
            self._addresses.put_back(origin)

        return put_back


def _minutes(seconds: float) -> Message:
    return Message("a minute", {"n": math.ceil(seconds / 60)}, "{n} minutes")
