"""One command at a time at work in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from thorp.core.errors import GameError


@contextmanager
def alone(file: Path, sentence: str) -> Iterator[None]:
    """While this lasts nobody else has that file. Raises GameError, with that sentence, where somebody has it already.

    The system takes the lock back from a process that ends, however it ends. Where there are no such locks, or the
    folder takes no file, nobody is kept out.
    """
    with ExitStack() as kept:
        with suppress(ImportError, OSError):
            import fcntl

            opened = kept.enter_context(file.open("w"))
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise GameError(sentence) from error
        yield
