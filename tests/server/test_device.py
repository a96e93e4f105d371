"""Several people at one device: one person with several seats, a curtain between them, and nothing behind it."""

import asyncio

import pytest

from thorp.server.tables.eyes import Turns
from thorp.server.tables.store import Hand
from thorp.server.tables.table import Player

from .conftest import GAME, HTMX, page_open, replace, running

pytestmark = pytest.mark.anyio


async def _device(server, client, *others, names=("Ada", "Birch")):
    """The path of a table at which the person of `client` has as many seats as names, and others have one each."""
    players = [Player(name, person=server.id_of(client)) for name in names]
    players += [Player(f"Other {n}", person=server.id_of(other)) for n, other in enumerate(others)]
    return "/tables/" + await server.app.state.tables.create(GAME, {}, players, seed=7)


async def _take(client, path, seat):
    answer = await client.post(f"{path}/hand", data={"seat": str(seat)})
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == path
    return (await client.get(path)).text


def _play(client, path, seat, counter, move=0):
    form = {"seat": str(seat), "counter": str(counter), "move": str(move)}
    return client.post(f"{path}/moves", data=form, headers=HTMX)


async def _secrets(server, path):
    """The hidden pebbles of every seat, as a page shows them."""
    match = (await server.at(path)).match
    return [str(match.view(seat).secrets[seat]) for seat in range(match.seats)]


async def test_the_form_seats_people_at_this_device(server):
    ada = await server.person("Ada")
    path = await server.table(ada, 4, **{"seat.1": "here", "name.1": " Rowan\t", "seat.2": "here", "seat.3": "quick"})
    table = await server.at(path)
    assert table.names == ["Ada", "Rowan", "Birch", "Cedar"]
    # no bot is called as somebody at the device is
    path = await server.table(ada, 3, **{"seat.1": "here", "name.1": "Birch", "seat.2": "quick"})
    assert (await server.at(path)).names == ["Ada", "Birch", "Cedar"]
    assert table.seats_of(server.id_of(ada)) == (0, 1, 2)
    assert [seat.bot for seat in table.seats] == [None, None, None, "quick"]


@pytest.mark.parametrize("name", ["Ada", "x" * 41, "\u200b\u200b"])
async def test_a_name_at_this_device_is_looked_at(server, name):
    ada = await server.person("Ada")
    form = {"game": "pebbles", "seats": "2", "seat.1": "here", "name.1": name}
    answer = await ada.post("/tables", data=form)
    assert answer.status_code in (400, 422)
    assert 'class="notice"' in answer.text
    assert not dict(await server.rows())["table"]


async def test_the_curtain_hides_all_seats_of_the_device(server):
    ada = await server.person("Ada")
    path = await _device(server, ada)
    secrets = await _secrets(server, path)
    page = (await ada.get(path)).text
    assert "Pass the device to Ada" in page
    assert not any(secret in page for secret in secrets)
    page = await _take(ada, path, 0)
    assert [secret in page for secret in secrets] == [True, False]
    # a reload shows the same seat, and the others are only behind the curtain
    assert [secret in (await ada.get(path)).text for secret in secrets] == [True, False]
    assert "I am Birch" not in page
    answer = await _play(ada, path, 0, 0)
    for text in (answer.text, (await ada.get(path)).text, (await ada.get(f"{path}/fragment")).text):
        assert "Pass the device to Birch" in text
        assert not any(secret in text for secret in secrets)
    page = await _take(ada, path, 1)
    assert [secret in page for secret in secrets] == [False, True]
    page = await _take(ada, path, "")
    assert not any(secret in page for secret in secrets)


async def test_simultaneous_choices_are_made_one_after_the_other(server):
    ada = await server.person("Ada")
    path = await _device(server, ada, names=("Ada", "Birch", "Cedar"))
    await _take(ada, path, 1)
    assert "Pass the device to Cedar" in (await _play(ada, path, 1, 0)).text
    await _take(ada, path, 2)
    assert "Pass the device to Ada" in (await _play(ada, path, 2, 0)).text
    # who has chosen may look, and take the choice back
    await _take(ada, path, 1)
    form = {"seat": "1", "counter": "1"}
    assert (await ada.post(f"{path}/take-back", data=form, headers=HTMX)).status_code == 200
    assert (await server.at(path)).match.waiting == (0, 1)


