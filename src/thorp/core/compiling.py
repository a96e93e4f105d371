"""Getting rules ready: compiled by Numba, callees first, each for its declared signature, and kept on disk.

The machine code of a rule follows from its source file, from the values that it names, and from the rules that it
calls. A key made of all these names the folder in which it is kept, so that no word, no template and no other game ever
makes a rule be compiled again. What is kept is sealed by a digest: whatever is damaged is compiled anew.
"""

from __future__ import annotations

import dis
import gc
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from thorp.core.mode import COMPILED
from thorp.core.rule import declared

#: Called before each rule with how many are done, how many there are, and the name of the rule.
Tell = Callable[[int, int, str], None]

#: Beside what Numba writes into a folder: the digests of those files.
_SEAL = "seal.json"
#: So many versions of one rule are kept, those used last, and none that was not used for so many seconds.
_VERSIONS = 3
_UNUSED = 60 * 24 * 3600
#: The name of a folder of the cache: a rule, and its key.
_VERSION = re.compile(r"(?P<rule>.+)-[0-9a-f]{16}")

_lock = threading.RLock()
#: The rules that are compiled for their declared signature.
_ready: set[Any] = set()


def prepare(rules: Iterable[Any], tell: Tell | None = None) -> float:
    """Compile rules and all that they call, or load them; the seconds it took.

    What a rule calls is within its machine code: of a rule that is kept on disk, nothing else is loaded.
    """
    if not COMPILED:
        return 0.0
    with _lock, _no_collecting():
        began = time.perf_counter()
        rules = list(rules)
        order = [each for each in _callees_first(rules) if each not in _ready]
        kept = {each: _is_whole(folder_of(each)) for each in order}
        called = {value for each in order if not kept[each] for _, value in _named(each) if _is_rule(value)}
        wanted = [each for each in order if not kept[each] or each in called or each in rules]
        for done, each in enumerate(wanted):
            if tell:
                tell(done, len(wanted), each.__name__)
            _get(each, folder_of(each), kept[each])
        if tell and wanted:
            tell(len(wanted), len(wanted), "")
        if not all(kept.values()):
            _forget_old()
        return time.perf_counter() - began


def are_kept(rules: Iterable[Any]) -> bool:
    """Whether rules are kept on disk, and whole."""
    return all(_is_whole(folder_of(each)) for each in rules)


@contextmanager
def opened(rules: Iterable[Any]) -> Iterator[None]:
    """While this lasts rules can be compiled for other targets too, such as `cuda`.

    A rule is closed once it is ready, as any `njit` function with an explicit signature is: narrower integers are
    converted, instead of the rule being compiled anew for them. Numba refuses closed functions in kernels.
    """
    with _lock:
        order = _callees_first(rules) if COMPILED else []
        for each in order:
            each.disable_compile(False)
        try:
            yield
        finally:
            for each in order:
                if each in _ready:
                    each.disable_compile()


def show_progress(done: int, total: int, name: str) -> None:
    """A `Tell` for people at a terminal: one line on standard error that fills up; elsewhere, one line at the end."""
    if not sys.stderr.isatty():
        if done == total:
            sys.stderr.write(f"{total} rules are ready.\n")
        return
    end = "\n" if done == total else ""
    sys.stderr.write(f"\r\033[KPreparing rules {done}/{total} {name}{end}")
    sys.stderr.flush()


# --- what a rule depends on -------------------------------------------------------------------------------------


@cache
def _named(rule: Any) -> tuple[tuple[str, Any], ...]:
    """All that the code of a rule names: globals, what it takes from modules, and what a closure holds."""
    function = rule.py_func
    codes = list(_codes(function.__code__))
    instructions = (each for code in codes for each in dis.get_instructions(code))
    names = {each.argval for each in instructions if each.opname == "LOAD_GLOBAL"}
    found = [(name, function.__globals__[name]) for name in sorted(names) if name in function.__globals__]
    attributes = sorted({name for code in codes for name in code.co_names})
    modules = [(name, value) for name, value in found if isinstance(value, ModuleType)]
    seen: set[int] = set()
    while modules:
        name, module = modules.pop()
        if id(module) not in seen:
            seen.add(id(module))
            inner = [(f"{name}.{each}", getattr(module, each)) for each in attributes if hasattr(module, each)]
            modules += [(name, value) for name, value in inner if isinstance(value, ModuleType)]
            found += inner
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    return (*found, *((name, cell.cell_contents) for name, cell in cells))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Code, and what is written within it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _callees_first(rules: Iterable[Any]) -> list[Any]:
    """Rules and all that they call, in such an order that each comes after those it calls.

    Numba would compile a callee by itself, but for the types of that one call, not for its declared signature.
    Raises TypeError where rules call each other in a circle.
    """
    ordered: dict[Any, None] = {}
    begun: list[Any] = []

    def visit(rule: Any) -> None:
        begun.append(rule)
        for _, each in _named(rule):
            if _is_rule(each) and each is not rule and each not in ordered:
                if each in begun:
                    circle = " -> ".join(each.py_func.__name__ for each in [*begun[begun.index(each) :], each])
                    raise TypeError(f"rules cannot call each other in a circle: {circle}")
                visit(each)
        ordered[begun.pop()] = None

    for rule in rules:
        if rule not in ordered:
            visit(rule)
    return list(ordered)


