"""How much one person, and one address, may have: live streams and tables."""

import pytest

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
