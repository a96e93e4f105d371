"""A real server, and strangers that open connections and let it wait: it answers others, and its log stays small."""

from __future__ import annotations

import contextlib
import http.client
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from serving import fork, run_thorp

from thorp.server.web import connections
from thorp.server.web.connections import room

resource = pytest.importorskip("resource")

#: Strangers come from one address, everybody else from another.
STRANGER, OTHER = "127.0.0.2", "127.0.0.3"
HALF = b"POST /me HTTP/1.1\r\nHost: thorp.test\r\n"
FORM = HALF + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\nname="
NAMED = HALF + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\nname=A"
FILES = HALF + b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 99\r\n\r\n--x\r\n"


@dataclass
class Served:
    """`thorp serve` in a process of its own."""

    process: ForkServerProcess
    port: int
    errors: Path

    def connect(self, origin: str = OTHER) -> socket.socket:
        """A connection from an address."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=20, source_address=(origin, 0))

    def ask(self, origin: str = OTHER, path: str = "/healthz", **headers: str) -> int:
        """The status of an answer."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=(origin, 0))
        with contextlib.closing(client):
            client.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            return client.getresponse().status

    def flood(self, stack: contextlib.ExitStack, count: int, sent: bytes = HALF) -> list[socket.socket]:
        """Many connections of a stranger, each with something that is not all."""
        opened = []
        for _ in range(count):
            with contextlib.suppress(ConnectionError):
                client = stack.enter_context(self.connect(STRANGER))
                opened.append(client)
                client.sendall(sent)
        return opened

    def log(self) -> str:
        """All that was logged."""
        return self.errors.read_text()

    def open_files(self) -> int:
        """How many files the server has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


@contextlib.contextmanager
def serving(folder: Path, *options: str, files: int = 1024) -> Iterator[Served]:
    """A server that may open so many files."""
    errors = folder / "errors.txt"
    heard, said = multiprocessing.Pipe(duplex=False)
    with heard:
        with said:
            serve = ("serve", "--port", "0", "--data", str(folder / "data"), *options)
            process = fork(run_thorp, serve, said, errors, files)
        try:
            with open(heard.fileno(), closefd=False) as lines:
                line = lines.readline()
            found = re.search(r":(\d+)/", line)
            assert found, line + errors.read_text()
            yield Served(process, int(found[1]), errors)
        finally:
            process.kill()
            process.join()


def read_all(client: socket.socket) -> bytes:
    """What comes until the connection is closed."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := client.recv(65536):
            parts.append(part)
    return b"".join(parts)


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address only")


@needs_linux
def test_half_sent_requests_neither_stop_the_server_nor_fill_its_log(tmp_path):
    with serving(tmp_path, files=256) as server, contextlib.ExitStack() as stack:
        strangers = server.flood(stack, 400)
        for _ in range(3):
            assert server.ask() == 200
        # the last of them was turned away, with a word or without
        assert read_all(strangers[-1])[:12] in (b"", b"HTTP/1.1 503")
        assert server.open_files() < 200
        assert len(server.log()) < 1000
        assert "Traceback" not in server.log()
        assert f"{STRANGER} has its 32 connections" in server.log()


@needs_linux
def test_who_is_turned_away_reads_why(tmp_path):
    with serving(tmp_path, "--connections-each", "1", "--connections", "2") as server, contextlib.ExitStack() as stack:
        server.flood(stack, 1)
        answer = read_all(server.flood(stack, 1, b"")[0])
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"\r\nConnection: close\r\n" in answer
        assert b"So many connections are open from your address" in answer
        # all are taken with the next one
        stack.enter_context(server.connect(OTHER)).sendall(HALF)
        answer = read_all(stack.enter_context(server.connect("127.0.0.4")))
        assert b"as many visitors as it can take" in answer


@needs_linux
def test_who_takes_all_makes_room_for_who_has_less(tmp_path):
    with serving(tmp_path, "--connections-each", "7", "--connections", "8") as server, contextlib.ExitStack() as stack:
        strangers = server.flood(stack, 6)
        # one of them is answered, and waits for the next question
        strangers.append(server.flood(stack, 1, b"GET /healthz HTTP/1.1\r\nHost: a.test\r\n\r\n")[0])
        stack.enter_context(server.connect("127.0.0.4")).sendall(HALF)
        for origin in (OTHER, "127.0.0.5"):
            assert server.ask(origin) == 200
        assert read_all(strangers[0]) == b""
        assert f"{STRANGER}, which has most, loses some" in server.log()


