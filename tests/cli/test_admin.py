"""`thorp admin`: on the store of a server that runs, and on copies of it."""

import asyncio
import os
import sqlite3
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thorp.cli import main
from thorp.server.admin import delete_table
from thorp.server.app import DATABASE
from thorp.server.tables import sqlite
from thorp.server.tables.schema import records, tables
from thorp.server.tables.store import MoveRow, SeatRow, Store, TableRow, sqlite_url

Said = pytest.CaptureFixture[str]


def use(data: Path, work):
    """Do something with the store."""

    async def do():
        store = Store(sqlite_url(data / DATABASE))
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(do())


async def two_tables(store):
    for id in ("first", "second"):
        row = TableRow(id, "pebbles", 1, {"rounds": "3"}, 123456789, "salt", "c", 1, 1, True, datetime.now(UTC))
        await store.add_table(row, [SeatRow(0, "p", None, "Ada\x1b[2J")])
        await store.add_move(id, MoveRow(0, 0, 2, 0))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    use(folder, two_tables)
    return folder


def admin(data: Path, *words: str) -> int:
    return main(["admin", "--data", str(data), *words])


def test_tables_are_listed_and_shown_without_their_secrets(data: Path, capsys: Said) -> None:
    assert admin(data, "list") == 0
    assert admin(data, "list", "--finished") == 0
    assert admin(data, "show", "first") == 0
    out = capsys.readouterr().out
    assert out.count("Ada?[2J; 1 moves, running") == 2
    assert "There are no such tables." in out
    assert "seat 0      Ada?[2J, a person" in out
    assert "123456789" not in out
    assert "\x1b" not in out


def test_a_table_is_closed_once(data: Path, capsys: Said) -> None:
    assert admin(data, "close", "first") == 0
    assert admin(data, "close", "first") == 1
    assert "over already" in capsys.readouterr().err
    assert admin(data, "list", "--running") == 0
    assert "first" not in capsys.readouterr().out


def test_nothing_of_what_was_deleted_stays_in_the_files(data: Path) -> None:
    """Also while a server has them open."""

    async def names_before_and_after(store: Store) -> list[bool]:
        def is_there() -> bool:
            return any(b"Somebody unheard-of" in file.read_bytes() for file in data.glob(f"{DATABASE}*"))

        row = TableRow("third", "pebbles", 1, {"rounds": "3"}, 123456789, "salt", "c", 1, 1, True, datetime.now(UTC))
        await store.add_table(row, [SeatRow(0, "p", None, "Somebody unheard-of")])
        before = is_there()
        await delete_table(store, "third")
        return [before, is_there()]

    assert use(data, names_before_and_after) == [True, False]


