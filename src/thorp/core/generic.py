"""Generic code over games: written once, compiled for each game with its rules built in."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, get_type_hints

import numpy as np

from thorp.compiling.mode import COMPILED
from thorp.compiling.preparing import are_kept, prepare
from thorp.compiling.record import Record
from thorp.compiling.rule import Counts, OptionList, Weights, declare, record_type, table
from thorp.core import contract
from thorp.core.game import AnyGame

#: A parameter that takes states: an array of records compiled, a list of objects plain.
States = list[Record]

#: The bytes of a state are told apart by these, beyond so many over again.
MOST_FACTORS = 4096
FACTORS = table(np.random.default_rng(1).integers(-(1 << 62), 1 << 62, MOST_FACTORS) | 1, "i8")


def make_states(game: AnyGame, count: int) -> Any:
    """Room for `count` states of a game, zeroed."""
    return np.zeros(count, game.record.dtype) if COMPILED else [game.record() for _ in range(count)]


def put_state(states: Any, index: int, state: Any) -> None:
    """Put a copy of a state there."""
    if COMPILED:
        # as one block: NumPy itself copies records field by field
        states.view(f"V{states.itemsize}")[index] = state.tobytes()
    else:
        states[index].assign(state)


def _copy_record(states: States, target: int, source: int) -> int:
    states[target] = states[source]
    return 0


def _copy_object(states: States, target: int, source: int) -> int:
    states[target].assign(states[source])
    return 0


def _mark_record(states: States, index: int) -> int:
    # each byte by a number of its own: nothing waits for the byte before it
    row = states[index : index + 1].view(np.uint8)  # type: ignore[attr-defined]
    mark = 0
    for place in range(len(row)):
        mark += row[place] * FACTORS[place % MOST_FACTORS]
    return mark | 1


def _mark_object(states: States, index: int) -> int:
    return int.from_bytes(hashlib.blake2b(repr(states[index].values()).encode(), digest_size=7).digest()) | 1


def _chance_of(states: States, index: int) -> int:
    return states[index].chance[0] >> 1  # type: ignore[attr-defined, no-any-return]


def _no_chance(states: States, index: int) -> int:
    return 0


def _owns_nothing(state: Any, seat: int, counts: Any) -> None:
    """The rule `owned` of a game that tells of no cards."""


def _owning_nothing(game: AnyGame) -> Any:
    if not COMPILED:
        return _owns_nothing
    from numba import types

    return declare(_owns_nothing, types.void(record_type(game.record), types.int64, types.int32[::1]))


def _evaluating(game: AnyGame) -> Any:
    """The rule `value` of a game that has none: its `evaluate`, on whatever scale that is."""
    evaluate: Any = game.evaluate

    def value_by_evaluate(state: Any, seat: int, weights: Any) -> float:
        promise: float = evaluate(state, seat) * 1.0
        return promise

    if not COMPILED:
        return value_by_evaluate
    from numba import types

    return declare(value_by_evaluate, types.float64(record_type(game.record), types.int64, types.float32[::1]))


class Generic:
    """A function that plays any game.

    It calls the rules by the stand-ins of `thorp.core.contract`; `of(game)` is the same function with the rules
    of that game in their place, and with other generic functions that it calls made for that game. Parameters are
    `States`, `OptionList`, `Counts`, `Weights`, `int` or a record such as `MoveList` and `Stream`; the result is `int`.
    """

    def __init__(self, function: Callable[..., int]) -> None:
        self._function = function
        self._made: dict[str, Callable[..., int]] = {}
        self._ready: set[str] = set()
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> int:
        """What other generic code writes where it calls this; there `of` puts the function for the game."""
        raise TypeError(f"{self._function.__name__} is generic code: call it through .of(game)")

    def of(self, game: AnyGame) -> Callable[..., int]:
        """The function for a game: compiled, or loaded."""
        function: Callable[..., int] = self._made_for(game)
        if COMPILED and game.id not in self._ready:
            # who plays a game from here will call its rules too
            game.prepare()
            prepare([function])
            self._ready.add(game.id)
        return function

    def has_to_be_compiled(self, game: AnyGame) -> bool:
        """Whether the function for a game is not kept on disk."""
        return COMPILED and game.id not in self._ready and not are_kept([self._made_for(game)])

    def _made_for(self, game: AnyGame) -> Any:
        """The function for a game, which may still have to be compiled."""
        if game.id not in self._made:
            function = self._with_rules_of(game)
            self._made[game.id] = declare(function, self._signature(game)) if COMPILED else function
        return self._made[game.id]

    def _with_rules_of(self, game: AnyGame) -> Any:
        """A copy of the function in whose globals the stand-ins are the game's rules."""
        known = dict(self._function.__globals__)
        for name in self._function.__code__.co_names:
            value = known.get(name)
            if isinstance(value, Generic):
                known[name] = value._made_for(game)
            elif value is contract.owned and game.owned is None:
                known[name] = _owning_nothing(game)
            elif value is contract.value and game.value is None:
                known[name] = _evaluating(game)
            elif getattr(value, "__module__", "") == contract.__name__ and inspect.isfunction(value):
                known[name] = getattr(game, name)
        copy = FunctionType(self._function.__code__, known, f"{self._function.__name__}.{game.id}")
        copy.__qualname__ = f"{self._function.__qualname__}_{game.id.replace('-', '_')}"
        return copy

    def _signature(self, game: AnyGame) -> Any:
        from numba import types

        kinds = (
            (States, types.Array(record_type(game.record), 1, "C")),
            (OptionList, types.int32[::1]),
            (Counts, types.int32[::1]),
            (Weights, types.float32[::1]),
            (int, types.int64),
        )

        def kind_of(hint: Any) -> Any:
            if isinstance(hint, type) and issubclass(hint, Record):
                return record_type(hint)
            return next(kind for each, kind in kinds if each == hint)

        hints = get_type_hints(self._function, include_extras=True)
        names = inspect.signature(self._function).parameters
        return types.int64(*(kind_of(hints[name]) for name in names))


class _OfChance(Generic):
    """A function that reads the generator of a state: 0 for a game that has none."""

    def _with_rules_of(self, game: AnyGame) -> Any:
        return super()._with_rules_of(game) if "chance" in (game.record.dtype.names or ()) else _no_chance


#: `copy_state(states, target, source)` in generic code: copy states[source] to states[target], as one block.
copy_state = Generic(_copy_record if COMPILED else _copy_object)
#: `mark_of(states, index)` in generic code: a number, not 0, that states[index] has in common with no other, but by an
#: accident of one in 2**60.
mark_of = Generic(_mark_record if COMPILED else _mark_object)
#: `chance_of(states, index)` in generic code: how far the generator of states[index] is; it changes where one draws.
chance_of = _OfChance(_chance_of)
