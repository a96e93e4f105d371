"""How much one person, and one address, may have: live streams and tables."""

import pytest

from thorp.core.match import Match
from thorp.server.tables import checking
from thorp.server.tables.refusals import NotReady
from thorp.server.web import limits
from thorp.server.web.addresses import also_mapped, counted_as, is_within, networks

from .conftest import HTMX, page_open, replace, running

pytestmark = [pytest.mark.anyio, pytest.mark.any_store]


async def test_live_streams_of_a_person_and_of_an_address(settings):
    async with running(replace(settings, streams=1)) as server:
        ada = await server.person("Ada")
        path = await server.table(ada, 1)
        async with page_open(server, ada, path) as page:
            await page.event()
            refused = await ada.get(f"{path}/events", headers=HTMX)
            assert refused.status_code == 429
            assert refused.headers["hx-retarget"] == "#notice"
            assert refused.headers["retry-after"] == "15"
            assert "You have 1 tables open" in refused.text
            # nothing else is refused
            assert (await ada.get(f"{path}/fragment")).status_code == 200
            people = [await server.person(f"Person {number}") for number in range(5)]
            pages = [page_open(server, client, path) for client in people[:4]]
            for each in pages:
                await (await each.__aenter__()).event()
            refused = await people[4].get(f"{path}/events")
            assert refused.status_code == 429
            assert "5 tables are open at your address" in refused.text
            for each in pages:
                await each.__aexit__(None, None, None)
        # who has closed a page may open another one
        async with page_open(server, ada, path) as page:
            await page.event()
        assert not server.app.state.limits._streams


async def test_tables_that_a_person_makes_in_an_hour(settings):
    async with running(replace(settings, tables_hourly=2)) as server:
        ada, eve = await server.person("Ada"), await server.person("Eve")
        # what comes to nothing is not counted
        for wrong in ({"seats": "99"}, {"option.rounds": "99"}):
            refused = await ada.post("/tables", data={"game": "pebbles", "seats": "1", **wrong})
            assert refused.status_code == 422
        for _ in range(2):
            path = await server.table(ada, 1)
        refused = await ada.post("/tables", data={"game": "pebbles", "seats": "1"})
        assert refused.status_code == 429
        assert "You have started 2 tables in a short time" in refused.text
        assert "Try again in 30 minutes." in refused.text
        # a rematch is a table too; who comes to one that is there already makes none
        await server.play_out(path, ada)
        assert (await ada.post(f"{path}/again")).status_code == 429
        theirs = await server.shared_table(ada, eve)
        await server.play_out(theirs, ada, eve)
        assert (await eve.post(f"{theirs}/again")).status_code == 303
        assert (await ada.post(f"{theirs}/again")).status_code == 303
        # nobody escapes by being somebody new each time
        answers = [await server.client().post("/tables", data={"game": "pebbles", "seats": "1"}) for _ in range(9)]
        assert [answer.status_code for answer in answers] == [303] * 7 + [429] * 2
        assert "10 tables were started from your address" in answers[-1].text


async def test_tables_that_a_person_has_opened(settings):
    async with running(replace(settings, tables_running=2)) as server:
        ada, eve = await server.person("Ada"), await server.person("Eve")
        path = await server.table(ada, 1)
        await server.table(ada, 2)
        refused = await ada.post("/tables", data={"game": "pebbles", "seats": "1"})
        assert refused.status_code == 429
        assert "You have opened 2 tables that are not over" in refused.text
        assert "retry-after" not in refused.headers
        await server.table(eve, 1)
        await server.play_out(path, ada)
        await server.table(ada, 1)


async def test_nobody_takes_the_tables_of_another_person(settings):
    """Whoever has played a match with somebody can seat both at new tables, and so must not use up what both have."""
    async with running(replace(settings, tables_running=2)) as server:
        ada, eve = await server.person("Ada"), await server.person("Eve")
        path = await server.shared_table(eve, ada)
        await server.play_out(path, eve, ada)
        for _ in range(2):
            answer = await eve.post(f"{path}/at/0/play-on", data={"players": "same"})
            assert answer.status_code == 303
            assert (await server.at(answer.headers["location"])).seat_of(server.id_of(ada)) == 1
        assert (await eve.post(f"{path}/at/0/play-on", data={"players": "same"})).status_code == 429
        await server.table(ada, 1)


