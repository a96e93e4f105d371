"""Persons who play at a real server over HTTP, at random, and the watch that looks at every answer."""

from __future__ import annotations

import asyncio
import contextlib
import html
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import httpx2

import thorp
from fuzz import broken, company
from fuzz.book import ANY, TAKE_BACK, Account, Book, Sent
from thorp.checks.matches import random_options
from thorp.core.match import Match

HTMX = {"HX-Request": "true"}
#: The longest that an answer may take, in seconds: on any machine, and with everything else that goes on at once.
PATIENCE = 60.0
#: How many matches go on at once, besides those that nobody plays any more.
MOST_RUNNING = 14


@dataclass
class Watch:
    """Looks at every answer, and notes what must not be."""

    book: Book
    #: The server's own secrets by name.
    secrets: dict[str, str] = field(default_factory=dict)
    #: The persons by their ids: which are nobody else's to know.
    persons: dict[str, str] = field(default_factory=dict)
    #: The games that the server has.
    games: list[str] = field(default_factory=list)
    #: The server is about to be stopped: what has no answer may or may not have happened.
    stopping: bool = False
    faults: list[str] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    #: The longest answers, with what was asked.
    slow: list[tuple[float, str]] = field(default_factory=list)
    answers: int = 0
    #: What was sent of which no answer is awaited.
    unawaited: list[str] = field(default_factory=list)
    #: Set with every answer: for whoever waits for the next one.
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    _known: set[str] = field(default_factory=set)

    def fault(self, text: str, more: str = "") -> None:
        """Note a fault, once; `more` is told with it, and may be other every time."""
        if text not in self._known:
            self._known.add(text)
            self.faults.append(text + more)

    def note(self, faults: Iterable[str]) -> None:
        """Note all of these."""
        for text in faults:
            self.fault(text)

    def look(self, what: str, kind: str, status: int, text: str, seconds: float, person: str = "") -> None:
        """Look at an answer; faults of one kind of request are told once."""
        self.answers += 1
        self.answered.set()
        self.statuses[str(status)] += 1
        self.slow = sorted([*self.slow, (seconds, what)], reverse=True)[:5]
        if status >= 500 and status != 503:
            self.fault(f"answer {status} to {kind}", f": {what}")
        self.look_for_secrets(what, text, person)

    def look_for_secrets(self, what: str, text: str, person: str = "") -> None:
        """Nobody is sent a seed that is still secret, a key, or who somebody else is."""
        for secret, name in self.book.running_secrets().items():
            if secret in text and not self._over(secret):
                self.fault(f"{name} is in the answer to {what}")
        for name, secret in self.secrets.items():
            if secret in text:
                self.fault(f"the secret {name!r} of the server is in the answer to {what}")
        for id, name in self.persons.items():
            if id in text and id != person:
                self.fault(f"the id of {name} is in the answer to {what}")

    def _over(self, secret: str) -> bool:
        """Whether the match of a secret has ended since the book was held against the rows."""
        return any(
            self.book.database.rows(account.id)[1]
            for account in (*self.book.tables.values(), *self.book.others.values())
            if secret in (account.salt, str(account.seed))
        )

    def unanswered(self, what: str, error: Exception) -> None:
        """A request had no answer."""
        self.answered.set()
        self.statuses["no answer"] += 1
        if not self.stopping:
            self.fault(f"no answer to {what}: {type(error).__name__} {error}")


#: Who sits at the other seats: mostly who answers at once.
LEVELS = ("random", "greedy", "friendly", "casual", "skilled")


