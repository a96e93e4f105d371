"""Generic code over games: written once, compiled for each game with its rules built in."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, get_type_hints

import numpy as np

from thorp.core import contract
from thorp.core.chance import Stream
from thorp.core.game import Game
from thorp.core.mode import COMPILED
from thorp.core.record import Record
from thorp.core.rule import Counts, MoveList, OptionList, compile_generic, record_type

#: A parameter that takes states: an array of records compiled, a list of objects plain.
States = list[Record]


def make_states(game: Game, count: int) -> Any:
    """Room for `count` states of a game, zeroed."""
    return np.zeros(count, game.record.dtype) if COMPILED else [game.record() for _ in range(count)]


def put_state(states: Any, index: int, state: Any) -> None:
    """Put a copy of a state there."""
    if COMPILED:
        states[index] = state
    else:
        states[index].assign(state)


def _copy_record(states: Any, target: int, source: int) -> None:
    states[target] = states[source]


def _copy_object(states: Any, target: int, source: int) -> None:
    states[target].assign(states[source])


def _owns_nothing(state: Any, seat: int, counts: Any) -> None:
    """The rule `owned` of a game that tells of no cards."""


def _source(game: Game) -> Any:
    """The Python function behind a compiled rule of the game: it tells whose sources the cache depends on."""
    rule: Any = game.play
    return rule.py_func


class Generic:
    """A function that plays any game.

    It calls the rules by the stand-ins of `thorp.core.contract`; `of(game)` is the same function with the rules
    of that game in their place, and with other generic functions that it calls made for that game. Parameters are
    `States`, `MoveList`, `OptionList`, `Counts`, `Stream` or `int`; the result is `int`.
    """

    def __init__(self, function: Callable[..., int]) -> None:
        self._function = function
        self._made: dict[str, Callable[..., int]] = {}
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> int:
        """What other generic code writes where it calls this; there `of` puts the function for the game."""
        raise TypeError(f"{self._function.__name__} is generic code: call it through .of(game)")

    def of(self, game: Game) -> Callable[..., int]:
        """The function for a game."""
        if game.id not in self._made:
            game.prepare()
            function = self._with_rules_of(game)
            if COMPILED:
                from thorp.core.linking import linking

                dispatcher = compile_generic(function, _source(game))
                with linking():
                    dispatcher.compile(self._signature(game))
                dispatcher.disable_compile()
                function = dispatcher
            self._made[game.id] = function
        return self._made[game.id]

    def _with_rules_of(self, game: Game) -> Any:
        """A copy of the function in whose globals the stand-ins are the game's rules."""
        known = dict(self._function.__globals__)
        for name, value in self._function.__globals__.items():
            if value is contract.copy_state:
                known[name] = compile_generic(_copy_record, _source(game)) if COMPILED else _copy_object
            elif value is contract.owned and game.owned is None:
                known[name] = compile_generic(_owns_nothing, _source(game)) if COMPILED else _owns_nothing
            elif isinstance(value, Generic) and name in self._function.__code__.co_names:
                known[name] = value.of(game)
            elif getattr(value, "__module__", "") == contract.__name__ and inspect.isfunction(value):
                known[name] = getattr(game, name)
        copy = FunctionType(self._function.__code__, known, self._function.__name__)
        # Numba's cache tells functions apart by their names
        copy.__qualname__ = f"{self._function.__qualname__}_{game.id.replace('-', '_')}"
        return copy

    def _signature(self, game: Game) -> Any:
        from numba import types

        kinds = (
            (States, types.Array(record_type(game.record), 1, "C")),
            (MoveList, types.int32[::1]),
            (OptionList, types.int32[::1]),
            (Counts, types.int32[::1]),
            (Stream, record_type(Stream)),
            (int, types.int64),
        )
        hints = get_type_hints(self._function, include_extras=True)
        names = inspect.signature(self._function).parameters
        return types.int64(*(next(kind for hint, kind in kinds if hint == hints[name]) for name in names))
