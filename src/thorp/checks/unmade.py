"""Checks that cannot be made: where an extra is missing, which is no fault of the game; or after what one has found."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class NotChecked(Exception):
    """A check cannot be made here, to its end; the text says what it needs."""


class NothingMore(Exception):
    """What is wrong, as the text says, is such that no other check can be made."""


class NotCheckedWarning(UserWarning):
    """A check was not made, and nobody has asked to be told otherwise."""


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """What is imported meanwhile comes with an extra. Raises NotChecked where it is not there."""
    try:
        yield
    except ImportError as error:
        raise NotChecked(f"needs the extra thorp[{extra}]") from error


def warn(name: str, why: str) -> None:
    """Say that a check was not made."""
    warnings.warn(f"{name} was not looked at: it {why}", NotCheckedWarning, stacklevel=4)