def test_what_is_deleted_is_so_though_others_write(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is left in the log has to wait."""

    async def delete_while_others_write(store: Store) -> None:
        assert store.writer
        wipe = store.writer._wipe

        def busy() -> None:
            with monkeypatch.context() as patch:
                patch.setattr(sqlite, "BUSY_TIMEOUT", 0.01)
                with sqlite.Turns(data / f"{DATABASE}-lock", data / DATABASE):
                    wipe()

        monkeypatch.setattr(store.writer, "_wipe", busy)
        await delete_table(store, "first")

    use(data, delete_while_others_write)
    assert admin(data, "show", "first") == 1


def test_a_table_is_deleted_with_all_that_is_its_own(data: Path, capsys: Said) -> None:
    async def rematch(store):
        await store.write(
            lambda c: c.execute(tables.update().where(tables.c.id == "second").values(next_table="first"))
        )

    use(data, rematch)
    assert admin(data, "delete", "first") == 1
    assert "Say --yes" in capsys.readouterr().err
    assert admin(data, "delete", "first", "--yes") == 0
    assert admin(data, "show", "second") == 0
    assert "rematch" not in capsys.readouterr().out
    assert admin(data, "show", "first") == 1
    assert "There is no table 'first'" in capsys.readouterr().err
    with sqlite3.connect(data / DATABASE) as database:
        assert database.execute('SELECT count(*) FROM "move"').fetchone() == (1,)
        assert database.execute(f'SELECT count(*) FROM "{records.name}"').fetchone() == (0,)
    database.close()


def test_a_running_store_is_backed_up_and_put_back(data: Path, tmp_path: Path, capsys: Said) -> None:
    copy = tmp_path / "copy.db"

    async def work(store):
        # the store is open, as a server has it: what it has committed lies in its log still
        await asyncio.to_thread(admin, data, "backup", str(copy))
        assert await asyncio.to_thread(admin, data, "restore", str(copy), "--overwrite") == 1

    use(data, work)
    assert "A server has" in capsys.readouterr().err
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("copy.db-*"))
    assert admin(data, "backup", str(copy)) == 1
    assert "already" in capsys.readouterr().err
    assert admin(data, "delete", "first", "--yes") == 0
    assert admin(data, "restore", str(copy)) == 1
    assert "--overwrite" in capsys.readouterr().err
    assert admin(data, "restore", str(copy), "--overwrite") == 0
    assert admin(data, "show", "first") == 0
    assert stat.S_IMODE((data / DATABASE).stat().st_mode) == 0o600
    assert sorted(path.name for path in data.iterdir()) == [DATABASE, f"{DATABASE}-lock"]


def test_a_copy_takes_the_place_of_a_damaged_database(data: Path, tmp_path: Path, capsys: Said) -> None:
    copy = tmp_path / "copy.db"
    assert admin(data, "backup", str(copy)) == 0
    (data / DATABASE).write_bytes(b"no database at all" * 1000)
    assert admin(data, "backup", str(tmp_path / "other.db")) == 1
    assert not (tmp_path / "other.db").exists()
    assert admin(data, "list") == 1
    assert admin(data, "restore", str(copy), "--overwrite") == 0
    assert admin(data, "show", "first") == 0


@pytest.mark.parametrize("content", [b"", b"no database", None])
def test_what_is_no_copy_is_not_put_in_place(content: bytes | None, data: Path, tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    assert admin(data, "restore", str(file), "--overwrite") == 1
    assert capsys.readouterr().err.startswith("thorp: ")
    assert admin(data, "show", "first") == 0
    assert not list(data.glob("*.restoring"))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks what a file is called as Linux tells it")
def test_what_root_puts_in_place_belongs_to_the_server(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, tuple[int, int]] = {}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda file, *ids: given.update({os.readlink(f"/proc/self/fd/{file}"): ids}))
    monkeypatch.setattr(sqlite, "owner_of", lambda file: (7, 8))
    copy, lock, coming = tmp_path / "copy.db", data / f"{DATABASE}-lock", data / f"{DATABASE}.restoring"
    assert admin(data, "backup", str(copy)) == 0
    # a copy belongs to who makes it
    assert given == {}
    lock.unlink()
    for table in ("first", "second"):
        assert admin(data, "close", table) == 0
        assert given == {str(lock): (7, 8)}
    assert admin(data, "restore", str(copy), "--overwrite") == 0
    assert given == {str(lock): (7, 8), str(coming): (7, 8)}


def test_a_file_belongs_to_whom_its_folder_belongs_as_long_as_it_is_not_there(data: Path) -> None:
    found, folder = (data / DATABASE).stat(), data.stat()
    assert sqlite.owner_of(data / DATABASE) == (found.st_uid, found.st_gid)
    assert sqlite.owner_of(data / "none") == (folder.st_uid, folder.st_gid)


def test_there_is_no_database(tmp_path: Path, capsys: Said) -> None:
    assert admin(tmp_path / "none", "list") == 1
    assert admin(tmp_path / "none", "backup", str(tmp_path / "copy")) == 1
    assert "There is no database at" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_postgresql_has_its_own_tools(tmp_path: Path, capsys: Said) -> None:
    assert main(["admin", "--database", "postgresql+asyncpg://localhost/thorp", "backup", str(tmp_path / "copy")]) == 1
    assert "pg_dump" in capsys.readouterr().err


# --- settings ----------------------------------------------------------------------------------------------


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch):
    """What a server would be started with."""
    from thorp.server import app

    found: list[tuple[app.Settings, str, int]] = []
    monkeypatch.setattr(app, "serve", lambda settings, host, port, **how: found.append((settings, host, port)))
    return found


def test_a_file_of_settings_counts_least(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, served) -> None:
    config = tmp_path / "thorp.toml"
    config.write_text('port = 9000\nhosts = ["a.example.org", "b.example.org"]\nstreams = 5\nhead_time = 2.5\n')
    monkeypatch.setenv("THORP_CONFIG", str(config))
    monkeypatch.setenv("THORP_STREAMS", "6")
    monkeypatch.setenv("THORP_HOST", "0.0.0.0")
    assert main(["serve", "--data", str(tmp_path), "--port", "9001"]) == 0
    settings, host, port = served[0]
    assert (host, port) == ("0.0.0.0", 9001)
    assert (settings.hosts, settings.streams, settings.head_time) == (("a.example.org", "b.example.org"), 6, 2.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("streams = 0", "streams: '0' is not a number from 1 on"),
        ("streams = true", "streams: a setting in a file is"),
        ("colour = 1", "no setting 'colour'"),
        ("streams =", "are no TOML"),
        ('log_format = "xml"', "neither text nor json"),
        ('metrics_token = "short"', "at least 16"),
        (None, "cannot be read"),
    ],
)
def test_settings_that_cannot_be_read(text: str | None, said: str, tmp_path: Path, served, capsys: Said) -> None:
    config = tmp_path / "thorp.toml"
    if text is not None:
        config.write_text(text)
    with pytest.raises(SystemExit) as end:
        main(["serve", "--config", str(config)])
    assert end.value.code == 2
    assert said in capsys.readouterr().err
    assert not served


def test_a_setting_of_the_environment_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, served, capsys: Said
) -> None:
    monkeypatch.setenv("THORP_STREAMS", "many")
    with pytest.raises(SystemExit):
        main(["serve"])
    assert "THORP_STREAMS: 'many' is not a number" in capsys.readouterr().err
