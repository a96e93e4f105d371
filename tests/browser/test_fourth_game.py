"""A game of somebody else's: an installed package, from an empty cache, in arena, terminal and browser."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import connect_four
import pytest
from playwright.sync_api import Page
from serving import Server

from browser.table_page import TablePage
from thorp.compiling.mode import COMPILED


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Where Connect Four is installed beside Thorp, and no rule was ever compiled."""
    site = tmp_path / "site"
    shutil.copytree(Path(connect_four.__file__).parent, site / "connect_four")
    about = site / "connect_four-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: connect-four\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[thorp.games]\nconnect-four = connect_four:GAME\n")
    return {**os.environ, "PYTHONPATH": str(site), "THORP_CACHE": str(tmp_path / "cache")}


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="about what is compiled")
def test_a_fourth_game_is_played_everywhere(environment: dict[str, str], tmp_path: Path, page: Page) -> None:
    def thorp(*words: str, typed: str = "") -> str:
        command = [sys.executable, "-m", "thorp", *words]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, input=typed, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "First place" in thorp("arena", "balance", "connect-four", "--seats", "2", "--games", "60")
    played = thorp("play", "connect-four", "--seats", "2", "--seed", "1", "--save", "mine.json", typed="1\n" * 60)
    assert played.endswith("The match is in mine.json.\n")
    assert "the file is sound" in thorp("replay", "mine.json")

    # the other games are still being compiled
    server = Server(tmp_path / "data", environment)
    server.start()
    page.set_default_timeout(120_000)
    table = TablePage(page, seed=4)
    try:
        table.open_new(server.address, seats=2, game="connect-four")
        board = page.locator(".board").evaluate("board => getComputedStyle(board).backgroundColor")
        assert board == "rgb(47, 95, 151)", "its own style sheet"
        while not table.over:
            table.click_something()
    finally:
        server.kill()
