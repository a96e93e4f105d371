"""The `@rule` decorator: annotated Python functions, compiled by Numba or left plain.

Decorating is cheap: a rule is compiled (or loaded from the disk cache) by `prepare`, in the order of
declaration, so that whoever waits for it can be told how far it is.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
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
#: Where `owned` counts cards: int32, one for each card of the game. Also any row of numbers of generic code.
Counts = Annotated[list[int], "counts"]

F = TypeVar("F", bound=Callable[..., Any])

_ROOT = Path(__file__).resolve().parent.parent


class Pending:
    """A rule that is declared and not yet compiled."""

    def __init__(self, dispatcher: Any, signature: Any, inner: bool, cache: Any) -> None:
        self.dispatcher = dispatcher
        self.signature = signature
        #: Not called from Python: it becomes machine code within the entries that need it.
        self.inner = inner
        #: Numba's cache of it.
        self.cache = cache
        self.module: str = dispatcher.py_func.__module__
        self.name: str = dispatcher.py_func.__name__

    def __str__(self) -> str:
        return f"{self.module}:{self.name}"


#: All rules that are declared and not yet compiled; `preparing.prepare` compiles them.
pending: list[Pending] = []


def rule(function: F) -> F:
    """Make `function` a rule, to be called by other rules.

    Parameters are `int`, `bool`, a `Record` class, `MoveList`, `OptionList`, `Counts` or `Chance`; the result is
    `int`, `bool` or None. Plain mode returns the function itself; compiled mode returns a Numba dispatcher with
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
        from numba.core.caching import NullCache

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
    cache = dispatcher._cache
    if inner:
        dispatcher.__class__ = _inner_class(dispatcher.__class__)
        # What the cache holds of an inner rule needs the rules it calls: only `preparing` knows to load it.
        dispatcher._cache = NullCache()
    pending.append(Pending(dispatcher, signature_of(function), inner, cache))
    return dispatcher  # type: ignore[no-any-return]


def compile_generic(function: Callable[..., Any], rule: Callable[..., Any]) -> Any:
    """A dispatcher for generic code (see `generic.py`), cached by the game that `rule` is of and all generic code."""
    with _cache_folder(rule, "generic", ("core", "games", "players", "arena")):
        import numba

        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


@cache
def _inner_class(dispatcher: type) -> type:
    """Dispatchers that say so when Python calls them, instead of jumping to code that is not there."""

    def refuse(self: Any, *_: Any) -> None:
        name = self.py_func.__qualname__
        raise TypeError(f"{name} is called by rules only; make it an @entry to call it from Python")

    return type("InnerRule", (dispatcher,), {"__call__": refuse})


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
    if hint in (MoveList, OptionList, Counts):
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


def sources_hash(extra: Path | None = None, layers: Iterable[str] = ("core", "games")) -> str:
    """A hash of all that compiled rules are made of: the sources and data of the core and the games, and Numba.

    Numba itself does not notice an edit in a function that a rule calls from another file.
    """
    import numba

    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    digest.update(os.environ.get("THORP_BOUNDSCHECK", "").encode())
    folders = [*(_ROOT / layer for layer in layers), *([extra] if extra else [])]
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".toml")):
            digest.update(str(path.relative_to(folder)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


_hashes: dict[tuple[str, Path | None], str] = {}


@contextmanager
def _cache_folder(
    function: Callable[..., Any], kind: str = "rules", layers: Iterable[str] = ("core", "games")
) -> Iterator[None]:
    """Point Numba's cache at our folder while a dispatcher is made, and only then: others may use Numba too."""
    import numba

    source = Path(inspect.getfile(function)).resolve().parent
    extra = None if source.is_relative_to(_ROOT) else source
    if (kind, extra) not in _hashes:
        _hashes[kind, extra] = sources_hash(extra, layers)
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(cache_root() / f"{kind}-{_hashes[kind, extra]}")  # type: ignore[attr-defined]
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
