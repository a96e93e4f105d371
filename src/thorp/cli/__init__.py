"""The command line: `thorp serve | play | replay | arena | bench`."""

from thorp.cli.interrupts import quietly_interruptible

# that takes a second: players, Numba, NumPy
with quietly_interruptible():
    from thorp.cli.main import main

__all__ = ["main"]
