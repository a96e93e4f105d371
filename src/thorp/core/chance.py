"""Chance: SplitMix64 in the state, so that a copied game draws the same cards again.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
Every function here takes the one-element row `state.chance` that a game keeps its generator in.
"""

from typing import Annotated, Any

from thorp.compiling.mode import COMPILED
from thorp.compiling.record import Record
from thorp.compiling.rule import Chance, rule

#: Written into every match; raised when the numbers drawn from a seed change.
GENERATOR_VERSION = 1

#: Seeds are 63 bits wide: they pass through signed integers unharmed.
SEED_BITS = 63

_MASK = 0xFFFF_FFFF_FFFF_FFFF


@rule
def seed_chance(chance: Chance, seed: int) -> None:
    """Start the generator at `seed`, 0 <= seed < 2**63."""
    chance[0] = seed


@rule
def bits32(chance: Chance) -> int:
    """The next 32 random bits."""
    chance[0] = (chance[0] + 0x9E37_79B9_7F4A_7C15) & _MASK
    mixed = chance[0]
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB) & _MASK
    return (mixed ^ (mixed >> 31)) >> 32


@rule
def below(chance: Chance, n: int) -> int:
    """A uniform integer in [0, n), for 1 <= n < 2**31.

    Source: Lemire, "Fast random integer generation in an interval", 2019: no bias, rarely a second draw.
    """
    product = bits32(chance) * n
    low = product & 0xFFFF_FFFF
    if low < n:
        bound = (0x1_0000_0000 - n) % n
        while low < bound:
            product = bits32(chance) * n
            low = product & 0xFFFF_FFFF
    return product >> 32


class Stream(Record):
    """A generator of its own, for whoever plays: random moves and searches never draw from a game's chance."""

    chance: Annotated[list[int], "u8", 1]


def stream(seed: int) -> Any:
    """A stream that starts at `seed`, 0 <= seed < 2**63."""
    made = Stream()
    made.chance[0] = seed
    return made.write()[0] if COMPILED else made
