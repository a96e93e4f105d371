"""A contest on a cluster of two Ray nodes on this machine."""

import os
from pathlib import Path

import pytest
import ray
from connect_four import GAME as CONNECT_FOUR
from ray.cluster_utils import Cluster as LocalNodes

from thorp import GameError
from thorp.arena.cluster import Cluster
from thorp.arena.contest import Contest, play_contest
from thorp.arena.entrants import entrants
from thorp.arena.lineups import lineups
from thorp.arena.results import Results
from thorp.arena.workers import Here

pytestmark = pytest.mark.filterwarnings("ignore")


def test_two_nodes_play_what_one_thread_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = str(Path(__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [tests, os.environ.get("PYTHONPATH")])))
    nodes = LocalNodes(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        nodes.add_node(num_cpus=1)
        cluster = Cluster(nodes.address)
        assert cluster.nodes() == 2
        who = entrants(["greedy", "random"])
        contest = Contest(CONNECT_FOUR, {}, who, lineups(["greedy", "random"], 2, mirror=True), deals=45)
        found = []
        for name, workers in (("cluster", cluster), ("here", Here())):
            (folder := tmp_path / name).mkdir()
            courses = play_contest(contest, Results(folder), workers)
            found.append([course.counted for course in courses])
        assert found[0] == found[1]
        assert [len(deals) for deals in found[0]] == [45, 45, 45]
    finally:
        ray.shutdown()
        nodes.shutdown()


def test_a_cluster_that_is_not_there_is_said() -> None:
    with pytest.raises(GameError, match=r"there is no cluster at 127.0.0.1:1"):
        Cluster("127.0.0.1:1")