def _is_rule(value: Any) -> bool:
    return hasattr(value, "py_func") and value in declared


@cache
def key_of(rule: Any) -> str:
    """A digest of all that the machine code of a rule depends on."""
    function = rule.py_func
    digest = hashlib.sha256(_machine())
    digest.update(_source(function.__code__.co_filename))
    digest.update(f"{function.__qualname__} {declared[rule]}".encode())
    for name, value in _named(rule):
        if value is not rule:
            digest.update(name.encode() + _content(value))
    return digest.hexdigest()


def _content(value: Any) -> bytes:
    """What code that names a value depends on."""
    if _is_rule(value):
        return key_of(value).encode()
    if isinstance(value, (np.ndarray, np.generic)):
        return repr((value.dtype.descr, value.shape)).encode() + value.tobytes()
    if isinstance(value, (int, float, str, bytes, tuple, type(None))):
        return repr(value).encode()
    if isinstance(getattr(value, "dtype", None), np.dtype):
        return repr(value.dtype.descr).encode()
    # a module, a type, or somebody else's njit function, of which the source counts
    function = getattr(value, "py_func", value)
    code = getattr(function, "__code__", None)
    name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', type(value).__name__)}"
    return name.encode() + (_source(code.co_filename) if code else b"")


@cache
def _source(path: str) -> bytes:
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest()
    except OSError:
        return b""


@cache
def _machine() -> bytes:
    """The compiler and the processor."""
    import numba

    extensions = np.show_config(mode="dicts").get("SIMD Extensions", {})
    processor = (platform.machine(), platform.processor(), extensions)
    checked = os.environ.get("THORP_BOUNDSCHECK")
    return repr((numba.__version__, sys.version_info[:2], processor, checked)).encode()


# --- the disk ---------------------------------------------------------------------------------------------------


def cache_root() -> Path:
    """The folder in which compiled rules are kept: `THORP_CACHE`, or the user's cache directory."""
    if chosen := os.environ.get("THORP_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "thorp"


def folder_of(rule: Any) -> Path:
    """Where a compiled rule is kept."""
    function = rule.py_func
    return cache_root() / f"{function.__module__}.{function.__name__}-{key_of(rule)[:16]}"


def _get(rule: Any, folder: Path, kept: bool) -> None:
    """Load a rule, or compile it and keep it; another process may be doing the same."""
    place = folder if kept else folder.with_name(f".{uuid.uuid4().hex}")
    can_keep = _keep_in(rule, place)
    # where the disk is full, the rule is ready all the same
    with suppress(OSError):
        rule.compile(declared[rule])
    rule.disable_compile()
    _ready.add(rule)
    if can_keep and rule.stats.cache_misses:
        with suppress(OSError):
            _seal(place)
            if not kept:
                _publish(place, folder)
    if kept:
        with suppress(OSError):
            os.utime(folder)
    else:
        shutil.rmtree(place, ignore_errors=True)


def _keep_in(rule: Any, place: Path) -> bool:
    """Let Numba keep a rule in a folder; False where it cannot: no source file, or a folder that is not writable."""
    import numba

    if not Path(rule.py_func.__code__.co_filename).is_file():
        return False
    # there, and nowhere else: beside the source Numba would keep it, and load it again, whatever became of its callees
    chosen = {"CACHE_DIR": str(place), "CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
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


def _seal(folder: Path) -> None:
    """Note what is in a folder."""
    (folder / _SEAL).write_text(json.dumps(_digests(folder)), "utf-8")


def _is_whole(folder: Path) -> bool:
    """Whether a folder is there, and as it was when it was sealed."""
    try:
        return bool(json.loads((folder / _SEAL).read_bytes()) == _digests(folder))
    except (OSError, ValueError):
        return False


def _publish(place: Path, folder: Path) -> None:
    """Put a folder in its place: whoever reads there finds all of it, or nothing."""
    if folder.exists() and not _is_whole(folder):
        folder.rename(place.with_name(f"{place.name}-damaged"))
        shutil.rmtree(place.with_name(f"{place.name}-damaged"), ignore_errors=True)
    place.rename(folder)


def _forget_old() -> None:
    """Take versions of rules away that are no longer of use."""
    found: dict[str, list[tuple[float, Path]]] = {}
    with suppress(OSError):
        for each in cache_root().iterdir():
            if name := _VERSION.fullmatch(each.name):
                found.setdefault(name["rule"], []).append((each.stat().st_mtime, each))
    for versions in found.values():
        for number, (used, folder) in enumerate(sorted(versions, reverse=True)):
            if number >= _VERSIONS or used < time.time() - _UNUSED:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Leave the garbage collector off: compiling makes many objects and little garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
