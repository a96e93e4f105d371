"""What the README shows is true: its program runs, its commands and pictures exist."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_game_in_eight_lines_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len([line for line in program.splitlines() if line]) <= 8
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\((-?\d+, ){3}-?\d+\) \(([1-4], ){3}[1-4]\)\n", done.stdout)


def test_its_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make (\w+)$", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_its_pictures_and_pages_exist() -> None:
    linked = re.findall(r"\]\((?!http)([^)#]+)\)|src=\"([^\"]+)\"", README)
    assert len(linked) > 4
    for names in linked:
        assert (ROOT / "".join(names)).exists(), names


def test_every_script_that_it_names_exists() -> None:
    for script in re.findall(r"scripts/\w+\.py", README):
        assert (ROOT / script).exists(), script


def test_it_says_that_thorp_is_unofficial() -> None:
    for words in ("Unofficial", "names of the games belong to their owners", "worth"):
        assert words in README


def test_no_figure_is_left_open() -> None:
    assert set(re.findall(r"\b[A-Z]{5,}\b", README)) == {"LICENSE"}


def test_the_example_of_the_package_is_true() -> None:
    """In a process of its own, which knows no other games than those that come with Thorp."""
    program = "import doctest, thorp; print(*doctest.testmod(thorp)[:2])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "0 4\n", done.stdout + done.stderr
