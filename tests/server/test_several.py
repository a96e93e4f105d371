"""Several moves that are chosen at once: played one by one, and refused as a whole where they are forged."""

from __future__ import annotations

import httpx2
import pytest
from server.conftest import HTMX, Server

from thorp.core.match import Match
from thorp.core.registry import game
from thorp.games.valeria.rules.moves import MOVES
from thorp.server.tables.several import MOST
from thorp.server.tables.table import Player

pytestmark = pytest.mark.anyio

VALERIA = game("valeria")
#: With this seed somebody who draws whatever there is to draw has too many cards in the first turns.
SEED = 11


async def _hoarder(server: Server, client: httpx2.AsyncClient) -> str:
    """The path of a table at which that person, alone, has to discard several cards."""
    players = [Player("Ada", person=server.id_of(client))]
    id = await server.app.state.tables.create(VALERIA, VALERIA.options_for(1), players, seed=SEED)
    tables = server.app.state.tables
    while (table := await tables.open(id)).match.view(0).discarding < 3:
        legal = {MOVES.decode(move)[0]: move for move in table.match.legal(0)}
        wanted = ("develop", "draw", "discard", "done", "lead")
        move = next(legal[name] for name in wanted if name in legal)
        if "lead" in legal:
            move = min(table.match.legal(0))  # Harvest
        await tables.play(id, 0, table.counters[0], move)
    return f"/tables/{id}"


async def _post(
    server: Server, client: httpx2.AsyncClient, path: str, moves: list[int], counter: int | None = None
) -> httpx2.Response:
    table = await server.at(path)
    counters = table.counters[0] if counter is None else counter
    data = {"counter": str(counters), "move": [str(move) for move in moves]}
    return await client.post(f"{path}/moves", data=data, headers=HTMX)


def _different(match: Match) -> list[int]:
    """A discard for each card, all onto the first pile."""
    return [MOVES.encode("discard", card=card, pile=0) for card in sorted({_card(move) for move in match.legal(0)})]


def _card(move: int) -> int:
    return MOVES.decode(move)[1]["card"]


async def test_several_moves_are_played_one_by_one(server: Server) -> None:
    ada = await server.person()
    path = await _hoarder(server, ada)
    table = await server.at(path)
    before, counter = table.match.ply, table.counters[0]
    asked = table.match.view(0).discarding
    wanted = _different(table.match)[: asked - 1]
    assert len(wanted) > 1
    answer = await _post(server, ada, path, wanted)
    assert answer.status_code == 200
    table = await server.at(path)
    assert [entry.move for entry in table.match.log()[before : before + len(wanted)]] == wanted
    assert table.counters[0] == counter + len(wanted)
    rows = await server.app.state.store.moves(table.id)
    assert [row.move for row in rows[-len(wanted) :]] == wanted
    assert table.match.view(0).discarding == 1
    # each is taken back alone
    await server.app.state.tables.take_back(table.id, 0, table.counters[0])
    assert (await server.at(path)).match.view(0).discarding == 2


async def test_what_is_forged_doubled_or_stale_is_refused_as_a_whole(server: Server) -> None:
    ada = await server.person()
    path = await _hoarder(server, ada)
    table = await server.at(path)
    ply, counter, legal = table.match.ply, table.counters[0], _different(table.match)
    forged = MOVES.encode("lead", action=0)
    for moves, at, status, words in (
        ([legal[0], forged], counter, 422, "none was made"),
        ([legal[0], legal[0]], counter, 422, "twice"),
        ([legal[0], 10**8], counter, 422, "none was made"),
        (list(range(MOST + 1)), counter, 422, "At most"),
        (legal[:2], counter - 1, 409, "moved on"),
    ):
        answer = await _post(server, ada, path, moves, at)
        assert (answer.status_code, words in answer.text) == (status, True)
        assert (await server.at(path)).match.ply == ply
    sent = {"counter": str(counter), "move": [str(legal[0]), "x"]}
    assert (await ada.post(f"{path}/moves", data=sent, headers=HTMX)).status_code == 400
    eve = await server.person("Eve")
    assert (await _post(server, eve, path, legal[:2])).status_code == 403
    assert (await server.at(path)).match.ply == ply


async def test_moves_before_the_one_that_has_become_illegal_stay(server: Server) -> None:
    ada = await server.person()
    path = await _hoarder(server, ada)
    table = await server.at(path)
    ply, asked = table.match.ply, table.match.view(0).discarding
    # one more than there are to discard: nobody is asked about the last
    answer = await _post(server, ada, path, _different(table.match)[: asked + 1])
    assert answer.status_code == 422
    assert f"{asked} of these {asked + 1} moves were made" in answer.text
    table = await server.at(path)
    assert table.match.view(0).discarding == 0
    assert table.match.ply >= ply + asked
