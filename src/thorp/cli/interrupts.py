"""Ctrl-C while modules are imported: the command ends at once and says nothing, as other programs do.

Python would raise KeyboardInterrupt in the middle of whatever is being imported: a page of places, or a fault of a
module that is there by half, or nothing at all where somebody's code lets it go.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quietly_interruptible() -> Iterator[None]:
    """While this lasts Ctrl-C ends the process by its signal, unless that is ignored or somebody sees to it."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
