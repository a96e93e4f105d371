"""What callers give, looked at before it is used: it may be anything."""

from __future__ import annotations

from numbers import Real
from operator import index


def whole(value: object) -> int | None:
    """A whole number as a plain int, NumPy's own too; None for all else, True and 1.0 included."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def real(value: object) -> float | None:
    """A number as a plain float, NumPy's own too; None for all else, True included."""
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else None


def shown(value: object) -> str:
    """A value in a sentence, cut short."""
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # a number of thousands of digits; lists within lists without end
        return "so large a value"
    return text if len(text) <= 40 else text[:37] + "..."
