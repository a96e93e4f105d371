"""Getting rules ready: compiled callees first, by two processes where there are two processors, or loaded.

The two processes share the work by way of the disk cache: each compiles its own rules, tells the other which are in
the cache, and loads those of the other when it comes to need them.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from thorp.core.rule import Pending, pending

#: Called before each rule with how many are done, how many there are, and the name of the rule.
Tell = Callable[[int, int, str], None]

_lock = threading.RLock()


def prepare(modules: str = "", tell: Tell | None = None) -> float:
    """Compile the entries that are not yet compiled, with all they call, or load them; the seconds that took.

    `modules` keeps to entries whose module begins so.
    """
    with _lock, _no_collecting():
        began = time.perf_counter()
        entries = [each for each in pending if not each.inner and each.module.startswith(modules)]
        work = _get_ready(modules, entries, tell)
        if tell and work.done:
            tell(work.total, work.total, "")
        return time.perf_counter() - began


def _get_ready(modules: str, entries: list[Pending], tell: Tell | None) -> _Work:
    """Compile what is not in the cache, with the help of another process, and load the rest."""
    # What an entry calls is in its cached code.
    needed = _callees_first([each for each in entries if not _is_cached(each)])
    total = len({id(each) for each in (*needed, *entries)})
    mine, theirs = _shares(needed) if modules and _may_share() else (needed, [])
    if not theirs:
        work = _Work(total, tell)
        work.get_all((*needed, *entries))
        return work
    command = [sys.executable, "-m", "thorp.core.compile", modules, *map(str, theirs)]
    environment = {**os.environ, "THORP_HELPER": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, bufsize=0, env=environment, stdin=pipe, stdout=pipe, stderr=nowhere) as helper:
        assert helper.stdin
        assert helper.stdout
        partner = _Partner(map(str, theirs), helper.stdout, helper.stdin)
        partner.tell(" ".join(map(str, mine)))
        work = _Work(total, tell, partner)
        work.get_all(mine)
        work.get_all(entries)
    return work


def help_out(names: Iterable[str], reading: IO[bytes], writing: IO[bytes]) -> None:
    """Be the other process: compile these rules, given as module:name. The first line read names those of the other.

    What neither compiles now the other has ready from before: it is in the cache.
    """
    by_name = {str(each): each for each in pending}
    mine = [by_name[name] for name in names]
    _Work(len(mine), None, _Partner(reading.readline().decode().split(), reading, writing)).get_all(mine)


def _may_share() -> bool:
    return (os.cpu_count() or 1) > 1 and os.environ.get("THORP_HELPER") != "0"


class _Partner:
    """The other process: the rules that it compiles, and word from it and to it by pipes without buffers."""

    def __init__(self, rules: Iterable[str], reading: IO[bytes], writing: IO[bytes]) -> None:
        self.rules = set(rules)
        self._done: set[str] = set()
        self._reading = reading
        self._writing = writing

    def wait_for(self, name: str) -> None:
        """Wait until the other process has put a rule into the cache, or has ended."""
        while name not in self._done and (line := self._reading.readline()):
            self._done.add(line.decode().strip())

    def tell(self, name: str) -> None:
        """Say that a rule is in the cache."""
        # Where the other process has ended nobody needs to know.
        with suppress(OSError):
            self._writing.write(f"{name}\n".encode())


class _Work:
    """Getting rules one by one."""

    def __init__(self, total: int, tell: Tell | None, partner: _Partner | None = None) -> None:
        self.total = total
        self.done = 0
        self.tell = tell
        self.partner = partner

    def get_all(self, items: Iterable[Pending]) -> None:
        """Compile or load rules, and what they need."""
        for item in items:
            self._get(item)

    def _get(self, item: Pending) -> None:
        if item not in pending:
            return
        partner = self.partner
        theirs = partner is not None and str(item) in partner.rules
        if partner and theirs:
            partner.wait_for(str(item))
        # The cached code of an entry holds what it calls; that of an inner rule does not.
        if item.inner or not _is_cached(item):
            for callee in _callees(item):
                self._get(callee)
        if self.tell:
            self.tell(min(self.done, self.total), self.total, item.name)
        _compile(item)
        self.done += 1
        if partner and not theirs:
            partner.tell(str(item))


def _compile(item: Pending) -> None:
    """Compile a rule, or load it where it is in the cache."""
    from thorp.core.linking import linking_rule

    inner_name = item.dispatcher.py_func.__qualname__ if item.inner else ""
    libraries = [made.library for called in _called(item) for made in called.overloads.values()]
    uncached, item.dispatcher._cache = item.dispatcher._cache, item.cache
    try:
        with linking_rule(inner_name, libraries):
            item.dispatcher.compile(item.signature)
    finally:
        item.dispatcher._cache = uncached
    item.dispatcher.disable_compile()
    pending.remove(item)


def _is_cached(item: Pending) -> bool:
    from thorp.core.linking import is_cached

    return is_cached(item.cache, item.signature)


def _called(item: Pending) -> list[Any]:
    """The dispatchers that a rule calls by name."""
    function = item.dispatcher.py_func
    found = (function.__globals__.get(name) for name in function.__code__.co_names)
    return [each for each in found if hasattr(each, "overloads") and each is not item.dispatcher]


def _callees(item: Pending) -> list[Pending]:
    """The rules that a rule calls by name, as far as they are not yet compiled."""
    called = {id(each) for each in _called(item)}
    return [each for each in pending if id(each.dispatcher) in called]


def _callees_first(items: Iterable[Pending]) -> list[Pending]:
    """These rules and all they call, in such an order that each comes after those it calls.

    Numba would compile a callee by itself, but for the types of that one call, not for its declared signature.
    """
    ordered: dict[int, Pending] = {}

    def visit(item: Pending) -> None:
        for callee in _callees(item):
            if id(callee) not in ordered:
                visit(callee)
        ordered[id(item)] = item

    for item in items:
        if id(item) not in ordered:
            visit(item)
    return list(ordered.values())


# What compiling costs, measured, in the time that Numba's front end takes for a byte of a function's bytecode: any
# rule; a byte of all that an entry needs, which is optimized with it; to load a rule from the cache; a process that
# starts and imports Numba.
_FIXED_COST = 400
_OPTIMIZED = 0.6
_LOADING_COST = 100
_START_COST = 6_000


def _shares(needed: list[Pending]) -> tuple[list[Pending], list[Pending]]:
    """What to compile here and what in another process, each in its order, to be done at about the same time.

    Rules on which most depends come first, and each is given to the process that would have it done earlier. Callees
    come before callers in both lists together, so that the two never wait for each other.
    """
    callees = {id(item): _callees(item) for item in needed}
    cost = {id(item): _cost(item) for item in needed}
    # How long it takes at least from a rule to the end, by way of those that call it.
    ahead = dict(cost)
    for item in reversed(needed):
        for callee in callees[id(item)]:
            ahead[id(callee)] = max(ahead[id(callee)], cost[id(callee)] + ahead[id(item)])
    shares: tuple[list[Pending], list[Pending]] = ([], [])
    clocks = [0.0, float(_START_COST)]
    done: dict[int, tuple[float, int]] = {}
    for item in sorted(needed, key=lambda each: ahead[id(each)], reverse=True):
        ends = []
        for process in (0, 1):
            loads = [done[id(callee)][0] for callee in callees[id(item)] if done[id(callee)][1] != process]
            ends.append(max([clocks[process], *loads]) + _LOADING_COST * len(loads) + cost[id(item)])
        process = int(ends[1] < ends[0])
        shares[process].append(item)
        clocks[process] = ends[process]
        done[id(item)] = ends[process], process
    return shares


def _cost(item: Pending) -> float:
    own = _FIXED_COST + _code(item)
    return own if item.inner else own + _OPTIMIZED * sum(_code(each) for each in _callees_first([item]))


def _code(item: Pending) -> int:
    return len(item.dispatcher.py_func.__code__.co_code)


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
