"""Learning to choose from what games came to, by JAX and Optax: moves after which more was had become likelier.

Two nets learn side by side: one says how much each move is liked, and another what is expected before a decision,
against which is held what came.

Sources: Schulman, Wolski, Dhariwal, Radford and Klimov, "Proximal policy optimization algorithms", 2017; Schulman,
Moritz, Levine, Jordan and Abbeel, "High-dimensional continuous control using generalized advantage estimation", ICLR
2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from thorp.core.net import Net
from thorp.training.choices import BASE, CHOSEN, COUNT, RESULT, SAID, SEAT
from thorp.training.descent import as_learned, leaves_of, said, untaught, with_leaves

#: Moves, and decisions, of one step at most; and decisions of a step of the net that expects.
_MOVES, _DECISIONS, _EXPECTED = 8192, 2048, 512
#: A step goes no farther than to make a move so many times as likely, or less likely, as it was.
_FAR = 1.2
#: The length of a step of the net that chooses is cut to this, whatever its games say; that of the other net's steps.
_LONGEST = 1.0
_LENGTH = 2e-3
#: What a choice with more chance in it is worth: who never tries a thing does not learn what it brings.
_OPEN = 1e-3
#: How much what is expected later counts against what a game came to, for each decision between (lambda).
_LATER = 0.95
#: Of each decision that lies ahead so much is lost: who is as well off later does it now.
_HASTE = 0.04
#: What is expected is learned in such units, so that it is about 1.
_UNIT = 10.0


@dataclass(frozen=True)
class Decisions:
    """Decisions of games, as `choices` writes them, and where they stand."""

    #: All rows, those of a decision's moves behind its own.
    rows: Any
    #: The row of each decision, which game it is of, and with how many seats that was.
    starts: Any
    games: Any
    seats: Any
    features: int

    def of(self, what: int) -> Any:
        """What stands behind the features of each decision."""
        return self.rows[self.starts, self.features + what]


def decisions_of(rows: Any, sizes: Any, seats: list[int], features: int) -> Decisions:
    """All decisions of games, of which `draw_game` has written so many of the rows each, with so many seats."""
    # rows of moves have nothing there
    starts = np.flatnonzero(rows[:, features + COUNT])
    games = np.searchsorted(np.cumsum(sizes), starts, side="right")
    return Decisions(rows, starts, games, np.array(seats)[games], features)


def advantages(decisions: Decisions, expected: Any) -> Any:
    """How much more was had after each decision than was expected before it, as far as it is seen soon after."""
    order = np.lexsort((decisions.starts, decisions.of(SEAT), decisions.games))
    whose = np.stack((decisions.games, decisions.of(SEAT).astype(int)))[:, order]
    begins = np.concatenate(([True], (whose[:, 1:] != whose[:, :-1]).any(axis=0)))
    line = np.cumsum(begins) - 1
    place = np.arange(len(order)) - np.flatnonzero(begins)[line]
    # a row for each seat of each game, and a column behind the last decision
    shape = line[-1] + 1, place.max() + 2
    came_to, haste = np.zeros(shape[0]), np.zeros(shape[0])
    hoped, there, gained = np.zeros(shape), np.zeros(shape, bool), np.zeros(shape)
    came_to[line] = decisions.of(RESULT)[order]
    haste[line] = np.where(decisions.seats[order] > 1, _HASTE, 0)
    hoped[line, place] = expected[order]
    there[line, place] = True
    for at in range(shape[1] - 2, -1, -1):
        last = ~there[:, at + 1]
        soon = np.where(last, came_to, hoped[:, at + 1] - haste + _LATER * gained[:, at + 1])
        gained[:, at] = np.where(there[:, at], soon - hoped[:, at], 0)
    found = np.zeros(len(order), np.float32)
    found[order] = gained[line, place]
    return found


class Policy:
    """What has been learned so far: to choose, and what to expect."""

    def __init__(self, net: Net, luck: np.random.Generator) -> None:
        self._net, self._hidden = net, net.hidden
        self._chooses, self._expects = (_Learned(untaught(net, luck), longest) for longest in _CUT)

    @property
    def learned(self) -> Any:
        """What says how much moves are liked, as it lies in a row of the net behind its first number."""
        return np.array(self._chooses.net)

    @property
    def kept(self) -> list[Any]:
        """All that has to be kept to go on, as arrays."""
        return [each for net in self._all for each in (np.asarray(net.net), *leaves_of(net.memory))]

    def take_up(self, kept: list[Any]) -> None:
        """Go on with what was kept. Raises WeightsError where it is of another Optax, ValueError of another net."""
        each = len(kept) // len(self._all)
        for number, net in enumerate(self._all):
            own = kept[number * each : (number + 1) * each]
            net.net, net.memory = _here(as_learned(self._net, own[0])), with_leaves(net.memory, own[1:])

    @property
    def _all(self) -> tuple[_Learned, ...]:
        return self._chooses, self._expects

    def learn(self, decisions: Decisions, chance: float, length: float, luck: np.random.Generator) -> float:
        """Go through all decisions once, in steps of this length; `chance` was in the choices.

        What was expected misses what games came to by so much: the mean squared error.
        """
        count, base, starts, features = len(decisions.starts), decisions.of(BASE), decisions.starts, decisions.features
        # in as much room as there is for any: JAX compiles anew for each number of rows
        every = decisions.rows[np.pad(starts, (0, -count % _DECISIONS))]
        expected = np.asarray(_said(self._expects.net, every, features, self._hidden))[:count] * _UNIT + base
        gained = advantages(decisions, expected)
        target = (gained + expected - base) / _UNIT
        for seats in np.unique(decisions.seats):
            # games with more seats are not to count for less, since less is decided in them
            here = decisions.seats == seats
            gained[here] /= gained[here].std() + 1e-6
        order = luck.permutation(count)
        for some in order[: count // _EXPECTED * _EXPECTED].reshape(-1, _EXPECTED):
            net, rows = self._expects, decisions.rows[starts[some]]
            net.net, net.memory = _step_of_expecting(net.net, net.memory, rows, target[some], features, self._hidden)
        moves = np.cumsum(decisions.of(COUNT).astype(int)[order])
        at = 0
        while at < count:
            before = moves[at - 1] if at else 0
            end = min(int(np.searchsorted(moves, before + _MOVES, side="right")), at + _DECISIONS)
            # one with more moves than there is room for is passed over
            if end > at:
                batch, net = _batch(decisions, order[at:end], gained), self._chooses
                net.net, net.memory = _step_of_choosing(
                    net.net, net.memory, batch, chance, length, features, self._hidden
                )
            at = max(end, at + 1)
        return float(((decisions.of(RESULT) - expected) ** 2).mean())


class _Learned:
    """A net, and what its steps are remembered by."""

    def __init__(self, net: Any, longest: float) -> None:
        self.net = _here(net)
        self.memory = _optimiser(0.0, longest).init(self.net)


def _here(net: Any) -> Any:
    """A net on the processor, where its steps take less time than to send a GPU what was read."""
    return jax.device_put(net, jax.devices("cpu")[0])


#: To what the steps of the two nets are cut.
_CUT = (_LONGEST, np.inf)


def _optimiser(length: Any, longest: float) -> optax.GradientTransformation:
    return optax.chain(optax.clip_by_global_norm(longest), optax.adam(length))


def _batch(decisions: Decisions, some: Any, gained: Any) -> dict[str, Any]:
    """Some decisions, with all their moves, in as much room as there is for any."""
    starts = decisions.starts[some]
    counts = decisions.rows[starts, decisions.features + COUNT].astype(int)
    first = np.cumsum(counts) - counts
    whose = np.repeat(np.arange(len(some)), counts)
    moves = starts[whose] + 1 + np.arange(len(whose)) - first[whose]
    chosen = decisions.rows[starts, decisions.features + CHOSEN].astype(int)
    more, fewer = _MOVES - len(whose), _DECISIONS - len(some)
    return {
        # those that are not there are any row, of a decision behind all others
        "rows": decisions.rows[np.pad(moves, (0, more))],
        "whose": np.pad(whose, (0, more), constant_values=_DECISIONS),
        "chosen": np.pad(first + chosen, (0, fewer), constant_values=_MOVES - 1),
        "gained": np.pad(gained[some], (0, fewer)),
        "there": np.arange(_DECISIONS) < len(some),
    }


@partial(jax.jit, static_argnames=("features", "hidden"))
def _said(learned: Any, rows: Any, features: int, hidden: int) -> Any:
    return said(learned, rows[:, :features], hidden)


@partial(jax.jit, static_argnames=("features", "hidden"))
def _step_of_expecting(
    expects: Any, memory: Any, rows: Any, target: Any, features: int, hidden: int
) -> tuple[Any, Any]:
    read = rows[:, :features]
    slope = jax.grad(lambda learned: ((said(learned, read, hidden) - target) ** 2).mean())(expects)
    change, memory = _optimiser(_LENGTH, _CUT[1]).update(slope, memory)
    return optax.apply_updates(expects, change), memory


def _likely(liked: Any, whose: Any) -> Any:
    """The logarithm of how likely each move is among those of its decision."""
    decisions = _DECISIONS + 1
    most = jax.lax.stop_gradient(jax.ops.segment_max(liked, whose, decisions))
    sums = jax.ops.segment_sum(jnp.exp(liked - most[whose]), whose, decisions)
    return liked - most[whose] - jnp.log(sums)[whose]


@partial(jax.jit, static_argnames=("features", "hidden"))
def _step_of_choosing(
    chooses: Any, memory: Any, batch: dict[str, Any], chance: Any, length: Any, features: int, hidden: int
) -> tuple[Any, Any]:
    rows, there, gained, chosen, whose = (batch[name] for name in ("rows", "there", "gained", "chosen", "whose"))
    read, base, count = rows[:, :features], rows[:, features + BASE], there.sum()
    before = _likely(rows[:, features + SAID] / chance, whose)[chosen]

    def wrong(learned: Any) -> Any:
        # a move that ends the game reads nothing, and is worth what it is
        asked = (read != 0).any(axis=1)
        liked = base + jnp.where(asked, said(learned, read, hidden), 0)
        likely = _likely(liked / chance, whose)
        times = jnp.exp(jnp.where(there, likely[chosen] - before, 0))
        better = jnp.minimum(times * gained, jnp.clip(times, 2 - _FAR, _FAR) * gained)
        open = -jax.ops.segment_sum(jnp.exp(likely) * likely, whose, _DECISIONS + 1)[:-1]
        return -(jnp.where(there, better + _OPEN * open, 0)).sum() / count

    change, memory = _optimiser(length, _CUT[0]).update(jax.grad(wrong)(chooses), memory)
    return optax.apply_updates(chooses, change), memory
