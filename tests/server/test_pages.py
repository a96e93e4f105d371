"""The pages outside a table: choosing a game, making tables, names, and what is said while rules are compiled."""

import asyncio
import html
import threading
from dataclasses import replace

import pytest

import thorp
from thorp.server.app import create_app
from thorp.server.tables import readiness

from .conftest import Server, running

pytestmark = pytest.mark.anyio


async def test_home_offers_the_games(server):
    answer = await server.client().get("/")
    assert answer.status_code == 200
    assert "Pebbles" in answer.text
    assert "/games/pebbles" in answer.text


async def test_a_game_offers_its_options(server):
    answer = await server.client().get("/games/pebbles")
    assert answer.status_code == 200
    for part in ('name="option.rounds"', 'name="seats"', 'name="seat.1"', "quick", "Long game"):
        assert part in answer.text


async def test_every_game_has_its_page(server):
    for id in thorp.game_ids():
        answer = await server.client().get(f"/games/{id}")
        assert answer.status_code == 200
        assert html.escape(thorp.game(id).name) in answer.text
        assert ('enctype="multipart/form-data"' in answer.text) == any(option.file for option in thorp.game(id).options)


async def test_a_new_table_has_me_and_bots(server):
    ada = await server.person("Ada")
    path = await server.table(ada, 3, **{"option.rounds": "6", "seat.1": "slow"})
    table = await server.at(path)
    assert [(seat.person is not None, seat.bot) for seat in table.seats] == [
        (True, None),
        (False, "slow"),
        (False, "quick"),
    ]
    assert table.names[0] == "Ada"
    assert table.match.options == {"rounds": "6", "open": "no", "worth": "usual"}
    answer = await ada.get(path)
    assert answer.status_code == 200
    assert "Pebbles" in answer.text


async def test_a_preset_wins_over_the_options(server):
    path = await server.table(await server.person(), **{"preset": "Long game", "option.rounds": "3"})
    assert (await server.at(path)).match.options["rounds"] == "6"


async def test_an_option_that_is_not_offered_is_ignored(server):
    path = await server.table(await server.person(), 1, **{"option.open": "yes"})
    assert (await server.at(path)).match.options["open"] == "no"


async def test_a_file_of_one_s_own_wins_over_the_choice(server):
    ada = await server.person()
    assert 'type="file" name="file.worth" accept=".txt"' in (await ada.get("/games/pebbles")).text
    form = {"game": "pebbles", "seats": "2", "option.worth": "usual"}
    answer = await ada.post("/tables", data=form, files={"file.worth": ("mine.txt", b" 3 3\n3 ")})
    path = answer.headers["location"]
    assert (await server.at(path)).match.options["worth"] == "3 3 3"
    assert "worth 3 3 3" in (await ada.get(path)).text
    answer = await ada.post("/tables", data=form, files={"file.worth": ("", b"")})
    assert (await server.at(answer.headers["location"])).match.options["worth"] == "usual"


async def test_single_moves_play_themselves_or_wait(server):
    ada = await server.person()
    for choice, forced in (("yes", True), ("no", False)):
        path = await server.table(ada, 1, forced=choice)
        match = await server.play_out(path, ada)
        assert match.forced is forced
        assert forced or not any(entry.forced for entry in match.log())
        await ada.post(f"{path}/again")
        again = (await server.at(path)).row.next_table
        assert (await server.at(f"/tables/{again}")).match.forced is forced
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "1", "forced": "maybe"})
    assert answer.status_code == 422


async def test_my_tables_are_listed(server):
    ada = await server.person()
    running, over = await server.table(ada), await server.table(ada)
    await server.play_out(over, ada)
    home = (await ada.get("/")).text
    assert running in home
    assert over in home
    assert running not in (await server.client().get("/")).text


async def test_of_many_tables_the_first_are_in_sight(server):
    """Those that wait for me stand first, and games are to be found below them."""
    ada = await server.person()
    for _ in range(7):
        await server.table(ada)
    home = (await ada.get("/")).text
    assert "<summary>1 more</summary>" in home
    seen, folded = home.split("<details")[0], home.split("<details")[1].split("</details>")[0]
    assert (seen.count('class="visit '), folded.count('class="visit ')) == (6, 1)
    assert home.index("</details>") < home.index('id="games"') < home.index('id="take-in"')


async def test_the_drawings_of_a_cover_are_sent_once(server):
    ada = await server.person()
    once = (await ada.get("/")).text
    path = await server.table(ada, game="tiny-towns", seats=2, **{"seat.1": "quick"})
    home = (await ada.get("/")).text
    assert path in home
    assert home.count("<symbol") == once.count("<symbol")
    assert home.count('class="drawing cover"') == once.count('class="drawing cover"') + 1


