"""A table that goes on from a match leads back to where it went on; and what is not counted says why."""

import pytest
from sqlalchemy import update

from thorp.core.language import ENGLISH, language
from thorp.server import admin
from thorp.server.tables import schema
from thorp.server.tables.table import Player
from thorp.server.web import languages

from .conftest import GAME

pytestmark = pytest.mark.anyio

NOT_COUNTED = "This match is not counted in your results"


async def went_on(server, person, ply):
    """The paths of a match that is over, and of a table at which a person goes on from a position of it."""
    path = await server.table(person, 2)
    await server.play_out(path, person)
    form = {"seat": "2", "bot": server.bots.levels()[0]}
    return path, (await person.post(f"{path}/at/{ply}/play-on", data=form)).headers["location"]


async def test_it_leads_back_to_the_position_from_which_it_goes_on(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path, following = await went_on(server, ada, 2)
    await server.quiet()
    assert f'href="{following}/at?before"' in (await ada.get(following)).text
    answer = await ada.get(f"{following}/at", params={"before": ""})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}/at/2?as=2")
    assert (await ada.get(answer.headers["location"])).status_code == 200
    # others are told nothing of the match before
    assert "at?before" not in (await eve.get(following)).text
    assert (await eve.get(f"{following}/at", params={"before": ""})).status_code == 404
    # nor is there any before a match that began by itself
    assert "at?before" not in (await ada.get(path)).text
    assert (await ada.get(f"{path}/at", params={"before": ""})).status_code == 404


async def test_it_leads_back_after_the_first_decision_was_taken_back(server):
    ada = await server.person("Ada")
    path, following = await went_on(server, ada, 2)
    await server.quiet()
    assert (await server.play(ada, following)).status_code == 200
    await server.quiet()
    form = {"seat": "1", "counter": str((await server.at(following)).counters[1])}
    assert (await ada.post(f"{following}/go-back", data=form)).status_code == 303
    assert (await server.at(following)).match.anew
    assert (await ada.get(f"{following}/at", params={"before": ""})).headers["location"] == f"{path}/at/2?as=2"


async def test_it_leads_to_no_match_that_may_not_be_looked_at(server):
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    players = [Player("Ada", person=server.id_of(ada)), Player("Ben", person=server.id_of(ben))]
    tables = server.app.state.tables
    path = "/tables/" + await tables.create(GAME, {}, players, seed=5, watchable=False)
    await server.play_out(path, ada, ben)
    players[1] = Player("Eve", person=server.id_of(eve))
    following = f"/tables/{await tables.play_on(path.rpartition('/')[2], 1, players, server.id_of(ada))}"
    assert (await ada.get(f"{following}/at", params={"before": ""})).headers["location"] == f"{path}/at/1?as=1"
    assert (await eve.get(f"{following}/at", params={"before": ""})).status_code == 404
    await server.play_out(following, ada, eve)
    # of two that go on from the same position it is the one before that is gone to
    again = (await ada.post(f"{following}/at/1/play-on", data={"players": "same"})).headers["location"]
    for person in (ada, eve):
        where = (await person.get(f"{again}/at", params={"before": ""})).headers["location"]
        assert where.startswith(f"{following}/at/1?as=")


async def test_it_leads_to_the_record_of_a_match_of_older_rules_and_to_none_that_was_deleted(server):
    ada = await server.person("Ada")
    path, following = await went_on(server, ada, 2)
    await server.quiet()
    tables, id = server.app.state.tables, path.rpartition("/")[2]
    t = schema.tables
    await tables.store.write(lambda each: each.execute(update(t).where(t.c.id == id).values(rules_version=0)))
    tables._cache.pop(id)
    answer = await ada.get(f"{following}/at", params={"before": ""})
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert (await ada.get(path)).status_code == 200
    await admin.delete_table(tables.store, id)
    tables._cache.pop(id, None)
    assert (await ada.get(f"{following}/at", params={"before": ""})).status_code == 404


async def test_of_all_who_were_guided_through_the_same_deal_it_leads_to_ones_own_match(server):
    ben, ada = await server.person("Ben"), await server.person("Ada")
    paths = []
    for person in (ben, ada):
        paths.append((await person.post("/games/pebbles/learn")).headers["location"])
        await server.play_out(paths[-1], person)
    form = {"seat": "1", "bot": server.bots.levels()[0]}
    following = (await ada.post(f"{paths[1]}/at/0/play-on", data=form)).headers["location"]
    assert (await ada.get(f"{following}/at", params={"before": ""})).headers["location"] == f"{paths[1]}/at/0?as=1"


async def test_the_end_says_why_a_match_is_not_counted(server):
    ada = await server.person("Ada")
    path, following = await went_on(server, ada, 1)
    assert NOT_COUNTED not in (await ada.get(path)).text
    await server.play_out(following, ada)
    text = (await ada.get(following)).text
    assert f"{NOT_COUNTED}, since it went on from another one." in text
    assert 'id="my-best"' not in text
    assert (await ada.get(f"{following}/best")).status_code == 204


async def test_bots_of_different_levels_have_weaker_and_stronger_ones(server):
    ada = await server.person("Ada")
    weak, strong = server.bots.levels()
    seen = set()
    for seed in range(1, 40):
        players = [Player("Ada", server.id_of(ada)), Player("Bot", bot=weak), Player("Bea", bot=strong)]
        path = "/tables/" + await server.app.state.tables.create(GAME, {}, players, seed=seed)
        won = (await server.play_out(path, ada)).standings[0] == 1
        page = (await ada.get(path)).text
        assert (f"Stronger bots: {strong}" in page) == won
        assert (f"Weaker bots: {weak}" in page) == (not won)
        seen.add(won)
        if len(seen) == 2:
            return
    raise AssertionError(f"always the same end: {seen}")


async def test_a_guest_is_called_so_in_the_language_of_now_when_the_match_is_over_too(server, monkeypatch):
    monkeypatch.setattr(languages, "offered", lambda scope: [ENGLISH, language("es")])
    guest = server.client()
    path = await server.table(guest, 2)
    await server.play_out(path, guest)
    assert ">Guest</span>" in (await guest.get(path)).text
    await guest.post("/me/language", data={"language": "es"})
    for address in (path, f"{path}/at/1", "/", f"{path}/review"):
        text = (await guest.get(address)).text
        assert "Invitado" in text
        assert "Guest" not in text