class Person:
    """Somebody with a browser: a cookie, tables, and whatever comes to mind."""

    def __init__(self, name: str, address: str, watch: Watch) -> None:
        self.name = name
        self.watch = watch
        self.book = watch.book
        self.host = address.removeprefix("http://")
        # a new connection for every request: one that is kept may end at any moment, which would look like a fault
        limits = httpx2.Limits(max_keepalive_connections=0)
        self.client = httpx2.AsyncClient(base_url=address, timeout=PATIENCE, limits=limits)
        self.id = ""
        #: The fragments of my tables as they were sent last.
        self.shown: dict[str, str] = {}
        self.rng = random.Random()
        self.others: list[Person] = []
        self._held: list[asyncio.StreamWriter] = []
        self._streams: list[asyncio.Task[None]] = []

    @property
    def cookie(self) -> str:
        """The cookies as they are sent."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.client.cookies.jar)

    async def ask(self, method: str, path: str, **more: Any) -> httpx2.Response | None:
        """A request; None where nothing was answered."""
        what = f"{self.name}: {method} {path} {_short(more)}"
        began = time.perf_counter()
        try:
            answer = await self.client.request(method, path, **more)
        except (httpx2.TransportError, OSError) as error:
            self.watch.unanswered(what, error)
            return None
        text = f"{answer.headers}\n{answer.text}"
        kind = f"{method} {re.sub('/tables/[^/]+', '/tables/...', path)}"
        self.watch.look(what, kind, answer.status_code, text, time.perf_counter() - began, self.id)
        if "x-content-type-options" not in answer.headers and answer.status_code != 400:
            self.watch.fault(f"no security headers in the answer to {what}")
        return answer

    # --- tables ------------------------------------------------------------------------------------------------

    async def arrive(self) -> None:
        """Get a cookie and a table, and with it an id."""
        await self.ask("POST", "/me", data={"name": self.name})
        # this match is played to its end: against one who answers at once, so that no wait is taken for a fault
        form = {"game": "valeria", "seats": "2", "seat.1": "casual"}
        answer = await self.ask("POST", "/tables", data=form)
        assert answer is not None
        assert answer.status_code == 303, answer.text
        account = self.book.add(_id_in(answer.headers["location"]))
        self.id = account.persons[0] or ""
        self.watch.persons[self.id] = self.name

    def mine(self) -> list[Account]:
        """The tables where I sit and that are not over."""
        return [account for account in self.book.tables.values() if self.id in account.persons and not account.finished]

    async def new_table(self) -> None:
        """Set up a table that can be."""
        if len(self.mine()) >= MOST_RUNNING // len(self.others or [self]):
            return
        game = thorp.game(self.rng.choice(self.watch.games))
        seats = self.rng.choice(game.seats)
        form = {"game": game.id, "seats": str(seats), "forced": self.rng.choice(("yes", "yes", "no"))}
        form |= {f"seat.{seat}": self.rng.choice(LEVELS) for seat in range(1, seats)}
        form |= {f"option.{id}": value for id, value in random_options(game, seats, self.rng).items()}
        await self._table(form)

    async def odd_table(self) -> None:
        """Set up a table of rubbish, which may be one all the same."""
        game = thorp.game(self.rng.choice(self.watch.games))
        form = {"game": game.id, "seats": str(self.rng.choice(game.seats))}
        files = None
        if game.id in broken.FILES and self.rng.random() < 0.8:
            option = broken.FILES[game.id][0]
            text = broken.rubbish_file(self.rng, game.id)
            if self.rng.random() < 0.5:
                form[f"option.{option}"] = text
            else:
                data = text.encode() if self.rng.random() < 0.9 else self.rng.randbytes(500)
                files = {f"file.{option}": (broken.odd_text(self.rng)[:100], data)}
        else:
            options = [f"option.{option.id}" for option in game.options]
            names = ("game", "seats", "forced", "preset", "seat.1", "seat.x", "name", "option.", "file.", *options)
            for _ in range(self.rng.randint(1, 3)):
                form[self.rng.choice(names)] = broken.odd_text(self.rng)
        await self._table(form, files)

    async def _table(self, form: dict[str, str], files: Any = None) -> None:
        headers = HTMX if self.rng.random() < 0.3 else {}
        answer = await self.ask("POST", "/tables", data=form, files=files, headers=headers)
        if answer is not None and (place := _place_of(answer)):
            self._sit_down(place)

    def _sit_down(self, place: str) -> None:
        try:
            account = self.book.add(_id_in(place))
        except LookupError as error:
            return self.watch.fault(str(error))
        self.watch.done["tables"] += 1
        if account.persons[0] != self.id:
            self.watch.fault(f"{self.name} became another person with the table {account.id}")
        return None

    async def again(self) -> None:
        """Ask for a rematch, where the match is over and where it is not."""
        tables = [account for account in self.book.tables.values() if self.id in account.persons]
        account = self.rng.choice(tables)
        answer = await self.ask("POST", f"/tables/{account.id}/again", headers=self.rng.choice((HTMX, {})))
        if answer is not None and (place := _place_of(answer)):
            try:
                following = self.book.add(_id_in(place))
            except LookupError as error:
                return self.watch.fault(str(error))
            self.watch.done["rematches"] += 1
            if following.persons != account.persons:
                self.watch.fault(f"others sit at the rematch {following.id} than at {account.id}")
        return None

    # --- playing -----------------------------------------------------------------------------------------------

    async def play(self) -> None:
        """Make some moves at one of my tables."""
        if not (tables := self.mine()):
            return await self.new_table()
        # half of the time where the match is furthest, so that some come to their ends
        furthest = max(tables, key=lambda account: len(account.rows))
        account = self.rng.choice((furthest, self.rng.choice(tables)))
        for _ in range(self.rng.randint(1, 8)):
            counter, moves = await self._choices(account)
            if not moves:
                break
            await self._post_move(account, counter, self.rng.choice(moves))
            if self.rng.random() < 0.1 and "take-back-button" in (text := self.shown.get(account.id, "")):
                await self._take_back(account, read_fragment(text)[0])
        return None

    async def finish(self) -> None:
        """Play a match against bots to its end."""
        tables = [account for account in self.mine() if not set(account.persons) - {self.id, None}]
        if not tables:
            return
        account = max(tables, key=lambda account: len(account.rows))
        deadline = time.monotonic() + 2 * PATIENCE
        while not account.finished:
            if time.monotonic() > deadline or account.broken:
                return self.watch.fault(f"the match at {account.id} comes to no end")
            counter, moves = await self._choices(account)
            if moves:
                await self._post_move(account, counter, self.rng.choice(moves))
            else:
                # the bots are at work, or the match is over
                await asyncio.sleep(0.02)
                account.touched = True
                self.watch.note(self.book.faults())
        return await self.compare(account)

    async def send_twice(self) -> None:
        """The same move twice, or two moves as one, or a move beside its take-back, at the same time."""
        if not (tables := self.mine()):
            return
        account = self.rng.choice(tables)
        counter, moves = await self._choices(account)
        if moves:
            posts = [self._post_move(account, counter, self.rng.choice(moves)) for _ in range(self.rng.randint(2, 4))]
            if self.rng.random() < 0.3:
                posts.append(self._take_back(account, counter))
            await asyncio.gather(*posts)

    async def odd_move(self) -> None:
        """A move that cannot be: stale, early, illegal, none of mine."""
        account = self.rng.choice(list(self.book.tables.values()))
        counter, moves = await self._choices(account)
        counter += self.rng.choice((-1, 1, 0, 0, 1000))
        move = self.rng.choice((*moves[:3], 0, self.rng.randrange(5000), 999_999_999))
        if counter >= 0:
            await self._post_move(account, counter, move)

    async def odd_form(self) -> None:
        """A form with things missing, doubled, or in it that no page sends."""
        account = self.rng.choice(list(self.book.tables.values()))
        counter, moves = await self._choices(account)
        move = str(moves[0]) if moves else "0"
        odd = broken.odd_text(self.rng)
        fields = self.rng.choice(
            (
                [("counter", odd), ("move", move)],
                [("counter", str(counter)), ("move", odd)],
                [("counter", str(counter)), ("move", f"{move} ")],
                [("counter", str(counter)), ("move", f"+{move}")],
                [("counter", str(counter)), ("move", move), ("move", "-1")],
                [("counter", str(counter)), ("move", move), ("move", odd)],
                [("move", move)],
                [("counter", str(counter))],
                [("x", "y")] * 200,
            )
        )
        # "0" is a number in all of these: then it is a move like any other
        sent = [self._note(account, counter, ANY, f"the form {fields}")] if odd == "0" else []
        if odd == "0":
            sent.append(self._note(account, 0, ANY, f"the form {fields}"))
        body = urlencode(fields).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded", **self.rng.choice((HTMX, {}))}
        end = self.rng.choice(("moves", "take-back"))
        if end == "take-back":
            # which takes no notice of a move
            sent.append(self._note(account, counter, TAKE_BACK, f"the form {fields}"))
            sent.append(self._note(account, 0, TAKE_BACK, f"the form {fields}"))
        await self.ask("POST", f"/tables/{account.id}/{end}", content=body, headers=headers)

    async def take_back(self) -> None:
        """Take my last move back, where that goes and where it does not."""
        if tables := self.mine():
            account = self.rng.choice(tables)
            counter, _ = await self._choices(account)
            await self._take_back(account, counter)

    async def _choices(self, account: Account) -> tuple[int, list[int]]:
        """What the page of a table offers me: my counter and my moves."""
        text = self.shown.pop(account.id, "")
        if not text:
            answer = await self.ask("GET", f"/tables/{account.id}/fragment", headers=HTMX)
            text = answer.text if answer is not None else ""
        return read_fragment(text)

    def _note(self, account: Account, counter: int, move: int, what: str) -> Sent:
        seat = account.seat_of(self.id)
        # who has no seat sends for nobody: no row may come of it
        return self.book.send(account.id, -1 if seat is None else seat, counter, move, f"{self.name} {what}")

    async def _post_move(self, account: Account, counter: int, move: int) -> None:
        sent = self._note(account, counter, move, f"played {move} as number {counter}")
        form = {"counter": str(counter), "move": str(move)}
        await self._post(account, f"/tables/{account.id}/moves", form, sent)

    async def _take_back(self, account: Account, counter: int) -> None:
        sent = self._note(account, counter, TAKE_BACK, f"took back as number {counter}")
        await self._post(account, f"/tables/{account.id}/take-back", {"counter": str(counter)}, sent)

    async def _post(self, account: Account, path: str, form: dict[str, str], sent: Sent) -> None:
        htmx = self.rng.random() < 0.8
        answer = await self.ask("POST", path, data=form, headers=HTMX if htmx else {})
        if answer is None or answer.status_code == 500:
            return
        sent.outcome = "done" if answer.status_code in (200, 303) else "refused"
        if sent.outcome == "done":
            self.watch.done["take-backs" if sent.move == TAKE_BACK else "moves"] += 1
            if htmx:
                self.shown[account.id] = answer.text
            if sent.seat < 0:
                self.watch.fault(f"somebody without a seat was not refused: {sent.what} at {account.id}")
        elif answer.status_code == 403 and sent.seat >= 0:
            self.watch.fault(f"{self.name} lost its seat at {account.id}: {sent.what}")

    # --- looking -----------------------------------------------------------------------------------------------

    async def look_around(self) -> None:
        """Some page."""
        account = self.rng.choice(list(self.book.tables.values()))
        game = self.rng.choice(self.watch.games)
        table = f"/tables/{account.id}"
        pages = ("/", "/credits", "/healthz", f"/games/{game}", table, f"{table}/fragment", f"{table}/export.json")
        await self.ask(self.rng.choice(("GET", "GET", "GET", "HEAD")), self.rng.choice(pages))

    async def odd_look(self) -> None:
        """A page that is not there, or that is not asked so."""
        account = self.rng.choice(list(self.book.tables.values()))
        method = self.rng.choice(("GET", "GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"))
        path = broken.odd_path(self.rng, account.id)
        if method == "POST" and path.endswith("/again"):
            method = "GET"
        await self.ask(method, path, headers=self.rng.choice((HTMX, {})))

    async def rename(self) -> None:
        """Another name, or none."""
        name = self.rng.choice((f"{self.name} {self.rng.randrange(100)}", broken.odd_text(self.rng)))
        await self.ask("POST", "/me", data={"name": name, "back": broken.odd_text(self.rng)})

    async def come_back(self) -> None:
        """Use my private link, or one that is broken; or ask to be somebody new: I stay who I am."""
        answer = await self.ask("GET", "/me")
        link = re.search(r"me#([\w.-]+)", answer.text) if answer is not None else None
        key = link[1] if link else ""
        place = self.rng.randrange(len(key) + 1)
        broken_key = self.rng.choice((f"{key[:place]}{broken.odd_text(self.rng)}", key[place:], key[::-1], f"x{key}"))
        form = {"link": self.rng.choice((key, broken_key, broken_key)), "sure": self.rng.choice(("yes", ""))}
        await self.ask("POST", self.rng.choice(("/me/link", "/me/link", "/me/new")), data=form)

    async def forge(self) -> None:
        """A move at somebody else's table, with a cookie made up, changed, or of nobody."""
        other = self.rng.choice(self.others)
        if not other.mine():
            return
        account = self.rng.choice(other.mine())
        counter, moves = read_fragment(other.shown.get(account.id, ""))
        name, _, value = other.cookie.partition("=")
        place = self.rng.randrange(max(1, len(value) - 2))
        changed = value[:place] + ("A" if value[place : place + 1] != "A" else "B") + value[place + 1 :]
        forged = self.rng.choice((changed, value[:-1], value + "x", "", '""', "a.b.c", "%00", value.partition(".")[0]))
        cookie = self.rng.choice((f"{name}={forged}", f"{forged}={value}", f"{name}={forged}; {name}={forged}", ""))
        headers = {"Cookie": cookie, **self.rng.choice((HTMX, {}))}
        what = f"{self.name} forges {cookie[:150]!r} at {account.id}"
        form = {"counter": str(counter), "move": str(moves[0] if moves else 0)}
        try:
            async with httpx2.AsyncClient(base_url=f"http://{self.host}", timeout=PATIENCE) as nobody:
                answer = await nobody.post(f"/tables/{account.id}/moves", data=form, headers=headers)
        except httpx2.TransportError as error:
            return self.watch.unanswered(what, error)
        self.watch.look(what, "a forged cookie", answer.status_code, answer.text, 0.0)
        if answer.status_code < 400:
            self.watch.fault(f"a forged cookie was let in ({answer.status_code}): {what}")
        return None

    async def foreign(self) -> None:
        """A post that another site sends with my cookie: it must not be done."""
        if tables := self.mine():
            account = self.rng.choice(tables)
            counter, moves = await self._choices(account)
            form = {"counter": str(counter), "move": str(moves[0] if moves else 0)}
            headers = self.rng.choice(
                ({"Origin": "http://elsewhere"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"})
            )
            path = f"/tables/{account.id}/moves"
            answer = await self.ask("POST", path, data=form, headers=headers)
            if answer is not None and answer.status_code < 400:
                self.watch.fault(f"a post from another site was done: {path} {headers}")

    async def watch_live(self) -> None:
        """Open the live stream of a table, and leave it open for a while."""
        account = self.rng.choice(list(self.book.tables.values()))
        if len(self._streams) < 5:
            self._streams.append(asyncio.create_task(self._stream(account)))

    async def _stream(self, account: Account) -> None:
        since = self.rng.choice(("", "0", "1.1", quote(broken.odd_text(self.rng)[:50])))
        path = f"/tables/{account.id}/events?since={since}"
        what = f"{self.name}: the stream {path}"
        with contextlib.suppress(httpx2.TransportError):
            async with self.client.stream("GET", path, timeout=httpx2.Timeout(PATIENCE, read=None)) as answer:
                self.watch.statuses[f"stream {answer.status_code}"] += 1
                if answer.status_code == 500:
                    self.watch.fault(f"answer 500 to {what}")
                rest = ""
                async for text in answer.aiter_text():
                    rest += text
                    *blocks, rest = rest.split("\n\n")
                    for block in blocks:
                        self.watch.done["pushes"] += 1
                        self.watch.look_for_secrets(what, block, self.id)

    async def raw(self) -> None:
        """Bytes of a broken request."""
        tables = self.mine()
        if not tables:
            return
        account = self.rng.choice(tables)
        counter, moves = await self._choices(account)
        move = self.rng.choice(moves or [0])
        body = f"counter={counter}&move={move}".encode()
        request = broken.raw_request(self.rng, self.host, self.cookie, account.id, body)
        what = f"{self.name}: {request.what}, {len(request.data)} bytes, {request.data[:300]!r}"
        self.watch.unawaited.append(what)
        if request.whole:
            self._note(account, counter, ANY, what)
        await self._send_raw(request, what)

    async def _send_raw(self, request: broken.Raw, what: str) -> None:
        host, _, port = self.host.partition(":")
        began = time.perf_counter()
        try:
            reader, writer = await asyncio.open_connection(host, int(port))
        except OSError as error:
            return self.watch.unanswered(what, error)
        answer = b""
        try:
            # in pieces, as a slow network brings them
            for start in range(0, len(request.data), 40_000):
                writer.write(request.data[start : start + 40_000])
                await writer.drain()
            if request.end == "hold":
                self._held.append(writer)
                return None
            if request.end == "break":
                writer.transport.abort()
                return None
            reading = asyncio.create_task(reader.read())
            if request.end == "shut":
                # a server that waits for more gets an end instead; but answers to what has one are lost with it
                await asyncio.wait({reading}, timeout=0.3)
                writer.write_eof()
            async with asyncio.timeout(PATIENCE):
                answer = await reading
        except OSError:
            # the server closed while we were sending, which it may
            pass
        except TimeoutError as error:
            self.watch.unanswered(what, error)
        if request.end != "hold":
            writer.close()
        for status in re.findall(rb"HTTP/1\.1 (\d{3})", answer):
            seconds = time.perf_counter() - began
            self.watch.look(what, request.what, int(status), answer.decode("latin-1"), seconds, self.id)
        return None

    async def leave(self) -> None:
        """Break all that is still open."""
        for writer in self._held:
            writer.transport.abort()
        for stream in self._streams:
            stream.cancel()
        await asyncio.gather(*self._streams, return_exceptions=True)
        self._held.clear()
        self._streams.clear()

    # --- checking ----------------------------------------------------------------------------------------------

    async def compare(self, account: Account) -> None:
        """Hold what I am shown of a table against its rows, when nobody is at work on it."""
        seat = account.seat_of(self.id)
        told = ""
        # a broken request may be answered late, and a move come between the page and the rows: look again then
        for _ in range(3):
            answer = await self.ask("GET", f"/tables/{account.id}/fragment", headers=HTMX)
            if answer is None or seat is None:
                return
            account.touched = True
            self.watch.note(self.book.faults())
            if account.broken:
                return
            shown, moves = read_fragment(answer.text)
            legal, counter = account.match.legal(seat), account.counters()[seat]
            if answer.status_code == 200 and sorted(moves) == sorted(legal) and (not moves or shown == counter):
                break
            told = f"{answer.status_code}, counter {shown}, {moves}, and its rows say counter {counter}, {legal}"
        else:
            self.watch.fault(f"{self.name} is shown another table than {account.id}: {told}")
        if account.finished:
            await self._compare_export(account)

    async def _compare_export(self, account: Account) -> None:
        answer = await self.ask("GET", f"/tables/{account.id}/export.json")
        if answer is None:
            return
        self.watch.done["exports"] += 1
        try:
            loaded = Match.load(answer.text)
        except thorp.GameError as error:
            self.watch.fault(f"the export of {account.id} cannot be read: {error}")
            return
        if loaded.digest() != account.match.digest():
            self.watch.fault(f"the export of {account.id} is of another match than its rows")


#: What persons do, and how often.
DEEDS: dict[Callable[[Person], Awaitable[None]], int] = {
    Person.play: 30,
    Person.send_twice: 8,
    Person.take_back: 8,
    Person.odd_move: 6,
    Person.odd_form: 5,
    Person.new_table: 4,
    Person.odd_table: 6,
    Person.again: 2,
    Person.look_around: 8,
    Person.odd_look: 5,
    Person.rename: 2,
    Person.come_back: 3,
    Person.forge: 4,
    Person.foreign: 2,
    Person.watch_live: 4,
    Person.raw: 12,
    **company.DEEDS,
}
#: The same while the server is about to be killed: mostly what is acknowledged.
BUSY: dict[Callable[[Person], Awaitable[None]], int] = {
    Person.play: 30,
    Person.send_twice: 5,
    Person.take_back: 5,
    Person.new_table: 3,
    Person.again: 1,
}


def read_fragment(text: str) -> tuple[int, list[int]]:
    """The counter and the moves that a page of a table offers."""
    moves = [int(move) for move in re.findall(r'<button name="move" value="(\d+)"', html.unescape(text))]
    counter = re.search(r'name="counter" value="(\d+)"', text)
    return int(counter[1]) if counter else 0, moves


def _place_of(answer: httpx2.Response) -> str:
    """Where an answer sends the browser, if it is a table."""
    place = answer.headers.get("location") or answer.headers.get("hx-redirect") or ""
    return place if place.startswith("/tables/") else ""


def _id_in(place: str) -> str:
    return place.removeprefix("/tables/").partition("?")[0]


def _short(more: dict[str, Any]) -> str:
    text = repr({name: value for name, value in more.items() if value})
    return text if len(text) <= 400 else f"{text[:300]} ... {text[-90:]} ({len(text)} letters)"