async def test_a_move_counts_for_the_seat_that_is_in_hand_only(server):
    """Forged, doubled, or from another tab: the seat that the form was made for has to be in hand."""
    ada = await server.person("Ada")
    path = await _device(server, ada)
    behind = await _play(ada, path, 0, 0)
    assert behind.status_code == 409
    assert "passed on" in behind.text
    await _take(ada, path, 0)
    assert (await _play(ada, path, 1, 0)).status_code == 409
    assert (await ada.post(f"{path}/moves", data={"counter": "0", "move": "0"}, headers=HTMX)).status_code == 400
    assert (await _play(ada, path, 0, 0)).status_code == 200
    await _take(ada, path, 1)
    # the same counter, and yet not the move of the seat that is in hand now
    assert (await _play(ada, path, 0, 0)).status_code == 409
    assert (await server.at(path)).counters == [1, 0]


async def test_only_seats_of_the_device_are_taken_in_hand(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await _device(server, ada, eve)
    for client, seat, status in (
        *((ada, seat, 403) for seat in (2, 3, 99)),
        (ada, "x", 400),
        (eve, 0, 403),
        (server.client(), 0, 403),
        (eve, 2, 303),
    ):
        assert (await client.post(f"{path}/hand", data={"seat": str(seat)})).status_code == status
    assert (await ada.post(f"{path}/hand", data={})).status_code == 400
    assert (
        await ada.post(f"{path}/hand", data={"seat": "0"}, headers={"Origin": "http://evil.test"})
    ).status_code == 403
    assert (await server.at(path)).hands == {}


async def test_a_position_shows_no_hand_of_the_device_while_the_match_runs(server):
    ada = await server.person("Ada")
    path = await _device(server, ada)
    secrets = await _secrets(server, path)
    assert secrets[0] in await _take(ada, path, 0)
    for address in (f"{path}/at/0", f"{path}/at/0?as=watch"):
        answer = await ada.get(address)
        assert answer.status_code == 200
        assert not any(secret in answer.text for secret in secrets)
    assert (await ada.get(f"{path}/at/0?as=1")).status_code == 403


async def test_every_tab_of_the_device_gets_the_curtain(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await _device(server, ada, eve)
    secrets = await _secrets(server, path)
    async with page_open(server, ada, path) as page:
        assert "Pass the device to Ada" in (await page.event()).data
        await _take(ada, path, 0)
        assert secrets[0] in (await page.event()).data
        await _take(ada, path, "")
        shown = (await page.event()).data
        assert secrets[0] not in shown
        await _take(ada, path, 1)
        assert secrets[1] in (await page.event()).data
        await _play(ada, path, 1, 0)
        shown = (await page.event()).data
        assert "Pass the device to Ada" in shown
        assert not any(secret in shown for secret in secrets)


async def test_what_is_in_hand_outlasts_the_server_and_is_known_to_others(settings, server):
    ada = await server.person("Ada")
    path = await _device(server, ada)
    secrets = await _secrets(server, path)
    await _take(ada, path, 0)
    async with running(settings) as other:
        again = other.client(server.cookie_of(ada))
        assert secrets[0] in (await again.get(path)).text
        assert "passed on" not in (await _play(again, path, 0, 0)).text
        await _take(again, path, 1)
        page = (await ada.get(path)).text
        assert [secret in page for secret in secrets] == [False, True]


async def test_hands_are_stored_once_however_many_take_them(settings):
    async with running(settings) as server:
        ada = await server.person("Ada")
        path = await _device(server, ada)
        await asyncio.gather(*(_take(ada, path, n % 2) for n in range(8)))
        assert len(dict(await server.rows())["hand"]) == 1


async def test_where_nothing_is_hidden_the_page_turns_by_itself(server, monkeypatch):
    ada = await server.person("Ada")
    path = await _device(server, ada)
    monkeypatch.setattr(type(GAME), "has_secrets", lambda game, options: False)
    page = (await ada.get(path)).text
    assert "curtain" not in page
    assert (await server.at(path)).eyes(server.id_of(ada)).seat == 0
    assert (await _play(ada, path, 0, 0)).status_code == 200
    assert (await server.at(path)).eyes(server.id_of(ada)).seat == 1
    # back to the other one, who may take the choice back
    assert 'value="1">Birch' in await _take(ada, path, 0)


async def test_at_the_end_all_is_open(server):
    ada = await server.person("Ada")
    path = await _device(server, ada)
    while not (table := await server.at(path)).match.over:
        seat = table.match.waiting[0]
        await _take(ada, path, seat)
        await _play(ada, path, seat, table.counters[seat], table.match.legal(seat)[0])
    page = (await ada.get(path)).text
    assert "curtain" not in page
    assert "Play again" in page
    following = (await ada.post(f"{path}/again")).headers["location"]
    assert (await server.at(following)).seats_of(server.id_of(ada)) == (0, 1)
    # who sat first sits last now
    assert "Pass the device to Birch" in (await ada.get(following)).text


async def test_no_curtain_hides_the_end_that_somebody_else_has_brought_about(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await _device(server, ada, eve)
    while not (table := await server.at(path)).match.over:
        seat = table.match.waiting[0]
        if seat == 2:
            assert "curtain" in await _take(ada, path, "")
            await server.play(eve, path)
        else:
            await _take(ada, path, seat)
            await _play(ada, path, seat, table.counters[seat], table.match.legal(seat)[0])
    assert table.match.log()[-1].seat == 2
    assert not table.eyes(server.id_of(ada)).curtain
    assert "Play again" in (await ada.get(path)).text


async def test_another_name_is_that_of_the_person_s_own_seat(server):
    ada = await server.person("Ada")
    path, turned = await _device(server, ada), await _device(server, ada, names=("Birch", "Ada"))
    table = await server.at(path)
    await ada.post("/me", data={"name": "Adele"})
    assert table.names == ["Adele", "Birch"]
    assert (await server.at(turned)).names == ["Birch", "Adele"]
    async with running(replace(server.settings)) as other:
        assert (await other.at(path)).names == ["Adele", "Birch"]


async def test_a_device_and_somebody_by_link(server):
    """Seats of a device are as free to leave as others while the table gathers; then they stay together."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    fields = {"seat.1": "here", "seat.2": "here", "name.2": "Bo", "seat.3": "link"}
    path = await server.table(ada, 4, **fields)
    page = (await ada.get(path)).text
    assert page.count(">Leave this seat<") == 3
    assert "Sit here" not in page
    assert (await ada.post(f"{path}/sit", data={"seat": "3"})).status_code == 403
    assert (await ada.post(f"{path}/hand", data={"seat": "0"})).status_code == 409
    assert (await ada.post(f"{path}/leave")).status_code == 422
    assert (await ada.post(f"{path}/leave", data={"seat": "1"})).status_code == 303
    assert (await server.at(path)).names == ["Ada", "", "Bo", ""]
    await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})
    assert (await eve.post(f"{path}/sit", data={"seat": "3", "name": "Eve"})).status_code == 303
    secrets = await _secrets(server, path)
    page = (await ada.get(path)).text
    assert "Pass the device to Ada" in page
    assert not any(secret in page for secret in (secrets[0], secrets[2]))
    assert "plays with others at one device" in page
    for form in ({}, {"seat": "0"}, {"seat": "2"}):
        assert (await ada.post(f"{path}/leave", data=form)).status_code == 403
    assert (await ada.post(f"{path}/seat", data={"seat": "2", "to": "slow"})).status_code == 403
    assert (await eve.post(f"{path}/leave", data={"seat": "3"})).status_code == 303
    assert (await eve.post(f"{path}/come-back")).status_code == 303
    assert (await server.at(path)).seats_of(server.id_of(ada)) == (0, 2)
    page = await _take(ada, path, 2)
    assert [secrets[seat] in page for seat in (0, 2)] == [False, True]


async def test_who_may_not_look_on_is_not_told_who_is_there(server):
    ada, bob = await server.person("Ada"), await server.person("Bob")
    path = await server.table(ada, 3, watchable="no", **{"seat.1": "here", "name.1": "Bo", "seat.2": "link"})
    async with page_open(server, bob, await server.shown(path)) as page, page_open(server, ada, path) as own:
        await own.block()
        await ada.post("/me", data={"name": "Adele"})
        assert "Adele" in (await page.event()).data
        assert page.present["names"] == ["Adele", "Bo"]
        await ada.post(f"{path}/seat", data={"seat": "2", "to": "slow"})
        assert 'data-stage="closed"' in (await page.event()).data
        assert page.present["names"] == []


def test_a_curtain_that_fell_stays_down():
    """Somebody else's take-back may end what was asked: who was passed the device still sees nothing of the other."""
    turns, mine = Turns(0, (0,)), (0, 1)
    hand = Hand(0, 0)
    assert turns.eyes(mine, hand, secret=True).seat == 0
    turns.add(1, (2,))
    assert turns.eyes(mine, hand, secret=True).seat == 0
    turns.add(2, (1,))
    assert turns.eyes(mine, hand, secret=True).curtain
    turns.add(3, (2,))
    assert turns.eyes(mine, hand, secret=True).curtain
    assert turns.eyes(mine, Hand(0, 3), secret=True).seat == 0
