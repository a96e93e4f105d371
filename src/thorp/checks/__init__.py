"""Whether a game keeps what its players, the server and the library rely on: checks that run on any game.

`thorp check GAME` runs them all, and so may the tests of any package:

    from thorp.checks import faults
    assert faults(GAME) == []
"""

from thorp.checks.run import CHECKS, Check, faults

__all__ = ["CHECKS", "Check", "faults"]
