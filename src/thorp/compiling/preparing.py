"""Getting rules ready: compiled by Numba, callees first, each for its declared signature, and kept on disk."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from thorp.compiling.disk import alone, folder_of, forget_old, is_whole, keep_in, publish, seal
from thorp.compiling.keys import callees_first, is_rule, named
from thorp.compiling.mode import COMPILED
from thorp.compiling.rule import declared

#: Called before each rule with how many are done, how many there are, and the name of the rule.
Tell = Callable[[int, int, str], None]

#: Called with True before rules are compiled that are not kept, or waited for while another process compiles them, and
#: with False after that: which may take minutes.
on_compiling: list[Callable[[bool], object]] = []

_lock = threading.RLock()
#: The rules that are compiled for their declared signature.
_ready: set[Any] = set()


def prepare(rules: Iterable[Any], tell: Tell | None = None) -> float:
    """Compile rules and all that they call, or load them; the seconds it took.

    What a rule calls is within its machine code: of a rule that is kept on disk, nothing else is loaded. Of several
    processes that want the same rules one compiles them; the others wait, and load what it has made.
    """
    rules = list(rules)
    if not COMPILED or all(each in _ready for each in rules):
        return 0.0
    with _lock, _no_collecting():
        began = time.perf_counter()
        order = [each for each in callees_first(rules) if each not in _ready]
        kept = _kept(order)
        if all(kept.values()):
            _get_all(rules, order, kept, tell)
        else:
            with _told_of_compiling(), alone(lock_name(rules)):
                # another process may have compiled them meanwhile
                _get_all(rules, order, _kept(order), tell)
                forget_old()
        return time.perf_counter() - began


def lock_name(rules: Iterable[Any]) -> str:
    """By what name the processes that want rules take turns at compiling them: that of the first of them."""
    return min(f"{each.__module__}.{each.__name__}" for each in rules)


def _kept(order: Iterable[Any]) -> dict[Any, bool]:
    """Which rules are kept on disk, and whole."""
    return {each: is_whole(folder_of(each)) for each in order}


def _get_all(rules: list[Any], order: list[Any], kept: dict[Any, bool], tell: Tell | None) -> None:
    """Load rules, or compile them with all that they call, callees first."""
    called = {value for each in order if not kept[each] for _, value in named(each) if is_rule(value)}
    wanted = [each for each in order if not kept[each] or each in called or each in rules]
    for done, each in enumerate(wanted):
        if tell:
            tell(done, len(wanted), each.__name__)
        _get(each, folder_of(each), kept[each])
    if tell and wanted:
        tell(len(wanted), len(wanted), "")


@contextmanager
def _told_of_compiling() -> Iterator[None]:
    """Tell who wants to know it that rules are being compiled."""
    for each in on_compiling:
        each(True)
    try:
        yield
    finally:
        for each in on_compiling:
            each(False)


def are_kept(rules: Iterable[Any]) -> bool:
    """Whether rules are kept on disk, and whole."""
    return all(is_whole(folder_of(each)) for each in rules)


@contextmanager
def opened(rules: Iterable[Any]) -> Iterator[None]:
    """While this lasts rules can be compiled for other targets too, such as `cuda`.

    A rule is closed once it is ready, as any `njit` function with an explicit signature is: narrower integers are
    converted, instead of the rule being compiled anew for them. Numba refuses closed functions in kernels.
    """
    with _lock:
        order = callees_first(rules) if COMPILED else []
        for each in order:
            each.disable_compile(False)
        try:
            yield
        finally:
            for each in order:
                if each in _ready:
                    each.disable_compile()


def show_progress(done: int, total: int, name: str, preparing: str = "Preparing rules", ready: str = "") -> None:
    """A `Tell` for people at a terminal: one line on standard error that fills up; elsewhere, one line at the end.

    What it says may be given in another language.
    """
    if not sys.stderr.isatty():
        if done == total:
            sys.stderr.write(f"{ready or f'{total} rules are ready.'}\n")
        return
    end = "\n" if done == total else ""
    sys.stderr.write(f"\r\033[K{preparing} {done}/{total} {name}{end}")
    sys.stderr.flush()


def _get(rule: Any, folder: Path, kept: bool) -> None:
    """Load a rule, or compile it and keep it; another process may be doing the same."""
    place = folder if kept else folder.with_name(f".{uuid.uuid4().hex}")
    can_keep = keep_in(rule, place)
    # where the disk is full, the rule is ready all the same
    with suppress(OSError):
        rule.compile(declared[rule])
    rule.disable_compile()
    _ready.add(rule)
    if can_keep and rule.stats.cache_misses:
        with suppress(OSError):
            seal(place)
            if not kept:
                publish(place, folder)
    if kept:
        with suppress(OSError):
            os.utime(folder)
    else:
        shutil.rmtree(place, ignore_errors=True)


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
