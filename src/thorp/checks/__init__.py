"""Whether a game keeps what its players, the server and the library rely on: checks that run on any game.

`thorp check GAME` runs them all, and so may the tests of any package:

    from thorp.checks import faults
    assert faults(GAME) == []

Where an extra is missing that a check needs, it is not made: `faults` warns of it, by NotCheckedWarning.
"""

from thorp.checks.run import CHECKS, Check, faults
from thorp.checks.unmade import NotChecked, NotCheckedWarning

__all__ = ["CHECKS", "Check", "NotChecked", "NotCheckedWarning", "faults"]
