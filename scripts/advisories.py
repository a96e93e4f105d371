"""Known holes in what Thorp is built on: the lock files held against published advisories.

The advisories are files in the format of OSV, in folders or zip files: the collections that OSV and the advisory
databases of Python packages and of GitHub give away. They are looked for at --data, then at THORP_ADVISORIES; where
neither says anything OSV is asked by way of the network. Nothing else is sent there but names and versions.

    python scripts/advisories.py --data advisories/

It ends with 0 where no hole is known, with 1 where one is, and with 3 where something could not be checked.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
SERVICE = "https://api.osv.dev/v1/querybatch"
PYTHON, NODE = "PyPI", "npm"
#: What is written when no hole is known, when one is, and when something was not checked.
SOUND, HOLES, UNCHECKED = 0, 1, 3


class Unreadable(Exception):
    """Advisories that cannot be read."""


@dataclass(frozen=True, order=True)
class Package:
    """A package of a lock file."""

    ecosystem: str
    name: str
    version: str
    #: The lock file where it stands.
    file: str = field(compare=False)


@dataclass(frozen=True, order=True)
class Hole:
    """An advisory that is about a package as it is locked."""

    package: Package
    id: str
    summary: str = ""


# --- what is locked ----------------------------------------------------------------------------------------


def locked(root: Path = ROOT) -> list[Package]:
    """Everything that the lock files name."""
    found: dict[tuple[str, str, str], Package] = {}
    for file in ("requirements/play.txt", "requirements/test.txt"):
        for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", (root / file).read_text("utf-8"), re.MULTILINE):
            found.setdefault((PYTHON, name, version), Package(PYTHON, canonicalize_name(name), version, file))
    file = "package-lock.json"
    for path, about in json.loads((root / file).read_text("utf-8"))["packages"].items():
        if path:
            name, version = path.rpartition("node_modules/")[2], about["version"]
            found.setdefault((NODE, name, version), Package(NODE, name, version, file))
    return sorted(found.values())


# --- advisories in files -----------------------------------------------------------------------------------


def read(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """All advisories in files, folders and zip files. Raises Unreadable."""
    for path in paths:
        if path.is_dir():
            for inner in sorted(path.rglob("*")):
                if inner.is_file() and ".git" not in inner.parts and inner.suffix in (*_READERS, ".zip"):
                    yield from read([inner])
        elif path.suffix == ".zip":
            try:
                with zipfile.ZipFile(path) as archive:
                    for name in archive.namelist():
                        if Path(name).suffix in _READERS:
                            yield from _advisory(f"{path}: {name}", archive.read(name))
            except zipfile.BadZipFile as error:
                raise Unreadable(f"{path} is no zip file") from error
        elif path.is_file():
            yield from _advisory(str(path), path.read_bytes())
        else:
            raise Unreadable(f"{path} does not exist")


def _advisory(name: str, text: bytes) -> Iterator[dict[str, Any]]:
    """The advisory in a file; nothing where the file is about something else."""
    try:
        found = _READERS[Path(name).suffix](text)
    except ValueError as error:
        raise Unreadable(f"{name} cannot be read: {error}") from error
    if isinstance(found, dict) and "id" in found and isinstance(found.get("affected"), list):
        yield found


def _yaml(text: bytes) -> Any:
    try:
        yaml = import_module("yaml")
    except ImportError as error:
        raise Unreadable("these advisories are YAML: install PyYAML beside Thorp, or take them as JSON") from error
    try:
        # times would become objects: all scalars stay what is written there
        return yaml.load(text, yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


_READERS: Mapping[str, Callable[[bytes], Any]] = {".json": json.loads, ".yaml": _yaml, ".yml": _yaml}


# --- which of them are about us ----------------------------------------------------------------------------


def holes(packages: Iterable[Package], advisories: Iterable[Mapping[str, Any]]) -> tuple[list[Hole], Collection]:
    """The holes that are known, and what the advisories were."""
    named: dict[tuple[str, str], list[Package]] = {}
    for package in packages:
        named.setdefault((package.ecosystem, package.name), []).append(package)
    seen = Collection()
    found: set[Hole] = set()
    for advisory in advisories:
        for affected in advisory["affected"]:
            about = affected.get("package") or {}
            ecosystem, name = str(about.get("ecosystem", "")), str(about.get("name", ""))
            seen.note(ecosystem, str(advisory.get("modified", "")))
            if advisory.get("withdrawn"):
                continue
            key = (ecosystem, canonicalize_name(name) if ecosystem == PYTHON else name)
            for package in named.get(key, ()):
                if (told := _affects(affected, package)) is not None:
                    summary = str(advisory.get("summary") or advisory.get("details") or "")
                    found.add(Hole(package, str(advisory["id"]), f"{told}{' '.join(summary.split())[:100]}"))
    return sorted(found), seen


@dataclass
class Collection:
    """What advisories there were: how many of an ecosystem, and how new."""

    count: dict[str, int] = field(default_factory=dict)
    newest: dict[str, str] = field(default_factory=dict)

    def note(self, ecosystem: str, modified: str) -> None:
        """Count one."""
        self.count[ecosystem] = self.count.get(ecosystem, 0) + 1
        self.newest[ecosystem] = max(self.newest.get(ecosystem, ""), modified[:10])


def _affects(affected: Mapping[str, Any], package: Package) -> str | None:
    """Words before the summary where an advisory is about a package, or None.

    A range that cannot be read counts as one that holds the package: somebody has to look.
    """
    order = python_order if package.ecosystem == PYTHON else node_order
    if package.version in affected.get("versions", ()):
        return ""
    for span in affected.get("ranges", ()):
        if span.get("type") not in ("ECOSYSTEM", "SEMVER"):
            continue
        try:
            if within(package.version, span.get("events", ()), order):
                return ""
        except ValueError as error:
            return f"(its range cannot be read: {error}) "
    return None


def within(version: str, events: Sequence[Mapping[str, str]], order: Callable[[str], Any]) -> bool:
    """Whether a version lies in a range, by OSV's rule: events in their order, and the last one before it counts."""
    ours = order(version)
    if not any("introduced" in event for event in events):
        raise ValueError("nothing is introduced in it")

    def place(event: Mapping[str, str]) -> tuple[bool, Any]:
        (text,) = event.values()
        return (False, ()) if text in ("0", "*") else (True, order(text))

    inside = False
    for event in sorted(events, key=place):
        (kind,) = event
        begins, at = place(event)
        if kind == "introduced":
            inside = inside or not begins or ours >= at
        elif kind in ("fixed", "limit"):
            inside = inside and begins and ours < at
        elif kind == "last_affected":
            inside = inside and begins and ours <= at
        else:
            raise ValueError(f"it has an event {kind!r}")
    return inside


