"""Starting a server: what can go wrong is said in one sentence."""

import asyncio
import socket

import pytest

from thorp.server import compiling
from thorp.server.app import _listen, serve
from thorp.server.settings import Settings


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit, match=r"cannot keep its tables in .*file.*Choose another folder"):
        serve(Settings(tmp_path / "file" / "data"), port=0)


def test_a_folder_that_holds_no_database(tmp_path):
    (tmp_path / "thorp.db").write_text("this is no database, but a letter of some length to whom it may concern")
    with pytest.raises(SystemExit, match=r"cannot keep its tables in .*not a database"):
        serve(Settings(tmp_path), port=0)


def test_a_port_that_is_taken(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=f"cannot listen at 127.0.0.1, port {port}: .*Choose another port"):
            serve(Settings(tmp_path), port=port)


def test_small_packets_are_sent_at_once():
    with _listen("127.0.0.1", 0) as listening:
        # what asyncio looks at before it sets TCP_NODELAY
        assert listening.proto == socket.IPPROTO_TCP


def test_rules_are_compiled_in_the_server_where_no_process_can_be_started(settings, monkeypatch, caplog):
    async def fail(*args, **kwargs):
        raise OSError("no more processes")

    async def prepare():
        rules = compiling.Rules(settings.players, apart=True)
        rules.apart = True
        await rules.prepare()
        return rules

    monkeypatch.setattr(asyncio, "create_subprocess_exec", fail)
    monkeypatch.setattr(compiling, "game_ids", lambda: ["pebbles"])
    rules = asyncio.run(prepare())
    assert rules.ready.is_set()
    assert rules.games == ("pebbles",)
    assert "no more processes" in caplog.text


def test_the_progress_of_the_process_that_compiles_is_read(settings, monkeypatch, tmp_path):
    helper = tmp_path / "python"
    helper.write_text("#!/bin/sh\necho 1 3\necho a warning\necho 2 3\n")
    helper.chmod(0o755)

    async def prepare():
        rules = compiling.Rules(settings.players, apart=True)
        rules.apart = True
        await rules.prepare()
        return rules

    monkeypatch.setattr(compiling.sys, "executable", str(helper))
    monkeypatch.setattr(compiling, "game_ids", lambda: ["pebbles"])
    rules = asyncio.run(prepare())
    assert (rules.done, rules.total) == (2, 3)
