"""`thorp admin`: what whoever runs a server does with its tables, while it runs or not."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from thorp.server import admin
from thorp.server.app import DATABASE
from thorp.server.settings import Settings
from thorp.server.tables.store import Store, Unavailable, sqlite_url

T = TypeVar("T")


def run(given: argparse.Namespace, settings: Settings) -> int:
    """Do what was asked; 1 where it was not done."""
    try:
        _ACTIONS[given.action](given, settings)
    except admin.Refused as refusal:
        print(f"thorp: {refusal}", file=sys.stderr)
        return 1
    except (Unavailable, OSError) as error:
        print(f"thorp: The tables cannot be reached: {error}. Nothing was changed.", file=sys.stderr)
        return 1
    return 0


def _list(given: argparse.Namespace, settings: Settings) -> None:
    finished = True if given.finished else False if given.running else None
    found = _look(settings, lambda connection: admin.tables(connection, finished=finished, limit=max(given.limit, 0)))
    for table in found:
        print(_line(table))
    if not found:
        print("There are no such tables.")


def _show(given: argparse.Namespace, settings: Settings) -> None:
    table = _look(settings, lambda connection: admin.table(connection, given.table))
    summary = table.summary
    print(f"table       {summary.id}")
    print(f"game        {summary.game}, version {table.rules_version} of its rules")
    for seat, (name, bot) in enumerate(zip(summary.names, table.bots, strict=True)):
        print(f"seat {seat}      {_plain(name)}, {f'a bot ({bot})' if bot else 'a person'}")
    for id, value in table.options.items():
        # the text of a file is long, and no option of its own is called that
        print(f"option      {id} = {_plain(value) if len(value) <= 60 else 'a file of somebody’s own'}")
    print(f"moves       {summary.moves}{f', the last {_moment(table.last_move)}' if table.last_move else ''}")
    print(f"made        {_moment(summary.created)}")
    print(f"over        {_moment(summary.finished) if summary.finished else 'no'}")
    if summary.finished and not table.begun:
        print("record      none: the match had not begun")
    elif summary.finished:
        print(f"record      {'kept' if table.recorded else 'not drawn yet: a server draws it when it runs'}")
    if table.next_table:
        print(f"rematch     {table.next_table}")


def _close(given: argparse.Namespace, settings: Settings) -> None:
    begun = _do(settings, lambda store: store.write(partial(admin.close, id=given.table, clock=store.now)))
    then = "What was played can be read at its address." if begun else "Its match had not begun."
    print(f"The table {given.table} is closed. {then}")


def _delete(given: argparse.Namespace, settings: Settings) -> None:
    if not given.yes:
        table = _look(settings, lambda connection: admin.table(connection, given.table))
        print(_line(table.summary))
        raise admin.Refused("This table would be deleted with all its moves, for good. Say --yes to do it.")
    _do(settings, lambda store: admin.delete_table(store, given.table))
    print(f"The table {given.table} is deleted.")


def _backup(given: argparse.Namespace, settings: Settings) -> None:
    size = admin.backup(admin.file_of(settings.database, settings.data_dir, DATABASE), given.file)
    print(f"Copied into {given.file}: {size} bytes. Keep it to yourself: seeds of running tables lie in it.")


def _restore(given: argparse.Namespace, settings: Settings) -> None:
    target = admin.file_of(settings.database, settings.data_dir, DATABASE)
    admin.restore(given.file, target, overwrite=given.overwrite)
    print(f"{given.file} is the database at {target} now.")


_ACTIONS: dict[str, Callable[[argparse.Namespace, Settings], None]] = {
    **{"list": _list, "show": _show, "close": _close, "delete": _delete, "backup": _backup, "restore": _restore}
}


def _look(settings: Settings, work: Callable[[Connection], T]) -> T:
    """Run a function that only reads the store of a server: it is left as it is, also where it is an old one."""
    return _do(settings, lambda store: store.read(work, patient=True), only_looks=True)


def _do(settings: Settings, work: Callable[[Store], Coroutine[Any, Any, T]], *, only_looks: bool = False) -> T:
    """Do something with the store of a server."""
    file = settings.data_dir / DATABASE
    if not settings.database and not file.is_file():
        raise admin.Refused(f"There is no database at {file}. Name its folder with --data.")

    async def do() -> T:
        store = Store(settings.database or sqlite_url(file))
        try:
            await (store.require_current() if only_looks else store.open())
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(do())


def _line(table: admin.Summary) -> str:
    state = f"over since {_moment(table.finished)}" if table.finished else "running"
    names = ", ".join(map(_plain, table.names))
    return f"{table.id}  {_moment(table.created)}  {table.game}: {names}; {table.moves} moves, {state}"


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _plain(text: str) -> str:
    """What a stranger wrote, without what would steer a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