def python_order(version: str) -> Version:
    """How versions of Python packages follow each other. Raises ValueError."""
    try:
        return Version(version)
    except InvalidVersion as error:
        raise ValueError(str(error)) from error


_SEMVER = re.compile(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?", re.ASCII)


def node_order(version: str) -> tuple[Any, ...]:
    """How versions of Node packages follow each other: semantic versions. Raises ValueError."""
    found = _SEMVER.fullmatch(version)
    if not found:
        raise ValueError(f"{version!r} is no semantic version")
    *numbers, before = found.groups()
    # a version before a release comes before it; numbers come before words in it
    parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in before.split(".")] if before else []
    return (*(int(number or 0) for number in numbers), not before, parts)


# --- advisories by way of the network ----------------------------------------------------------------------


def ask(packages: Sequence[Package], service: str = SERVICE) -> list[Hole]:
    """The holes that OSV knows. Raises Unreadable where it does not answer as it should."""
    queries = [
        {"package": {"ecosystem": package.ecosystem, "name": package.name}, "version": package.version}
        for package in packages
    ]
    try:
        answer = httpx2.post(service, json={"queries": queries}, timeout=30)
        answer.raise_for_status()
        results = answer.json()["results"]
        return sorted(
            Hole(package, vulnerability["id"])
            for package, result in zip(packages, results, strict=True)
            for vulnerability in (result or {}).get("vulns", ())
        )
    except (httpx2.HTTPError, OSError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"OSV gives no answer ({str(error) or type(error).__name__})") from error


# --- the command -------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the lock files, and say what was checked."""
    parser = argparse.ArgumentParser(description="Hold the lock files against published advisories.")
    parser.add_argument(
        "--data",
        type=Path,
        action="append",
        metavar="PATH",
        help="advisories in OSV's format: a folder, a zip file, a file; may be given again (default: "
        f"THORP_ADVISORIES, paths with {os.pathsep!r} between; without it, OSV is asked)",
    )
    given = parser.parse_args(arguments)
    data = given.data or [Path(path) for path in os.environ.get("THORP_ADVISORIES", "").split(os.pathsep) if path]
    packages = locked()
    try:
        found, unchecked = _by_files(packages, data) if data else (ask(packages), False)
    except Unreadable as error:
        hint = "" if data else " Give a copy of the advisories with --data or THORP_ADVISORIES."
        print(f"Nothing was checked: {error}.{hint}", file=sys.stderr)
        return UNCHECKED
    for hole in found:
        print(f"{hole.package.name} {hole.package.version} ({hole.package.file}): {hole.id} {hole.summary}".rstrip())
    print(f"{len(packages)} packages, {len(found)} known holes.")
    return HOLES if found else UNCHECKED if unchecked else SOUND


def _by_files(packages: Sequence[Package], data: Sequence[Path]) -> tuple[list[Hole], bool]:
    """The holes by files, and whether a kind of packages could not be checked; says what the files are."""
    found, seen = holes(packages, read(data))
    unchecked = False
    for ecosystem in (PYTHON, NODE):
        count = seen.count.get(ecosystem, 0)
        if count:
            print(f"{ecosystem}: {count} advisories, the newest of {seen.newest[ecosystem] or 'an unknown day'}")
        else:
            print(f"{ecosystem}: not checked, as no advisory for it is there", file=sys.stderr)
            unchecked = True
    return found, unchecked


if __name__ == "__main__":
    sys.exit(main())
