"""GET /tables/ID/why: why something on the visitor's own page cannot be chosen now."""

from __future__ import annotations

import connect_four
import pytest
from server.conftest import Server

import thorp
from thorp.checks.reasons import things_on
from thorp.core.registry import register
from thorp.server.tables.table import Player

pytestmark = pytest.mark.anyio


async def _table(server: Server, *clients, game=connect_four.GAME, names=("Ada", "Birch"), **options: str) -> str:
    register(game)
    game.prepare()
    people = clients if len(clients) > 1 else clients * len(names)
    players = [Player(name, person=server.id_of(each)) for name, each in zip(names, people, strict=True)]
    return "/tables/" + await server.app.state.tables.create(game, options, players, seed=7)


async def _why(client, path: str, thing: str, **more: str):
    return await client.get(f"{path}/why", params={"thing": thing, **more})


async def _full_column(server: Server, path: str, ada, ben) -> None:
    for n in range(6):
        await server.play((ada, ben)[n % 2], path, 3)


async def test_a_dead_thing_says_why_and_a_live_one_nothing(server: Server) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben)
    answer = await _why(ada, path, "column-3")
    assert (answer.status_code, answer.text) == (204, "")
    answer = await _why(ben, path, "column-3")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.text == 'It is not your turn. <span class="who who-0">Ada</span> drops a disc.'
    await _full_column(server, path, ada, ben)
    assert (await _why(ada, path, "column-3")).text == "This column is full."
    assert (await _why(ada, path, "column-2")).status_code == 204
    # what was chosen leads nowhere any more
    assert (await _why(ada, path, "column-2", chosen="column-3")).status_code == 204


async def test_nobody_is_told_about_what_is_not_on_its_page(server: Server) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben)
    for thing in ("column-7", "column", "", " ", "column-3 column-4", '"><b>', "x" * 500, "%00", "Column-3"):
        answer = await _why(ben, path, thing)
        assert (answer.status_code, answer.text) == (204, ""), thing
    assert (await ben.get(f"{path}/why")).status_code == 204
    assert (await _why(ben, path, "column-3", chosen='"<b>')).status_code == 200


async def test_only_who_sits_there_is_answered(server: Server) -> None:
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    path = await _table(server, ada, ben)
    assert (await _why(eve, path, "column-3")).status_code == 204
    assert 'data-dead="You are watching: only those who sit at the table choose."' in (await eve.get(path)).text
    assert "data-dead" not in (await ada.get(path)).text
    assert 'data-dead="This is how it was then' in (await ada.get(f"{path}/at/0")).text
    assert (await _why(ada, "/tables/nowhere", "column-3")).status_code == 404
    await server.play_out(path, ada, ben)
    assert (await _why(ada, path, "column-3")).status_code == 204
    assert 'data-dead="The game is over."' in (await ada.get(path)).text


async def test_a_table_that_gathers_tells_nothing(server: Server) -> None:
    ada = await server.person("Ada")
    register(connect_four.GAME)
    connect_four.GAME.prepare()
    players = [Player("Ada", person=server.id_of(ada)), Player("")]
    path = "/tables/" + await server.app.state.tables.create(connect_four.GAME, {}, players, seed=7)
    assert (await server.at(path)).gathering
    assert (await _why(ada, path, "column-3")).status_code == 204


async def test_behind_a_curtain_nothing_is_told(server: Server) -> None:
    ada = await server.person("Ada")
    path = await _table(server, ada, game=thorp.game("valeria"))
    assert (await server.at(path)).eyes(server.id_of(ada)).curtain
    assert "The curtain is drawn: lift it to choose something." in (await ada.get(path)).text
    assert (await _why(ada, path, "pile-0")).status_code == 204
    seat = (await server.at(path)).match.waiting[0]
    await ada.post(f"{path}/hand", data={"seat": str(seat)})
    answer = await _why(ada, path, "pile-0")
    assert answer.text == "Not now. Choose a card of your hand: its foot becomes your first resource."


async def test_nothing_to_take_back(server: Server) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben, game=thorp.game("tiny-towns"), monuments="no")
    for client in (ada, ben):
        page = (await client.get(path)).text
        assert 'data-why="take-back"' in page
        assert ("take-back",) not in things_on(page)
        assert (await _why(client, path, "take-back")).text == "There is no move of yours that could be taken back."


async def test_cards_can_be_clicked_in_a_reason(server: Server) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben, game=thorp.game("villagers"))
    seat = (await server.at(path)).match.waiting[0]
    answer = await _why((ada, ben)[seat], path, "basic-0")
    card = '<button type="button" class="card-link" data-card="hayer">Hayer</button>'
    assert answer.text == f"{card} comes for a card that you give up, when you build."
