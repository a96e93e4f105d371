"""A contest on a cluster of two Ray nodes on this machine."""

import os
import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import ray
from connect_four import GAME as CONNECT_FOUR
from ray.cluster_utils import Cluster as LocalNodes

import thorp
from thorp import GameError
from thorp.arena.cluster import Cluster
from thorp.arena.contest import Contest, play_contest
from thorp.arena.entrants import entrants
from thorp.arena.lineups import lineups
from thorp.arena.results import Deal, Results
from thorp.arena.workers import Here
from thorp.cli import main
from thorp.core import registry
from thorp.core.weights import read_weights, write_weights

pytestmark = pytest.mark.filterwarnings("ignore")

#: Of a deal, what does not depend on the clock.
Played = tuple[int, list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where two nodes are, which have the players of these tests."""
    tests = str(Path(__file__).parents[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [tests, os.environ.get("PYTHONPATH")])))
        nodes = LocalNodes(initialize_head=True, head_node_args={"num_cpus": 1})
        try:
            nodes.add_node(num_cpus=1)
            yield nodes.address
        finally:
            ray.shutdown()
            nodes.shutdown()


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(registry._registry, CONNECT_FOUR.id, CONNECT_FOUR)
    monkeypatch.chdir(tmp_path)


def a_contest() -> Contest:
    who = entrants(["greedy", "random"])
    return Contest(CONNECT_FOUR, {}, who, lineups(["greedy", "random"], 2, mirror=True), deals=45)


def test_two_nodes_play_what_one_thread_plays(address: str, tmp_path: Path) -> None:
    cluster = Cluster(address)
    assert cluster.nodes() == 2
    found = []
    for name, workers in (("cluster", cluster), ("here", Here())):
        (folder := tmp_path / name).mkdir()
        courses = play_contest(a_contest(), Results(folder), workers)
        found.append([course.counted for course in courses])
    assert found[0] == found[1]
    assert [len(deals) for deals in found[0]] == [45, 45, 45]


def test_the_command_plays_on_two_nodes_what_it_plays_here(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also by a class of somebody else's, which the nodes have."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    given = ["connect-four", "--player", "random", "--player", "mine=arena.players.mine:Greedy", "--deals", "4"]
    found = []
    for out, where in (("cluster", ["--ray", address]), ("here", ["--workers", "1"])):
        assert main(["arena", "play", *given, *where, "--out", out]) == 0
        results = Results(tmp_path / out)
        (lineup,) = results.lineups
        found.append([played(results.get(lineup, seed)) for seed in range(1, 5)])
        assert f"{Path(out) / 'contest.html'}\n" in capsys.readouterr().out
    assert found[0] == found[1]


def played(deal: Deal) -> Played:
    return deal.seed, [(game.scores, game.standings, game.choices, game.leader, game.lost) for game in deal.games]


def test_a_player_that_nodes_do_not_have_is_told_and_nothing_is_recorded(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is in the folder where the command runs, which is looked into on this machine alone."""
    Path("own.py").write_text("from arena.players.mine import Greedy\n")
    given = ["connect-four", "--player", "random", "--player", "own:Greedy", "--ray", address]
    assert main(["arena", "play", *given]) == 1
    said = f"thorp: Greedy does not get ready on {socket.gethostname()}: it ended with status 1: there is no module own"
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["own.py"]


def test_a_player_that_is_missed_later_ends_the_contest(address: str, tmp_path: Path) -> None:
    """As on a machine that has come to the cluster since all were tried out."""
    contest = a_contest()
    who = {each.name: each for each in entrants(["random", "mine=/nowhere/at-all"])}
    work = replace(contest.work(lineups(list(who), 2)[0], 1, 1), entrants=who)
    with pytest.raises(GameError, match=r"^mine does not get ready on .* No such file or directory; mend it"):
        list(Cluster(address).play(iter([work])))


def test_a_machine_that_does_not_have_the_game_is_named(address: str) -> None:
    work = replace(a_contest().trial_work, package="games_of_mine")
    said = re.escape(f"{socket.gethostname()} cannot play: ModuleNotFoundError: No module named 'games_of_mine'")
    with pytest.raises(GameError, match=f"^{said}$"):
        Cluster(address).try_out(work)


def a_contest_by(file: Path) -> Contest:
    """Of Villagers, of a player too that goes by what is written to this file."""
    game = thorp.game("villagers")
    write_weights(file, game, read_weights(game)[0], {"games": 1})
    who = entrants(["learned", "casual", f"mine=learned:{file}"])
    return Contest(game, game.options_for(2), who, lineups(["learned", "casual", "mine"], 2), deals=1)


@pytest.mark.parametrize(
    ("what", "value", "told"),
    [
        ("thorp.__version__", "0.0.1", r"it has Thorp .*, not Thorp 0\.0\.1"),
        (
            "thorp.arena.work.game_of",
            lambda work: replace(thorp.game(work.game), rules_version=99),
            r"it has version \d+ of the rules of Villagers, not version 99 of",
        ),
        ("thorp.arena.entrants.learned_digest", lambda game: "abc", "it has learned, .*, not .* has learned abc"),
        ("thorp.arena.entrants.way_digest", lambda *of: "abc", "it has learned, .*, not learned, which thinks by abc"),
    ],
    ids=["Thorp", "rules", "weights", "levels"],
)
def test_a_machine_that_would_play_otherwise_is_named(
    address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str, value: Any, told: str
) -> None:
    """Here something is otherwise now, and on the nodes it is as it was."""
    contest, cluster = a_contest_by(tmp_path / "mine.weights"), Cluster(address)
    cluster.try_out(contest.trial_work)
    monkeypatch.setattr(what, value)
    host = re.escape(socket.gethostname())
    with pytest.raises(GameError, match=f"^{host} would play otherwise than the machine that asks: {told}"):
        cluster.try_out(contest.trial_work)


def test_a_machine_that_does_not_have_the_weights_is_named(address: str, tmp_path: Path) -> None:
    work = a_contest_by(file := tmp_path / "gone.weights").trial_work
    file.unlink()
    said = f"^mine does not get ready on {re.escape(socket.gethostname())}: .*gone.weights cannot be read: No such file"
    with pytest.raises(GameError, match=said):
        Cluster(address).try_out(work)


def test_where_processes_die_for_good_it_is_said_that_results_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where they are killed for lack of memory, also when Ray has tried again."""

    def die(reference: Any) -> None:
        raise ray.exceptions.WorkerCrashedError

    contest = a_contest()
    monkeypatch.setattr(ray, "remote", lambda **_: lambda function: SimpleNamespace(remote=lambda work: work))
    monkeypatch.setattr(ray, "cluster_resources", lambda: {"CPU": 1.0})
    monkeypatch.setattr(ray, "wait", lambda waiting: (waiting[:1], waiting[1:]))
    monkeypatch.setattr(ray, "cancel", lambda reference, force: None)
    monkeypatch.setattr(ray, "get", die)
    work = iter([contest.work(contest.lineups[0], 1, 1)] * 3)
    with pytest.raises(GameError, match=r"\(WorkerCrashedError\): what is finished is in the results, run it again"):
        list(Cluster.__new__(Cluster).play(work))


def test_a_cluster_that_is_not_there_is_said() -> None:
    with pytest.raises(GameError, match=r"there is no cluster at 127.0.0.1:1"):
        Cluster("127.0.0.1:1")
