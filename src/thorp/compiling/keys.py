"""What the machine code of a rule depends on: its source file, the values that it names, and the rules that it calls.

A key made of all these names the folder in which it is kept, so that no word, no template and no other game ever makes
a rule be compiled again.
"""

from __future__ import annotations

import dis
import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from thorp.compiling.rule import declared


@cache
def named(rule: Any) -> tuple[tuple[str, Any], ...]:
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


def callees_first(rules: Iterable[Any]) -> list[Any]:
    """Rules and all that they call, in such an order that each comes after those it calls.

    Numba would compile a callee by itself, but for the types of that one call, not for its declared signature.
    Raises TypeError where rules call each other in a circle.
    """
    ordered: dict[Any, None] = {}
    begun: list[Any] = []

    def visit(rule: Any) -> None:
        begun.append(rule)
        for _, each in named(rule):
            if is_rule(each) and each is not rule and each not in ordered:
                if each in begun:
                    circle = " -> ".join(each.py_func.__name__ for each in [*begun[begun.index(each) :], each])
                    raise TypeError(f"rules cannot call each other in a circle: {circle}")
                visit(each)
        ordered[begun.pop()] = None

    for rule in rules:
        if rule not in ordered:
            visit(rule)
    return list(ordered)


def is_rule(value: Any) -> bool:
    return hasattr(value, "py_func") and value in declared


@cache
def key_of(rule: Any) -> str:
    """A digest of all that the machine code of a rule depends on."""
    function = rule.py_func
    digest = hashlib.sha256(_machine())
    digest.update(_source(function.__code__.co_filename))
    digest.update(f"{function.__qualname__} {declared[rule]}".encode())
    for name, value in named(rule):
        if value is not rule:
            digest.update(name.encode() + _content(value))
    return digest.hexdigest()


def _content(value: Any) -> bytes:
    """What code that names a value depends on."""
    if is_rule(value):
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
