"""`make`: what it does not do to what is not its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[1] / "Makefile"


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
def test_a_venv_that_is_a_link_is_not_emptied(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine").write_text("kept")
    here = tmp_path / "checkout"
    (here / "requirements").mkdir(parents=True)
    (here / "requirements" / "play.txt").touch()
    shutil.copy(MAKEFILE, here)
    (here / ".venv").symlink_to(elsewhere)
    command = ["make", ".venv/tools.stamp", f"PYTHON={sys.executable}"]
    ended = subprocess.run(command, cwd=here, capture_output=True, text=True)
    assert ended.returncode != 0
    assert "'.venv' is a link" in ended.stderr
    assert [path.name for path in elsewhere.iterdir()] == ["mine"]
