"""The generator of the state."""

import numpy as np
import pytest

from thorp.compiling.mode import COMPILED
from thorp.core.chance import Stream, below, seed_chance, stream


def _row(dice: object) -> object:
    return dice["chance"] if COMPILED else dice.chance


def test_it_is_splitmix64() -> None:
    """The first outputs of the reference implementation from seed 1234567; `below(2**31)` shows their upper bits."""
    reference = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
    dice = stream(1234567)
    assert [int(below(_row(dice), 1 << 31)) for _ in reference] == [number >> 33 for number in reference]


def test_draws_are_uniform() -> None:
    dice = stream(3)
    for n in (2, 3, 7, 15):
        draws = np.bincount([int(below(_row(dice), n)) for _ in range(4000 * n)], minlength=n)
        chi_square = ((draws - 4000.0) ** 2 / 4000.0).sum()
        # the 99.9 percent point of chi-square lies below n + 4 * sqrt(2n) + 6
        assert len(draws) == n
        assert chi_square < n + 4 * (2 * n) ** 0.5 + 6


def test_the_same_seed_draws_the_same() -> None:
    one, other = stream(9), stream(0)
    seed_chance(_row(other), 9)
    assert [below(_row(one), 100) for _ in range(20)] == [below(_row(other), 100) for _ in range(20)]


@pytest.mark.parametrize("seed", [0, (1 << 63) - 1])
def test_the_widest_seeds_work(seed: int) -> None:
    dice = stream(seed)
    assert 0 <= below(_row(dice), 10) < 10
    assert Stream.of(dice).chance[0] > 0