async def test_a_name_can_be_changed_and_reaches_running_tables(server):
    ada = await server.person("Ada")
    path = await server.table(ada)
    answer = await ada.post("/me", data={"name": "  Grace \u200b Hopper ", "back": path})
    assert answer.status_code == 303
    assert answer.headers["location"] == path
    assert (await server.at(path)).names[0] == "Grace Hopper"
    assert "Grace Hopper" in (await ada.get(path)).text


@pytest.mark.parametrize("back", ["//evil.test", "https://evil.test", "/\\evil.test", "evil", ""])
async def test_a_change_of_name_leads_to_no_other_site(server, back):
    answer = await server.client().post("/me", data={"name": "Ada", "back": back})
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(("name", "sentence"), [(" ", "at least one letter"), ("x" * 41, "40 letters at most")])
async def test_a_name_that_is_none_is_refused(server, name, sentence):
    ada = await server.person("Ada")
    answer = await ada.post("/me", data={"name": name})
    assert answer.status_code == 400
    assert sentence in answer.text
    assert "Ada" in (await server.at(await server.table(ada))).names


async def test_a_name_is_escaped(server):
    ada = await server.person("<b>&")
    path = await server.table(ada)
    await server.play_out(path, ada)
    text = (await ada.get(path)).text
    assert "<b>&" not in text
    assert html.escape("<b>&") in text


async def test_the_rest(server):
    client = server.client()
    assert (await client.get("/credits")).status_code == 200
    health = await client.get("/healthz")
    assert (health.status_code, health.json()) == (200, {"status": "ok"})
    assert "set-cookie" not in health.headers


async def test_an_unknown_page_says_so(server):
    answer = await server.client().get("/nowhere")
    assert answer.status_code == 404
    assert "no such page" in answer.text
    assert (await server.client().get("/tables")).status_code == 405


async def test_pages_tell_that_rules_are_being_compiled(settings, monkeypatch):
    done = threading.Event()
    warm_up = readiness.warm_up
    monkeypatch.setattr(
        readiness, "warm_up", lambda id, players: warm_up(id, players) if id == "pebbles" else done.wait()
    )
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        try:
            server = Server(app, settings, settings.players)
            ada = await server.person()
            while "pebbles" not in app.state.readiness._ready:
                await asyncio.sleep(0.01)
            # pages of what is not ready wait, and look again by themselves
            answer = await ada.get("/games/valeria")
            assert answer.status_code == 503
            assert 'http-equiv="refresh"' in answer.text
            assert answer.headers["retry-after"] == "2"
            posted = await ada.post("/tables", data={"game": "valeria", "seats": "2"})
            assert posted.status_code == 503
            assert "being compiled" in posted.text
            home = (await ada.get("/")).text
            assert home.count("being prepared") == len(thorp.game_ids()) - 1
            assert (await ada.get("/healthz")).json() == {"status": "compiling the rules"}
            # what is ready can be played meanwhile
            path = await server.table(ada, 1)
            assert (await server.play(ada, path)).status_code == 200
        finally:
            done.set()
        await asyncio.wait_for(app.state.readiness.all_ready.wait(), 10)
        assert "being prepared" not in (await ada.get("/")).text
        assert (await ada.get("/games/valeria")).status_code == 200


async def test_a_table_of_a_game_that_is_not_ready_waits(settings, monkeypatch):
    async with running(settings) as server:
        ada = await server.person()
        path = await server.table(ada, 1)
        cookie = server.cookie_of(ada)
    done = threading.Event()
    monkeypatch.setattr(readiness, "warm_up", lambda id, players: done.wait())
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        try:
            again = Server(app, settings, settings.players).client(cookie)
            await asyncio.wait_for(app.state.readiness.listed.wait(), 10)
            assert (await again.get(path)).status_code == 503
        finally:
            done.set()
        await asyncio.wait_for(app.state.readiness.all_ready.wait(), 10)
        assert (await again.get(path)).status_code == 200


async def test_a_server_that_does_not_know_its_games_yet_says_of_none_that_it_is_not_here(settings, monkeypatch):
    known, find = threading.Event(), readiness.find_game
    monkeypatch.setattr(readiness, "find_game", lambda id: known.wait() and find(id))
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        ada = Server(app, settings, settings.players).client()
        try:
            for path in ("/", "/games/pebbles", "/games/pebbles/rules"):
                answer = await ada.get(path)
                assert answer.status_code == 503, path
                assert 'http-equiv="refresh"' in answer.text
        finally:
            known.set()
        await asyncio.wait_for(app.state.readiness.all_ready.wait(), 10)
        assert (await ada.get("/games/pebbles")).status_code == 200
        assert (await ada.get("/games/nothing")).status_code == 404


async def test_a_game_that_cannot_be_used_leaves_the_others(settings, monkeypatch):
    def fail(id, players):
        if id == "pebbles":
            raise RuntimeError("broken")

    monkeypatch.setattr(readiness, "warm_up", fail)
    async with running(replace(settings)) as server:
        assert (await server.client().get("/")).status_code == 200
        assert (await server.client().get("/games/pebbles")).status_code == 404
