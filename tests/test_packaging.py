"""The checkout installs itself from pinned and hashed packages, and says nowhere where they come from."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements/play.txt", "requirements/test.txt")
# Put together here, so that this file does not find itself.
REGISTRY_HOSTS = ("pypi." + "org", "python" + "hosted", "npm" + "js", "yarn" + "pkg")


def files_of_the_project() -> list[Path]:
    """All files of the checkout but those that .gitignore names: it works in a copy without git, too."""
    ignored = {line.strip().rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()} | {".git"}
    files = []
    folders = [ROOT]
    while folders:
        for path in folders.pop().iterdir():
            if any(path.match(pattern) for pattern in ignored if pattern and not pattern.startswith("#")):
                continue
            (folders if path.is_dir() else files).append(path)
    return files


def test_no_file_names_a_registry() -> None:
    files = files_of_the_project()
    assert ROOT / "pyproject.toml" in files
    naming = [
        f"{path.relative_to(ROOT)}: {host}"
        for path in files
        for host in REGISTRY_HOSTS
        if host.encode() in path.read_bytes()
    ]
    assert naming == []


@pytest.mark.parametrize("lock", [*LOCKS, "requirements/postgresql.txt", "requirements/notices.txt"])
def test_every_python_package_is_pinned_and_hashed(lock: str) -> None:
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    pinned = re.compile(r"[\w.-]+==[\w.]+( ; [^;]+?)?( +--hash=sha256:[0-9a-f]{64})+ *")
    assert [line for line in lines if not pinned.fullmatch(line)] == []


def test_the_tests_run_with_what_is_played_with() -> None:
    play, test = (set(re.findall(r"^\S+==\S+", (ROOT / lock).read_text(), re.MULTILINE)) for lock in LOCKS)
    assert play < test


def test_every_node_package_is_hashed_and_without_an_address() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_what_is_checked_before_landing_is_what_a_person_runs() -> None:
    script = ROOT / ".ci/run"
    assert script.stat().st_mode & 0o111, "must be executable"
    commands = [line for line in script.read_text().splitlines() if not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]
