"""Every game at a real table: no byte that a viewer is sent depends on what it may not know."""

from __future__ import annotations

import random
import re
from pathlib import Path

import httpx2
import pytest
import toy
from server.conftest import HTMX, Server

from thorp import Match
from thorp.checks.matches import play_randomly, random_options
from thorp.core.registry import register
from thorp.server.tables.table import Player
from thorp.server.web.shown import show

pytestmark = pytest.mark.anyio


def _without_nonce(text: str) -> str:
    return re.sub(r"nonce=(&#34;|\"|')?[\w-]+", "nonce", text)


async def _seen(viewer: httpx2.AsyncClient, path: str, *, whole: bool) -> str:
    """What a viewer can fetch of a table that is being played: what changes with a move, or the whole pages."""
    parts = ("", "/fragment", "/export.json") if whole else ("/fragment",)
    return "\n".join([_without_nonce((await viewer.get(path + part)).text) for part in parts])


MATCHES = Path(__file__).parents[1] / "matches"
#: Recorded matches in which secrets are kept, and shown, over many rounds.
RECORDED = (
    MATCHES / "tiny_towns" / "opaleyes-watch.json",
    MATCHES / "tiny_towns" / "solo.json",
    MATCHES / "villagers" / "two-seats.json",
)


def _random_match(seed: int) -> Match:
    match = Match(toy.GAME, 3, random_options(toy.GAME, 3, random.Random(seed)), 4_611_686_018_427_387_904 + seed)
    play_randomly(match, random.Random(seed))
    return match


def _matches() -> list[Match]:
    return [*(Match.load(file.read_bytes()) for file in RECORDED), _random_match(1), _random_match(2)]


@pytest.mark.parametrize("recorded", _matches(), ids=lambda match: f"{match.game.id}-{match.seed}")
async def test_what_a_viewer_may_not_know_changes_no_byte(server: Server, recorded: Match) -> None:
    """At every step of a match, for every seat and a spectator: deal again what it cannot know, and fetch again."""
    game, seats = recorded.game, recorded.seats
    register(game)
    rng = random.Random(1)
    people = [await server.person(f"Person {seat}") for seat in range(seats)]
    players = [Player(f"Person {seat}", person=server.id_of(people[seat])) for seat in range(seats)]
    tables = server.app.state.tables
    path = "/tables/" + await tables.create(game, recorded.options, players, seed=recorded.seed, forced=recorded.forced)
    viewers = [(seat, people[seat]) for seat in range(seats)] + [(None, server.client())]
    changed = 0
    chosen = [entry for entry in recorded.log() if not entry.forced]
    for step, entry in enumerate(chosen):
        table = await server.at(path)
        for seat, viewer in viewers:
            true = await _seen(viewer, path, whole=step % 10 == 0)
            assert table.row.salt not in true
            assert str(recorded.seed) not in true or recorded.seed < 10**6
            assert not any(line.forced for line in show(table, seat)["log"] if line.seat != seat)
            played = table.match
            hidden = played.copy()
            game.determinize(hidden.state, -1 if seat is None else seat, rng.randrange(1 << 62))
            changed += game.bytes(hidden.state) != game.bytes(played.state)
            table.match = hidden
            table.look_again()
            assert await _seen(viewer, path, whole=step % 10 == 0) == true
            table.match = played
            table.look_again()
        form = {"counter": str(table.counters[entry.seat]), "move": str(entry.move)}
        answer = await people[entry.seat].post(f"{path}/moves", data=form, headers=HTMX)
        assert answer.status_code == 200
        table = await server.at(path)
        assert table.match.over or table.row.salt not in answer.text
    assert changed
    assert (await server.at(path)).match.digest() == recorded.digest()
