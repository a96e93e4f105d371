"""The chat of a table on its page and on its stream: saying something, who may, and hearing no more of somebody."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from thorp.server.tables import chat
from thorp.server.tables.chat import Chats, Said
from thorp.server.tables.rooms import Tables
from thorp.server.tables.table import Table
from thorp.server.web.answers import go, is_htmx
from thorp.server.web.forms import field, read_form, text
from thorp.server.web.naming import called_now, names_at
from thorp.server.web.people import person_of, visitor_of
from thorp.server.web.refusals import TooMany
from thorp.server.web.security import Buckets

#: Lines a second in the long run, and at once: of one person anywhere, and of all at one table.
_PERSON, _PERSON_AT_ONCE = 0.5, 6
_TABLE, _TABLE_AT_ONCE = 4.0, 24


@dataclass(frozen=True)
class LineShown:
    """A line, as a page shows it."""

    number: int
    name: str
    #: The seat that said it; None for who watches.
    seat: int | None
    text: str
    said: str
    #: What stands for who said it, and whether that is the viewer.
    speaker: str
    mine: bool


@dataclass(frozen=True)
class ChatShown:
    """The chat of a table, for one viewer."""

    lines: tuple[LineShown, ...]
    last: int
    #: Whether the viewer can talk; who may, as the opener has chosen, and whether that is the viewer.
    open: bool
    whom: str
    opener: bool
    #: Who is heard no more: (what stands for it, its name).
    muted: tuple[tuple[str, str], ...]


class Pace:
    """How fast people may talk."""

    def __init__(self) -> None:
        self._people = Buckets(_PERSON, _PERSON_AT_ONCE)
        self._tables = Buckets(_TABLE, _TABLE_AT_ONCE)

    def take(self, person: str, table: str) -> None:
        """Count a line. Raises TooMany where it is one too many."""
        if wait := self._people.take(person):
            raise TooMany("You write faster than others can read. Wait a moment, and send it then.", seconds=_up(wait))
        if wait := self._tables.take(table):
            self._people.put_back(person)
            raise TooMany(
                "All at this table write at the same time. Wait a moment, and send it then.", seconds=_up(wait)
            )


def _up(seconds: float) -> int:
    return int(seconds) + 1


async def say(request: Request) -> Response:
    """The visitor says something."""
    form = await read_form(request)
    person = person_of(request)
    table = await _tables(request).open(request.path_params["id"])
    line = chat.clean_line(field(form, "line"))
    pace: Pace = request.app.state.pace
    pace.take(person.id, table.id)
    seat = table.eyes(person.id).seat
    await _chats(request).say(table, person.id, seat, person.name if seat is None else table.names[seat], line)
    await _chats(request).follow(table.id)
    return _done(request, table)


async def switch(request: Request) -> Response:
    """The opener says who talks."""
    form = await read_form(request)
    table = await _tables(request).open(request.path_params["id"])
    await _chats(request).switch(table, person_of(request).id, text(form.get("whom")))
    await _chats(request).follow(table.id)
    return _done(request, table)


async def mute(request: Request) -> Response:
    """The visitor hears no more of somebody, or again."""
    form = await read_form(request)
    table = await _tables(request).open(request.path_params["id"])
    mute = text(form.get("mute")) != "no"
    await _chats(request).mute(table, person_of(request).id, field(form, "speaker"), mute=mute)
    await _chats(request).follow(table.id)
    return _done(request, table)


async def show_chat(request: Request, table: Table) -> ChatShown | None:
    """The chat for the visitor; None where there is none for it."""
    person = visitor_of(request.scope).id
    opener = table.row.opener == person
    talk = await _chats(request).look(table.id)
    is_open = chat.may_read(table, talk, person)
    if not is_open and not opener:
        return None
    muted = talk.muted.get(person, frozenset())
    names = {line.person: _called(table, line) for line in talk.lines if line.person in muted}
    return ChatShown(
        lines=tuple(_shown(table, line, person) for line in chat.heard(talk, person)) if is_open else (),
        last=talk.last,
        open=is_open,
        whom=talk.whom,
        opener=opener,
        muted=tuple((chat.speaker(table, other), name) for other, name in names.items()),
    )


def talking(request: Request, table: str) -> Callable[[], bytes]:
    """What a page of the visitor is told of the chat: the events that are new each time that it is asked.

    They begin after the line that the page had last, as far as its address tells.
    """
    person = visitor_of(request.scope).id
    asked = request.query_params.get("chat", "")
    since = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else None

    def fresh() -> bytes:
        nonlocal since
        room, talk = _tables(request).seen(table), _chats(request).known(table)
        if room is None or talk is None or since is None or not chat.may_read(room, talk, person):
            return b""
        lines = chat.heard(talk, person, since)
        since = max(since, talk.last)
        return b"".join(_event(_shown(room, line, person)) for line in lines)

    return fresh


def _event(line: LineShown) -> bytes:
    return b"event: chat\ndata: " + json.dumps(line.__dict__).encode() + b"\n\n"


def _called(table: Table, line: Said) -> str:
    """Who said a line: as at its seat, where somebody is called alike; else by the name of that time."""
    if line.seat is None or line.seat >= len(table.seats):
        return called_now(line.name)
    seat = table.seats[line.seat]
    is_same = line.name == seat.name and line.person in (seat.person, seat.away)
    return names_at(table)[line.seat] if is_same else called_now(line.name)


def _shown(table: Table, line: Said, person: str) -> LineShown:
    return LineShown(
        line.number,
        _called(table, line),
        line.seat,
        line.text,
        line.said.isoformat(timespec="seconds"),
        chat.speaker(table, line.person),
        line.person == person,
    )


def _done(request: Request, table: Table) -> Response:
    return Response(status_code=204) if is_htmx(request) else go(request, f"/tables/{table.id}#chat")


def _chats(request: Request) -> Chats:
    return request.app.state.chats  # type: ignore[no-any-return]


def _tables(request: Request) -> Tables:
    return request.app.state.tables  # type: ignore[no-any-return]
