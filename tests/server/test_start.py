"""Starting a server: what can go wrong is said in one sentence."""

import asyncio
import os
import socket
import subprocess
import sys
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from unittest import mock

import pytest
import toy

from thorp.compiling.mode import COMPILED
from thorp.core import registry
from thorp.server import app
from thorp.server.app import _listen, _try_store, serve
from thorp.server.settings import Settings
from thorp.server.tables import readiness, sqlite
from thorp.server.tables.store import Store, sqlite_url


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit, match=r"cannot keep its tables in .*file.*Choose another folder"):
        serve(Settings(tmp_path / "file" / "data"), port=0)


def test_a_folder_that_holds_no_database(tmp_path):
    (tmp_path / "thorp.db").write_text("this is no database, but a letter of some length to whom it may concern")
    with pytest.raises(SystemExit, match=r"cannot read its tables in .*not a database.*Put back a copy"):
        serve(Settings(tmp_path), port=0)


def test_a_database_with_a_broken_page(tmp_path, empty_database):
    broken = bytearray(empty_database.read_bytes())
    broken[-4096:] = bytes(4096)
    (tmp_path / "thorp.db").write_bytes(broken)
    with pytest.raises(SystemExit, match=r"(?s)cannot read its tables in .*damaged.*Put back a copy"):
        serve(Settings(tmp_path), port=0)


def test_a_large_database_is_not_looked_through(tmp_path, empty_database, monkeypatch):
    monkeypatch.setattr(sqlite, "LOOKED_THROUGH", 0)
    broken = bytearray(empty_database.read_bytes())
    broken[-4096:] = bytes(4096)
    (tmp_path / "thorp.db").write_bytes(broken)
    asyncio.run(_try_store(Settings(tmp_path)))


def test_a_port_that_is_taken(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=f"cannot listen at 127.0.0.1, port {port}: .*Choose another port"):
            serve(Settings(tmp_path), port=port)


@pytest.mark.parametrize("port", [99999, -1])
def test_a_number_that_is_no_port(tmp_path, port):
    with pytest.raises(SystemExit, match=f"cannot listen at port {port}: ports are numbers from 0 to 65535"):
        serve(Settings(tmp_path), port=port)


def test_letters_without_a_name_of_the_server(tmp_path, monkeypatch):
    monkeypatch.setattr(app, "_listen", mock.Mock(side_effect=OSError("it would listen")))
    given = {"smtp_host": "mail.example.org", "smtp_from": "thorp@example.org"}
    with pytest.raises(SystemExit, match=r"cannot serve so: letters have to say where this server is: .*hosts"):
        serve(Settings(tmp_path, **given), port=0)
    with pytest.raises(SystemExit, match="it would listen"):
        serve(Settings(tmp_path, hosts=("thorp.example.org",), **given), port=0)


def test_a_host_that_is_unknown(tmp_path):
    with pytest.raises(SystemExit, match=r"cannot listen at no\.such\.host\.invalid, port 0: (?!Unknown error)"):
        serve(Settings(tmp_path), host="no.such.host.invalid", port=0)


def test_the_password_of_a_database_is_not_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(app, "_store", lambda settings: Store(sqlite_url(tmp_path / "nowhere" / "thorp.db")))
    with pytest.raises(SystemExit, match=r"cannot keep its tables in postgresql.*ada") as end:
        serve(Settings(tmp_path, "postgresql+asyncpg://ada:secret@localhost/thorp"), port=0)
    assert "secret" not in str(end.value)


def test_small_packets_are_sent_at_once():
    with _listen("127.0.0.1", 0) as listening:
        # what asyncio looks at before it sets TCP_NODELAY
        assert listening.proto == socket.IPPROTO_TCP


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
def test_who_takes_nothing_any_more_is_gone_within_a_minute():
    with _listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == app.GONE


