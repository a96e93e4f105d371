"""GET /tables/ID/forecast and /points: what a move would score now, and what the points of the moment are for."""

from __future__ import annotations

import re

import pytest
from server.conftest import Server

from thorp import Match
from thorp.core import forecast as core
from thorp.core.forecast import forecast
from thorp.core.registry import game
from thorp.server.tables.table import Player

pytestmark = pytest.mark.anyio

TOWNS = game("tiny-towns")


async def _towns(server: Server, client, **options: str) -> str:
    TOWNS.prepare()
    players = [Player("Ada", person=server.id_of(client))]
    return "/tables/" + await server.app.state.tables.create(TOWNS, options, players, seed=3)


def _builds(match: Match) -> list[int]:
    """The moves by which the only seat could build now."""
    return [move for move in match.legal(0) if match.game.moves.decode(move).family == "build"]


async def _play_until_it_can_build(server: Server, client, path: str) -> Match:
    """Everything goes to the first free square, until a pattern lies there."""
    while not _builds(match := (await server.at(path)).match):
        assert not match.over
        assert (await server.play(client, path)).status_code == 200
    return match


async def test_a_card_tells_what_it_would_add_at_each_place(server: Server) -> None:
    ada = await server.person("Ada")
    path = await _towns(server, ada)
    match = await _play_until_it_can_build(server, ada, path)
    move = _builds(match)[0]
    steps = match.game.face.steps(match.state, 0, move)
    answer = await ada.get(f"{path}/forecast", params={"thing": steps[0]})
    assert answer.status_code == 200
    told = {tuple(each["steps"]): each for each in answer.json()}
    assert set(told) == {
        match.game.face.steps(match.state, 0, each)
        for each in _builds(match)
        if match.game.face.steps(match.state, 0, each)[0] == steps[0]
    }
    before = match.scores[0]
    after = match.copy()
    after.play(0, move)
    gain = after.scores[0] - before
    assert told[steps]["gain"] == (f"+{gain}" if gain > 0 else "±0" if gain == 0 else f"−{-gain}")
    assert told[steps]["words"].endswith(f"{before} → {after.scores[0]}".replace("-", "−"))
    assert match.scores[0] == before
    assert f'data-lit="{steps[0]} {steps[-1]}"' in (await ada.get(path)).text


async def test_only_who_decides_is_told_and_only_of_its_own_page(server: Server) -> None:
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await _towns(server, ada)
    match = await _play_until_it_can_build(server, ada, path)
    thing = match.game.face.steps(match.state, 0, _builds(match)[0])[0]
    assert (await eve.get(f"{path}/forecast", params={"thing": thing})).status_code == 204
    for wrong in ("", "card-99", "card-0 card-1", '"><b>', "done-1"):
        assert (await ada.get(f"{path}/forecast", params={"thing": wrong})).status_code == 204
    assert (await eve.get(f"{path}/points")).status_code == 403


async def test_the_points_of_the_moment_row_by_row(server: Server) -> None:
    ada = await server.person("Ada")
    path = await _towns(server, ada)
    part = await ada.get(f"{path}/points", headers={"HX-Request": "true"})
    assert part.text.lstrip().startswith("<h2")
    assert "Squares without a building" in part.text
    assert "16 squares" in part.text
    page = await ada.get(f"{path}/points")
    assert page.text.startswith("<!doctype html>")
    assert f'href="{path}"' in page.text
    table = (await ada.get(path)).text
    (link,) = re.findall(rf'<a class="points" [^>]*href="{path}/points".*?</a>', table)
    assert re.sub("<[^>]+>", "", link) == "−16 now for 16 squares not built on"


def test_what_the_seat_cannot_know_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the points after a move differ from deal to deal, the move has no forecast."""
    TOWNS.prepare()
    match = Match(TOWNS, 1, {"monuments": "no"}, seed=3)
    while not _builds(match):
        match.play(0, match.legal(0)[0])
    builds = _builds(match)
    assert set(forecast(TOWNS, match.state, 0, builds)) == set(builds)
    dealt = iter(range(1000))
    monkeypatch.setattr(core, "_points", lambda *_: (0, next(dealt)))
    assert forecast(TOWNS, match.state, 0, builds) == {}