async def test_files_that_are_none(settings, monkeypatch):
    """To refuse one takes as long as to take it: so many at once, and then one after the other."""
    monkeypatch.setattr(limits, "FILES", 3)
    monkeypatch.setattr(limits, "FILES_RATE", 1e-6)
    async with running(settings) as server:
        ada, eve = await server.person("Ada"), await server.person("Eve")
        match = Match("pebbles", 2, seed=1)
        while not match.over:
            match.play(match.waiting[0], match.legal(match.waiting[0])[0])

        async def send(client, text):
            return (await client.post("/matches", files={"match": ("match.json", text)})).status_code

        async def set_up(client, worth):
            form = {"game": "pebbles", "seats": "2"}
            return (await client.post("/tables", data=form, files={"file.worth": ("mine.txt", worth)})).status_code

        # what is a match, or can be played with, is counted as a table and not here
        assert [await send(ada, match.export()) for _ in range(5)] == [303] * 5
        assert [await set_up(ada, "1 2 3") for _ in range(5)] == [303] * 5
        assert [await send(ada, "{}") for _ in range(2)] == [422] * 2
        assert await set_up(ada, "1 2") == 422
        assert await set_up(ada, "1 2 3") == 429
        refused = await ada.post("/matches", files={"match": ("match.json", match.export())})
        assert (refused.status_code, "too fast" in refused.text) == (429, True)
        # all else goes on, and for others too
        await server.table(ada, 2)
        refused = await ada.post("/tables", data={"game": "pebbles", "seats": "1", "option.rounds": "99"})
        assert refused.status_code == 422
        assert await send(eve, match.export()) == 303
        # nobody escapes by being somebody new each time
        answers = [await send(server.client(), "{}") for _ in range(13)]
        assert answers == [422] * 12 + [429]


async def test_a_file_that_was_not_looked_at_is_not_counted(settings, monkeypatch):
    monkeypatch.setattr(limits, "FILES", 1)
    monkeypatch.setattr(limits, "FILES_RATE", 1e-6)

    def unready(text, require):
        raise NotReady("pebbles")

    async with running(replace(settings, tables_hourly=1)) as server:
        ada = await server.person("Ada")
        with monkeypatch.context() as patch:
            patch.setattr(checking, "_load", unready)
            answers = [await ada.post("/matches", files={"match": ("match.json", "{}")}) for _ in range(3)]
            assert {answer.status_code for answer in answers} == {503}
        await server.table(ada, 1)
        # nor where no table may be made
        answers = [await ada.post("/matches", files={"match": ("match.json", "{}")}) for _ in range(3)]
        assert all("You have started 1 tables" in answer.text for answer in answers)


def test_addresses_are_counted_by_household():
    assert counted_as("192.0.2.7") == "192.0.2.7"
    assert counted_as("::ffff:192.0.2.7") == "192.0.2.7"
    assert counted_as("2001:db8::1") == counted_as("2001:db8:0:0:ffff::2") == "2001:db8::/64"
    assert counted_as("2001:db8:0:1::1") == "2001:db8:0:1::/64"
    assert counted_as("fe80::1%eth0") == "fe80::/64"
    assert counted_as("") == ""
    assert len(counted_as("x" * 1000)) == 64


def test_proxies_are_found_by_address_and_network():
    among = networks(["10.1.2.3/8", "192.0.2.7", "2001:db8::/32"])
    for address in ("10.9.9.9", "192.0.2.7", "::ffff:192.0.2.7", "2001:db8:1::1"):
        assert is_within(address, among)
    for address in ("192.0.2.8", "2001:db9::1", "", "proxy"):
        assert not is_within(address, among)
    assert also_mapped(among) == [
        *("10.0.0.0/8", "192.0.2.7/32", "2001:db8::/32"),
        *("::ffff:10.0.0.0/104", "::ffff:192.0.2.7/128"),
    ]
