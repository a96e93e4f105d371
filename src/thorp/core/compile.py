"""`python -m thorp.core.compile MODULE RULE...`: the helper process that compiles a part of a game's rules."""

import gc
import importlib
import sys

from thorp.core.preparing import help_out

if __name__ == "__main__":
    gc.disable()  # compiling makes many objects and little garbage
    importlib.import_module(sys.argv[1])
    with open(0, "rb", buffering=0) as reading, open(1, "wb", buffering=0) as writing:
        help_out(sys.argv[2:], reading, writing)
