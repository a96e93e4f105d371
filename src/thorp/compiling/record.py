"""Records: one class declaration gives a NumPy dtype, a Numba type and a plain-Python object with the same fields.

Rules read and write `state.towns[seat].cubes[2]` in both modes. Compiled, `state` is a NumPy record of some
hundred bytes; plain, it is an object of the declared class, made of ints and lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Self, get_args, get_origin, get_type_hints

import numpy as np

# Fields are signed on purpose: Numba turns an expression of unsigned and signed integers into a float.
Int8 = Annotated[int, "i1"]
Int16 = Annotated[int, "i2"]
Int32 = Annotated[int, "i4"]
Int64 = Annotated[int, "i8"]

_SIGNED = {"i1", "i2", "i4", "i8"}
#: The one unsigned field a record may have: the state of the generator (`chance.py`).
_CHANCE = "u8"


class Record:
    """Base of all records. Fields are declared as annotations; every field starts at zero.

    A field is one of `Int8`, `Int16`, `Int32`, `Int64`; `Annotated[list[int], "i2", 16]` for a row of 16;
    `Annotated[list[Town], 6]` for a row of six nested records.
    """

    dtype: ClassVar[np.dtype[Any]]
    #: Of a state: the first of the fields at its end that only hold what the options say; empty where there are none.
    undigested: ClassVar[str] = ""
    _fields: ClassVar[tuple[tuple[str, type[Record] | None, int], ...]]
    #: Makes an object of its values; one like another; and gives the values of one.
    _of: ClassVar[Any]
    _like: ClassVar[Any]
    _values: ClassVar[Any]
    __slots__ = ()

    def __init_subclass__(cls) -> None:
        fields: list[tuple[str, type[Record] | None, int]] = []
        layout: list[Any] = []
        for name, hint in get_type_hints(cls, include_extras=True).items():
            if name in ("dtype", "_fields", "undigested") or get_origin(hint) is ClassVar:
                continue
            nested, kind, length = _field(cls, name, hint)
            fields.append((name, nested, length))
            element: Any = nested.dtype if nested else np.dtype(kind)
            layout.append((name, element, (length,)) if length else (name, element))
        cls._fields = tuple(fields)
        cls.dtype = np.dtype(layout)
        cls._of, cls._like, cls._values = (staticmethod(each) for each in _written_out(cls))

    def __init__(self) -> None:
        for name, nested, length in self._fields:
            if not length:
                setattr(self, name, 0)
            elif nested is None:
                setattr(self, name, [0] * length)
            else:
                setattr(self, name, [nested() for _ in range(length)])

    @classmethod
    def read(cls, record: np.void) -> Self:
        """The plain object with the values of a NumPy record of this dtype."""
        plain: Self = cls._of(record.item())
        return plain

    @classmethod
    def of(cls, state: Any) -> Self:
        """A state of either mode as a plain object, not to be changed: many questions about a state read it once."""
        return state if isinstance(state, cls) else cls._remembered(state.tobytes())

    @classmethod
    @lru_cache(maxsize=32)
    def _remembered(cls, record: bytes) -> Self:
        return cls.read(np.frombuffer(record, cls.dtype)[0])

    def values(self) -> tuple[Any, ...]:
        """The values as nested tuples, as NumPy takes them."""
        values: tuple[Any, ...] = self._values(self)
        return values

    def write(self) -> np.ndarray[Any, Any]:
        """A one-element array of this dtype with the values of the object.

        Raises OverflowError where a value does not fit its field: plain Python has no wrap-around to hide it.
        """
        array = np.zeros(1, self.dtype)
        array[0] = self.values()
        return array

    def copy(self) -> Self:
        """An independent copy."""
        copied: Self = self._like(self)
        return copied

    def assign(self, other: Self) -> None:
        """Take over every value of `other`."""
        fresh = other.copy()
        for name, _, _ in self._fields:
            setattr(self, name, getattr(fresh, name))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.values() == other.values()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name, _, _ in self._fields)
        return f"{type(self).__name__}({inside})"


def _written_out(cls: type[Record]) -> Iterator[Callable[[Any], Any]]:
    """What makes an object of its values, which are nested tuples or arrays; one like another; and the values of one.

    Views, words and referees read states by the million, and plain rules copy and compare them at every move, so it is
    written out for the class, as dataclasses do it.
    """
    inside: dict[str, Any] = {"new": cls.__new__, "cls": cls, "row": _row}
    of = [f"    {''.join(f'self.{name}, ' for name, _, _ in cls._fields)} = values"] if cls._fields else []
    like, values = [], []
    for name, nested, length in cls._fields:
        mine = f"self.{name}"
        if nested:
            inside |= {f"of_{name}": nested._of, f"like_{name}": nested._like, f"values_{name}": nested._values}
            of.append(f"    {mine} = [of_{name}(each) for each in row({mine})]")
            like.append(f"    {mine} = [like_{name}(each) for each in other.{name}]")
            values.append(f"[values_{name}(each) for each in {mine}], ")
        elif length:
            of.append(f"    {mine} = row({mine})")
            like.append(f"    {mine} = [*other.{name}]")
            values.append(f"[*{mine}], ")
        else:
            like.append(f"    {mine} = other.{name}")
            values.append(f"{mine}, ")
    begin, end = "    self = new(cls)", "    return self"
    lines = ["def of(values):", begin, *of, end, "def like(other):", begin, *like, end]
    exec("\n".join([*lines, f"def values(self):\n    return ({''.join(values)})"]), inside)
    yield from (inside[each] for each in ("of", "like", "values"))


def _row(values: Any) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _field(cls: type, name: str, hint: Any) -> tuple[type[Record] | None, str, int]:
    """What an annotation declares: the nested record (or None), the integer kind, the length (0: no row)."""
    if get_origin(hint) is Annotated:
        base, *details = get_args(hint)
        if base is int and len(details) == 1 and details[0] in _SIGNED:
            return None, details[0], 0
        if get_origin(base) is list:
            (element,) = get_args(base)
            if isinstance(element, type) and issubclass(element, Record) and len(details) == 1:
                return element, "", int(details[0])
            if element is int and len(details) == 2 and details[0] in _SIGNED | {_CHANCE}:
                return None, str(details[0]), int(details[1])
    raise TypeError(f"{cls.__name__}.{name}: {hint!r} is no record field; see thorp.compiling.record.Record")
