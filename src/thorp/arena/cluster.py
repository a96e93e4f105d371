"""Deals played on a cluster, through Ray: the extra `thorp[cluster]`."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from itertools import islice

import ray

from thorp.arena.results import Deal
from thorp.arena.work import Work, play_work
from thorp.core.errors import GameError

#: So long may it take until a cluster answers, in seconds.
_ANSWERS_WITHIN = 10.0


class Cluster:
    """All processors of a Ray cluster. Thorp, the game and the players have to be installed on every machine."""

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
                    yield ray.get(reference)
        finally:
            for reference in waiting:
                ray.cancel(reference, force=True)

    def nodes(self) -> int:
        """How many machines play."""
        return sum(bool(node["Alive"]) for node in ray.nodes())