def prepared(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> tuple[readiness.Readiness, list[tuple[int, int]]]:
    """Readiness of the toy game, whose rules have to be compiled; and how far they were when they were loaded."""
    monkeypatch.setattr(readiness, "game_ids", lambda: ["pebbles"])
    monkeypatch.setattr(readiness, "_has_to_be_compiled", lambda id: True)
    seen = []

    async def prepare() -> readiness.Readiness:
        rules = readiness.Readiness(settings.players, apart=True)
        rules.apart = True
        load = rules._load
        rules._load = lambda id: (seen.append(rules.progress(id)), load(id))
        await rules.prepare()
        return rules

    return asyncio.run(prepare()), seen


def test_rules_are_compiled_in_the_server_where_no_process_can_be_started(settings, monkeypatch, caplog):
    async def fail(*args, **kwargs):
        raise OSError("no more processes")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", fail)
    rules, _ = prepared(settings, monkeypatch)
    assert rules.all_ready.is_set()
    assert rules.games == ("pebbles",)
    assert rules.is_ready("pebbles")
    assert "no more processes" in caplog.text


def test_no_game_is_ready_before_it_is_known_which_there_are(settings, monkeypatch):
    """Or whoever comes first after a start has its rules compiled while everybody waits."""
    rules = readiness.Readiness(settings.players, apart=False)
    assert not rules.is_ready("pebbles")
    monkeypatch.setattr(readiness, "game_ids", lambda: ["pebbles"])
    asyncio.run(rules.prepare())
    assert rules.is_ready("pebbles")
    # whoever asks for what is not there need not wait
    assert rules.is_ready("no-such-game")


def test_a_package_that_cannot_be_imported_is_a_line_in_the_log(settings, monkeypatch, caplog):
    point = EntryPoint("failing", "no_such_module_anywhere:GAME", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    monkeypatch.setattr(readiness, "game_ids", lambda: ["failing", "pebbles"])
    rules = readiness.Readiness(settings.players, apart=False)
    asyncio.run(rules.prepare())
    assert rules.games == ("pebbles",)
    (said,) = caplog.records
    assert said.getMessage().startswith("the game failing cannot be used: no_such_module_anywhere cannot be imported: ")
    assert said.exc_info is None


def test_the_progress_of_the_process_that_compiles_is_read(settings, monkeypatch, tmp_path, capfd, caplog):
    """And whatever else it says is a line of the server's log, which may be one of JSON."""
    helper = tmp_path / "python"
    helper.write_text("#!/bin/sh\necho 1 3\necho a warning >&2\necho 2 3\n")
    helper.chmod(0o755)
    monkeypatch.setattr(readiness.sys, "executable", str(helper))
    _, seen = prepared(settings, monkeypatch)
    assert seen == [(2, 3)]
    assert [each.getMessage() for each in caplog.records] == ["compiling pebbles: a warning"]
    assert capfd.readouterr() == ("", "")


COMPILES = "import toy; from thorp.server.tables import readiness; readiness.main('pebbles')"


@pytest.fixture
def compiling(monkeypatch, tmp_path):
    """A process that has the rules of the toy game to compile."""
    monkeypatch.setenv("THORP_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("PYTHONPATH", str(Path(toy.__file__).parents[1]))
    return partial(subprocess.run, stderr=subprocess.PIPE, timeout=300)


@pytest.mark.skipif(not COMPILED, reason="about compiled rules")
def test_a_process_that_compiles_says_nothing_where_its_server_has_ended(compiling):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = compiling([sys.executable, "-c", COMPILES], stdout=writing)
    finally:
        os.close(writing)
    assert done.returncode == 1
    assert done.stderr == b""


def test_rules_that_cannot_be_compiled_are_told_in_a_line(compiling):
    broken = "import thorp; thorp.Game.prepare = lambda *_: 1 / 0"
    done = compiling([sys.executable, "-c", f"{broken}; {COMPILES}"], stdout=subprocess.PIPE)
    assert done.stderr == b"its rules cannot be compiled: division by zero\n"
    assert done.stdout == b""


def test_a_game_whose_rules_are_kept_needs_no_other_process(settings, monkeypatch):
    async def fail(*args, **kwargs):
        raise AssertionError("a process was started")

    monkeypatch.setattr(readiness, "game_ids", lambda: ["pebbles"])
    readiness.find_game("pebbles").prepare()
    monkeypatch.setattr(asyncio, "create_subprocess_exec", fail)
    rules = readiness.Readiness(settings.players, apart=True)
    asyncio.run(rules.prepare())
    assert rules.is_ready("pebbles")
