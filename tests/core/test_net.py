"""The net as it is read out, held against NumPy."""

import numpy as np
import pytest

from thorp.compiling.mode import COMPILED
from thorp.core.net import Net, read_out

FEATURES, HIDDEN = 11, 5
NET = Net(features=tuple(f"feature {number}" for number in range(FEATURES)), hidden=HIDDEN)


@pytest.fixture(scope="module")
def said():
    """The rule, called as other rules call it."""
    if not COMPILED:
        return read_out
    import numba

    return numba.njit(lambda row, features, first: read_out(row, features, first))


@pytest.mark.parametrize("zeros", range(FEATURES + 1))
def test_whatever_number_of_features_is_not_0_all_of_them_count(said, zeros: int) -> None:
    """Four are taken at a time, and then the one, two or three that are left."""
    rng = np.random.default_rng(zeros)
    learned = rng.normal(size=NET.learned).astype(np.float32)
    features = rng.normal(size=FEATURES).astype(np.float32)
    features[rng.permutation(FEATURES)[:zeros]] = 0
    row = NET.row(learned)
    row[:FEATURES] = features
    weights, (biases, out) = learned[: FEATURES * HIDDEN].reshape(FEATURES, HIDDEN), learned[55:65].reshape(2, HIDDEN)
    hidden = features @ weights + biases
    hidden[1:] = np.maximum(hidden[1:], 0)
    assert said(row, FEATURES, NET.first) == pytest.approx(hidden @ out + learned[-1], abs=1e-4)
    assert np.array_equal(row[:FEATURES], features)
    assert np.array_equal(row[NET.first :], learned)
