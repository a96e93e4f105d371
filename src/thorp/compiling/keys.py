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
from enum import Enum
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from thorp.compiling.rule import declared

#: Their `repr` says all.
_PLAIN = (bool, int, float, complex, str, bytes, range, type(None), type(...))
#: These change with versions alone, which are part of every key.
_LIBRARIES = sys.stdlib_module_names | {"numba", "numpy"}
#: Stands for what cannot be followed, such as an object with code of its own: no other process has it in a key, so that
#: what depends on it is compiled anew in each rather than loaded after it has changed.
_NEVER_AGAIN = os.urandom(32)
#: Counted up where files come to lie otherwise in a folder: one of before would be whole, and Numba find nothing in it.
_LAYOUT = 2


@cache
def named(rule: Any) -> tuple[tuple[str, Any], ...]:
    """All that the code of a rule or another function names: globals, of modules, and what a closure holds."""
    function = getattr(rule, "py_func", rule)
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
    digest = hashlib.sha256(_machine())
    digest.update(_itself(rule))
    for name, value in (*named(rule), *_defaults(rule)):
        if value is not rule:
            digest.update(name.encode() + _content(value))
    return digest.hexdigest()


def _content(value: Any) -> bytes:
    """What code that names a value depends on: 32 bytes, or the key of a rule.

    Goes through tuples, enumerations, and functions of others, which may name each other in a circle, and rules again.
    """
    if is_rule(value):
        return key_of(value).encode()
    digest = hashlib.sha256()
    left, seen = [value], set()
    while left:
        each = left.pop()
        if isinstance(each, tuple):
            part = f"{type(each).__qualname__} {len(each)}".encode()
            left += [*each, *([] if type(each) is tuple else [type(each)])]
        elif isinstance(each, Enum):
            part = f"{each.name}".encode()
            left.append(type(each))
        elif isinstance(each, type) and issubclass(each, Enum) and not _is_of_library(each):
            part = f"{_name(each)} {list(each.__members__)}".encode()
            left += [member.value for member in each.__members__.values()]
        elif _is_followed(each):
            part = _itself(each)
            if each not in seen:
                seen.add(each)
                inner = (*named(each), *_defaults(each))
                part += repr([name for name, _ in inner]).encode()
                left += [value for _, value in inner]
        else:
            part = _constant(each)
        digest.update(f"{len(part)} ".encode() + part)
    return digest.digest()


def _is_followed(value: Any) -> bool:
    """Whether a value is a function of Python or of Numba, whose code is read; not one of a library."""
    is_function = isinstance(value, FunctionType) or (hasattr(value, "py_func") and hasattr(value, "targetoptions"))
    return is_function and not _is_of_library(value)


def _itself(function: Any) -> bytes:
    """What a function depends on but for what it names: its file, and how it is compiled."""
    python = getattr(function, "py_func", function)
    how = declared[function] if is_rule(function) else getattr(function, "targetoptions", "")
    return _source(python.__code__.co_filename) + f"{_name(python)} {how}".encode()


def _defaults(function: Any) -> tuple[tuple[str, Any], ...]:
    """What a function takes for arguments that are not given."""
    python = getattr(function, "py_func", function)
    inner = python.__defaults__ or ()
    return (
        *((f"argument {number}", value) for number, value in enumerate(inner)),
        *(python.__kwdefaults__ or {}).items(),
    )


def _constant(value: Any) -> bytes:
    """What tells a value that names nothing else."""
    if type(value) in _PLAIN:
        return f"{type(value).__name__} {value!r}".encode()
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
        return repr((value.dtype.descr, value.shape)).encode() + value.tobytes()
    if isinstance(value, type) and isinstance(dtype := getattr(value, "dtype", None), np.dtype):
        # a record class
        return repr(dtype.descr).encode()
    if isinstance(value, ModuleType):
        # what is taken from it is named, too
        return value.__name__.encode()
    if _is_of_library(value):
        return _name(value).encode()
    if type(value).__module__.startswith("numba.core.types."):
        return str(value).encode()
    if type(value) is type:
        # as a named tuple or an error
        file = getattr(sys.modules.get(value.__module__), "__file__", None)
        return _name(value).encode() + _source(file or "")
    return _NEVER_AGAIN


def _is_of_library(value: Any) -> bool:
    """Whether a type or a function is Python's, NumPy's or Numba's: its name says what it is."""
    return hasattr(value, "__qualname__") and str(getattr(value, "__module__", "")).partition(".")[0] in _LIBRARIES


def _name(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value)}"


@cache
def _source(path: str) -> bytes:
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest()
    except OSError:
        return _NEVER_AGAIN


@cache
def _machine() -> bytes:
    """The compiler and the processor, and how what is compiled is kept."""
    import numba

    extensions = np.show_config(mode="dicts").get("SIMD Extensions", {})
    processor = (platform.machine(), platform.processor(), extensions)
    checked = os.environ.get("THORP_BOUNDSCHECK")
    return repr((_LAYOUT, numba.__version__, np.__version__, sys.version_info[:2], processor, checked)).encode()
