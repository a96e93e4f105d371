"""The `@rule` decorator: annotated Python functions, compiled by Numba or left plain.

Decorating is cheap: a rule is compiled, or loaded from disk, by `compiling.prepare`, so that whoever waits for it can
be told how far it is.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar, get_origin, get_type_hints, overload

import numpy as np

from thorp.compiling.mode import COMPILED
from thorp.compiling.record import Record

#: The generator of a state: a row of one unsigned 64-bit integer (see `chance.py`). Numba code passes it as a field of
#: a record (`state.chance`), not as an array of its own.
Chance = Annotated[list[int], "u8", 1]
#: The options of a table as numbers, in the order in which the game declares them: int32.
OptionList = Annotated[list[int], "options"]
#: Where `owned` counts cards: int32, one for each card of the game. Also any row of numbers of generic code.
Counts = Annotated[list[int], "counts"]
#: What was learned, with room to reckon in (see `core/net.py`): float32. Each thread has one of its own.
Weights = Annotated[list[float], "weights"]

#: Of a seat at one moment.
MOST_MOVES = 8192

F = TypeVar("F", bound=Callable[..., Any])


class MoveList(Record):
    """Where `legal` writes the moves of a seat, as `moves.at[n] = move`.

    A record, since compiled code counts who refers to an array: at every call that takes one, a fifth of the time.
    """

    at: Annotated[list[int], "i4", MOST_MOVES]


#: The Numba signature of every rule.
declared: dict[Any, Any] = {}


@overload
def rule(function: F) -> F: ...
@overload
def rule(*, inline: bool) -> Callable[[F], F]: ...
def rule(function: Any = None, *, inline: bool = False) -> Any:
    """Make `function` a rule: called by other rules, from Python, and from anybody's own Numba code.

    Parameters are `int`, `bool`, a `Record` class, `MoveList`, `OptionList`, `Counts`, `Weights` or `Chance`; the
    result is `int`, `bool`, `float` or None. Plain mode returns the function itself; compiled mode returns an `njit`
    function with that one signature, which releases the interpreter's lock. A rule allocates nothing.

    `@rule(inline=True)` is for what one other rule calls, at every move: its code is built into that rule's, where
    LLVM by itself would call what it finds long.
    """
    if function is None:
        return partial(rule, inline=inline)
    return declare(function, signature_of(function), inline) if COMPILED else function


def declare(function: Any, signature: Any, inline: bool = False) -> Any:
    """An `njit` function with an explicit signature, compiled when it is prepared."""
    import numba

    checked = os.environ.get("THORP_BOUNDSCHECK") == "1"
    made = numba.njit(nogil=True, boundscheck=checked, error_model="numpy", forceinline=inline)(function)
    declared[made] = signature
    return made


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
    if hint is float:
        return types.float64
    if hint == Weights:
        return types.float32[::1]
    if hint in (OptionList, Counts):
        return types.int32[::1]
    if hint == Chance:
        return types.NestedArray(types.uint64, (1,))
    if isinstance(hint, type) and issubclass(hint, Record):
        return record_type(hint)
    if get_origin(hint) is Annotated:
        return _numba_type(hint.__origin__, where)
    raise TypeError(f"rule {where}: {hint!r} cannot be compiled; see thorp.compiling.rule.rule")


def table(rows: Any, kind: str = "i4") -> Any:
    """A constant table for rules, to be read as `TABLE[a][b]`: an array compiled, nested tuples plain."""
    array = np.array(rows, dtype=kind)
    if COMPILED:
        array.flags.writeable = False
        return array
    return _frozen(array.tolist())


def make_move_list() -> Any:
    """An empty `MoveList`."""
    return np.zeros(1, MoveList.dtype)[0] if COMPILED else MoveList()


def moves_in(moves: Any, count: int) -> list[int]:
    """The first moves of a `MoveList`: as many as the rules have said."""
    return moves["at"][:count].tolist() if COMPILED else moves.at[:count]  # type: ignore[no-any-return]


def _frozen(rows: Any) -> Any:
    return tuple(_frozen(row) for row in rows) if isinstance(rows, list) else rows
