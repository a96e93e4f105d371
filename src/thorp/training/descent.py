"""Learning from rows of positions, by JAX and Optax: on a GPU where JAX finds one, else on the processor.

The net is said once more here, as JAX can take its slope; that it says the same as compiled rules do a test holds.

Source: Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019 (AdamW); the loss is Huber's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from thorp.core.net import Net
from thorp.core.weights import WeightsError
from thorp.training.selfplay import BASE, TARGET

#: Rows of one step.
BATCH = 64
#: What a weight loses of itself in a step of length 1.
_SHRINK = 1e-3
#: Errors beyond so many points teach as these do, unless something else is said.
MOST_ERROR = 15.0


class Descent:
    """What a net has learned so far, and what the steps to it are remembered by."""

    def __init__(self, net: Net, learned: Any, most_error: float = MOST_ERROR) -> None:
        """`most_error`: errors beyond so much teach as these do."""
        self._features, self._hidden, self._most_error = len(net.features), net.hidden, most_error
        self._learned = jnp.array(learned)
        self._memory = _optimiser(0.0).init(self._learned)

    @property
    def learned(self) -> Any:
        """What has been learned, as it lies in a row of `net` behind its first number."""
        return np.asarray(self._learned)

    @property
    def memory(self) -> list[Any]:
        """What the steps are remembered by, as arrays that can be kept and given back."""
        return leaves_of(self._memory)

    @memory.setter
    def memory(self, kept: Sequence[Any]) -> None:
        self._memory = with_leaves(self._memory, kept)

    def learn(self, rows: Any, count: int, length: float) -> float:
        """Go through so many rows, a step of this length for each full batch. The mean squared error, in square points.

        As many rows are given each time, since JAX compiles anew for others.
        """
        assert count <= len(rows), "fewer rows than are to be gone through"
        batches = jnp.array(rows[: len(rows) // BATCH * BATCH]).reshape(-1, BATCH, rows.shape[1])
        self._learned, self._memory, error = _through(
            self._learned, self._memory, batches, count // BATCH, length, self._features, self._hidden,
            self._most_error,
        )  # fmt: skip
        return float(error)


def said(learned: Any, features: Any, hidden: int) -> Any:
    """What a net that has learned this makes of features, which are the last axis."""
    inner = features.shape[-1] * hidden
    sums = features @ learned[:inner].reshape(-1, hidden) + learned[inner : inner + hidden]
    # the first unit is linear
    units = jnp.concatenate((sums[..., :1], jax.nn.relu(sums[..., 1:])), axis=-1)
    return units @ learned[inner + hidden : -1] + learned[-1]


def untaught(net: Net, luck: np.random.Generator) -> Any:
    """What a net knows at first: its linear unit nothing, the others little."""
    start = np.zeros(net.learned, np.float32)
    inner = len(net.features) * net.hidden
    spread = luck.normal(size=inner).astype(np.float32) * np.float32(0.1)
    spread[:: net.hidden] = 0
    start[:inner] = spread
    out = inner + net.hidden
    start[out : out + net.hidden] = luck.normal(size=net.hidden).astype(np.float32) * np.float32(0.1)
    start[out] = 1
    return start


def as_learned(net: Net, kept: Any) -> Any:
    """What was kept of what a net has learned. Raises ValueError where it is of another, or no numbers."""
    if kept.shape != (net.learned,) or kept.dtype.kind != "f":
        raise ValueError(f"{kept.shape} {kept.dtype} is not what {net.learned} weights are kept as")
    return kept


def leaves_of(memory: Any) -> list[Any]:
    """What steps are remembered by, as arrays that can be kept."""
    return [np.asarray(each) for each in jax.tree.leaves(memory)]


def with_leaves(memory: Any, kept: Sequence[Any]) -> Any:
    """The same memory with what was kept. Raises WeightsError where it is of another Optax."""
    leaves, structure = jax.tree.flatten(memory)
    if [each.shape for each in leaves] != [each.shape for each in kept]:
        raise WeightsError("a run of learning by another Optax cannot be taken up; begin another")
    return jax.tree.unflatten(structure, [jnp.array(each) for each in kept])


def _optimiser(length: Any) -> optax.GradientTransformation:
    return optax.adamw(length, weight_decay=_SHRINK)


def _wrong(learned: Any, rows: Any, features: int, hidden: int, most_error: float) -> tuple[Any, tuple[Any, Any]]:
    """What is wrong with what is said of positions (features, and what `selfplay` writes behind them), and for the mean
    error its squares and how many there are.
    """
    read = rows[:, :features]
    # the net was asked where it read something
    asked = (read != 0).any(axis=1)
    missing = rows[:, features + TARGET] - rows[:, features + BASE]
    errors = jnp.where(asked, said(learned, read, hidden) - missing, 0)
    return optax.losses.huber_loss(errors, delta=most_error).mean(), ((errors**2).sum(), asked.sum())


@partial(jax.jit, static_argnames=("features", "hidden", "most_error"))
def _through(
    learned: Any, memory: Any, batches: Any, count: Any, length: Any, features: int, hidden: int, most_error: float
) -> tuple[Any, Any, Any]:
    """A step for each of the first `count` batches; what is learned then, the memory, and the mean squared error."""
    optimiser = _optimiser(length)
    slope_of = jax.value_and_grad(_wrong, has_aux=True)

    def step(index: Any, so_far: tuple[Any, Any, Any, Any]) -> tuple[Any, Any, Any, Any]:
        learned, memory, squares, asked = so_far
        (_, (more, also)), slope = slope_of(learned, batches[index].astype(jnp.float32), features, hidden, most_error)
        changes, memory = optimiser.update(slope, memory, learned)
        return optax.apply_updates(learned, changes), memory, squares + more, asked + also

    learned, memory, squares, asked = jax.lax.fori_loop(0, count, step, (learned, memory, 0.0, 0))
    return learned, memory, squares / jnp.maximum(asked, 1)
