"""The rematch against bots of another level: stronger ones are suggested after a win, weaker ones after a loss."""

import html
import re
from functools import partial

import pytest

from thorp.server import admin
from thorp.server.tables.news import announced
from thorp.server.tables.table import Player

from .conftest import GAME, page_open, replace

pytestmark = pytest.mark.anyio


async def over_against(server, person, level, seed):
    """The path of a match with a bot that is over, and whether the person has won it."""
    players = [Player("Ada", server.id_of(person)), Player("Bot", bot=level)]
    path = "/tables/" + await server.app.state.tables.create(GAME, {}, players, seed=seed)
    match = await server.play_out(path, person)
    return path, match.standings[0] == 1


async def test_who_wins_is_offered_stronger_bots_and_who_loses_weaker_ones(server):
    ada = await server.person("Ada")
    weak, strong = server.bots.levels()
    seen = set()
    for seed in range(1, 40):
        for level in (weak, strong):
            path, won = await over_against(server, ada, level, seed)
            page = (await ada.get(path)).text
            assert (f"Stronger bots: {strong}" in page) == (won and level == weak)
            assert (f"Weaker bots: {weak}" in page) == (not won and level == strong)
            seen.add((level, won))
        if len(seen) == 4:
            break
    assert len(seen) == 4


async def test_the_rematch_has_the_bots_that_were_chosen(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    weak, strong = server.bots.levels()
    path, _ = await over_against(server, ada, weak, 1)
    assert (await ada.post(f"{path}/again", data={"bots": "nobody"})).status_code == 422
    assert (await server.at(path)).row.next_table is None
    following = (await ada.post(f"{path}/again", data={"bots": strong})).headers["location"]
    assert [seat.bot for seat in (await server.at(following)).seats] == [strong, None]
    # once more, however it is asked for: the same table
    assert (await ada.post(f"{path}/again")).headers["location"] == following
    # whoever has no seat there chooses nothing
    assert (await eve.post(f"{path}/again", data={"bots": strong})).status_code == 403


async def test_the_others_are_told_that_the_next_game_is_set_up(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play_out(path, ada, eve)
    before = (await eve.get(path)).text
    # the place is there before anything is said in it
    assert '<p class="next-game" id="next-game" role="status"></p>' in before
    assert "<title>Pebbles is over · Thorp</title>" in before
    async with page_open(server, eve, await server.shown(path)) as hers:
        following = (await ada.post(f"{path}/again")).headers["location"]
        news = (await hers.event()).data
    told = news.partition('id="next-game"')[2].partition("</p>")[0]
    assert "The next game is set up." in told
    assert f'href="{following}"' in told
    assert 'data-title="The next game is set up · Pebbles · Thorp"' in news


async def test_people_who_share_a_table_do_not_change_each_others_bots(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play_out(path, ada, eve)
    assert 'id="again-against"' not in (await ada.get(path)).text
    assert (await ada.post(f"{path}/again", data={"bots": server.bots.levels()[0]})).status_code == 422
    assert (await server.at(path)).row.next_table is None
    assert (await ada.post(f"{path}/again")).status_code == 303


async def test_when_it_is_over_the_seats_stay_and_the_rematch_is_as_the_match_was(server):
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    players = [Player(name, server.id_of(who)) for name, who in (("Ada", ada), ("Ben", ben), ("Eve", eve))]
    path = "/tables/" + await server.app.state.tables.create(GAME, {}, players, seed=7, hints=True)
    assert (await ben.post(f"{path}/leave")).status_code == 303
    await server.play_out(path, ada, eve)
    table = await server.at(path)
    seats = table.seats
    assert [(seat.person, seat.away) for seat in seats] == [
        (server.id_of(ada), None),
        (None, server.id_of(ben)),
        (server.id_of(eve), None),
    ]
    for person, what in ((eve, "leave"), (ben, "come-back")):
        answer = await person.post(f"{path}/{what}")
        assert answer.status_code == 409
        assert "The match is over, so the seats stay as they are." in answer.text
    assert (await server.at(path)).seats == seats
    following = await server.at((await ada.post(f"{path}/again")).headers["location"])
    assert following.row.hints is table.row.hints is True
    assert [(seat.person, seat.bot, seat.away) for seat in following.seats] == [
        (seat.person, seat.bot, seat.away) for seat in (*seats[1:], seats[0])
    ]


@pytest.mark.any_store
async def test_there_is_another_rematch_where_the_first_was_deleted(server):
    ada = await server.person("Ada")
    path = await server.shared_table(ada)
    await server.play_out(path, ada)
    first = (await ada.post(f"{path}/again")).headers["location"]
    assert f'href="{first}"' in (await ada.get(path)).text
    told = []

    def remove(connection):
        admin.remove(connection, first.rpartition("/")[2])
        told.extend(announced(connection))

    await server.app.state.store.write(remove)
    # whoever has the old table open is shown that it can be played again
    assert {f"/tables/{id}" for id in told} == {first, path}
    assert 'id="again"' in (await ada.get(path)).text
    second = (await ada.post(f"{path}/again")).headers["location"]
    assert second != first
    assert (await ada.get(second)).status_code == 200


async def test_a_change_of_seats_brings_no_rematch_back_that_was_deleted(server):
    ada = await server.person("Ada")
    path = await server.shared_table(ada)
    await server.play_out(path, ada)
    first = (await ada.post(f"{path}/again")).headers["location"].rpartition("/")[2]
    table, store = await server.at(path), server.app.state.store
    await store.write(partial(admin.remove, id=first))
    await store.change_seats(table.id, lambda company: replace(company, table=replace(company.table, listed=True)))
    assert (await server.at(path)).row.next_table is None


def stream_of(page):
    """The path with which a page hears what comes, for `page_open`; "" where it hears nothing."""
    found = re.search(r'hx-sse:connect="(/tables/[^"/]+)/events([^"]*)"', page)
    return found[1] + html.unescape(found[2]) if found else ""


async def test_a_page_that_is_loaded_after_the_end_hears_of_the_next_game_and_the_chat(server):
    ada, eve, cleo = [await server.person(name) for name in ("Ada", "Eve", "Cleo")]
    path = await server.shared_table(ada, eve)
    await server.play_out(path, ada, eve)
    async with page_open(server, eve, stream_of((await eve.get(path)).text)) as hers:
        await ada.post(f"{path}/chat", data={"line": "Once more?"})
        while "event: chat" not in (said := await hers.block()):
            pass
        assert "Once more?" in said
        following = (await ada.post(f"{path}/again")).headers["location"]
        assert f'href="{following}"' in (await hers.event()).data
    # the next game is known; the chat goes on, and ends with what the opener says
    assert stream_of((await eve.get(path)).text)
    assert not stream_of((await cleo.get(path)).text)
    me = server.id_of(ada)
    await server.app.state.store.change_seats(
        (await server.at(path)).id, lambda company: replace(company, table=replace(company.table, opener=me))
    )
    await ada.post(f"{path}/chat/switch", data={"whom": "nobody"})
    assert not stream_of((await eve.get(path)).text)


async def test_where_nothing_can_come_after_the_end_no_page_waits_for_it(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.table(ada)
    assert stream_of((await eve.get(path)).text)
    await server.play_out(path, ada)
    for person in (ada, eve):
        assert not stream_of((await person.get(path)).text)
    # whoever watches may talk, so somebody may say something to who sits there alone
    await ada.post(f"{path}/chat/switch", data={"whom": "everybody"})
    assert stream_of((await ada.get(path)).text)
    assert not stream_of((await eve.get(path)).text)
