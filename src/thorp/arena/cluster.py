"""Deals played on a cluster, through Ray: the extra `thorp[cluster]`."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from itertools import islice
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from thorp.arena.results import Deal
from thorp.arena.work import Work, play_work, try_out
from thorp.core.errors import GameError

#: So long may it take until a cluster answers, in seconds.
_ANSWERS_WITHIN = 10.0


class Cluster:
    """All processors of a Ray cluster. Thorp, the game and the players have to be on every machine."""

    def __init__(self, address: str) -> None:
        """Join the cluster at an address, as `ray start` tells it; `auto` is the one of this machine.

        Raises GameError where there is none.
        """
        host, _, port = address.rpartition(":")
        try:
            if port.isdecimal():
                # Ray itself would go on trying for minutes.
                socket.create_connection((host, int(port)), _ANSWERS_WITHIN).close()
            ray.init(address=address, ignore_reinit_error=True, log_to_driver=False)
        except (OSError, ValueError) as error:
            raise GameError(f"there is no cluster at {address}: {error}") from error

    def try_out(self, work: Work) -> None:
        """See `thorp.arena.workers.Workers`: one machine may have what another has not."""
        trials = []
        for node in ray.nodes():
            if node["Alive"] and node["Resources"].get("CPU"):
                there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
                # beside what else is played there, and not after it
                task = ray.remote(num_cpus=0, scheduling_strategy=there)(try_out)
                trials.append((node["NodeManagerHostname"], task.remote(work)))
        for host, trial in trials:
            try:
                _outcome(trial)
            except RayError as error:
                # such as where Thorp or the game cannot be imported: the last line says so
                raise GameError(f"{host} cannot play: {str(error).strip().splitlines()[-1]}") from error

    def play(self, work: Iterator[Work]) -> Iterator[list[Deal]]:
        """See `thorp.arena.workers.Workers`. A task whose machine is lost is played again elsewhere."""
        task = ray.remote(num_cpus=1)(play_work)
        ahead = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting: list[ray.ObjectRef] = []
        try:
            while True:
                waiting += [task.remote(piece) for piece in islice(work, ahead - len(waiting))]
                if not waiting:
                    break
                done, waiting = ray.wait(waiting)
                for reference in done:
                    yield _outcome(reference)
        except RayError as error:
            if isinstance(error, RayTaskError):
                raise
            raise GameError(
                f"a part of the contest could not be played ({type(error).__name__}): what is finished is in the "
                "results, run it again to go on, with fewer processors where memory is short"
            ) from error
        finally:
            for reference in waiting:
                ray.cancel(reference, force=True)

    def nodes(self) -> int:
        """How many machines play."""
        return sum(bool(node["Alive"]) for node in ray.nodes())


def _outcome(reference: ray.ObjectRef) -> Any:
    """What a task came to. Raises GameError as it does."""
    try:
        return ray.get(reference)
    except RayTaskError as error:
        if isinstance(error.cause, GameError):
            # what Ray makes of it quotes its whole traceback
            raise error.cause from error
        raise
