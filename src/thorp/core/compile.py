"""`python -m thorp.core.compile MODULE RULE...`: the helper process that compiles a half of a game's rules."""

import gc
import importlib
import sys

from thorp.core.rule import compile_named

if __name__ == "__main__":
    gc.disable()  # compiling makes many objects and little garbage
    importlib.import_module(sys.argv[1])
    compile_named(sys.argv[2:])