@needs_linux
def test_a_request_has_to_come_in_time(tmp_path):
    with serving(tmp_path, "--head-time", "1", "--body-time", "1") as server, contextlib.ExitStack() as stack:
        # nothing, half a head, half a body, half a body that nobody waits for
        nothing, head, body, unread = (
            server.flood(stack, 1, sent)[0]
            for sent in (b"", HALF, FORM, b"GET /healthz HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\n")
        )
        assert read_all(nothing) == b""
        assert read_all(head) == b""
        answer = read_all(body)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"did not arrive in time" in answer
        assert read_all(unread).startswith(b"HTTP/1.1 200 ")
        # a second request on a connection too
        again = server.flood(stack, 1, b"GET /healthz HTTP/1.1\r\nHost: a.test\r\n\r\n" + HALF)[0]
        assert read_all(again).count(b"HTTP/1.1") == 1
        assert server.ask() == 200
        assert "Traceback" not in server.log()


@needs_linux
def test_time_does_not_begin_anew_with_every_byte(tmp_path):
    with serving(tmp_path, "--head-time", "1") as server, contextlib.ExitStack() as stack:
        client = server.flood(stack, 1)[0]
        client.settimeout(0.05)
        # a byte at a time until the server closes; a server that does not fails the test at its end
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(400):
                client.sendall(b"x")
                with contextlib.suppress(TimeoutError):
                    if not client.recv(1):
                        raise ConnectionError
        assert server.ask() == 200


@needs_linux
def test_answers_have_to_be_read(tmp_path):
    with serving(tmp_path, "--read-time", "1") as server, contextlib.ExitStack() as stack:
        # the largest: the fewer answers fill what a connection holds, the less the server works for nobody
        scripts = (Path(connections.__file__).parent / "static").glob("*.js")
        script = max(scripts, key=lambda path: path.stat().st_size)
        ask = f"GET /static/{script.name} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode()
        client = server.flood(stack, 1, b"")[0]
        # With little room for answers they soon wait at the server; a thousand are more than there can be on the way.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**16)
        client.sendall(ask * 1000)
        until = time.monotonic() + 20
        while "did not read its answers" not in server.log():
            assert time.monotonic() < until
            os.sched_yield()
        assert read_all(client).count(b"HTTP/1.1 200 ") < 1000
        assert server.ask() == 200


