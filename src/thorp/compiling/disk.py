"""The folders in which compiled rules are kept: one for each version of a rule, sealed by a digest.

What is damaged is compiled anew, and what is old is taken away.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from thorp.compiling.keys import key_of

#: Beside what Numba writes into a folder: the digests of those files.
_SEAL = "seal.json"
#: So many versions of one rule are kept, those used last, and none that was not used for so many seconds.
_VERSIONS = 3
_UNUSED = 60 * 24 * 3600
#: The name of a folder of the cache: a rule, and its key.
_VERSION = re.compile(r"(?P<rule>.+)-[0-9a-f]{16}")
#: That of one whose process is at it; and after so many seconds that has ended, and left it.
_BEGUN = re.compile(r"\.[0-9a-f]{32}")
_LEFT = 24 * 3600


#: Where systems keep what can be made again, below a user's home.
_CACHES = {"win32": ("AppData", "Local"), "darwin": ("Library", "Caches")}


def cache_root() -> Path:
    """The folder in which compiled rules are kept: `THORP_CACHE`, or the user's cache directory."""
    if chosen := os.environ.get("THORP_CACHE"):
        return Path(chosen)
    if base := os.environ.get({"win32": "LOCALAPPDATA", "darwin": ""}.get(sys.platform, "XDG_CACHE_HOME")):
        return Path(base) / "thorp"
    try:
        home = Path.home()
    except RuntimeError:
        # a user without a home: nothing can be kept, and nothing of others' may be loaded
        return Path(os.devnull) / "thorp"
    return home.joinpath(*_CACHES.get(sys.platform, (".cache",)), "thorp")


def folder_of(rule: Any) -> Path:
    """Where a compiled rule is kept."""
    function = rule.py_func
    return cache_root() / f"{function.__module__}.{function.__name__}-{key_of(rule)[:16]}"


def keep_in(rule: Any, place: Path) -> bool:
    """Let Numba keep a rule in a folder; False where it cannot: no source file, or a folder that is not writable."""
    import numba

    if not Path(rule.py_func.__code__.co_filename).is_file():
        return False
    # there, and nowhere else: beside the source Numba would keep it, and load it again, whatever became of its callees
    chosen = {"CACHE_DIR": str(place), "CACHE_LOCATOR_CLASSES": "thorp.compiling.locator.Locator"}
    before = {name: getattr(numba.config, name) for name in chosen}
    vars(numba.config).update(chosen)
    try:
        rule.enable_caching()
    except RuntimeError:
        return False
    finally:
        vars(numba.config).update(before)
    return True


def _digests(folder: Path) -> dict[str, str]:
    """The digests of all files of a folder but its seal."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != _SEAL
    }


def seal(folder: Path) -> None:
    """Note what is in a folder."""
    (folder / _SEAL).write_text(json.dumps(_digests(folder)), "utf-8")


def is_whole(folder: Path) -> bool:
    """Whether a folder is there, and as it was when it was sealed."""
    try:
        return bool(json.loads((folder / _SEAL).read_bytes()) == _digests(folder))
    except (OSError, ValueError):
        return False


def publish(place: Path, folder: Path) -> None:
    """Put a folder in its place: whoever reads there finds all of it, or nothing."""
    if folder.exists() and not is_whole(folder):
        folder.rename(place.with_name(f"{place.name}-damaged"))
        shutil.rmtree(place.with_name(f"{place.name}-damaged"), ignore_errors=True)
    place.rename(folder)


@contextmanager
def alone(name: str) -> Iterator[None]:
    """While this lasts no other process is in it by the same name: what one compiles, the others wait for, and load.

    Where files cannot be locked, as where nothing can be kept, nobody waits.
    """
    lock = _locked(name)
    try:
        yield
    finally:
        if lock:
            lock.close()


def _locked(name: str) -> IO[str] | None:
    """A file that is locked until it is closed, or its process ends."""
    try:
        import fcntl

        folder = cache_root() / "locks"
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / name).open("w")
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:
        lock.close()
        return None
    except BaseException:
        # interrupted while it waits
        lock.close()
        raise
    return lock


def forget_old() -> None:
    """Take versions of rules away that are no longer of use."""
    found: dict[str, list[tuple[float, Path]]] = {}
    with suppress(OSError):
        for each in cache_root().iterdir():
            used = each.stat().st_mtime
            if name := _VERSION.fullmatch(each.name):
                found.setdefault(name["rule"], []).append((used, each))
            elif _BEGUN.fullmatch(each.name) and used < time.time() - _LEFT:
                shutil.rmtree(each, ignore_errors=True)
    for versions in found.values():
        for number, (used, folder) in enumerate(sorted(versions, reverse=True)):
            if number >= _VERSIONS or used < time.time() - _UNUSED:
                shutil.rmtree(folder, ignore_errors=True)
