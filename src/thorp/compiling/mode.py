"""Whether rules run compiled or as plain Python, decided once for a process."""

import os

#: True when rules are compiled by Numba; `THORP_JIT=0` in the environment runs them as plain Python.
COMPILED: bool = os.environ.get("THORP_JIT", "1") != "0"
