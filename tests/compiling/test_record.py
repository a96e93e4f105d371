"""Records: one declaration, a NumPy record and a plain object."""

from typing import Annotated

import numpy as np
import pytest

from thorp.compiling.record import Int8, Int16, Int32, Record


class Inner(Record):
    """A nested record."""

    number: Int16
    row: Annotated[list[int], "i1", 3]


class Outer(Record):
    """A record with everything that a record may have."""

    chance: Annotated[list[int], "u8", 1]
    small: Int8
    large: Int32
    inners: Annotated[list[Inner], 2]


def _filled() -> Outer:
    outer = Outer()
    outer.chance[0] = 2**64 - 1
    outer.small, outer.large = -5, 100_000
    outer.inners[1].number = 300
    outer.inners[1].row[2] = 7
    return outer


def test_the_dtype_follows_the_declaration() -> None:
    assert Outer.dtype.names == ("chance", "small", "large", "inners")
    assert Outer.dtype.itemsize == 8 + 1 + 4 + 2 * (2 + 3)
    assert Outer.dtype["inners"].shape == (2,)


def test_every_field_starts_at_zero() -> None:
    assert Outer().write().tobytes() == bytes(Outer.dtype.itemsize)


def test_writing_and_reading_gives_the_same() -> None:
    outer = _filled()
    record = outer.write()[0]
    assert record["inners"][1]["row"].tolist() == [0, 0, 7]
    assert Outer.read(record) == outer
    assert Outer.of(record) == outer
    assert Outer.of(outer) is outer


def test_a_copy_is_independent() -> None:
    outer = _filled()
    copy = outer.copy()
    copy.inners[1].row[2] = 1
    assert outer.inners[1].row[2] == 7
    assert copy != outer
    copy.assign(outer)
    assert copy == outer


def test_a_value_that_does_not_fit_is_an_error() -> None:
    """Compiled rules would wrap around; plain ones say so."""
    outer = Outer()
    outer.small = 200
    with pytest.raises(OverflowError):
        outer.write()


@pytest.mark.parametrize("hint", [int, Annotated[int, "u4"], list[int], Annotated[list[int], "i1"], float])
def test_other_fields_are_refused(hint: object) -> None:
    with pytest.raises(TypeError, match="is no record field"):
        type("Broken", (Record,), {"__annotations__": {"field": hint}})


def test_repr_names_the_fields() -> None:
    assert repr(Inner()) == "Inner(number=0, row=[0, 0, 0])"
    assert np.dtype(Inner.dtype).itemsize == 5
