"""The `@rule` decorator: annotated Python functions, compiled by Numba or left plain.

Decorating is cheap: a rule is compiled (or loaded from the disk cache) by `prepare`, in the order of
declaration, so that whoever waits for it can be told how far it is.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_origin, get_type_hints

import numpy as np

from thorp.core.mode import COMPILED
from thorp.core.record import Record

#: Where `legal` writes moves: int32, as long as the game's move space.
MoveList = Annotated[list[int], "moves"]
#: The generator of a state: a row of one unsigned 64-bit integer (see `chance.py`).
Chance = Annotated[list[int], "u8", 1]
#: The options of a table as numbers, in the order in which the game declares them: int32.
OptionList = Annotated[list[int], "options"]

F = TypeVar("F", bound=Callable[..., Any])

_ROOT = Path(__file__).resolve().parent.parent
_lock = threading.RLock()


class _Pending:
    """A rule that is declared and not yet compiled."""

    def __init__(self, dispatcher: Any, signature: Any) -> None:
        self.dispatcher = dispatcher
        self.signature = signature
        self.module: str = dispatcher.py_func.__module__
        self.name: str = dispatcher.py_func.__name__

    def __str__(self) -> str:
        return f"{self.module}:{self.name}"


_pending: list[_Pending] = []


def rule(function: F) -> F:
    """Make `function` a rule, to be called by other rules.

    Parameters are `int`, `bool`, a `Record` class, `MoveList`, `OptionList` or `Chance`; the result is `int`,
    `bool` or None. Plain mode returns the function itself; compiled mode returns a Numba dispatcher with
    that one signature, `nogil`, cached on disk. A rule allocates nothing: it is compiled without reference counts.
    """
    return _compiled(function, inner=True) if COMPILED else function


def entry(function: F) -> F:
    """Make `function` a rule that Python calls too, and that can be handed to generic compiled code.

    The ways in from Python cost a quarter of the time of compiling; most rules need none.
    """
    return _compiled(function, inner=False) if COMPILED else function


def _compiled(function: F, inner: bool) -> F:
    with _cache_folder(function):
        import numba

        # _nrt: not documented by Numba, and a fifth of the time of compiling
        njit: Any = numba.njit
        dispatcher = njit(
            cache=True,
            nogil=True,
            boundscheck=os.environ.get("THORP_BOUNDSCHECK") == "1",
            error_model="numpy",
            no_cpython_wrapper=inner,
            no_cfunc_wrapper=True,
            _nrt=False,
        )(function)
    if inner:
        dispatcher.__class__ = _inner_class(dispatcher.__class__)
    _pending.append(_Pending(dispatcher, signature_of(function)))
    return dispatcher  # type: ignore[no-any-return]


def compile_generic(function: Callable[..., Any], rule: Callable[..., Any]) -> Any:
    """A dispatcher for generic code (see `generic.py`), cached beside the rules of the game that `rule` is of."""
    with _cache_folder(rule):
        import numba

        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


@cache
def _inner_class(dispatcher: type) -> type:
    """Dispatchers that say so when Python calls them, instead of jumping to code that is not there."""

    def refuse(self: Any, *_: Any) -> None:
        name = self.py_func.__qualname__
        raise TypeError(f"{name} is called by rules only; make it an @entry to call it from Python")

    return type("InnerRule", (dispatcher,), {"__call__": refuse})


def prepare(modules: str = "", tell: Callable[[int, int, str], None] | None = None) -> float:
    """Compile what is declared and not yet compiled, and say how many seconds that took.

    `modules` keeps to rules whose module begins so (and those of the core); `tell(done, all, name)` is called
    before each rule. Where there are two processors and nothing in the cache, a helper process compiles a half.
    """
    with _lock, _no_collecting():
        todo = _callees_first([p for p in _pending if p.module.startswith((modules, "thorp.core"))])
        began = time.perf_counter()
        done = 0
        if modules and len(todo) > _FEW and not (marker := _marker(modules)).exists():
            with _helper(modules, todo) as mine:
                for item in mine:
                    _compile(item, done, len(todo), tell)
                    done += 1
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.touch()
        for item in todo:
            if item in _pending:
                _compile(item, done, len(todo), tell)
                done += 1
        if tell and todo:
            tell(len(todo), len(todo), "")
        return time.perf_counter() - began


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


def compile_named(names: Iterable[str]) -> None:
    """Compile these rules, given as module:name, and what they call."""
    wanted = set(names)
    for item in _callees_first(_pending):
        if str(item) in wanted:
            _compile(item, 0, 0, None)


def _compile(item: _Pending, done: int, total: int, tell: Callable[[int, int, str], None] | None) -> None:
    if tell:
        tell(done, total, item.name)
    item.dispatcher.compile(item.signature)
    item.dispatcher.disable_compile()
    _pending.remove(item)


#: So many rules are compiled before a helper process has started.
_FEW = 20


def _marker(modules: str) -> Path:
    """The file that says that all rules of these modules are in the cache."""
    return cache_root() / f"rules-{_hashes[None]}" / f"{modules}.compiled"


@contextmanager
def _helper(modules: str, todo: list[_Pending]) -> Iterator[list[_Pending]]:
    """Let another process compile a half into the cache; gives the other half, and waits for it at the end."""
    if (os.cpu_count() or 1) < 2 or os.environ.get("THORP_HELPER") == "0":
        yield todo
        return
    mine, theirs = _halves(todo)
    command = [sys.executable, "-m", "thorp.core.compile", modules, *(str(item) for item in theirs)]
    environment = {**os.environ, "THORP_HELPER": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield mine
    finally:
        process.wait()


def _halves(todo: list[_Pending]) -> tuple[list[_Pending], list[_Pending]]:
    """Two sets of rules, each with all they call, that take about the same time; the second starts a process first."""
    callees = _callees(todo)
    code = {id(item): len(item.dispatcher.py_func.__code__.co_code) for item in todo}
    closures = {id(item): _closure(item, callees) for item in todo}
    cost = {key: _FIXED_COST + code[key] + 0.6 * sum(code[called] for called in closures[key]) for key in code}
    called = {id(callee) for item in todo for callee in callees[id(item)]}
    halves: tuple[dict[int, _Pending], dict[int, _Pending]] = ({}, {})

    def time_of(*half: dict[int, _Pending]) -> float:
        return sum(cost[key] for key in set().union(*half))

    roots = sorted((closures[id(item)] for item in todo if id(item) not in called), key=time_of, reverse=True)
    for root in roots:
        with_mine = max(time_of(halves[0], root), time_of(halves[1]) + _START_COST)
        with_theirs = max(time_of(halves[0]), time_of(halves[1], root) + _START_COST)
        halves[with_theirs < with_mine].update(root)
    mine, theirs = halves
    return [item for item in todo if id(item) in mine], [item for item in todo if id(item) in theirs]


# What compiling costs, measured, in the time that a byte of a function's own bytecode takes: any rule; a process that
# starts and imports Numba. A byte of what a rule calls takes 0.6 of that: all of it is optimized again with the rule.
_FIXED_COST = 400
_START_COST = 6_000


def _closure(item: _Pending, callees: dict[int, list[_Pending]]) -> dict[int, _Pending]:
    found = {id(item): item}
    for callee in callees[id(item)]:
        found.update(_closure(callee, callees))
    return found


def _callees(todo: list[_Pending]) -> dict[int, list[_Pending]]:
    """For every rule, those it calls by name."""
    by_dispatcher = {id(item.dispatcher): item for item in todo}
    found: dict[int, list[_Pending]] = {}
    for item in todo:
        function = item.dispatcher.py_func
        called = (by_dispatcher.get(id(function.__globals__.get(name))) for name in function.__code__.co_names)
        found[id(item)] = [callee for callee in called if callee is not None and callee is not item]
    return found


def _callees_first(todo: list[_Pending]) -> list[_Pending]:
    """The rules in such an order that each comes after those it calls.

    Numba would compile a callee by itself, but for the types of that one call, not for its declared signature.
    """
    callees = _callees(todo)
    ordered: dict[int, _Pending] = {}

    def visit(item: _Pending) -> None:
        for callee in callees[id(item)]:
            if id(callee) not in ordered:
                visit(callee)
        ordered[id(item)] = item

    for item in todo:
        if id(item) not in ordered:
            visit(item)
    return list(ordered.values())


def show_progress(done: int, total: int, name: str) -> None:
    """A `tell` for people at a terminal: one line on standard error that fills up; elsewhere, one line at the end."""
    if not sys.stderr.isatty():
        if done == total:
            sys.stderr.write(f"{total} rules are ready.\n")
        return
    end = "\n" if done == total else ""
    sys.stderr.write(f"\r\033[KPreparing rules {done}/{total} {name}{end}")
    sys.stderr.flush()


def signature_of(function: Callable[..., Any]) -> Any:
    """The Numba signature that the annotations of `function` stand for."""
    from numba import types

    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return", None)
    names = list(inspect.signature(function).parameters)
    missing = [name for name in names if name not in hints]
    if missing:
        raise TypeError(f"rule {function.__qualname__}: parameter {missing[0]} has no annotation")
    where = function.__qualname__
    arguments = [_numba_type(hints[name], where) for name in names]
    returns = types.void if result in (None, type(None)) else _numba_type(result, where)
    return returns(*arguments)


def record_type(record: type[Record]) -> Any:
    """The Numba type of a record class."""
    from numba import from_dtype

    return from_dtype(record.dtype)


def _numba_type(hint: Any, where: str) -> Any:
    from numba import types

    if hint is bool:
        return types.boolean
    if hint is int:
        return types.int64
    if hint == MoveList or hint == OptionList:
        return types.int32[::1]
    if hint == Chance:
        return types.NestedArray(types.uint64, (1,))
    if isinstance(hint, type) and issubclass(hint, Record):
        return record_type(hint)
    if get_origin(hint) is Annotated:
        return _numba_type(hint.__origin__, where)
    raise TypeError(f"rule {where}: {hint!r} cannot be compiled; see thorp.core.rule.rule")


def table(rows: Any, kind: str = "i4") -> Any:
    """A constant table for rules, to be read as `TABLE[a][b]`: an array compiled, nested tuples plain."""
    array = np.array(rows, dtype=kind)
    if COMPILED:
        array.flags.writeable = False
        return array
    return _frozen(array.tolist())


def make_move_list(size: int) -> Any:
    """A `MoveList` for so many moves."""
    return np.zeros(size, np.int32) if COMPILED else [0] * size


def _frozen(rows: Any) -> Any:
    return tuple(_frozen(row) for row in rows) if isinstance(rows, list) else rows


def cache_root() -> Path:
    """The folder below which compiled rules are kept: `THORP_CACHE`, or the user's cache directory."""
    if chosen := os.environ.get("THORP_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "thorp"


def sources_hash(extra: Path | None = None) -> str:
    """A hash of all that compiled rules are made of: the sources and data of the core and the games, and Numba.

    Numba itself does not notice an edit in a function that a rule calls from another file.
    """
    import numba

    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    digest.update(os.environ.get("THORP_BOUNDSCHECK", "").encode())
    folders = [_ROOT / "core", _ROOT / "games", *([extra] if extra else [])]
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".toml")):
            digest.update(str(path.relative_to(folder)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


_hashes: dict[Path | None, str] = {}


@contextmanager
def _cache_folder(function: Callable[..., Any]) -> Iterator[None]:
    """Point Numba's cache at our folder while a dispatcher is made, and only then: others may use Numba too."""
    import numba

    source = Path(inspect.getfile(function)).resolve().parent
    extra = None if source.is_relative_to(_ROOT) else source
    if extra not in _hashes:
        _hashes[extra] = sources_hash(extra)
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(cache_root() / f"rules-{_hashes[extra]}")  # type: ignore[attr-defined]
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