@needs_linux
def test_a_connection_holds_only_so_much_that_waits_for_answers(tmp_path):
    with serving(tmp_path) as server, contextlib.ExitStack() as stack:
        scripts = (Path(connections.__file__).parent / "static").glob("*.js")
        script = min(scripts, key=lambda path: path.stat().st_size)
        ask = f"GET /static/{script.name} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode()
        for request in (NAMED, ask):
            client = server.flood(stack, 1, b"")[0]
            client.settimeout(20)
            # What is let in of all this, and not answered, would be held.
            some = request * 4000
            for _ in range(2**26 // len(some)):
                try:
                    client.sendall(some)
                except ConnectionError:
                    break
                assert server.ask() == 200
            else:
                pytest.fail(f"of {request!r}, all was let in")
        assert f"a connection from {STRANGER} was closed: it asked for much more" in server.log()
        assert "did not read" not in server.log()
        assert "Traceback" not in server.log()
        assert server.ask() == 200


@needs_linux
def test_a_few_requests_at_once_are_answered_one_after_the_other(tmp_path):
    with serving(tmp_path) as server, contextlib.ExitStack() as stack:
        health, nowhere, last = (
            f"GET {path} HTTP/1.1\r\nHost: thorp.test\r\n{more}\r\n".encode()
            for path, more in (("/healthz", ""), ("/nowhere", ""), ("/healthz", "Connection: close\r\n"))
        )
        client = server.flood(stack, 1, (health + NAMED + nowhere) * 20 + last)[0]
        answers = re.findall(rb"HTTP/1\.1 (\d+) ", read_all(client))
        assert answers == [b"200", b"303", b"404"] * 20 + [b"200"]
        assert "was closed" not in server.log()


@needs_linux
def test_who_goes_away_in_the_middle_leaves_no_trace(tmp_path):
    with serving(tmp_path) as server:
        for part in (FORM, FILES) * 5:
            with server.connect(STRANGER) as client:
                client.sendall(part)
            assert server.ask() == 200
        # nor does who has not sent all when the server stops, and the server does not wait for it
        with server.connect(STRANGER) as client:
            client.sendall(FORM)
            assert server.ask() == 200
            assert server.process.pid
            os.kill(server.process.pid, signal.SIGTERM)
            assert read_all(client).startswith(b"HTTP/1.1 503 ")
        server.process.join(20)
        assert not server.process.is_alive()
        assert server.log().count("\n") <= 1
        assert "Traceback" not in server.log()


@needs_linux
def test_out_of_files_the_server_waits_and_goes_on(tmp_path):
    with serving(tmp_path) as server, contextlib.ExitStack() as stack:
        assert server.ask() == 200
        # not even the server's own reserve is left
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (server.open_files() + 1, hard))
        server.flood(stack, 50)
        until = time.monotonic() + 20
        while "no connection can be accepted now" not in server.log():
            assert time.monotonic() < until
            os.sched_yield()
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (hard, hard))
        assert server.ask() == 200
        # games that were being loaded had their troubles too
        assert server.log().count("accept") == 1
        assert len(server.log()) < 30_000


@needs_linux
def test_nobody_is_believed_to_be_a_proxy(tmp_path):
    with serving(tmp_path, "--post-rate", "0.001", "--post-burst", "1") as server:
        assert posts(server, 8) == [400] * 5 + [429] * 3


@needs_linux
def test_a_proxy_is_believed_where_requests_come_from(tmp_path):
    options = ("--proxies", f"10.0.0.0/8,{STRANGER}/32", "--connections-each", "1")
    with (
        serving(tmp_path, "--post-rate", "0.001", "--post-burst", "1", *options) as server,
        contextlib.ExitStack() as stack,
    ):
        # what the proxy itself was told is not believed
        assert posts(server, 8, "{}, 198.51.100.7") == [400] * 5 + [429] * 3
        assert posts(server, 8) == [400] * 8
        # of IPv6, a household has more addresses than anybody can count
        assert posts(server, 8, "2001:db8:0:1::{}") == [400] * 5 + [429] * 3
        assert posts(server, 1, "2001:db8:0:2::{}") == [400]
        # its connections are those of many
        server.flood(stack, 5)
        assert server.ask(STRANGER) == 200
        assert "from 198.51.100.7" in server.log()


def posts(server: Served, count: int, forwarded: str = "192.0.2.{}") -> list[int]:
    """The answers to posts from an address that says each time that it speaks for another one."""
    answers = []
    for number in range(1, count + 1):
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20, source_address=(STRANGER, 0))
        with contextlib.closing(client):
            client.request("POST", "/me", headers={"X-Forwarded-For": forwarded.format(number)})
            answers.append(client.getresponse().status)
    return answers


@pytest.mark.parametrize(("files", "connections"), [(1024, 832), (256, 128), (64, 32), (10**6, 4096)])
def test_open_files_leave_room_for_so_many_connections(files, connections, monkeypatch):
    monkeypatch.setattr("thorp.server.web.connections.open_files", lambda: files)
    assert room() == connections
    assert room(20) == 20
    with pytest.raises(ValueError, match=f"may open {files} files: raise that limit"):
        room(files)


def test_too_many_connections_are_said_at_the_start(tmp_path):
    command = [sys.executable, "-m", "thorp", "serve", "--port", "0", "--data", str(tmp_path)]
    done = subprocess.run([*command, "--connections", "999999999"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "999999999 connections are too many for this process" in done.stderr
    done = subprocess.run([*command, "--proxies", "my-proxy"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "'my-proxy' is neither an address nor a network" in done.stderr
    environment = {**os.environ, "THORP_STREAMS": "many"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 2
    assert "'many' is not a number from 1 on" in done.stderr
