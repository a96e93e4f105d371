"""A real server with a real database, and a real browser."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Server:
    """A server in a process of its own, which can be killed and started again on the same data and port."""

    def __init__(self, data: Path, environment: dict[str, str] | None = None) -> None:
        self.data = data
        self.environment = environment
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it says its address."""
        command = [sys.executable, str(Path(__file__).with_name("serve.py")), str(self.port), str(self.data)]
        self._process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert re.search(re.escape(self.address), line), line

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process
        self._process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        """End it as Ctrl-C does; the exit status."""
        assert self._process
        self._process.send_signal(signal.SIGINT)
        return self._end()

    def _end(self) -> int:
        assert self._process
        assert self._process.stdout
        status = self._process.wait(timeout=30)
        self._process.stdout.close()
        return status


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server on an empty database."""
    running = Server(tmp_path / "data")
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for one file: while Playwright runs, its event loop is in the way of other tests'."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium.find()), args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person: a browser with no cookies."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab whose errors fail the test."""
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"an error on the page: {error}"))
    return page
